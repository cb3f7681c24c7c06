//! The executable of a plan, loaded: what a compiler lacks is reported, and what it leaves behind is removed.

use std::path::Path;

use steam_check::{Executable, Guest, Origin};
use steam_compile::{Build, Error};

use crate::interrupt;
use crate::terminal;

/// Reads a program, which is compiled first where it has to be.
pub fn load(origin: &Origin, guest: &Guest) -> anyhow::Result<Executable> {
    let load = || Executable::load(origin, guest);
    let loaded = match origin {
        Origin::Executable(_) => load(),
        Origin::Build(_) => interrupt::outlive(load)?,
    };
    Ok(loaded.inspect_err(|error| error.advice().into_iter().for_each(terminal::complain))?)
}

/// Compiles into a file.
pub fn compile_to(build: &Build, output: &Path) -> anyhow::Result<()> {
    let compiled = interrupt::outlive(|| build.compile_to(output))?;
    if let Err(Error::Failed { advice: Some(advice), .. }) = &compiled {
        terminal::complain(advice);
    }
    Ok(compiled?)
}
