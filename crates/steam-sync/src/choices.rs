//! The choices of an operation that can be done now: a small value that allocates nothing.

/// How an operation is done, where that is not settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncChoice {
    /// As usual. A signal of a condition wakes the waiter at this position; all else has 0 only.
    Usual(u32),
    /// Its time is over.
    TimeOver,
    /// The waiter wakes up although no thread woke it.
    Spurious,
}

impl SyncChoice {
    /// The only usual one, or the first.
    pub const USUAL: Self = Self::Usual(0);
}

/// Faults of the environment that the user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Faults {
    /// Waits for a condition may end although no thread signalled.
    pub spurious_wakeups: bool,
}

/// How long a thread is willing to wait for what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Patience {
    /// For as long as it takes.
    Endless,
    /// Until a point in time; since time is not modelled, that may pass at any moment.
    Timed,
    /// Not at all: the `try` functions.
    Never,
}

/// The possible choices: `usual` numbered ones from 0 on, and the named ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) usual: u32,
    pub(crate) timeout: bool,
    pub(crate) spurious: bool,
}

impl Choices {
    pub(crate) const BLOCKED: Self = Self { usual: 0, timeout: false, spurious: false };
    pub(crate) const USUAL: Self = Self { usual: 1, timeout: false, spurious: false };
    pub(crate) const TIMEOUT: Self = Self { usual: 0, timeout: true, spurious: false };

    /// The choices in asking for something that may or may not be had at once.
    pub(crate) fn of_request(at_once: bool, patience: Patience) -> Self {
        match patience {
            _ if at_once => Self::USUAL,
            Patience::Endless => Self::BLOCKED,
            Patience::Timed => Self::TIMEOUT,
            Patience::Never => Self::USUAL,
        }
    }

    pub(crate) fn usual_if(possible: bool) -> Self {
        if possible { Self::USUAL } else { Self::BLOCKED }
    }

    pub(crate) fn contains(self, choice: SyncChoice) -> bool {
        match choice {
            SyncChoice::TimeOver => self.timeout,
            SyncChoice::Spurious => self.spurious,
            SyncChoice::Usual(number) => number < self.usual,
        }
    }

    /// Whether anything is possible without a fault.
    pub(crate) fn any(self) -> bool {
        self.usual > 0 || self.timeout
    }

    /// Appends the choices, ascending.
    pub(crate) fn list(self, faults: &Faults, choices: &mut Vec<SyncChoice>) {
        choices.extend((0..self.usual).map(SyncChoice::Usual));
        if self.timeout {
            choices.push(SyncChoice::TimeOver);
        }
        if self.spurious && faults.spurious_wakeups {
            choices.push(SyncChoice::Spurious);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_listed_in_ascending_order() {
        let possible = Choices { usual: 2, timeout: true, spurious: true };
        let mut choices = Vec::new();
        possible.list(&Faults { spurious_wakeups: true }, &mut choices);
        let usual = [0, 1].map(SyncChoice::Usual);
        assert_eq!(choices, [usual[0], usual[1], SyncChoice::TimeOver, SyncChoice::Spurious]);
        assert!(choices.is_sorted());
        assert!(choices.iter().all(|&choice| possible.contains(choice)));
        assert!(!possible.contains(SyncChoice::Usual(2)));
    }

    #[test]
    fn spurious_wakeups_happen_on_request_only_and_free_nobody() {
        let possible = Choices { usual: 0, timeout: false, spurious: true };
        let mut choices = Vec::new();
        possible.list(&Faults::default(), &mut choices);
        assert!(choices.is_empty());
        assert!(!possible.any());
    }
}
