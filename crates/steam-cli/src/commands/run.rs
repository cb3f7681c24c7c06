//! `steam run`: one run of a program in the machine, compiled first where sources are given.

use steam_image::Image;
use steam_program::Ending;

use crate::config::RunPlan;
use crate::executable;
use crate::machine;
use crate::outcome::Outcome;
use crate::terminal;

const SIGPIPE: u8 = 13;

/// Runs the program of a plan.
pub fn run(plan: &RunPlan) -> anyhow::Result<Outcome> {
    let image = executable::load(&plan.program, &plan.guest)?.image;
    let finished = machine::run(&image, &plan.guest, plan.uninitialised)?;
    if plan.count {
        terminal::note(&format!("instructions {}", finished.instructions));
        terminal::note(&format!("seconds {:.3}", finished.seconds));
    }
    let outcome = report(&finished.ending);
    explain_missing_lines(&image, outcome);
    Ok(outcome)
}

/// Says why a report has no source lines, where it has none.
fn explain_missing_lines(image: &Image, outcome: Outcome) {
    if matches!(outcome, Outcome::Violation | Outcome::Unknown | Outcome::Signal(_))
        && let Some(reason) = image.lines.missing()
    {
        terminal::complain(&format!("note: {reason}"));
    }
}

/// Says how the guest ended, where that is not its own business.
pub fn report(ending: &Ending) -> Outcome {
    match ending {
        // What a parent process would see of it.
        Ending::Exited(status) => Outcome::Status(*status as u8),
        // The guest's output has no reader any more, as after `| head`: no error of the guest.
        Ending::Killed { signal: SIGPIPE, .. } => Outcome::BrokenPipe,
        Ending::Killed { signal, report } => {
            terminal::note(report.to_string().trim_end());
            Outcome::Signal(*signal)
        }
        Ending::Violation(report) => {
            terminal::note(report.to_string().trim_end());
            Outcome::Violation
        }
        Ending::Unknown(report) => {
            terminal::note(report.to_string().trim_end());
            Outcome::Unknown
        }
    }
}
