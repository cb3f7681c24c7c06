//! Going back, by the same units as on.

use super::{Answer, Command, Session, count, nothing};
use crate::moves::{Stop, Went};
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "reverse-step",
        aliases: &["rs"],
        arguments: "[N]",
        help: "go back to where a line began",
        run: |session, text| back(session, text, Simulation::back_line),
    },
    Command {
        name: "reverse-stepi",
        aliases: &["rsi"],
        arguments: "[N]",
        help: "go back by one instruction",
        run: back_instruction,
    },
    Command {
        name: "back",
        aliases: &["reverse-visible", "rv"],
        arguments: "[N]",
        help: "go back to before the last step of the schedule",
        run: |session, text| back(session, text, Simulation::back_visible),
    },
    Command {
        name: "reverse-continue",
        aliases: &["rc"],
        arguments: "",
        help: "go back to the last breakpoint, or to before a watched expression changed",
        run: back_run,
    },
];

fn back<'i>(
    session: &mut Session<'i, '_>,
    text: &str,
    go: impl Fn(&mut Simulation<'i>) -> Stop,
) -> Answer {
    let count = count(text)?;
    let simulation = &mut session.simulation;
    let mut stop = Stop::Done;
    for done in 0..count {
        stop = go(simulation);
        if stop == Stop::Start && done == 0 {
            return Err("this is the start: `c` or `v` goes on".to_owned());
        }
        if stop != Stop::Done {
            break;
        }
    }
    session.listed = None;
    Ok(told(session, stop))
}

fn told(session: &mut Session<'_, '_>, stop: Stop) -> String {
    let here = session.simulation.moment().steps;
    session.simulation.tell(&Went { made: here..here, stop })
}

fn back_instruction(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let told = back(session, text, Simulation::back_instruction)?;
    Ok(told + &session.simulation.tell_instruction())
}

fn back_run(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "reverse-continue")?;
    let stop = session.simulation.back_run();
    session.listed = None;
    Ok(told(session, stop))
}
