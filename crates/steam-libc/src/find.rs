//! Functions that look for a byte. They read up to that byte and no further.

use super::call::{Answer, LibraryCall, Stop};

pub(super) fn strlen(call: &mut LibraryCall<'_>) -> Answer {
    let text = call.argument(0)?;
    length(call, text, u32::MAX)
}

pub(super) fn strnlen(call: &mut LibraryCall<'_>) -> Answer {
    let (text, limit) = call.two()?;
    length(call, text, limit)
}

pub(super) fn strchr(call: &mut LibraryCall<'_>) -> Answer {
    let (text, wanted) = call.two()?;
    let (offset, is_wanted) = either(call, text, wanted as u8)?;
    Ok(if is_wanted { text.wrapping_add(offset) } else { 0 })
}

pub(super) fn strchrnul(call: &mut LibraryCall<'_>) -> Answer {
    let (text, wanted) = call.two()?;
    let (offset, _) = either(call, text, wanted as u8)?;
    Ok(text.wrapping_add(offset))
}

pub(super) fn strrchr(call: &mut LibraryCall<'_>) -> Answer {
    let (text, wanted) = call.two()?;
    let size = length(call, text, u32::MAX)?.saturating_add(1);
    last(call, text, wanted as u8, size)
}

pub(super) fn memchr(call: &mut LibraryCall<'_>) -> Answer {
    let (start, wanted, size) = call.three()?;
    let offset = first(call, start, wanted as u8, size)?;
    Ok(offset.map_or(0, |offset| start.wrapping_add(offset)))
}

pub(super) fn memrchr(call: &mut LibraryCall<'_>) -> Answer {
    let (start, wanted, size) = call.three()?;
    // It reads backwards and stops at the first match: what lies before is not touched.
    for offset in (0..size).rev() {
        let at = start.wrapping_add(offset);
        call.examine(at, 1)?;
        if call.readable(at, 1)?[0] == wanted as u8 {
            return Ok(at);
        }
    }
    Ok(0)
}

pub(super) fn rawmemchr(call: &mut LibraryCall<'_>) -> Answer {
    let (start, wanted) = call.two()?;
    let offset = first(call, start, wanted as u8, u32::MAX)?;
    Ok(start.wrapping_add(offset.unwrap_or(u32::MAX)))
}

/// The number of bytes before the first zero, at most `limit`.
pub(super) fn length(call: &mut LibraryCall<'_>, text: u32, limit: u32) -> Answer {
    Ok(first(call, text, 0, limit)?.unwrap_or(limit))
}

/// The offset of the first `wanted` among at most `limit` bytes.
pub(super) fn first(
    call: &mut LibraryCall<'_>,
    start: u32,
    wanted: u8,
    limit: u32,
) -> Result<Option<u32>, Stop> {
    let mut done = 0;
    while done < limit {
        let at = start.wrapping_add(done);
        let run = call.readable(at, limit - done)?;
        let (length, found) = (run.len() as u32, position(run, wanted));
        call.examine(at, found.map_or(length, |position| position as u32 + 1))?;
        if let Some(position) = found {
            return Ok(Some(done + position as u32));
        }
        done += length;
    }
    Ok(None)
}

/// The offset of the first byte that is `wanted` or zero, and whether it is `wanted`.
fn either(call: &mut LibraryCall<'_>, text: u32, wanted: u8) -> Result<(u32, bool), Stop> {
    let mut done = 0;
    loop {
        let at = text.wrapping_add(done);
        let run = call.readable(at, u32::MAX)?;
        let (length, end) = (run.len() as u32, position(run, 0));
        let before = &run[..end.map_or(run.len(), |end| end + 1)];
        let found = position(before, wanted);
        let last = found.or(end);
        call.examine(at, last.map_or(length, |last| last as u32 + 1))?;
        if let Some(found) = found {
            return Ok((done + found as u32, true));
        }
        if let Some(end) = end {
            return Ok((done + end as u32, false));
        }
        done = done.wrapping_add(length);
    }
}

/// The address of the last `wanted` among `size` bytes that are known to be readable, or 0.
fn last(call: &mut LibraryCall<'_>, start: u32, wanted: u8, size: u32) -> Answer {
    let mut done = 0;
    let mut found = 0;
    while done < size {
        let at = start.wrapping_add(done);
        let run = call.readable(at, size - done)?;
        if let Some(position) = run.iter().rposition(|&byte| byte == wanted) {
            found = at.wrapping_add(position as u32);
        }
        done += run.len() as u32;
    }
    Ok(found)
}

/// The position of a byte, eight bytes at a time.
fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pattern = ONES * u64::from(wanted);
    let (words, _) = bytes.as_chunks::<8>();
    let skipped = words
        .iter()
        .take_while(|&&word| {
            // A byte of `difference` is zero exactly where the byte is wanted.
            let difference = u64::from_le_bytes(word) ^ pattern;
            difference.wrapping_sub(ONES) & !difference & (ONES << 7) == 0
        })
        .count()
        * 8;
    bytes[skipped..].iter().position(|&byte| byte == wanted).map(|position| skipped + position)
}
