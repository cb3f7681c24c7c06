//! The naive twin of the search for hangs: the whole graph of states, and those in it without an exit.
//!
//! A state is a dead end if, whatever happens from there on, no path ends and nothing changes that threads see of
//! each other. So it is enough to go backwards from each step that changes something, and from each state in which
//! the program is over or nothing can happen: what is not reached so is a dead end. For programs that share
//! nothing but a known range of memory and mutexes.

use std::collections::{HashMap, VecDeque};

use steam_model::{Delta, Model, Silent, Step};
use steam_program::{Program, Worker};
use steam_state::{Space, Table};

/// What threads see of each other in a state: the bytes of the range, and which locks each of them holds.
type Seen = (Vec<u8>, Vec<(u32, Vec<u64>)>);

/// Whether a program has a dead end; nothing if it has more than so many states. All that its threads share is in the
/// range of `size` bytes from `address` on.
pub fn has_dead_end(program: &Program, address: u32, size: usize, most: usize) -> Option<bool> {
    loop {
        program.begin_iteration();
        let found = dead_end_in_round(program, address, size, most);
        if found.is_none() || !program.learned() {
            return found;
        }
    }
}

fn dead_end_in_round(program: &Program, address: u32, size: usize, most: usize) -> Option<bool> {
    // The worker that looks is not the one that makes the steps, whose past would be mixed up.
    let (mut worker, mut looker) = (program.worker(), program.worker());
    let mut seen = |state: &Table| seen(program, &mut looker, state, address, size);
    let initial = program.initial(&mut worker);
    let mut numbers = HashMap::from([(vector(program, &initial), 0)]);
    let mut states = vec![initial];
    // Who leads to a state without changing anything, and where there is an exit.
    let mut quiet: Vec<Vec<usize>> = vec![Vec::new()];
    let mut exits = VecDeque::new();
    let mut done = 0;
    while let Some(state) = states.get(done).cloned() {
        let mut actions = Vec::new();
        program.enabled(&mut worker, &state, &mut actions);
        let before = seen(&state);
        let mut has_exit = actions.is_empty();
        for action in actions {
            let mut delta = Delta::new();
            if program.step(&mut worker, &state, action, &mut delta, &mut Silent) != Step::Next {
                has_exit = true;
                continue;
            }
            delta.normalise();
            let next = program.patch(&mut worker, &state, delta.changes());
            let known = numbers.len();
            let number = *numbers.entry(vector(program, &next)).or_insert(known);
            let after = seen(&next);
            if number == known {
                states.push(next);
                quiet.push(Vec::new());
            }
            if after == before {
                quiet[number].push(done);
            } else {
                has_exit = true;
            }
        }
        if has_exit {
            exits.push_back(done);
        }
        if states.len() > most {
            return None;
        }
        done += 1;
    }
    let mut reached = vec![false; states.len()];
    while let Some(state) = exits.pop_front() {
        if !std::mem::replace(&mut reached[state], true) {
            exits.extend(&quiet[state]);
        }
    }
    Some(reached.contains(&false))
}

fn seen(program: &Program, worker: &mut Worker, state: &Table, address: u32, size: usize) -> Seen {
    let mut bytes = vec![0; size];
    program.read_memory(worker, state, Space::FIRST, address, &mut bytes);
    let threads = program.view(state);
    let held = |thread| program.held(state, thread);
    (bytes, threads.iter().map(|view| (view.thread.0, held(view.thread))).collect())
}

/// The whole vector of a state, without zeros at its end, which do not count.
fn vector(program: &Program, state: &Table) -> Vec<u32> {
    let mut vector = Vec::new();
    program.describe(state, &mut vector);
    Delta::new().apply(&mut vector);
    vector
}
