//! Directories: where the process is, and what is in them.

use std::sync::Arc;

use super::{Answer, Call, WORKING_DIRECTORY};
use crate::errno::Errno;
use crate::filesystem::EXECUTE;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{DirectoryEntry, Object};

pub(super) fn getcwd(call: &mut Call<'_>) -> Answer {
    let [buffer, size, ..] = call.arguments;
    let mut path = call.system.process.directory.to_vec();
    path.push(0);
    if path.len() > size as usize {
        return Err(Errno::ERANGE.into());
    }
    call.put(buffer, &path)?;
    Ok(path.len() as u32)
}

pub(super) fn chdir(call: &mut Call<'_>) -> Answer {
    let (path, node) = call.walk_existing(WORKING_DIRECTORY, call.arguments[0], true)?;
    if !call.files().is_directory(&node) {
        return Err(Errno::ENOTDIR.into());
    }
    if !call.files().permits(&node, EXECUTE) {
        return Err(Errno::EACCES.into());
    }
    call.system.process.directory = path;
    Ok(0)
}

pub(super) fn fchdir(call: &mut Call<'_>) -> Answer {
    let (_, description) = call.system.description(call.arguments[0])?;
    let Object::Directory { path, .. } = &description.object else {
        return Err(Errno::ENOTDIR.into());
    };
    call.system.process.directory = Arc::clone(path);
    Ok(0)
}

pub(super) fn getdents64(call: &mut Call<'_>) -> Answer {
    give_entries(call, |entry, next| {
        let mut bytes = entry.inode.to_le_bytes().to_vec();
        bytes.extend_from_slice(&next.to_le_bytes());
        finish(bytes, 19, 8, entry, |bytes| bytes.push(entry.kind))
    })
}

pub(super) fn getdents(call: &mut Call<'_>) -> Answer {
    give_entries(call, |entry, next| {
        let mut bytes = (entry.inode as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&(next as u32).to_le_bytes());
        let mut bytes = finish(bytes, 11, 4, entry, |_| {});
        // The old structure has the type in its last byte.
        if let Some(last) = bytes.last_mut() {
            *last = entry.kind;
        }
        bytes
    })
}

/// Adds length, type and name to the head of an entry; `fixed` bytes are not name.
fn finish(
    mut bytes: Vec<u8>,
    fixed: usize,
    alignment: usize,
    entry: &DirectoryEntry,
    put_kind: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let length = (fixed + entry.name.len() + 1).next_multiple_of(alignment);
    bytes.extend_from_slice(&(length as u16).to_le_bytes());
    put_kind(&mut bytes);
    bytes.extend_from_slice(&entry.name);
    bytes.resize(length, 0);
    bytes
}

fn give_entries(call: &mut Call<'_>, encode: impl Fn(&DirectoryEntry, u64) -> Vec<u8>) -> Answer {
    let [descriptor, buffer, size, ..] = call.arguments;
    let (entries, offset) = entries(call, descriptor)?;
    let mut bytes = Vec::new();
    let mut next = offset;
    for entry in entries.iter().skip(offset as usize) {
        let encoded = encode(entry, next + 1);
        if bytes.len() + encoded.len() > size as usize {
            break;
        }
        bytes.extend_from_slice(&encoded);
        next += 1;
    }
    if bytes.is_empty() && (offset as usize) < entries.len() {
        return Err(Errno::EINVAL.into());
    }
    call.put(buffer, &bytes)?;
    call.system.description_mut(descriptor)?.offset = next;
    Ok(bytes.len() as u32)
}

/// The entries as they were when reading began, and how many were read.
fn entries(call: &mut Call<'_>, descriptor: u32) -> Result<(Arc<[DirectoryEntry]>, u64), Refusal> {
    let (_, description) = call.system.description(descriptor)?;
    let Object::Directory { path, entries } = &description.object else {
        return Err(Errno::ENOTDIR.into());
    };
    let offset = description.offset;
    if let Some(entries) = entries
        && offset > 0
    {
        return Ok((Arc::clone(entries), offset));
    }
    let path = Arc::clone(path);
    let fresh: Arc<[DirectoryEntry]> = call.files().list(&path)?.into();
    let description = call.system.description_mut(descriptor)?;
    description.object = Object::Directory { path, entries: Some(Arc::clone(&fresh)) };
    Ok((fresh, offset))
}
