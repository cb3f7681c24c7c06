//! The binary `steam`: arguments -> configuration -> command -> exit status.

mod args;
mod commands;
mod config;
mod delivery;
mod disassembly;
mod executable;
mod input_file;
mod interrupt;
mod machine;
mod outcome;
mod terminal;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use steam_compile::Language;

use crate::args::bench::BenchAction;
use crate::args::{Arguments, Command};
use crate::outcome::Outcome;

fn main() -> ExitCode {
    install_panic_message();
    let words = args::with_default_command(spell_out(std::env::args_os().collect()));
    let arguments = Arguments::parse_from(words);
    let result = interrupt::let_large_files_fail().and_then(|()| run(arguments.command));
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) if terminal::is_broken_pipe(&error) => Outcome::BrokenPipe.into(),
        Err(error) => {
            terminal::complain(&format!("{error:#}"));
            Outcome::UserError.into()
        }
    }
}

fn run(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Check(typed) => {
            config::check::check(*typed).and_then(|plan| commands::check::check(&plan))
        }
        Command::Replay(typed) => {
            config::replay::replay(typed).and_then(|plan| commands::replay::replay(&plan))
        }
        Command::Simulate(typed) => {
            config::simulate::simulate(*typed).and_then(commands::simulate::simulate)
        }
        Command::Run(typed) => config::run(typed).and_then(|plan| commands::run::run(&plan)),
        Command::Show(typed) => commands::show::show(&typed),
        Command::Cc(typed) => commands::cc::cc(Language::C, &typed.arguments),
        Command::Cxx(typed) => commands::cc::cc(Language::Cxx, &typed.arguments),
        Command::Demo(typed) => commands::demo::demo(typed.name),
        Command::Bench(typed) => match typed.action {
            Some(BenchAction::Compare(typed)) => commands::bench::compare_runs(&typed),
            None => config::bench::bench(*typed).and_then(|plan| commands::bench::bench(&plan)),
        },
        Command::Ltl(typed) => commands::ltl::ltl(&typed),
        Command::Heuristics => commands::heuristics::heuristics(),
        Command::Doctor(typed) => commands::doctor::doctor(typed.fix),
    }
}

/// A panic is always our fault: it says so, and main ends with status 101 by unwinding, so that
/// temporary files are still removed.
fn install_panic_message() {
    std::panic::set_hook(Box::new(|panic| {
        terminal::complain(&format!("internal error, please report: {panic}"));
    }));
}

/// The names `steam-cc` and `steam-c++` (links to this binary) stand for the command.
fn spell_out(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|word| Path::new(word).file_name()?.to_str());
    let command = match name {
        Some("steam-cc") => "cc",
        Some("steam-c++") => "c++",
        _ => return words,
    };
    words.insert(1, command.into());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(words: &[&str]) -> Vec<OsString> {
        spell_out(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn the_name_may_carry_the_command() {
        assert_eq!(spelled(&["/usr/bin/steam-cc", "-c"]), ["/usr/bin/steam-cc", "cc", "-c"]);
        assert_eq!(spelled(&["steam-c++"]), ["steam-c++", "c++"]);
        assert_eq!(spelled(&["steam", "run"]), ["steam", "run"]);
        assert_eq!(spelled(&[]), [""; 0]);
    }
}
