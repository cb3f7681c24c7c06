//! `xtask bench-states`: the states of programs as people write them, with each rule that leaves some out off and on.

use std::fmt::Write as _;
use std::path::Path;

use crate::bench_check::{self, Measurement};

const RESULTS: &str = "docs/benchmarks/states.md";
/// When a search is given up. Goals are for searches that end by then.
const PATIENCE: &str = "60s";
const MEMORY: &str = "2G";

/// A rule by which a search has fewer states.
struct Rule {
    name: &'static str,
    off: &'static [&'static str],
    on: &'static [&'static str],
}

/// The rules, a line each. The columns are: all off; each of them alone; all on.
const RULES: &[Rule] = &[
    Rule { name: "privacy", off: &["--privacy", "off"], on: &["--privacy", "on"] },
    Rule { name: "discipline", off: &["--mld", "off"], on: &["--mld", "use"] },
];

/// A program of `samples/bench/states`.
struct Program {
    source: &'static str,
    definitions: &'static [(&'static str, u64)],
    /// The most states that it is to have with all rules, in a search that comes to its end.
    goal: Option<u64>,
}

/// A row without a goal.
const fn program(source: &'static str, definitions: &'static [(&'static str, u64)]) -> Program {
    Program { source, definitions, goal: None }
}

const fn goal(
    source: &'static str,
    definitions: &'static [(&'static str, u64)],
    goal: u64,
) -> Program {
    Program { source, definitions, goal: Some(goal) }
}

const PROGRAMS: &[Program] = &[
    goal("pool_function.cc", &[("WORKERS", 2), ("TASKS", 1)], 1_500),
    goal("pool_function.cc", &[("WORKERS", 2), ("TASKS", 2)], 30_000),
    goal("pool_function.cc", &[("WORKERS", 2), ("TASKS", 3)], 500_000),
    goal("pool_futures.cc", &[("WORKERS", 2), ("TASKS", 1)], 1_500),
    goal("pool_futures.cc", &[("WORKERS", 2), ("TASKS", 2)], 30_000),
    goal("pool_futures.cc", &[("WORKERS", 2), ("TASKS", 3)], 500_000),
    program("hand_over.c", &[("BYTES", 100)]),
    program("hand_over.c", &[("BYTES", 10_000)]),
    program("michael_scott.c", &[("PRODUCERS", 2), ("ITEMS", 1)]),
    program("michael_scott.c", &[("PRODUCERS", 2), ("ITEMS", 2)]),
    program("treiber_heap.cc", &[("THREADS", 4)]),
    program("shared_cache.cc", &[("READERS", 2)]),
    program("work_stealing.cc", &[("JOBS", 3), ("THIEVES", 2)]),
    program("logger.cc", &[("WRITERS", 2), ("LINES", 2)]),
    program("readers_data.c", &[("READERS", 3), ("ENTRIES", 8)]),
    program("message_buffer.c", &[("PRODUCERS", 2), ("MESSAGES", 2)]),
    program("pipeline.cc", &[("STAGES", 3), ("ITEMS", 2)]),
    program("spin_backoff.c", &[("THREADS", 4)]),
    program("spin_counter.c", &[("THREADS", 2)]),
    program("philosophers.c", &[("N", 8)]),
    goal("philosophers.c", &[("N", 12)], 20_000),
    program("philosophers.c", &[("N", 16)]),
];

/// The program whose states are not to depend on the first number, with both numbers.
const SAME_STATES: (&str, u64, u64) = ("hand_over.c", 100, 10_000);
/// So many times fewer states there are to be in the geometric mean.
const FEWER: f64 = 10.0;

/// What the searches of one program came to: with all rules off, with each of them alone, with all on.
struct Row {
    program: &'static Program,
    searches: Vec<Measurement>,
}

