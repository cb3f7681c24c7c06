//! Chores of the project: `cargo run -p xtask -- tidy | demo-elf | bench-...`.
//!
//! Invariant: it depends on no other crate, so that it builds when everything else is broken.

mod bench_check;
mod bench_cpu;
mod bench_discipline;
mod bench_head;
mod bench_ltl;
mod bench_paper;
mod bench_peers;
mod bench_races;
mod bench_spin;
mod bench_states;
mod bench_step;
mod bench_touched;
mod bench_verisoft;
mod curves;
mod demo_elf;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- COMMAND
  tidy                  check what rustc and clippy do not: arrows between crates, owners of
                        libraries, file headers, sizes, unsafe code
  demo-elf [--check]    rebuild the program that is embedded for `steam demo`
  bench-cpu [--quick]   native CPU, qemu-i386 and steam side by side; writes docs/benchmarks/cpu.md
  bench-discipline      states with and without the locking discipline; writes
                        docs/benchmarks/discipline.md
  bench-ltl             what temporal formulas cost; writes docs/benchmarks/ltl.md
  bench-paper [OPTIONS] the tables of the StEAM paper; options are those of steam bench, such as
                        --short --jobs 2; writes docs/benchmarks/paper.md (--page: of the runs in
                        target/paper, without measuring)
  bench-peers           the search beside GenMC and Nidhugg; writes docs/benchmarks/peers.md
  bench-races           what looking for data races costs; writes docs/benchmarks/races.md
  bench-spin            the search beside SPIN; writes docs/benchmarks/spin.md
  bench-states          states of real programs, with each rule off and on; writes
                        docs/benchmarks/states.md
  bench-step            steps with many threads; writes docs/benchmarks/cost-of-step.md
  bench-verisoft [--short]
                        philosophers by each kind of search; writes docs/benchmarks/verisoft.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    let result = match words.as_slice() {
        ["tidy"] => tidy::run(&root),
        ["demo-elf"] => demo_elf::run(&root, demo_elf::Mode::Write),
        ["demo-elf", "--check"] => demo_elf::run(&root, demo_elf::Mode::Check),
        ["bench-cpu"] => bench_cpu::run(&root, bench_cpu::Length::Full),
        ["bench-cpu", "--quick"] => bench_cpu::run(&root, bench_cpu::Length::Quick),
        ["bench-discipline"] => bench_discipline::run(&root),
        ["bench-ltl"] => bench_ltl::run(&root),
        ["bench-paper", "--page"] => bench_paper::write_page(&root),
        ["bench-paper", options @ ..] => bench_paper::run(&root, options),
        ["bench-peers"] => bench_peers::run(&root),
        ["bench-races"] => bench_races::run(&root),
        ["bench-spin"] => bench_spin::run(&root),
        ["bench-states"] => bench_states::run(&root),
        ["bench-step"] => bench_step::run(&root),
        ["bench-verisoft"] => bench_verisoft::run(&root, bench_verisoft::Length::Full),
        ["bench-verisoft", "--short"] => bench_verisoft::run(&root, bench_verisoft::Length::Short),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The top of the work tree, two levels above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}
