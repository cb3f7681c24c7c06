//! Inputs that a stranger may hand us, damaged at random: each is accepted or refused, soon, in little
//! memory, and never with a panic.
//!
//! [`targets`] has a function of bytes for each kind of input; `fuzz/fuzz_targets` gives the same functions
//! to cargo-fuzz. Here they get seeds of `fuzz/seeds`, each changed in a few places, in an order that a
//! number decides. `make test` tries some hundreds of each, `make fuzz` as many as `STEAM_FUZZ` says,
//! from `STEAM_FUZZ_START` on.

mod calls;
mod mutate;
pub mod targets;
mod walk;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use crate::machine::target_directory;
use mutate::{Random, mutated};
use steam_host::resident_memory;

/// One kind of input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name; that of the folder of its seeds, too.
    pub name: &'static str,
    /// Where inputs come from.
    pub seeds: fn() -> Vec<Seed>,
    /// Takes any bytes; whether they are understood, and not refused.
    pub attempt: fn(&[u8]) -> bool,
    /// What inputs are made of, beside what seeds have.
    pub words: &'static [&'static str],
}

/// An input that is right, and the parts of it that are worth damaging.
pub struct Seed {
    /// The whole.
    pub bytes: Vec<u8>,
    /// Parts of it; what lies elsewhere stays. Where there are none, everything may change, also in size.
    pub parts: Vec<Range<usize>>,
}

impl Seed {
    /// A seed of which everything may change.
    pub fn whole(bytes: Vec<u8>) -> Self {
        Self { bytes, parts: Vec::new() }
    }
}

/// How long one input may take. It is tried on machines that have much else to do.
const PATIENCE: Duration = Duration::from_secs(60);
/// How much memory all inputs that are tried at once may take.
const MEMORY: u64 = 3 << 30;

/// Tries `usual` inputs of a target, or as many as the environment says.
///
/// # Panics
/// When one of them makes the target panic, with where it was written to.
pub fn run(target: &Target, usual: u64) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (count, start) = (number("STEAM_FUZZ").unwrap_or(usual), number("STEAM_FUZZ_START"));
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    watch();
    for (seed, number) in seeds.iter().zip(1..) {
        let understood = attempt(target, seed.bytes.clone());
        assert!(understood, "seed {number} of {} is refused", target.name);
    }
    let mut understood = 0;
    for round in 0..count {
        let mut random = Random::new(start.unwrap_or(0) + round);
        let input = mutated(&seeds, target.words, &mut random);
        understood += u64::from(attempt(target, input));
    }
    println!("{}: {understood} of {count} inputs are understood", target.name);
}

fn attempt(target: &Target, input: Vec<u8>) -> bool {
    set_current(target.name, Some(input.clone()));
    let result = catch_unwind(AssertUnwindSafe(|| (target.attempt)(&input)));
    set_current(target.name, None);
    result.unwrap_or_else(|_| {
        panic!("{} panics with the input in {}", target.name, keep(target.name, &input).display())
    })
}

/// Writes an input down for people.
fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = target_directory().join("fuzz");
    let path = folder.join(format!("{name}.input"));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, input));
    assert!(written.is_ok(), "{} cannot be written: {written:?}", path.display());
    path
}

/// What is being tried, by target.
static CURRENT: Mutex<BTreeMap<&'static str, (Instant, Vec<u8>)>> = Mutex::new(BTreeMap::new());

fn set_current(name: &'static str, input: Option<Vec<u8>>) {
    let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    match input {
        Some(input) => current.insert(name, (Instant::now(), input)),
        None => current.remove(name),
    };
}

/// From now on, an input that takes too long or too much ends the test.
fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
                let large = resident_memory().unwrap_or(0) > MEMORY;
                for (name, (since, input)) in current.iter() {
                    if large || since.elapsed() > PATIENCE {
                        let path = keep(name, input);
                        let (why, path) = (if large { "memory" } else { "time" }, path.display());
                        eprintln!("{name} may have taken too much {why} with the input in {path}");
                    }
                }
                if large || current.values().any(|(since, _)| since.elapsed() > PATIENCE) {
                    std::process::exit(1);
                }
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds() -> Vec<Seed> {
        vec![Seed::whole(b"abc".to_vec())]
    }

    #[test]
    fn an_input_that_panics_is_kept() {
        let attempt = |bytes: &[u8]| {
            assert!(!bytes.contains(&b'!'), "a mark");
            bytes == b"abc"
        };
        let target = Target { name: "a-test", seeds, attempt, words: &["!"] };
        let result = catch_unwind(|| run(&target, 500));
        let message = *result.expect_err("one of them has the mark").downcast::<String>().unwrap();
        let path = message.split(" in ").last().unwrap();
        assert!(std::fs::read(path).unwrap().contains(&b'!'), "{message}");
    }
}
