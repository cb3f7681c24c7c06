//! The host's files, read-only: asked once for each path, so that the answer never changes. A search and the
//! replays of what it found ask the same [`Host`].

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steam_image::open_regular;

use crate::errno::Errno;

/// The path of a file and its content.
pub type FileRead = (Arc<[u8]>, Arc<[u8]>);

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

/// Which of the host's files the guest finds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HostAccess {
    /// All that this user may read.
    #[default]
    All,
    /// None but the program itself.
    Nothing,
    /// Those in a folder, an absolute path without symbolic links.
    Within(Arc<[u8]>),
}

type Answer<T> = Result<T, Errno>;
/// The names in a directory, sorted.
type Listing = Arc<[Arc<[u8]>]>;

#[derive(Debug, Default)]
struct Answers {
    nodes: BTreeMap<Arc<[u8]>, Answer<HostNode>>,
    contents: BTreeMap<Arc<[u8]>, Answer<Arc<[u8]>>>,
    listings: BTreeMap<Arc<[u8]>, Answer<Listing>>,
    /// What the guest finds wherever else it may look, and where that lies.
    granted: BTreeSet<Arc<[u8]>>,
    /// The bytes of all contents.
    bytes: u64,
}

/// The host's files. All who run a program together have one of these in common.
#[derive(Debug)]
pub struct Host {
    answers: Mutex<Answers>,
    access: HostAccess,
    /// The most bytes that are kept of all files together.
    most: u64,
}

impl Default for Host {
    fn default() -> Self {
        Self::new(HostAccess::All, LARGEST_FILE)
    }
}

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Host {}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn errno(error: &std::io::Error) -> Errno {
    error.raw_os_error().and_then(|n| u16::try_from(n).ok()).map_or(Errno::EIO, Errno)
}

