//! The memory that the threads of a random program share: globals, plain and volatile, bytes that
//! are neighbours in one word, eight bytes that take two accesses, a heap cell, and locals of main
//! whose address its threads get. Processes share what was mapped before they were made, and have
//! copies of a global, of a heap cell and of a local of main.

use super::dice::Dice;

/// Cells of one program. Few cells make many conflicts.
#[derive(Clone, Debug)]
pub struct Cells {
    names: Vec<&'static str>,
    /// Whether each of them has a lock that is held at nearly every access.
    guarded: bool,
}

/// A lock that belongs to cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// The mutex of the first cell.
    Mutex,
    /// The read-write lock of the others.
    ReadWrite,
}

const INTEGERS: [&str; 6] = ["plain[0]", "plain[1]", "careful[0]", "careful[1]", "*heap", "*own"];
const ODD: [&str; 3] = ["bytes[0]", "bytes[1]", "wide"];
const COMMON: [&str; 5] =
    ["common->plain[0]", "common->plain[1]", "common->careful[0]", "common->careful[1]", "copied"];
/// Twice what most conflicts are to be about.
const COPIED: [&str; 5] = ["copied", "copied", "*kept", "*own", "common->plain[0]"];
const COMMON_ODD: [&str; 2] = ["common->bytes[0]", "common->bytes[1]"];

impl Cells {
    /// Chooses the cells that a program of threads uses.
    pub fn choose(dice: &mut Dice) -> Self {
        let guarded = dice.one_in(3);
        Self { guarded, ..Self::among(dice, &INTEGERS, &ODD) }
    }

    /// Chooses the cells that a program of processes uses.
    pub fn choose_common(dice: &mut Dice) -> Self {
        Self::among(dice, &COMMON, &COMMON_ODD)
    }

    /// Chooses the cells of a program in which a process with two threads is copied.
    pub fn choose_copied(dice: &mut Dice) -> Self {
        Self::among(dice, &COPIED, &COMMON_ODD)
    }

    fn among(dice: &mut Dice, integers: &[&'static str], odd: &[&'static str]) -> Self {
        let mut cells = vec![dice.pick(integers), dice.pick(integers)];
        if dice.one_in(3) {
            cells.push(dice.pick(odd));
        }
        Self { names: cells, guarded: false }
    }

    /// Chooses a lock with the cells that belong to it, where cells have locks.
    pub fn guard(&self, dice: &mut Dice) -> Option<(Guard, Self)> {
        // Nobody is perfect.
        if !self.guarded || dice.one_in(12) {
            return None;
        }
        let (guard, names) = match dice.below(2) {
            0 => (Guard::Mutex, vec![self.names[0]; 2]),
            _ if self.names[1] == self.names[0] => (Guard::Mutex, vec![self.names[0]; 2]),
            _ => (Guard::ReadWrite, vec![self.names[1]; 2]),
        };
        Some((guard, Self { names, guarded: false }))
    }

    /// Any cell.
    pub fn any(&self, dice: &mut Dice) -> &'static str {
        dice.pick(&self.names)
    }

    /// A cell of four bytes, as the atomic operations want it.
    pub fn integer(&self, dice: &mut Dice) -> &'static str {
        self.names[dice.below(2) as usize]
    }
}
