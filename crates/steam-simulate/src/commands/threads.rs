//! Who goes on, and in which way.

use steam_state::ThreadId;

use super::frames::stack;
use super::{Answer, Command, Session, nothing, number};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "thread",
        aliases: &["t"],
        arguments: "[N | apply all bt]",
        help: "choose the thread that goes on; with `apply all bt`, the call stacks of all",
        run: thread,
    },
    Command {
        name: "choices",
        aliases: &["enabled"],
        arguments: "",
        help: "list what can happen next, with numbers for `choose`",
        run: choices,
    },
    Command {
        name: "choose",
        aliases: &[],
        arguments: "N",
        help: "choose a thread and the way in which it goes on, by its number in `choices`",
        run: choose,
    },
];

fn thread(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let simulation = &mut session.simulation;
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        [] => Ok(simulation.tell_place()),
        ["apply", "all", "bt" | "backtrace" | "where"] => Ok(all_stacks(session)),
        ["apply", ..] => Err("only `thread apply all bt` is known".to_owned()),
        [number] => {
            let thread: u32 = super::number(number, "thread")?;
            if !simulation.choose_thread(ThreadId(thread)) {
                return Err(format!("there is no thread {thread}: `info threads` lists all"));
            }
            session.listed = None;
            Ok(session.simulation.tell_place())
        }
        _ => Err("write one number: `t 2` chooses thread 2".to_owned()),
    }
}

fn all_stacks(session: &mut Session<'_, '_>) -> String {
    let simulation = &mut session.simulation;
    let mut text = String::new();
    for info in simulation.threads().iter().filter(|info| info.is_live()) {
        text.push_str(&format!("{} {}\n", info.who(), info.name));
        text.push_str(&stack(simulation, ThreadId(info.id)));
    }
    text
}

fn choices(session: &mut Session<'_, '_>, text: &str) -> Answer {
    nothing(text, "choices")?;
    let simulation = &mut session.simulation;
    let mut rows = Vec::new();
    let chosen = simulation.thread();
    for (choice, number) in simulation.choices().iter().zip(1..) {
        let mark = if choice.action.thread == chosen { '*' } else { ' ' };
        let recorded = if choice.recorded { "   (recorded)" } else { "" };
        let (place, who) = (choice.place.line_position(), simulation.who(choice.action.thread));
        rows.push(format!("{mark} {number}  {who}  {place}  {}{recorded}\n", choice.what));
    }
    for info in simulation.threads() {
        if let Some(waits) = &info.waits {
            let (who, place) = (info.who(), waits.place.line_position());
            rows.push(format!("  -  {who}  {place}  waits for {}\n", waits.what));
        }
    }
    match rows.is_empty() {
        true => Ok("nothing can happen: `back` goes to before\n".to_owned()),
        false => Ok(rows.concat()),
    }
}

fn choose(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let wanted: usize = number(text, "choice")?;
    let simulation = &mut session.simulation;
    let choices = simulation.choices();
    let Some(choice) = wanted.checked_sub(1).and_then(|index| choices.get(index)) else {
        return Err(format!("there are {} choices: `choices` lists them", choices.len()));
    };
    simulation.choose(choice.action);
    session.listed = None;
    let told = session.simulation.tell_place();
    Ok(format!("chosen: {}\n{told}", choice.what))
}
