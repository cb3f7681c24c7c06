//! What the last step changed: variables, threads, locks.

use steam_image::{Place, Variable};
use steam_trail::ThreadInfo;

use super::{Answer, Command, Session, nothing};
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[Command {
    name: "diff",
    aliases: &[],
    arguments: "",
    help: "what the last step changed, or the one that is looked into so far",
    run: diff,
}];

/// All that is compared.
struct Picture {
    variables: Vec<(String, String)>,
    threads: Vec<(u32, String)>,
}

fn diff(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "diff")?;
    let simulation = &mut session.simulation;
    let moment = simulation.moment();
    let now = picture(simulation);
    let thread = simulation.thread();
    let before = match (moment.turns, moment.steps) {
        (0, 0) => return Err("no step was made: `v` makes one".to_owned()),
        (0, steps) => at(simulation, steps - 1),
        (_, steps) => at(simulation, steps),
    };
    simulation.return_to(moment, thread);
    let mut text = String::new();
    for (name, to) in &now.variables {
        let from = before.variables.iter().find(|(own, _)| own == name);
        if let Some((_, from)) = from.filter(|(_, from)| from != to) {
            text.push_str(&format!("{name}: {from} -> {to}\n"));
        }
    }
    let ids = |picture: &Picture| picture.threads.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let mut all = [ids(&before), ids(&now)].concat();
    all.sort_unstable();
    all.dedup();
    for id in all {
        let told = |picture: &Picture| {
            let found = picture.threads.iter().find(|(own, _)| *own == id);
            found.map_or_else(|| "not there".to_owned(), |(_, told)| told.clone())
        };
        let (from, to) = (told(&before), told(&now));
        if from != to {
            text.push_str(&format!("thread {id}: {from} -> {to}\n"));
        }
    }
    Ok(if text.is_empty() { "nothing that has a name\n".to_owned() } else { text })
}

fn at(simulation: &mut Simulation<'_>, steps: usize) -> Picture {
    simulation.stand(steps);
    picture(simulation)
}

fn picture(simulation: &mut Simulation<'_>) -> Picture {
    let threads = simulation.threads();
    let threads = threads.iter().map(|thread| (thread.id, told(thread))).collect();
    let mut variables = Vec::new();
    for name in names(simulation) {
        if let Ok(value) = simulation.evaluate_global(&name) {
            variables.push((name, value));
        }
    }
    Picture { variables, threads }
}

fn told(thread: &ThreadInfo) -> String {
    let state = match &thread.waits {
        Some(waits) => format!("waits for {}", waits.what),
        None => thread.state.clone(),
    };
    let held: Vec<&str> = thread.holds.iter().map(|held| held.what.as_str()).collect();
    let held = if held.is_empty() { String::new() } else { format!(", holds {}", held.join(", ")) };
    format!("{} {state}{held}", thread.place().line_position())
}

/// The global and static variables, as they are written in expressions.
fn names(simulation: &Simulation<'_>) -> Vec<String> {
    let Ok(declared) = simulation.image.declarations.get() else { return Vec::new() };
    let fixed = |variable: &&Variable| variable.place != Place::OptimisedAway;
    let name = |variable: &Variable| match (&variable.function, variable.scope.is_empty()) {
        (Some(function), _) => format!("{function}::{}", variable.name),
        (None, true) => variable.name.to_string(),
        (None, false) => format!("{}::{}", variable.scope, variable.name),
    };
    let mut names: Vec<String> = declared.all_variables().filter(fixed).map(name).collect();
    names.sort();
    names.dedup();
    names
}
