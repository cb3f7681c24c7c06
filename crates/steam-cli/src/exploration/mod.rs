//! From a plan to a model, the options of its search, and the words for its outcome.

mod about;
mod conclusion;
mod options;
mod record;
mod setup;
mod wanted;

pub use about::{about, version};
pub use conclusion::{statistics, verdict};
pub use options::session_options;
pub use record::record;
pub use setup::{Judgement, Setup};
pub use wanted::{Sought, Wanted};
