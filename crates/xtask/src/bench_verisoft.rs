//! `xtask bench-verisoft`: VeriSoft's philosophers, and what each kind of search goes along.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::bench_check;
use crate::curves::{self, Curve};

const RESULTS: &str = "docs/benchmarks/verisoft.md";
const PLOT: &str = "docs/benchmarks/verisoft.svg";

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// Up to 10 philosophers, with five minutes for each check.
    Full,
    /// Up to 6 philosophers, with ten seconds for each.
    Short,
}

/// A kind of search, and what the paper says of it for 4 philosophers.
struct Kind {
    name: &'static str,
    options: &'static [&'static str],
    paper: &'static str,
}

const KINDS: &[Kind] = &[
    Kind { name: "classical", options: &[], paper: "708" },
    Kind {
        name: "state-less",
        options: &["--algo", "stateless", "--por", "none"],
        paper: "386,816",
    },
    Kind { name: "sleep sets", options: &["--algo", "stateless", "--por", "sleep"], paper: "-" },
    Kind {
        name: "persistent and sleep sets",
        options: &["--algo", "stateless", "--por", "persistent"],
        paper: "fewer than 708",
    },
    Kind { name: "source sets", options: &["--algo", "stateless", "--por", "source"], paper: "-" },
];

/// Measures, prints the table, and writes it and the plot to the docs.
pub fn run(root: &Path, length: Length) -> Result<(), String> {
    let steam = bench_check::steam_binary(root)?;
    let before = steam_host::load();
    let (most, timeout) = match length {
        Length::Full => (10, "5m"),
        Length::Short => (6, "10s"),
    };
    let mut table = "| philosophers |".to_owned();
    KINDS.iter().for_each(|kind| table += &format!(" {} |", kind.name));
    table += &format!("\n|---:|{}\n", "---:|".repeat(KINDS.len()));
    let mut curves: Vec<Curve> =
        KINDS.iter().map(|kind| Curve { name: kind.name, points: Vec::new() }).collect();
    for count in 2..=most {
        let program = bench_check::compile(root, "../phil/phil", &[("N", count)])?;
        let _ = write!(table, "| {count} |");
        for (kind, curve) in KINDS.iter().zip(&mut curves) {
            // Where a smaller one took too long, a larger one does.
            let hopeless = curve.points.len() as u64 + 2 < count;
            let measured = match hopeless {
                true => None,
                false => {
                    let common = ["--all", "--pilots", "none", "--timeout", timeout];
                    let options = [kind.options, &common].concat();
                    Some(bench_check::check(&steam, &program, &options)?)
                }
            };
            match measured.filter(|it| !it.truncated) {
                Some(it) => {
                    // Without the step of main from its beginning to where all processes are there.
                    let steps = it.steps - 1;
                    curve.points.push((count as f64, steps as f64));
                    let executions = it.executions.map(|it| format!(" ({it})")).unwrap_or_default();
                    let _ = write!(table, " {steps}{executions} |");
                }
                None => table += " TIME |",
            }
        }
        table += "\n";
        eprintln!("{count} philosophers: done");
    }
    let plot = curves::plot("philosophers", "transitions", &curves);
    fs::write(root.join(PLOT), plot).map_err(|error| format!("{PLOT}: {error}"))?;
    let title = "VeriSoft's philosophers";
    bench_check::publish(root, RESULTS, title, Some(&before), &text(&table, timeout))
}

fn text(table: &str, timeout: &str) -> String {
    let mut paper = String::new();
    for kind in KINDS {
        let _ = writeln!(paper, "| {} | {} |", kind.name, kind.paper);
    }
    format!(
        "`samples/phil/phil.c` is Figure 1 of \"Software Model Checking: The VeriSoft Approach\": N \
         processes, each\ntakes two semaphores and gives them back. The table has the transitions that \
         a search goes along when it\ngoes on after each deadlock (`--all`), and in parentheses its \
         executions. TIME: more than {timeout}.\n\n\
         What is counted: each `semop` is one transition. The one step that `main` makes from its \
         beginning to\nwhere all processes are there is not counted, as in the paper; `fork` and the \
         end of a process are no\nsteps here, for no thread can observe when they happen.\n\n\
         {table}\n![transitions by the number of philosophers](verisoft.svg)\n\n\
         What the paper says of four philosophers (its Figure 5 has the other numbers as curves \
         only):\n\n| search | transitions |\n|---|---:|\n{paper}\n\
         *classical* is depth-first with a store, *state-less* `--algo stateless --por none`; the \
         others are that with\n`--por sleep`, `persistent` (Algorithm 2 of the paper; its persistent \
         sets are learned) and `source`.\n"
    )
}
