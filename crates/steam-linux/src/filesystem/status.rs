//! What `stat` reports of a file. Owner, device and times are constants: they would tell of the
//! host.

use super::process_files::ProcessFile;
use super::{FileSystem, HOST_TIME, Node};
use crate::errno::Errno;
use crate::kernel::{FileName, InodeKind, Object, Timestamp};
use crate::world::{HostKind, HostNode};

/// The bits of `st_mode` that tell the type of a file.
mod type_bits {
    /// A named or nameless pipe.
    pub const PIPE: u32 = 0o010000;
    /// A device for single bytes.
    pub const DEVICE: u32 = 0o020000;
    /// A directory.
    pub const DIRECTORY: u32 = 0o040000;
    /// A regular file.
    pub const FILE: u32 = 0o100000;
    /// A socket.
    pub const SOCKET: u32 = 0o140000;
    /// A symbolic link.
    pub const LINK: u32 = 0o120000;
}

/// What `stat` reports of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStatus {
    /// The file's number.
    pub inode: u64,
    /// The device on which it lies.
    pub device: u32,
    /// Type and permissions.
    pub mode: u32,
    /// How many names it has.
    pub links: u32,
    /// For devices: which one.
    pub represents: u32,
    /// How many bytes it has.
    pub size: u64,
    /// When it was last read.
    pub accessed: Timestamp,
    /// When it was last written.
    pub modified: Timestamp,
}

const DISK: u32 = 0x801;
const PIPES: u32 = 0xe;
const DEVICES: u32 = 0x5;
const PROCESSES: u32 = 0x16;

impl FileStatus {
    fn new(inode: u64, mode: u32, size: u64) -> Self {
        Self {
            inode,
            device: DISK,
            mode,
            links: 1,
            represents: 0,
            size,
            accessed: HOST_TIME,
            modified: HOST_TIME,
        }
    }

    fn device(inode: u64, represents: u32) -> Self {
        Self { device: DEVICES, represents, ..Self::new(inode, type_bits::DEVICE | 0o666, 0) }
    }

    fn pipe(inode: u64) -> Self {
        Self { device: PIPES, ..Self::new(inode, type_bits::PIPE | 0o600, 0) }
    }
}

/// A number for a path of the host, the same in every run.
fn path_number(path: &[u8]) -> u64 {
    let mut hash = 0x811c_9dc5_u32;
    for &byte in path {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    // Private files have the numbers below.
    u64::from(hash | 0x8000_0000)
}

impl FileSystem<'_> {
    /// The status of what was found at a path.
    pub fn status(&self, path: &[u8], node: &Node) -> Result<FileStatus, Errno> {
        match node {
            Node::Host(host) => Ok(self.host_status(path, host)),
            Node::Private(number) => self.private_status(*number),
            Node::Device(object) => self.object_status(object),
            Node::Process(file) => Ok(self.process_status(path, *file)),
        }
    }

    fn host_status(&self, path: &[u8], host: &HostNode) -> FileStatus {
        let (kind, size) = match &host.kind {
            HostKind::File(size) => (type_bits::FILE, *size),
            HostKind::Directory => (type_bits::DIRECTORY, 4096),
            HostKind::Link(target) => (type_bits::LINK, target.len() as u64),
            HostKind::Special => (type_bits::DEVICE, 0),
        };
        let links = if kind == type_bits::DIRECTORY { 2 } else { 1 };
        FileStatus { links, ..FileStatus::new(path_number(path), kind | host.mode, size) }
    }

    fn private_status(&self, number: u32) -> Result<FileStatus, Errno> {
        let inode = self.inode(number)?;
        let kind = match inode.kind {
            InodeKind::File(_) => type_bits::FILE,
            InodeKind::Directory => type_bits::DIRECTORY,
            InodeKind::Link(_) => type_bits::LINK,
            InodeKind::Socket => type_bits::SOCKET,
            InodeKind::Fifo(_) => type_bits::PIPE,
        };
        let shown = inode.copy_of.as_ref().map_or(u64::from(number), |path| path_number(path));
        let size = self.length(&FileName::Private(number))?;
        Ok(FileStatus {
            links: if inode.kind == InodeKind::Directory { 2 } else { inode.links },
            accessed: inode.accessed,
            modified: inode.modified,
            ..FileStatus::new(shown, kind | inode.mode, size)
        })
    }

    fn process_status(&self, path: &[u8], file: ProcessFile) -> FileStatus {
        let mode = match file {
            _ if file.is_directory() => type_bits::DIRECTORY | 0o555,
            _ if self.process_link(file).is_some() => type_bits::LINK | 0o777,
            _ => type_bits::FILE | 0o444,
        };
        FileStatus { device: PROCESSES, ..FileStatus::new(path_number(path), mode, 0) }
    }

    /// The status of what a description stands for.
    pub fn object_status(&self, object: &Object) -> Result<FileStatus, Errno> {
        Ok(match object {
            Object::Input => FileStatus::pipe(3),
            Object::Output(_) => FileStatus::pipe(4),
            Object::File(FileName::Private(number)) => self.private_status(*number)?,
            Object::File(FileName::Host(path)) => {
                self.host_status(path, &self.world.host.node(path)?)
            }
            Object::Directory { path, .. } => {
                let node = self.look_up(path)?.ok_or(Errno::ENOENT)?;
                self.status(path, &node)?
            }
            Object::Snapshot(_) => {
                FileStatus { device: PROCESSES, ..FileStatus::new(5, type_bits::FILE | 0o444, 0) }
            }
            Object::PipeReader(number) | Object::PipeWriter(number) => {
                FileStatus::pipe(16 + u64::from(*number))
            }
            Object::Watch(number)
            | Object::Counter(number)
            | Object::TimerFile(number)
            | Object::SignalFile(number) => {
                FileStatus { device: PIPES, ..FileStatus::new(16 + u64::from(*number), 0o600, 0) }
            }
            Object::MailQueue(number) => FileStatus {
                device: PIPES,
                ..FileStatus::new(16 + u64::from(*number), type_bits::FILE | 0o600, 80)
            },
            Object::Socket(number) => FileStatus {
                device: PIPES,
                ..FileStatus::new(16 + u64::from(*number), type_bits::SOCKET | 0o777, 0)
            },
            Object::Null => FileStatus::device(6, 0x103),
            Object::Zero => FileStatus::device(7, 0x105),
            Object::Full => FileStatus::device(8, 0x107),
            Object::Random => FileStatus::device(9, 0x109),
        })
    }
}
