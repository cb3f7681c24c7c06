//! A set of System V semaphores.

use super::map::Map;
use super::usage::Stamp;

/// The largest value of a semaphore.
pub const LARGEST_VALUE: u32 = 32767;

/// One operation of a `semop`, on the semaphore of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SemaphoreOperation {
    /// Which semaphore of the set.
    pub number: u16,
    /// What is added; 0 waits until the semaphore is 0.
    pub change: i16,
    /// Whether it fails instead of waiting.
    pub impatient: bool,
    /// Whether it is undone when its process ends.
    pub undone: bool,
}

impl SemaphoreOperation {
    /// Whether the operation, by itself, does nothing that another could be ordered with: it adds.
    pub fn only_adds(&self) -> bool {
        self.change > 0
    }
}

/// What a row of operations would do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// All of them can be done.
    Possible,
    /// One of them must wait; if it would rather fail, this is reported.
    Waits {
        /// Whether it fails instead.
        impatient: bool,
    },
    /// A semaphore would become too large.
    TooLarge,
    /// There is no such semaphore in the set.
    NoSuch,
}

/// A set of semaphores.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SemaphoreSet {
    values: Vec<u32>,
    /// What is added when a process ends: by process and semaphore.
    undo: Map<(u32, u16), i32>,
    /// When it was last operated on, in seconds since 1970; 0 if it never was, as far as that is kept.
    pub operated: u64,
    /// When it was made, or last changed by `semctl`.
    pub changed: u64,
    /// The processes that used each semaphore last; those beyond the end were used by none.
    users: Vec<u32>,
}

impl SemaphoreSet {
    /// A set of so many semaphores, all 0.
    pub fn new(count: usize) -> Self {
        Self { values: vec![0; count], ..Self::default() }
    }

    /// The values.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Notes that a process uses a semaphore.
    pub fn note_user(&mut self, number: usize, process: u32) {
        if self.users.len() <= number {
            self.users.resize(number + 1, 0);
        }
        self.users[number] = process;
    }

    /// The process that used a semaphore last, or 0.
    pub fn user(&self, number: usize) -> u32 {
        self.users.get(number).copied().unwrap_or(0)
    }

    /// Notes a row of operations that was done: when, and who used the semaphores, where these are kept.
    pub fn note_operations(
        &mut self,
        operations: &[SemaphoreOperation],
        time: Option<Stamp>,
        user: Option<Stamp>,
    ) {
        if let Some(stamp) = time {
            self.operated = stamp.time;
        }
        if let Some(stamp) = user {
            for operation in operations {
                self.note_user(usize::from(operation.number), stamp.process);
            }
        }
    }

    /// The operation at which a row of operations waits now, if it does.
    pub fn blocked_at(&self, operations: &[SemaphoreOperation]) -> Option<SemaphoreOperation> {
        let waits =
            |count: &usize| matches!(self.prospect(&operations[..*count]), Prospect::Waits { .. });
        let first = (1..=operations.len()).find(waits)?;
        Some(operations[first - 1])
    }

    /// Sets a value; what processes had to undo there is forgotten. False if there is no such
    /// semaphore.
    pub fn set(&mut self, number: usize, value: u32) -> bool {
        let Some(place) = self.values.get_mut(number) else { return false };
        *place = value;
        let others = self.undo.iter().filter(|((_, it), _)| usize::from(*it) != number);
        self.undo = others.map(|(&key, &change)| (key, change)).collect();
        true
    }

    /// What a row of operations would do now; they are done in order, all or none.
    pub fn prospect(&self, operations: &[SemaphoreOperation]) -> Prospect {
        let mut values = self.values.clone();
        for operation in operations {
            let Some(value) = values.get_mut(usize::from(operation.number)) else {
                return Prospect::NoSuch;
            };
            let after = i64::from(*value) + i64::from(operation.change);
            if after < 0 || operation.change == 0 && *value != 0 {
                return Prospect::Waits { impatient: operation.impatient };
            }
            if after > i64::from(LARGEST_VALUE) {
                return Prospect::TooLarge;
            }
            *value = after as u32;
        }
        Prospect::Possible
    }

