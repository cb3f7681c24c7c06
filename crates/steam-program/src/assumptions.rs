//! Which assumptions of a program held anywhere: what follows one that never did was not checked, and a
//! verdict about it is vacuous.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use steam_report::{Location, Stands, activations, located};
use vm_isa::request::Request;

use super::Program;
use super::step::Worker;

/// The assumptions that threads came to, in all iterations together.
#[derive(Default)]
pub(super) struct Assumptions {
    /// By the instruction of the program that assumes, and the file in which it is.
    met: Mutex<BTreeMap<(usize, u32), Assumption>>,
    /// Whether a request is made by an instruction of the program's own, and not by a function for it.
    own: Mutex<BTreeMap<(usize, u32), bool>>,
}

/// An assumption.
struct Assumption {
    /// Its source line.
    line: String,
    /// Whether it held on some path.
    held: bool,
}

impl Assumptions {
    /// The source lines of those that were met and never held.
    pub(super) fn never_held(&self) -> Vec<String> {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.values().filter(|it| !it.held).map(|it| it.line.clone()).collect()
    }
}

impl Worker {
    /// The thread on the CPU has come to an assumption, which holds or not.
    pub(super) fn note_assumption(&mut self, program: &Program, holds: bool) {
        let image = Arc::clone(&self.machine.image);
        let (file, request) = (Arc::as_ptr(&image) as usize, self.machine.cpu.eip.wrapping_sub(1));
        let assumptions = &program.assumptions;
        let own = || located(&image, request).iter().any(Location::is_users);
        let mut known = assumptions.own.lock().unwrap_or_else(PoisonError::into_inner);
        let is_own = *known.entry((file, request)).or_insert_with(own);
        drop(known);
        let at = if is_own { request } else { self.users_call(request) };
        let mut met = assumptions.met.lock().unwrap_or_else(PoisonError::into_inner);
        let assumption = met.entry((file, at)).or_insert_with(|| {
            let locations = located(&image, at);
            let line = locations.iter().find(|location| location.is_users()).or(locations.first());
            let line = line.map_or_else(|| format!("{at:#x}"), Location::line_position);
            Assumption { line, held: false }
        });
        assumption.held |= holds;
    }
}

impl Worker {
    /// The innermost call of the program's own, from a function for it that stands after a request.
    fn users_call(&mut self, request: u32) -> u32 {
        let image = Arc::clone(&self.machine.image);
        let stack =
            self.machine.unwatched(|machine| activations(&image, &mut machine.cpu, Stands::Behind));
        let mut calls = stack.iter().skip(1).map(|call| call.eip.wrapping_sub(1));
        let is_users = |at: &u32| located(&image, *at).iter().any(Location::is_users);
        calls.find(is_users).unwrap_or(request)
    }
}

impl Program {
    /// What is to be said of assumptions that held on no path that was explored.
    pub fn vacuous(&self) -> Vec<String> {
        let name = Request::Assume.name();
        let lines = self.assumptions.never_held();
        let note = |line| {
            format!(
                "the assumption at {line} ({name}) held on no explored path: nothing after it was checked, \
                 and what the verdict says of that is vacuous"
            )
        };
        lines.into_iter().map(note).collect()
    }
}
