//! One random statement of a process: what it does to semaphores, queues, pipes, sockets, other processes,
//! and to locks that lie in shared memory. What it does to memory alone is reported by the statements of threads.
//!
//! The functions that these call are those of `processes.c`. Semaphores 0 and 3 are forks that are there
//! at first, 1 counts from 0, and 2 is to become 0.

use super::cells::Cells;
use super::dice::Dice;
use super::statements::{Statement, simple};

/// What one process does for another one, which waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partnership {
    /// A semaphore of the set that counts.
    Count,
    /// A semaphore of the set that becomes 0.
    Zero,
    /// A message of a type, or of any.
    Message,
    /// Bytes in a pipe.
    Bytes,
    /// A datagram.
    Datagram,
    /// Bytes in a pipe, or a datagram.
    Either,
    /// A POSIX semaphore in shared memory.
    Token,
    /// A condition variable in shared memory.
    Condition,
}

impl Partnership {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Count,
        Self::Zero,
        Self::Message,
        Self::Bytes,
        Self::Datagram,
        Self::Either,
        Self::Token,
        Self::Condition,
    ];

    /// The statement of the process that waits.
    pub fn waits(self, dice: &mut Dice) -> Statement {
        let line = |text: &str| Statement::line(text.to_owned(), 8);
        match self {
            Self::Count => line("change(1, -1, 0);"),
            Self::Zero => line("change(2, 0, 0);"),
            Self::Message => heard(&format!("get({}, 0)", dice.pick(&[0, 1, 2, -2]))),
            Self::Bytes => heard(&format!("hear(0, {})", 1 + dice.below(2))),
            Self::Datagram => heard("told(0)"),
            Self::Either => heard("ready(-1)"),
            Self::Token => line("sem_wait(&common->token);"),
            Self::Condition => Statement::line("while (!common->flag)".to_owned(), 12).within(
                &["pthread_mutex_lock(&common->locks[0]);".to_owned()],
                &[
                    "    pthread_cond_wait(&common->changed, &common->locks[0]);".to_owned(),
                    "pthread_mutex_unlock(&common->locks[0]);".to_owned(),
                ],
                10,
            ),
        }
    }

    /// The statement of the process that it waits for.
    pub fn serves(self, dice: &mut Dice) -> Statement {
        let line = |text: &str| Statement::line(text.to_owned(), 8);
        match self {
            Self::Count => line("change(1, 1, 0);"),
            Self::Zero => line("change(2, -1, 0);"),
            Self::Message => line(&format!("put({}, {});", 1 + dice.below(2), dice.below(4))),
            Self::Bytes => line(&format!("say(0, \"{}\");", dice.pick(&["a", "bc"]))),
            Self::Datagram => line(&format!("tell({});", dice.below(4))),
            Self::Either => line(dice.pick(&["tell(1);", "say(0, \"a\");"])),
            Self::Token => line("sem_post(&common->token);"),
            Self::Condition => Statement::line("common->flag = 1;".to_owned(), 2).within(
                &["pthread_mutex_lock(&common->locks[0]);".to_owned()],
                &[
                    "pthread_cond_signal(&common->changed);".to_owned(),
                    "pthread_mutex_unlock(&common->locks[0]);".to_owned(),
                ],
                10,
            ),
        }
    }
}

/// Any statement that needs no partner.
pub fn any(dice: &mut Dice, cells: &Cells) -> Statement {
    match dice.below(28) {
        0..=7 => simple(dice, cells),
        8..=10 => forks(dice, cells),
        11 | 12 => semaphore(dice),
        13..=15 => message(dice),
        16 | 17 => bytes(dice),
        18 | 19 => locked(dice, cells),
        20 => token(dice),
        21 | 22 => toss(dice, cells),
        23 => datagram(dice),
        24 => heard("ready(0)"),
        25 | 26 => Statement::line("end_other();".to_owned(), 6),
        _ => leaving(dice, cells),
    }
}

/// What was read becomes part of the status.
fn heard(call: &str) -> Statement {
    Statement::line(format!("read = read * 3 + {call};"), 10)
}

fn flags(dice: &mut Dice) -> &'static str {
    if dice.one_in(4) { "SEM_UNDO" } else { "0" }
}

