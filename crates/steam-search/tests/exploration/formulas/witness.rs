//! What a run that is shown for a violation must be: possible, going round, fair, and against the formula. The
//! tests of programs use this file too.

use std::collections::BTreeSet;

use steam_ltl::{Lasso, Syntax, Valuation};
use steam_model::{Delta, Model, Silent, Step};
use steam_search::cycles::Fairness;

use super::twin::vector;

/// Goes along a run, of which the steps from `begins` on are repeated for ever; where there are none it has
/// ended.
pub fn assert_violation<M: Model>(
    model: &M,
    mut holds: impl FnMut(&mut M::Worker, &M::State) -> Valuation,
    syntax: &Syntax,
    fairness: Fairness,
    (trail, begins): (&[M::Action], usize),
) {
    let mut worker = model.worker();
    let mut states = vec![model.initial(&mut worker)];
    let able = |worker: &mut M::Worker, state: &M::State| {
        let mut actions = Vec::new();
        model.enabled(worker, state, &mut actions);
        actions
    };
    for action in trail {
        let last = &states[states.len() - 1];
        assert!(able(&mut worker, last).contains(action));
        let mut delta = Delta::new();
        let step = model.step(&mut worker, last, *action, &mut delta, &mut Silent);
        assert!(matches!(step, Step::Next), "it goes on");
        delta.normalise();
        let next = model.patch(&mut worker, last, delta.changes());
        states.push(next);
    }
    if begins < trail.len() {
        let last = states.pop().expect("there is a first state");
        assert_eq!(vector(model, &states[begins]), vector(model, &last), "it comes back");
    } else {
        assert!(able(&mut worker, &states[begins]).is_empty(), "it has ended");
    }
    let acting: BTreeSet<u32> = trail[begins..].iter().map(|it| model.process(*it)).collect();
    let able: Vec<BTreeSet<u32>> = states[begins..]
        .iter()
        .map(|state| able(&mut worker, state).iter().map(|it| model.process(*it)).collect())
        .collect();
    for process in able.iter().flatten() {
        let mut able = able.iter().map(|processes| processes.contains(process));
        let starves = !acting.contains(process);
        assert!(match fairness {
            Fairness::None => true,
            Fairness::Weak => !(starves && able.all(|it| it)),
            Fairness::Strong => !(starves && able.any(|it| it)),
        });
    }
    let valuations = states.iter().map(|state| holds(&mut worker, state)).collect();
    assert!(!Lasso::new(valuations, begins).expect("a run").fulfils(syntax), "it is a violation");
}
