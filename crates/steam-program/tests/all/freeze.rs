//! A state is a value: a run can be frozen at any point and goes on in another machine.

use std::sync::Arc;

use crate::support::{Collected, Run, boot, compile, native, simulated, status};
use steam_model::Delta;
use steam_program::Machine;
use steam_state::Table;

const STDIN: &[u8] = b"first line\nsecond line\n";
const ARGUMENTS: [&str; 2] = ["one", "two words"];

/// Runs a program in pieces of so many instructions, each in the other one of two machines.
fn in_pieces(program: &std::path::Path, instructions: u64) -> (Run, usize) {
    let stores = Arc::default();
    let machine = || boot(program, &ARGUMENTS, STDIN, Arc::clone(&stores));
    let mut machines = [machine(), machine()];
    let mut sink = Collected::default();
    let mut state = Table::default();
    let mut pieces = 0;
    loop {
        let [old, new] = &mut machines;
        if let Some(ending) = old.run_for(instructions, &mut sink) {
            return (sink.run(status(&ending)), pieces);
        }
        hand_over(old, new, &mut state);
        pieces += 1;
        machines.reverse();
    }
}

/// The state as a vector of component ids.
fn vector(state: &Table) -> Vec<u32> {
    let mut vector = Vec::new();
    for (slot, id) in state.iter() {
        vector.resize(slot as usize, 0);
        vector.push(id.0);
    }
    vector
}

/// Freezes a machine that began at `state`, and lets another one go on.
fn hand_over(old: &mut Machine, new: &mut Machine, state: &mut Table) {
    let mut whole = vector(state);
    let mut delta = old.freeze_into(state);
    delta.normalise();
    delta.apply(&mut whole);
    assert_eq!(whole, vector(state), "what is said to change is what changes");
    let schedule = old.schedule();
    for machine in [old, &mut *new] {
        assert!(machine.thaw(state, schedule));
        assert_frozen(machine, state);
    }
    // A machine that was frozen must be thawed before it goes on.
    assert!(new.thaw(state, schedule));
}

/// What was thawed from a state freezes to that state.
fn assert_frozen(machine: &mut Machine, state: &Table) {
    let mut delta = Delta::new();
    machine.freeze(state, &mut delta);
    assert_eq!(delta, Delta::new(), "nothing is said to change");
}

/// Freezes a machine that began at `state`, and goes on with it.
fn freeze(machine: &mut Machine, state: &mut Table) {
    machine.freeze_into(state);
    assert!(machine.thaw(state, machine.schedule()));
}

#[test]
fn a_program_goes_on_in_another_machine() {
    // What differs in each run natively (thread ids, for example) does not in the machine.
    for source in ["start_up.c", "signals.c", "pipes.c", "threads.c", "names.c"] {
        let program = compile(source, &["-O1"]);
        let whole = simulated(&program, &ARGUMENTS, STDIN);
        let (found, pieces) = in_pieces(&program, 10_007);
        assert_eq!(found, whole, "{source}");
        assert!(pieces >= 2, "{source}: {pieces} pieces");
    }
}

#[test]
fn states_differ_when_anything_does() {
    let program = compile("start_up.c", &["-O1"]);
    let stores = Arc::default();
    let mut machine = boot(&program, &ARGUMENTS, STDIN, Arc::clone(&stores));
    let mut twin = boot(&program, &ARGUMENTS, STDIN, stores);
    let mut sink = Collected::default();
    let (mut state, mut twin_state) = (Table::default(), Table::default());
    freeze(&mut machine, &mut state);
    freeze(&mut twin, &mut twin_state);
    assert!(state.same(&twin_state), "the same start");
    let mut states = vec![state.clone()];
    while machine.run_for(5000, &mut sink).is_none() {
        assert!(twin.run_for(5000, &mut sink).is_none());
        freeze(&mut machine, &mut state);
        freeze(&mut twin, &mut twin_state);
        assert!(state.same(&twin_state), "the same run");
        states.push(state.clone());
    }
    for (i, state) in states.iter().enumerate() {
        assert_eq!(states.iter().filter(|other| state.same(other)).count(), 1, "state {i}");
    }
}

#[test]
fn an_old_state_can_be_run_again() {
    let program = compile("files.c", &["-O1"]);
    let expected = native(&program, &ARGUMENTS, STDIN);
    let mut machine = boot(&program, &ARGUMENTS, STDIN, Arc::default());
    let mut start = Table::default();
    machine.freeze_into(&mut start);
    let schedule = machine.schedule();
    for _ in 0..2 {
        assert!(machine.thaw(&start, schedule));
        let mut sink = Collected::default();
        let ending = machine.run(&mut sink);
        assert_eq!(sink.run(status(&ending)), expected);
    }
}
