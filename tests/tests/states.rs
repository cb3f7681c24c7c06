//! The programs of `samples/bench/states`, by which `make bench-states` counts states: each is right, natively and in
//! a check with its small numbers, with each rule on and off.
//!
//! `STEAM_SAMPLES=pool` looks at the programs alone whose name contains that.

use std::path::{Path, PathBuf};
use std::time::Duration;

use steam_check::{Check, Config, Mld, Privacy, Verdict as Found};
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::machine::native;
use steam_tests::process::run;
use steam_tests::report::{Verdict, judge_all};

const LEVELS: [&str; 2] = ["-O0", "-O1"];
const NATIVE_RUNS: usize = 5;
const NATIVE_LIMIT: Duration = Duration::from_secs(20);
/// Programs in which a thread counts without an end while it waits: a search may end at a limit, but finds no error.
const COUNTS_FOREVER: [&str; 1] = ["spin_counter.c"];
/// That limit.
const MOST_STATES: u64 = 20_000;

#[test]
fn programs_of_the_benchmark_have_no_error() {
    assert_eq!(judge_programs(), Ok(true));
}

fn judge_programs() -> Result<bool, String> {
    let gcc = compilers().into_iter().find(|compiler| compiler.name == "gcc");
    let gcc = gcc.ok_or("gcc does not link static 32-bit programs: install gcc-multilib")?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/bench/states");
    let filters: Vec<String> = std::env::var("STEAM_SAMPLES").into_iter().collect();
    let guests = corpus::read(&folder, &filters)?;
    Ok(judge_all(&guests, |guest| &guest.name, |guest| judge(guest, &gcc)))
}

fn judge(guest: &Guest, gcc: &Compiler) -> Verdict {
    let mut verdict = Verdict::default();
    for level in LEVELS {
        let variant = Variant { compiler: gcc.clone(), flags: vec![level.to_owned()] };
        let result = compile(guest, &variant).and_then(|executable| {
            runs_natively(guest, &executable)?;
            is_complete(guest, &executable)
        });
        verdict.compared += 1;
        verdict.failures.extend(result.err().map(|why| format!("{level}: {why}")));
    }
    verdict
}

fn runs_natively(guest: &Guest, executable: &Path) -> Result<(), String> {
    for _ in 0..NATIVE_RUNS {
        let outcome = run(&mut native(executable, guest), &[], NATIVE_LIMIT)?;
        if !outcome.exited_with(0) {
            return Err(format!("natively: {}", outcome.ending));
        }
    }
    Ok(())
}

fn is_complete(guest: &Guest, executable: &Path) -> Result<(), String> {
    let ends = !COUNTS_FOREVER.contains(&guest.name.as_str());
    for (mld, privacy) in
        [(Mld::Off, Privacy::Off), (Mld::Off, Privacy::On), (Mld::Use, Privacy::On)]
    {
        let mut config = Config::new(PathBuf::from(executable));
        (config.mld, config.privacy) = (mld, privacy);
        // What is looked for in one execution before the search is no matter of states.
        config.uninitialised = false;
        config.bounds.states = (!ends).then_some(MOST_STATES);
        let report = Check::new(config).run().map_err(|why| why.to_string())?;
        let is_right = match report.verdict {
            Found::Complete => true,
            Found::Limit(_) | Found::Bounded(_) => !ends,
            _ => false,
        };
        if !is_right {
            return Err(format!(
                "{mld:?}, {privacy:?}: {:?}, {:?}",
                report.verdict, report.violations
            ));
        }
    }
    Ok(())
}
