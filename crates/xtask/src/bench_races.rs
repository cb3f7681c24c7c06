//! `xtask bench-races`: what looking for data races costs, as a ratio of user time within one run.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/races.md";
/// Sources as `bench_check::compile` names them, with the arguments of the program.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("peers/two_variables", &[]),
    ("../bank/right", &["5", "3"]),
    ("../lost_update/mutex", &["9"]),
    ("../treiber/counted", &[]),
];
/// So often each check is made, in turns; the least time counts.
const TURNS: usize = 3;
/// The most that a search with races may take, as a multiple of the same one without.
const GOAL: f64 = 1.15;
/// Times below this say nothing: most of it is start-up.
const LEAST: f64 = 0.5;

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let mut text = format!(
        "Written by `make bench-races`: user seconds of the same depth-first search without looking for races \
         and with it,\nthe least of {TURNS} runs each, in turns. A race does not end a search, so both explore \
         the same states.\nRatios of searches that take less than {LEAST} s are not judged.\n\n\
         | program | states | without | with | ratio | goal | met |\n|---|---:|---:|---:|---:|---:|---|\n"
    );
    for (source, arguments) in PROGRAMS {
        let program = bench_check::compile(root, source, &[])?;
        let check =
            |options: &[&str]| bench_check::check_with(&steam, &program, options, arguments);
        let kinds: [&[&str]; 2] = [&[], &["--find", "race"]];
        let least = bench_check::least_in_turns(TURNS, &kinds, check)?;
        let (without, with) = (&least[0], &least[1]);
        if (without.states, without.iterations) != (with.states, with.iterations) {
            return Err(format!("{source}: {} and {} states", without.states, with.states));
        }
        let ratio = with.user / without.user;
        let name = [&[source.trim_start_matches("../")], *arguments].concat().join(" ");
        eprintln!("{name}: {ratio:.2}");
        let _ = writeln!(
            text,
            "| `{name}` | {} | {:.2} | {:.2} | {ratio:.2} | {GOAL} | {} |",
            without.states,
            without.user,
            with.user,
            judged(without, ratio)
        );
    }
    bench_check::publish(root, RESULTS, "The cost of looking for races", Some(&before), &text)
}

fn judged(without: &Measurement, ratio: f64) -> &'static str {
    match (without.user < LEAST, ratio <= GOAL) {
        (true, _) => "-",
        (false, true) => "yes",
        (false, false) => "no",
    }
}
