//! The threads of an error: where they are, what they hold, what they wait for.

use super::paint::clean;
use crate::place::Place;
use crate::violation::{Held, ThreadInfo, ViolationInfo, Waits};
use crate::waits::wait_cycle;

/// Rows that are printed of a list of threads or locks.
const ROWS: usize = 24;

/// Whether an error is that threads wait: its verdict is followed by who waits for what.
pub(super) fn is_about_waits(violation: &ViolationInfo) -> bool {
    matches!(violation.kind.as_str(), "deadlock" | "hang")
}

/// Below the verdict of a deadlock or a hang: the threads that loop, the cycle, then all others that wait.
pub(super) fn waiting(violation: &ViolationInfo) -> String {
    let cycle = wait_cycle(&violation.threads);
    let find = |id: &u32| violation.threads.iter().find(|thread| thread.id == *id);
    let others = violation.threads.iter().filter(|thread| !cycle.contains(&thread.id));
    let looping = violation.threads.iter().filter_map(looping_line);
    let waiting = cycle.iter().filter_map(find).chain(others).filter_map(waiting_line);
    limited(looping.chain(waiting).collect()).concat()
}

/// `thread 3 loops forever at spin.c:5, where flag == 0`.
fn looping_line(thread: &ThreadInfo) -> Option<String> {
    let loops = thread.loops.as_ref()?;
    let places: Vec<String> = loops.places.iter().map(Place::line_position).collect();
    let reads = loops.reads();
    let reads = if reads.is_empty() { reads } else { format!(", where {reads}") };
    let line =
        format!("{}{} loops forever at {}{reads}", thread.who(), held(thread), places.join(", "));
    Some(format!("  {}\n", clean(&line)))
}

/// `thread 2 holds A (taken philo.c:14) waits for B (philo.c:15)`.
fn waiting_line(thread: &ThreadInfo) -> Option<String> {
    let waits = thread.waits.as_ref()?;
    let line = format!("{}{} waits for {} ({})", thread.who(), held(thread), waits.what, by(waits));
    Some(format!("  {}\n", clean(&line)))
}

/// ` holds A (taken philo.c:14)`, or nothing.
fn held(thread: &ThreadInfo) -> String {
    let held = |held: &Held| format!("{} (taken {})", held.what, held.taken.line_position());
    let held: Vec<String> = thread.holds.iter().map(held).collect();
    if held.is_empty() { String::new() } else { format!(" holds {}", held.join(", ")) }
}

/// How and where a thread waits.
fn by(waits: &Waits) -> String {
    let place = waits.place.line_position();
    waits.via.as_ref().map_or(place.clone(), |via| format!("{via}, {place}"))
}

/// The tables of threads and of locks.
pub(super) fn tables(violation: &ViolationInfo) -> String {
    if violation.threads.is_empty() {
        return String::new();
    }
    let locks = locks(violation);
    let locks = if locks.is_empty() { vec!["none held\n".to_owned()] } else { locks };
    let processes = violation.threads.iter().all(|thread| thread.process);
    let label = if processes { "processes" } else { "threads" };
    labelled(label, limited(threads(violation))) + &labelled("locks", limited(locks))
}

/// Lines with a label before the first and as much room before the others.
fn labelled(label: &str, lines: Vec<String>) -> String {
    let lines = lines.iter().enumerate().map(|(index, line)| {
        let label = if index == 0 { label } else { "" };
        format!("{label:<10}{line}")
    });
    lines.collect()
}

fn limited(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > ROWS {
        let more = lines.len() - (ROWS - 1);
        lines.truncate(ROWS - 1);
        lines.push(format!("  ... and {more} more\n"));
    }
    lines
}

/// A row for each thread; those that are part of the error come first if not all can be shown.
fn threads(violation: &ViolationInfo) -> Vec<String> {
    let mut threads: Vec<&ThreadInfo> = violation.threads.iter().collect();
    if threads.len() > ROWS {
        let cycle = wait_cycle(&violation.threads);
        threads.sort_by_key(|thread| {
            let concerned = violation.thread == Some(thread.id) || cycle.contains(&thread.id);
            (!concerned, thread.id)
        });
    }
    let cells: Vec<[String; 5]> = threads.iter().map(|thread| cells(thread)).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 5] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let row = |cells: &[String; 5]| {
        let [id, name, place, function, state] = cells;
        let [w0, w1, w2, w3, _] = widths;
        format!("{id:>w0$} {name:<w1$}   {place:<w2$} {function:<w3$}  {state}\n")
    };
    cells.iter().map(row).collect()
}

/// Number, name, place, function, and the state or what the thread waits for.
fn cells(thread: &ThreadInfo) -> [String; 5] {
    let place = thread.place();
    let state = match &thread.waits {
        Some(waits) => format!("waits for {}", waits.what),
        None if thread.loops.is_some() => "loops forever".to_owned(),
        None => thread.state.clone(),
    };
    let function = place.function_name().to_owned();
    [thread.id.to_string(), thread.name.clone(), place.line_position(), function, state]
        .map(|cell| clean(&cell))
}

/// A row for each thing that is held: by whom, since where, and who wants it.
fn locks(violation: &ViolationInfo) -> Vec<String> {
    let mut rows = Vec::new();
    for thread in &violation.threads {
        for held in &thread.holds {
            let wants = |other: &&ThreadInfo| {
                other.waits.as_ref().is_some_and(|waits| waits.what == held.what)
            };
            let wanted: Vec<String> =
                violation.threads.iter().filter(wants).map(|other| other.who()).collect();
            let wanted = match wanted.as_slice() {
                [] => String::new(),
                some => format!(", wanted by {}", some.join(", ")),
            };
            let taken = held.taken.line_position();
            let row = format!("{} held by {}, taken {taken}{wanted}", held.what, thread.who());
            rows.push(format!("{}\n", clean(&row)));
        }
    }
    rows
}
