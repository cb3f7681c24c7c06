//! What `timerfd_create` makes: a timer whose expirations are read.
//!
//! How often it has expired follows from the clock. In a search the clock may stand still:
//! there the timer also expires at any moment ([`TimerFile::expire`]).

/// In a search a timer with an interval expires so often, beyond what the clock says, before it is read.
const MOST_UNREAD: u64 = 2;

/// A timer behind a descriptor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimerFile {
    /// Nanoseconds that its clock shows more than the kernel's.
    pub ahead: u64,
    /// The value of the kernel's clock at which it expires next.
    deadline: Option<u64>,
    /// Nanoseconds between two expirations; 0 for once.
    pub interval: u64,
    /// How often it has expired, as far as that was noted, since it was read.
    ticks: u64,
}

impl TimerFile {
    /// A timer that is not armed.
    pub fn new(ahead: u64) -> Self {
        Self { ahead, deadline: None, interval: 0, ticks: 0 }
    }

    /// Arms it, or disarms it; what it counted is forgotten.
    pub fn set(&mut self, deadline: Option<u64>, interval: u64) {
        *self = Self { deadline, interval, ..Self::new(self.ahead) };
    }

    /// When it expires next, if the kernel's clock has not reached that.
    pub fn awaited(&self, now: u64) -> Option<u64> {
        self.deadline.filter(|&deadline| deadline > now)
    }

    /// How often it has expired up to now without being read.
    fn unread(&self, now: u64) -> u64 {
        let late = self.deadline.and_then(|deadline| now.checked_sub(deadline));
        self.ticks + late.map_or(0, |late| 1 + late.checked_div(self.interval).unwrap_or(0))
    }

    /// Whether there is something to read.
    pub fn is_filled(&self, now: u64) -> bool {
        self.unread(now) > 0
    }

    /// Notes what the clock says.
    fn catch_up(&mut self, now: u64) {
        let passed = self.unread(now) - self.ticks;
        if passed > 0 {
            let next =
                |deadline: u64| deadline.saturating_add(passed.saturating_mul(self.interval));
            self.ticks += passed;
            self.deadline = self.deadline.filter(|_| self.interval > 0).map(next);
        }
    }

    /// Takes how often it has expired; 0 if it has not.
    pub fn take(&mut self, now: u64) -> u64 {
        self.catch_up(now);
        std::mem::take(&mut self.ticks)
    }

    /// Nanoseconds until it expires next; 0 if it does not.
    pub fn left(&mut self, now: u64) -> u64 {
        self.catch_up(now);
        self.deadline.map_or(0, |deadline| deadline.saturating_sub(now))
    }

    /// Whether a search lets it expire now.
    pub fn may_expire(&self, now: u64) -> bool {
        let most = if self.interval > 0 { MOST_UNREAD } else { 1 };
        self.deadline.is_some() && self.unread(now) < most
    }

    /// When it is armed to expire, whatever the clock shows.
    pub fn deadline(&self) -> Option<u64> {
        self.deadline
    }

    /// It expires in a search, whether the clock has reached that or not. An interval is no reason to move on when it
    /// expires next where the clock stands still: there would be no end of states.
    pub fn expire(&mut self, now: u64) {
        let before = self.ticks;
        self.catch_up(now);
        if self.ticks == before {
            self.ticks += 1;
            self.deadline = self.deadline.filter(|_| self.interval > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn armed(deadline: u64, interval: u64) -> TimerFile {
        let mut timer = TimerFile::new(0);
        timer.set(Some(deadline), interval);
        timer
    }

    #[test]
    fn a_timer_without_an_interval_expires_once() {
        let mut timer = armed(100, 0);
        assert!(!timer.is_filled(99) && timer.is_filled(100));
        assert_eq!((timer.left(40), timer.take(99), timer.take(500)), (60, 0, 1));
        assert_eq!((timer.take(1000), timer.left(1000), timer.may_expire(1000)), (0, 0, false));
    }

    #[test]
    fn a_timer_with_an_interval_counts_what_was_missed() {
        let mut timer = armed(100, 30);
        assert_eq!((timer.take(100), timer.left(100)), (1, 30));
        assert_eq!((timer.take(129), timer.take(215)), (0, 3));
        assert_eq!((timer.left(215), timer.awaited(215)), (5, Some(220)));
        assert_eq!(timer.left(230), 20, "what has expired is still to be read");
        assert_eq!(timer.take(230), 1);
    }

    #[test]
    fn a_search_lets_it_expire_while_the_clock_stands() {
        let mut once = armed(100, 0);
        once.expire(0);
        assert!(once.is_filled(0) && !once.may_expire(0));
        let (mut again, known) = (armed(100, 30), armed(100, 30));
        again.expire(0);
        assert!(again.may_expire(0));
        again.expire(0);
        assert!(!again.may_expire(0));
        assert_eq!((again.take(0), again), (2, known), "and comes back to where it was");
    }
}
