//! The one place that knows how the machine is started and how it answers.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use steam_check::Guest;
use steam_image::Image;
use steam_linux::kernel::Stream;
use steam_linux::stores::GuestStores;
use steam_linux::syscalls::Output;
use steam_linux::world::{Host, Stdin};
use steam_program::{Config, Ending, Machine};

use crate::terminal;

/// Freed heap blocks of a size that rest before one is used again. With none, a block that was
/// freed and allocated again at once would hide that the old pointer is still in use.
const QUARANTINE: u32 = 16;

/// A run and what it cost.
#[derive(Debug)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// How many instructions were run.
    pub instructions: u64,
    /// How long that took, loading not included.
    pub seconds: f64,
}

/// Runs a program until it ends; its output is ours.
pub fn run(image: &Arc<Image>, guest: &Guest, uninitialised: bool) -> anyhow::Result<Finished> {
    run_into(image, guest, uninitialised, &mut Terminal::new()?)
}

/// Runs a program until it ends, and looks for uses of what was never written if asked to.
pub fn run_into(
    image: &Arc<Image>,
    guest: &Guest,
    uninitialised: bool,
    output: &mut dyn Output,
) -> anyhow::Result<Finished> {
    let config = Config {
        arguments: guest.arguments.clone(),
        environment: guest.environment.clone(),
        stdin: guest.input()?.or_else(redirected_file).unwrap_or(Stdin::Inherit),
        directory: None,
        quarantine: QUARANTINE,
        host: Arc::new(Host::new(guest.files.access(), u64::MAX)),
    };
    let stores = Arc::new(GuestStores::default());
    let mut machine = Machine::boot(Arc::clone(image), &config, stores)
        .with_context(|| format!("{} cannot be started", image.name))?;
    if uninitialised {
        machine.look_for_uninitialised();
    }
    let told = tell(&machine.notes());
    let start = Instant::now();
    let ending = machine.run(output);
    let seconds = start.elapsed().as_secs_f64();
    tell(&machine.notes()[told..]);
    Ok(Finished { ending, instructions: machine.instructions(), seconds })
}

/// Prints notes and says how many they were.
fn tell(notes: &[String]) -> usize {
    for note in notes {
        terminal::complain(&format!("note: {note}"));
    }
    notes.len()
}

/// The file that our standard input was redirected from: a program may seek in it. One that was
/// read in part already is taken as a stream, since its start is not the program's to see.
fn redirected_file() -> Option<Stdin> {
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let untouched = input.metadata().ok()?.is_file() && input.stream_position().ok()? == 0;
    let path = std::fs::read_link("/proc/self/fd/0").ok();
    path.filter(|path| untouched && path.is_file()).map(Stdin::File)
}

/// Our own standard output and error, without a buffer: each write of the guest is one of ours, so
/// that both streams keep their order.
struct Terminal {
    output: File,
    error: File,
}

impl Terminal {
    fn new() -> anyhow::Result<Self> {
        let output = io::stdout().as_fd().try_clone_to_owned().context("standard output")?;
        let error = io::stderr().as_fd().try_clone_to_owned().context("standard error")?;
        Ok(Self { output: output.into(), error: error.into() })
    }
}

impl Output for Terminal {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Output => self.output.write_all(bytes),
            Stream::Error => self.error.write_all(bytes),
        }
    }
}
