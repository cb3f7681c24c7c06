//! What can happen next, in words: which thread, which operation, which of its choices.

use steam_explain::{Explainer, users_place};
use steam_linux::kernel::Pending;
use steam_program::{Action, Choice, tossed};
use steam_state::{Table, ThreadId};
use steam_sync::{Call, ConditionCall, SyncChoice};
use steam_trail::{Place, ThreadInfo};
use vm_isa::request::Request;

use crate::points::Point;
use crate::simulation::Simulation;

/// Something that can happen.
pub struct Alternative {
    /// What.
    pub action: Action,
    /// Where the thread stands.
    pub place: Place,
    /// What it does, in words.
    pub what: String,
    /// Whether the recorded schedule goes on with it.
    pub recorded: bool,
}

impl Simulation<'_> {
    /// All that can happen, in the order of threads.
    pub fn choices(&mut self) -> Vec<Alternative> {
        let recorded = self.recorded();
        let enabled = self.enabled();
        let Some(state) = self.state().cloned() else { return Vec::new() };
        let mut choices = Vec::new();
        for action in enabled {
            let place = self.place_of(action.thread);
            let what = self.deed(&state, action);
            choices.push(Alternative { action, place, what, recorded: recorded == Some(action) });
        }
        choices
    }

    /// All threads: where they are, what they hold, what they wait for.
    pub fn threads(&mut self) -> Vec<ThreadInfo> {
        self.look_around();
        Explainer::new(&self.program).threads(self.known(), None)
    }

    /// The user's line at which a thread stands.
    pub fn place_of(&mut self, thread: ThreadId) -> Place {
        let frames = self.frames(thread);
        users_place(&frames.into_iter().map(|frame| frame.location).collect::<Vec<_>>())
    }

    /// The lines of a file at which threads stand, each with its thread.
    pub fn threads_at(&mut self, file: &str) -> Vec<(u32, u32)> {
        let Some(state) = self.state() else { return Vec::new() };
        let threads: Vec<ThreadId> =
            self.program.view(state).into_iter().map(|view| view.thread).collect();
        let mut places = Vec::new();
        for thread in threads {
            if let Some(line) = self.line_of(thread).filter(|line| *line.file == *file) {
                places.push((line.number, thread.0));
            }
        }
        places
    }

    /// The lines of a file that have breakpoints.
    pub fn stops_in(&mut self, file: &str) -> Vec<u32> {
        let mut lines = Vec::new();
        for (_, point) in self.points.iter() {
            let Point::Break { addresses, .. } = point else { continue };
            for &address in addresses {
                let line = self.lines.at(self.image, address);
                lines.extend(line.filter(|line| *line.file == *file).map(|line| line.number));
            }
        }
        lines
    }

    /// What the chosen thread does next, where it stands before a step.
    pub fn next_deed(&self) -> Option<String> {
        let explainer = Explainer::new(&self.program);
        let deed = || explainer.next_deed(&self.asker, self.state()?, self.thread);
        self.inside.is_none().then(deed).flatten()
    }

    fn deed(&self, state: &Table, action: Action) -> String {
        let explainer = Explainer::new(&self.program);
        let deed = explainer.next_deed(&self.asker, state, action.thread).unwrap_or_default();
        let pending = self.program.pending(state, action.thread);
        let chosen = match action.chosen() {
            Choice::Operation(SyncChoice::TimeOver) => ", time over".to_owned(),
            Choice::Operation(SyncChoice::Spurious) => ", spurious wake-up".to_owned(),
            Choice::Delivery => return "takes a signal".to_owned(),
            Choice::Interruption => return "takes a signal, which ends its wait".to_owned(),
            Choice::Alarm | Choice::Timer(_) => return "gets a signal from its timer".to_owned(),
            Choice::TimerFile(_) => return "sees its timer expire".to_owned(),
            Choice::Leap => ", ten minutes later".to_owned(),
            Choice::Cancellation => return "is cancelled".to_owned(),
            Choice::Operation(SyncChoice::Usual(choice)) => match pending {
                Some(Pending::Request { number, argument })
                    if Request::from_number(*number) == Some(Request::Toss) =>
                {
                    match tossed(*argument, choice) {
                        Some(value) => format!(" gives {value}"),
                        None => " gives another value".to_owned(),
                    }
                }
                Some(Pending::Sync { operation, .. })
                    if matches!(operation.call, Call::Condition(ConditionCall::Signal)) =>
                {
                    format!(", waiter {}", choice + 1)
                }
                _ if choice == 0 => String::new(),
                _ => format!(", way {choice}"),
            },
        };
        deed + &chosen
    }
}
