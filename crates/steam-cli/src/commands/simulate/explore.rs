//! `explore`: a check of all that can follow from where the user stands.
//!
//! A search may learn that threads share more than was known, and makes finer steps then. The path
//! to the user's place is reported in those finer steps too: a step of before is several of one thread.

use std::sync::Arc;

use steam_check::{Beyond, explore_from, known, set_known};
use steam_explain::{Ends, Explainer, RaceSought, Retracing, retrace};
use steam_model::{Delta, Model, Silent, Step};
use steam_program::{Action, Program};
use steam_report::Kind;
use steam_simulate::{Explored, Found, actions};
use steam_state::{Table, ThreadId};
use steam_trail::quantity::counted;
use steam_trail::render::{View, human_finding};
use steam_trail::{End, Trail, ViolationInfo};

use super::surroundings::Host;
use crate::terminal::Shown;

/// Finer steps that one step may become.
const FINEST: usize = 10_000;

/// Looks for an error after the steps of a path.
pub fn explore(host: &Host, trail: &Trail) -> anyhow::Result<Explored> {
    let program = host.setup.program_with(&known(trail))?;
    let schedule = actions(trail);
    let states = states(&program, &schedule);
    let mut shown = Shown::new(host.check.progress);
    let from = (&program, states.last().cloned());
    let stop = Arc::clone(&host.stop);
    let Beyond { finding, report } = explore_from(&host.check.config, from, stop, &mut shown)?;
    let statistics = &report.statistics;
    let explored = counted(statistics.states, "state", "states");
    let cost = format!("{explored}, depth {}\n", statistics.depth);
    let Some(finding) = finding else {
        let text = format!("{} from here\n{cost}", report.verdict.line(&report));
        return Ok(Explored { text, found: None });
    };
    let Some(rest) = &finding.trail else {
        let told = Explainer::new(&program).without_trail(&finding.what.report);
        let text = human_finding(&told, false, &View::default()) + &cost;
        return Ok(Explored { text, found: None });
    };
    let begin = refined(&program, &states, &schedule);
    let rules = program.known_in(usize::MAX);
    let is_race = finding.what.kind == Kind::Race;
    let race = is_race.then(|| RaceSought::Error(finding.what.clone()));
    let (told, found) = match &begin {
        Some(begin) => told(host, trail, rules, begin, (rest, finding.cycle), race)?,
        None => (None, None),
    };
    let told = told.unwrap_or_else(|| Explainer::new(&program).without_trail(&finding.what.report));
    let text = human_finding(&told, false, &View::default()) + &cost;
    Ok(Explored { text, found })
}

/// What was found, and the whole path to it.
fn told(
    host: &Host,
    trail: &Trail,
    rules: String,
    begin: &[Action],
    (rest, cycle): (&[Action], Option<u32>),
    race: Option<RaceSought>,
) -> anyhow::Result<(Option<ViolationInfo>, Option<Found>)> {
    let mut form = Trail { steps: Vec::new(), ..trail.clone() };
    set_known(&mut form, rules);
    let scene = host.scene(form)?;
    let cycle = cycle.map(|begins| begins + begin.len() as u32);
    let sought = Ends { deadlock: scene.deadlocks, cycle, race, ..Ends::default() };
    let retraced = retrace(&scene.program, &[begin, rest].concat(), sought);
    let mut explainer = Explainer::new(&scene.program);
    let Some(told) = explainer.finding(&retraced) else { return Ok((None, None)) };
    let end = End { kind: told.kind.clone(), place: told.location.clone() };
    let trail = Trail { steps: explainer.steps(&retraced), end, cycle, ..scene.trail.clone() };
    let found = Found { scene: host.scene(trail)?, steps: begin.len() };
    Ok((Some(told), Some(found)))
}

/// The states along a schedule, the first one before it.
fn states(program: &Program, schedule: &[Action]) -> Vec<Table> {
    let mut tracing = Retracing::new(program);
    for &action in schedule {
        tracing.go(program, action);
    }
    let retraced = tracing.retraced();
    let after = retraced.steps.iter().filter_map(|traced| traced.after.clone());
    std::iter::once(retraced.initial.clone()).chain(after).collect()
}

/// A schedule along given states, by the rules that the program has learned since.
fn refined(program: &Program, states: &[Table], schedule: &[Action]) -> Option<Vec<Action>> {
    let mut finer = Vec::new();
    let mut worker = program.worker();
    for (&action, pair) in schedule.iter().zip(states.windows(2)) {
        let (mut state, goal) = (pair[0].clone(), &pair[1]);
        let mut next = Some(action);
        for _ in 0..FINEST {
            let Some(action) = next else { break };
            let mut delta = Delta::new();
            let step = program.step(&mut worker, &state, action, &mut delta, &mut Silent);
            if step != Step::Next {
                return None;
            }
            delta.normalise();
            state = program.patch(&mut worker, &state, delta.changes());
            finer.push(action);
            next = behind(program, &state, goal, action.thread);
        }
        if differ(&state, goal) {
            return None;
        }
    }
    Some(finer)
}

/// The step of a thread that is not yet where it is in a later state, first of all this one.
fn behind(program: &Program, state: &Table, goal: &Table, first: ThreadId) -> Option<Action> {
    let views = program.view(state);
    let others = views.iter().map(|view| view.thread);
    let mut threads = std::iter::once(first).chain(others);
    let is_behind = |&thread: &ThreadId| {
        let place = |state: &Table| program.view_of(state, thread).map(|view| view.eip);
        place(state).is_some()
            && (place(state) != place(goal)
                || program.pending(state, thread) != program.pending(goal, thread))
    };
    threads.find(is_behind).map(|thread| Action { thread, choice: 0 })
}

fn differ(one: &Table, other: &Table) -> bool {
    let mut differ = false;
    one.differences(other, &mut |_| differ = true);
    differ
}
