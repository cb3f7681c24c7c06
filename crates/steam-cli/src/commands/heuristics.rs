//! `steam heuristics`: the heuristics by name, with a line each.

use steam_session::HEURISTICS;

use crate::outcome::Outcome;
use crate::terminal;

/// Lists them.
pub fn heuristics() -> anyhow::Result<Outcome> {
    let line = |named: &steam_session::Named| format!("{:<8} {}\n", named.name, named.description);
    let lines: String = HEURISTICS.iter().map(line).collect();
    terminal::print(&format!("{lines}\nnext: steam check PROG --algo astar --heur pl2\n"))?;
    Ok(Outcome::Success)
}