/// Measures, prints the table, and writes it to the docs.
pub fn run(root: &Path) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let mut rows = Vec::new();
    for program in PROGRAMS {
        let executable =
            bench_check::compile(root, &format!("states/{}", program.source), program.definitions)?;
        let mut searches = Vec::new();
        for (column, options) in columns() {
            let options = [&["--timeout", PATIENCE, "--memory", MEMORY], &options[..]].concat();
            let measured = bench_check::check(&steam, &executable, &options)?;
            eprintln!("{}, {column}: {} states", name(program), measured.states);
            if measured.kind.is_some() {
                return Err(format!("{}, {column}: an error was found", name(program)));
            }
            searches.push(measured);
        }
        rows.push(Row { program, searches });
    }
    let text = page(&rows);
    bench_check::publish(root, RESULTS, "States of real programs", Some(&before), &text)
}

/// The searches of a program: what they are called, and their options.
fn columns() -> Vec<(String, Vec<&'static str>)> {
    let options = |is_on: &dyn Fn(usize) -> bool| -> Vec<&'static str> {
        let chosen = RULES.iter().enumerate();
        chosen.flat_map(|(at, rule)| if is_on(at) { rule.on } else { rule.off }).copied().collect()
    };
    let mut columns = vec![("off".to_owned(), options(&|_| false))];
    let alone = RULES.iter().enumerate();
    columns.extend(alone.map(|(only, rule)| (rule.name.to_owned(), options(&|at| at == only))));
    columns.push(("all".to_owned(), options(&|_| true)));
    columns
}

/// A program as the page names it.
fn name(program: &Program) -> String {
    let definitions = program.definitions.iter().map(|(key, value)| format!(" {key}={value}"));
    program.source.to_owned() + &definitions.collect::<String>()
}

fn page(rows: &[Row]) -> String {
    let columns: Vec<String> = columns().into_iter().map(|(name, _)| name).collect();
    let rules = RULES.iter().map(|rule| {
        format!("- *{}*: `{}` against `{}`\n", rule.name, rule.on.join(" "), rule.off.join(" "))
    });
    format!(
        "Written by `make bench-states`: the programs of `samples/bench/states`, compiled with `-O1`, in a depth-first \
         search\nwithout races; with all rules off, with each of them alone, with all on:\n\n{}\n\
         A search that a limit ended ({PATIENCE}, {MEMORY}) has a `>` before what it reached. States and \
         transitions\nare those of the last iteration, seconds are user CPU seconds of the whole check.\n\n\
         ## States\n\n{}\n## Transitions\n\n{}\n## Seconds\n\n{}\n## Goals\n\n{}",
        rules.collect::<String>(),
        table(rows, &columns, Some(factor), |it| reached(it, it.states)),
        table(rows, &columns, None, |it| reached(it, it.steps)),
        table(rows, &columns, None, |it| format!("{:.2}", it.user)),
        goals(rows),
    )
}

/// A number, with a mark where a limit ended the search.
fn reached(measured: &Measurement, number: u64) -> String {
    if measured.truncated { format!("> {number}") } else { number.to_string() }
}

fn table(
    rows: &[Row],
    columns: &[String],
    last: Option<fn(&Row) -> String>,
    cell: impl Fn(&Measurement) -> String,
) -> String {
    let fewer = if last.is_some() { " times fewer |" } else { "" };
    let mut text = format!("| program | {} |{fewer}\n", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(columns.len() + usize::from(last.is_some())));
    for row in rows {
        let cells: Vec<String> = row.searches.iter().map(&cell).collect();
        let factor = last.map_or(String::new(), |last| format!(" {} |", last(row)));
        let _ = writeln!(text, "| `{}` | {} |{factor}", name(row.program), cells.join(" | "));
    }
    text
}

/// How many times fewer states there are with all rules; at least so many where the search without them did not end.
fn times_fewer(row: &Row) -> Option<f64> {
    let (off, all) = (row.searches.first()?, row.searches.last()?);
    (!all.truncated && all.states > 0).then(|| off.states as f64 / all.states as f64)
}

