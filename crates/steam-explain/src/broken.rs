//! Claims about states and runs that a way breaks, and what holds along it.

use std::rc::Rc;

use steam_model::{Model, Propositions};
use steam_program::{Program, Violation};
use steam_report::Kind;
use steam_state::Table;
use steam_trail::{Change, Step, ViolationInfo};

use crate::retrace::Retraced;
use crate::{Explainer, points};

/// Says whether states one after the other are an error; those from a position on may be repeated for
/// ever.
pub type Judge = Rc<dyn Fn(&Program, &[Table], Option<u32>) -> Option<Violation>>;

impl Explainer<'_> {
    /// A claim that is broken by the way to a state, or in it.
    pub(crate) fn broken(&mut self, retraced: &Retraced, error: &Violation) -> ViolationInfo {
        let steps = self.steps(retraced);
        let message = error.report.message.clone();
        let last = steps.last();
        let location = last.map(|step| step.place.clone()).unwrap_or_default();
        // The variables that the claim names are shown with their values.
        let whose =
            last.map_or_else(String::new, |step| steam_trail::who(step.thread, step.process));
        let points = match last {
            Some(_) => points::of_error(&location, &whose, &message, &steps),
            None => Vec::new(),
        };
        let name = match error.kind {
            Kind::Invariant => "invariant",
            _ => "formula",
        };
        let headline = format!("{name} {message}");
        ViolationInfo {
            kind: error.kind.name().to_owned(),
            family: error.kind.family().to_owned(),
            summary: headline.clone(),
            headline,
            message,
            location,
            thread: last.map(|step| step.thread),
            step: last.map(|step| step.number),
            threads: self.threads(retraced, None),
            excerpts: self.sources.excerpts(&points),
            ..ViolationInfo::default()
        }
    }
}

/// Adds to each step which atoms it made true or false, of those that are named with their numbers; and
/// says which of them hold at the start.
pub fn add_atoms(
    program: &Program,
    propositions: &dyn Propositions<Program>,
    atoms: &[(usize, &str)],
    retraced: &Retraced,
    steps: &mut [Step],
) -> Vec<String> {
    let mut looker = program.worker();
    let word = |bits: u64, atom: usize| if bits >> atom & 1 == 1 { "true" } else { "false" };
    let mut bits = propositions.valuation(program, &mut looker, &retraced.initial);
    let start = atoms.iter().map(|(atom, text)| format!("{text} is {}", word(bits, *atom)));
    let start: Vec<String> = start.collect();
    for (step, traced) in steps.iter_mut().zip(&retraced.steps) {
        let Some(state) = &traced.after else { continue };
        let next = propositions.valuation(program, &mut looker, state);
        for (atom, text) in atoms.iter().filter(|(atom, _)| (bits ^ next) >> atom & 1 == 1) {
            let is_listed = step.changes.iter().any(|change| change.expression == *text);
            let (from, to) = (word(bits, *atom).to_owned(), word(next, *atom).to_owned());
            let change = Change { expression: (*text).to_owned(), from, to };
            step.changes.extend((!is_listed).then_some(change));
        }
        bits = next;
    }
    match start.is_empty() {
        true => Vec::new(),
        false => vec![format!("at the start: {}", start.join(", "))],
    }
}

/// The states along a way, as far as it leads to states; none where it does not.
pub(crate) fn states(retraced: &Retraced) -> Option<Vec<Table>> {
    let after = retraced.steps.iter().map(|traced| traced.after.clone());
    std::iter::once(Some(retraced.initial.clone())).chain(after).collect()
}

/// Whether nothing happens in a state on which the program can rely.
pub(crate) fn is_over(program: &Program, state: &Table) -> bool {
    let mut enabled = Vec::new();
    program.enabled(&mut program.worker(), state, &mut enabled);
    enabled.iter().all(|action| program.is_unfair(*action))
}
