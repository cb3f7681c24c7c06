//! `xtask bench-cpu`: three guest kernels on the real CPU, in qemu-i386 and in steam, side by side.
//!
//! All three run the same file with the same argument, and their output must be equal. The count
//! of instructions is steam's own, and is the base of all three speeds. What a run with 0
//! iterations needs (start-up of process, emulator and libc) is taken off every time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::bench_head;

const RESULTS: &str = "docs/benchmarks/cpu.md";
const RUNS: usize = 5;

/// A kernel and the iterations that are about 500 million instructions.
const KERNELS: &[(&str, u64)] = &[("integer", 1_000_000), ("memory", 1_500), ("float", 420_000)];

/// How long the measurement takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Every kernel at full length; the results are written to the docs.
    Full,
    /// A hundredth of that, to see that it works; nothing is written.
    Quick,
}

struct Runner {
    name: &'static str,
    prefix: Vec<String>,
}

struct Row {
    kernel: &'static str,
    instructions: u64,
    /// Seconds of each runner, in their order.
    seconds: Vec<f64>,
}

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path, length: Length) -> Result<(), String> {
    let steam = steam_binary(root)?;
    let runners = runners(&steam);
    let mut rows = Vec::new();
    for &(kernel, iterations) in KERNELS {
        let program = compile(root, kernel)?;
        let iterations = if length == Length::Full { iterations } else { iterations / 100 };
        rows.push(measure(&runners, &steam, kernel, &program, iterations)?);
        eprintln!("{kernel}: done");
    }
    let table = table(&runners, &rows);
    println!("{table}");
    if length == Length::Full {
        let path = root.join(RESULTS);
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(path.parent().unwrap_or(root))?;
            fs::write(&path, page(&table))
        };
        write().map_err(|error| format!("{}: {error}", path.display()))?;
        println!("written to {RESULTS}");
    }
    Ok(())
}

/// The binary of the same profile as this one: both lie in the same directory.
fn steam_binary(root: &Path) -> Result<PathBuf, String> {
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("steam")));
    let candidates = [beside, Some(root.join("target/release/steam"))];
    candidates.into_iter().flatten().find(|path| path.exists()).ok_or_else(|| {
        "no steam binary: cargo build --release -p steam-cli (or make bench-cpu)".to_owned()
    })
}

fn runners(steam: &Path) -> Vec<Runner> {
    let mut runners = vec![Runner { name: "native", prefix: Vec::new() }];
    if Command::new("qemu-i386").arg("--version").output().is_ok() {
        runners.push(Runner { name: "qemu-i386", prefix: vec!["qemu-i386".to_owned()] });
    }
    let prefix = vec![steam.display().to_string(), "run".to_owned()];
    runners.push(Runner { name: "steam", prefix });
    runners
}

fn compile(root: &Path, kernel: &str) -> Result<PathBuf, String> {
    let directory = root.join("target/bench");
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let program = directory.join(kernel);
    let status = Command::new("gcc")
        .args(["-O2", "-m32", "-static", "-g", "-o"])
        .arg(&program)
        .arg(root.join(format!("samples/bench/{kernel}.c")))
        .arg("-lm")
        .status()
        .map_err(|error| format!("gcc: {error}; run toolchain/setup"))?;
    if status.success() { Ok(program) } else { Err(format!("gcc could not compile {kernel}.c")) }
}

fn measure(
    runners: &[Runner],
    steam: &Path,
    kernel: &'static str,
    program: &Path,
    iterations: u64,
) -> Result<Row, String> {
    let total = count(steam, program, iterations)?;
    let start_up = count(steam, program, 0)?;
    let instructions = total.saturating_sub(start_up);
    let mut seconds = Vec::new();
    let mut expected: Option<String> = None;
    for runner in runners {
        let (whole, output) = best(runner, program, iterations)?;
        let (empty, _) = best(runner, program, 0)?;
        let expected = expected.get_or_insert_with(|| output.clone());
        if *expected != output {
            return Err(format!(
                "{kernel}: {} printed {output:?}, but {} printed {expected:?}",
                runner.name, runners[0].name
            ));
        }
        seconds.push((whole - empty).max(1e-6));
    }
    Ok(Row { kernel, instructions, seconds })
}

