//! Random transition systems: every order, store and number of workers against the naive twin.

use crate::laws::assert_laws;
use crate::naive::enumerate;
use crate::toys::system::{Oddity, System};
use crate::toys::{Errors, Toy, play};

fn check(seeds: std::ops::Range<u64>, oddity: Oddity) -> (u64, usize) {
    let (mut states, mut with_errors) = (0, 0);
    for seed in seeds {
        let play = play(System::random(seed, oddity));
        let truth = enumerate(&play.0, |state, _| play.0.error(state));
        states += truth.states;
        with_errors += usize::from(!truth.errors.is_empty());
        assert_laws(&play, &Errors, &truth);
    }
    (states, with_errors)
}

#[test]
fn systems_without_errors() {
    let oddity = Oddity { wrong_node: 0, wrong_edge: 0, unknown_edge: 0, infeasible_edge: 30 };
    let (states, with_errors) = check(0..30, oddity);
    assert!(states > 1000 && with_errors == 0, "{states} {with_errors}");
}

#[test]
fn systems_with_wrong_states() {
    let oddity = Oddity { wrong_node: 60, wrong_edge: 0, unknown_edge: 0, infeasible_edge: 0 };
    let (states, with_errors) = check(1000..1030, oddity);
    assert!(states > 1000 && with_errors > 10, "{states} {with_errors}");
}

#[test]
fn systems_with_everything() {
    let oddity = Oddity { wrong_node: 20, wrong_edge: 20, unknown_edge: 20, infeasible_edge: 20 };
    let (states, with_errors) = check(2000..2040, oddity);
    assert!(states > 1000 && with_errors > 10, "{states} {with_errors}");
}
