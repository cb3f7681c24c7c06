//! Schedules: shown, kept in files, read back.

use std::path::Path;

use steam_explain::Explainer;
use steam_trail::quantity::counted;
use steam_trail::{End, Trail, quoted};

use super::{Answer, Command, Session, nothing};
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "schedule",
        aliases: &[],
        arguments: "",
        help: "the steps made, and where among them you stand",
        run: show,
    },
    Command {
        name: "save",
        aliases: &[],
        arguments: "FILE",
        help: "write the steps up to here to a trail file, for `steam replay FILE`",
        run: save,
    },
    Command {
        name: "load",
        aliases: &[],
        arguments: "FILE",
        help: "take over the schedule of a trail file, and stand at its start",
        run: load,
    },
];

fn show(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "schedule")?;
    let simulation = &session.simulation;
    let moment = simulation.moment();
    let mut text = String::new();
    let mark = match moment.turns {
        0 => "=> you are here\n",
        _ => "=> you are here, in the next step\n",
    };
    let here = |steps: usize| if steps == moment.steps { mark } else { "" };
    text.push_str(here(0));
    for index in 0..simulation.made().len() {
        text.push_str(&simulation.tell_step(index));
        text.push_str(here(index + 1));
    }
    let made = simulation.made().len();
    for (action, number) in simulation.planned.iter().zip(made + 1..) {
        text.push_str(&format!("Step {number}: {action}   (recorded)\n"));
    }
    Ok(text)
}

/// The steps up to where the user stands, as a trail.
pub(super) fn trail(simulation: &Simulation<'_>) -> Trail {
    let retraced = simulation.retraced();
    let mut explainer = Explainer::new(&simulation.program);
    let steps = explainer.steps(&retraced);
    let found = explainer.finding(&retraced);
    let end = found.map(|found| End { kind: found.kind, place: found.location });
    Trail { steps, end: end.unwrap_or_default(), ..simulation.form.clone() }
}

fn save(session: &mut Session<'_, '_>, text: &str) -> Answer {
    if text.is_empty() {
        return Err("write a file: `save x.trail`".to_owned());
    }
    let trail = trail(&session.simulation);
    session.around.save(Path::new(text), &trail)?;
    let inside = match session.simulation.moment().turns {
        0 => "",
        _ => ", without the one that is looked into",
    };
    let steps = counted(trail.steps.len() as u64, "step is", "steps are");
    let file = quoted(text);
    Ok(format!("{steps} in {text}{inside}    next: steam replay {file}\n"))
}

fn load(session: &mut Session<'_, '_>, text: &str) -> Answer {
    if text.is_empty() {
        return Err("write a file: `load x.trail`".to_owned());
    }
    let scene = session.around.load(Path::new(text))?;
    session.simulation.change_scene(scene);
    session.listed = None;
    Ok(session.greeting())
}
