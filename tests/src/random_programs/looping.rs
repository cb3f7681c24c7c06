//! One random program whose threads mostly loop forever, over a few variables with few values, so that
//! it has few states and many runs without an end: for temporal formulas.

use super::dice::Dice;
use super::statements::Statement;
use super::text::{self, function, lines};

/// What all programs share. The variables are volatile, so that who waits for one looks at it again.
pub const PRELUDE: &str = r"#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

volatile int a, b, c;
int flag;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t token;

";

const CELLS: [&str; 3] = ["a", "b", "c"];

/// The C text of a program: its thread functions and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x100_9001);
    // Main is a thread too: alone beside another one it has something to do.
    let created = 1 + dice.below(2);
    let mut text = String::new();
    for number in 1..=created {
        let mut body = body(&mut dice, 3 - created);
        body.push("return own;".to_owned());
        function(&mut text, &format!("void *loop_{seed}_{number}(void *own)"), &body);
    }
    let mut main = vec!["pthread_t threads[3];".to_owned()];
    let create =
        |number| format!("pthread_create(&threads[{number}], NULL, loop_{seed}_{number}, NULL);");
    main.extend((1..=created).map(create));
    if created == 1 {
        main.extend(body(&mut dice, 2));
    }
    if dice.one_in(6) {
        // The end of main ends the others.
        main.push("_exit(1);".to_owned());
    }
    main.extend((1..=created).map(|number| format!("pthread_join(threads[{number}], NULL);")));
    main.push("_exit(0);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &main);
    text
}

/// What a thread does, by about so much: something first, perhaps, and then a loop or some more.
fn body(dice: &mut Dice, size: u32) -> Vec<String> {
    let mut body = Vec::new();
    if dice.one_in(2) {
        body.extend(bare(dice).lines);
    }
    let budget = 5 + 4 * size;
    let mut inner: Vec<String> = lines(text::within_budget(budget, || any(dice))).collect();
    if inner.is_empty() {
        inner.extend(bare(dice).lines);
    }
    // A loop in which nothing is visible is run for long until it is known for one.
    let is_visible = |line: &String| line.contains("_lock") || line.contains("sem_wait");
    if !inner.iter().any(is_visible) && !dice.one_in(15) {
        inner.push("sched_yield();".to_owned());
    }
    match dice.below(6) {
        0 | 1 => body.extend(inner),
        2 => {
            body.push(format!("while ({} {} {}) {{", cell(dice), relation(dice), value(dice)));
            body.extend(inner);
            body.push("}".to_owned());
        }
        _ => {
            body.push("for (;;) {".to_owned());
            body.extend(inner);
            body.push("}".to_owned());
        }
    }
    body
}

fn cell(dice: &mut Dice) -> &'static str {
    dice.pick(&CELLS)
}

fn value(dice: &mut Dice) -> u32 {
    dice.below(3)
}

fn relation(dice: &mut Dice) -> &'static str {
    dice.pick(&["==", "!=", "!="])
}

fn any(dice: &mut Dice) -> Statement {
    match dice.below(12) {
        0..=4 => bare(dice),
        5..=7 => locked(dice),
        8 => tried(dice),
        9 => waiting(dice),
        10 => signalling(dice),
        _ => bare(dice).within(
            &["sem_wait(&token);".to_owned()],
            &["sem_post(&token);".to_owned()],
            4,
        ),
    }
}

/// A statement without locks. One that waits may wait for ever.
fn bare(dice: &mut Dice) -> Statement {
    let target = cell(dice);
    let others: Vec<&str> = CELLS.into_iter().filter(|it| *it != target).collect();
    match dice.below(9) {
        0..=2 => Statement::line(format!("{target} = {};", value(dice)), 1),
        3 => Statement::line(format!("{target} = !{target};"), 3),
        4 => Statement::line(format!("{target} = {};", dice.pick(&others)), 2),
        5 => {
            let order = "__ATOMIC_SEQ_CST";
            Statement::line(format!("__atomic_exchange_n(&{target}, {}, {order});", value(dice)), 2)
        }
        6 => {
            let write = format!("    {target} = {};", value(dice));
            let condition = format!("if ({} == {})", dice.pick(&others), value(dice));
            Statement::line(write, 1).within(&[condition], &[], 2)
        }
        7 => {
            let condition = format!("while ({target} {} {})", relation(dice), value(dice));
            Statement::line("    sched_yield();".to_owned(), 1).within(&[condition], &[], 3)
        }
        _ => Statement::line("sched_yield();".to_owned(), 1),
    }
}

fn locked(dice: &mut Dice) -> Statement {
    let lock = dice.below(2);
    let mut inner = bare(dice);
    if dice.one_in(4) {
        inner = within_lock(inner, 1 - lock);
    }
    within_lock(inner, lock)
}

fn within_lock(inner: Statement, lock: u32) -> Statement {
    let before = format!("pthread_mutex_lock(&locks[{lock}]);");
    inner.within(&[before], &[format!("pthread_mutex_unlock(&locks[{lock}]);")], 4)
}

fn tried(dice: &mut Dice) -> Statement {
    let lock = dice.below(2);
    let before = format!("if (pthread_mutex_trylock(&locks[{lock}]) == 0) {{");
    let after = [format!("pthread_mutex_unlock(&locks[{lock}]);"), "}".to_owned()];
    bare(dice).within(&[before], &after, 5)
}

fn waiting(dice: &mut Dice) -> Statement {
    let before =
        ["while (!flag)".to_owned(), "    pthread_cond_wait(&changed, &locks[0]);".to_owned()];
    let inner = bare(dice).within(&before, &["flag = 0;".to_owned()], 6);
    within_lock(inner, 0)
}

fn signalling(dice: &mut Dice) -> Statement {
    let raise = Statement::line("flag = 1;".to_owned(), 1);
    let wake = dice.pick(&["signal", "broadcast"]);
    within_lock(raise.within(&[], &[format!("pthread_cond_{wake}(&changed);")], 2), 0)
}
