//! The shadow of memory and registers along one path.
//!
//! What was never written is no part of a state, so it is known only to the worker that came there step by
//! step. A step that begins elsewhere knows nothing: then all that is there counts as written, which
//! raises no false alarm.

use steam_model::Delta;
use steam_state::{Component, Table};
use steam_vm::ShadowSnapshot;

use super::Program;
use super::step::Worker;

/// Where the shadow of a worker's machine is right.
#[derive(Default)]
pub(super) struct Followed {
    /// In this state.
    now: Option<Table>,
    /// The first state, and what is known there.
    first: Option<(Table, ShadowSnapshot)>,
}

fn same(one: &Table, other: &Table) -> bool {
    let mut same = true;
    one.differences(other, &mut |_| same = false);
    same
}

impl Worker {
    /// The program stands in its first state.
    pub(super) fn follow_from(&mut self, state: &Table) {
        let known = self.machine.cpu.shadow_snapshot();
        self.followed.now = known.is_some().then(|| state.clone());
        self.followed.first = known.map(|known| (state.clone(), known));
    }

    /// A step begins in a state.
    pub(super) fn follow_into(&mut self, program: &Program, state: &Table) {
        let Followed { now, first } = &mut self.followed;
        if !program.options.uninitialised || now.take().is_some_and(|now| same(&now, state)) {
            return;
        }
        let first = first.as_ref().filter(|(first, _)| same(first, state));
        self.machine.cpu.restore_shadow(first.map(|(_, known)| known.clone()));
    }

    /// Something else will be done with the machine, after which the path goes on: what is known of it.
    pub(super) fn lay_shadow_aside(
        &mut self,
        program: &Program,
    ) -> Option<(Table, ShadowSnapshot)> {
        if !program.options.uninitialised {
            return None;
        }
        self.followed.now.clone().zip(self.machine.cpu.shadow_snapshot())
    }

    /// The path goes on from where it was.
    pub(super) fn take_shadow_up(&mut self, known: Option<(Table, ShadowSnapshot)>) {
        if let Some((now, shadow)) = known {
            self.machine.cpu.restore_shadow(Some(shadow));
            self.followed.now = Some(now);
        }
    }

    /// Something else was done with the machine.
    pub(super) fn forget_followed(&mut self) {
        self.followed.now = None;
    }

    /// The step has led to another state.
    pub(super) fn follow_on(&mut self, program: &Program, state: &Table, delta: &Delta) {
        if program.options.uninitialised {
            let mut next = state.clone();
            for change in delta.changes() {
                next.set(change.slot, Component(change.new));
            }
            self.followed.now = Some(next);
        }
    }
}
