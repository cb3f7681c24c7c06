//! `xtask bench-peers`: small programs, checked exhaustively with and without a store, beside
//! published figures of others.

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

/// A program whose executions are counted, and how many an optimal checker goes along.
struct Counted {
    source: &'static str,
    about: &'static str,
    definition: (&'static str, u64),
    executions: u64,
    /// Executions that GenMC goes along in a second of CPU time, from what is published of this program
    /// with other numbers.
    rate: Option<f64>,
}

const COUNTED: &[Counted] = &[
    Counted {
        source: "counter",
        about: "8 threads lock, increment, unlock",
        definition: ("N", 8),
        executions: 40_320,
        rate: Some(9_800.0),
    },
    Counted {
        source: "ordered",
        about: "14 ordered philosophers",
        definition: ("N", 14),
        executions: 16_382,
        rate: None,
    },
    Counted {
        source: "two_variables",
        about: "`i += j`, `j += i`, 5 rounds each",
        definition: ("ROUNDS", 5),
        executions: 8_953,
        rate: Some(12_600.0),
    },
    Counted {
        source: "peterson",
        about: "Peterson, 3 rounds",
        definition: ("ROUNDS", 3),
        executions: 588,
        rate: Some(11_000.0),
    },
    Counted {
        source: "peterson",
        about: "Peterson, 5 rounds",
        definition: ("ROUNDS", 5),
        executions: 93_652,
        rate: Some(11_000.0),
    },
];

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let mut table = "| program | others | executions | their s | states | steps | iterations | our s | \
        peak MiB | ratio | goal | met |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
        .to_owned();
    for peer in PEERS {
        let program = bench_check::compile(root, &format!("peers/{}", peer.source), &[])?;
        let measured = bench_check::best(&steam, &program, &[], RUNS)?;
        table += &row(peer, &measured)?;
        eprintln!("{}: done", peer.source);
    }
    let counted = count(root, &steam)?;
    bench_check::publish(
        root,
        RESULTS,
        "Beside state-less model checkers",
        Some(&before),
        &(text(&table) + &counted),
    )
}

/// The part about searches without a store.
fn count(root: &Path, steam: &Path) -> Result<String, String> {
    let mut table = "| program | executions | optimal | steps | our s | executions/s | GenMC's |\n\
        |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for counted in COUNTED {
        let source = format!("peers/{}", counted.source);
        let program = bench_check::compile(root, &source, &[counted.definition])?;
        let measured = bench_check::best(steam, &program, &["--algo", "stateless"], RUNS)?;
        table += &counted_row(counted, &measured)?;
        eprintln!("{}, state-less: done", counted.source);
    }
    Ok(format!(
        "\n## Without a store\n\n`steam check --algo stateless`, that is source sets with sleep sets. \
         *Optimal* is the number of\nexecutions that differ in more than the order of independent \
         steps, a loop that waits counted as\nGenMC does. The last column is what GenMC's published \
         figures of the table\nabove come to.\n\n{table}"
    ))
}

fn counted_row(counted: &Counted, measured: &Measurement) -> Result<String, String> {
    let executions = measured.executions.filter(|_| measured.result == "no-error");
    let executions =
        executions.ok_or_else(|| format!("{}: no error expected: {measured:?}", counted.source))?;
    let rate = executions as f64 / measured.user.max(0.01);
    let theirs = counted.rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
    Ok(format!(
        "| {} | {executions} | {} | {} | {:.2} | {rate:.0} | {theirs} |\n",
        counted.about, counted.executions, measured.steps, measured.user
    ))
}

fn text(table: &str) -> String {
    let head = "\
Written by `make bench-peers`: `samples/bench/peers/*.c`, our own versions of the programs, compiled
with `gcc -m32 -O1 -g -static -pthread` and checked by `steam check` with its default options. It
explores everything, but stops at the deadlock, which both others miss. The figures of GenMC 0.10 and
Nidhugg 0.4 are published ones, in CPU seconds; they were not measured here, so a ratio shows the
order of magnitude. Nor are their programs at hand: the buffer's room (ours has one place) and the
loops of Peterson may differ. Ours are user CPU seconds of the whole process, start-up and all iterations
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
    let Measurement { states, steps, iterations, user, peak, .. } = measured;
    let peak = *peak as f64 / 1_048_576.0;
    let _ = write!(line, " {states} | {steps} | {iterations} | {user:.2} | {peak:.1} |");
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
        let (states, steps, iterations, wall, peak) = (11, 20, 2, user, 1 << 20);
        let store = 400;
        let (result, executions) = (result.to_owned(), Some(50));
        Measurement {
            result,
            kind,
            states,
            executions,
            steps,
            iterations,
            user,
            wall,
            peak,
            store,
            truncated: false,
        }
    }

    #[test]
    fn executions_are_counted() {
        let line = counted_row(&COUNTED[0], &measured("no-error", None, 2.0)).unwrap();
        assert!(line.ends_with("| 50 | 40320 | 20 | 2.00 | 25 | 9800 |\n"), "{line}");
        assert!(counted_row(&COUNTED[0], &measured("unknown", None, 2.0)).is_err());
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
