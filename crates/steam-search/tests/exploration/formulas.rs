//! Random formulas on random systems: the search for cycles against a textbook product with all states
//! stored, with each fairness; and each run that is shown against the meaning of the formula.
//!
//! `STEAM_RANDOM=2000` says how many.

mod twin;
mod witness;

use steam_ltl::{Binary, Syntax, Unary, Valuation};
use steam_model::Propositions;
use steam_search::cycles::{Fairness, Violations, cycles};
use steam_search::walk::Numbers;
use steam_search::{Config, Control, End};
use steam_store::TreeStore;

use crate::chance::Random;
use crate::random_formula::{ATOMS, atoms, formula};
use crate::toys::system::{Oddity, System};
use crate::toys::workers::Workers;
use crate::toys::{Action, AnyToy, Errors, Hand, Play, Toy, play};

use twin::{Graph, Product};
use witness::assert_violation;

/// What a violation is called.
const VIOLATED: u32 = 4000;

/// Propositions that say at random what holds in a state, most of them by one slot of it.
pub struct Hashed(pub u64);

impl Hashed {
    pub fn of(&self, state: &[u32]) -> Valuation {
        let holds = |atom: usize| {
            let mut numbers = Numbers::of_part(self.0, atom as u64);
            let number = match numbers.below(6) {
                0 => state.iter().rev().fold(0, |sum, it| 7 * sum + u64::from(*it)),
                slot => u64::from(state.get(slot - 1).copied().unwrap_or_default()),
            };
            Numbers::of_part(numbers.next(), number).below(2) == 1
        };
        let bits = (0..ATOMS).map(|atom| u64::from(holds(atom)) << atom);
        Valuation(bits.sum())
    }
}

impl<T: Toy> Propositions<Play<T>> for Hashed {
    fn count(&self) -> u32 {
        ATOMS as u32
    }

    fn valuation(&self, _: &Play<T>, _: &mut Hand, state: &Vec<u32>) -> u64 {
        self.of(state).0
    }
}

/// How many random cases there are to be.
pub fn cases(usual: u64) -> u64 {
    std::env::var("STEAM_RANDOM").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// A formula: any, or one of those that are written most.
pub fn usual(random: &mut Random, depth: usize) -> Syntax {
    let (one, other) = (formula(random, depth / 2), formula(random, depth / 2));
    let finally = |inner| Syntax::unary(Unary::Finally, inner);
    let globally = |inner| Syntax::unary(Unary::Globally, inner);
    match random.below(5) {
        0 => globally(finally(one)),
        1 => globally(Syntax::binary(Binary::Implies, one, finally(other))),
        2 => finally(globally(one)),
        3 => finally(one),
        _ => formula(random, depth),
    }
}

const FAIRNESS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

#[test]
fn verdicts_are_those_of_a_textbook_product() {
    let atoms = atoms();
    let (mut counts, mut differ) = ([[0; 2]; 3], [0; 2]);
    for seed in 0..cases(2_000) {
        // Who only has steps that are against an assumption can act and never does.
        let infeasible_edge = [0, 150, 450, 700][seed as usize / 2 % 4];
        let oddity = Oddity { wrong_node: 0, wrong_edge: 0, unknown_edge: 0, infeasible_edge };
        let play = match seed % 2 {
            0 => play(System::small(seed, oddity)),
            _ => play(Workers::looping(seed)),
        };
        let propositions = Hashed(seed);
        let syntax = usual(&mut Random(0x5eed_0100 + 7919 * seed), 1 + seed as usize % 4);
        let property = steam_ltl::Property::new(syntax.clone(), &atoms).unwrap();
        let graph = Graph::of(&play, usize::MAX, |_, state| propositions.of(state));
        let product = Product::of(&graph.unwrap(), &syntax, &atoms);
        let mut verdicts = Vec::new();
        for (fairness, counts) in FAIRNESS.into_iter().zip(&mut counts) {
            let reader = Violations::new(
                &property.violations,
                &propositions,
                |_: &Play<AnyToy>, _: &[(Vec<u32>, Option<Action>)]| VIOLATED,
            );
            let outcome = cycles(
                (&play, &Errors),
                (&reader, fairness),
                &TreeStore::with_limit(u64::MAX),
                &Config::default(),
                &mut Control::default(),
            );
            let expected = product.is_violated(fairness);
            let text = syntax.display(&atoms);
            let found = outcome.violations.first();
            assert_eq!(found.is_some(), expected, "seed {seed} {fairness:?} {text}");
            counts[usize::from(expected)] += 1;
            verdicts.push(expected);
            let Some(found) = found else {
                assert_eq!(outcome.end, End::Exhausted);
                continue;
            };
            assert_eq!(found.what, VIOLATED);
            let run = (&found.trail.as_ref().unwrap()[..], found.cycle.unwrap() as usize);
            let holds = |_: &mut Hand, state: &Vec<u32>| propositions.of(state);
            assert_violation(&play, holds, &syntax, fairness, run);
        }
        differ[0] += usize::from(verdicts[0] != verdicts[1]);
        differ[1] += usize::from(verdicts[1] != verdicts[2]);
    }
    let each = counts.iter().flatten().min().unwrap();
    assert!(*each > 20 && differ[0] > 2 && differ[1] > 1, "{counts:?} {differ:?}");
}
