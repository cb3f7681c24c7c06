//! The functions for wide characters that have variants which read beyond the end: units of four
//! bytes, one by one.

use std::cmp::Ordering;

use steam_state::AccessKind;

use super::call::{Answer, LibraryCall, Stop};
use super::copy::apart;

pub(super) fn wcslen(call: &mut LibraryCall<'_>) -> Answer {
    let text = call.argument(0)?;
    length(call, text, u32::MAX)
}

pub(super) fn wcsnlen(call: &mut LibraryCall<'_>) -> Answer {
    let (text, limit) = call.two()?;
    length(call, text, limit)
}

pub(super) fn wcscpy(call: &mut LibraryCall<'_>) -> Answer {
    let (target, source) = call.two()?;
    let size = length(call, source, u32::MAX)?.saturating_add(1).saturating_mul(4);
    apart(target, size, source, size)?;
    let mut offset = 0;
    loop {
        let unit = call.decisive_word(at(source, offset))?;
        call.set_word(at(target, offset), unit)?;
        if unit == 0 {
            return Ok(target);
        }
        offset += 1;
    }
}

pub(super) fn wcschr(call: &mut LibraryCall<'_>) -> Answer {
    let (text, wanted) = call.two()?;
    let mut place = text;
    loop {
        match call.decisive_word(place)? {
            unit if unit == wanted => return Ok(place),
            0 => return Ok(0),
            _ => place = place.wrapping_add(4),
        }
    }
}

pub(super) fn wcsrchr(call: &mut LibraryCall<'_>) -> Answer {
    let (text, wanted) = call.two()?;
    let (mut place, mut found) = (text, 0);
    loop {
        let unit = call.decisive_word(place)?;
        if unit == wanted {
            found = place;
        }
        if unit == 0 {
            return Ok(found);
        }
        place = place.wrapping_add(4);
    }
}

pub(super) fn wcscmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right) = call.two()?;
    compare(call, left, right, u32::MAX, true)
}

pub(super) fn wcsncmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right, limit) = call.three()?;
    compare(call, left, right, limit, true)
}

pub(super) fn wmemcmp(call: &mut LibraryCall<'_>) -> Answer {
    let (left, right, limit) = call.three()?;
    compare(call, left, right, limit, false)
}

pub(super) fn wmemset(call: &mut LibraryCall<'_>) -> Answer {
    let (target, unit, count) = (call.argument(0)?, call.passed_argument(1)?, call.argument(2)?);
    call.check(target, count.saturating_mul(4), AccessKind::Write)?;
    for offset in 0..count {
        call.set_word(at(target, offset), unit)?;
    }
    Ok(target)
}

pub(super) fn wmemchr(call: &mut LibraryCall<'_>) -> Answer {
    let (start, wanted, count) = call.three()?;
    for offset in 0..count {
        let place = at(start, offset);
        if call.decisive_word(place)? == wanted {
            return Ok(place);
        }
    }
    Ok(0)
}

fn at(start: u32, offset: u32) -> u32 {
    start.wrapping_add(offset.wrapping_mul(4))
}

fn length(call: &mut LibraryCall<'_>, text: u32, limit: u32) -> Answer {
    let mut count = 0;
    while count < limit && call.decisive_word(at(text, count))? != 0 {
        count += 1;
    }
    Ok(count)
}

/// -1, 0 or 1: wide characters are signed numbers here.
fn compare(call: &mut LibraryCall<'_>, left: u32, right: u32, limit: u32, texts: bool) -> Answer {
    for offset in 0..limit {
        let (a, b) = units(call, at(left, offset), at(right, offset))?;
        match a.cmp(&b) {
            Ordering::Less => return Ok(u32::MAX),
            Ordering::Greater => return Ok(1),
            Ordering::Equal if texts && a == 0 => return Ok(0),
            Ordering::Equal => {}
        }
    }
    Ok(0)
}

fn units(call: &mut LibraryCall<'_>, left: u32, right: u32) -> Result<(i32, i32), Stop> {
    Ok((call.decisive_word(left)? as i32, call.decisive_word(right)? as i32))
}
