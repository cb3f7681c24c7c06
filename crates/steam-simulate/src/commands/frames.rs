//! Call stacks, and whose local variables are meant.

use steam_state::ThreadId;

use super::{Answer, Command, Session, count, nothing, number};
use crate::simulation::Simulation;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "backtrace",
        aliases: &["bt", "where"],
        arguments: "",
        help: "the call stack of the chosen thread; `thread apply all bt` shows all",
        run: backtrace,
    },
    Command {
        name: "frame",
        aliases: &["f"],
        arguments: "[N]",
        help: "mean the local variables of function N of the call stack",
        run: frame,
    },
    Command {
        name: "up",
        aliases: &[],
        arguments: "[N]",
        help: "mean those of the calling function",
        run: |session, text| moved(session, count(text)? as isize),
    },
    Command {
        name: "down",
        aliases: &[],
        arguments: "[N]",
        help: "mean those of the called function",
        run: |session, text| moved(session, -(count(text)? as isize)),
    },
];

/// The call stack of a thread; the function whose variables are meant is marked.
pub(super) fn stack(simulation: &mut Simulation<'_>, thread: ThreadId) -> String {
    let own = thread == simulation.thread();
    let selected = own.then(|| simulation.selected());
    let frames = simulation.frames(thread);
    // What called main, or the function of a thread, is the library's.
    let last = frames.iter().rposition(|frame| frame.location.is_users());
    let shown = last.map_or(frames.len(), |last| last + 1);
    let mut text = String::new();
    for (number, frame) in frames[..shown].iter().enumerate() {
        let mark = if selected == Some(number) { '*' } else { ' ' };
        let location = &frame.location;
        let place = match location.has_line() {
            true => format!("at {}", location.line_position()),
            false => format!("({:#010x})", location.address),
        };
        text.push_str(&format!("{mark} #{number}  {} {place}\n", location.function_name()));
    }
    text
}

fn backtrace(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "backtrace")?;
    let thread = session.simulation.thread();
    match stack(&mut session.simulation, thread) {
        text if text.is_empty() => Err("there is no call stack: `info threads` lists all".into()),
        text => Ok(text),
    }
}

fn frame(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let wanted = match text {
        "" => session.simulation.selected(),
        text => number(text, "function of the call stack")?,
    };
    select(session, wanted)
}

fn moved(session: &mut Session<'_, '_>, by: isize) -> Answer {
    let now = session.simulation.selected();
    match now.checked_add_signed(by) {
        Some(wanted) => select(session, wanted),
        None => Err("this is the innermost function: `up` goes out".to_owned()),
    }
}

fn select(session: &mut Session<'_, '_>, wanted: usize) -> Answer {
    let simulation = &mut session.simulation;
    if !simulation.select(wanted) {
        return Err("the call stack is not so deep: `bt` shows it".to_owned());
    }
    session.listed = None;
    let Some(frame) = session.simulation.selected_frame() else { return Ok(String::new()) };
    let place = steam_explain::users_place(std::slice::from_ref(&frame.location));
    let (name, line) = (frame.location.function_name(), frame.location.line_position());
    Ok(format!("#{wanted}  {name} at {line}\n") + &session.simulation.source_line(&place))
}
