//! What can happen: a thread goes on, in one of the ways that it has.

use std::fmt;

use steam_state::ThreadId;
use steam_sync::SyncChoice;

/// A thread does something that it can choose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The thread.
    pub thread: ThreadId,
    /// What it does: the number of its [`Choice`], as trail files have it.
    pub choice: u32,
}

impl Action {
    /// A thread does what it has chosen.
    pub fn new(thread: ThreadId, choice: Choice) -> Self {
        Self { thread, choice: choice.number() }
    }

    /// What the thread does.
    pub fn chosen(self) -> Choice {
        Choice::numbered(self.choice)
    }
}

/// What a thread does next. The order is that of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// It does its pending operation. A signal of a condition has a choice for each waiter, `epoll_wait` one for each
    /// order of what is ready, and a toss one for each value.
    Operation(SyncChoice),
    /// A signal is delivered to it before it goes on.
    Delivery,
    /// Its wait ends, because it was asked to end.
    Cancellation,
    /// A signal is delivered to it while it waits, and ends the wait.
    Interruption,
    /// The timer of its process sends its signal; the process's first thread has this choice.
    Alarm,
    /// It finds that the clock which it reads has leapt ahead.
    Leap,
    /// The timer of `timer_create` with this number sends its signal; the process's first thread has this choice.
    Timer(u32),
    /// The timer of `timerfd` with this channel expires.
    TimerFile(u32),
}

/// The numbers of choices. They stand in trail files: a number that once had a meaning keeps it.
mod number {
    use steam_linux::kernel::MOST_TIMERS;

    pub const TIME_OVER: u32 = 0x4000_0000;
    pub const SPURIOUS: u32 = 0x4000_0001;
    pub const DELIVERY: u32 = 0x4000_0010;
    pub const CANCELLATION: u32 = 0x4000_0011;
    pub const INTERRUPTION: u32 = 0x4000_0012;
    pub const ALARM: u32 = 0x4000_0013;
    pub const LEAP: u32 = 0x4000_0014;
    /// That of the timer with the number 0; those of the next ones follow.
    pub const FIRST_TIMER: u32 = 0x4100_0000;
    pub const LAST_TIMER: u32 = FIRST_TIMER + MOST_TIMERS - 1;
    /// That of the timer whose channel is 0; those of the next ones follow.
    pub const FIRST_FILE: u32 = FIRST_TIMER + MOST_TIMERS;
}

impl Choice {
    /// It does its pending operation as it is usually done.
    pub const USUAL: Self = Self::Operation(SyncChoice::USUAL);
    /// The time of its pending operation is over.
    pub const TIME_OVER: Self = Self::Operation(SyncChoice::TimeOver);
    /// It wakes up although no thread woke it.
    pub const SPURIOUS: Self = Self::Operation(SyncChoice::Spurious);

    /// The number by which trail files know it.
    pub fn number(self) -> u32 {
        match self {
            Self::Operation(SyncChoice::Usual(number)) => number,
            Self::Operation(SyncChoice::TimeOver) => number::TIME_OVER,
            Self::Operation(SyncChoice::Spurious) => number::SPURIOUS,
            Self::Delivery => number::DELIVERY,
            Self::Cancellation => number::CANCELLATION,
            Self::Interruption => number::INTERRUPTION,
            Self::Alarm => number::ALARM,
            Self::Leap => number::LEAP,
            Self::Timer(timer) => number::FIRST_TIMER + timer,
            Self::TimerFile(channel) => number::FIRST_FILE + channel,
        }
    }

    /// The choice with a number. One that has no meaning is a choice that no thread has.
    pub fn numbered(number: u32) -> Self {
        match number {
            number::TIME_OVER => Self::TIME_OVER,
            number::SPURIOUS => Self::SPURIOUS,
            number::DELIVERY => Self::Delivery,
            number::CANCELLATION => Self::Cancellation,
            number::INTERRUPTION => Self::Interruption,
            number::ALARM => Self::Alarm,
            number::LEAP => Self::Leap,
            number::FIRST_TIMER..=number::LAST_TIMER => Self::Timer(number - number::FIRST_TIMER),
            number::FIRST_FILE.. => Self::TimerFile(number - number::FIRST_FILE),
            _ => Self::Operation(SyncChoice::Usual(number)),
        }
    }

    /// Whether a timer sends its signal.
    pub fn is_alarm(self) -> bool {
        matches!(self, Self::Alarm | Self::Timer(_))
    }

    /// Whether the thread takes a signal that waits for it.
    pub fn takes_signal(self) -> bool {
        matches!(self, Self::Delivery | Self::Interruption)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {}", self.thread.0)?;
        match self.chosen() {
            Choice::USUAL => Ok(()),
            Choice::Operation(SyncChoice::Usual(number)) => write!(f, ", choice {number}"),
            Choice::Operation(SyncChoice::TimeOver) => write!(f, ", time over"),
            Choice::Operation(SyncChoice::Spurious) => write!(f, ", spurious wake-up"),
            Choice::Delivery => write!(f, ", signal"),
            Choice::Interruption => write!(f, ", signal that ends its wait"),
            Choice::Cancellation => write!(f, ", cancelled"),
            Choice::Alarm => write!(f, ", alarm"),
            Choice::Leap => write!(f, ", ten minutes later"),
            Choice::Timer(timer) => write!(f, ", timer {timer}"),
            Choice::TimerFile(_) => write!(f, ", timer expires"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_have_the_numbers_of_old_trail_files_in_the_same_order() {
        let known = [
            (Choice::USUAL, 0),
            (Choice::Operation(SyncChoice::Usual(1000)), 1000),
            (Choice::TIME_OVER, 0x4000_0000),
            (Choice::SPURIOUS, 0x4000_0001),
            (Choice::Delivery, 0x4000_0010),
            (Choice::Cancellation, 0x4000_0011),
            (Choice::Interruption, 0x4000_0012),
            (Choice::Alarm, 0x4000_0013),
            (Choice::Leap, 0x4000_0014),
            (Choice::Timer(0), 0x4100_0000),
            (Choice::Timer(0xf_ffff), 0x410f_ffff),
            (Choice::TimerFile(0), 0x4110_0000),
            (Choice::TimerFile(7), 0x4110_0007),
        ];
        for (choice, number) in known {
            assert_eq!((choice.number(), Choice::numbered(number)), (number, choice));
        }
        assert!(known.is_sorted());
    }

    #[test]
    fn any_number_is_one_choice() {
        for number in [1, 0x3fff_ffff, 0x4000_0002, 0x4000_0015, 0x40ff_ffff, u32::MAX] {
            assert_eq!(Choice::numbered(number).number(), number);
        }
    }

    #[test]
    fn a_choice_takes_no_more_than_two_words() {
        assert!(size_of::<Choice>() <= 8 && size_of::<Action>() == 8);
    }
}
