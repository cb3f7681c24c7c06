//! One random program of two threads that wait in loops and count meanwhile: to yield, to sleep, to give up, to say so, or for
//! what they do afterwards.
//!
//! Counters have few values, so that a search by single accesses ends.

use super::dice::Dice;
use super::spinning_program::bare;
use super::statements::Statement;
use super::text::{self, function, lines};

/// About how many instructions each of the threads may have.
const BUDGET: u32 = 14;

/// The C text of a program: a thread and `program_<seed>`, which is the other one.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0xc0_4731);
    let mut text = String::new();
    let mut body = || {
        let mut found = text::within_budget(BUDGET, || any(&mut dice));
        found.push(counted(&mut dice));
        let pause = "const struct timespec pause = {0, 1000};".to_owned();
        std::iter::once(pause).chain(lines(found)).collect::<Vec<_>>()
    };
    let mut thread = body();
    thread.push("(void)pause;".to_owned());
    thread.push("return own;".to_owned());
    function(&mut text, &format!("void *count_{seed}(void *own)"), &thread);
    let mut main = vec!["pthread_t thread;".to_owned()];
    main.push(format!("pthread_create(&thread, NULL, count_{seed}, NULL);"));
    main.extend(body());
    main.push("(void)pause;".to_owned());
    main.push("pthread_join(thread, NULL);".to_owned());
    main.push("_exit(a * 27 + b * 9 + c * 3 + lock);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &main);
    text
}

fn any(dice: &mut Dice) -> Statement {
    if dice.one_in(3) { counted(dice) } else { bare(dice) }
}

/// A loop that waits and counts.
fn counted(dice: &mut Dice) -> Statement {
    let cell = dice.pick(&["a", "b", "c"]);
    let (condition, release) = match dice.below(5) {
        0 | 1 => ("__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST)".to_owned(), true),
        2 => (format!("{cell} == {}", dice.below(2)), false),
        3 => (format!("!__sync_bool_compare_and_swap(&{cell}, {}, 2)", dice.below(2)), false),
        _ => (format!("{cell} != {}", dice.below(2)), false),
    };
    let count = match dice.below(8) {
        0 => "k = (k + 1) & 1; if (k) nanosleep(&pause, NULL);",
        1 | 2 => "k = (k + 1) & 3; if (k == 3) sched_yield();",
        3 => "k = (k + 1) & 3; if (k > 1) __builtin_ia32_pause();",
        4 => "k ^= 1; usleep(k);",
        5 => "if (k < 2) ++k; else sched_yield();",
        6 => "if (++k == 2) break;",
        _ => "k = (k + 1) & 1; if (k) c = 1;",
    };
    let after = match dice.below(8) {
        0 => "c = k & 1;",
        1 => "assert(k != 1);",
        2 => "if (k) b = 2;",
        _ => "",
    };
    let release = if release && !dice.one_in(5) { " lock = 0;" } else { "" };
    let line = format!("{{ unsigned k = 0; while ({condition}) {{ {count} }} {after}{release} }}");
    Statement::line(line, 6)
}
