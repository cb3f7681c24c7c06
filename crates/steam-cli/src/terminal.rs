//! Text for people: results on standard output, messages on standard error. Neither panics when
//! nobody reads it.

use std::io::{self, Write};

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

/// Writes a line to standard error; where that is closed, nobody can be told.
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
