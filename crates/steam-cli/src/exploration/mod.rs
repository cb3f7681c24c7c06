//! From a plan to a model, the options of its search, and the words for its outcome.

mod about;
mod claims;
mod conclusion;
mod files;
mod options;
mod phases;
mod printed;
mod record;
mod setup;
mod uninitialised;

pub use about::{about, version};
pub use claims::{Claimed, judge};
pub use conclusion::{Judged, PATHS_END, statistics, verdict};
pub use files::{files_changed, files_read};
pub use options::session_options;
pub use phases::{Phase, Stops, explore, phases};
pub use printed::Printed;
pub use record::record;
pub use setup::{Judgement, Setup};
pub use uninitialised::{Looked, in_all_executions, look, looked_for};
