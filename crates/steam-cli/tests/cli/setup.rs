//! toolchain/setup on machines that lack things. Compilers and package managers are played by small
//! scripts on a search path of their own, so that nothing is ever installed here.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::place::{Place, Said, said};

/// Links only once the marker file is there, as a compiler does after the installation.
const COMPILER: &str = "[ \"$1\" = -dumpversion ] && { echo 12; exit 0; }\n[ -e \"$MARKER\" ]\n";

struct Machine {
    place: Place,
}

impl Machine {
    /// A machine with a shell's usual tools and nothing else.
    fn new() -> Self {
        let machine = Self { place: Place::new() };
        std::fs::create_dir(machine.place.file("bin")).unwrap();
        for tool in ["mktemp", "rm", "sed", "grep", "head", "tail", "env", "uname"] {
            let real = ["/usr/bin", "/bin"]
                .iter()
                .map(|directory| std::path::Path::new(directory).join(tool))
                .find(|path| path.exists())
                .unwrap();
            symlink(real, machine.place.file("bin").join(tool)).unwrap();
        }
        machine.script("id", "echo 0\n").script("ln", "echo \"ln $*\" >>\"$LOG\"\n");
        machine
    }

    fn script(&self, name: &str, body: &str) -> &Self {
        let path = self.place.write(&format!("bin/{name}"), format!("#!/bin/sh\n{body}"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// apt-get that notes what it is asked for; `install` works as the body says.
    fn apt(&self, install: &str, candidate: &str) -> &Self {
        self.script(
            "apt-get",
            &format!("echo \"$*\" >>\"$LOG\"\ncase \"$*\" in\n{install}\nesac\nexit 0\n"),
        );
        self.script("apt-cache", &format!("echo '  Candidate: {candidate}'\n"))
    }

    fn compilers(&self) -> &Self {
        self.script("gcc", COMPILER).script("g++", COMPILER)
    }

    fn setup(&self, arguments: &[&str]) -> Said {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../toolchain/setup");
        let mut command: Command = self.place.command("/bin/sh");
        command.arg(script).args(arguments);
        command.env("PATH", self.place.file("bin"));
        command.env("MARKER", self.place.file("marker"));
        command.env("LOG", self.place.file("log"));
        let answer = said(&mut command);
        assert!(self.place.leftovers().is_empty(), "{:?}", self.place.leftovers());
        answer
    }

    fn asked_of_apt(&self) -> String {
        std::fs::read_to_string(self.place.file("log")).unwrap_or_default()
    }
}

#[test]
fn nothing_to_do_is_silent_and_asks_nobody() {
    let machine = Machine::new();
    machine.compilers().apt("", "12");
    machine.place.write("marker", "");
    let answer = machine.setup(&[]);
    assert_eq!((answer.status, answer.out.as_str(), answer.err.as_str()), (0, "", ""));
    assert_eq!(machine.asked_of_apt(), "");
    assert_eq!(machine.setup(&["--check"]).status, 0);
}

#[test]
fn missing_libraries_are_installed_once() {
    let machine = Machine::new();
    machine.compilers().apt("*-y*gcc-multilib*) : >\"$MARKER\" ;;", "12");
    assert_eq!(machine.setup(&["--check"]).status, 1);
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let asked = machine.asked_of_apt();
    assert!(asked.contains("--no-remove gcc-multilib g++-multilib"), "{asked}");
    assert!(!asked.contains("update"), "{asked}");
    assert_eq!(machine.setup(&[]).err, "");
}

#[test]
fn old_package_lists_are_renewed_only_when_needed() {
    let machine = Machine::new();
    // Nothing can be installed before the update.
    machine.compilers().apt(
        "update*) : >\"$LOG.updated\" ;;\n\
         *-y*) [ -e \"$LOG.updated\" ] || exit 100; : >\"$MARKER\" ;;",
        "(none)",
    );
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(machine.asked_of_apt().contains("update"));
}

#[test]
fn where_multilib_conflicts_the_libraries_of_the_installed_gcc_are_taken() {
    let machine = Machine::new();
    machine
        .compilers()
        .apt("*gcc-multilib*) exit 100 ;;\n*-y*lib32gcc-12-dev*) : >\"$MARKER\" ;;", "12");
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let asked = machine.asked_of_apt();
    assert!(asked.contains("libc6-dev-i386 lib32gcc-12-dev lib32stdc++-12-dev"), "{asked}");
    let line = machine.setup(&["--line"]);
    assert!(line.out.contains("lib32stdc++-12-dev"), "{line:?}");
}

#[test]
fn an_installation_that_does_not_help_is_an_error() {
    let machine = Machine::new();
    machine.compilers().apt("", "12");
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 1, "{answer:?}");
    assert!(answer.err.contains("still do not link"), "{answer:?}");
}

#[test]
fn without_apt_it_says_what_to_install() {
    let machine = Machine::new();
    let answer = machine.compilers().setup(&[]);
    assert_eq!(answer.status, 1, "{answer:?}");
    for name in ["gcc-multilib", "glibc-static.i686", "lib32-gcc-libs"] {
        assert!(answer.err.contains(name), "{answer:?}");
    }
    machine.script("dnf", "exit 1\n");
    assert!(machine.setup(&[]).err.contains("dnf install"));
}

#[test]
fn without_root_sudo_is_used_or_asked_for() {
    let machine = Machine::new();
    machine.script("id", "echo 1000\n");
    machine.compilers().apt("*-y*gcc-multilib*) : >\"$MARKER\" ;;", "12");
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 1, "{answer:?}");
    assert!(answer.err.contains("As root:"), "{answer:?}");
    machine.script("sudo", "echo \"sudo $*\" >>\"$LOG\"\nexec \"$@\"\n");
    let answer = machine.setup(&[]);
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(machine.asked_of_apt().contains("sudo env DEBIAN_FRONTEND=noninteractive apt-get"));
}
