//! `steam demo`: a program that is part of this binary, so that no compiler is needed.

use std::sync::Arc;

use anyhow::Context;
use steam_check::Guest;
use steam_image::Image;

use super::run;
use crate::args::DemoName;
use crate::machine;
use crate::outcome::Outcome;

/// samples/demo/demo.c, compiled by `cargo run -p xtask -- demo-elf`.
const PROGRAM: &[u8] = include_bytes!("../../demo/demo.elf");

/// Runs the embedded program.
pub fn demo(name: DemoName) -> anyhow::Result<Outcome> {
    let finished = machine::run(&Arc::new(image()?), &guest(name), true)?;
    Ok(run::report(&finished.ending))
}

/// The embedded program.
pub fn image() -> anyhow::Result<Image> {
    Image::parse(PROGRAM, "demo").context("the embedded demo")
}

/// What the embedded program gets for each demo.
pub fn guest(name: DemoName) -> Guest {
    let argument = match name {
        DemoName::Primes => None,
        DemoName::Overflow => Some("overflow"),
        DemoName::Null => Some("null"),
    };
    let words = std::iter::once("demo").chain(argument);
    Guest { arguments: words.map(|word| word.as_bytes().to_vec()).collect(), ..Guest::default() }
}
