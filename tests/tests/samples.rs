//! The samples, natively: each says what a search finds in it, marks the line, compiles without and
//! with optimisation, and behaves on the real CPU as far as one run can tell.
//!
//! `expect=none` programs end with status 0, however often they run. Programs whose deadlock is in
//! every run (`always`) never end. What only some schedules show is not looked for here.

use std::path::{Path, PathBuf};
use std::time::Duration;
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::machine::native;
use steam_tests::process::run;
use steam_tests::report::{Verdict, judge_all};

const RUNS: usize = 5;
const LIMIT: Duration = Duration::from_secs(20);
/// Long enough for any of these programs to end many times over.
const HANG: Duration = Duration::from_millis(500);
const LEVELS: [&str; 2] = ["-O0", "-O2"];
const EXPECTED: [&str; 12] = [
    "none",
    "assert",
    "deadlock",
    "divergence",
    "hang",
    "bad-unlock",
    "destroy-locked",
    "null-access",
    "heap-out-of-bounds",
    "use-after-free",
    "double-free",
    "invalid-free",
];

#[test]
fn samples_compile_and_behave_natively() {
    assert_eq!(check_all(), Ok(true));
}

fn check_all() -> Result<bool, String> {
    let compilers = compilers();
    if !compilers.iter().any(|compiler| compiler.name == "gcc") {
        return Err("gcc does not link static 32-bit programs: install gcc-multilib".to_owned());
    }
    let guests = samples()?;
    println!("{} samples", guests.len());
    Ok(judge_all(&guests, |(name, _)| name, |(_, guest)| judge(guest, &compilers)))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All programs of all families that say what to expect of them, by `family/name`.
fn samples() -> Result<Vec<(String, Guest)>, String> {
    let folder = root().join("samples");
    let entries = std::fs::read_dir(&folder).map_err(|why| format!("samples: {why}"))?;
    let mut families: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    families.sort();
    let mut samples = Vec::new();
    for family in families {
        let name = family.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let guests = corpus::read(&family, &[])?;
        let guests = guests.into_iter().filter(|guest| guest.directive.expect.is_some());
        samples.extend(guests.map(|guest| (format!("{name}/{}", guest.name), guest)));
    }
    Ok(samples)
}

fn judge(guest: &Guest, compilers: &[Compiler]) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.failures.extend(check_directive(guest).err());
    for variant in variants(guest, compilers) {
        let result = compile(guest, &variant).and_then(|file| check_native(guest, &file));
        verdict.compared += 1;
        if let Err(why) = result {
            verdict.failures.push(format!("{}: {why}", variant.label()));
        }
    }
    verdict
}

fn variants(guest: &Guest, compilers: &[Compiler]) -> Vec<Variant> {
    let include = format!("-I{}", root().join("toolchain/include").display());
    let variant = |compiler: &Compiler, level: &str| Variant {
        compiler: compiler.clone(),
        flags: vec![level.to_owned(), include.clone()],
    };
    let mut variants = Vec::new();
    for compiler in compilers {
        let can = !guest.is_cpp() || compiler.cpp.is_some();
        match compiler.name {
            "gcc" => variants.extend(LEVELS.map(|level| variant(compiler, level))),
            "clang" if can && !guest.directive.gcc_only => variants.push(variant(compiler, "-O2")),
            _ => {}
        }
    }
    variants
}

/// A sample names a known verdict, and marks one line exactly if there is an error.
fn check_directive(guest: &Guest) -> Result<(), String> {
    let expect = guest.directive.expect.as_deref().unwrap_or_default();
    for verdict in [expect].into_iter().chain(guest.directive.optimised.as_deref()) {
        if !EXPECTED.contains(&verdict) {
            return Err(format!("{verdict} is no known verdict"));
        }
    }
    let marks =
        guest.texts().flat_map(str::lines).filter(|line| line.contains("/* ERROR */")).count();
    match (expect, marks) {
        ("none", 0) => Ok(()),
        ("none", _) => Err("marks an error and expects none".to_owned()),
        (_, 1) => Ok(()),
        (_, count) => Err(format!("{count} lines are marked /* ERROR */, not one")),
    }
}

fn check_native(guest: &Guest, executable: &Path) -> Result<(), String> {
    let directive = &guest.directive;
    let deadlock = directive.expect.as_deref() == Some("deadlock");
    if directive.expect.as_deref() == Some("none") && !directive.endless {
        for _ in 0..RUNS {
            let outcome = run(&mut native(executable, guest), &directive.input, LIMIT)?;
            if !outcome.exited_with(directive.exit) {
                return Err(format!("natively: {}", outcome.ending));
            }
        }
    } else if deadlock && directive.always {
        let outcome = run(&mut native(executable, guest), &directive.input, HANG)?;
        if !outcome.ending.starts_with("no end") {
            return Err(format!("cannot deadlock in every run, natively: {}", outcome.ending));
        }
    }
    Ok(())
}
