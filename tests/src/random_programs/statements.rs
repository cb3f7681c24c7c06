//! One random statement of a thread: its lines, and roughly how many instructions they become.
//!
//! In every function `own` points to a local of main, and `read` is a hash of what the thread has
//! read so far.

use super::cells::{Cells, Guard};
use super::dice::Dice;

/// A statement as lines of C, without indentation of its own.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The lines.
    pub lines: Vec<String>,
    /// About how many instructions it is.
    pub cost: u32,
}

impl Statement {
    /// A statement of one line.
    pub fn line(text: String, cost: u32) -> Self {
        Self { lines: vec![text], cost }
    }

    /// Puts lines around the statement.
    pub fn within(mut self, before: &[String], after: &[String], cost: u32) -> Self {
        self.lines.splice(0..0, before.iter().cloned());
        self.lines.extend(after.iter().cloned());
        self.cost += cost;
        self
    }
}

/// What one thread does for another one, which waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partnership {
    /// A flag with a condition variable.
    Condition,
    /// A semaphore.
    Tokens,
    /// A barrier for two.
    Barrier,
}

impl Partnership {
    /// The statement of the thread that waits.
    pub fn waits(self, dice: &mut Dice, cells: &Cells) -> Statement {
        match self {
            Self::Condition => waiting(dice, cells),
            Self::Tokens => simple(dice, cells).within(&["sem_wait(&tokens);".to_owned()], &[], 3),
            Self::Barrier => meeting(dice, cells),
        }
    }

    /// The statement of the thread that it waits for.
    pub fn serves(self, dice: &mut Dice, cells: &Cells) -> Statement {
        match self {
            Self::Condition => waking(dice),
            Self::Tokens => simple(dice, cells).within(&[], &["sem_post(&tokens);".to_owned()], 3),
            Self::Barrier => meeting(dice, cells),
        }
    }
}

/// Any statement that needs no partner. Only locks that are taken in different orders can block it
/// for ever.
pub fn any(dice: &mut Dice, cells: &Cells) -> Statement {
    match dice.below(20) {
        0..=8 => simple(dice, cells),
        9..=15 => locked(dice, cells),
        16 | 17 => tried(dice, cells),
        18 => waking(dice),
        _ => tokens(dice, cells),
    }
}

/// A statement that touches shared cells and can at most wait for the lock that belongs to them, under
/// which nobody waits.
pub fn simple(dice: &mut Dice, cells: &Cells) -> Statement {
    let Some((guard, cells)) = cells.guard(dice) else { return bare(dice, cells) };
    let (lock, unlock, inner) = match guard {
        Guard::Mutex => ("mutex_lock(&guard)", "mutex_unlock(&guard)", bare(dice, &cells)),
        Guard::ReadWrite if dice.one_in(2) => {
            let reads = Statement::line(format!("read = read * 3 + {};", cells.any(dice)), 6);
            ("rwlock_rdlock(&shelf)", "rwlock_unlock(&shelf)", reads)
        }
        Guard::ReadWrite => ("rwlock_wrlock(&shelf)", "rwlock_unlock(&shelf)", bare(dice, &cells)),
    };
    inner.within(&[format!("pthread_{lock};")], &[format!("pthread_{unlock};")], 6)
}

/// A statement that touches shared cells and cannot block.
pub fn bare(dice: &mut Dice, cells: &Cells) -> Statement {
    match dice.below(12) {
        0 | 1 => plain_write(dice, cells),
        2 | 3 => Statement::line(format!("{} += {};", cells.any(dice), operand(dice, cells)), 5),
        4..=6 => Statement::line(format!("read = read * 3 + {};", cells.any(dice)), 6),
        7 => conditional(dice, cells),
        8 | 9 => atomic(dice, cells),
        10 => checked(dice, cells),
        _ => Statement::line("sched_yield();".to_owned(), 1),
    }
}

fn constant(dice: &mut Dice) -> u32 {
    1 + dice.below(3)
}

fn operand(dice: &mut Dice, cells: &Cells) -> String {
    if dice.one_in(2) { constant(dice).to_string() } else { cells.any(dice).to_owned() }
}

fn plain_write(dice: &mut Dice, cells: &Cells) -> Statement {
    let cell = cells.any(dice);
    let mut value = operand(dice, cells);
    // Compilers complain of a cell that is assigned to itself.
    if value == cell {
        value = constant(dice).to_string();
    }
    Statement::line(format!("{cell} = {value};"), 3)
}

fn conditional(dice: &mut Dice, cells: &Cells) -> Statement {
    let condition = format!("if ({} == {})", cells.any(dice), dice.below(3));
    let mut inner = plain_write(dice, cells);
    inner.lines[0].insert_str(0, "    ");
    inner.within(&[condition], &[], 3)
}

/// An assertion on a relation that some schedules may break.
pub fn checked(dice: &mut Dice, cells: &Cells) -> Statement {
    let cell = cells.any(dice);
    let relation = match dice.below(3) {
        0 => format!("{cell} != {}", 1 + dice.below(4)),
        1 => format!("{cell} <= {}", 1 + dice.below(4)),
        _ => format!("{cell} >= {}", cells.any(dice)),
    };
    Statement::line(format!("assert({relation});"), 4)
}

