//! How time passes where the clock does not count by itself: in a search.

/// What has happened to the clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Passing {
    /// Whether somebody has read it.
    pub read: bool,
    /// Whether a wait that ended by its limit of time has moved it.
    pub moved: bool,
    /// How often it has leapt ahead when it was read.
    pub leaps: u8,
}

/// What a thread sees of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Shown {
    /// What the clock shows.
    #[default]
    Clock,
    /// In its next reading the time at which its wait ended, although the clock was not moved there.
    Once(u64),
    /// The clock; its last reading was one of the other kind.
    Again,
}
