//! Temporal formulas along executions, without a store: what is left of each formula behind each state.
//!
//! This is the scheme of "A New Approach to Stateless Model Checking of LTL Properties" (Ghassabani and
//! Azgomi), mended. The [`Obligations`] are its master; a checker is what is left of one formula, a
//! worker what is left of one of its parts (`steam_ltl` remembers that for each part and valuation), and
//! the propositions are the condition checkers. The walk goes back, and so do they: what is left is kept
//! for each state of the execution. Who said what about which state is known by `steam_ltl::actors`, from
//! the states of an execution that is shown.
//!
//! A formula of which nothing can be fulfilled any more is violated at once. An execution that ends, or in
//! which no process can act any more, repeats its last state. One that a limit cuts has no value, and the
//! search does not say that the formula holds. Nor does it leave out processes that loop without effect,
//! as a search for errors of states may: looping forever is a run of its own.

use steam_ltl::actors::Moment;
use steam_ltl::{Formula, Formulas, Lasso, Syntax, Valuation};
use steam_model::{Changes, Dependence, Livelocks, Property};

use super::fair::Cycle;
use super::follow::Follower;
use super::marked::{Marked, OfModel};
use super::{Executions, Por, search};
use crate::config::{Config, Control};
use crate::outcome::OutcomeOf;
use crate::walk::Visit;

/// Formulas that executions have to fulfil.
pub struct Obligations<'a, P: ?Sized, F> {
    propositions: &'a P,
    violation: F,
    formulas: Formulas,
    properties: Vec<Formula>,
    syntaxes: Vec<Syntax>,
    /// For each state of the execution.
    states: Vec<Owed>,
    /// Whether executions are left out because some steps change nothing.
    reduced: bool,
    misled: bool,
}

/// What is owed after a state.
struct Owed {
    valuation: Valuation,
    /// What is left of each formula.
    left: Vec<Formula>,
    /// The formulas that this state violates.
    violated: Vec<usize>,
}

impl<'a, P: ?Sized, F> Obligations<'a, P, F> {
    /// The atoms of the formulas are the propositions of the same numbers. The function makes an error:
    /// the formula with this number is violated, seen at this moment; that a run loops forever is
    /// its end too.
    pub fn new(properties: &[Syntax], propositions: &'a P, violation: F) -> Self {
        let mut formulas = Formulas::new();
        let mut simple = |property: &Syntax| {
            let formula = formulas.formula(property);
            formulas.simplify(formula)
        };
        let syntaxes = properties.to_vec();
        let properties = properties.iter().map(&mut simple).collect();
        let states = Vec::new();
        let (reduced, misled) = (false, false);
        Self { propositions, violation, formulas, properties, syntaxes, states, reduced, misled }
    }

    /// Whether a formula counts steps: then no execution is left out.
    pub fn uses_next(&self) -> bool {
        self.properties.iter().any(|formula| self.formulas.uses_next(*formula))
    }

    fn read(&mut self, depth: usize, valuation: Valuation) {
        self.states.truncate(depth);
        let before = self.states.last().map_or(&self.properties, |owed| &owed.left);
        let progress = |formula: &Formula| self.formulas.progress(*formula, valuation);
        let left: Vec<Formula> = before.iter().map(progress).collect();
        let falls =
            |at: &usize| left[*at] == Formula::FALSE && (depth == 0 || before[*at] != left[*at]);
        let violated = (0..left.len()).filter(falls).collect();
        self.states.push(Owed { valuation, left, violated });
    }

    /// The formulas that the last state violates, and those that an end there does.
    fn violated(&mut self, ends: bool) -> Vec<(usize, Moment)> {
        let Some(owed) = self.states.last() else { return Vec::new() };
        let now = Moment::State(self.states.len() - 1);
        let mut violated: Vec<_> = owed.violated.iter().map(|at| (*at, now)).collect();
        if ends {
            for (at, left) in owed.left.iter().enumerate() {
                if *left != Formula::FALSE && !self.formulas.end(*left, owed.valuation) {
                    violated.push((at, Moment::End));
                }
            }
        }
        violated
    }
}

impl<M, P, F> Follower<Marked<'_, M, P>> for Obligations<'_, P, F>
where
    M: Dependence,
    P: Changes<M> + ?Sized,
    F: Fn(&M, usize, Moment) -> M::Violation,
{
    const CYCLES: bool = false;

    fn enter(&mut self, worker: &mut M::Worker, visit: &Visit<'_, Marked<'_, M, P>>) {
        let model = visit.model.model;
        let valuation = Valuation(self.propositions.valuation(model, worker, visit.state));
        self.read(visit.depth, valuation);
        let before = visit.depth.checked_sub(1).map(|at| self.states[at].valuation);
        if let (true, Some((state, action, _))) = (self.reduced, visit.step)
            && before != Some(valuation)
        {
            let process = model.process(action);
            visit.model.pending(worker, state, &mut |other, mark| {
                self.misled |= other == process && !mark.visible;
            });
        }
    }

    fn judge(&mut self, marked: &Marked<'_, M, P>, ends: bool, tell: &mut dyn FnMut(M::Violation)) {
        for (formula, moment) in self.violated(ends) {
            tell((self.violation)(marked.model, formula, moment));
        }
    }

    fn judge_cycle(
        &mut self,
        marked: &Marked<'_, M, P>,
        cycle: &Cycle<Marked<'_, M, P>>,
        tell: &mut dyn FnMut(M::Violation),
    ) {
        let Some(owed) = self.states.last() else { return };
        let valuations = self.states.iter().map(|owed| owed.valuation).collect();
        let Some(run) = Lasso::new(valuations, cycle.begins) else { return };
        let is_open = |at: &usize| owed.left[*at] != Formula::FALSE;
        for formula in (0..self.syntaxes.len()).filter(is_open) {
            if !run.fulfils(&self.syntaxes[formula]) {
                tell((self.violation)(marked.model, formula, Moment::End));
            }
        }
    }

    fn same(&self, one: usize, other: usize) -> bool {
        self.states[one].left == self.states[other].left
    }

    fn is_misled(&self) -> bool {
        self.misled
    }
}

/// Explores without a store, and looks for executions that violate formulas. Should a step change what
/// holds that was said not to ([`Changes`]), everything is done again with no execution left out.
pub fn stateless_formulas<M, Q, P, F>(
    (model, property): (&M, &Q),
    obligations: &mut Obligations<'_, P, F>,
    executions: Executions,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Dependence + Livelocks,
    Q: Property<M> + ?Sized,
    P: Changes<M> + ?Sized,
    F: Fn(&M, usize, Moment) -> M::Violation,
{
    let marked = Marked { model, propositions: obligations.propositions };
    let property = OfModel(property);
    let mut wanted = executions;
    if obligations.uses_next() || wanted.fair {
        wanted.por = Por::None;
    }
    loop {
        obligations.reduced = wanted.por != Por::None;
        obligations.misled = false;
        let outcome = search(&marked, &property, wanted, obligations, config, control);
        let is_enough = !outcome.violations.is_empty() && !config.all;
        if !obligations.misled || is_enough {
            return outcome;
        }
        wanted.por = Por::None;
    }
}
