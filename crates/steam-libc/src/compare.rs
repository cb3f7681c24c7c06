//! Functions that compare bytes.
//!
//! C defines the sign of the answer only, but programs print it. So the value is that of the
//! implementation that a program gets on a present-day CPU: glibc's variants for SSE4.2 answer -1
//! or 1 in most places and a difference in some; musl answers the difference.

use steam_state::AccessKind;

use super::call::{Answer, LibraryCall, Stop};
use super::origin::Library;
use super::variable;

/// Where two sequences of bytes differ first, and how.
#[derive(Clone, Copy)]
struct Difference {
    offset: u32,
    left: u8,
    right: u8,
}

impl Difference {
    fn amount(self) -> u32 {
        (i32::from(self.left) - i32::from(self.right)) as u32
    }

    fn sign(self) -> u32 {
        if self.left < self.right { u32::MAX } else { 1 }
    }
}

pub(super) fn strcmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right) = call.two()?;
    let difference = texts(call, left, right, u32::MAX, |byte| byte)?;
    Ok(vectorised(call.library, left, right, difference))
}

/// Letters are the same as the locale of the thread says.
pub(super) fn strcasecmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right) = call.two()?;
    insensitive(call, left, right, u32::MAX)
}

pub(super) fn strncasecmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right, limit) = call.three()?;
    insensitive(call, left, right, limit)
}

fn insensitive(call: &mut LibraryCall<'_>, left: u32, right: u32, limit: u32) -> Answer {
    let lower = lower_case(call);
    let difference = texts(call, left, right, limit, |byte| lower[usize::from(byte)])?;
    Ok(vectorised(call.library, left, right, difference))
}

/// The lower-case letters of the thread's locale; those of C before there is one.
fn lower_case(call: &mut LibraryCall<'_>) -> [u8; 256] {
    let mut table = [0; 1024];
    let place = call.variables.lower_case.and_then(|variable| variable.get(call.cpu));
    let read = place.filter(|&place| place != 0);
    let read = read.and_then(|place| variable::read(call.cpu, place, &mut table));
    match read {
        Some(()) => std::array::from_fn(|byte| table[4 * byte]),
        None => std::array::from_fn(|byte| (byte as u8).to_ascii_lowercase()),
    }
}

/// The answer of the variants of `strcmp` and `strcasecmp` for SSE4.2: the first bytes are compared
/// one by one, those after them by an instruction that gives the place. The border is after 8 bytes
/// if 16 would cross a page, else after 24.
fn vectorised(library: Library, left: u32, right: u32, found: Option<Difference>) -> u32 {
    let Some(difference) = found else { return 0 };
    let crosses = |address: u32| address & 0xfff > 0xff0;
    let signs = match library {
        Library::Musl => 0,
        Library::Glibc if crosses(left) || crosses(right) => 8,
        Library::Glibc => 24,
    };
    if difference.offset < signs { difference.sign() } else { difference.amount() }
}

pub(super) fn strncmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right, limit) = call.three()?;
    Ok(texts(call, left, right, limit, |byte| byte)?.map_or(0, Difference::amount))
}

/// All bytes must be readable: C compares objects of that size.
pub(super) fn memcmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right, size) = call.three()?;
    call.check(left, size, AccessKind::Read)?;
    call.check(right, size, AccessKind::Read)?;
    let Some(difference) = differ(call, left, right, size, false, |byte| byte)? else {
        return Ok(0);
    };
    let amount = size == 1 || call.library == Library::Musl;
    Ok(if amount { difference.amount() } else { difference.sign() })
}

/// The first difference of two strings within `limit` bytes, each seen through `fold`.
fn texts(
    call: &mut LibraryCall<'_>,
    left: u32,
    right: u32,
    limit: u32,
    fold: impl Fn(u8) -> u8,
) -> Result<Option<Difference>, Stop> {
    differ(call, left, right, limit, true, fold)
}

/// The first difference within `limit` bytes; a common zero ends strings.
fn differ(
    call: &mut LibraryCall<'_>,
    left: u32,
    right: u32,
    limit: u32,
    strings: bool,
    fold: impl Fn(u8) -> u8,
) -> Result<Option<Difference>, Stop> {
    let esp = call.esp();
    let mut done = 0;
    while done < limit {
        let places = (left.wrapping_add(done), right.wrapping_add(done));
        let (a, b) = call.cpu.memory.readable_pair(places.0, places.1, limit - done, esp)?;
        let ends = |x: u8, y: u8| fold(x) != fold(y) || (strings && x == 0);
        let length = a.len() as u32;
        let position = a.iter().zip(b).position(|(&x, &y)| ends(x, y));
        let bytes = position.map(|position| (fold(a[position]), fold(b[position])));
        let examined = position.map_or(length, |position| position as u32 + 1);
        call.examine(places.0, examined)?;
        call.examine(places.1, examined)?;
        if let (Some(position), Some((left, right))) = (position, bytes) {
            let offset = done + position as u32;
            return Ok((left != right).then_some(Difference { offset, left, right }));
        }
        done += length;
    }
    Ok(None)
}
