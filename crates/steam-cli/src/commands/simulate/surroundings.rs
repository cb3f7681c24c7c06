//! What a simulation asks of the tool around it: trail files, and checks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use steam_check::{Executable, Setup, have_same_conditions, record};
use steam_simulate::{Explored, Scene, Surroundings};
use steam_trail::Trail;
use steam_trail::file::{write, write_file};

use super::explore;
use crate::args::simulate::ExploreArguments;
use crate::config::check::CheckPlan;
use crate::config::replay::read;
use crate::config::split_words;

/// The tool around a simulation.
pub struct Host {
    /// The program, and how it is explored.
    pub check: CheckPlan,
    /// The program's file.
    pub executable: Executable,
    /// What models of it are made of.
    pub setup: Setup,
    /// Set when the user wants what takes long to end.
    pub stop: Arc<AtomicBool>,
}

impl Surroundings for Host {
    fn load(&mut self, path: &Path) -> Result<Scene, String> {
        let trail = read(path).map_err(|error| format!("{error:#}"))?;
        let name = path.display();
        if trail.sha256 != self.executable.sha256 {
            return Err(format!("{name} is of another program: `steam simulate {name}` opens it"));
        }
        let own = record(&self.check.config, &self.executable.sha256, String::new());
        if !have_same_conditions(&trail, &own) {
            return Err(format!(
                "{name} was made with other arguments or options: `steam simulate {name}` opens it"
            ));
        }
        self.scene(trail).map_err(|error| format!("{error:#}"))
    }

    fn save(&mut self, path: &Path, trail: &Trail) -> Result<(), String> {
        write_file(path, &write(trail)).map_err(|error| error.to_string())
    }

    fn explore(&mut self, trail: &Trail, options: &str) -> Result<Explored, String> {
        let words = split_words(options).map_err(|error| error.to_string())?;
        if let Some(claim) = words.iter().filter_map(|word| word.to_str()).find(|it| is_claim(it)) {
            return Err(format!(
                "explore looks for errors alone, and {claim} claims something of whole runs: `steam check` \
                 takes it; here `watch EXPR` and `b PLACE if EXPR` stop where a value changes"
            ));
        }
        let typed = ExploreArguments::try_parse_from(words).map_err(|error| {
            let text = error.render().to_string();
            text.trim_start_matches("error: ").trim_end().to_owned()
        })?;
        self.check.redirect(&typed.search, &typed.limits).map_err(|error| error.to_string())?;
        explore::explore(self, trail).map_err(|error| format!("{error:#}"))
    }
}

/// Whether a word is an option of `steam check` by which something is claimed.
fn is_claim(word: &str) -> bool {
    let claims = ["--invariant", "--ltl", "--ltl-file", "--automaton", "--termination", "--fair"];
    claims.contains(&word.split('=').next().unwrap_or(word))
}
