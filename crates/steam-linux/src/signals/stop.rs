//! Signals that stop a process, and the one that lets it go on.
//!
//! A stopped process takes no step and no signal but `SIGKILL`. `SIGCONT` lets it go on as soon as it is sent,
//! whatever the process does with it, and takes back what would stop it; a signal that stops takes back
//! `SIGCONT`. The parent is notified of both, by `SIGCHLD` and by `waitpid` where it asks for it.

use steam_state::{Space, ThreadId};

use super::{DefaultAction, bit, default_action, number};
use crate::kernel::ProcessEntry;
use crate::system::System;

/// `waitpid` is notified of children that were stopped.
const UNTRACED: u32 = 2;
/// `waitpid` is notified of children that go on again.
const CONTINUED: u32 = 8;
/// The options of `waitpid` by which it is notified of more than the ends of children.
pub const CHANGES: u32 = UNTRACED | CONTINUED;

/// How `wait` tells that a child goes on again.
pub const GOES_ON: u32 = 0xffff;

/// The signals that stop a process unless it says otherwise.
const STOPPING: u64 = bit(number::STOP) | bit(20) | bit(21) | bit(22);

/// How `wait` tells that a signal has stopped a child.
fn stopped_by(signal: u8) -> u32 {
    u32::from(signal) << 8 | 0x7f
}

impl ProcessEntry {
    /// What there is to report of a process to a parent that asks for it by the options of `waitpid`.
    pub fn news(&self, options: u32) -> Option<u32> {
        let wanted = |change: &u32| {
            let option = if *change == GOES_ON { CONTINUED } else { UNTRACED };
            options & option != 0
        };
        self.ended.or_else(|| self.change.filter(wanted))
    }
}

impl System {
    /// What sending a signal does before a thread takes it.
    pub(super) fn stop_or_go_on(&mut self, space: Space, signal: u8) {
        if signal == number::CONT {
            self.take_back(space, STOPPING);
            self.go_on(space);
        } else if default_action(signal) == DefaultAction::Stop {
            self.take_back(space, bit(number::CONT));
        }
    }

    /// Forgets the pending signals of a set.
    fn take_back(&mut self, space: Space, set: u64) {
        let is_meant = |signal: u8| bit(signal) & set != 0;
        if self.environment(space).pending.iter().any(|it| is_meant(it.number)) {
            self.environment_mut(space).pending.retain(|it| !is_meant(it.number));
        }
        let holders = self.threads.of(space);
        let holders = holders.filter(|(_, it)| it.pending.iter().any(|it| is_meant(it.number)));
        let holders: Vec<ThreadId> = holders.map(|(thread, _)| thread).collect();
        for thread in holders {
            let record = self.threads.get_mut(thread).expect("who has a signal pending lives");
            record.pending.retain(|it| !is_meant(it.number));
        }
    }

    /// Stops all threads of a process.
    pub(super) fn stop(&mut self, space: Space, signal: u8) {
        const STOPPED: i32 = 5;
        self.set_stopped(space, true);
        self.tell_change(space, stopped_by(signal), STOPPED, signal);
    }

    /// Lets a process go on that was stopped.
    fn go_on(&mut self, space: Space) {
        const CONTINUED: i32 = 6;
        if self.threads.of(space).any(|(_, record)| record.stopped) {
            self.set_stopped(space, false);
            self.tell_change(space, GOES_ON, CONTINUED, number::CONT);
        }
    }

    fn set_stopped(&mut self, space: Space, stopped: bool) {
        let threads: Vec<ThreadId> = self.threads.of(space).map(|(thread, _)| thread).collect();
        for thread in threads {
            let record = self.threads.get_mut(thread).expect("a thread of a process lives");
            record.stopped = stopped;
        }
    }

    /// Notifies the parent of a process.
    fn tell_change(&mut self, space: Space, change: u32, code: i32, signal: u8) {
        const NO_CHILD_STOP: u32 = 1;
        let child = space.leader();
        let Some(entry) = self.kernel.processes.get_mut(&child) else { return };
        // The first process has no parent within the machine.
        let Some(parent) = entry.parent else { return };
        entry.change = Some(change);
        let flags = Space::of(parent).map(|it| self.environment(it).action(number::CHLD).flags);
        if flags.is_some_and(|flags| flags & NO_CHILD_STOP == 0) {
            self.notify_parent(parent, child, code, u32::from(signal));
        }
    }
}
