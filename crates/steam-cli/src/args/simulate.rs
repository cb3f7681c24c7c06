//! What was typed after `steam simulate`, and after `explore` within it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser};

use super::check::{GuestArguments, JudgementArguments, LimitArguments, SearchArguments};

const SIMULATE_HELP: &str = "\
Examples:
  steam simulate philosophers.c -- 3       step through a program, thread by thread
  steam simulate glob.trail                go along the schedule of an error, and back
  steam simulate --tui glob.trail          the same with panes for source, threads and variables
  steam simulate glob.c < commands         a script, one command a line

Commands: `help` lists them; gdb's words (s n c b watch p bt info threads) and v (one visible \
operation), t N (choose the thread), choices, back, goto N, diff, save, load, explore.

Exit status: 0 all is well, 2 a command of a script was wrong, or the command line, a file or the \
compiler, 101 an error of steam itself. That an error of the program was reached is no failure.";

/// `steam simulate`.
#[derive(Debug, Args)]
#[command(after_help = SIMULATE_HELP, args_override_self = true)]
pub struct SimulateArguments {
    /// One static i386 executable; or C and C++ sources, objects and archives; or a trail file.
    #[arg(value_name = "PROG|SRC|TRAIL", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Arguments of the program.
    #[arg(value_name = "ARGS", last = true)]
    pub arguments: Vec<OsString>,
    /// Show source, threads, variables and schedule in panes.
    #[arg(long)]
    pub tui: bool,
    /// What one step is, and what counts as an error.
    #[command(flatten)]
    pub judgement: JudgementArguments,
    /// What the program gets.
    #[command(flatten)]
    pub guest: GuestArguments,
}

/// `explore` within a simulation.
#[derive(Debug, Parser)]
#[command(name = "explore", no_binary_name = true, args_override_self = true)]
pub struct ExploreArguments {
    /// How to look for errors.
    #[command(flatten)]
    pub search: SearchArguments,
    /// What is remembered, and when to give up.
    #[command(flatten)]
    pub limits: LimitArguments,
}
