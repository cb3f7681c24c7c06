//! The same executable natively and in the machine: standard output, standard error and exit
//! status must agree, for every program of `programs/` at every optimisation level.
//!
//! `cargo test -p steam-tests --test programs -- printf regex` runs the programs whose names
//! contain one of the words. `STEAM_GUEST_RUNNER=qemu-i386` puts another emulator in the
//! machine's place.

use std::process::ExitCode;
use std::time::Duration;
use steam_tests::compile::{Compiler, Variant, compile, compilers};
use steam_tests::corpus::{self, Guest};
use steam_tests::machine::{Machine, native};
use steam_tests::process::{Outcome, run};
use steam_tests::report::{Verdict, judge_all};

const NATIVE_LIMIT: Duration = Duration::from_secs(20);
const MACHINE_LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    match compare_all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn compare_all() -> Result<bool, String> {
    let machine = Machine::locate()?;
    let compilers = compilers();
    if !compilers.iter().any(|compiler| compiler.name == "gcc") {
        return Err("gcc does not link static 32-bit programs: install gcc-multilib".to_owned());
    }
    let mut guests = corpus::read(&corpus::folder("programs"), &corpus::filters())?;
    // C++ takes the longest to compile: started first, the cores finish together.
    guests.sort_by_key(|guest| !guest.is_cpp());
    println!("{} programs in {machine:?}", guests.len());
    Ok(judge_all(&guests, |guest| &guest.name, |guest| judge(guest, &machine, &compilers)))
}

fn judge(guest: &Guest, machine: &Machine, compilers: &[Compiler]) -> Verdict {
    let mut verdict = Verdict::default();
    for variant in variants(guest, compilers) {
        match compile(guest, &variant) {
            Ok(executable) => {
                verdict.compared += 1;
                if let Err(why) = compare(guest, &variant, &executable, machine) {
                    verdict.failures.push(format!("{}: {why}", variant.label()));
                }
            }
            // Programs may use what glibc has and musl has not.
            Err(_) if variant.compiler.name == "musl" => {
                verdict.skipped.push("does not compile with musl".to_owned());
            }
            Err(why) => verdict.failures.push(format!("{}: {why}", variant.label())),
        }
    }
    verdict
}

fn variants(guest: &Guest, compilers: &[Compiler]) -> Vec<Variant> {
    const LEVELS: [&str; 5] = ["O0", "O1", "O2", "O3", "Os"];
    let levels = guest.directive.levels.clone();
    let levels = levels.unwrap_or_else(|| LEVELS.map(str::to_owned).to_vec());
    let mut variants = Vec::new();
    for compiler in compilers {
        let mut add = |flags: &[&str]| {
            let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
            variants.push(Variant { compiler: compiler.clone(), flags });
        };
        match compiler.name {
            "gcc" => {
                levels.iter().for_each(|level| add(&[&format!("-{level}")]));
                if guest.directive.levels.is_none() {
                    add(&["-O3", "-msse2", "-mfpmath=sse"]);
                }
                if guest.directive.position_independent {
                    add(&["-O2", "-static-pie", "-fPIE"]);
                }
            }
            _ if guest.directive.gcc_only => {}
            "clang" if guest.is_cpp() && compiler.cpp.is_none() => {}
            "clang" => add(&["-O2"]),
            _ if !guest.is_cpp() => add(&["-O2"]),
            _ => {}
        }
    }
    variants
}

fn compare(
    guest: &Guest,
    variant: &Variant,
    executable: &std::path::Path,
    machine: &Machine,
) -> Result<(), String> {
    let input = &guest.directive.input;
    let real = run(&mut native(executable, guest), input, NATIVE_LIMIT)?;
    if !real.exited_with(guest.directive.exit) {
        return Err(format!("the program itself is wrong, natively: {}", real.ending));
    }
    // No program of these uses what was never written: once is enough to see that.
    let mut command = match variant.compiler.name == "gcc" && variant.flags == ["-O2"] {
        true => machine.command(executable, guest),
        false => machine.quick_command(executable, guest),
    };
    let ours = run(&mut command, input, MACHINE_LIMIT)?;
    first_difference(&real, &ours).map_or(Ok(()), Err)
}

/// Compares what people read: the first line that differs, then the ending.
fn first_difference(real: &Outcome, ours: &Outcome) -> Option<String> {
    let texts = [("output", &real.output, &ours.output), ("errors", &real.errors, &ours.errors)];
    let difference = texts.into_iter().find_map(|(name, real, ours)| {
        let mut pairs = (1..).zip(real.split(|b| *b == b'\n')).zip(ours.split(|b| *b == b'\n'));
        let line = pairs.find(|((_, real), ours)| real != ours).map(|((number, real), ours)| {
            format!("line {number}\n  native:  {}\n  machine: {}", show(real), show(ours))
        });
        let lengths = || format!("{} bytes natively, {} in the machine", real.len(), ours.len());
        (real != ours).then(|| format!("{name} differs, {}", line.unwrap_or_else(lengths)))
    });
    let ending = (real.ending != ours.ending)
        .then(|| format!("native {}, machine {}", real.ending, ours.ending));
    let said = ending.as_ref().map(|_| format!("machine said: {}", show(last_lines(&ours.errors))));
    let parts: Vec<String> = [difference, ending, said].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("\n  "))
}

fn last_lines(text: &[u8]) -> &[u8] {
    &text[text.len().saturating_sub(600)..]
}

fn show(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(600).collect()
}
