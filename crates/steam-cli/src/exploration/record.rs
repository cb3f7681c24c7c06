//! What a trail says before its first step.

use steam_trail::{Setting, Trail};

use crate::config::check::CheckPlan;
use crate::config::replay::SHARED;
use crate::executable::Executable;

static NO_NAME: Vec<u8> = Vec::new();

/// The trail of a plan, without steps; `known` is what was learned of shared memory.
pub fn record(plan: &CheckPlan, executable: &Executable, known: String) -> Trail {
    let mut settings = plan.settings();
    if !known.is_empty() {
        settings.push(Setting { name: SHARED.to_owned(), value: known.into_bytes() });
    }
    let configuration = plan.configuration();
    let (name, arguments) = plan.guest.arguments.split_first().unwrap_or((&NO_NAME, &[]));
    Trail {
        program: String::from_utf8_lossy(name).into_owned(),
        sha256: executable.sha256.clone(),
        arguments: arguments.to_vec(),
        seed: configuration.seed,
        atomic: configuration.atomic,
        settings,
        ..Trail::default()
    }
}
