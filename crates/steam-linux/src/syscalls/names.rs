//! Names of files: making, removing and renaming them, all in the overlay.

use std::sync::Arc;

use super::{Answer, Call, WORKING_DIRECTORY, fifos};
use crate::errno::Errno;
use crate::filesystem::{FileSystem, Node, WRITE};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Entry, FileBytes, FileName, Inode, InodeKind, Object};
use crate::world::HostKind;

pub(super) fn mkdir(call: &mut Call<'_>) -> Answer {
    let [path, mode, ..] = call.arguments;
    make(call, WORKING_DIRECTORY, path, InodeKind::Directory, mode)
}

pub(super) fn mkdirat(call: &mut Call<'_>) -> Answer {
    let [directory, path, mode, ..] = call.arguments;
    make(call, directory, path, InodeKind::Directory, mode)
}

pub(super) fn symlink(call: &mut Call<'_>) -> Answer {
    let [target, path, ..] = call.arguments;
    let target = call.path(target)?;
    make(call, WORKING_DIRECTORY, path, InodeKind::Link(target.into()), 0o777)
}

pub(super) fn symlinkat(call: &mut Call<'_>) -> Answer {
    let [target, directory, path, ..] = call.arguments;
    let target = call.path(target)?;
    make(call, directory, path, InodeKind::Link(target.into()), 0o777)
}

/// Makes what `mknod` can make: a file, or a pipe with a name.
pub(super) fn make_node(call: &mut Call<'_>, directory: u32, path: u32, mode: u32) -> Answer {
    if call.walk(directory, path, false)?.node.is_some() {
        return Err(Errno::EEXIST.into());
    }
    let kind = fifos::kind_of_node(call, mode)?;
    make(call, directory, path, kind.unwrap_or(InodeKind::File(FileBytes::default())), mode)
}

fn make(call: &mut Call<'_>, directory: u32, path: u32, kind: InodeKind, mode: u32) -> Answer {
    let found = call.walk(directory, path, false)?;
    if found.node.is_some() {
        return Err(Errno::EEXIST.into());
    }
    call.check_writable_parent(&found.path)?;
    let is_link = matches!(kind, InodeKind::Link(_));
    let number = call.add_inode(kind, mode);
    if is_link {
        // The permissions of a link are not masked.
        call.system.kernel.overlay.change(number, |inode| inode.mode = mode);
    }
    call.system.kernel.overlay.names.insert(found.path, Entry::Inode(number));
    Ok(0)
}

pub(super) fn unlink(call: &mut Call<'_>) -> Answer {
    remove_file(call, WORKING_DIRECTORY, call.arguments[0])
}

pub(super) fn rmdir(call: &mut Call<'_>) -> Answer {
    remove_directory(call, WORKING_DIRECTORY, call.arguments[0])
}

