//! `xtask bench-spin`: looping philosophers on the binary, beside SPIN on its own model of them.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/spin.md";
const PHILOSOPHERS: u64 = 12;

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = bench_check::load();
    let program = bench_check::compile(root, "spin/philosophers", &[("N", PHILOSOPHERS)])?;
    let one = verified(bench_check::check(&steam, &program, &["--all"])?)?;
    eprintln!("one worker: done");
    let two = verified(bench_check::check(&steam, &program, &["--all", "--jobs", "2"])?)?;
    let text = format!("{}\n{}", text(), table(&one, &two));
    bench_check::publish(root, RESULTS, "Beside SPIN", &before, &text)
}

/// How many states the ring has: each philosopher is before one of four operations, and one who
/// has both forks has a neighbour without any. That gives a(n) = 3 a(n-1) + a(n-2).
fn states_of_the_ring(philosophers: u64) -> u64 {
    let (mut before, mut last) = (2, 3);
    for _ in 1..philosophers {
        (before, last) = (last, 3 * last + before);
    }
    last
}

fn verified(measured: Measurement) -> Result<Measurement, String> {
    let expected = states_of_the_ring(PHILOSOPHERS);
    let deadlock = measured.kind.as_deref() == Some("deadlock");
    if measured.states == expected && deadlock {
        return Ok(measured);
    }
    Err(format!("{expected} states and a deadlock expected: {measured:?}"))
}

fn text() -> String {
    let head = "\
Written by `make bench-spin`: `samples/bench/spin/philosophers.c`, compiled with `gcc -m32 -O1 -g
-static -pthread` and explored exhaustively by `steam check --all`. The figures of SPIN are published
ones, of a Promela model; they were not measured here, and the model is another one: the states of the
two do not compare, only their speed and size do. Ours are user CPU seconds of the whole process,
start-up included; resident memory is the peak of the whole process.";
    let states = states_of_the_ring(PHILOSOPHERS);
    format!("{head}\nThat there are {states} states is computed from the ring, and checked.\n")
}

fn table(one: &Measurement, two: &Measurement) -> String {
    let rate = one.steps as f64 / one.user.max(0.01);
    let resident = one.peak as f64 / one.states as f64;
    let speed_up = one.wall / two.wall.max(0.01);
    let met = |reached: bool| if reached { "yes" } else { "NO" };
    let mut table = "| measure | SPIN | ours | goal | met |\n|---|---:|---:|---:|---|\n".to_owned();
    let _ = writeln!(table, "| states | 4,165,552 | {} | | |", one.states);
    let _ = writeln!(table, "| steps | 34 M | {} | | |", one.steps);
    let _ = writeln!(table, "| user CPU s, one worker | | {:.2} | | |", one.user);
    let _ = writeln!(
        table,
        "| steps/s of CPU time, one worker | 1,400,000 | {rate:.0} | >= 500,000 | {} |",
        met(rate >= 500_000.0)
    );
    let _ = writeln!(
        table,
        "| resident bytes per state, all told | | {resident:.0} | <= 200 | {} |",
        met(resident <= 200.0)
    );
    table += "| bytes per state in the store | 60 to 72 | not reported | <= 40 | not measured |\n";
    let _ = writeln!(
        table,
        "| `--jobs 2`, times one worker (clock) | | {speed_up:.2} | >= 1.6 | {} |",
        met(speed_up >= 1.6)
    );
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts what [`states_of_the_ring`] computes, one configuration at a time.
    fn count(philosophers: u32) -> u64 {
        let seats = philosophers as usize;
        let fits = |code: u64| {
            let operation = |seat: usize| code >> (2 * (seat % seats)) & 3;
            (0..seats).all(|seat| operation(seat) != 2 || operation(seat + 1) == 0)
        };
        (0..1_u64 << (2 * philosophers)).filter(|code| fits(*code)).count() as u64
    }

    #[test]
    fn the_ring_has_as_many_states_as_counted() {
        for philosophers in 2..9 {
            assert_eq!(states_of_the_ring(philosophers.into()), count(philosophers));
        }
    }
}
