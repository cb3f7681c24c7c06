//! All runs of a program by the functions of the crate.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use steam_sync::{
    Address, Done, Faults, Object, Objects, Operation, Thread, choices, enabled, owner_ended,
    perform,
};

use crate::End;
use crate::programs::Program;

/// A state of the program: its objects, and where its threads are.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    objects: BTreeMap<Address, Object>,
    threads: Vec<Progress>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Progress {
    next: usize,
    /// The second half of the statement before `next`.
    half: Option<Operation>,
    results: Vec<i32>,
    ended: bool,
}

/// The ends of all runs.
pub fn ends(program: &Program) -> BTreeSet<End> {
    let thread = Progress { next: 0, half: None, results: Vec::new(), ended: false };
    let threads = vec![thread; program.threads.len()];
    let mut open = vec![State { objects: BTreeMap::new(), threads }];
    let mut seen = HashSet::new();
    let mut ends = BTreeSet::new();
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if !(0..state.threads.len()).any(|index| state.can_go_on(program, index)) {
            ends.insert(state.rest());
        }
        for index in 0..state.threads.len() {
            state.follow(program, index, &mut open, &mut ends);
        }
    }
    ends
}

impl State {
    /// The operation before which a thread is; none at its end.
    fn pending(&self, program: &Program, index: usize) -> Option<Operation> {
        let thread = &self.threads[index];
        let list = &program.threads[index];
        let failed = thread.results.last().is_some_and(|&result| result != 0);
        let skipped =
            list[thread.next..].iter().take_while(|statement| statement.conditional && failed);
        let statement = list.get(thread.next + skipped.count());
        thread.half.or(statement.map(|statement| statement.operation))
    }

    fn can_go_on(&self, program: &Program, index: usize) -> bool {
        match self.pending(program, index) {
            _ if self.threads[index].ended => false,
            None => true,
            Some(operation) => enabled(&operation, thread(index), &self.objects),
        }
    }

    fn follow(
        &self,
        program: &Program,
        index: usize,
        open: &mut Vec<Self>,
        ends: &mut BTreeSet<End>,
    ) {
        if self.threads[index].ended {
            return;
        }
        let Some(operation) = self.pending(program, index) else {
            open.push(self.after_end(index));
            return;
        };
        let faults = Faults { spurious_wakeups: program.spurious_wakeups };
        let mut list = Vec::new();
        choices(&operation, thread(index), &self.objects, &faults, &mut list);
        for choice in list {
            let mut state = self.clone();
            match perform(&operation, choice, thread(index), &mut state.objects) {
                Ok(done) => {
                    state.advance(program, index, done);
                    open.push(state);
                }
                Err(misuse) => {
                    assert_eq!(misuse.thread, thread(index));
                    let results = self.results();
                    ends.insert(End::Misuse {
                        thread: misuse.thread.0,
                        name: misuse.name(),
                        results,
                    });
                }
            }
        }
    }

    fn after_end(&self, index: usize) -> Self {
        let mut state = self.clone();
        state.threads[index].ended = true;
        let addresses: Vec<Address> = state.objects.keys().copied().collect();
        owner_ended(thread(index), addresses, &mut state.objects);
        state
    }

    fn advance(&mut self, program: &Program, index: usize, done: Done) {
        let list = &program.threads[index];
        let thread = &mut self.threads[index];
        if thread.half.is_none() {
            let failed = thread.results.last().is_some_and(|&result| result != 0);
            while list[thread.next].conditional && failed {
                thread.next += 1;
            }
            thread.next += 1;
        }
        thread.half = None;
        match done {
            Done::Returns(result) => thread.results.push(result),
            Done::Value(value) => thread.results.push(value as i32),
            Done::Continues(operation) => thread.half = Some(operation),
            Done::Blocked => panic!("a listed choice is possible"),
        }
    }

    fn results(&self) -> Vec<Vec<i32>> {
        self.threads.iter().map(|thread| thread.results.clone()).collect()
    }

    fn rest(&self) -> End {
        let mut held = Vec::new();
        for &address in self.objects.keys() {
            let object = Objects::get(&self.objects, address);
            let holders = object.holders().into_iter();
            held.extend(holders.map(|holder| (address, holder.0, object.held_count(holder))));
        }
        let stuck = (0..self.threads.len()).filter(|&index| !self.threads[index].ended);
        let stuck = stuck.map(|index| thread(index).0).collect();
        End::Rest { stuck, results: self.results(), held }
    }
}

fn thread(index: usize) -> Thread {
    Thread(index as u32 + 1)
}
