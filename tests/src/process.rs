//! Runs one process to its end: bytes in, bytes out, and never longer than a limit.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Standard output.
    pub output: Vec<u8>,
    /// Standard error.
    pub errors: Vec<u8>,
    /// How it ended: `exit 0`, `signal 6`, or that the limit was reached.
    pub ending: String,
}

impl Outcome {
    /// Says whether the process exited by itself with this status.
    pub fn exited_with(&self, status: i32) -> bool {
        self.ending == format!("exit {status}")
    }
}

/// Runs the command with `input` on its standard input.
///
/// # Errors
/// Only when the process cannot be started.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Outcome, String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cannot start {:?}: {why}", command.get_program()))?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    thread::scope(|scope| {
        // A guest may end without reading its input: a broken pipe is no error.
        scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
        let output = scope.spawn(move || drain(stdout));
        let errors = scope.spawn(move || drain(stderr));
        let ending = wait(&mut child, limit);
        let output = output.join().unwrap_or_default();
        let errors = errors.join().unwrap_or_default();
        Ok(Outcome { output, errors, ending })
    })
}

fn drain(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What arrived before an error is still worth comparing.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// Waits by polling: the standard library has no wait with a limit. Most guests end within
/// milliseconds, so the pauses start short and grow.
fn wait(child: &mut Child, limit: Duration) -> String {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return describe(status),
            Ok(None) if start.elapsed() < limit => thread::sleep(pause),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return format!("no end after {} s", limit.as_secs());
            }
            Err(why) => return format!("lost: {why}"),
        }
        pause = (pause * 2).min(Duration::from_millis(8));
    }
}

fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown end".to_owned(),
    }
}
