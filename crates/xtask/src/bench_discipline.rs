//! `xtask bench-discipline`: states by what a step is, on programs whose variables have locks.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/discipline.md";
const PATIENCE: &str = "60s";
/// Sources below `samples`, with the arguments of the program.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("lost_update/mutex.c", &["4"]),
    ("bank/right.c", &["2", "1"]),
    ("bank/right.c", &["4", "3"]),
    ("bounded_buffer/right.c", &["2"]),
    ("thread_pool/pool.cc", &[]),
];
/// What a step is: the name of a column, and the options.
const STEPS: [(&str, &[&str]); 4] = [
    ("instr", &["--atomic", "instr"]),
    ("lgc", &["--mld", "off"]),
    ("lgc+mld", &["--mld", "use"]),
    ("lgc+mld+composed", &["--mld", "compose"]),
];
/// Sources below the root for searches without a store, with the arguments of the program.
const WITHOUT_STORE: &[(&str, &[&str])] = &[
    ("tests/discipline/section6.c", &[]),
    ("tests/discipline/readers.c", &[]),
    ("samples/lost_update/mutex.c", &["4"]),
    ("samples/bank/right.c", &["2", "1"]),
    ("samples/bank/right.c", &["3", "2"]),
];
/// How orders are left out there: the name of a column, and the options.
const EXECUTIONS: [(&str, &[&str]); 4] = [
    ("lgc", &["--mld", "off"]),
    ("invisible-first", &["--mld", "use"]),
    ("composed", &["--mld", "compose"]),
    ("composed, persistent sets", &["--mld", "compose", "--por", "persistent"]),
];
/// The program of the goal, and how many times fewer states it wants.
const GOAL: (&str, f64) = ("bank/right.c 4 3", 10.0);

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let mut text = head();
    let mut reached = None;
    for (source, arguments) in PROGRAMS {
        let name = [&[*source], *arguments].concat().join(" ");
        let mut counts = Vec::new();
        for (step, options) in STEPS {
            let program = root.join("samples").join(source);
            let measured = measure(&steam, &program, options, arguments)?;
            eprintln!("{name} by {step}: {} states", measured.states);
            counts.push(measured);
        }
        let factor = fewer(&counts[1], &counts[2]);
        let cells: Vec<String> = counts.iter().map(shown).collect();
        let told = factor.map_or(String::new(), |factor| format!("{factor:.1}"));
        let _ = writeln!(text, "| `{name}` | {} | {told} |", cells.join(" | "));
        reached = reached.or(factor.filter(|_| name == GOAL.0));
    }
    let _ = write!(text, "\n{}", executions(root, &steam)?);
    let met = if reached.is_some_and(|factor| factor >= GOAL.1) { "met" } else { "NOT met" };
    let _ = writeln!(text, "\nGoal: {} times fewer on `{}`: {met}.", GOAL.1, GOAL.0);
    bench_check::publish(root, RESULTS, "The locking discipline", None, &text)
}

fn measure(
    steam: &Path,
    program: &Path,
    options: &[&str],
    arguments: &[&str],
) -> Result<Measurement, String> {
    let options = [&["--cflags", "-O1", "--timeout", PATIENCE], options].concat();
    bench_check::check_with(steam, program, &options, arguments)
}

/// The table of searches without a store.
fn executions(root: &Path, steam: &Path) -> Result<String, String> {
    let columns: Vec<&str> = EXECUTIONS.iter().map(|(name, _)| *name).collect();
    let mut text = format!(
        "Executions of a search without a store (`--algo stateless`), source sets unless said otherwise. \
         Composed, two\nsections under the same lock commute where they touch different things or only \
         read.\n\n| program | {} |\n|---|---:|---:|---:|---:|\n",
        columns.join(" | ")
    );
    for (source, arguments) in WITHOUT_STORE {
        let name = [&[*source], *arguments].concat().join(" ");
        let mut cells = Vec::new();
        for (column, options) in EXECUTIONS {
            let options = [&["--algo", "stateless"], options].concat();
            let measured = measure(steam, &root.join(source), &options, arguments)?;
            let executions = measured.executions.unwrap_or_default();
            eprintln!("{name}, {column}: {executions} executions");
            let more = if measured.truncated { "> " } else { "" };
            cells.push(format!("{more}{executions}"));
        }
        let _ = writeln!(text, "| `{name}` | {} |", cells.join(" | "));
    }
    Ok(text)
}

/// How many times fewer states the second search has, if both came to an end.
fn fewer(one: &Measurement, other: &Measurement) -> Option<f64> {
    (!one.truncated && !other.truncated).then(|| one.states as f64 / other.states as f64)
}

fn shown(measured: &Measurement) -> String {
    if measured.truncated { format!("> {}", measured.states) } else { measured.states.to_string() }
}

fn head() -> String {
    format!(
        "Written by `make bench-discipline`: states of a depth-first search without races, sources below \
         `samples` compiled\nwith `-O1`. A search that did not come to an end in {PATIENCE} has a `>` before \
         its number. With `lgc` a step is one\naccess to what threads share and all that is private after \
         it, with `lgc+mld` accesses under the lock of a\nvariable are no steps (`--mld use`). A step is a \
         visible operation with all that is invisible after it; so a\nsection under a lock is one step \
         already, and composing such steps (`--mld compose`, Stoller's C(S)) changes no\nnumber of states: it \
         says which steps commute.\n\n\
         | program | instr | lgc | lgc+mld | lgc+mld+composed | mld fewer than lgc |\n\
         |---|---:|---:|---:|---:|---:|\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_check::tests::measured;

    #[test]
    fn only_searches_that_came_to_an_end_are_compared() {
        assert_eq!(fewer(&measured(50, 0.0, false), &measured(5, 0.0, false)), Some(10.0));
        assert_eq!(fewer(&measured(50, 0.0, true), &measured(5, 0.0, false)), None);
        assert_eq!(shown(&measured(50, 0.0, true)), "> 50");
    }
}