fn factor(row: &Row) -> String {
    let more = if row.searches.first().is_some_and(|it| it.truncated) { "> " } else { "" };
    times_fewer(row).map_or_else(
        || row.searches.last().map_or("-", |_| "no end").to_owned(),
        |factor| format!("{more}{factor:.1}"),
    )
}

fn goals(rows: &[Row]) -> String {
    let mut text = "| goal | reached | met |\n|---|---:|---|\n".to_owned();
    for row in rows {
        let (Some(goal), Some(all)) = (row.program.goal, row.searches.last()) else { continue };
        let met = !all.truncated && all.states <= goal;
        let what = format!("`{}`: at most {goal} states", name(row.program));
        line(&mut text, &what, &reached(all, all.states), met);
    }
    let (source, few, many) = SAME_STATES;
    let of = |number: u64| {
        let is = |row: &&Row| {
            row.program.source == source && row.program.definitions.iter().any(|it| it.1 == number)
        };
        rows.iter().find(is).and_then(|row| row.searches.last())
    };
    if let (Some(one), Some(other)) = (of(few), of(many)) {
        let met = !other.truncated && other.states <= one.states;
        let what = format!("`{source}`: in no more states with {many} than with {few}");
        line(
            &mut text,
            &what,
            &format!("{} and {}", one.states, reached(other, other.states)),
            met,
        );
    }
    let factors: Vec<f64> = rows.iter().filter_map(times_fewer).collect();
    let mean = mean(&factors);
    let left = rows.len() - factors.len();
    let what = format!(
        "{FEWER} times fewer states in the geometric mean of the {} programs whose search ends, at least",
        factors.len()
    );
    line(&mut text, &what, &format!("{mean:.1}"), mean >= FEWER && left == 0);
    let _ = writeln!(text, "\nSearches that do not end with all rules on: {left}.");
    text
}

fn line(text: &mut String, what: &str, reached: &str, met: bool) {
    let _ = writeln!(text, "| {what} | {reached} | {} |", if met { "yes" } else { "no" });
}

/// The geometric mean.
fn mean(factors: &[f64]) -> f64 {
    let sum: f64 = factors.iter().map(|factor| factor.ln()).sum();
    (sum / factors.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench_check::tests::measured;

    fn row(program: &'static Program, states: &[(u64, bool)]) -> Row {
        let searches = states.iter().map(|&(states, cut)| measured(states, 1.0, cut)).collect();
        Row { program, searches }
    }

    #[test]
    fn the_first_search_has_no_rule_and_the_last_one_all() {
        let columns = columns();
        assert_eq!(columns.len(), RULES.len() + 2);
        assert_eq!(columns[0].1, RULES.iter().flat_map(|it| it.off).copied().collect::<Vec<_>>());
        let all: Vec<_> = RULES.iter().flat_map(|it| it.on).copied().collect();
        assert_eq!(columns[RULES.len() + 1].1, all);
    }

    #[test]
    fn a_search_that_did_not_end_meets_no_goal() {
        let small = &PROGRAMS[0];
        assert!(
            goals(&[row(small, &[(90_000, false), (1_500, false)])]).contains("| 1500 | yes |")
        );
        assert!(goals(&[row(small, &[(90_000, false), (1_501, false)])]).contains("| 1501 | no |"));
        assert!(goals(&[row(small, &[(90_000, false), (9, true)])]).contains("| > 9 | no |"));
    }

    #[test]
    fn the_mean_is_that_of_factors() {
        assert!((mean(&[2.0, 8.0]) - 4.0).abs() < 1e-9);
        let (ended, cut) = ([(800, true), (8, false)], [(800, true), (700, true)]);
        assert_eq!(times_fewer(&row(&PROGRAMS[0], &ended)), Some(100.0));
        assert_eq!(factor(&row(&PROGRAMS[0], &ended)), "> 100.0");
        assert_eq!(times_fewer(&row(&PROGRAMS[0], &cut)), None);
        assert_eq!(factor(&row(&PROGRAMS[0], &cut)), "no end");
    }
}
