//! The host's files, read-only: asked once for each path, so that the answer never changes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::errno::Errno;

/// Larger host files are refused.
const LARGEST_FILE: u64 = 1 << 30;

/// What the host has at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostNode {
    /// What it is.
    pub kind: HostKind,
    /// The permission bits.
    pub mode: u32,
    /// Whether this user may write it.
    pub writable: bool,
}

/// What kind of file the host has at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostKind {
    /// A regular file of so many bytes.
    File(u64),
    /// A directory.
    Directory,
    /// A symbolic link with its target.
    Link(Arc<[u8]>),
    /// A device, socket or named pipe.
    Special,
}

type Answer<T> = Result<T, Errno>;
/// The names in a directory, sorted.
type Listing = Arc<[Arc<[u8]>]>;

#[derive(Debug, Default)]
struct Answers {
    nodes: BTreeMap<Arc<[u8]>, Answer<HostNode>>,
    contents: BTreeMap<Arc<[u8]>, Answer<Arc<[u8]>>>,
    listings: BTreeMap<Arc<[u8]>, Answer<Listing>>,
}

/// The host's files.
#[derive(Debug, Default)]
pub struct Host {
    answers: Mutex<Answers>,
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn errno(error: &std::io::Error) -> Errno {
    error.raw_os_error().and_then(|n| u16::try_from(n).ok()).map_or(Errno::EIO, Errno)
}

impl Host {
    /// The host's files and one more, an executable that lies at an absolute path.
    pub fn with_executable(at: &Arc<[u8]>, content: &Arc<[u8]>) -> Self {
        let kind = HostKind::File(content.len() as u64);
        let node = HostNode { kind, mode: 0o755, writable: false };
        let mut answers = Answers::default();
        answers.nodes.insert(Arc::clone(at), Ok(node));
        answers.contents.insert(Arc::clone(at), Ok(Arc::clone(content)));
        Self { answers: Mutex::new(answers) }
    }

    /// What is at an absolute path, symbolic links not followed.
    pub fn node(&self, at: &Arc<[u8]>) -> Answer<HostNode> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.nodes.entry(Arc::clone(at)).or_insert_with(|| ask_node(path(at))).clone()
    }

    /// The content of a regular file.
    pub fn content(&self, at: &Arc<[u8]>) -> Answer<Arc<[u8]>> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.contents.entry(Arc::clone(at)).or_insert_with(|| ask_content(path(at))).clone()
    }

    /// The names in a directory, sorted.
    pub fn listing(&self, at: &Arc<[u8]>) -> Answer<Listing> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.listings.entry(Arc::clone(at)).or_insert_with(|| ask_listing(path(at))).clone()
    }
}

fn ask_node(path: &Path) -> Answer<HostNode> {
    let about = path.symlink_metadata().map_err(|error| errno(&error))?;
    let kind = about.file_type();
    let kind = if kind.is_symlink() {
        let target = std::fs::read_link(path).map_err(|error| errno(&error))?;
        HostKind::Link(target.into_os_string().into_vec().into())
    } else if kind.is_dir() {
        HostKind::Directory
    } else if kind.is_file() {
        HostKind::File(about.len())
    } else {
        HostKind::Special
    };
    Ok(HostNode { kind, mode: about.mode() & 0o7777, writable: writable(&about) })
}

/// The user's own entry in `/proc` tells who the user is.
fn writable(about: &std::fs::Metadata) -> bool {
    let Ok(own) = std::fs::metadata("/proc/self") else { return about.mode() & 0o222 != 0 };
    if own.uid() == 0 {
        return true;
    }
    let bit = match (about.uid() == own.uid(), about.gid() == own.gid()) {
        (true, _) => 0o200,
        (_, true) => 0o020,
        _ => 0o002,
    };
    about.mode() & bit != 0
}

fn ask_content(path: &Path) -> Answer<Arc<[u8]>> {
    let size = path.metadata().map_err(|error| errno(&error))?.len();
    if size > LARGEST_FILE {
        return Err(Errno::EFBIG);
    }
    std::fs::read(path).map(Arc::from).map_err(|error| errno(&error))
}

fn ask_listing(path: &Path) -> Answer<Listing> {
    let entries = std::fs::read_dir(path).map_err(|error| errno(&error))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| errno(&error))?;
        names.push(Arc::from(entry.file_name().into_vec()));
    }
    names.sort_unstable();
    Ok(names.into())
}