/// One or two forks around an access: one by one in any order, or both at once.
fn forks(dice: &mut Dice, cells: &Cells) -> Statement {
    let inner = simple(dice, cells);
    let (one, other) = dice.pick(&[(0, 3), (3, 0)]);
    let undo = flags(dice);
    let take = |fork: u32| format!("change({fork}, -1, {undo});");
    let give = |fork: u32| format!("change({fork}, 1, {undo});");
    match dice.below(6) {
        0 | 1 => inner.within(&[take(one)], &[give(one)], 16),
        2 | 3 => inner.within(&[take(one), take(other)], &[give(one), give(other)], 32),
        4 => inner.within(
            &["change_two(0, -1, 3, -1);".to_owned()],
            &["change_two(0, 1, 3, 1);".to_owned()],
            16,
        ),
        // Who ends with a fork gives it back by ending, or keeps it for ever.
        _ => inner.within(&[take(one)], &[], 8),
    }
}

fn semaphore(dice: &mut Dice) -> Statement {
    let number = dice.below(4);
    match dice.below(8) {
        0 | 1 => heard(&format!("semctl(set, {number}, GETVAL)")),
        2 => Statement::line(format!("semctl(set, {number}, SETVAL, {});", dice.below(3)), 8),
        3 | 4 => heard(&format!("change({number}, {}, IPC_NOWAIT)", dice.pick(&[-1, -1, 0]))),
        5 => Statement::line(format!("change({number}, {}, 0);", 1 + dice.below(2)), 8),
        6 => heard("change_two(1, -1, 2, 0)"),
        _ => Statement::line(format!("change_two(1, 1, {}, -1);", dice.pick(&[0, 2, 3])), 8),
    }
}

fn message(dice: &mut Dice) -> Statement {
    match dice.below(6) {
        0..=2 => {
            let (kind, value) = (1 + dice.below(3), dice.below(4));
            Statement::line(format!("put({kind}, {value});"), 10)
        }
        3 | 4 => heard(&format!("get({}, IPC_NOWAIT)", dice.pick(&[0, 1, 2, 3, -2]))),
        _ => heard(&format!("get({}, 0)", dice.pick(&[0, 1, -3]))),
    }
}

/// The second pipe never lets anybody wait.
fn bytes(dice: &mut Dice) -> Statement {
    let pipe = dice.below(2);
    match dice.below(8) {
        0..=2 => {
            Statement::line(format!("say({pipe}, \"{}\");", dice.pick(&["x", "yz", "uvw"])), 10)
        }
        3 | 4 => heard(&format!("hear({}, {})", dice.pick(&[0, 1, 1]), 1 + dice.below(2))),
        5 => heard(&format!("hear_in_common({})", dice.pick(&[0, 1, 1]))),
        6 => Statement::line(format!("close(pipes[{pipe}][1]);"), 4),
        _ => Statement::line(format!("close(pipes[{pipe}][0]);"), 4),
    }
}

fn datagram(dice: &mut Dice) -> Statement {
    match dice.below(4) {
        0 | 1 => Statement::line(format!("tell({});", dice.below(4)), 8),
        2 => heard("told(MSG_DONTWAIT)"),
        _ => Statement::line(format!("close(sockets[{}]);", dice.below(2)), 4),
    }
}

fn locked(dice: &mut Dice, cells: &Cells) -> Statement {
    let inner = simple(dice, cells);
    let (one, other) = dice.pick(&[(0, 1), (1, 0)]);
    let lock = |number: u32| format!("pthread_mutex_lock(&common->locks[{number}]);");
    let unlock = |number: u32| format!("pthread_mutex_unlock(&common->locks[{number}]);");
    match dice.below(4) {
        0 | 1 => inner.within(&[lock(one)], &[unlock(one)], 8),
        2 => inner.within(&[lock(one), lock(other)], &[unlock(one), unlock(other)], 16),
        _ => inner.within(
            &[format!("if (pthread_mutex_trylock(&common->locks[{one}]) == 0) {{")],
            &[unlock(one), "} else {".to_owned(), "read++;".to_owned(), "}".to_owned()],
            10,
        ),
    }
}

fn token(dice: &mut Dice) -> Statement {
    match dice.below(3) {
        0 => Statement::line("sem_post(&common->token);".to_owned(), 4),
        1 => heard("(sem_trywait(&common->token) == 0)"),
        _ => Statement::line("sem_wait(&common->token);".to_owned(), 4),
    }
}

fn toss(dice: &mut Dice, cells: &Cells) -> Statement {
    if dice.one_in(2) {
        return heard("VS_toss(1)");
    }
    let after = ["}".to_owned()];
    simple(dice, cells).within(&["if (VS_toss(1)) {".to_owned()], &after, 3)
}

/// Ends the process before its time.
fn leaving(dice: &mut Dice, cells: &Cells) -> Statement {
    let (cell, value) = (cells.any(dice), dice.below(3));
    Statement::line(format!("    _exit({});", 30 + dice.below(3)), 2).within(
        &[format!("if ({cell} == {value})")],
        &[],
        3,
    )
}
