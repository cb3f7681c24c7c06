//! Opening files.

use std::sync::Arc;

use super::{Answer, Call, WORKING_DIRECTORY, fifos};
use crate::errno::Errno;
use crate::filesystem::{Found, Node, ProcessFile, READ, WRITE};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Entry, FileBytes, FileName, Inode, InodeKind, Object};
use crate::world::{HostKind, HostNode};

/// Flags of `open`.
mod flag {
    pub const ACCESS: u32 = 3;
    pub const WRITE_ONLY: u32 = 1;
    pub const READ_WRITE: u32 = 2;
    pub const CREATE: u32 = 0o100;
    pub const EXCLUSIVE: u32 = 0o200;
    pub const TRUNCATE: u32 = 0o1000;
    pub const DIRECTORY: u32 = 0o200000;
    pub const NOFOLLOW: u32 = 0o400000;
    pub const CLOEXEC: u32 = 0o2000000;
    pub const PATH: u32 = 0o10000000;
    pub const TEMPORARY: u32 = 0o20000000;
    /// What `F_GETFL` does not show.
    pub const OPENING_ONLY: u32 = CREATE | EXCLUSIVE | 0o400 | TRUNCATE | CLOEXEC;
}

pub(super) fn open(call: &mut Call<'_>) -> Answer {
    let [path, flags, mode, ..] = call.arguments;
    open_at(call, WORKING_DIRECTORY, path, flags, mode)
}

pub(super) fn openat(call: &mut Call<'_>) -> Answer {
    let [directory, path, flags, mode, ..] = call.arguments;
    open_at(call, directory, path, flags, mode)
}

pub(super) fn creat(call: &mut Call<'_>) -> Answer {
    let [path, mode, ..] = call.arguments;
    let flags = flag::WRITE_ONLY | flag::CREATE | flag::TRUNCATE;
    open_at(call, WORKING_DIRECTORY, path, flags, mode)
}

fn open_at(call: &mut Call<'_>, directory: u32, path: u32, flags: u32, mode: u32) -> Answer {
    if let Some(end) = fifos::opened(call) {
        return describe(call, end, flags);
    }
    let exclusive = flags & (flag::CREATE | flag::EXCLUSIVE) == flag::CREATE | flag::EXCLUSIVE;
    let follow = flags & flag::NOFOLLOW == 0 && !exclusive;
    let found = call.walk(directory, path, follow)?;
    let object = match (&found.node, exclusive) {
        (Some(_), true) => return Err(Errno::EEXIST.into()),
        (None, _) if flags & flag::CREATE == 0 => return Err(Errno::ENOENT.into()),
        (None, _) => create(call, &found, mode)?,
        (Some(node), false) => open_existing(call, &found.path, node.clone(), flags)?,
    };
    let Opened::New(object) = object else {
        return duplicate_open(call, object, flags);
    };
    let system = &mut *call.system;
    if let Object::File(FileName::Private(number)) = object {
        system.kernel.overlay.change(number, |inode| {
            inode.opened += 1;
            // Without a name it lives as long as it is open.
            if flags & flag::TEMPORARY != 0 {
                inode.links = 0;
            }
        });
    }
    describe(call, object, flags)
}

/// Gives what was opened a descriptor.
fn describe(call: &mut Call<'_>, object: Object, flags: u32) -> Answer {
    let descriptor = call.system.add_description(object, flags & !flag::OPENING_ONLY)?;
    call.system.set_close_on_exec(descriptor, flags & flag::CLOEXEC != 0);
    Ok(descriptor)
}

