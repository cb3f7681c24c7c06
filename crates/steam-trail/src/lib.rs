//! What the user sees: trails, reports, trail files.
//!
//! Everything here is plain data and its renderings. A [`Report`] holds what a check found out,
//! [`render`] makes text or JSON of it, [`mod@file`] keeps a [`Trail`] so that it can be replayed
//! later, [`compare`] says whether a replay went the recorded way. Nothing here knows a machine or
//! a search; the same data give the same bytes.

pub mod file;
mod place;
mod progress;
pub mod quantity;
mod related;
pub mod render;
mod replay;
mod report;
mod sha256;
mod source;
mod suggestion;
mod suppress;
mod trail;
mod verdict;
mod violation;
mod waits;

pub use place::Place;
pub use progress::{Progress, ProgressMode, ProgressPrinter};
pub use related::relate;
pub use replay::{Compared, Divergence, Follow, compare};
pub use report::{Configuration, Decision, Limits, ProgramInfo, Report, Statistics};
pub use sha256::sha256;
pub use source::{Excerpt, Mark, Point, SourceLine, Sources};
pub use suggestion::{quoted, suggestions};
pub use suppress::{BY_RETURN, Suppression, without_indices};
pub use trail::{Change, End, Setting, Step, Trail};
pub use verdict::{Limit, SearchBound, Verdict};
pub use violation::{
    AccessInfo, Frame, Held, Loops, Observation, Recorded, ThreadInfo, ViolationInfo, Waits, who,
};
pub use waits::{deadlock_headline, wait_cycle};
