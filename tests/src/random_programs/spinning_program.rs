//! One random program of two or three threads that wait in loops, for a value, for a lock of their own making or by
//! trying again, some of them in vain.
//!
//! All that threads wait for lies in `spun`, or is a mutex: a state graph shows which states have no way out. Loops
//! change nothing after their first turn, but for what they wait for.

use super::dice::Dice;
use super::statements::Statement;
use super::text::{self, function, lines};

/// What all programs share. The cells are volatile, so that a thread that waits for one reads it again.
pub const PRELUDE: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct {
    volatile int a, b, c, lock;
} spun;
#define a spun.a
#define b spun.b
#define c spun.c
#define lock spun.lock
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

"#;

const CELLS: [&str; 3] = ["a", "b", "c"];

/// About how many instructions each of so many threads may have.
fn budget(threads: u32) -> u32 {
    if threads == 2 { 24 } else { 11 }
}

/// The C text of a program: its threads and `program_<seed>`, which is one of them.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x5b1_4413);
    let threads = 2 + u32::from(dice.one_in(3));
    let mut text = String::new();
    // A second loop that stores might undo what the first one stores, forever: that is no hang.
    let stores = dice.below(4 * threads);
    let mut body = |number: u32| {
        let mut found = text::within_budget(budget(threads), || any(&mut dice));
        if found.is_empty() {
            found.push(bare(&mut dice));
        }
        if stores == number {
            found.push(storing(&mut dice));
        }
        lines(found).collect::<Vec<_>>()
    };
    for number in 1..threads {
        let mut body = body(number);
        body.push("return own;".to_owned());
        function(&mut text, &format!("void *spin_{seed}_{number}(void *own)"), &body);
    }
    let mut main = vec!["pthread_t threads[3];".to_owned()];
    let create =
        |number| format!("pthread_create(&threads[{number}], NULL, spin_{seed}_{number}, NULL);");
    main.extend((1..threads).map(create));
    main.extend(body(0));
    main.extend((1..threads).map(|number| format!("pthread_join(threads[{number}], NULL);")));
    main.push("_exit(a * 27 + b * 9 + c * 3 + lock);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &main);
    text
}

fn cell(dice: &mut Dice) -> &'static str {
    dice.pick(&CELLS)
}

fn any(dice: &mut Dice) -> Statement {
    match dice.below(10) {
        0..=5 => bare(dice),
        6 => waiting(dice),
        7 => spin_locked(dice),
        8 => tried(dice),
        _ => mutex_locked(dice),
    }
}

/// A statement that does not wait.
pub(super) fn bare(dice: &mut Dice) -> Statement {
    let (target, value) = (cell(dice), dice.below(3));
    match dice.below(6) {
        0..=2 => Statement::line(format!("{target} = {value};"), 1),
        3 => Statement::line(format!("{target} = {};", cell(dice)), 2),
        4 => Statement::line(format!("assert({target} != {value} || {} != 2);", cell(dice)), 4),
        _ => {
            let condition = format!("if ({} == {})", cell(dice), dice.below(3));
            Statement::line(format!("    {target} = {value};"), 1).within(&[condition], &[], 2)
        }
    }
}

/// What a thread does in a loop, beside looking.
fn pause(dice: &mut Dice) -> &'static str {
    dice.pick(&["    ;", "    ;", "    sched_yield();", "    __builtin_ia32_pause();"])
}

/// A loop that waits for a value.
fn waiting(dice: &mut Dice) -> Statement {
    let (cell, value) = (cell(dice), dice.below(3));
    let head = match dice.below(4) {
        0 => format!("while ({cell} == {value})"),
        1 => format!(
            "for (int old = {value}; !__atomic_compare_exchange_n(&{cell}, &old, 1, 0, 5, 5); old = {value})"
        ),
        _ => format!("while ({cell} != {value})"),
    };
    Statement::line(pause(dice).to_owned(), 1).within(&[head], &[], 4)
}

/// A loop that waits for a value and stores another one in each turn.
fn storing(dice: &mut Dice) -> Statement {
    let head = format!("while ({} != {})", cell(dice), 1 + dice.below(2));
    Statement::line(format!("    c = {};", dice.below(3)), 2).within(&[head], &[], 3)
}

/// Something under a lock that is a word, now and then without its release.
fn spin_locked(dice: &mut Dice) -> Statement {
    let head = "while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))".to_owned();
    let release = (!dice.one_in(5)).then(|| "lock = 0;".to_owned());
    let inner = bare(dice);
    inner.within(&[head, pause(dice).to_owned()], release.as_slice(), 5)
}

/// Something under a mutex that is tried again and again, now and then without its release.
fn tried(dice: &mut Dice) -> Statement {
    let number = dice.below(2);
    let head = format!("while (pthread_mutex_trylock(&locks[{number}]))");
    let release = (!dice.one_in(5)).then(|| format!("pthread_mutex_unlock(&locks[{number}]);"));
    let inner = bare(dice);
    inner.within(&[head, pause(dice).to_owned()], release.as_slice(), 7)
}

fn mutex_locked(dice: &mut Dice) -> Statement {
    let number = dice.below(2);
    let head = format!("pthread_mutex_lock(&locks[{number}]);");
    let inner = if dice.one_in(2) { waiting(dice) } else { bare(dice) };
    inner.within(&[head], &[format!("pthread_mutex_unlock(&locks[{number}]);")], 5)
}
