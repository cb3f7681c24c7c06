//! What holds for all instructions: traps leave the unit alone, pending exceptions are raised.

use crate::x87::samples::{Bench, Random, rounds};
use crate::x87::{X87, X87Op, execute};

#[test]
fn a_fault_of_memory_leaves_the_unit_alone() {
    let mut random = Random(0x7777_1234_5678_9abc);
    let mut faults = 0;
    for &op in X87Op::ALL {
        for _ in 0..rounds(50) {
            let before = random.unit();
            let mut fpu = before.clone();
            if execute(op, 2, 0, &mut fpu, &mut Bench::new(&[])).is_err() {
                assert_eq!(fpu, before, "{}", op.name());
                faults += 1;
            }
        }
    }
    assert!(faults > 1000);
}

#[test]
fn a_pending_exception_is_raised_by_all_but_the_instructions_that_never_wait() {
    let mut silent = Vec::new();
    for &op in X87Op::ALL {
        let mut fpu = X87::default();
        fpu.set_control(0x037e);
        fpu.set_status(1);
        let before = fpu.clone();
        match execute(op, 2, 0, &mut fpu, &mut Bench::new(&[0; 128])) {
            Ok(()) => silent.push(op),
            Err(trap) => {
                assert_eq!(trap, "math fault", "{}", op.name());
                assert_eq!(fpu, before);
            }
        }
    }
    let expected = [
        X87Op::Fnlegacy,
        X87Op::Fninit,
        X87Op::Fnclex,
        X87Op::Fnstcw,
        X87Op::FnstswMemory,
        X87Op::FnstswAx,
        X87Op::Fnstenv,
        X87Op::FnstenvShort,
        X87Op::Fnsave,
        X87Op::FnsaveShort,
    ];
    assert_eq!(silent, expected);
}

#[test]
fn the_short_images_hold_the_same_state() {
    let mut random = Random(0x4242_4242_1111_9999);
    for _ in 0..100 {
        let before = random.unit();
        let mut bench = Bench::new(&[0; 94]);
        let mut fpu = before.clone();
        execute(X87Op::FnsaveShort, 0, 0, &mut fpu, &mut bench).expect("memory is there");
        assert_ne!(fpu, before);
        execute(X87Op::FrstorShort, 0, 0, &mut fpu, &mut bench).expect("memory is there");
        assert_eq!(fpu, before);
    }
}

#[test]
fn the_status_word_goes_to_ax() {
    let mut fpu = X87::default();
    fpu.set_status(0x4505);
    let mut bench = Bench::new(&[]);
    execute(X87Op::FnstswAx, 0, 0, &mut fpu, &mut bench).expect("no memory is needed");
    assert_eq!(bench.ax, 0x4505);
}
