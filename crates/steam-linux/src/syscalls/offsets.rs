//! Places in open files: seeking, and changing where a file ends.

use steam_state::PAGE_SIZE;

use super::transfer::check_writing;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{FileName, InodeKind, LARGEST_FILE, Object};

/// A place in a file from the two halves of an argument.
pub(super) fn position(low: u32, high: u32) -> Result<u64, Errno> {
    let position = u64::from(high) << 32 | u64::from(low);
    if position > i64::MAX as u64 { Err(Errno::EINVAL) } else { Ok(position) }
}

impl Call<'_> {
    /// Cuts or lengthens a file of the overlay.
    pub(super) fn truncate_inode(&mut self, number: u32, length: u64) -> Result<(), Refusal> {
        if length > LARGEST_FILE {
            return Err(Errno::EFBIG.into());
        }
        let inode = self.system.kernel.overlay.inodes.get(&number);
        let before = match inode.map(|inode| &inode.kind) {
            Some(InodeKind::File(content)) => content.len(),
            _ => u64::MAX,
        };
        if length > before {
            self.room_in_file(length - 1, 1)?;
        }
        self.memory_to_file(number);
        let now = self.system.now();
        let inode = self.system.kernel.overlay.inodes.get_mut(&number).ok_or(Errno::ENOENT)?;
        let InodeKind::File(content) = &mut inode.kind else { return Err(Errno::EISDIR.into()) };
        let before = content.len();
        let pages = |length: u64| length.div_ceil(PAGE_SIZE as u64);
        if inode.copied && pages(length) < pages(before) {
            let detail = "a file that is cut, and that was mapped with MAP_PRIVATE before";
            return Err(Refusal::Unknown(detail.to_owned()));
        }
        content.resize(length);
        inode.modified = now;
        self.file_to_memory(number);
        self.file_end_moved(number, before, length);
        Ok(())
    }
}

fn truncate_descriptor(call: &mut Call<'_>, length: u64) -> Answer {
    check_writing(call, call.arguments[0]).map_err(|errno| match errno {
        Errno::EBADF if call.system.description(call.arguments[0]).is_ok() => Errno::EINVAL,
        errno => errno,
    })?;
    match call.system.description(call.arguments[0])?.1.object {
        Object::File(FileName::Private(number)) => call.truncate_inode(number, length)?,
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(0)
}

pub(super) fn ftruncate(call: &mut Call<'_>) -> Answer {
    let length = call.arguments[1];
    if length > i32::MAX as u32 {
        return Err(Errno::EINVAL.into());
    }
    truncate_descriptor(call, u64::from(length))
}

pub(super) fn ftruncate64(call: &mut Call<'_>) -> Answer {
    let [_, low, high, ..] = call.arguments;
    let length = position(low, high)?;
    truncate_descriptor(call, length)
}

pub(super) fn fallocate(call: &mut Call<'_>) -> Answer {
    let [descriptor, mode, low, high, size_low, size_high] = call.arguments;
    let end = position(low, high)?.saturating_add(position(size_low, size_high)?);
    if mode != 0 {
        return Err(Errno::ENOTSUP.into());
    }
    check_writing(call, descriptor)?;
    let Object::File(name) = call.system.description(descriptor)?.1.object.clone() else {
        return Err(Errno::ESPIPE.into());
    };
    if end <= call.files().length(&name)? {
        return Ok(0);
    }
    truncate_descriptor(call, end)
}

/// The place that a seek means, from the start of the file.
fn seek(call: &mut Call<'_>, descriptor: u32, offset: i64, from: u32) -> Result<u64, Refusal> {
    let (_, description) = call.system.description(descriptor)?;
    let length = match &description.object {
        Object::File(name) => call.files().length(name)?,
        Object::Directory { .. } => 0,
        Object::Snapshot(text) => text.len() as u64,
        Object::MailQueue(_) => {
            return Err(Refusal::Unknown("seeking in a message queue".to_owned()));
        }
        Object::Null
        | Object::Zero
        | Object::Full
        | Object::Random
        | Object::Counter(_)
        | Object::TimerFile(_)
        | Object::SignalFile(_) => {
            return Ok(0);
        }
        Object::Input
        | Object::Output(_)
        | Object::PipeReader(_)
        | Object::PipeWriter(_)
        | Object::Watch(_)
        | Object::Socket(_) => {
            return Err(Errno::ESPIPE.into());
        }
    };
    let base = match from {
        0 => 0,
        1 => description.offset,
        2 => length,
        // Data and hole: all is data up to the end.
        3 | 4 if offset >= 0 && (offset as u64) < length => {
            let place = if from == 3 { offset as u64 } else { length };
            call.system.description_mut(descriptor)?.offset = place;
            return Ok(place);
        }
        3 | 4 => return Err(Errno::ENXIO.into()),
        _ => return Err(Errno::EINVAL.into()),
    };
    let place = base.checked_add_signed(offset).filter(|&place| place <= i64::MAX as u64);
    let place = place.ok_or(Errno::EINVAL)?;
    call.system.description_mut(descriptor)?.offset = place;
    Ok(place)
}

pub(super) fn lseek(call: &mut Call<'_>) -> Answer {
    let [descriptor, offset, from, ..] = call.arguments;
    let place = seek(call, descriptor, i64::from(offset as i32), from)?;
    u32::try_from(place).map_err(|_| Errno::EOVERFLOW.into())
}

pub(super) fn llseek(call: &mut Call<'_>) -> Answer {
    let [descriptor, high, low, result, from, _] = call.arguments;
    let offset = (u64::from(high) << 32 | u64::from(low)) as i64;
    let place = seek(call, descriptor, offset, from)?;
    call.put_words(result, &[place as u32, (place >> 32) as u32])?;
    Ok(0)
}
