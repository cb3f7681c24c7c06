//! The real CPU as an executor of cases: builds the 32-bit runner, starts it, speaks with it.
//!
//! At most one batch is on its way, so that neither side can wait for the other in a cycle.

use super::case::{CODE_SIZE, Case, FLOATING_SIZE, Final, Outcome, WINDOW_SIZE};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

const PART_FLOATING: u8 = 1;
const PART_MEMORY: u8 = 2;
const PART_SAME_CODE: u8 = 4;

/// A running runner process.
pub struct Native {
    child: Child,
    request: Vec<u8>,
}

impl Native {
    /// Starts the runner on the host CPU, or under the emulator whose name is given.
    ///
    /// # Panics
    /// When there is no 32-bit compiler or the runner does not start: nothing can be tested then.
    pub fn start(emulator: Option<&str>) -> Self {
        let runner = runner_path();
        let mut command = match emulator {
            Some(emulator) => {
                let mut command = Command::new(emulator);
                command.arg(runner);
                command
            }
            None => Command::new(runner),
        };
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", runner.display()));
        Self { child, request: Vec::new() }
    }

    /// Sends a batch; `receive` with the same cases must follow before the next one.
    pub fn send(&mut self, cases: &[Case]) {
        self.request.clear();
        self.request.extend((cases.len() as u32).to_le_bytes());
        self.request.extend([0; 4]);
        let mut previous = None;
        for case in cases {
            append_request(&mut self.request, case, previous);
            previous = Some(case);
        }
        let size = (self.request.len() - 8) as u32;
        self.request[4..8].copy_from_slice(&size.to_le_bytes());
        let pipe = self.child.stdin.as_mut().expect("stdin is piped");
        pipe.write_all(&self.request).expect("the runner reads its requests");
    }

    /// Waits for the outcomes of the cases sent last.
    pub fn receive(&mut self, cases: &[Case]) -> Vec<Outcome> {
        let pipe = self.child.stdout.as_mut().expect("stdout is piped");
        let mut reader = std::io::BufReader::with_capacity(1 << 16, pipe);
        cases.iter().map(|case| read_answer(&mut reader, case)).collect()
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // Closing its input ends the runner; the exit status says nothing new.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn append_request(out: &mut Vec<u8>, case: &Case, previous: Option<&Case>) {
    let same_code = previous.is_some_and(|previous| previous.code() == case.code());
    let mut parts = 0;
    parts |= if case.floating.is_some() { PART_FLOATING } else { 0 };
    parts |= if case.memory.is_some() { PART_MEMORY } else { 0 };
    parts |= if same_code { PART_SAME_CODE } else { 0 };
    out.extend([parts, case.code_length as u8, 0, 0]);
    for register in case.registers {
        out.extend(register.to_le_bytes());
    }
    out.extend(case.flags.to_le_bytes());
    if !same_code {
        out.extend(case.code);
    }
    if let Some(floating) = &case.floating {
        out.extend(floating);
    }
    if let Some(memory) = &case.memory {
        out.extend(memory);
    }
}

fn read_answer(reader: &mut impl Read, case: &Case) -> Outcome {
    let head: [u8; 4] = read_array(reader);
    if head[0] != 0 {
        return Outcome::Signal(head[0]);
    }
    let words: [u8; 36] = read_array(reader);
    let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| words[4 * i + k]));
    Outcome::Finished(Box::new(Final {
        exit: head[1],
        registers: std::array::from_fn(word),
        flags: word(8),
        floating: case.floating.map(|_| read_array::<FLOATING_SIZE>(reader)),
        memory: case.memory.map(|_| read_array::<WINDOW_SIZE>(reader)),
    }))
}

fn read_array<const N: usize>(reader: &mut impl Read) -> [u8; N] {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).expect("the runner answers (code that never returns ends it)");
    bytes
}

/// Path of the runner, which is built when its sources have changed since.
pub fn runner_path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(build_runner)
}

fn build_runner() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["runner.c", "enter.S"].map(|name| package.join("hostcpu").join(name));
    let folder = package.join("../target/hostcpu");
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let runner = folder.join(format!("runner-{:016x}", fingerprint(&sources)));
    if runner.exists() {
        return runner;
    }
    // Built aside and renamed: another test process may be doing the same.
    let fresh = folder.join(format!("runner-{}.new", std::process::id()));
    let output = Command::new("gcc")
        .args(["-m32", "-static", "-O2", "-o"])
        .arg(&fresh)
        .args(&sources)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", no_compiler()));
    assert!(
        output.status.success(),
        "{}\ngcc says:\n{}",
        no_compiler(),
        String::from_utf8_lossy(&output.stderr)
    );
    fs::rename(&fresh, &runner).expect("the target folder is writable");
    runner
}

fn no_compiler() -> &'static str {
    "the instruction tests need a 32-bit C compiler (`gcc -m32 -static`); \
     on Debian or Ubuntu: apt install gcc-multilib"
}

fn fingerprint(sources: &[PathBuf]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for source in sources {
        let bytes = fs::read(source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
        for byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

const _: () = assert!(CODE_SIZE == 32, "the runner's protocol has 32 code bytes");
