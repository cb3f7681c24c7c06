//! What can happen: a thread goes on, in one of the ways that it has.

use std::fmt;

use steam_state::ThreadId;

/// A thread does its pending operation in a chosen way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The thread.
    pub thread: ThreadId,
    /// The way: 0 is the usual one. A signal of a condition has one for each waiter, a toss one for
    /// each value; then come the names below and those of `steam_sync`.
    pub choice: u32,
}

/// The choice that a waiting thread ends, because it was asked to.
pub const CANCELLATION: u32 = 0x4000_0011;

/// The choice that a signal is delivered to the thread before it goes on.
pub const DELIVERY: u32 = 0x4000_0010;

/// The choice that a signal is delivered to the thread while it waits, and ends the wait.
pub const INTERRUPTION: u32 = 0x4000_0012;

/// The choice that the timer of a process sends its signal; the process's first thread has it.
pub const ALARM: u32 = 0x4000_0013;

/// The choice that the timer of `timer_create` with the number 0 sends its signal; those of the next ones follow.
/// The process's first thread has them.
const FIRST_TIMER: u32 = 0x4100_0000;
/// There are no more numbers of timers.
const TIMERS: u32 = 0x10_0000;

/// The choice that the timer of `timer_create` with a number sends its signal.
pub fn expiry(timer: u32) -> u32 {
    FIRST_TIMER + timer.min(TIMERS - 1)
}

/// The number of the timer of `timer_create` that sends its signal by a choice.
pub fn expired_timer(choice: u32) -> Option<u32> {
    choice.checked_sub(FIRST_TIMER).filter(|timer| *timer < TIMERS)
}

/// The choice that the timer of `timerfd` whose channel is 0 expires; those of the next ones follow.
const FIRST_FILE: u32 = FIRST_TIMER + TIMERS;

/// The choice that the timer of `timerfd` with a channel expires.
pub fn expiration(channel: u32) -> u32 {
    FIRST_FILE + channel.min(TIMERS - 1)
}

/// The channel of the timer of `timerfd` that expires by a choice.
pub fn expired_file(choice: u32) -> Option<u32> {
    choice.checked_sub(FIRST_FILE).filter(|channel| *channel < TIMERS)
}

/// Whether a choice is that a timer sends its signal.
pub fn is_alarm(choice: u32) -> bool {
    choice == ALARM || expired_timer(choice).is_some()
}

/// The choice that the clock which a thread reads has leapt ahead.
pub const LEAP: u32 = 0x4000_0014;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {}", self.thread.0)?;
        match self.choice {
            0 => Ok(()),
            steam_sync::TIMEOUT => write!(f, ", time over"),
            steam_sync::SPURIOUS => write!(f, ", spurious wake-up"),
            DELIVERY => write!(f, ", signal"),
            INTERRUPTION => write!(f, ", signal that ends its wait"),
            CANCELLATION => write!(f, ", cancelled"),
            ALARM => write!(f, ", alarm"),
            LEAP => write!(f, ", ten minutes later"),
            choice if expired_file(choice).is_some() => write!(f, ", timer expires"),
            choice => match expired_timer(choice) {
                Some(timer) => write!(f, ", timer {timer}"),
                None => write!(f, ", choice {choice}"),
            },
        }
    }
}
