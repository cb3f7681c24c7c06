//! Compiles guest programs, runs them natively and in the machine.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use steam_image::Image;
use steam_linux::kernel::Stream;
use steam_linux::stores::GuestStores;
use steam_linux::syscalls::Output;
use steam_linux::world::Stdin;
use steam_program::{Config, Ending, Machine};

/// What a run left behind.
#[derive(PartialEq, Eq, Debug)]
pub struct Run {
    /// The exit status, or 128 and the number of the signal.
    pub status: i32,
    /// What was written to the standard output.
    pub output: String,
    /// What was written to the standard error.
    pub error: String,
}

/// Collects the output of a guest.
#[derive(Default)]
pub struct Collected {
    pub output: Vec<u8>,
    pub error: Vec<u8>,
}

impl Output for Collected {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()> {
        match stream {
            Stream::Output => self.output.extend_from_slice(bytes),
            Stream::Error => self.error.extend_from_slice(bytes),
        }
        Ok(())
    }
}

impl Collected {
    pub fn run(self, status: i32) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { status, output: text(self.output), error: text(self.error) }
    }
}

/// Compiles a program of `tests/guests`.
pub fn compile(source: &str, flags: &[&str]) -> PathBuf {
    let guests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guests");
    let compiler = if source.ends_with(".cc") { "g++" } else { "gcc" };
    let name = format!("guest-{}{}", source.replace('.', "-"), flags.concat());
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Several tests may want the same program at the same time.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let unfinished = program.with_extension(format!("{}-{}", number.0, number.1));
    let done = Command::new(compiler)
        .args(["-m32", "-g", "-static", "-pthread", "-Wall", "-o"])
        .arg(&unfinished)
        .args(flags)
        .arg(guests.join(source))
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| panic!("{compiler} cannot be started: {error}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::rename(&unfinished, &program).expect("the program gets its name");
    program
}

/// Runs a program on the host's CPU.
pub fn native(program: &Path, arguments: &[&str], stdin: &[u8]) -> Run {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("WORD", "value")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("32-bit programs run here");
    // A guest that does not read its input closes the pipe early.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(stdin));
    let done = child.wait_with_output().expect("the child ends");
    let status = done.status.code().or(done.status.signal().map(|signal| 128 + signal));
    let collected = Collected { output: done.stdout, error: done.stderr };
    collected.run(status.expect("it ended"))
}

/// A machine that stands before a program's first instruction.
pub fn boot(program: &Path, arguments: &[&str], stdin: &[u8], stores: Arc<GuestStores>) -> Machine {
    let image = Arc::new(Image::read_file(program).expect("an image"));
    let name = program.to_string_lossy();
    let words = std::iter::once(&*name).chain(arguments.iter().copied());
    let config = Config {
        arguments: words.map(|word| word.as_bytes().to_vec()).collect(),
        environment: vec![b"WORD=value".to_vec()],
        stdin: Stdin::Bytes(stdin.to_vec()),
        quarantine: 16,
        ..Config::default()
    };
    Machine::boot(image, &config, stores).expect("it boots")
}

/// The status that a shell would see.
pub fn status(ending: &Ending) -> i32 {
    match ending {
        Ending::Exited(status) => *status,
        Ending::Killed { signal, .. } => 128 + i32::from(*signal),
        Ending::Violation(report) | Ending::Unknown(report) => panic!("{report}"),
    }
}

/// Runs a program in the machine.
pub fn simulated(program: &Path, arguments: &[&str], stdin: &[u8]) -> Run {
    let mut machine = boot(program, arguments, stdin, Arc::default());
    let mut sink = Collected::default();
    let ending = machine.run(&mut sink);
    if let Ending::Violation(report) | Ending::Unknown(report) = &ending {
        panic!("{}\n{report}", String::from_utf8_lossy(&sink.output));
    }
    sink.run(status(&ending))
}

/// Checks that a program does the same in both worlds.
pub fn same(source: &str) {
    let program = compile(source, &[]);
    let stdin = b"first line\nsecond line\n";
    let expected = native(&program, &["one", "two words"], stdin);
    assert!(!expected.output.is_empty(), "the guest says nothing: {expected:?}");
    let found = simulated(&program, &["one", "two words"], stdin);
    let different = found.output.lines().zip(expected.output.lines()).find(|(a, b)| a != b);
    assert_eq!(different.map(|(found, _)| found), different.map(|(_, expected)| expected));
    assert_eq!(found, expected);
}
