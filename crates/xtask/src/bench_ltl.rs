//! `xtask bench-ltl`: what a temporal formula costs, as a ratio of user time within one run.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/ltl.md";
/// So often each check is made, in turns; the least time counts.
const TURNS: usize = 3;
/// The most that a search with a safety formula, or with a response formula, may take as a multiple of
/// the same one without.
const GOALS: [f64; 2] = [1.3, 2.5];

/// A program below `samples/bench/ltl`, and formulas that hold for it.
struct Subject {
    source: &'static str,
    /// What is defined when it is compiled: so that the search takes longer than the start.
    definitions: &'static [(&'static str, u64)],
    safety: &'static str,
    response: &'static str,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        source: "ltl/ring",
        definitions: &[("WORK", 10)],
        safety: "G (token >= 0 && token < 4)",
        response: "G (token == 0 -> F token == 2)",
    },
    Subject {
        source: "ltl/filter",
        definitions: &[],
        safety: "G (inside != 1 || level[0] == 2)",
        response: "G (level[0] == 1 -> F inside == 1)",
    },
    Subject {
        source: "ltl/buffer",
        definitions: &[],
        safety: "G (count >= 0 && count <= 2)",
        response: "G (count == 2 -> F count == 1)",
    },
];

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let mut text = head();
    for subject in SUBJECTS {
        let program = bench_check::compile(root, subject.source, subject.definitions)?;
        let check = |options: &[&str]| {
            let measured = bench_check::check(&steam, &program, options)?;
            match measured.result.as_str() {
                "no-error" => Ok(measured),
                other => Err(format!("{} {}: {other}", subject.source, options.join(" "))),
            }
        };
        let kinds: [&[&str]; 3] =
            [&[], &["--ltl", subject.safety], &["--ltl", subject.response, "--fair", "weak"]];
        let least = bench_check::least_in_turns(TURNS, &kinds, check)?;
        let name = subject.source.trim_start_matches("ltl/");
        let formulas = [subject.safety, subject.response];
        for ((with, formula), goal) in least[1..].iter().zip(formulas).zip(GOALS) {
            text += &row(name, formula, &least[0], with, goal);
        }
        eprintln!("{name}: done");
    }
    bench_check::publish(root, RESULTS, "The cost of formulas", Some(&before), &text)
}

fn row(name: &str, formula: &str, without: &Measurement, with: &Measurement, goal: f64) -> String {
    let ratio = with.user / without.user;
    let met = if ratio <= goal { "yes" } else { "no" };
    // A bar would end the cell.
    let formula = formula.replace('|', "\\|");
    let mut row = String::new();
    let _ = writeln!(
        row,
        "| `{name}` | `{formula}` | {} | {} | {:.2} | {:.2} | {ratio:.2} | {goal} | {met} |",
        without.states, with.states, without.user, with.user
    );
    row
}

fn head() -> String {
    format!(
        "Written by `make bench-ltl`: user seconds of a depth-first search of `samples/bench/ltl/*.c` without a \
         formula and with one\nthat holds, the least of {TURNS} runs each, in turns; start-up and all iterations of \
         learning are part of both. Safety formulas are\nlooked at in the same search; the others take a search \
         for cycles, with weak fairness. The states with a response formula are\nthose of the product with \
         its automaton, and steps that show who can go on are steps of their own.\n\n\
         | program | formula | states without | with | s without | with | ratio | goal | met |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---|\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_check::tests::measured;

    #[test]
    fn a_goal_is_judged_by_the_ratio() {
        let row = |with| {
            row("ring", "G (a || b)", &measured(10, 2.0, false), &measured(10, with, false), 1.3)
        };
        assert!(row(2.6).ends_with("| 1.30 | 1.3 | yes |\n"));
        assert!(row(2.7).ends_with("| 1.35 | 1.3 | no |\n"));
        assert!(row(2.6).starts_with("| `ring` | `G (a \\|\\| b)` | 10 | 10 | 2.00 | 2.60 |"));
    }
}
