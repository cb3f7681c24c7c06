//! How a program came where it is, explained for people: its trail is run again, and everything that
//! happens on the way is written down.
//!
//! [`retrace()`] goes along a whole trail; a [`Retracing`] goes step by step. A [`Explainer`] has the
//! words for what came of it.

mod broken;
mod deeds;
mod discipline;
mod finding;
mod hang;
mod holdings;
mod lock_order;
mod names;
mod objects;
mod owned;
mod places;
mod points;
mod prints;
mod race;
mod retrace;
mod steps;
mod threads;

use steam_image::is_shown_source;
use steam_program::Program;
use steam_report::Report;
use steam_state::ThreadId;
use steam_trail::{Place, Sources, Step, ViolationInfo, who};

pub use self::broken::{Judge, add_atoms};
pub use self::holdings::Holdings;
pub use self::names::Names;
pub use self::places::users_place;
pub use self::prints::{PrintError, Prints};
pub use self::race::race_names;
pub use self::retrace::{
    Deadline, Ended, Ends, Finished, RaceSought, Retraced, Retracing, Traced, Unwanted, retrace,
};

/// Explains the runs of one program.
pub struct Explainer<'a> {
    program: &'a Program,
    names: Names<'a>,
    sources: Sources,
}

impl<'a> Explainer<'a> {
    /// For a program that makes the steps of the trail.
    pub fn new(program: &'a Program) -> Self {
        let names = Names { image: program.image(), source: program.atomics() };
        Self { program, names, sources: Sources::showing(is_shown_source) }
    }

    /// What a thread is called: `thread 2`, or `process 2`.
    fn who(&self, thread: ThreadId) -> String {
        who(thread.0, self.program.is_process(thread))
    }

    /// The steps that were made.
    pub fn steps(&self, retraced: &Retraced) -> Vec<Step> {
        let numbered = retraced.steps.iter().zip(1..);
        let step = |(traced, number)| self.step_among(number, traced, &retraced.objects);
        numbered.map(step).collect()
    }

    /// What was found at the end of the way, with all that explains it; its trail is left out.
    pub fn finding(&mut self, retraced: &Retraced) -> Option<ViolationInfo> {
        match &retraced.end {
            Ended::Violation(error) => Some(self.error(retraced, error)),
            Ended::Unknown(unknown) => Some(self.unknown(retraced, unknown)),
            Ended::State | Ended::Stuck | Ended::Late => None,
        }
    }

    /// What the search itself knew of something whose way was not kept.
    pub fn without_trail(&mut self, report: &Report) -> ViolationInfo {
        self.plain(report)
    }

    fn place(&self, stack: &[steam_report::Location]) -> Place {
        places::users_place(stack)
    }
}
