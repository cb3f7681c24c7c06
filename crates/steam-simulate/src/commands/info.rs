//! What there is: threads, locks, local variables, points.

use steam_trail::{Held, ThreadInfo};

use super::{Answer, Command, Session, points};

pub(super) const COMMANDS: &[Command] = &[Command {
    name: "info",
    aliases: &["i"],
    arguments: "threads | locks | locals | breakpoints | line | finding",
    help: "what there is",
    run: info,
}];

/// What answers a question.
type Explainer = fn(&mut Session<'_, '_>) -> String;

/// What can be asked, and the answers.
const TOPICS: &[(&str, Explainer)] = &[
    ("threads", threads),
    ("locks", locks),
    ("locals", locals),
    ("breakpoints", points::list),
    ("watchpoints", points::list),
    ("display", points::list),
    ("line", |session| session.simulation.tell_place()),
    ("finding", finding),
];

fn info(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let found: Vec<_> = TOPICS.iter().filter(|(name, _)| name.starts_with(text)).collect();
    match (text, &found[..]) {
        (_, [(_, tell)]) => Ok(tell(session)),
        // gdb's own beginnings.
        ("b" | "br", _) => Ok(points::list(session)),
        _ => Err("`info` knows threads, locks, locals, breakpoints, line and finding".to_owned()),
    }
}

fn threads(session: &mut Session<'_, '_>) -> String {
    let chosen = session.simulation.thread().0;
    let threads = session.simulation.threads();
    if threads.is_empty() {
        return "the program has ended\n".to_owned();
    }
    let width = threads.iter().map(|thread| thread.name.len()).max().unwrap_or(0);
    let row = |thread: &ThreadInfo| {
        let mark = if thread.id == chosen { '*' } else { ' ' };
        let place = thread.place();
        let state = match &thread.waits {
            Some(waits) => format!("waits for {}", waits.what),
            None => thread.state.clone(),
        };
        let held: Vec<&str> = thread.holds.iter().map(|held| held.what.as_str()).collect();
        let holds = match held.is_empty() {
            true => String::new(),
            false => format!(", holds {}", held.join(", ")),
        };
        let (id, name, line) = (thread.id, &thread.name, place.line_position());
        let function = place.function_name();
        format!("{mark} {id}  {name:<width$}  {function} at {line}  {state}{holds}\n")
    };
    threads.iter().map(row).collect()
}

fn locks(session: &mut Session<'_, '_>) -> String {
    let threads = session.simulation.threads();
    let wanted = |held: &Held| {
        let wants =
            |other: &&ThreadInfo| other.waits.as_ref().is_some_and(|waits| waits.what == held.what);
        let names: Vec<String> = threads.iter().filter(wants).map(ThreadInfo::who).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!(", wanted by {}", names.join(", ")),
        }
    };
    let mut text = String::new();
    for thread in &threads {
        for held in &thread.holds {
            let (what, taken) = (&held.what, held.taken.line_position());
            let wanted = wanted(held);
            text.push_str(&format!("{what} held by {}, taken {taken}{wanted}\n", thread.who()));
        }
    }
    if text.is_empty() { "none held\n".to_owned() } else { text }
}

fn locals(session: &mut Session<'_, '_>) -> String {
    let simulation = &mut session.simulation;
    let mut text = String::new();
    for name in simulation.locals() {
        let value = simulation.evaluate(&name, None);
        let value = value.map_or_else(|_| "<not known here>".to_owned(), |(value, _)| value);
        text.push_str(&format!("{name} = {value}\n"));
    }
    if text.is_empty() { "no local variables are known here\n".to_owned() } else { text }
}

fn finding(session: &mut Session<'_, '_>) -> String {
    match session.simulation.tell_finding() {
        text if text.is_empty() => "nothing is wrong here\n".to_owned(),
        text => text,
    }
}