impl Host {
    /// The files that the guest may read, of which at most so many bytes are kept.
    pub fn new(access: HostAccess, most: u64) -> Self {
        Self { answers: Mutex::default(), access, most: most.min(LARGEST_FILE) }
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an executable that lies at an absolute path.
    pub fn add_executable(&self, at: &Arc<[u8]>, content: &Arc<[u8]>) {
        let kind = HostKind::File(content.len() as u64);
        let node = HostNode { kind, mode: 0o755, writable: false };
        let mut answers = self.answers();
        answers.nodes.insert(Arc::clone(at), Ok(node));
        answers.contents.insert(Arc::clone(at), Ok(Arc::clone(content)));
        answers.granted.insert(Arc::clone(at));
    }

    /// Lets the guest find a file, whatever else it may find.
    pub fn grant(&self, at: &Arc<[u8]>) {
        self.answers().granted.insert(Arc::clone(at));
    }

    /// What is at an absolute path, symbolic links not followed.
    pub fn node(&self, at: &Arc<[u8]>) -> Answer<HostNode> {
        let mut answers = self.answers();
        self.shown(&answers, at)?;
        answers.nodes.entry(Arc::clone(at)).or_insert_with(|| ask_node(path(at))).clone()
    }

    /// The content of a regular file.
    pub fn content(&self, at: &Arc<[u8]>) -> Answer<Arc<[u8]>> {
        let mut answers = self.answers();
        self.shown(&answers, at)?;
        if let Some(content) = answers.contents.get(at) {
            return content.clone();
        }
        let content = ask_content(path(at), self.most - answers.bytes);
        answers.bytes += content.as_ref().map_or(0, |content| content.len() as u64);
        answers.contents.insert(Arc::clone(at), content.clone());
        content
    }

    /// Whether there is room for the content of a file, which may be known already.
    pub fn has_room_for(&self, at: &Arc<[u8]>, size: u64) -> bool {
        let answers = self.answers();
        answers.contents.contains_key(at) || size <= self.most - answers.bytes
    }

    /// The names in a directory, sorted.
    pub fn listing(&self, at: &Arc<[u8]>) -> Answer<Listing> {
        let mut answers = self.answers();
        self.shown(&answers, at)?;
        if let Some(listing) = answers.listings.get(at) {
            return listing.clone();
        }
        let listing = ask_listing(path(at)).map(|names| {
            let is_shown = |name: &&Arc<[u8]>| {
                let whole = [at.strip_suffix(b"/").unwrap_or(at), b"/", name].concat();
                self.shown(&answers, &whole).is_ok()
            };
            names.iter().filter(is_shown).cloned().collect::<Listing>()
        });
        answers.listings.insert(Arc::clone(at), listing.clone());
        listing
    }

    /// Refuses a path that the guest does not find: one that is not in its folder, nor leads there.
    fn shown(&self, answers: &Answers, at: &[u8]) -> Answer<()> {
        let folder = match &self.access {
            HostAccess::All => return Ok(()),
            HostAccess::Nothing => None,
            HostAccess::Within(folder) => Some(folder),
        };
        let within = folder.is_some_and(|folder| leads_to(folder, at));
        let leads = folder.into_iter().chain(&answers.granted).any(|there| leads_to(at, there));
        if within || leads { Ok(()) } else { Err(Errno::ENOENT) }
    }

    /// The files that were read so far, with what was read.
    pub fn read_so_far(&self) -> Vec<FileRead> {
        let answers = self.answers();
        let read = answers.contents.iter().filter_map(|(at, it)| Some((at, it.as_ref().ok()?)));
        read.map(|(at, content)| (Arc::clone(at), Arc::clone(content))).collect()
    }

    /// How many bytes are kept.
    pub fn bytes(&self) -> u64 {
        self.answers().bytes
    }
}

/// Whether a path is another one, or a folder in which that lies.
fn leads_to(folder: &[u8], path: &[u8]) -> bool {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
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

/// The user's own entry in `/proc` says who the user is.
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

/// Reads a file into memory that is allocated once, if it is no larger than `most`.
fn ask_content(path: &Path, most: u64) -> Answer<Arc<[u8]>> {
    let mut file = open_regular(path).map_err(|error| errno(&error))?;
    let size = file.metadata().map_err(|error| errno(&error))?.len();
    if size > most {
        return Err(Errno::EFBIG);
    }
    let mut content: Arc<[u8]> = std::iter::repeat_n(0, size as usize).collect();
    let Some(bytes) = Arc::get_mut(&mut content) else { return Err(Errno::EIO) };
    let read = fill(&mut file, bytes).map_err(|error| errno(&error))?;
    Ok(if read < content.len() { content[..read].into() } else { content })
}

/// Reads until the end of the file or of the room; how much that was.
fn fill(file: &mut File, room: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < room.len() {
        match file.read(&mut room[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Arc<[u8]> {
        text.as_bytes().into()
    }

    #[test]
    fn what_a_guest_may_not_find_is_not_there() {
        let own = bytes(concat!(env!("CARGO_MANIFEST_DIR"), "/src/world/host.rs"));
        let other = bytes(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs"));
        let folder = bytes(concat!(env!("CARGO_MANIFEST_DIR"), "/src/world"));
        let parent = bytes(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        let all = Host::default();
        assert!(all.content(&own).is_ok() && all.content(&other).is_ok());
        assert_eq!(all.bytes(), all.read_so_far().iter().map(|it| it.1.len() as u64).sum());
        let none = Host::new(HostAccess::Nothing, u64::MAX);
        assert_eq!(none.node(&own), Err(Errno::ENOENT));
        none.grant(&own);
        assert!(none.content(&own).is_ok() && none.content(&other) == Err(Errno::ENOENT));
        let some = Host::new(HostAccess::Within(folder.clone()), u64::MAX);
        assert!(some.content(&own).is_ok() && some.content(&other) == Err(Errno::ENOENT));
        // The way there is shown, and nothing beside it.
        assert_eq!(some.listing(&parent).unwrap().to_vec(), [bytes("world")]);
        assert!(some.listing(&folder).unwrap().len() > 1);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let own = bytes(concat!(env!("CARGO_MANIFEST_DIR"), "/src/world/host.rs"));
        let small = Host::new(HostAccess::All, 100);
        assert!(!small.has_room_for(&own, 101) && small.has_room_for(&own, 100));
        assert_eq!(small.content(&own), Err(Errno::EFBIG));
    }
}
