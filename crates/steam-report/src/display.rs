//! The text of a report: verdict first, cause second, call stacks third, and last the one line
//! that editors understand.

use std::fmt;

use super::block::Site;
use super::{Kind, Location, Report, excerpt};

/// Functions of a call stack that are printed.
const FRAMES: usize = 24;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict(f)?;
        self.cause(f)?;
        self.stacks(f)?;
        self.last_line(f)
    }
}

impl Report {
    /// The verdict's line, whose first word is stable.
    fn verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Deadlock {
            return writeln!(f, "DEADLOCK   {}\n", self.message);
        }
        if self.is_violation() {
            return writeln!(f, "VIOLATION  {}: {}\n", self.headline(), self.message);
        }
        let place = self.location().map(|place| format!(" at {}", place.line_position()));
        writeln!(f, "UNKNOWN ({}{})\n", self.message, place.unwrap_or_default())
    }

    fn headline(&self) -> &'static str {
        match self.kind {
            Kind::UseAfterFree => "heap-use-after-free",
            kind => kind.name(),
        }
    }

    fn cause(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = self.location() else { return Ok(()) };
        let family = self.kind.family();
        if self.is_violation() {
            writeln!(f, "error[{family}]: {}", self.message)?;
        } else {
            writeln!(f, "error[{family}]: not modelled: {}", self.message)?;
        }
        let margin = place.line.unwrap_or_default().to_string().len();
        writeln!(f, "{}--> {}", " ".repeat(margin), place.position())?;
        f.write_str(&excerpt::show(place, &self.label()))
    }

    /// What stands beside the mark: the thread, and which library function the line called.
    fn label(&self) -> String {
        let thread = format!("thread {}", self.thread.0);
        match self.called() {
            Some(function) => format!("{thread}: in {function}, called from here"),
            None => thread,
        }
    }

    /// The function that the user's line called and in which the problem showed.
    fn called(&self) -> Option<String> {
        let called = &self.stack[..self.culprit?];
        called.iter().rev().find(|place| place.function.is_some()).map(Location::function_name)
    }

    fn stacks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.stack.is_empty() {
            writeln!(f, "call stack of thread {}", self.thread.0)?;
            frames(f, &self.stack)?;
        }
        let Some(block) = &self.block else { return Ok(()) };
        writeln!(f, "block of {} at {:#010x}", super::block::count(block.size), block.address)?;
        site(f, "allocated", block.allocated.as_ref())?;
        site(f, "freed", block.freed.as_ref())
    }

    fn last_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.location().map_or_else(|| "?".to_owned(), Location::position);
        let (word, message) = match self.is_violation() {
            true => ("error", format!("{}: {}", self.headline(), self.message)),
            false => ("unknown", self.message.clone()),
        };
        let called = self.called().map(|function| format!("in {function}, ")).unwrap_or_default();
        let (thread, kind) = (self.thread.0, self.kind.name());
        writeln!(f, "\n{place}: {word}: {message} ({called}thread {thread}) [steam::{kind}]")
    }
}

fn site(f: &mut fmt::Formatter<'_>, verb: &str, site: Option<&Site>) -> fmt::Result {
    let Some(site) = site else { return Ok(()) };
    writeln!(f, "{verb} by thread {}", site.thread.0)?;
    frames(f, &site.stack)
}

/// Prints a call stack. What the library did before `main` is left out.
fn frames(f: &mut fmt::Formatter<'_>, stack: &[Location]) -> fmt::Result {
    let users = stack.iter().rposition(Location::has_line).map_or(stack.len(), |last| last + 1);
    let stack = &stack[..users];
    for place in stack.iter().take(FRAMES) {
        let inlined = if place.inlined { " (inlined)" } else { "" };
        writeln!(f, "    {place}{inlined}")?;
    }
    match stack.len().checked_sub(FRAMES) {
        Some(more @ 1..) => writeln!(f, "    ... {more} more"),
        _ => Ok(()),
    }
}