fn atomic(dice: &mut Dice, cells: &Cells) -> Statement {
    let (cell, value) = (cells.integer(dice), constant(dice));
    let order = "__ATOMIC_SEQ_CST";
    match dice.below(4) {
        0 => Statement::line(
            format!("read = read * 3 + __atomic_fetch_add(&{cell}, {value}, {order});"),
            7,
        ),
        1 => Statement::line(
            format!("read = read * 3 + __atomic_exchange_n(&{cell}, {value}, {order});"),
            7,
        ),
        2 => Statement::line(format!("__atomic_fetch_add(&{cell}, {value}, {order});"), 2),
        _ => {
            let expected = format!("int expected = {};", dice.below(3));
            let text = format!(
                "read += __atomic_compare_exchange_n(&{cell}, &expected, {value}, 0, {order}, {order});"
            );
            Statement::line(text, 12).within(&["{".to_owned(), expected], &["}".to_owned()], 1)
        }
    }
}

const RECURSIVE: &str = "&locks[2]";

fn lock_name(dice: &mut Dice) -> String {
    format!("&locks[{}]", dice.pick(&[0, 0, 1, 1, 2]))
}

/// One or two locks around an access. Two may be taken in either order and given back in either
/// order. They are seldom the same one, unless it is recursive: that is a deadlock in every run.
fn locked(dice: &mut Dice, cells: &Cells) -> Statement {
    if dice.one_in(5) {
        return read_write_locked(dice, cells);
    }
    let inner = simple(dice, cells);
    let outer = lock_name(dice);
    let mut before = vec![format!("pthread_mutex_lock({outer});")];
    let mut after = vec![format!("pthread_mutex_unlock({outer});")];
    if dice.one_in(3) {
        let mut second = lock_name(dice);
        if second == outer && !dice.one_in(6) {
            second = RECURSIVE.to_owned();
        }
        before.push(format!("pthread_mutex_lock({second});"));
        after.insert(dice.below(2) as usize, format!("pthread_mutex_unlock({second});"));
    }
    let cost = 6 * before.len() as u32;
    inner.within(&before, &after, cost)
}

fn read_write_locked(dice: &mut Dice, cells: &Cells) -> Statement {
    let kind = dice.pick(&["rdlock", "wrlock"]);
    let before = format!("pthread_rwlock_{kind}(&table);");
    simple(dice, cells).within(&[before], &["pthread_rwlock_unlock(&table);".to_owned()], 6)
}

fn tried(dice: &mut Dice, cells: &Cells) -> Statement {
    let lock = lock_name(dice);
    let before = [format!("if (pthread_mutex_trylock({lock}) == 0) {{")];
    let after = [
        format!("pthread_mutex_unlock({lock});"),
        "} else {".to_owned(),
        "read++;".to_owned(),
        "}".to_owned(),
    ];
    simple(dice, cells).within(&before, &after, 9)
}

/// Waits for the flag under the first lock; sometimes lowers it afterwards, so that one signal is
/// for one thread.
fn waiting(dice: &mut Dice, cells: &Cells) -> Statement {
    let before = [
        "pthread_mutex_lock(&locks[0]);".to_owned(),
        "while (!flag)".to_owned(),
        "    pthread_cond_wait(&changed, &locks[0]);".to_owned(),
    ];
    let mut after = vec!["pthread_mutex_unlock(&locks[0]);".to_owned()];
    if dice.one_in(3) {
        after.insert(0, "flag = 0;".to_owned());
    }
    let mut inner = simple(dice, cells);
    if dice.one_in(2) {
        inner = Statement { lines: Vec::new(), cost: 0 };
    }
    inner.within(&before, &after, 14)
}

/// Raises the flag and wakes; once in four times without the lock, which can lose the signal.
fn waking(dice: &mut Dice) -> Statement {
    let wake = dice.pick(&["signal", "signal", "broadcast"]);
    let raise = Statement::line("flag = 1;".to_owned(), 1);
    let wake = format!("pthread_cond_{wake}(&changed);");
    if dice.one_in(4) {
        return raise.within(&[], &[wake], 3);
    }
    let before = ["pthread_mutex_lock(&locks[0]);".to_owned()];
    raise.within(&before, &[wake, "pthread_mutex_unlock(&locks[0]);".to_owned()], 9)
}

fn tokens(dice: &mut Dice, cells: &Cells) -> Statement {
    let post = "sem_post(&tokens);".to_owned();
    match dice.below(8) {
        0 => simple(dice, cells).within(&["sem_wait(&tokens);".to_owned()], &[post], 6),
        1..=3 => simple(dice, cells).within(&[], &[post], 3),
        _ => Statement::line("read = read * 3 + (sem_trywait(&tokens) == 0);".to_owned(), 9),
    }
}

fn meeting(dice: &mut Dice, cells: &Cells) -> Statement {
    simple(dice, cells).within(&["pthread_barrier_wait(&meeting);".to_owned()], &[], 3)
}