/// A file without a name, in memory alone.
pub(super) fn memfd_create(call: &mut Call<'_>) -> Answer {
    const MARK_CLOEXEC: u32 = 1;
    const HUGE_PAGES: u32 = 4;
    /// The size of huge pages, where they are asked for.
    const HUGE_SIZE: u32 = 0xfc00_0000;
    const NOT_EXECUTABLE: u32 = 8;
    const EXECUTABLE: u32 = 16;
    const KNOWN: u32 = MARK_CLOEXEC | 2 | HUGE_PAGES | NOT_EXECUTABLE | EXECUTABLE;
    const LONGEST_NAME: usize = 249;
    let [name, flags, ..] = call.arguments;
    let huge = flags & HUGE_PAGES != 0;
    let known = if huge { KNOWN | HUGE_SIZE } else { KNOWN };
    let contradicts = flags & NOT_EXECUTABLE != 0 && flags & EXECUTABLE != 0;
    if flags & !known != 0 || contradicts || call.path(name)?.len() > LONGEST_NAME {
        return Err(Errno::EINVAL.into());
    }
    if huge {
        return Err(Refusal::Unknown("huge pages".to_owned()));
    }
    let number = call.add_inode(InodeKind::File(FileBytes::default()), 0o777);
    call.system.kernel.overlay.change(number, |inode| {
        inode.mode = 0o777;
        inode.opened = 1;
        inode.links = 0;
    });
    let object = Object::File(FileName::Private(number));
    let descriptor = call.system.add_description(object, flag::READ_WRITE)?;
    call.system.set_close_on_exec(descriptor, flags & MARK_CLOEXEC != 0);
    Ok(descriptor)
}

/// What opening a path gives: something new, or another descriptor for what is open already.
enum Opened {
    New(Object),
    Same(u32),
}

fn duplicate_open(call: &mut Call<'_>, opened: Opened, flags: u32) -> Answer {
    let Opened::Same(descriptor) = opened else { return Err(Errno::EBADF.into()) };
    call.system.duplicate(descriptor, 0, flags & flag::CLOEXEC != 0).map_err(Refusal::from)
}

fn wanted(flags: u32) -> u32 {
    match flags & flag::ACCESS {
        _ if flags & flag::PATH != 0 => 0,
        flag::WRITE_ONLY => WRITE,
        flag::READ_WRITE => READ | WRITE,
        _ => READ,
    }
}

fn create(call: &mut Call<'_>, found: &Found, mode: u32) -> Result<Opened, Refusal> {
    call.check_writable_parent(&found.path)?;
    let number = call.add_inode(InodeKind::File(FileBytes::default()), mode);
    call.system.kernel.overlay.names.insert(Arc::clone(&found.path), Entry::Inode(number));
    Ok(Opened::New(Object::File(FileName::Private(number))))
}

fn open_existing(
    call: &mut Call<'_>,
    path: &Arc<[u8]>,
    node: Node,
    flags: u32,
) -> Result<Opened, Refusal> {
    let files = call.files();
    let wanted = wanted(flags);
    if files.link_target(&node).is_some() {
        return Err(Errno::ELOOP.into());
    }
    if files.is_directory(&node) {
        if flags & flag::TEMPORARY != 0 {
            let (kind, mode) = (InodeKind::File(FileBytes::default()), call.arguments[3]);
            let number = call.add_inode(kind, mode);
            return Ok(Opened::New(Object::File(FileName::Private(number))));
        }
        if wanted & WRITE != 0 || flags & flag::CREATE != 0 {
            return Err(Errno::EISDIR.into());
        }
        if let Node::Process(file) = node
            && files.process_names(file).is_none()
        {
            let name = String::from_utf8_lossy(path);
            return Err(Refusal::Unknown(format!("the directory {name}")));
        }
        let path = Arc::clone(path);
        return Ok(Opened::New(Object::Directory { path, entries: None }));
    }
    if flags & flag::DIRECTORY != 0 {
        return Err(Errno::ENOTDIR.into());
    }
    if !files.permits(&node, wanted) {
        return Err(Errno::EACCES.into());
    }
    let writes = wanted & WRITE != 0;
    match node {
        Node::Device(object) => Ok(Opened::New(object)),
        Node::Private(number) if files.inode(number)?.kind == InodeKind::Socket => {
            Err(Errno::ENXIO.into())
        }
        Node::Private(number) => {
            if let InodeKind::Fifo(pipe) = files.inode(number)?.kind {
                return Ok(Opened::New(fifos::open(call, pipe, flags)?));
            }
            if writes && flags & flag::TRUNCATE != 0 {
                call.truncate_inode(number, 0)?;
            }
            Ok(Opened::New(Object::File(FileName::Private(number))))
        }
        Node::Host(host) => open_host(call, path, &host, writes, flags),
        Node::Process(ProcessFile::Descriptor(descriptor)) => {
            call.system.description(descriptor).map_err(|_| Errno::ENOENT)?;
            Ok(Opened::Same(descriptor))
        }
        Node::Process(file) => match files.process_text(file) {
            Some(text) => Ok(Opened::New(Object::Snapshot(text))),
            None => {
                let name = String::from_utf8_lossy(path).into_owned();
                Err(Refusal::Unknown(name))
            }
        },
    }
}

