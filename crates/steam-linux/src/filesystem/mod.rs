//! The file system that the guest sees: the overlay over the host's files, a few devices of our
//! own, and the process's entry in `/proc`.

mod process_files;
mod process_texts;
mod status;
mod volatile;
mod walk;

use std::sync::Arc;

use steam_state::Regions;

use crate::errno::Errno;
use crate::kernel::{
    DirectoryEntry, Entry, FileBytes, FileName, Inode, InodeKind, Kernel, Object, Timestamp,
};
use crate::system::System;
use crate::world::{HostKind, HostNode, START_SECONDS, World};

pub use process_files::ProcessFile;
pub use status::FileStatus;
pub use walk::parent;

/// What the guest finds at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A file of the host.
    Host(HostNode),
    /// An inode of the overlay.
    Private(u32),
    /// A device of our own.
    Device(Object),
    /// Something in `/proc/self`.
    Process(ProcessFile),
}

/// Where a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The absolute path without symbolic links.
    pub path: Arc<[u8]>,
    /// What is there; `None` where only the directory exists.
    pub node: Option<Node>,
}

impl Found {
    /// What is there, which must be something.
    pub fn existing(self) -> Result<(Arc<[u8]>, Node), Errno> {
        let node = self.node.ok_or(Errno::ENOENT)?;
        Ok((self.path, node))
    }
}

/// The file system of one process at one moment.
pub struct FileSystem<'a> {
    /// The overlay and all else that the kernel holds.
    pub kernel: &'a Kernel,
    /// The host.
    pub world: &'a World,
    /// The process's working directory.
    pub directory: &'a [u8],
    /// The process's mappings.
    pub regions: &'a Regions,
    /// The process.
    pub system: &'a System,
}

/// The bit of `access` for reading.
pub const READ: u32 = 4;
/// The bit of `access` for writing.
pub const WRITE: u32 = 2;
/// The bit of `access` for running.
pub const EXECUTE: u32 = 1;

/// The time that all files of the host show.
pub const HOST_TIME: Timestamp = Timestamp { seconds: START_SECONDS as i64, nanoseconds: 0 };

impl FileSystem<'_> {
    /// An inode of the overlay.
    pub fn inode(&self, number: u32) -> Result<&Inode, Errno> {
        self.kernel.overlay.inodes.get(&number).ok_or(Errno::ENOENT)
    }

    /// Whether a node is a directory.
    pub fn is_directory(&self, node: &Node) -> bool {
        match node {
            Node::Host(host) => host.kind == HostKind::Directory,
            Node::Private(number) => {
                self.inode(*number).is_ok_and(|inode| inode.kind == InodeKind::Directory)
            }
            Node::Device(_) => false,
            Node::Process(file) => file.is_directory(),
        }
    }

    /// The target of a symbolic link.
    pub fn link_target(&self, node: &Node) -> Option<Arc<[u8]>> {
        match node {
            Node::Host(HostNode { kind: HostKind::Link(target), .. }) => Some(Arc::clone(target)),
            Node::Private(number) => match &self.inode(*number).ok()?.kind {
                InodeKind::Link(target) => Some(Arc::clone(target)),
                _ => None,
            },
            Node::Process(file) => self.process_link(*file),
            _ => None,
        }
    }

    /// Whether the process may use a node in the ways of `wanted` (bits of `access`).
    pub fn permits(&self, node: &Node, wanted: u32) -> bool {
        match node {
            Node::Host(host) => {
                (wanted & WRITE == 0 || host.writable)
                    && (wanted & EXECUTE == 0 || host.mode & 0o111 != 0)
            }
            Node::Private(number) => {
                self.inode(*number).is_ok_and(|inode| inode.mode >> 6 & wanted == wanted)
            }
            Node::Device(_) => wanted & EXECUTE == 0,
            Node::Process(ProcessFile::Descriptor(_)) => wanted & EXECUTE == 0,
            Node::Process(file) => file.is_directory() || wanted & (WRITE | EXECUTE) == 0,
        }
    }

    /// Up to `size` bytes of a regular file.
    pub fn read(&self, name: &FileName, offset: u64, size: usize) -> Result<Vec<u8>, Errno> {
        match name {
            FileName::Private(number) => match &self.inode(*number)?.kind {
                InodeKind::File(bytes) => Ok(bytes.read(offset, size)),
                _ => Err(Errno::EISDIR),
            },
            FileName::Host(path) => {
                let content = self.world.host.content(path)?;
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
                let end = start.saturating_add(size).min(content.len());
                Ok(content[start..end].to_vec())
            }
        }
    }

    /// How many bytes a regular file has.
    pub fn length(&self, name: &FileName) -> Result<u64, Errno> {
        match name {
            FileName::Private(number) => match &self.inode(*number)?.kind {
                InodeKind::File(bytes) => Ok(bytes.len()),
                InodeKind::Link(target) => Ok(target.len() as u64),
                InodeKind::Directory => Ok(4096),
                InodeKind::Socket | InodeKind::Fifo(_) => Ok(0),
            },
            FileName::Host(path) => Ok(self.world.host.content(path)?.len() as u64),
        }
    }

    /// The entries of a directory, `.` and `..` first, then by name.
    pub fn list(&self, path: &Arc<[u8]>) -> Result<Vec<DirectoryEntry>, Errno> {
        let mut names: std::collections::BTreeSet<Arc<[u8]>> = Default::default();
        let ours = ProcessFile::at(path, self.system.process_number());
        if let Some(numbers) = ours.and_then(|file| self.process_names(file)) {
            names.extend(numbers.iter().map(|number| Arc::from(number.to_string().as_bytes())));
        } else if !self.hides_host(path) {
            match self.world.host.listing(path) {
                Ok(listing) => names.extend(listing.iter().cloned()),
                Err(Errno::ENOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
        let skip = if path.len() == 1 { 1 } else { path.len() + 1 };
        for (name, entry) in self.kernel.overlay.names_within(path) {
            let short: Arc<[u8]> = name[skip..].into();
            match entry {
                _ if short.contains(&b'/') => {}
                Entry::Removed => {
                    names.remove(&short);
                }
                Entry::Inode(_) => {
                    names.insert(short);
                }
            }
        }
        let mut entries = Vec::with_capacity(names.len() + 2);
        for name in [&b"."[..], b".."].into_iter().map(Arc::from).chain(names) {
            let whole = walk::join(path, &name);
            let Some(node) = self.look_up(&whole)? else { continue };
            let status = self.status(&whole, &node)?;
            entries.push(DirectoryEntry {
                name,
                inode: status.inode,
                kind: (status.mode >> 12) as u8,
            });
        }
        Ok(entries)
    }

    /// A copy of a host file for the overlay.
    pub fn copy(&self, path: &Arc<[u8]>, host: &HostNode, empty: bool) -> Result<Inode, Errno> {
        let bytes = match empty {
            true => FileBytes::default(),
            false => FileBytes::from(&*self.world.host.content(path)?),
        };
        Ok(Inode {
            kind: InodeKind::File(bytes),
            mode: host.mode,
            accessed: HOST_TIME,
            modified: HOST_TIME,
            links: 1,
            opened: 0,
            copied: false,
            copy_of: Some(Arc::clone(path)),
        })
    }
}
