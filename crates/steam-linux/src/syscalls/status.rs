//! Asking about files: the stat family, access, readlink, statfs.

use super::{Answer, Call, WORKING_DIRECTORY};
use crate::errno::Errno;
use crate::filesystem::{FileStatus, Node, ProcessFile};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Object, Timestamp};
use crate::world::USER_ID;

const NO_FOLLOW: u32 = 0x100;
const NO_AUTOMOUNT: u32 = 0x800;
const EMPTY_PATH: u32 = 0x1000;
const BLOCK: u32 = 4096;

fn of_path(
    call: &mut Call<'_>,
    directory: u32,
    path: u32,
    follow: bool,
) -> Result<FileStatus, Refusal> {
    let (path, node) = call.walk_existing(directory, path, follow)?;
    if let Node::Process(ProcessFile::Descriptor(descriptor)) = node {
        return of_descriptor(call, descriptor);
    }
    Ok(call.files().status(&path, &node)?)
}

fn of_descriptor(call: &Call<'_>, descriptor: u32) -> Result<FileStatus, Refusal> {
    let (_, description) = call.system.description(descriptor)?;
    Ok(call.files().object_status(&description.object)?)
}

/// `fstatat` and `statx`: by path, or with an empty path by descriptor.
fn of_either(
    call: &mut Call<'_>,
    directory: u32,
    path: u32,
    flags: u32,
) -> Result<FileStatus, Refusal> {
    if flags & EMPTY_PATH != 0 && (path == 0 || call.bytes(path, 1)? == [0]) {
        if directory == WORKING_DIRECTORY {
            let here = call.system.process.directory.clone();
            let node = call.files().look_up(&here)?.ok_or(Errno::ENOENT)?;
            return Ok(call.files().status(&here, &node)?);
        }
        return of_descriptor(call, directory);
    }
    of_path(call, directory, path, flags & NO_FOLLOW == 0)
}

pub(super) fn stat(call: &mut Call<'_>) -> Answer {
    let status = of_path(call, WORKING_DIRECTORY, call.arguments[0], true)?;
    put_old(call, &status)
}

pub(super) fn lstat(call: &mut Call<'_>) -> Answer {
    let status = of_path(call, WORKING_DIRECTORY, call.arguments[0], false)?;
    put_old(call, &status)
}

pub(super) fn fstat(call: &mut Call<'_>) -> Answer {
    let status = of_descriptor(call, call.arguments[0])?;
    put_old(call, &status)
}

pub(super) fn stat64(call: &mut Call<'_>) -> Answer {
    let status = of_path(call, WORKING_DIRECTORY, call.arguments[0], true)?;
    put_wide(call, call.arguments[1], &status)
}

pub(super) fn lstat64(call: &mut Call<'_>) -> Answer {
    let status = of_path(call, WORKING_DIRECTORY, call.arguments[0], false)?;
    put_wide(call, call.arguments[1], &status)
}

pub(super) fn fstat64(call: &mut Call<'_>) -> Answer {
    let status = of_descriptor(call, call.arguments[0])?;
    put_wide(call, call.arguments[1], &status)
}

pub(super) fn fstatat64(call: &mut Call<'_>) -> Answer {
    const KNOWN: u32 = NO_FOLLOW | NO_AUTOMOUNT | EMPTY_PATH;
    let [directory, path, buffer, flags, ..] = call.arguments;
    if flags & !KNOWN != 0 {
        return Err(Errno::EINVAL.into());
    }
    let status = of_either(call, directory, path, flags)?;
    put_wide(call, buffer, &status)
}

/// Bytes of a structure, built field by field.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn short(mut self, value: u32) -> Self {
        self.0.extend_from_slice(&(value as u16).to_le_bytes());
        self
    }

    fn word(mut self, value: u32) -> Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn long(mut self, value: u64) -> Self {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    fn time(self, time: Timestamp) -> Self {
        self.word(time.seconds as u32).word(time.nanoseconds)
    }

    fn wide_time(self, time: Timestamp) -> Self {
        self.long(time.seconds as u64).word(time.nanoseconds).word(0)
    }

    fn padded(mut self, size: usize) -> Self {
        self.0.resize(size, 0);
        self
    }
}

fn blocks(status: &FileStatus) -> u64 {
    status.size.div_ceil(u64::from(BLOCK)) * 8
}

/// `struct stat` of the old calls.
fn put_old(call: &mut Call<'_>, status: &FileStatus) -> Answer {
    let size = u32::try_from(status.size).map_err(|_| Errno::EOVERFLOW)?;
    let bytes = Bytes::default()
        .word(status.device)
        .word(status.inode as u32)
        .short(status.mode)
        .short(status.links)
        .short(USER_ID)
        .short(USER_ID)
        .word(status.represents)
        .word(size)
        .word(BLOCK)
        .word(blocks(status) as u32)
        .time(status.accessed)
        .time(status.modified)
        .time(status.modified)
        .padded(64);
    call.put(call.arguments[1], &bytes.0)?;
    Ok(0)
}

/// `struct stat64`.
fn put_wide(call: &mut Call<'_>, buffer: u32, status: &FileStatus) -> Answer {
    let bytes = Bytes::default()
        .long(u64::from(status.device))
        .word(0)
        .word(status.inode as u32)
        .word(status.mode)
        .word(status.links)
        .word(USER_ID)
        .word(USER_ID)
        .long(u64::from(status.represents))
        .word(0)
        .long(status.size)
        .word(BLOCK)
        .long(blocks(status))
        .time(status.accessed)
        .time(status.modified)
        .time(status.modified)
        .long(status.inode);
    call.put(buffer, &bytes.0)?;
    Ok(0)
}

