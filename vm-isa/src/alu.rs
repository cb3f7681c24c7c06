//! Integer arithmetic: results and flags as the CPU makes them.
//!
//! All functions take operands of `bits` width (8, 16 or 32) in the low bits of a `u32`, upper bits
//! zero, and return results the same way. Flags that the architecture leaves undefined are given the
//! value that SPEC.md states.

use crate::flags::{self, Flags};

/// The bits of a value of that width.
#[inline(always)]
pub const fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

/// A value of that width, sign-extended.
#[inline(always)]
pub const fn signed(value: u32, bits: u32) -> i32 {
    (value << (32 - bits)) as i32 >> (32 - bits)
}

/// `a + b + carry`
#[inline(always)]
pub fn add(a: u32, b: u32, carry: bool, bits: u32) -> (u32, Flags) {
    let result = a.wrapping_add(b).wrapping_add(u32::from(carry)) & mask(bits);
    let carries = (a & b) | ((a | b) & !result);
    (result, Flags::carried(result, carries, bits))
}

/// `a - b - borrow`
#[inline(always)]
pub fn sub(a: u32, b: u32, borrow: bool, bits: u32) -> (u32, Flags) {
    let result = a.wrapping_sub(b).wrapping_sub(u32::from(borrow)) & mask(bits);
    let borrows = (!a & b) | ((!a | b) & result);
    (result, Flags::carried(result, borrows, bits))
}

/// `tzcnt`: carry tells that there is no bit, zero that it is the lowest one.
pub fn trailing_zeros(a: u32, bits: u32) -> (u32, Flags) {
    counted(a.trailing_zeros().min(bits), a == 0)
}

/// `lzcnt`, with flags as of `tzcnt`.
pub fn leading_zeros(a: u32, bits: u32) -> (u32, Flags) {
    counted(a.leading_zeros() - (32 - bits), a == 0)
}

/// `popcnt`: how many bits are set.
pub fn population(a: u32, _bits: u32) -> (u32, Flags) {
    counted(a.count_ones(), false)
}

fn counted(result: u32, carry: bool) -> (u32, Flags) {
    let zero = if result == 0 { flags::ZF } else { 0 };
    (result, Flags::from_eflags(zero | if carry { flags::CF } else { 0 }))
}

/// `crc32`: CRC-32C of `bits` more bits.
pub fn checksum(sum: u32, value: u32, bits: u32) -> u32 {
    /// The Castagnoli polynomial, the lowest bit first.
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    // The register takes all of the value in at once; a bit leaves by each shift.
    (0..bits).fold(sum ^ value, |rest, _| rest >> 1 ^ if rest & 1 != 0 { POLYNOMIAL } else { 0 })
}

/// Shifts and rotates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    /// Rotate left.
    Rol,
    /// Rotate right.
    Ror,
    /// Rotate left through CF.
    Rcl,
    /// Rotate right through CF.
    Rcr,
    /// Shift left.
    Shl,
    /// Shift right, filling with zeros.
    Shr,
    /// Shift right, filling with the sign.
    Sar,
}

/// A shift or rotate by `count` (only its low five bits count). A count of zero changes nothing.
#[inline]
pub fn shift(kind: Shift, a: u32, count: u32, bits: u32, flags: Flags) -> (u32, Flags) {
    let count = count & 31;
    if count == 0 {
        return (a, flags);
    }
    match kind {
        Shift::Shl => shift_left(a, count, bits),
        Shift::Shr => shift_right(a, count, bits),
        Shift::Sar => shift_arithmetic(a, count, bits),
        Shift::Rol | Shift::Ror => rotate(kind, a, count, bits, flags),
        Shift::Rcl | Shift::Rcr => rotate_through_carry(kind, a, count, bits, flags),
    }
}

/// `a << count` for a count of 1 to 31.
#[inline(always)]
pub fn shift_left(a: u32, count: u32, bits: u32) -> (u32, Flags) {
    let wide = u64::from(a) << count;
    let result = wide as u32 & mask(bits);
    let carry = wide >> bits & 1 != 0;
    let sign = result >> (bits - 1) & 1 != 0;
    (result, Flags::with(result, bits, carry, carry ^ sign, false))
}

/// `a >> count` for a count of 1 to 31.
#[inline(always)]
pub fn shift_right(a: u32, count: u32, bits: u32) -> (u32, Flags) {
    let result = a >> count;
    let carry = a >> (count - 1) & 1 != 0;
    let overflow = a >> (bits - 1) & 1 != 0;
    (result, Flags::with(result, bits, carry, overflow, false))
}

/// The signed `a >> count` for a count of 1 to 31.
#[inline(always)]
pub fn shift_arithmetic(a: u32, count: u32, bits: u32) -> (u32, Flags) {
    let wide = signed(a, bits);
    let result = (wide >> count) as u32 & mask(bits);
    let carry = wide >> (count - 1) & 1 != 0;
    (result, Flags::with(result, bits, carry, false, false))
}

fn rotate(kind: Shift, a: u32, count: u32, bits: u32, mut flags: Flags) -> (u32, Flags) {
    let by = count % bits;
    let left = if kind == Shift::Rol { by } else { (bits - by) % bits };
    let wide = u64::from(a) << left;
    let result = (wide as u32 | (wide >> bits) as u32) & mask(bits);
    let top = result >> (bits - 1) & 1 != 0;
    let (carry, overflow) = if kind == Shift::Rol {
        (result & 1 != 0, top ^ (result & 1 != 0))
    } else {
        (top, top ^ (result >> (bits - 2) & 1 != 0))
    };
    flags.set_carry_overflow(carry, overflow);
    (result, flags)
}

