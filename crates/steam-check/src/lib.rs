//! Checks programs: from a configuration to a report.
//!
//! [`Check::new`] takes a [`Config`] and [`Check::run`] gives a [`Report`]. The way between: the program is read or
//! compiled ([`Executable`]) and becomes a model ([`Setup`]); `phases` says which searches of `steam-session` are
//! made, one after the other, and `searches` compiles them for programs, once for all who use them; `retelling`
//! runs each schedule that was found again, and `account` makes the report. [`Replay`] goes along a recorded
//! schedule, and `recorded` is the one codec of what both have in common, the [`Scenario`].
//!
//! Knows nothing of command lines and terminals: who wants to hear how far a check is gives a [`Listener`].

mod about;
mod account;
mod audit;
mod by_default;
mod check;
mod choice;
mod claimed;
mod class;
mod conclusion;
mod config;
mod described;
mod error;
mod executable;
mod files;
mod guest;
mod named;
mod notes;
mod options;
mod outside;
mod phases;
mod printed;
mod recorded;
mod replay;
mod retelling;
mod searches;
mod setup;
mod suppressed;
mod uninitialised;
mod walking;
mod wanted;

pub use about::version;
pub use check::Check;
pub use choice::{
    AlgorithmName, Atomic, Choice, Fair, Mld, Pilots, Privacy, Reduction, Store, Volatile, Waits,
};
pub use class::ErrorClass;
pub use config::{Bounds, ClaimTexts, Config, Judgement, LONGEST_STEP, Scenario, Search};
pub use error::Error;
pub use executable::{Executable, Origin};
pub use guest::{Files, Guest};
pub use outside::Listener;
pub use recorded::{Kept, have_same_conditions, known, record, set_known};
pub use replay::{Replay, Replayed};
pub use searches::{check, check_read, check_runs};
pub use setup::{Accesses, Setup};
pub use steam_trail::{Report, Verdict};
pub use suppressed::{Suppressed, kinds_of_entries};
pub use walking::{Beyond, explore_from, piloted};
pub use wanted::{Shown, Sought, Wanted};
