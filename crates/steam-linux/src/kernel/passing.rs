//! How time passes where the clock does not count by itself: in a search.

/// What has happened to the clock.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Passing {
    /// Whether it was read.
    pub read: bool,
    /// The waits that have moved it when they ended by their limit of time: by a hash of who calls whom there,
    /// ascending.
    pub moved_by: Vec<u32>,
    /// Whether it has leapt ahead when it was read.
    pub leapt: bool,
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
