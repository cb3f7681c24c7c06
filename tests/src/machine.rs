//! Where the binary `steam` is, and the command lines that run a guest natively and in it.

use crate::corpus::Guest;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Runs guests: the machine under test, or another emulator in its place.
#[derive(Clone, Debug)]
pub enum Machine {
    /// The binary `steam`, run as `steam run`.
    Steam(PathBuf),
    /// Words of a command that takes the guest and its arguments, as `qemu-i386` does; from
    /// the variable `STEAM_GUEST_RUNNER`. It tells a wrong test from a wrong machine.
    Other(Vec<String>),
}

impl Machine {
    /// Takes `STEAM_GUEST_RUNNER` if it is set, then `STEAM_BIN`, then the newest `steam` that
    /// cargo built beside this test.
    ///
    /// # Errors
    /// Says what to build when there is no binary.
    pub fn locate() -> Result<Self, String> {
        if let Ok(runner) = std::env::var("STEAM_GUEST_RUNNER") {
            return Ok(Self::Other(runner.split_whitespace().map(str::to_owned).collect()));
        }
        if let Ok(binary) = std::env::var("STEAM_BIN") {
            return Ok(Self::Steam(PathBuf::from(binary)));
        }
        let target = target_directory();
        ["debug", "release"]
            .map(|profile| target.join(profile).join("steam"))
            .into_iter()
            .filter_map(|path| Some((modified(&path)?, path)))
            .max()
            .map(|(_, path)| Self::Steam(path))
            .ok_or_else(|| {
                format!(
                    "no binary `steam` in {}: build it with `cargo build -p steam-cli`",
                    target.display()
                )
            })
    }

    /// The command that runs the guest in the machine.
    pub fn command(&self, executable: &Path, guest: &Guest) -> Command {
        self.run(executable, guest, &[])
    }

    /// The same, without a look for values that were never written: ten times as fast.
    pub fn quick_command(&self, executable: &Path, guest: &Guest) -> Command {
        self.run(executable, guest, &["--no-uninitialised"])
    }

    fn run(&self, executable: &Path, guest: &Guest, options: &[&str]) -> Command {
        let mut command = match self {
            Self::Steam(binary) => {
                let mut command = Command::new(binary);
                command.arg("run").args(options);
                for (name, value) in &guest.directive.environment {
                    command.arg("--env").arg(format!("{name}={value}"));
                }
                command.arg(executable).arg("--");
                command
            }
            Self::Other(words) => {
                let mut command = Command::new(words.first().map_or("", String::as_str));
                command.args(words.iter().skip(1)).arg(executable);
                command
            }
        };
        surround(&mut command, guest);
        command
    }
}

/// The command that runs the guest on the host's own CPU.
pub fn native(executable: &Path, guest: &Guest) -> Command {
    let mut command = Command::new(executable);
    surround(&mut command, guest);
    command
}

/// The same arguments, environment and working directory for both.
fn surround(command: &mut Command, guest: &Guest) {
    command.args(&guest.directive.arguments).env_clear();
    command.envs(guest.directive.environment.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = guest.path.parent() {
        command.current_dir(folder);
    }
}

/// Cargo's target directory: test binaries are in `<target>/<profile>/deps`.
pub fn target_directory() -> PathBuf {
    let beside = std::env::current_exe().ok();
    let target = beside.as_deref().and_then(|path| path.ancestors().nth(3)).map(Path::to_path_buf);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"))
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}
