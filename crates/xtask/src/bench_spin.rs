//! `xtask bench-spin`: looping philosophers on the binary, beside SPIN on its own model of them.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/spin.md";
/// More than SPIN's twelve: the release of a lock is no step of its own here, so that twelve
/// philosophers have 4,097 states only.
const PHILOSOPHERS: u64 = 20;
/// Breadth first, because its trail is short: telling a trail is no part of the search.
const OPTIONS: [&str; 3] = ["--all", "--algo", "bfs"];

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let program = bench_check::compile(root, "spin/philosophers", &[("N", PHILOSOPHERS)])?;
    let one = verified(bench_check::check(&steam, &program, &OPTIONS)?)?;
    eprintln!("one worker: done");
    let two = verified(bench_check::check(
        &steam,
        &program,
        &[&OPTIONS[..], &["--jobs", "2"]].concat(),
    )?)?;
    let text = format!("{}\n{}", text(), table(&one, &two));
    bench_check::publish(root, RESULTS, "Beside SPIN", Some(&before), &text)
}

/// How many states the ring has: each philosopher holds a fork or none, whatever the others do, for
/// who gets the second one gives both back in the same step; and the state before all of them sit.
fn states_of_the_ring(philosophers: u64) -> u64 {
    (1 << philosophers) + 1
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
-static -pthread` and explored exhaustively by `steam check --all --algo bfs`. The figures of SPIN are
published ones, of a Promela model of 12 philosophers; they were not measured here. Ours are 20, because
who gets the second fork gives both back in the same step: 12 have 4,097 states. So the states of the two
do not compare, only their speed and size do. Ours are user CPU seconds of the whole process,
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
    let stored = one.store as f64 / one.states as f64;
    let _ = writeln!(
        table,
        "| bytes per state in the store | 60 to 72 | {stored:.1} | <= 40 | {} |",
        met(stored <= 40.0)
    );
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

    /// Counts what [`states_of_the_ring`] computes: a bit for each fork that is taken, and the state
    /// before.
    fn count(philosophers: u32) -> u64 {
        let (mut seen, mut open) = (std::collections::BTreeSet::from([0_u64]), vec![0_u64]);
        while let Some(taken) = open.pop() {
            for seat in 0..philosophers {
                let (own, next) = (1 << seat, 1 << ((seat + 1) % philosophers));
                let after = match (taken & own != 0, taken & next != 0) {
                    (false, _) => taken | own,
                    (true, false) => taken & !own,
                    (true, true) => continue,
                };
                if seen.insert(after) {
                    open.push(after);
                }
            }
        }
        seen.len() as u64 + 1
    }

    #[test]
    fn the_ring_has_as_many_states_as_counted() {
        for philosophers in 2..9 {
            assert_eq!(states_of_the_ring(philosophers.into()), count(philosophers));
        }
    }
}
