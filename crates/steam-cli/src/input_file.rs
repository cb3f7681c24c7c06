//! Files that the user names, read as a whole.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use steam_image::read_regular;

/// The bytes of a regular file that has at most `most` of them.
pub fn read(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    read_regular(path, most).with_context(|| format!("cannot read {}", path.display()))
}

/// The text of such a file.
pub fn read_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.with_context(|| format!("{} is no text", path.display()))
}

/// Who writes to a pipe, or types, has to come to an end within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// The bytes of a pipe or a device up to its end, which comes in time and before `most` bytes.
pub fn read_stream(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let (sender, parts) = sync_channel(16);
    let path = path.to_owned();
    // Opening and reading may wait for ever: that is left to a thread that is never joined.
    std::thread::spawn(move || {
        let read = || -> io::Result<()> {
            let mut file = File::open(&path)?;
            loop {
                let mut part = vec![0; 1 << 16];
                let count = file.read(&mut part)?;
                part.truncate(count);
                if sender.send(Ok(part)).is_err() || count == 0 {
                    return Ok(());
                }
            }
        };
        if let Err(error) = read() {
            let _ = sender.send(Err(error));
        }
    });
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        match parts.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Ok(part)) if part.is_empty() => return Ok(bytes),
            Ok(part) => bytes.extend(part?),
            Err(RecvTimeoutError::Timeout) => {
                bail!("it does not end within {} seconds", PATIENCE.as_secs());
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        }
        if bytes.len() as u64 > most {
            bail!("it has more than {most} bytes");
        }
    }
}

/// Refuses what is no regular file before somebody else reads it, such as the compiler.
pub fn is_regular(path: &Path) -> anyhow::Result<()> {
    let about = std::fs::metadata(path);
    if !about.with_context(|| format!("cannot read {}", path.display()))?.is_file() {
        bail!("cannot read {}: it is no regular file", path.display());
    }
    Ok(())
}
