//! What was typed after `steam bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use steam_check::{AlgorithmName, Atomic};
use steam_trail::quantity::{parse_duration, parse_size};

use super::check::{choice, heuristic_names};

const BENCH_HELP: &str = "\
Examples:
  steam bench quick                                        a small suite that is built in
  steam bench table4 --short --jobs 2                      a table of the StEAM paper, in an hour
  steam bench my.toml --export md,json,svg                 a suite of your own; see docs/bench.md
  steam bench philo.c --algo bfs,astar --heur mb,pl2 --scale 2..8
  steam bench philo.c --algo bf --heur pl2 --scale max:500 the largest scale up to 500
  steam bench compare old.json new.json --threshold 10     what became worse

A program is told its scale by its first argument.

Exit status: 0 all was measured, 1 a comparison found something worse, 2 something is wrong with \
the command line, a file or the compiler, 130 interrupted, 101 an error of steam itself.";

/// `steam bench`.
#[derive(Debug, Args)]
#[command(
    after_help = BENCH_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true
)]
pub struct BenchArguments {
    /// Another thing to do with runs.
    #[command(subcommand)]
    pub action: Option<BenchAction>,
    /// Suites: files that end in .toml, or quick, table3, table4, table5, figure4. Or one program,
    /// or its sources.
    #[arg(value_name = "SUITE|PROG|SRC", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Orders, separated by commas: those of a program, or the only ones of a suite.
    #[arg(long, value_parser = choice::<AlgorithmName>(), value_delimiter = ',', value_name = "ORDERS")]
    pub algo: Vec<AlgorithmName>,
    /// Heuristics, separated by commas, likewise.
    #[arg(long, value_parser = heuristic_names(), value_delimiter = ',', value_name = "NAMES")]
    pub heur: Vec<String>,
    /// What one step is, separated by commas, likewise.
    #[arg(long, value_parser = choice::<Atomic>(), value_delimiter = ',', value_name = "STEPS")]
    pub atomic: Vec<Atomic>,
    /// The only models of a suite, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub model: Vec<String>,
    /// The scales of a program: 2..8, or 2,4,8, or max:1000 for the largest up to that.
    #[arg(long, value_name = "SCALES")]
    pub scale: Option<String>,
    /// Limits of ten seconds for a check and a minute for all checks of a method on a model.
    #[arg(long, conflicts_with_all = ["timeout", "cell"])]
    pub short: bool,
    /// Give up a check after this time [default: the suite's, or 20m].
    #[arg(long, value_parser = parse_duration, value_name = "TIME")]
    pub timeout: Option<Duration>,
    /// Give up a method on a model after this time [default: the suite's, or never].
    #[arg(long, value_parser = parse_duration, value_name = "TIME")]
    pub cell: Option<Duration>,
    /// Give up a check when so much memory is in use [default: the suite's, or 900M].
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    pub memory: Option<u64>,
    /// Checks that run side by side; times are best measured with one.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub jobs: usize,
    /// What is written beside the tables that are printed, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORMS")]
    pub export: Vec<ExportForm>,
    /// Where that is written.
    #[arg(long, default_value = ".", value_name = "DIRECTORY")]
    pub dir: PathBuf,
}

/// What else can be done with runs.
#[derive(Debug, Subcommand)]
pub enum BenchAction {
    /// Say what became better or worse between two runs.
    Compare(CompareArguments),
}

/// `steam bench compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The old run, as `--export json` wrote it.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new run.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Changes by at most so many percent are not shown.
    #[arg(long, default_value_t = 5, value_name = "PERCENT")]
    pub threshold: u32,
}

/// A form in which a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// A page with tables.
    Md,
    /// A line of figures for each check.
    Csv,
    /// Everything, for `steam bench compare`.
    Json,
    /// Plots as vectors.
    Svg,
    /// Plots as points.
    Png,
}
