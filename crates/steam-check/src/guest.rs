//! What the guest gets from outside: arguments, environment, standard input, files of the host.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use steam_image::open_regular;
use steam_linux::world::{HostAccess, Stdin};

use crate::error::{Error, unfit};

/// What the guest gets from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guest {
    /// Its arguments, its own name first.
    pub arguments: Vec<Vec<u8>>,
    /// Its environment, each as `KEY=VALUE`.
    pub environment: Vec<Vec<u8>>,
    /// The file that it reads as standard input.
    pub stdin: Option<PathBuf>,
    /// Which files of ours it finds.
    pub files: Files,
}

/// Which files of ours the guest finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Files {
    /// All that we may read.
    #[default]
    ReadOnly,
    /// None but itself.
    None,
    /// Those in a folder, without symbolic links.
    Within(PathBuf),
}

impl Files {
    /// What was typed, or kept in a trail.
    pub fn named(text: &OsStr) -> Result<Self, Error> {
        Ok(match text.as_bytes() {
            b"ro" => Self::ReadOnly,
            b"none" => Self::None,
            _ => {
                let name = text.display();
                let folder = match std::fs::canonicalize(text) {
                    Ok(folder) => folder,
                    Err(error) => unfit!("--files {name}: {error}"),
                };
                if !folder.is_dir() {
                    unfit!("--files is none, ro or a folder, not {name}");
                }
                Self::Within(folder)
            }
        })
    }

    /// How a trail keeps it; nothing where it is as usual.
    pub(crate) fn setting(&self) -> Option<&[u8]> {
        match self {
            Self::ReadOnly => None,
            Self::None => Some(b"none"),
            Self::Within(folder) => Some(folder.as_os_str().as_bytes()),
        }
    }

    /// The same as the machine knows it.
    pub fn access(&self) -> HostAccess {
        match self {
            Self::ReadOnly => HostAccess::All,
            Self::None => HostAccess::Nothing,
            Self::Within(folder) => HostAccess::Within(folder.as_os_str().as_bytes().into()),
        }
    }
}

/// More than this is not read as standard input from what is no regular file.
const LONGEST_INPUT: u64 = 64 << 20;

impl Guest {
    /// The standard input: a regular file may be read anywhere, all else is read once, before the program
    /// runs.
    pub fn input(&self) -> Result<Option<Stdin>, Error> {
        let Some(path) = &self.stdin else { return Ok(None) };
        let input = || -> io::Result<Stdin> {
            if std::fs::metadata(path)?.is_file() {
                open_regular(path)?;
                return Ok(Stdin::File(path.clone()));
            }
            Ok(Stdin::Bytes(read_stream(path, LONGEST_INPUT)?))
        };
        input().map(Some).map_err(|source| Error::Stdin { path: path.clone(), source })
    }
}

/// Who writes to a pipe, or types, has to come to an end within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// The bytes of a pipe or a device up to its end, which comes in time and before `most` bytes.
fn read_stream(path: &Path, most: u64) -> io::Result<Vec<u8>> {
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
                let seconds = PATIENCE.as_secs();
                return Err(io::Error::other(format!("it does not end within {seconds} seconds")));
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        }
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
    }
}
