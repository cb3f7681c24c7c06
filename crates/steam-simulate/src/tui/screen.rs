//! What the panes show, as plain data.

use steam_trail::render::{happened, step_line};

use crate::commands::Session;
use crate::points::Point;

/// Local variables that are shown beside those that are watched or displayed.
const LOCALS: usize = 40;
/// Steps before and after the user that are shown.
const NEAR: usize = 200;

/// A line of source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRow {
    /// Its number.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// The threads that are there.
    pub threads: Vec<u32>,
    /// Whether a breakpoint is there.
    pub stops: bool,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadRow {
    /// Its number.
    pub id: u32,
    /// Name, place and state.
    pub text: String,
    /// Whether it waits.
    pub waits: bool,
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableRow {
    /// The expression.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether the last command changed it.
    pub changed: bool,
}

/// All panes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// The file that is shown.
    pub file: String,
    /// Its lines.
    pub source: Vec<SourceRow>,
    /// The line of the chosen thread.
    pub line: Option<u32>,
    /// The threads.
    pub threads: Vec<ThreadRow>,
    /// The chosen one.
    pub chosen: u32,
    /// Displayed and watched expressions, then local variables.
    pub variables: Vec<VariableRow>,
    /// The steps made and recorded that are near, each with how many come before it.
    pub schedule: Vec<(usize, String)>,
    /// How many of them the user stands after.
    pub steps: usize,
    /// Whether the next step is looked into.
    pub inside: bool,
}

impl Screen {
    /// Looks at a session; what differs from `before` is marked.
    pub fn of(session: &mut Session<'_, '_>, before: Option<&Self>) -> Self {
        let mut screen = Self::default();
        screen.look_at_threads(session);
        screen.look_at_source(session, before);
        screen.look_at_variables(session, before);
        screen.look_at_schedule(session);
        screen
    }

    /// The number of the thread some rows below the chosen one.
    pub fn beside(&self, by: isize) -> Option<u32> {
        let at = self.threads.iter().position(|thread| thread.id == self.chosen);
        let at = at.unwrap_or(0).checked_add_signed(by)?;
        self.threads.get(at).map(|thread| thread.id)
    }

    fn look_at_threads(&mut self, session: &mut Session<'_, '_>) {
        let simulation = &mut session.simulation;
        self.chosen = simulation.thread().0;
        for thread in simulation.threads() {
            let state = match &thread.waits {
                Some(waits) => format!("waits for {}", waits.what),
                None => thread.state.clone(),
            };
            let held: Vec<&str> = thread.holds.iter().map(|held| held.what.as_str()).collect();
            let held = match held.is_empty() {
                true => String::new(),
                false => format!(", holds {}", held.join(", ")),
            };
            let place = thread.place();
            let file = place.file.as_deref().unwrap_or("?");
            let file = file.rsplit('/').next().unwrap_or(file);
            let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
            let text = format!("{} {} {file}{line} {state}{held}", thread.id, thread.name);
            self.threads.push(ThreadRow { id: thread.id, text, waits: thread.waits.is_some() });
        }
    }

    fn look_at_source(&mut self, session: &mut Session<'_, '_>, before: Option<&Self>) {
        let simulation = &mut session.simulation;
        let line = simulation.line();
        self.line = line.as_ref().map(|line| line.number);
        self.file = match (&line, before) {
            (Some(line), _) => line.file.to_string(),
            (None, Some(before)) => before.file.clone(),
            (None, None) => String::new(),
        };
        let places: Vec<(u32, u32)> = simulation
            .threads_at(&self.file)
            .into_iter()
            .chain(self.line.map(|line| (line, self.chosen)))
            .collect();
        let stops = simulation.stops_in(&self.file);
        let lines = simulation.sources.lines(&self.file).unwrap_or_default();
        self.source = lines
            .iter()
            .zip(1..)
            .map(|(text, number)| {
                let mut threads: Vec<u32> =
                    places.iter().filter(|(line, _)| *line == number).map(|(_, id)| *id).collect();
                threads.sort_unstable();
                threads.dedup();
                let text = text.replace('\t', "    ");
                SourceRow { number, text, threads, stops: stops.contains(&number) }
            })
            .collect();
    }

    fn look_at_variables(&mut self, session: &mut Session<'_, '_>, before: Option<&Self>) {
        let simulation = &mut session.simulation;
        let named = simulation.points.iter().filter_map(|(_, point)| match point {
            Point::Watch { text, .. } => Some((text.clone(), None)),
            Point::Display { text, format } => Some((text.clone(), *format)),
            Point::Break { .. } => None,
        });
        let mut names: Vec<(String, Option<char>)> = named.collect();
        names.extend(simulation.locals().into_iter().take(LOCALS).map(|name| (name, None)));
        for (name, format) in names {
            let value = simulation.evaluate(&name, format);
            let value = value.map_or_else(|_| "<not known here>".to_owned(), |(value, _)| value);
            let old = before.and_then(|it| it.variables.iter().find(|row| row.name == name));
            let changed = old.is_some_and(|row| row.value != value);
            self.variables.push(VariableRow { name, value, changed });
        }
    }

    fn look_at_schedule(&mut self, session: &mut Session<'_, '_>) {
        let simulation = &session.simulation;
        let moment = simulation.moment();
        (self.steps, self.inside) = (moment.steps, moment.turns > 0);
        let near = moment.steps.saturating_sub(NEAR)..moment.steps + NEAR;
        let made = simulation.made().len();
        for index in near.clone().take_while(|&index| index < made) {
            let Some(step) = simulation.told(index) else { continue };
            let line = step_line(&step);
            let line = line.strip_prefix("Step ").unwrap_or(&line);
            self.schedule.push((index, format!("{line}   {}", happened(&step))));
        }
        for (action, index) in simulation.planned.iter().zip(made..near.end) {
            self.schedule.push((index, format!("{}: {action}   (recorded)", index + 1)));
        }
    }
}
