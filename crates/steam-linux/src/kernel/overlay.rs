//! What the program changed in the file system: a layer over the host's files.
//!
//! Names that the overlay does not know are looked up on the host, which never changes. A host
//! file that is written is copied here first, and descriptions that have it open go to the copy.

use std::sync::Arc;

use super::file_bytes::FileBytes;
use super::map::Map;

/// Seconds and nanoseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Timestamp {
    /// Seconds.
    pub seconds: i64,
    /// Nanoseconds.
    pub nanoseconds: u32,
}

/// Which file a description reads and writes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileName {
    /// The host's file at a path.
    Host(Arc<[u8]>),
    /// A file of the overlay.
    Private(u32),
}

/// What the overlay says of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// The host's file was removed.
    Removed,
    /// An inode of the overlay is there.
    Inode(u32),
}

/// What an inode is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InodeKind {
    /// A regular file.
    File(FileBytes),
    /// A directory that the host does not have.
    Directory,
    /// A symbolic link with its target.
    Link(Arc<[u8]>),
    /// The name of a socket.
    Socket,
    /// A pipe with a name, and the number of its channel.
    Fifo(u32),
}

/// A file of the overlay.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inode {
    /// What it is.
    pub kind: InodeKind,
    /// The permission bits.
    pub mode: u32,
    /// When it was last read.
    pub accessed: Timestamp,
    /// When it was last written.
    pub modified: Timestamp,
    /// How many names it has.
    pub links: u32,
    /// How many descriptions have it open.
    pub opened: u32,
    /// Whether a process has mapped it privately, and so has a copy of what it was then.
    pub copied: bool,
    /// The host's path of which it is a copy.
    pub copy_of: Option<Arc<[u8]>>,
}

/// The layer over the host's files.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Overlay {
    /// Changed names, by absolute path without symbolic links.
    pub names: Map<Arc<[u8]>, Entry>,
    /// The files behind the names, and those that are still open without one.
    pub inodes: Map<u32, Inode>,
}

impl Overlay {
    /// Adds an inode and gives its number.
    pub fn add(&mut self, inode: Inode) -> u32 {
        let number = self.inodes.lowest_free(1);
        self.inodes.insert(number, inode);
        number
    }

    /// Takes away one name; the inode goes when nothing refers to it any more.
    pub fn unlink(&mut self, path: &Arc<[u8]>, host_has_it: bool) {
        let entry = self.names.remove(path);
        if host_has_it {
            self.names.insert(Arc::clone(path), Entry::Removed);
        }
        if let Some(Entry::Inode(number)) = entry {
            self.change(number, |inode| inode.links = inode.links.saturating_sub(1));
        }
    }

    /// Changes an inode, and drops it when it has neither names nor users.
    pub fn change(&mut self, number: u32, change: impl FnOnce(&mut Inode)) {
        // It has neither names nor users any more: what it holds is out of reach.
        let Some(inode) = self.inodes.get_mut(&number) else { return };
        change(inode);
        if inode.links == 0 && inode.opened == 0 {
            self.inodes.remove(&number);
        }
    }

    /// The changed names below a directory, at any depth.
    pub fn names_within(&self, directory: &[u8]) -> Vec<(Arc<[u8]>, Entry)> {
        let mut prefix = directory.to_vec();
        if prefix.last() != Some(&b'/') {
            prefix.push(b'/');
        }
        let prefix: Arc<[u8]> = prefix.into();
        self.names
            .range(Arc::clone(&prefix)..)
            .take_while(|(name, _)| name.starts_with(&prefix))
            .map(|(name, &entry)| (Arc::clone(name), entry))
            .collect()
    }
}
