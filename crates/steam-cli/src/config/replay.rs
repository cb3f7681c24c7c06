//! The plan of `steam replay`: the trail file says what is to be run, and how.

use std::path::Path;

use anyhow::Context;
use steam_check::{Kept, Origin};
use steam_trail::{Follow, Trail, file};

use super::output::{OutputPlan, output};
use crate::args::check::ReplayArguments;
use crate::input_file;

/// The longest trail file that is read.
const LARGEST: u64 = 1 << 30;

/// What `steam replay` is to do.
#[derive(Debug, PartialEq, Eq)]
pub struct ReplayPlan {
    /// The recorded trail.
    pub trail: Trail,
    /// What it keeps beside its schedule.
    pub kept: Kept,
    /// What of each step must agree.
    pub follow: Follow,
    /// Expressions whose values are shown along the way.
    pub print: Vec<String>,
    /// What is printed.
    pub output: OutputPlan,
}

/// Makes the plan of `steam replay`.
pub fn replay(typed: ReplayArguments) -> anyhow::Result<ReplayPlan> {
    let trail = read(&typed.trail)?;
    let kept = match typed.program {
        Some(path) => {
            Kept::of(&trail).map(|kept| kept.by(Origin::Executable(path))).map_err(Into::into)
        }
        None => kept(&trail),
    };
    let kept = kept.with_context(|| format!("{} cannot be replayed", typed.trail.display()))?;
    Ok(ReplayPlan {
        trail,
        kept,
        follow: if typed.loose { Follow::Lines } else { Follow::Code },
        print: typed.print,
        output: output(&typed.output, false),
    })
}

/// Reads a trail file.
pub fn read(path: &Path) -> anyhow::Result<Trail> {
    let bytes = input_file::read(path, LARGEST)?;
    file::parse(&bytes).with_context(|| path.display().to_string())
}

/// What a trail keeps of a program whose sources, if it is built, are there.
pub fn kept(trail: &Trail) -> anyhow::Result<Kept> {
    let kept = Kept::of(trail)?;
    if let Origin::Build(build) = &kept.scenario.origin {
        build.inputs.iter().try_for_each(|input| input_file::is_regular(input))?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_trail::Setting;

    #[test]
    fn sources_that_are_gone_are_missed() {
        let input = Setting { name: "input".into(), value: b"no such file.c".to_vec() };
        let trail = Trail { atomic: "lgc".into(), settings: vec![input], ..Trail::default() };
        let message = kept(&trail).unwrap_err().to_string();
        assert!(message.contains("cannot read no such file.c"), "{message}");
    }

    #[test]
    fn a_file_that_is_no_trail_is_refused_by_its_line() {
        let this = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let message = format!("{:#}", read(this).unwrap_err());
        assert!(message.contains("Cargo.toml: line 1: expected `steam-trail 1`"), "{message}");
        assert!(read(Path::new("/dev/zero")).is_err());
    }
}
