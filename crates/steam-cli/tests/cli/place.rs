//! The built binary, called in a fresh directory.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory of one test, removed at its end.
pub struct Place {
    path: PathBuf,
}

impl Place {
    /// Makes an empty one.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("steam-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self { path }
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The binary under test, in this directory, without compilers named from outside.
    pub fn steam(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_steam"));
        command.args(arguments);
        command
    }

    /// Any program, in this directory.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.path);
        // Each test has its own directory for temporary files, too, so that leftovers show.
        std::fs::create_dir_all(self.file("tmp")).unwrap();
        command.env("TMPDIR", self.file("tmp"));
        for name in ["CC", "CXX", "STEAM_CC", "STEAM_CXX", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"] {
            command.env_remove(name);
        }
        command
    }

    /// What lies in the directory for temporary files.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.file("tmp")).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A finished call, easier to look at.
#[derive(Debug)]
pub struct Said {
    /// The exit status; -1 for a signal.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs a command to its end.
pub fn said(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Said {
        status: status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&stdout).into_owned(),
        err: String::from_utf8_lossy(&stderr).into_owned(),
    }
}