    /// Whether one of two rows of operations that add, of which this is one, might become too large:
    /// a sum beyond the largest value has a part beyond its half.
    pub fn nears_limit(&self, operations: &[SemaphoreOperation]) -> bool {
        const HALF: u32 = LARGEST_VALUE / 2;
        operations.iter().any(|operation| {
            let value = self.values.get(usize::from(operation.number));
            i64::from(operation.change) > i64::from(HALF)
                || value.is_some_and(|value| *value > HALF)
        })
    }

    /// Does a row of operations that is possible.
    pub fn perform(&mut self, operations: &[SemaphoreOperation], process: u32) {
        for operation in operations {
            let number = usize::from(operation.number);
            self.values[number] = (self.values[number] as i32 + i32::from(operation.change)) as u32;
            if operation.undone && operation.change != 0 {
                let key = (process, operation.number);
                let rest = self.undo.get(&key).copied().unwrap_or(0) - i32::from(operation.change);
                if rest == 0 {
                    self.undo.remove(&key);
                } else {
                    self.undo.insert(key, rest);
                }
            }
        }
    }

    /// Whether a process wants something undone at its end.
    pub fn undoes(&self, process: u32) -> bool {
        self.undo.keys().any(|(other, _)| *other == process)
    }

    /// Undoes what a process that has ended wants undone; whether there was something. That is a use too.
    pub fn undo(&mut self, process: u32, time: Option<Stamp>, user: Option<Stamp>) -> bool {
        let own: Vec<((u32, u16), i32)> = self
            .undo
            .iter()
            .filter(|((other, _), _)| *other == process)
            .map(|(&key, &change)| (key, change))
            .collect();
        for &(key, change) in &own {
            self.undo.remove(&key);
            let value = &mut self.values[usize::from(key.1)];
            *value = (*value as i32 + change).clamp(0, LARGEST_VALUE as i32) as u32;
            if let Some(stamp) = user {
                self.note_user(usize::from(key.1), stamp.process);
            }
        }
        if let Some(stamp) = time.filter(|_| !own.is_empty()) {
            self.operated = stamp.time;
        }
        !own.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(number: u16, change: i16) -> SemaphoreOperation {
        SemaphoreOperation { number, change, impatient: false, undone: true }
    }

    #[test]
    fn operations_are_done_all_or_none() {
        let mut set = SemaphoreSet::new(2);
        set.set(0, 1);
        let both = [operation(0, -1), operation(1, -1)];
        assert_eq!(set.prospect(&both), Prospect::Waits { impatient: false });
        assert_eq!(set.prospect(&both[..1]), Prospect::Possible);
        assert_eq!(set.prospect(&[operation(0, 0)]), Prospect::Waits { impatient: false });
        assert_eq!(set.prospect(&[operation(2, 1)]), Prospect::NoSuch);
        assert_eq!(set.prospect(&[operation(0, i16::MAX)]), Prospect::TooLarge);
        assert!(set.nears_limit(&[operation(0, i16::MAX)]) && !set.nears_limit(&both));
        let exchange = [operation(0, -1), operation(0, 0), operation(1, 2)];
        assert_eq!(set.prospect(&exchange), Prospect::Possible);
        set.perform(&exchange, 8);
        assert_eq!(set.values(), [0, 2]);
    }

    #[test]
    fn what_a_process_did_is_undone_at_its_end() {
        let mut set = SemaphoreSet::new(2);
        set.perform(&[operation(0, 3)], 7);
        set.perform(&[operation(0, -1)], 8);
        assert!(set.undo(8, None, None) && !set.undo(8, None, None));
        assert_eq!(set.values(), [3, 0]);
        set.set(0, 5);
        assert!(!set.undo(7, None, None), "a set value is nobody's");
        assert_eq!(set.values(), [5, 0]);
    }
}
