//! `xtask bench-peers`: five programs, checked exhaustively, beside published figures of others.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/peers.md";
const RUNS: usize = 3;

/// A program, and what the better of the two other checkers needed for it.
struct Peer {
    source: &'static str,
    about: &'static str,
    /// Who, executions, CPU seconds; nothing where both miss the error.
    published: Option<(&'static str, &'static str, f64)>,
    /// How many times faster we must be.
    goal: f64,
}

const PEERS: &[Peer] = &[
    Peer {
        source: "counter",
        about: "9 threads lock, increment, unlock",
        published: Some(("GenMC", "362,880", 37.0)),
        goal: 20.0,
    },
    Peer {
        source: "two_variables",
        about: "`i += j`, `j += i`, 7 rounds each",
        published: Some(("GenMC", "616,227", 49.0)),
        goal: 2.0,
    },
    Peer {
        source: "peterson",
        about: "Peterson, 5 rounds",
        published: Some(("GenMC", "93,652", 8.5)),
        goal: 10.0,
    },
    Peer {
        source: "buffer",
        about: "bounded buffer, 3 items",
        published: Some(("Nidhugg", "106,304", 19.0)),
        goal: 10.0,
    },
    Peer { source: "philosophers", about: "5 philosophers, deadlock", published: None, goal: 0.0 },
];

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = bench_check::load();
    let mut table = "| program | others | executions | their s | states | steps | rounds | our s | \
        peak MiB | ratio | goal | met |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
        .to_owned();
    for peer in PEERS {
        let program = bench_check::compile(root, &format!("peers/{}", peer.source), &[])?;
        let measured = bench_check::best(&steam, &program, &[], RUNS)?;
        table += &row(peer, &measured)?;
        eprintln!("{}: done", peer.source);
    }
    bench_check::publish(
        root,
        RESULTS,
        "Beside state-less model checkers",
        Some(&before),
        &text(&table),
    )
}

fn text(table: &str) -> String {
    let head = "\
Written by `make bench-peers`: `samples/bench/peers/*.c`, our own versions of the programs, compiled
with `gcc -m32 -O1 -g -static -pthread` and checked by `steam check` with its default options. It
explores everything, but stops at the deadlock, which both others miss. The figures of GenMC 0.10 and
Nidhugg 0.4 are published ones, in CPU seconds; they were not measured here, so a ratio tells the
order of magnitude. Nor are their programs at hand: the buffer's room (ours has one place) and the
loops of Peterson may differ. Ours are user CPU seconds of the whole process, start-up and all rounds
included; states and steps are those of the last round.";
    format!("{head}\nThe least of {RUNS} runs; a check of more than 10 s runs once.\n\n{table}")
}

/// A row of the table. A wrong verdict is no measurement.
fn row(peer: &Peer, measured: &Measurement) -> Result<String, String> {
    let expected = if peer.published.is_some() { None } else { Some("deadlock") };
    let ended = if expected.is_some() { "violation" } else { "no-error" };
    if measured.result != ended || measured.kind.as_deref() != expected {
        return Err(format!("{}: {ended} expected: {measured:?}", peer.source));
    }
    let mut line = format!("| {} |", peer.about);
    let (name, executions, seconds) = peer.published.unwrap_or(("both", "missed", 0.0));
    let theirs = if seconds > 0.0 { format!("{seconds}") } else { "-".to_owned() };
    let _ = write!(line, " {name} | {executions} | {theirs} |");
    let Measurement { states, steps, rounds, user, peak, .. } = measured;
    let peak = *peak as f64 / 1_048_576.0;
    let _ = write!(line, " {states} | {steps} | {rounds} | {user:.2} | {peak:.1} |");
    if peer.published.is_none() {
        return Ok(line + " - | found | yes |\n");
    }
    let ratio = seconds / user.max(0.01);
    let met = if ratio >= peer.goal { "yes" } else { "NO" };
    let _ = writeln!(line, " {ratio:.1} | {} | {met} |", peer.goal);
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(result: &str, kind: Option<&str>, user: f64) -> Measurement {
        let kind = kind.map(str::to_owned);
        let (states, steps, rounds, wall, peak) = (11, 20, 2, user, 1 << 20);
        let store = 400;
        let result = result.to_owned();
        Measurement { result, kind, states, steps, rounds, user, wall, peak, store }
    }

    #[test]
    fn a_goal_may_be_missed() {
        let line = row(&PEERS[0], &measured("no-error", None, 1.0)).unwrap();
        assert!(line.ends_with("| 1.00 | 1.0 | 37.0 | 20 | yes |\n"), "{line}");
        let line = row(&PEERS[0], &measured("no-error", None, 2.0)).unwrap();
        assert!(line.ends_with("| NO |\n"), "{line}");
    }

    #[test]
    fn a_wrong_verdict_is_no_measurement() {
        assert!(row(&PEERS[0], &measured("unknown", None, 1.0)).is_err());
        assert!(row(&PEERS[4], &measured("no-error", None, 1.0)).is_err());
        assert!(row(&PEERS[4], &measured("violation", Some("deadlock"), 1.0)).is_ok());
    }
}