pub(super) fn statx(call: &mut Call<'_>) -> Answer {
    const BASIC: u32 = 0x7ff;
    const SYNCHRONISED: u32 = 0x6000;
    let [directory, path, flags, _, buffer, _] = call.arguments;
    if flags & !(NO_FOLLOW | NO_AUTOMOUNT | EMPTY_PATH | SYNCHRONISED) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let status = of_either(call, directory, path, flags)?;
    let bytes = Bytes::default()
        .word(BASIC)
        .word(BLOCK)
        .long(0)
        .word(status.links)
        .word(USER_ID)
        .word(USER_ID)
        .short(status.mode)
        .short(0)
        .long(status.inode)
        .long(status.size)
        .long(blocks(&status))
        .long(0)
        .wide_time(status.accessed)
        .padded(96)
        .wide_time(status.modified)
        .wide_time(status.modified)
        .word(status.represents >> 8)
        .word(status.represents & 0xff)
        .word(status.device >> 8)
        .word(status.device & 0xff)
        .padded(256);
    call.put(buffer, &bytes.0)?;
    Ok(0)
}

pub(super) fn access(call: &mut Call<'_>) -> Answer {
    let [path, mode, ..] = call.arguments;
    check_access(call, WORKING_DIRECTORY, path, mode, true)
}

pub(super) fn faccessat(call: &mut Call<'_>) -> Answer {
    let [directory, path, mode, ..] = call.arguments;
    check_access(call, directory, path, mode, true)
}

pub(super) fn faccessat2(call: &mut Call<'_>) -> Answer {
    let [directory, path, mode, flags, ..] = call.arguments;
    check_access(call, directory, path, mode, flags & NO_FOLLOW == 0)
}

fn check_access(call: &mut Call<'_>, directory: u32, path: u32, mode: u32, follow: bool) -> Answer {
    if mode > 7 {
        return Err(Errno::EINVAL.into());
    }
    let (_, node) = call.walk_existing(directory, path, follow)?;
    if call.files().permits(&node, mode) { Ok(0) } else { Err(Errno::EACCES.into()) }
}

pub(super) fn readlink(call: &mut Call<'_>) -> Answer {
    let [path, buffer, size, ..] = call.arguments;
    read_link(call, WORKING_DIRECTORY, path, buffer, size)
}

pub(super) fn readlinkat(call: &mut Call<'_>) -> Answer {
    let [directory, path, buffer, size, ..] = call.arguments;
    read_link(call, directory, path, buffer, size)
}

fn read_link(call: &mut Call<'_>, directory: u32, path: u32, buffer: u32, size: u32) -> Answer {
    if size as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let (_, node) = call.walk_existing(directory, path, false)?;
    let target = match node {
        Node::Process(ProcessFile::Descriptor(descriptor)) => {
            descriptor_name(call, descriptor).into()
        }
        _ => call.files().link_target(&node).ok_or(Errno::EINVAL)?,
    };
    let shown = &target[..target.len().min(size as usize)];
    call.put(buffer, shown)?;
    Ok(shown.len() as u32)
}

fn descriptor_name(call: &Call<'_>, descriptor: u32) -> Vec<u8> {
    let object = call.system.description(descriptor).map(|(_, it)| it.object.clone());
    match object {
        Ok(Object::File(crate::kernel::FileName::Host(path)) | Object::Directory { path, .. }) => {
            path.to_vec()
        }
        Ok(Object::Null) => b"/dev/null".to_vec(),
        _ => format!("pipe:[{descriptor}]").into_bytes(),
    }
}

/// `struct statfs64`, without the padding that some compilers put at its end.
fn put_file_system(call: &mut Call<'_>, buffer: u32, wide: bool) -> Answer {
    const EXT: u32 = 0xef53;
    let (total, free) = (1_u64 << 20, 1_u64 << 19);
    let head = Bytes::default().word(EXT).word(BLOCK);
    let counts = [total, free, free, total, free];
    let middle = counts.into_iter().fold(head, |bytes, count| match wide {
        true => bytes.long(count),
        false => bytes.word(count as u32),
    });
    let size = if wide { 84 } else { 64 };
    let bytes = middle.long(0).word(255).word(BLOCK).padded(size);
    call.put(buffer, &bytes.0)?;
    Ok(0)
}

pub(super) fn statfs(call: &mut Call<'_>) -> Answer {
    let [path, buffer, ..] = call.arguments;
    call.walk_existing(WORKING_DIRECTORY, path, true)?;
    put_file_system(call, buffer, false)
}

pub(super) fn statfs64(call: &mut Call<'_>) -> Answer {
    let [path, _, buffer, ..] = call.arguments;
    call.walk_existing(WORKING_DIRECTORY, path, true)?;
    put_file_system(call, buffer, true)
}

pub(super) fn fstatfs(call: &mut Call<'_>) -> Answer {
    let [descriptor, buffer, ..] = call.arguments;
    call.system.description(descriptor)?;
    put_file_system(call, buffer, false)
}

pub(super) fn fstatfs64(call: &mut Call<'_>) -> Answer {
    let [descriptor, _, buffer, ..] = call.arguments;
    call.system.description(descriptor)?;
    put_file_system(call, buffer, true)
}
