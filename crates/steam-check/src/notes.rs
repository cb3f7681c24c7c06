//! What the user should know beside the verdict.

use steam_explain::Explainer;
use steam_image::Image;
use steam_program::Program;
use steam_props::ProgramPropositions;
use steam_report::Kind;
use steam_search::End;

use crate::claimed::Claimed;
use crate::phases::Phase;

/// What the user should know beside the verdict.
pub(crate) fn notes(
    image: &Image,
    program: &Program,
    claimed: Option<&Claimed>,
    phases: &[Phase],
) -> Vec<String> {
    let lines = image.lines.missing().map(ToString::to_string);
    let by_pilots = |phase: &Phase| phase.checked.violation_iterations.first() == Some(&0);
    let unclear = claimed.is_some_and(|claimed| !claimed.propositions.failures().is_empty());
    let unclear = unclear.then(|| SAY_WHEN.to_owned());
    let piloted = phases.iter().any(by_pilots).then(|| BY_PILOTS.to_owned());
    let everywhere = phases.iter().all(|phase| phase.checked.outcome.end == End::Exhausted);
    let explored = claimed.filter(|_| everywhere).map(|claimed| &*claimed.propositions);
    let no_locks = explored.into_iter().flat_map(ProgramPropositions::without_locks);
    let no_locks = no_locks.map(|atom| {
        format!("no thread has used what is at the address in `{atom}` as a lock: it holds nowhere")
    });
    let no_threads = explored.into_iter().flat_map(ProgramPropositions::without_threads);
    let no_threads = no_threads.map(|atom| {
        format!(
            "the thread in `{atom}` is never there, so that it holds nowhere: main is 1, the others are \
             numbered as they are created"
        )
    });
    let notes = lines.into_iter().chain(piloted).chain(unclear).chain(no_locks).chain(no_threads);
    let found = phases.iter().any(|phase| !phase.checked.outcome.violations.is_empty());
    // A search that ended with an error may have come no further.
    let vacuous = if found { Vec::new() } else { program.vacuous() };
    notes.chain(vacuous).chain(program.notes()).collect()
}

/// Said where an atom has no value.
const SAY_WHEN: &str = "say within one atom where it has a value: braces hold one together, and && \
    stops there as in C: {p && p->next}";

/// Warnings of locks that threads take in different orders, where no deadlock was found.
pub(crate) fn lock_orders(program: &Program, phases: &[Phase]) -> Vec<String> {
    let mut found = phases.iter().flat_map(|phase| &phase.checked.outcome.violations);
    if found.any(|finding| finding.what.kind == Kind::Deadlock) {
        return Vec::new();
    }
    let explainer = Explainer::new(program);
    program.lock_cycles().iter().take(LOCK_CYCLES).map(|it| explainer.lock_cycle(it)).collect()
}

/// So many cycles of locks are reported.
const LOCK_CYCLES: usize = 3;

/// Said where the error is none of the search's own: its trail is as long as chance made it.
const BY_PILOTS: &str = "the error was met by the random runs before the search, which found none \
    of its own; its trail need not be a short one";
