//! Text for people: results on standard output, messages on standard error. Neither panics when
//! it has no reader.

use std::io::{self, Stderr, Write};

use steam_check::Listener;
use steam_trail::{Progress, ProgressMode, ProgressPrinter};

/// Writes to standard output, at once.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Writes a message with the tool's name in front.
pub fn complain(message: &str) {
    note(&format!("steam: {message}"));
}

/// Writes a line to standard error; where that is closed, there is nowhere to say it.
pub fn note(message: &str) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Whether an error means only that the reader of our output went away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Shows on standard error how far a search is.
pub struct Shown {
    mode: ProgressMode,
    printer: ProgressPrinter<Stderr>,
}

impl Shown {
    /// Nothing is shown yet.
    pub fn new(mode: ProgressMode) -> Self {
        Self { mode, printer: ProgressPrinter::new(io::stderr(), mode) }
    }
}

impl Listener for Shown {
    fn hear(&mut self, progress: &Progress) {
        self.printer.show(progress);
    }

    fn search_ends(&mut self) {
        self.printer.clear();
        *self = Self::new(self.mode);
    }
}
