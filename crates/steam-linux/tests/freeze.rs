//! A state is a value: a run can be frozen at any point and goes on in another machine.

mod support;

use steam_linux::Machine;
use steam_state::Stores;
use support::{Collected, Run, boot, compile, native, simulated, status};

const STDIN: &[u8] = b"first line\nsecond line\n";
const ARGUMENTS: [&str; 2] = ["one", "two words"];

/// Runs a program in pieces of so many instructions, each in the other one of two machines.
fn in_pieces(program: &std::path::Path, instructions: u64) -> (Run, usize) {
    let stores = Stores::default();
    let machine = || boot(program, &ARGUMENTS, STDIN, stores.clone());
    let mut machines = [machine(), machine()];
    let mut sink = Collected::default();
    let mut pieces = 0;
    loop {
        let [old, new] = &mut machines;
        if let Some(ending) = old.run_for(instructions, &mut sink) {
            return (sink.run(status(&ending)), pieces);
        }
        hand_over(old, new);
        pieces += 1;
        machines.reverse();
    }
}

fn hand_over(old: &mut Machine, new: &mut Machine) {
    let state = old.freeze();
    assert!(state.same(&old.freeze()), "freezing twice gives the same state");
    assert!(new.thaw(&state, old.schedule()));
    assert!(state.same(&new.freeze()), "what was thawed is what was frozen");
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
    let stores = Stores::default();
    let mut machine = boot(&program, &ARGUMENTS, STDIN, stores.clone());
    let mut twin = boot(&program, &ARGUMENTS, STDIN, stores);
    let mut sink = Collected::default();
    let mut states = vec![machine.freeze()];
    assert!(states[0].same(&twin.freeze()), "the same start");
    while machine.run_for(5000, &mut sink).is_none() {
        states.push(machine.freeze());
        assert!(twin.run_for(5000, &mut sink).is_none());
        assert!(states[states.len() - 1].same(&twin.freeze()), "the same run");
    }
    for (i, state) in states.iter().enumerate() {
        assert_eq!(states.iter().filter(|other| state.same(other)).count(), 1, "state {i}");
    }
}

#[test]
fn an_old_state_can_be_run_again() {
    let program = compile("files.c", &["-O1"]);
    let expected = native(&program, &ARGUMENTS, STDIN);
    let mut machine = boot(&program, &ARGUMENTS, STDIN, Stores::default());
    let start = (machine.freeze(), machine.schedule());
    for _ in 0..2 {
        let mut sink = Collected::default();
        let ending = machine.run(&mut sink);
        assert_eq!(sink.run(status(&ending)), expected);
        assert!(machine.thaw(&start.0, start.1));
    }
}
