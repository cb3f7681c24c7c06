//! What was typed about properties of states and runs.

use std::path::PathBuf;

use clap::Args;
use steam_check::Fair;

use super::check::choice;

/// What states and runs have to fulfil.
#[derive(Debug, Args)]
#[command(next_help_heading = "Properties")]
pub struct ClaimArguments {
    /// A C expression over globals and statics that is to hold in every state, such as 'used <= size';
    /// may be given more than once.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub invariant: Vec<String>,
    /// A temporal formula that every run is to fulfil, such as 'G (request -> F granted)'; see steam
    /// ltl. May be given more than once; each gets a verdict of its own.
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    pub ltl: Vec<String>,
    /// A file of formulas, one on each line; what follows # is a comment.
    #[arg(long, value_name = "FILE")]
    pub ltl_file: Vec<PathBuf>,
    /// A file with an automaton in the Hanoi format whose runs are errors.
    #[arg(long, value_name = "FILE")]
    pub automaton: Vec<PathBuf>,
    /// Every run is to come to the end of the program, unless it is unfair; the same as --ltl 'F ended()'.
    #[arg(long)]
    pub termination: bool,
    /// Which runs without an end count, for formulas.
    #[arg(long, value_parser = choice::<Fair>(), value_name = "KIND")]
    pub fair: Option<Fair>,
}
