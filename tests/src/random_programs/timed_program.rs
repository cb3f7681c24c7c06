//! One random program of two threads that wait with limits of time and read the clock.
//!
//! The cells, locks and statements are those of the programs of threads. What the clock shows goes into what a
//! run did, in seconds since main began. The calls are made without the library where it would do much beside
//! them: each access of a thread to memory is a step of the reference.

use super::cells::Cells;
use super::dice::Dice;
use super::statements::{self, Statement};
use super::text::{self, lines};

/// What is there beside the prelude of the programs of threads.
pub const PRELUDE: &str = r#"#include <time.h>

/* When main began. */
unsigned began;
/* How long a rest takes. */
const struct timespec rests[3] = {{0, 0}, {1, 0}, {2, 0}};

__attribute__((always_inline)) inline unsigned call(unsigned number, const void *argument)
{
    unsigned result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(argument), "c"(0) : "memory");
    return result;
}

#define PASSED (call(13, NULL) - began)
#define REST(seconds) call(162, &rests[seconds])

"#;

/// About how many instructions each thread may have, its waits aside.
const BUDGET: u32 = 12;

/// The C text of a program: its thread and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x71_3ed1);
    let cells = Cells::choose(&mut dice);
    let (thread, main) = (part(&mut dice, &cells), part(&mut dice, &cells));
    text::two_threads("timed", seed, Some("began = call(13, NULL);"), thread, main)
}

/// What a thread does: some statements, among them one that has to do with time, or two.
fn part(dice: &mut Dice, cells: &Cells) -> Vec<String> {
    let mut own = text::within_budget(BUDGET, || statements::any(dice, cells));
    for _ in 0..1 + u32::from(dice.one_in(3)) {
        let place = dice.below(own.len() as u32 + 1) as usize;
        own.insert(place, timely(dice, cells));
    }
    lines(own).collect()
}

/// The end of a wait: since the beginning, or since the wait.
fn limit(dice: &mut Dice) -> String {
    let seconds = dice.pick(&[0, 1, 1, 2]);
    match dice.one_in(3) {
        true => format!("struct timespec limit = {{began + PASSED + {seconds}, 0}};"),
        false => format!("struct timespec limit = {{began + {seconds}, 0}};"),
    }
}

/// A wait with a limit of time, or a look at the clock.
fn timely(dice: &mut Dice, cells: &Cells) -> Statement {
    let look = || Statement::line("read = read * 3 + PASSED;".to_owned(), 6);
    match dice.below(8) {
        0 | 1 => look(),
        2 => Statement::line(format!("REST({});", dice.below(3)), 4),
        3 => {
            let head = ["for (int i = 0; i < 2; i++) {".to_owned(), "REST(1);".to_owned()];
            let inner = if dice.one_in(2) { look() } else { statements::bare(dice, cells) };
            inner.within(&head, &["}".to_owned()], 8)
        }
        4 => {
            let wait = "read = read * 3 + (sem_timedwait(&tokens, &limit) == 0);".to_owned();
            limited(dice, Statement::line(wait, 8))
        }
        5 => {
            let lock = format!("&locks[{}]", dice.below(2));
            let before = [format!("if (pthread_mutex_timedlock({lock}, &limit) == 0) {{")];
            let after = [
                format!("pthread_mutex_unlock({lock});"),
                "} else {".to_owned(),
                "read++;".to_owned(),
                "}".to_owned(),
            ];
            let inner = statements::bare(dice, cells).within(&before, &after, 8);
            limited(dice, inner)
        }
        6 => {
            let wait = "while (!flag && pthread_cond_timedwait(&changed, &locks[0], &limit) == 0)";
            let lines = [
                "pthread_mutex_lock(&locks[0]);",
                wait,
                "    ;",
                "read = read * 3 + flag;",
                "pthread_mutex_unlock(&locks[0]);",
            ];
            limited(dice, Statement { lines: lines.map(str::to_owned).to_vec(), cost: 12 })
        }
        _ => {
            let head = format!("for (int i = 0; i < 2 && PASSED < {}; i++) {{", 1 + dice.below(2));
            statements::bare(dice, cells).within(&[head], &["}".to_owned()], 8)
        }
    }
}

/// A statement after a limit, in a block.
fn limited(dice: &mut Dice, inner: Statement) -> Statement {
    inner.within(&["{".to_owned(), limit(dice)], &["}".to_owned()], 4)
}
