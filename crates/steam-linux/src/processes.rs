//! The processes of a system: whose children they are, whose memory they live in, and what the kernel
//! does about others when one of them ends.

use steam_state::{Space, ThreadId};
use steam_visibility::Sharing;

use crate::kernel::{Asked, Children, Loan, ProcessEntry, Reason, SignalInfo, ThreadRecord};
use crate::signals::number;
use crate::system::System;

/// What a new process begins with, where it is not as its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fork {
    /// Its stack pointer; 0 for that of the parent.
    pub stack: u32,
    /// Where its number is written in its own memory, and in that of its parent; 0 for nowhere.
    pub child_place: u32,
    /// Where its number is written in the memory of its parent; 0 for nowhere.
    pub parent_place: u32,
    /// The word to be cleared when its thread ends.
    pub clear_at_exit: u32,
    /// Whether the parent waits until the child ends or runs another program.
    pub borrows: bool,
}

impl System {
    /// The children of a process that it can wait for.
    pub fn children(
        &self,
        space: Space,
        which: Children,
    ) -> impl Iterator<Item = &ProcessEntry> + '_ {
        self.numbered_children(space, which).map(|(_, entry)| entry)
    }

    /// The children of a process that it can wait for, by the numbers of their first threads.
    pub fn numbered_children(
        &self,
        space: Space,
        which: Children,
    ) -> impl Iterator<Item = (ThreadId, &ProcessEntry)> + '_ {
        let own = move |entry: &ProcessEntry| entry.parent == Some(space.leader());
        let wanted = move |leader: ThreadId, entry: &ProcessEntry| match which {
            Children::Any => true,
            Children::One(child) => child == leader,
            Children::Group(group) => entry.group == group,
        };
        let processes = self.kernel.processes.iter().map(|(leader, entry)| (*leader, entry));
        processes.filter(move |(leader, entry)| own(entry) && wanted(*leader, entry))
    }

    /// Whether a child still lives in the memory of its parent.
    pub fn borrows(&self, child: ThreadId) -> bool {
        let lives =
            self.kernel.processes.get(&child).is_some_and(|process| process.ended.is_none());
        lives && self.environment(leader_space(child)).loan != Loan::None
    }

    /// The thread in whose memory the process on the CPU lives, if it does not have its own.
    pub fn lender(&self) -> Option<(ThreadId, &ThreadRecord)> {
        if self.process.loan == Loan::None {
            return None;
        }
        let child = self.space.leader();
        let parent = self.kernel.processes.get(&child).and_then(|process| process.parent)?;
        let waits_for = |record: &ThreadRecord| match record.waiting()?.reason {
            Reason::Borrowed(borrower) => Some(borrower),
            _ => None,
        };
        let mut threads = self.threads.of(leader_space(parent));
        threads.find(|(_, record)| waits_for(record) == Some(child))
    }

    /// Notifies a process of one of its children by a signal.
    pub(crate) fn notify_parent(
        &mut self,
        parent: ThreadId,
        child: ThreadId,
        code: i32,
        value: u32,
    ) {
        let fields = [System::thread_number(child), crate::world::USER_ID, value];
        let info = SignalInfo { number: number::CHLD, code, fields, trap: [0; 3] };
        self.send_to_process(leader_space(parent), info);
    }

    /// Whether a child of `vfork` has all the memory of a process for itself.
    pub fn has_lent(&self, space: Space) -> bool {
        let borrows = |child: &ThreadId| self.environment(leader_space(*child)).loan == Loan::Whole;
        let live = self.kernel.processes.iter().filter(|(_, entry)| entry.ended.is_none());
        let mut children = live.filter(|(_, entry)| entry.parent == Some(space.leader()));
        self.kernel.processes.len() > 1 && children.any(|(child, _)| borrows(child))
    }

    /// The spaces of the processes that live, ascending.
    pub fn spaces(&self) -> Vec<Space> {
        let live = self.kernel.processes.iter().filter(|(_, entry)| entry.ended.is_none());
        live.map(|(leader, _)| leader_space(*leader)).collect()
    }

    /// Another process has all descriptors of the one on the CPU, too.
    pub fn inherit_descriptions(&mut self) {
        let numbers: Vec<u32> =
            self.process.descriptors.values().map(|descriptor| descriptor.description).collect();
        for number in numbers {
            if let Some(description) = self.kernel.descriptions.get_mut(&number) {
                description.references += 1;
            }
        }
    }

    /// Closes all descriptors of the process on the CPU.
    pub fn close_all(&mut self) {
        let descriptors: Vec<u32> = self.process.descriptors.keys().copied().collect();
        for descriptor in descriptors {
            // It is open, for it is in the table.
            let _ = self.close(descriptor);
        }
    }

    /// What the process on the CPU did to semaphores is undone where it wanted that.
    pub fn leave_semaphores(&mut self, sharing: &Sharing) {
        let process = self.process_number();
        let time = self.stamp(sharing, Asked::SemaphoreTimes);
        let user = self.stamp(sharing, Asked::SemaphoreUsers);
        let facilities = self.kernel.facilities.values();
        let sets: Vec<u32> = facilities.filter(|it| !it.queue).map(|it| it.channel).collect();
        for channel in sets {
            let undo = self
                .channels
                .semaphores(channel)
                .cloned()
                .and_then(|mut set| set.undo(process, time, user).then_some(set));
            if let (Some(set), Some(place)) = (undo, self.channels.semaphores_mut(channel)) {
                *place = set;
            }
        }
    }

    /// No process waits for the children of a process that has ended.
    pub fn leave_children(&mut self, leader: ThreadId) {
        let own: Vec<(ThreadId, ProcessEntry)> = self
            .numbered_children(leader_space(leader), Children::Any)
            .map(|(child, entry)| (child, *entry))
            .collect();
        for (child, entry) in own {
            let ended = entry.ended.map(|_| 0);
            let entry = ProcessEntry { parent: None, ended, change: None, ..entry };
            self.kernel.processes.insert(child, entry);
        }
    }

    /// Takes a thread that ends from the queue in which it waits.
    pub fn leave_waits(&mut self, thread: ThreadId) {
        let waiting = self.threads.get(thread).and_then(ThreadRecord::waiting);
        match waiting.map(|waiting| &waiting.reason) {
            Some(&Reason::Futex { place, .. }) => self.leave_futex(place, thread),
            Some(&Reason::OtherEnd { pipe, reads, .. }) => self.leave_fifo(pipe, reads),
            _ => {}
        }
    }

    /// Whether a process wants to know how its children end.
    pub fn awaits_children(&self, leader: ThreadId) -> bool {
        let lives =
            self.kernel.processes.get(&leader).is_some_and(|process| process.ended.is_none());
        let space = leader_space(leader);
        lives && !self.environment(space).forgets_children()
    }

    /// Notifies a process how one of its children has ended.
    pub fn tell_end(&mut self, parent: ThreadId, child: ThreadId, status: u32) {
        const EXITED: i32 = 1;
        const KILLED: i32 = 2;
        let (code, value) =
            if status & 0x7f == 0 { (EXITED, status >> 8) } else { (KILLED, status & 0x7f) };
        self.notify_parent(parent, child, code, value);
    }
}

/// The space of a process that there is, known by its first thread.
pub fn leader_space(leader: ThreadId) -> Space {
    Space::of(leader).expect("no process is made without a space of its own")
}
