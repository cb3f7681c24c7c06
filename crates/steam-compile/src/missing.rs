//! Finds out whether a compiler can make static 32-bit programs, and what to type where it cannot.
//!
//! One script (toolchain/setup) knows the packages of each distribution. It is embedded here, so
//! that the answer is the same in `make test`, in `steam cc` and in `steam doctor`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::drivers::Language;
use crate::scratch::Scratch;

const SETUP: &str = include_str!("../../../toolchain/setup");

/// A program of three lines whose linking shows that everything is there.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The language that it is written in.
    pub language: Language,
    file: &'static str,
    text: &'static str,
}

/// The probe of each language.
pub const PROBES: [Probe; 2] = [
    Probe {
        language: Language::C,
        file: "probe.c",
        text: "#include <errno.h>\n#include <stdio.h>\nint main(void) { errno = 0; return puts(\"\"); }\n",
    },
    Probe {
        language: Language::Cxx,
        file: "probe.cc",
        text: "#include <cerrno>\n#include <iostream>\nint main() { std::cout << errno; }\n",
    },
];

impl Probe {
    /// Whether a compiler links the probe.
    pub fn links(&self, driver: &[String]) -> bool {
        let Some((program, words)) = driver.split_first() else { return false };
        let Ok(scratch) = Scratch::new() else { return false };
        let source = scratch.file(self.file);
        std::fs::write(&source, self.text).is_ok()
            && Command::new(program)
                .args(words)
                .args(["-m32", "-static", "-pthread", "-o"])
                .arg(scratch.file("probe"))
                .arg(&source)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|status| status.success())
    }
}

/// Asked after a compiler failed: what to type where the reason is the machine, not the user's source.
pub(crate) fn what_is_missing(driver: &[String], language: Language) -> Option<String> {
    let probe = PROBES.iter().find(|probe| probe.language == language)?;
    let name = driver.join(" ");
    (!probe.links(driver)).then(|| {
        let advice = advice();
        format!("`{name}` cannot link static 32-bit programs on this machine; type\n    {advice}")
    })
}

/// The command to type on this machine, so that gcc and g++ make 32-bit programs.
pub fn advice() -> String {
    let fallback = "apt-get install gcc-multilib g++-multilib";
    let mut script = setup_script(&["--line"]);
    script.stdout(Stdio::piped()).stderr(Stdio::null());
    let line = feed(script).and_then(|child| child.wait_with_output());
    let line = line.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    line.ok().filter(|line| !line.is_empty()).unwrap_or_else(|| fallback.to_owned())
}

/// Installs what is missing; the script says what it does. Whether all is well afterwards.
pub fn install() -> bool {
    feed(setup_script(&[])).and_then(|mut child| child.wait()).is_ok_and(|status| status.success())
}

fn setup_script(arguments: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-s", "--"]).args(arguments).stdin(Stdio::piped());
    command
}

fn feed(mut command: Command) -> std::io::Result<std::process::Child> {
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(SETUP.as_bytes())?;
    }
    Ok(child)
}
