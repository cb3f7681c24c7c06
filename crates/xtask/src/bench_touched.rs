//! Part of `xtask bench-step`: what is not touched costs nothing. Programs that can be made larger without
//! doing more, by counts: states, steps and memory. Times are beside them for people.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

/// A program, the macro that makes it larger, and its sizes.
struct Row {
    source: &'static str,
    define: &'static str,
    sizes: &'static [u64],
    /// Whether states and steps are the same for all sizes.
    same: bool,
}

const ROWS: &[Row] = &[
    Row { source: "step/untouched", define: "MEBIBYTES", sizes: &[16, 128, 1024], same: true },
    Row { source: "step/joined", define: "THREADS", sizes: &[500, 1_000, 4_000], same: true },
    Row { source: "step/leave", define: "LEAVE", sizes: &[0, 1], same: false },
];

/// By how many bytes the peaks of a program may differ, for each unit of its size: a thread has a stack,
/// a descriptor and a place in each state.
const EACH: u64 = 64 << 10;
/// And beside that.
const SLACK: u64 = 16 << 20;

/// The table.
pub fn table(root: &Path, steam: &Path) -> Result<String, String> {
    let mut text = head();
    for row in ROWS {
        let mut measured = Vec::new();
        for &size in row.sizes {
            let program = bench_check::compile(root, row.source, &[(row.define, size)])?;
            let one = bench_check::check(steam, &program, &["--timeout", "120s"])?;
            let Measurement { states, steps, iterations, peak, user, .. } = &one;
            let (name, define) = (row.source, row.define);
            let mebibytes = peak >> 20;
            let _ = writeln!(
                text,
                "| {name} | {define}={size} | {states} | {steps} | {iterations} | {mebibytes} | {user:.2} |"
            );
            measured.push((size, one));
        }
        let _ = writeln!(text, "| {} | | | | | {} | |", row.source, verdict(row.same, &measured));
    }
    Ok(text)
}

/// Whether a larger one costs no more.
fn verdict(same: bool, measured: &[(u64, Measurement)]) -> &'static str {
    let Some(((small, first), rest)) = measured.split_first() else { return "NOT shown" };
    let counts = |one: &Measurement| (one.states, one.steps, one.iterations);
    let complete = measured.iter().all(|(_, one)| one.result == "no-error");
    let met = rest.iter().all(|(size, one)| {
        let allowed = first.peak + SLACK + (size - small) * EACH;
        (!same || counts(one) == counts(first)) && one.peak <= allowed
    });
    if complete && met { "met" } else { "NOT met" }
}

fn head() -> String {
    format!(
        "\n## What is not touched\n\n\
         Programs of `samples/bench/step` that become larger without doing more. Goal: the same states \
         and steps,\nand a peak of memory within {} MiB and {} KiB for each unit. `leave` compares threads \
         that end by\n`return` (0) with such that end by `pthread_exit` (1), which unwinds: a goal for \
         memory only.\n\n\
         | program | size | states | steps | iterations | peak, MiB | user s |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
        SLACK >> 20,
        EACH >> 10
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(states: u64, peak: u64) -> Measurement {
        Measurement {
            result: "no-error".to_owned(),
            kind: None,
            states,
            executions: None,
            steps: 2 * states,
            iterations: 2,
            user: 1.0,
            wall: 1.0,
            peak,
            store: 0,
            truncated: false,
        }
    }

    #[test]
    fn more_states_or_much_more_memory_fail_the_goal() {
        let small = (16, measurement(98, 30 << 20));
        let twin = |states, peak| (128, measurement(states, peak));
        assert_eq!(verdict(true, &[small.clone(), twin(98, 40 << 20)]), "met");
        assert_eq!(verdict(true, &[small.clone(), twin(99, 30 << 20)]), "NOT met");
        assert_eq!(verdict(false, &[small.clone(), twin(99, 30 << 20)]), "met");
        assert_eq!(verdict(true, &[small.clone(), twin(98, 900 << 20)]), "NOT met");
        let mut cut = twin(98, 30 << 20);
        cut.1.result = "unknown".to_owned();
        assert_eq!(verdict(true, &[small, cut]), "NOT met");
    }
}
