//! What was typed about the program: what it gets, and how its sources are compiled. Alike for each command that
//! runs a program.

use std::ffi::OsString;

use clap::Args;

/// What the program gets, and how it is compiled.
#[derive(Debug, Args)]
pub struct ProgramArguments {
    /// Add a variable to the program's environment, which is empty otherwise.
    #[arg(long = "env", value_name = "KEY=VALUE")]
    pub environment: Vec<OsString>,
    /// Which files of the host the program finds, read-only: all that you may read (ro), none, or those in a
    /// folder. What it writes stays in the machine.
    #[arg(long, value_name = "none|ro|DIR", default_value = "ro")]
    pub files: OsString,
    /// The C compiler for sources [default: $STEAM_CC, $CC or gcc].
    #[arg(long, value_name = "COMPILER")]
    pub cc: Option<String>,
    /// More flags for the compiler, for example --cflags '-O2 -DN=3'.
    #[arg(
        long,
        value_name = "FLAGS",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub cflags: String,
}
