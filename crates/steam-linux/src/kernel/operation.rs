//! An operation that the program says is one, while a thread is in it: Lipton's reduction.
//!
//! What a thread does in an operation is, in this order, any number of *right movers* (it takes a lock:
//! whatever another thread does next, it could have done before), at most one thing that moves neither
//! way, and any number of *left movers* (it gives up a lock: whatever another thread did just before, it
//! could do after). What touches only memory that is private, read-only or protected by one lock moves
//! both ways and counts nowhere. Then each execution has a twin with the same outcome in which the
//! operation is done without anything between (Lipton 1975; Flanagan and Freund: Atomizer, 2004).
//!
//! So it is enough to know whether a thread is past the *turn*: the first thing that is no right mover.

use steam_sync::Address;

/// Something that others may notice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Deed {
    /// It takes a lock, or one of what a semaphore counts.
    Takes(Address),
    /// It gives up a lock, or adds to what a semaphore counts.
    GivesUp(Address),
    /// It takes or gives up a lock of which a thread tests without waiting whether it is free.
    Tries(Address),
    /// It does something else to a synchronisation object.
    Uses(Address),
    /// It touches memory that no lock protects.
    Touches {
        /// Where it begins.
        address: u32,
        /// How many bytes.
        size: u32,
        /// Whether it writes.
        write: bool,
    },
    /// It creates a thread.
    Creates,
    /// It calls something that others may notice.
    Calls,
}

/// The first thing in an operation that is no right mover.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// An address within its instruction, or within its call by the program.
    pub at: u32,
    /// What it is.
    pub deed: Deed,
}

/// An operation in which a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpenOperation {
    /// The address of the object on which it is said to be an operation.
    pub object: u32,
    /// Where it was begun.
    pub begun: u32,
    /// The turn, if the thread is past it.
    pub turn: Option<Turn>,
}

impl OpenOperation {
    /// The thread does something; the turn after which that must not come, if there is one.
    pub fn follow(&mut self, deed: Deed, at: u32) -> Option<Turn> {
        match deed {
            Deed::Takes(_) => self.turn,
            Deed::GivesUp(_) | Deed::Creates => {
                self.turn.get_or_insert(Turn { at, deed });
                None
            }
            Deed::Tries(_) | Deed::Uses(_) | Deed::Touches { .. } | Deed::Calls => {
                let before = self.turn;
                self.turn.get_or_insert(Turn { at, deed });
                before
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKES: Deed = Deed::Takes(8);
    const GIVES: Deed = Deed::GivesUp(8);
    const TOUCHES: Deed = Deed::Touches { address: 16, size: 4, write: true };

    /// The position of the first deed that contradicts the claim, and that of the turn before it.
    fn lie(deeds: &[Deed]) -> Option<(usize, usize)> {
        let mut operation = OpenOperation { object: 0, begun: 0, turn: None };
        deeds.iter().enumerate().find_map(|(position, deed)| {
            let turn = operation.follow(*deed, position as u32)?;
            Some((position, turn.at as usize))
        })
    }

    #[test]
    fn locks_first_one_thing_then_no_more_locks() {
        assert_eq!(lie(&[]), None);
        assert_eq!(lie(&[TAKES, TAKES, TOUCHES, GIVES, GIVES]), None);
        assert_eq!(lie(&[TOUCHES]), None);
        assert_eq!(lie(&[TAKES, GIVES, Deed::Creates]), None);
        assert_eq!(lie(&[TAKES, GIVES, TAKES]), Some((2, 1)));
        assert_eq!(lie(&[TOUCHES, TAKES]), Some((1, 0)));
        assert_eq!(lie(&[TOUCHES, TOUCHES]), Some((1, 0)));
        assert_eq!(lie(&[TAKES, GIVES, TOUCHES]), Some((2, 1)));
        assert_eq!(lie(&[Deed::Creates, Deed::Calls]), Some((1, 0)));
        assert_eq!(lie(&[Deed::Tries(8), Deed::Uses(8)]), Some((1, 0)));
    }

    #[test]
    fn the_first_turn_is_told() {
        assert_eq!(lie(&[TAKES, GIVES, GIVES, TAKES]), Some((3, 1)));
    }
}
