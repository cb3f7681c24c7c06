//! How far a benchmark is: a line for each cell that is done, and on a terminal what is going on.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use steam_bench::{Cell, Ending, Event};

/// Shows events on standard error.
pub struct Shown {
    terminal: bool,
    /// Whether a line waits to be overwritten.
    waiting: Mutex<bool>,
}

impl Shown {
    /// Nothing is shown yet.
    pub fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), waiting: Mutex::new(false) }
    }

    /// Shows an event.
    pub fn show(&self, event: &Event<'_>) {
        match event {
            Event::Begins { model, method, scale } if self.terminal => {
                let name = (&model.name, method.name(), &method.compaction);
                self.line(&format!("{} {} {}: scale {scale} ...", name.0, name.1, name.2), true);
            }
            Event::Begins { .. } => {}
            Event::Done { cell, done, all } => {
                self.line(&format!("[{done}/{all}] {}", told(cell)), false);
            }
        }
    }

    /// Removes the line that waits.
    pub fn clear(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *waiting) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }

    /// Writes a line in place of the one that waits. Where it has no reader, that is no error.
    fn line(&self, text: &str, waits: bool) {
        self.clear();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = waits;
        let end = if waits { "" } else { "\n" };
        let _ = write!(io::stderr().lock(), "{text}{end}");
    }
}

fn told(cell: &Cell) -> String {
    let name = format!("{} {} {}", cell.model, cell.method.name(), cell.method.compaction);
    match cell.best() {
        Some(check) => format!(
            "{name}: s {}, l {}, {:.1} s, {:.0} MiB, {} states",
            check.scale,
            check.length.unwrap_or_default(),
            check.seconds,
            check.mebibytes(),
            check.states
        ),
        None => match cell.checks.first().map(|check| &check.ending) {
            Some(Ending::NotFound(why)) => format!("{name}: {} ({why})", cell.failure()),
            _ => format!("{name}: {}", cell.failure()),
        },
    }
}
