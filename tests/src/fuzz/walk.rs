//! Scripts of `steam simulate`: whatever their lines say, each is obeyed or refused.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use steam_image::Image;
use steam_linux::world::Stdin;
use steam_program::{Config, Options, Program};
use steam_simulate::{Explored, Scene, Session, Simulation, Surroundings, script as lines};
use steam_trail::Trail;

use super::targets::guest;

/// The most that is read of a script: one walk is short.
const LONGEST: usize = 2000;

/// Nothing is there, and nothing is kept.
struct Nowhere;

impl Surroundings for Nowhere {
    fn load(&mut self, path: &Path) -> Result<Scene, String> {
        Err(format!("{} is not there", path.display()))
    }

    fn save(&mut self, _: &Path, _: &Trail) -> Result<(), String> {
        Ok(())
    }

    fn explore(&mut self, _: &Trail, _: &str) -> Result<Explored, String> {
        Err("nothing is searched here".to_owned())
    }
}

/// Obeys the lines in a small program with threads; whether most of them were right. Some cannot be obeyed
/// where a walk happens to stand.
pub(super) fn script(bytes: &[u8]) -> bool {
    static IMAGE: LazyLock<Arc<Image>> = LazyLock::new(|| {
        let bytes = guest("accounts.c", &["-g", "-pthread"]);
        Arc::new(Image::parse(&bytes, "accounts").expect("a program"))
    });
    let config = Config {
        arguments: vec![b"accounts".to_vec()],
        stdin: Stdin::Empty,
        quarantine: 1,
        ..Config::default()
    };
    let program = Program::new(Arc::clone(&IMAGE), config, Options::default());
    let program = program.expect("a program that boots");
    let scene = Scene { program, trail: Trail::default(), deadlocks: true };
    let simulation = Simulation::new(&IMAGE, scene, Arc::new(AtomicBool::new(false)));
    let mut nowhere = Nowhere;
    let mut session = Session::new(simulation, &mut nowhere);
    let mut said = Vec::new();
    let script = &bytes[..bytes.len().min(LONGEST)];
    lines::run(&mut session, script, &mut said).expect("a vector takes all bytes");
    let said = String::from_utf8_lossy(&said);
    let beginning = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    4 * beginning("error: ") <= beginning(lines::PROMPT)
}
