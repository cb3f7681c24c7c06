//! Panes in a terminal.

use std::io;

use crate::commands::Session;

/// Shows panes until the user leaves.
pub fn run(_: &mut Session<'_, '_>) -> io::Result<()> {
    Ok(())
}
