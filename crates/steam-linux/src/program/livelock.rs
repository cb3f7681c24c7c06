//! Livelock as VeriSoft defines it: a thread whose next visible operation is blocked in more than a
//! given number of successive states.

use std::sync::Arc;

use steam_model::Livelocks;
use steam_state::{Table, ThreadId};

use super::Program;
use super::finding::Violation;
use crate::report::{Kind, Report};

impl Livelocks for Program {
    fn livelock(&self, state: &Table, agent: u32, states: u32) -> Violation {
        let thread = ThreadId(agent);
        let eip = self.view_of(state, thread).map_or(0, |view| view.eip);
        let report = Report {
            kind: Kind::Livelock,
            message: format!("thread {agent} waits for more than {states} states in a row"),
            thread,
            stack: Vec::new(),
            culprit: None,
            access: None,
            block: None,
        };
        let places = vec![(thread, eip)];
        Violation { kind: Kind::Livelock, thread, places, report: Arc::new(report) }
    }
}
