//! Memory that processes share.

use super::usage::SegmentUsage;

/// What a segment is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SegmentKind {
    /// Made by `mmap`, for whoever descends from the process.
    Anonymous,
    /// What a file of the overlay holds.
    File(u32),
    /// Made by `shmget`.
    Facility {
        /// The key by which it is found; 0 for a private one.
        key: u32,
        /// How many bytes were asked for.
        size: u32,
        /// The bits that say who may use it, and whether it is locked (`SHM_LOCKED`).
        mode: u32,
        /// Whether it goes when the last process leaves it.
        removed: bool,
        /// Who used it, and when, as far as that is kept.
        usage: SegmentUsage,
    },
}

/// A part of the space of shared memory, from the key that it has in the kernel on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Segment {
    /// First address after it.
    pub end: u32,
    /// What it is.
    pub kind: SegmentKind,
}

impl Segment {
    /// Whether it stays when no process maps it.
    pub fn lasts(&self) -> bool {
        matches!(self.kind, SegmentKind::Facility { removed: false, .. })
    }
}
