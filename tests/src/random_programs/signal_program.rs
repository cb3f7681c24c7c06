//! One random program of two threads that send each other signals: what a handler does comes between
//! any two operations of the thread that takes it, and while that waits.
//!
//! The cells, locks and statements are those of the programs of threads. A handler is one of those
//! statements; some take a lock, and wait for ever where their own thread holds it.

use super::cells::Cells;
use super::dice::Dice;
use super::statements::{self, Partnership, Statement};
use super::text::{self, function, lines};

/// What is there beside the prelude of the programs of threads.
pub const PRELUDE: &str = r"#include <signal.h>

pthread_t starter, started;
/* What handlers have read. */
unsigned handled = 1;
int spare;

void take(void (*handler)(int), int flags)
{
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(SIGUSR1, &action, NULL);
}

void mask(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(how, &set, NULL);
}

";

/// About how many instructions each thread may have, its signals aside.
const BUDGET: u32 = 14;

/// The C text of a program: its handler, its thread and `program_<seed>`.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x51_6a41);
    let cells = Cells::choose(&mut dice);
    let mut text = String::new();
    let handler = handler_body(&mut dice, &cells);
    function(&mut text, &format!("void handler_{seed}(int number)"), &handler);
    let partners = (!dice.one_in(3)).then(|| {
        let kind = dice.pick(&[Partnership::Condition, Partnership::Tokens]);
        let (waits, serves) = (kind.waits(&mut dice, &cells), kind.serves(&mut dice, &cells));
        if dice.one_in(2) { [waits, serves] } else { [serves, waits] }
    });
    let [first, second] = partners.map_or([None, None], |both| both.map(Some));
    let mut thread = vec!["int *own = own_;".to_owned(), "unsigned read = 1;".to_owned()];
    thread.extend(part(&mut dice, &cells, "starter", first));
    thread.push("(void)own;".to_owned());
    thread.push("return (void *)(uintptr_t)read;".to_owned());
    function(&mut text, &format!("void *signalled_{seed}(void *own_)"), &thread);
    let flags = dice.pick(&["0", "SA_RESTART"]);
    let mut main = vec![
        "int local[2] = {1, 2};".to_owned(),
        "int *own = local;".to_owned(),
        "unsigned read = 1;".to_owned(),
        "void *result;".to_owned(),
        format!("take(handler_{seed}, {flags});"),
        "starter = pthread_self();".to_owned(),
        format!("pthread_create(&started, NULL, signalled_{seed}, &local[0]);"),
    ];
    main.extend(part(&mut dice, &cells, "started", second));
    main.push("pthread_join(started, &result);".to_owned());
    main.push("read = read * 5 + (uintptr_t)result;".to_owned());
    main.push("(void)own;".to_owned());
    main.push("finish(local, read * 7 + handled);".to_owned());
    function(&mut text, &format!("void program_{seed}(void)"), &main);
    text
}

/// What a handler does: mostly something that cannot wait.
fn handler_body(dice: &mut Dice, cells: &Cells) -> Vec<String> {
    let statement = match dice.below(8) {
        0..=4 => statements::bare(dice, cells),
        5 => Statement::line("sem_post(&tokens);".to_owned(), 3),
        6 => Statement::line("read = read * 3 + (sem_trywait(&tokens) == 0);".to_owned(), 9),
        _ => statements::simple(dice, cells).within(
            &["pthread_mutex_lock(&locks[0]);".to_owned()],
            &["pthread_mutex_unlock(&locks[0]);".to_owned()],
            6,
        ),
    };
    let mut body = vec![
        "(void)number;".to_owned(),
        "int *own = &spare;".to_owned(),
        "unsigned read = handled;".to_owned(),
    ];
    body.extend(statement.lines);
    body.push("(void)own;".to_owned());
    body.push("handled = read * 3;".to_owned());
    body
}

/// What a thread does: some statements, among them its part in what both do, and one signal at least.
fn part(dice: &mut Dice, cells: &Cells, other: &str, partner: Option<Statement>) -> Vec<String> {
    let left = BUDGET.saturating_sub(partner.as_ref().map_or(0, |it| it.cost));
    let mut own = text::within_budget(left, || any(dice, cells));
    let mut put = |statement: Statement, dice: &mut Dice| {
        let place = dice.below(own.len() as u32 + 1) as usize;
        own.insert(place, statement);
    };
    if let Some(partner) = partner {
        put(partner, dice);
    }
    // One of the two threads sends a signal for certain: main.
    if other == "started" || dice.one_in(4) {
        put(signal(dice, other), dice);
    }
    lines(own).collect()
}

fn any(dice: &mut Dice, cells: &Cells) -> Statement {
    match dice.below(8) {
        0..=3 => statements::any(dice, cells),
        4 | 5 => masked(dice, cells),
        _ => statements::simple(dice, cells),
    }
}

/// A signal to the other thread, to oneself, or to whoever of the process takes it.
fn signal(dice: &mut Dice, other: &str) -> Statement {
    match dice.below(6) {
        0..=3 => Statement::line(format!("pthread_kill({other}, SIGUSR1);"), 8),
        4 => Statement::line("raise(SIGUSR1);".to_owned(), 8),
        _ => Statement::line("kill(getpid(), SIGUSR1);".to_owned(), 4),
    }
}

/// A statement within which the handler does not come.
fn masked(dice: &mut Dice, cells: &Cells) -> Statement {
    let (before, after) = ("mask(SIG_BLOCK);".to_owned(), "mask(SIG_UNBLOCK);".to_owned());
    statements::simple(dice, cells).within(&[before], &[after], 4)
}