fn open_host(
    call: &mut Call<'_>,
    path: &Arc<[u8]>,
    host: &HostNode,
    writes: bool,
    flags: u32,
) -> Result<Opened, Refusal> {
    if host.kind == HostKind::Special {
        if &**path == b"/dev/tty" {
            // The guest has no terminal.
            return Err(Errno::ENXIO.into());
        }
        let name = String::from_utf8_lossy(path);
        return Err(Refusal::Unknown(format!("the device {name}")));
    }
    if let HostKind::File(size) = host.kind
        && !call.system.world.host.has_room_for(path, size)
    {
        let name = String::from_utf8_lossy(path);
        let why = "more than steam keeps of files; --memory says how much that is";
        return Err(Refusal::Unknown(format!("the file {name} of {size} bytes, {why}")));
    }
    if writes {
        let number = call.copy_host_file(path, host, flags & flag::TRUNCATE != 0)?;
        return Ok(Opened::New(Object::File(FileName::Private(number))));
    }
    // What cannot be read is to be found out now.
    call.system.world.host.content(path).map_err(|errno| match errno {
        Errno::EFBIG => Refusal::Unknown("a file of the host of more than 1 GiB".to_owned()),
        errno => errno.into(),
    })?;
    Ok(Opened::New(Object::File(FileName::Host(Arc::clone(path)))))
}

impl Call<'_> {
    /// Refuses names in a directory that the user may not write.
    pub(super) fn check_writable_parent(&self, path: &[u8]) -> Result<(), Errno> {
        let files = self.files();
        let parent: Arc<[u8]> = crate::filesystem::parent(path).into();
        let node = files.look_up(&parent)?.ok_or(Errno::ENOENT)?;
        if files.permits(&node, WRITE) { Ok(()) } else { Err(Errno::EACCES) }
    }

    /// Adds an inode with one name.
    pub(super) fn add_inode(&mut self, kind: InodeKind, mode: u32) -> u32 {
        let now = self.system.now();
        let mode = mode & 0o7777 & !self.system.process.umask;
        self.system.kernel.overlay.add(Inode {
            kind,
            mode,
            accessed: now,
            modified: now,
            links: 1,
            opened: 0,
            copied: false,
            copy_of: None,
        })
    }

    /// Copies a host file into the overlay; what has it open goes to the copy.
    pub(super) fn copy_host_file(
        &mut self,
        path: &Arc<[u8]>,
        host: &HostNode,
        empty: bool,
    ) -> Result<u32, Errno> {
        let mut inode = self.files().copy(path, host, empty)?;
        if empty {
            inode.modified = self.system.now();
        }
        let kernel = &mut self.system.kernel;
        let number = kernel.overlay.add(inode);
        kernel.overlay.names.insert(Arc::clone(path), Entry::Inode(number));
        let old = Object::File(FileName::Host(Arc::clone(path)));
        let openers: Vec<u32> = kernel
            .descriptions
            .iter()
            .filter(|(_, description)| description.object == old)
            .map(|(&description, _)| description)
            .collect();
        for description in openers {
            if let Some(description) = kernel.descriptions.get_mut(&description) {
                description.object = Object::File(FileName::Private(number));
            }
            kernel.overlay.change(number, |inode| inode.opened += 1);
        }
        if let Some(locks) = kernel.locks.remove(&FileName::Host(Arc::clone(path))) {
            kernel.locks.insert(FileName::Private(number), locks);
        }
        Ok(number)
    }
}
