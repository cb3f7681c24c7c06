//! What is claimed of a program, understood: looked up in it, and fit for its steps.

use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;

use steam_explain::{Judge, Retraced, add_atoms};
use steam_model::{Model as _, Property, Propositions as _};
use steam_program::{Action, Granularity, Program, Violation, Worker};
use steam_props::{Claim, ClaimKind, Claims, Failure, ProgramPropositions};
use steam_report::Kind;
use steam_state::Table;
use steam_trail::Step;

use crate::config::ClaimTexts;
use crate::error::{Error, unfit};

/// What is claimed of a program.
pub(crate) struct Claimed {
    /// The claims, by number.
    pub claims: Claims,
    /// What holds in a state.
    pub propositions: Arc<ProgramPropositions>,
}

impl Claimed {
    /// Understands what is claimed, and lets the program show the states that matter for it; nothing
    /// if nothing is claimed.
    pub fn understand(program: &mut Program, texts: &ClaimTexts) -> Result<Option<Self>, Error> {
        if texts.is_empty() {
            return Ok(None);
        }
        let mut claims = Claims::default();
        for text in &texts.invariants {
            let added = claims.add_invariant(program, text);
            added.map_err(|error| not_understood("--invariant", error))?;
        }
        for text in &texts.formulas {
            let added = claims.add_formula(text);
            added.map_err(|error| not_understood("the formula", error))?;
        }
        for (name, text) in &texts.automata {
            let added = claims.add_automaton(name, text);
            added.map_err(|error| not_understood(name, error))?;
        }
        let propositions = claims.propositions(program);
        let propositions =
            propositions.map(Arc::new).map_err(|error| not_understood("an atom", error))?;
        fits(program, &claims, &propositions)?;
        let threads = propositions.concern_threads();
        program.observe(Arc::<ProgramPropositions>::clone(&propositions), threads);
        Ok(Some(Claimed { claims, propositions }))
    }

    /// The error that a claim is broken.
    pub fn broken(&self, program: &Program, claim: usize) -> Violation {
        let broken = &self.claims.list[claim];
        let kind = match broken.kind {
            ClaimKind::Invariant => Kind::Invariant,
            ClaimKind::Formula | ClaimKind::Automaton => Kind::Formula,
        };
        program.broken(kind, claim as u32, broken.message())
    }

    /// The error that a run is by which a claim is broken, if it is.
    pub fn judge(
        &self,
        program: &Program,
        claim: usize,
        states: &[Table],
        back: Option<u32>,
    ) -> Option<Violation> {
        let mut worker = program.worker();
        let states: Vec<u64> = states
            .iter()
            .map(|state| self.propositions.valuation(program, &mut worker, state))
            .collect();
        let claimed = self.claims.list.get(claim)?;
        claimed.is_broken_by(&states, back).then(|| self.broken(program, claim))
    }

    /// Adds to steps which atoms of a claim they changed; lines about the start.
    pub fn tell_atoms(
        &self,
        program: &Program,
        claim: usize,
        retraced: &Retraced,
        steps: &mut [Step],
    ) -> Vec<String> {
        let concerned = self.claims.list.get(claim).map_or(0, Claim::atoms);
        let texts = self.propositions.texts().enumerate();
        let atoms: Vec<(usize, &str)> =
            texts.filter(|(number, _)| concerned >> number & 1 == 1).collect();
        add_atoms(program, &*self.propositions, &atoms, retraced, steps)
    }

    /// The atoms of a claim that had no value in some state.
    pub fn failures_of(&self, claim: usize) -> Vec<Failure> {
        let concerned = self.claims.list.get(claim).map_or(0, Claim::atoms);
        let mut failures = self.propositions.failures();
        failures.retain(|failure| concerned >> failure.number & 1 == 1);
        failures
    }

    /// The claims of which something is true, by number.
    pub fn numbers(&self, is: impl Fn(&Claim) -> bool) -> Vec<usize> {
        let list = self.claims.list.iter().enumerate();
        list.filter(|(_, claim)| is(claim)).map(|(number, _)| number).collect()
    }
}

fn not_understood(what: &str, error: impl Display) -> Error {
    Error::Unfit(format!("{what} is not understood\n{error}"))
}

/// Invariants, of those that are claimed: which hold in a state.
pub(crate) struct Invariants<'a> {
    /// What is claimed.
    pub claimed: &'a Claimed,
    /// The claims, by number.
    pub asked: &'a [usize],
}

impl Property<Program> for Invariants<'_> {
    fn check(
        &self,
        program: &Program,
        worker: &mut Worker,
        state: &Table,
        _: Option<Action>,
        tell: &mut dyn FnMut(Violation),
    ) {
        let bits = self.claimed.propositions.valuation(program, worker, state);
        for &number in self.asked {
            if self.claimed.claims.list[number].holds_in(bits) == Some(false) {
                tell(self.claimed.broken(program, number));
            }
        }
    }
}

/// Who says whether a way breaks a claim.
pub(crate) fn judge(claimed: Rc<Claimed>, claim: usize) -> Judge {
    Rc::new(move |program, states, back| claimed.judge(program, claim, states, back))
}

/// Whether steps are such that the claims mean something.
fn fits(
    program: &Program,
    claims: &Claims,
    propositions: &ProgramPropositions,
) -> Result<(), Error> {
    let granularity = program.options().granularity;
    if granularity == Granularity::Shared
        && let Some(claim) = claims.list.iter().find(|claim| claim.uses_next)
    {
        match claim.kind {
            ClaimKind::Automaton => unfit!(
                "{} does not say that it is stutter-invariant: it may count steps, and with --atomic \
                 lgc all that is private between two shared accesses is one step; use --atomic line or \
                 instr, or write `properties: stutter-invariant` into the file if it is",
                claim.text
            ),
            _ => unfit!(
                "`{}` counts steps by X, and with --atomic lgc all that is private between two shared \
                 accesses is one step, so the next state means nothing; write it without X, or use \
                 --atomic line or instr",
                claim.text
            ),
        }
    }
    if granularity != Granularity::Line
        && let Some(atom) = propositions.position()
    {
        unfit!(
            "`{atom}` says where a thread stands, and where it passes without touching shared memory is \
             seen only where each line is a step; use --atomic line"
        );
    }
    Ok(())
}
