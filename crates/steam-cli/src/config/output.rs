//! What is printed, and how: decided by what was typed and by where it goes.

use std::io::IsTerminal;

use steam_trail::ProgressMode;
use steam_trail::render::View;

use crate::args::check::{ColorChoice, Format, OutputArguments, ProgressChoice};

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputPlan {
    /// The form of the report.
    pub format: Format,
    /// What of it is shown.
    pub view: View,
    /// Whether the verdict alone is printed.
    pub quiet: bool,
}

/// What the environment says about our output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Surroundings {
    terminal: bool,
    no_color: bool,
}

/// Decides how a report is printed to standard output, or to a file.
pub fn output(typed: &OutputArguments, to_file: bool) -> OutputPlan {
    let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let terminal = !to_file && std::io::stdout().is_terminal();
    let color = color(typed.color, Surroundings { terminal, no_color: dumb || unwanted });
    let view = View { times: !typed.no_times, color, max_steps: typed.max_steps };
    OutputPlan { format: typed.format, view, quiet: typed.quiet }
}

fn color(choice: ColorChoice, around: Surroundings) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => around.terminal && !around.no_color,
    }
}

/// Decides how progress is shown on standard error.
pub fn progress(choice: ProgressChoice, quiet: bool) -> ProgressMode {
    match choice {
        ProgressChoice::Plain => ProgressMode::Plain,
        ProgressChoice::Auto if !quiet && std::io::stderr().is_terminal() => ProgressMode::Terminal,
        ProgressChoice::Auto | ProgressChoice::None => ProgressMode::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals() {
        let terminal = Surroundings { terminal: true, no_color: false };
        let unwanted = Surroundings { terminal: true, no_color: true };
        let pipe = Surroundings { terminal: false, no_color: false };
        assert!(color(ColorChoice::Auto, terminal));
        assert!(!color(ColorChoice::Auto, unwanted));
        assert!(!color(ColorChoice::Auto, pipe));
        assert!(color(ColorChoice::Always, pipe));
        assert!(!color(ColorChoice::Never, terminal));
    }
}