pub(super) fn unlinkat(call: &mut Call<'_>) -> Answer {
    const REMOVE_DIRECTORY: u32 = 0x200;
    let [directory, path, flags, ..] = call.arguments;
    match flags {
        0 => remove_file(call, directory, path),
        REMOVE_DIRECTORY => remove_directory(call, directory, path),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn remove_file(call: &mut Call<'_>, directory: u32, path: u32) -> Answer {
    let (path, node) = call.walk_existing(directory, path, false)?;
    if call.files().is_directory(&node) {
        return Err(Errno::EISDIR.into());
    }
    remove(call, &path, &node)
}

fn remove_directory(call: &mut Call<'_>, directory: u32, path: u32) -> Answer {
    let (path, node) = call.walk_existing(directory, path, false)?;
    if !call.files().is_directory(&node) {
        return Err(Errno::ENOTDIR.into());
    }
    if call.files().list(&path)?.len() > 2 {
        return Err(Errno::ENOTEMPTY.into());
    }
    // What remains below are notes that the host's files are removed.
    for (name, _) in call.system.kernel.overlay.names_within(&path) {
        call.system.kernel.overlay.names.remove(&name);
    }
    remove(call, &path, &node)
}

fn remove(call: &mut Call<'_>, path: &Arc<[u8]>, node: &Node) -> Answer {
    call.check_writable_parent(path)?;
    if matches!(node, Node::Device(_) | Node::Process(_)) {
        return Err(Errno::EPERM.into());
    }
    let host_has_it = host_has(&call.files(), path);
    let pipe = match node {
        Node::Private(number) => match call.files().inode(*number)? {
            Inode { kind: InodeKind::Fifo(pipe), links: 1, .. } => Some(*pipe),
            _ => None,
        },
        _ => None,
    };
    call.system.kernel.overlay.unlink(path, host_has_it);
    if let Some(pipe) = pipe {
        call.system.fifo_unlinked(pipe);
    }
    Ok(0)
}

/// Whether the host's file would show again if the overlay forgot the name.
fn host_has(files: &FileSystem<'_>, path: &Arc<[u8]>) -> bool {
    let parent = crate::filesystem::parent(path);
    !files.hides_host(parent) && files.world.host.node(path).is_ok()
}

pub(super) fn rename(call: &mut Call<'_>) -> Answer {
    let [from, to, ..] = call.arguments;
    rename_at(call, (WORKING_DIRECTORY, from), (WORKING_DIRECTORY, to), 0)
}

pub(super) fn renameat(call: &mut Call<'_>) -> Answer {
    let [from_directory, from, to_directory, to, ..] = call.arguments;
    rename_at(call, (from_directory, from), (to_directory, to), 0)
}

pub(super) fn renameat2(call: &mut Call<'_>) -> Answer {
    let [from_directory, from, to_directory, to, flags, _] = call.arguments;
    rename_at(call, (from_directory, from), (to_directory, to), flags)
}

fn rename_at(call: &mut Call<'_>, from: (u32, u32), to: (u32, u32), flags: u32) -> Answer {
    const NO_REPLACE: u32 = 1;
    if flags & !NO_REPLACE != 0 {
        return Err(Refusal::Unknown("exchanging two names".to_owned()));
    }
    let (from, node) = call.walk_existing(from.0, from.1, false)?;
    let target = call.walk(to.0, to.1, false)?;
    call.check_writable_parent(&from)?;
    call.check_writable_parent(&target.path)?;
    if from == target.path {
        return Ok(0);
    }
    let is_directory = call.files().is_directory(&node);
    if let Some(old) = &target.node {
        if flags & NO_REPLACE != 0 {
            return Err(Errno::EEXIST.into());
        }
        check_replacement(call, is_directory, &target.path, old)?;
    }
    if is_directory {
        return rename_directory(call, &from, &target.path, &node);
    }
    let number = match node {
        Node::Private(number) => number,
        Node::Host(host) if matches!(host.kind, HostKind::File(_)) => {
            call.copy_host_file(&from, &host, false)?
        }
        _ => return Err(Refusal::Unknown("renaming a special file of the host".to_owned())),
    };
    let replaced = target.node.is_some();
    let (old_host, new_host) =
        (host_has(&call.files(), &from), host_has(&call.files(), &target.path));
    let overlay = &mut call.system.kernel.overlay;
    overlay.change(number, |inode| inode.links += 1);
    if replaced {
        overlay.unlink(&target.path, new_host);
    }
    overlay.unlink(&from, old_host);
    overlay.names.insert(target.path, Entry::Inode(number));
    Ok(0)
}

fn check_replacement(
    call: &Call<'_>,
    is_directory: bool,
    path: &Arc<[u8]>,
    old: &Node,
) -> Result<(), Refusal> {
    match (is_directory, call.files().is_directory(old)) {
        (true, false) => Err(Errno::ENOTDIR.into()),
        (false, true) => Err(Errno::EISDIR.into()),
        (true, true) if call.files().list(path)?.len() > 2 => Err(Errno::ENOTEMPTY.into()),
        _ => Ok(()),
    }
}

fn rename_directory(call: &mut Call<'_>, from: &Arc<[u8]>, to: &Arc<[u8]>, node: &Node) -> Answer {
    let Node::Private(number) = node else {
        return Err(Refusal::Unknown("renaming a directory of the host".to_owned()));
    };
    if to.starts_with(&[&from[..], b"/"].concat()) {
        return Err(Errno::EINVAL.into());
    }
    let host = host_has(&call.files(), from);
    let overlay = &mut call.system.kernel.overlay;
    for (name, entry) in overlay.names_within(from) {
        overlay.names.remove(&name);
        let moved: Arc<[u8]> = [&to[..], &name[from.len()..]].concat().into();
        overlay.names.insert(moved, entry);
    }
    overlay.names.remove(from);
    if host {
        overlay.names.insert(Arc::clone(from), Entry::Removed);
    }
    overlay.names.insert(Arc::clone(to), Entry::Inode(*number));
    follow_directory(call, from, to);
    Ok(0)
}

/// Lets what is open in a directory, and the working directory, go with it to its new name.
fn follow_directory(call: &mut Call<'_>, from: &[u8], to: &[u8]) {
    let moved = |path: &[u8]| {
        let rest = path.strip_prefix(from)?;
        let within = rest.is_empty() || rest.starts_with(b"/");
        within.then(|| Arc::from([to, rest].concat()))
    };
    if let Some(path) = moved(&call.system.process.directory) {
        call.system.process.directory = path;
    }
    let descriptions = &mut call.system.kernel.descriptions;
    let open: Vec<(u32, Arc<[u8]>)> = descriptions
        .iter()
        .filter_map(|(&number, description)| match &description.object {
            Object::Directory { path, .. } => Some((number, moved(path)?)),
            _ => None,
        })
        .collect();
    for (number, new) in open {
        if let Some(Object::Directory { path, .. }) =
            descriptions.get_mut(&number).map(|description| &mut description.object)
        {
            *path = new;
        }
    }
}

pub(super) fn link(call: &mut Call<'_>) -> Answer {
    let [old, new, ..] = call.arguments;
    link_at(call, (WORKING_DIRECTORY, old), (WORKING_DIRECTORY, new), false)
}

pub(super) fn linkat(call: &mut Call<'_>) -> Answer {
    const FOLLOW: u32 = 0x400;
    let [old_directory, old, new_directory, new, flags, _] = call.arguments;
    link_at(call, (old_directory, old), (new_directory, new), flags & FOLLOW != 0)
}

fn link_at(call: &mut Call<'_>, old: (u32, u32), new: (u32, u32), follow: bool) -> Answer {
    let (path, node) = call.walk_existing(old.0, old.1, follow)?;
    let target = call.walk(new.0, new.1, false)?;
    if target.node.is_some() {
        return Err(Errno::EEXIST.into());
    }
    call.check_writable_parent(&target.path)?;
    let number = inode_to_change(call, &path, &node)?;
    let overlay = &mut call.system.kernel.overlay;
    overlay.change(number, |inode| inode.links += 1);
    overlay.names.insert(target.path, Entry::Inode(number));
    Ok(0)
}

/// The inode behind a node, copied from the host where it has to be.
pub(super) fn inode_to_change(
    call: &mut Call<'_>,
    path: &Arc<[u8]>,
    node: &Node,
) -> Result<u32, Refusal> {
    match node {
        Node::Private(number) => Ok(*number),
        Node::Host(host) if matches!(host.kind, HostKind::File(_)) => {
            Ok(call.copy_host_file(path, host, false)?)
        }
        Node::Host(_) => Err(Refusal::Unknown("changing a directory of the host".to_owned())),
        Node::Device(_) | Node::Process(_) => Err(Errno::EPERM.into()),
    }
}

pub(super) fn chmod(call: &mut Call<'_>) -> Answer {
    let [path, mode, ..] = call.arguments;
    change_mode(call, WORKING_DIRECTORY, path, mode)
}

pub(super) fn fchmodat(call: &mut Call<'_>) -> Answer {
    let [directory, path, mode, ..] = call.arguments;
    change_mode(call, directory, path, mode)
}

fn change_mode(call: &mut Call<'_>, directory: u32, path: u32, mode: u32) -> Answer {
    let (path, node) = call.walk_existing(directory, path, true)?;
    if !call.files().permits(&node, WRITE) && matches!(node, Node::Host(_)) {
        return Err(Errno::EPERM.into());
    }
    let number = inode_to_change(call, &path, &node)?;
    call.system.kernel.overlay.change(number, |inode| inode.mode = mode & 0o7777);
    Ok(0)
}

pub(super) fn fchmod(call: &mut Call<'_>) -> Answer {
    let [descriptor, mode, ..] = call.arguments;
    let number = inode_of_descriptor(call, descriptor)?;
    call.system.kernel.overlay.change(number, |inode| inode.mode = mode & 0o7777);
    Ok(0)
}

pub(super) fn inode_of_descriptor(call: &mut Call<'_>, descriptor: u32) -> Result<u32, Refusal> {
    match call.system.description(descriptor)?.1.object.clone() {
        Object::File(FileName::Private(number)) => Ok(number),
        Object::File(FileName::Host(path)) => {
            let host = call.system.world.host.node(&path)?;
            Ok(call.copy_host_file(&path, &host, false)?)
        }
        _ => Err(Errno::EPERM.into()),
    }
}

/// Changing the owner to the one that all files have is allowed.
pub(super) fn chown(call: &mut Call<'_>) -> Answer {
    call.walk_existing(WORKING_DIRECTORY, call.arguments[0], true)?;
    own(call.arguments[1], call.arguments[2])
}

pub(super) fn fchown(call: &mut Call<'_>) -> Answer {
    call.system.description(call.arguments[0])?;
    own(call.arguments[1], call.arguments[2])
}

pub(super) fn fchownat(call: &mut Call<'_>) -> Answer {
    let [directory, path, user, group, ..] = call.arguments;
    call.walk_existing(directory, path, true)?;
    own(user, group)
}

fn own(user: u32, group: u32) -> Answer {
    let same = |id| id == u32::MAX || id == crate::world::USER_ID;
    if same(user) && same(group) { Ok(0) } else { Err(Errno::EPERM.into()) }
}

pub(super) fn truncate(call: &mut Call<'_>) -> Answer {
    let length = u64::from(call.arguments[1]);
    truncate_path(call, length)
}

pub(super) fn truncate64(call: &mut Call<'_>) -> Answer {
    let length = u64::from(call.arguments[2]) << 32 | u64::from(call.arguments[1]);
    truncate_path(call, length)
}

fn truncate_path(call: &mut Call<'_>, length: u64) -> Answer {
    let (path, node) = call.walk_existing(WORKING_DIRECTORY, call.arguments[0], true)?;
    if call.files().is_directory(&node) {
        return Err(Errno::EISDIR.into());
    }
    if !call.files().permits(&node, WRITE) {
        return Err(Errno::EACCES.into());
    }
    let number = inode_to_change(call, &path, &node)?;
    call.truncate_inode(number, length)?;
    Ok(0)
}

pub(super) fn umask(call: &mut Call<'_>) -> Answer {
    let new = call.arguments[0] & 0o777;
    Ok(std::mem::replace(&mut call.system.process.umask, new))
}
