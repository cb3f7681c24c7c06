//! Going on: by visible operation, line, instruction, up to the next stop, to a step.

use super::{Answer, Command, Session, count, nothing, number};
use crate::moves::{Stop, Unit, Went};
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "step",
        aliases: &["s"],
        arguments: "[N]",
        help: "let the chosen thread go to another line, also into functions",
        run: |session, text| repeated(session, text, |it| it.step_line(Unit::Line)),
    },
    Command {
        name: "next",
        aliases: &["n"],
        arguments: "[N]",
        help: "let the chosen thread go to another line, over calls of functions",
        run: |session, text| repeated(session, text, |it| it.step_line(Unit::LineOver)),
    },
    Command {
        name: "finish",
        aliases: &["fin"],
        arguments: "",
        help: "let the chosen thread go on until its function has returned",
        run: finish,
    },
    Command {
        name: "stepi",
        aliases: &["si"],
        arguments: "[N]",
        help: "let the chosen thread do one instruction",
        run: stepi,
    },
    Command {
        name: "visible",
        aliases: &["v"],
        arguments: "[N]",
        help: "let the chosen thread do its next visible operation: one step of the schedule",
        run: |session, text| repeated(session, text, Simulation::step_visible),
    },
    Command {
        name: "continue",
        aliases: &["c"],
        arguments: "",
        help: "go on, along the recorded schedule first, up to a stop, an error or the end",
        run: run_on,
    },
    Command {
        name: "goto",
        aliases: &[],
        arguments: "N",
        help: "go to the place after step N of those made or recorded, forwards or back",
        run: goto,
    },
];

/// A move, done as often as the text says, until something comes between.
fn repeated<'i>(
    session: &mut Session<'i, '_>,
    text: &str,
    go: impl Fn(&mut Simulation<'i>) -> Result<Went, Stop>,
) -> Answer {
    let count = count(text)?;
    let simulation = &mut session.simulation;
    let from = simulation.moment().steps;
    let mut last = None;
    for _ in 0..count {
        match go(simulation) {
            Ok(went) => last = Some(went),
            Err(stop) if last.is_none() => return Err(refusal(simulation, &stop)),
            Err(stop) => last = last.map(|went| Went { stop, ..went }),
        }
        if last.as_ref().is_some_and(|went| went.stop != Stop::Done) {
            break;
        }
    }
    session.listed = None;
    let simulation = &mut session.simulation;
    Ok(last
        .map(|went| simulation.tell(&Went { made: from..went.made.end, ..went }))
        .unwrap_or_default())
}

/// Why a move cannot begin, and what to do.
pub(super) fn refusal(simulation: &mut Simulation<'_>, stop: &Stop) -> String {
    if simulation.state().is_none() {
        return "nothing follows an error: `back` goes to before it".to_owned();
    }
    simulation.tell_stop(stop).trim_end().to_owned()
}

fn finish(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "finish")?;
    repeated(session, "", |simulation| simulation.step_line(Unit::Out))
}

fn stepi(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let told = repeated(session, text, Simulation::step_instruction)?;
    Ok(told + &session.simulation.tell_instruction())
}

fn run_on(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "continue")?;
    repeated(session, "", Simulation::run)
}

fn goto(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let steps: usize = number(text, "number of steps")?;
    let there = session.simulation.schedule().len();
    if steps > there {
        return Err(format!("there are {there} steps: `goto {there}` goes to the last"));
    }
    session.listed = None;
    let went = session.simulation.go_to(steps);
    Ok(session.simulation.tell(&went))
}