fn rotate_through_carry(
    kind: Shift,
    a: u32,
    count: u32,
    bits: u32,
    mut flags: Flags,
) -> (u32, Flags) {
    let ring = bits + 1;
    let by = count % ring;
    if by == 0 {
        return (a, flags);
    }
    let left = if kind == Shift::Rcl { by } else { ring - by };
    let wide = u64::from(a) | u64::from(flags.carry()) << bits;
    let turned = (wide << left | wide >> (ring - left)) & ((1 << ring) - 1);
    let result = turned as u32 & mask(bits);
    let carry = turned >> bits & 1 != 0;
    let top = result >> (bits - 1) & 1 != 0;
    let overflow =
        if kind == Shift::Rcl { top ^ carry } else { top ^ (result >> (bits - 2) & 1 != 0) };
    flags.set_carry_overflow(carry, overflow);
    (result, flags)
}

/// `shld` (left) and `shrd`: shifts `a`, filling with bits of `b`.
pub fn double_shift(
    left: bool,
    a: u32,
    b: u32,
    count: u32,
    bits: u32,
    flags: Flags,
) -> (u32, Flags) {
    let count = count & 31;
    if count == 0 {
        return (a, flags);
    }
    // With a 16-bit operand and a count above 16 the result is undefined; like current CPUs, the
    // bits of `a` then follow those of `b` again.
    let (a64, b64) = (u64::from(a), u64::from(b));
    let (result, carry) = if left {
        let wide = if bits == 16 { a64 << 32 | b64 << 16 | a64 } else { a64 << 32 | b64 };
        let top = if bits == 16 { 48 } else { 64 };
        let shifted = u128::from(wide) << count;
        ((shifted >> (top - bits)) as u32 & mask(bits), shifted >> top & 1 != 0)
    } else {
        let wide = a64 | b64 << bits | if bits == 16 { a64 << 32 } else { 0 };
        ((wide >> count) as u32 & mask(bits), wide >> (count - 1) & 1 != 0)
    };
    let overflow = (result ^ a) >> (bits - 1) & 1 != 0;
    (result, Flags::with(result, bits, carry, overflow, false))
}

/// The full product of two values, low and high half; CF and OF say whether the high half matters.
pub fn multiply(is_signed: bool, a: u32, b: u32, bits: u32) -> (u32, u32, Flags) {
    let product = if is_signed {
        (i64::from(signed(a, bits)) * i64::from(signed(b, bits))) as u64
    } else {
        u64::from(a) * u64::from(b)
    };
    let low = product as u32 & mask(bits);
    let high = (product >> bits) as u32 & mask(bits);
    let big = if is_signed { product as i64 != i64::from(signed(low, bits)) } else { high != 0 };
    (low, high, Flags::with(low, bits, big, big, false))
}

/// Quotient and remainder of the double-width dividend; `None` is the divide error.
pub fn divide(is_signed: bool, high: u32, low: u32, divisor: u32, bits: u32) -> Option<(u32, u32)> {
    let dividend = u64::from(high) << bits | u64::from(low);
    if divisor == 0 {
        return None;
    }
    if !is_signed {
        let divisor = u64::from(divisor);
        let quotient = u32::try_from(dividend / divisor).ok().filter(|&q| q <= mask(bits))?;
        return Some((quotient, (dividend % divisor) as u32));
    }
    let unused = 64 - 2 * bits;
    let dividend = (dividend << unused) as i64 >> unused;
    let divisor = i64::from(signed(divisor, bits));
    let quotient = dividend.checked_div(divisor)?;
    let limit = 1i64 << (bits - 1);
    if !(-limit..limit).contains(&quotient) {
        return None;
    }
    Some((quotient as u32 & mask(bits), (dividend % divisor) as u32 & mask(bits)))
}

/// Decimal adjustment after an addition (`daa`) or subtraction (`das`) of packed digits in al.
pub fn adjust_packed(subtract: bool, al: u8, flags: Flags) -> (u8, Flags) {
    let low = al & 15 > 9 || flags.auxiliary();
    let high = al > 0x99 || flags.carry();
    let amount = if low { 6 } else { 0 } + if high { 0x60 } else { 0 };
    let (result, borrow) = if subtract {
        (al.wrapping_sub(amount), low && al < 6)
    } else {
        (al.wrapping_add(amount), low && al > 0xff - 6)
    };
    (result, Flags::with(u32::from(result), 8, high || borrow, false, low))
}

/// Adjustment of ax after an addition (`aaa`) or subtraction (`aas`) of unpacked digits.
pub fn adjust_unpacked(subtract: bool, ax: u16, flags: Flags) -> (u16, Flags) {
    let adjust = ax & 15 > 9 || flags.auxiliary();
    let amount = if adjust { 0x106 } else { 0 };
    let result = if subtract { ax.wrapping_sub(amount) } else { ax.wrapping_add(amount) };
    let result = result & 0xff0f;
    (result, Flags::with(u32::from(result & 0xff), 8, adjust, false, adjust))
}
