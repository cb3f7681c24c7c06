//! `xtask bench-step`: what a step costs when the state is large.
//!
//! Each program is checked twice, up to two numbers of states; the difference is free of start-up
//! and of learning. Where it is small beside them it is noise, and there is no number.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};
use crate::bench_touched;

const RESULTS: &str = "docs/benchmarks/cost-of-step.md";
const THREADS: &[u64] = &[10, 100, 1_000];
/// How many step in the first variant.
const FEW: u64 = 10;
const STATES: [&str; 2] = ["24000", "1000000"];
const PATIENCE: &str = "120s";
/// By which factor steps/s may differ.
const GOAL: f64 = 3.0;

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let mut text = head();
    for variant in ["few", "all"] {
        let mut rates = Vec::new();
        for &threads in THREADS {
            let stepping = if variant == "few" { FEW } else { threads };
            let definitions = [("THREADS", threads), ("STEPPING", stepping)];
            let program = bench_check::compile(root, "step/holders", &definitions)?;
            let [small, large] = STATES.map(|states| measure(&steam, &program, states));
            let rate = rate(&small?, &large?);
            let shown = rate.map_or("lost in the start-up".to_owned(), |rate| format!("{rate:.0}"));
            let _ = writeln!(text, "| {variant} | {threads} | {stepping} | {shown} |");
            eprintln!("{variant} of {threads}: done");
            rates.push(rate);
        }
        let _ = writeln!(text, "| {variant} | | slowest to fastest | {} |", verdict(&rates));
    }
    text += &bench_touched::table(root, &steam)?;
    bench_check::publish(root, RESULTS, "Cost of a step", Some(&before), &text)
}

fn measure(steam: &Path, program: &Path, states: &str) -> Result<Measurement, String> {
    // Threads that wait for ever are part of the program: deadlocks are not looked for.
    let options = ["--find", "assert", "--max-states", states, "--timeout", PATIENCE];
    bench_check::check(steam, program, &options)
}

/// Steps/s between two checks; none if one of them did not get to its number of states, or if what
/// lies between them is less than a fifth of what both took before.
fn rate(small: &Measurement, large: &Measurement) -> Option<f64> {
    let reached = [small, large].iter().zip(STATES).all(|(measured, states)| {
        states.parse().is_ok_and(|states: u64| measured.states >= states)
    });
    let steps = large.steps.checked_sub(small.steps)?;
    let seconds = large.user - small.user;
    (reached && seconds > small.user / 5.0).then(|| steps as f64 / seconds)
}

/// The factor between the rates that there are; a missing one can only fail the goal.
fn verdict(rates: &[Option<f64>]) -> String {
    let known = || rates.iter().flatten().copied();
    let factor = known().fold(0.0, f64::max) / known().fold(f64::INFINITY, f64::min);
    let met = match (factor <= GOAL, rates.iter().all(Option::is_some)) {
        (false, _) => "NOT met",
        (true, true) => "met",
        (true, false) => "NOT shown",
    };
    format!("{factor:.1}, goal {GOAL}: {met}")
}

fn head() -> String {
    let [small, large] = STATES;
    format!(
        "Written by `make bench-step`: `samples/bench/step/holders.c`, compiled with `gcc -m32 -O1 \
         -g -static -pthread`.\nEach thread holds a lock; few ({FEW}) or all of them go on. \
         Steps/s of user CPU time, between the {small}th and the\n{large}th state of a depth-first \
         search. Goal: within a factor of {GOAL}; a check gets {PATIENCE}. \
         With few\nof them stepping, the search does the same whatever the number of threads is: that \
         is what a step\ncosts in a larger state. With all, there are more ways to go on too, and the tree \
         of visited\nstates is higher: its new nodes are what a step then costs.\n\n\
         | variant | threads | stepping | steps/s |\n|---|---:|---:|---:|\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_rate_fails_the_goal() {
        assert_eq!(verdict(&[Some(100.0), None]), "1.0, goal 3: NOT shown");
        assert_eq!(verdict(&[Some(100.0), Some(400.0), None]), "4.0, goal 3: NOT met");
        assert_eq!(verdict(&[Some(100.0), Some(250.0)]), "2.5, goal 3: met");
        assert_eq!(verdict(&[Some(100.0), Some(400.0)]), "4.0, goal 3: NOT met");
    }
}
