//! What was typed: the command line, as clap reads it. What is meant is said by `config`.

pub mod bench;
pub mod check;
pub mod claims;
pub mod program;
pub mod simulate;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand, ValueEnum};

use self::bench::BenchArguments;
use self::check::{CheckArguments, ReplayArguments};
use self::program::ProgramArguments;
use self::simulate::SimulateArguments;

const EXIT_STATUS: &str = "Exit status: 0 all is well, 1 the machine found an error in the \
    program, 2 something is wrong with the command line, a file or the compiler, 3 the program \
    needs something that is not modelled, 101 an error of steam itself. A program that ends by \
    itself passes its own status on, as the compiler does; 128 + the signal's number when a signal \
    ends it.";

const RUN_STATUS: &str = "Exit status: the program's own when it ends by itself, 128 + the \
    signal's number when a signal ends it, 1 the machine found an error in the program, 2 \
    something is wrong with the command line, a file or the compiler, 3 the program needs \
    something that is not modelled, 101 an error of steam itself.";

/// Finds errors in the schedules of ordinary i386 Linux programs, in a machine of its own.
///
/// `steam PROG` alone is `steam check PROG`.
#[derive(Debug, Parser)]
#[command(name = "steam", version, after_help = EXIT_STATUS, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Explore all schedules of a program and report what is wrong with it.
    Check(Box<CheckArguments>),
    /// Run a program along a trail that check found.
    Replay(ReplayArguments),
    /// Step through a program by hand, thread by thread, and back.
    Simulate(Box<SimulateArguments>),
    /// Compare search methods on programs that can be made larger: tables and plots.
    Bench(Box<BenchArguments>),
    /// Run a program, or compile sources and run the result.
    Run(RunArguments),
    /// Show what steam sees in a program file.
    Show(ShowArguments),
    /// Call the C compiler with the flags that guests need (for `make CC="steam cc"`).
    Cc(CompilerArguments),
    /// Call the C++ compiler with the flags that guests need (for `make CXX="steam c++"`).
    #[command(name = "c++")]
    Cxx(CompilerArguments),
    /// Run a program that is built into steam; needs no compiler.
    Demo(DemoArguments),
    /// Show how a temporal formula is understood, and the automaton of its violations.
    Ltl(LtlArguments),
    /// List the heuristics for best-first search, A* and beam search.
    Heuristics,
    /// Check compiler, 32-bit libraries and the machine itself.
    Doctor(DoctorArguments),
}

/// `steam PROG` alone is `steam check PROG`: adds the command where a file stands in its place.
pub fn with_default_command(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| !is_command(word) && Path::new(word).exists()) {
        words.insert(1, "check".into());
    }
    words
}

/// Whether a word is a command or an option, even if a file has that name too.
fn is_command(word: &OsStr) -> bool {
    let Some(word) = word.to_str() else { return false };
    let arguments = Arguments::command();
    word.starts_with('-') || word == "help" || arguments.find_subcommand(word).is_some()
}

/// `steam run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_STATUS)]
pub struct RunArguments {
    /// One static i386 executable; or C and C++ sources, objects and archives.
    #[arg(value_name = "PROG|SRC", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Arguments of the program.
    #[arg(value_name = "ARGS", last = true)]
    pub arguments: Vec<OsString>,
    /// Give the program steam's own environment as well.
    #[arg(long)]
    pub env_inherit: bool,
    /// What the program reads from its standard input [default: steam's own].
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Say on standard error how many instructions were run, and in how many seconds.
    #[arg(long)]
    pub count: bool,
    /// Do not look for uses of values that were never written; the run is then much faster.
    #[arg(long)]
    pub no_uninitialised: bool,
    /// What else it gets, and how it is compiled.
    #[command(flatten)]
    pub program: ProgramArguments,
}

/// `steam show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// A static i386 executable.
    #[arg(value_name = "PROG")]
    pub program: PathBuf,
    /// Print the instructions, of one function or of all.
    #[arg(long, value_name = "FUNCTION", num_args = 0..=1)]
    pub disasm: Option<Option<String>>,
}

/// `steam ltl`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("source").required(true))]
pub struct LtlArguments {
    /// A formula, for example 'G (request -> F granted)'.
    #[arg(value_name = "FORMULA", group = "source")]
    pub formula: Option<String>,
    /// An automaton of forbidden runs in the Hanoi format, in the place of a formula.
    #[arg(long, value_name = "FILE", group = "source")]
    pub automaton: Option<PathBuf>,
    /// Print the automaton alone, as a graph for Graphviz.
    #[arg(long, conflicts_with = "hoa")]
    pub dot: bool,
    /// Print the automaton alone, in the Hanoi format for other tools.
    #[arg(long)]
    pub hoa: bool,
}

/// `steam cc` and `steam c++`: everything goes to the compiler, `--help` included.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompilerArguments {
    /// What the compiler gets, after `-m32 -static -g -pthread -fno-omit-frame-pointer`.
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// `steam demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Which one.
    #[arg(value_enum, default_value_t = DemoName::Primes)]
    pub name: DemoName,
}

/// The demos. All are one embedded program, called with another argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DemoName {
    /// Compute a few things and end well.
    Primes,
    /// Write past the end of a heap block.
    Overflow,
    /// Write through a null pointer.
    Null,
}

/// `steam doctor`.
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Install what is missing by apt.
    #[arg(long)]
    pub fix: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn guest_arguments_stand_behind_two_dashes() {
        let arguments =
            Arguments::try_parse_from(["steam", "run", "a.c", "b.o", "--", "-x", "--", "y"]);
        let Command::Run(run) = arguments.unwrap().command else { panic!("not run") };
        assert_eq!(run.inputs, [PathBuf::from("a.c"), PathBuf::from("b.o")]);
        assert_eq!(run.arguments, ["-x", "--", "y"]);
    }

    #[test]
    fn the_compiler_gets_everything() {
        let words = ["steam", "cc", "--version", "-o", "x", "--help", "-h", "-Wl,-z,now"];
        let Command::Cc(cc) = Arguments::try_parse_from(words).unwrap().command else {
            panic!("not cc")
        };
        assert_eq!(cc.arguments, words[2..]);
    }

    #[test]
    fn a_file_alone_is_checked() {
        let spelled = |words: &[&str]| {
            with_default_command(words.iter().map(OsString::from).collect::<Vec<_>>())
        };
        let here = env!("CARGO_MANIFEST_DIR");
        assert_eq!(spelled(&["steam", here, "-q"]), ["steam", "check", here, "-q"]);
        for words in [&["steam", "run", "x"][..], &["steam", "no such file"], &["steam", "--help"]]
        {
            assert_eq!(spelled(words), words);
        }
        assert_eq!(spelled(&["steam"]), ["steam"]);
    }

    #[test]
    fn disasm_may_name_a_function() {
        let parse = |words: &[&str]| match Arguments::try_parse_from(words).unwrap().command {
            Command::Show(show) => show.disasm,
            _ => panic!("not show"),
        };
        assert_eq!(parse(&["steam", "show", "p"]), None);
        assert_eq!(parse(&["steam", "show", "p", "--disasm"]), Some(None));
        assert_eq!(parse(&["steam", "show", "p", "--disasm", "main"]), Some(Some("main".into())));
    }
}
