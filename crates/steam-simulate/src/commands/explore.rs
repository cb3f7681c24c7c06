//! A check from where the user stands.

use steam_trail::quantity::counted;

use super::schedule::trail;
use super::{Answer, Command, Session};

pub(super) const COMMANDS: &[Command] = &[Command {
    name: "explore",
    aliases: &["check"],
    arguments: "[OPTIONS of steam check]",
    help: "look for an error in all that can follow from here; one that is found becomes the schedule",
    run: explore,
}];

fn explore(session: &mut Session<'_, '_>, text: &str) -> Answer {
    let simulation = &mut session.simulation;
    if simulation.state().is_none() {
        return Err("nothing follows an error: `back` goes to before it".to_owned());
    }
    let walked = trail(simulation);
    let explored = session.around.explore(&walked, text)?;
    let Some(found) = explored.found else { return Ok(explored.text) };
    let all = found.scene.trail.steps.len();
    session.simulation.change_scene(found.scene);
    session.simulation.go_to(found.steps);
    session.listed = None;
    let told = match all - found.steps {
        0 => "this is where you stand: `back` goes to before\n".to_owned(),
        more => format!(
            "the path there is recorded, {}: `c` follows it, then `save FILE` keeps it\n",
            counted(more as u64, "step from here", "steps from here")
        ),
    };
    Ok(explored.text + &told)
}