/// Instructions of a whole run, as `steam run --count` counts them.
fn count(steam: &Path, program: &Path, iterations: u64) -> Result<u64, String> {
    let output = Command::new(steam)
        .args(["run", "--count"])
        .arg(program)
        .args(["--", &iterations.to_string()])
        .output()
        .map_err(|error| format!("{}: {error}", steam.display()))?;
    let text = String::from_utf8_lossy(&output.stderr);
    parse_count(&text).ok_or_else(|| {
        format!("steam run --count {} gave no count ({}): {text}", program.display(), output.status)
    })
}

fn parse_count(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("instructions "))?.trim().parse().ok()
}

/// The shortest of several runs, and what it printed.
fn best(runner: &Runner, program: &Path, iterations: u64) -> Result<(f64, String), String> {
    let mut shortest = f64::INFINITY;
    let mut printed = String::new();
    for _ in 0..RUNS {
        let mut command = command(runner, program, iterations);
        let start = Instant::now();
        let output = command.output().map_err(|error| format!("{}: {error}", runner.name))?;
        shortest = shortest.min(start.elapsed().as_secs_f64());
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} failed ({}): {text}", runner.name, output.status));
        }
        printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    }
    Ok((shortest, printed))
}

fn command(runner: &Runner, program: &Path, iterations: u64) -> Command {
    let mut words: Vec<String> = runner.prefix.clone();
    words.push(program.display().to_string());
    if runner.name == "steam" {
        words.push("--".to_owned());
    }
    words.push(iterations.to_string());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

fn table(runners: &[Runner], rows: &[Row]) -> String {
    let mut text = "| kernel | M instructions |".to_owned();
    for runner in runners {
        let _ = write!(text, " {0} s | {0} M/s |", runner.name);
    }
    text += "\n|---|---:|";
    text += &"---:|---:|".repeat(runners.len());
    for row in rows {
        let millions = row.instructions as f64 / 1e6;
        let _ = write!(text, "\n| {} | {millions:.1} |", row.kernel);
        for seconds in &row.seconds {
            let _ = write!(text, " {seconds:.3} | {:.0} |", millions / seconds);
        }
    }
    text
}

fn page(table: &str) -> String {
    let mut text = "# Speed of the CPU\n\nWritten by `make bench-cpu`. The kernels are \
        `samples/bench/*.c`, compiled with `gcc -O2 -m32 -static`.\nThe shortest of "
        .to_owned();
    let _ = write!(text, "{RUNS} runs; what a run with 0 iterations needs is taken off. ");
    text += "The instructions are counted by steam and\nare the base of all speeds.\n\n";
    for line in bench_head::describe() {
        let _ = writeln!(text, "- {line}");
    }
    let qemu = bench_head::first_line("qemu-i386", &["--version"]);
    let _ = writeln!(text, "- {qemu}\n\n{table}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_among_other_lines() {
        assert_eq!(parse_count("note\ninstructions 1234\nseconds 0.5\n"), Some(1234));
        assert_eq!(parse_count("instructions many\n"), None);
        assert_eq!(parse_count(""), None);
    }

    #[test]
    fn speeds_have_one_base() {
        let runners = [
            Runner { name: "native", prefix: Vec::new() },
            Runner { name: "steam", prefix: Vec::new() },
        ];
        let row = Row { kernel: "integer", instructions: 500_000_000, seconds: vec![0.1, 2.5] };
        let text = table(&runners, &[row]);
        assert!(text.ends_with("| integer | 500.0 | 0.100 | 5000 | 2.500 | 200 |"), "{text}");
    }
}
