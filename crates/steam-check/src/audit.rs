//! Does in both orders what a search calls independent, and compares: what searches without a store rely on.

use steam_explain::Explainer;
use steam_program::Program;
use steam_search::laws::{Audited, audit_independence};

/// Steps along which steps that are called independent are done in both orders.
const AUDITED: usize = 10_000;

/// Does what is called independent in both orders, now that it is known what is shared. That they
/// differ is an error of ours, which the message says.
pub(crate) fn audit(
    program: &Program,
    seed: u64,
    is_over: &dyn Fn() -> bool,
) -> Result<String, String> {
    let audited = audit_independence(program, AUDITED, seed, is_over).map_err(|discord| {
        let steps = discord.pair.map(|(state, one, other)| {
            let explainer = Explainer::new(program);
            let told = [one, other].map(|action| explainer.next_step(&state, action.thread));
            format!("\n  {}\n  {}", told[0], told[1])
        });
        format!(
            "steam is wrong about this program: two steps that it calls independent lead to \
             different states in different orders, so that --algo stateless may miss errors. Please \
             report it; --algo dfs does not rely on them.{}\n  ({})",
            steps.unwrap_or_default(),
            discord.why
        )
    })?;
    let Audited { pairs, steps } = audited;
    let ended = if steps < AUDITED { "; then the time was over" } else { "" };
    Ok(format!(
        "{pairs} pairs of independent steps, met along {steps} random ones, were done in both \
         orders and led to the same state{ended}"
    ))
}
