//! What is known of results whose operands are partly undefined: pure functions of values and masks.
//!
//! A set bit of a mask is an undefined bit. The rules are those of memcheck (Seward and Nethercote,
//! *Using Valgrind to detect undefined value errors with bit-precision*, 2005), always in their exact
//! form: sums by the least and the greatest value that the defined bits allow, comparisons by whether
//! the defined bits decide them. The naive twin, all values of the undefined bits, is in the tests.

use vm_isa::alu::{mask as width_mask, signed};
use vm_isa::{Condition, Flags};

/// A value of which some bits are undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Partly {
    /// As it happens to be.
    pub value: u32,
    /// Its undefined bits.
    pub mask: u32,
}

impl Partly {
    /// A value that is wholly known.
    pub fn known(value: u32) -> Self {
        Self { value, mask: 0 }
    }

    fn least(self) -> u32 {
        self.value & !self.mask
    }

    fn most(self) -> u32 {
        self.value | self.mask
    }

    /// The least and the greatest signed value.
    fn signed_range(self, bits: u32) -> (i64, i64) {
        let sign = self.mask & (1 << (bits - 1));
        let low = signed(self.least() | sign, bits);
        let high = signed(self.most() & !sign, bits);
        (i64::from(low), i64::from(high))
    }
}

/// The carry into a sum: its value, and whether that is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Carry {
    pub value: bool,
    pub undefined: bool,
}

impl Carry {
    fn least(self) -> u32 {
        u32::from(self.value && !self.undefined)
    }

    fn most(self) -> u32 {
        u32::from(self.value || self.undefined)
    }
}

pub(crate) const CF: u32 = vm_isa::flags::CF;
pub(crate) const PF: u32 = vm_isa::flags::PF;
pub(crate) const AF: u32 = vm_isa::flags::AF;
pub(crate) const ZF: u32 = vm_isa::flags::ZF;
pub(crate) const SF: u32 = vm_isa::flags::SF;
pub(crate) const OF: u32 = vm_isa::flags::OF;
/// No flag of the CPU: whether SF differs from OF may be known where neither is.
pub(crate) const LESS: u32 = 1 << 31;
/// All flags that arithmetic makes.
pub(crate) const ALL: u32 = CF | PF | AF | ZF | SF | OF | LESS;

/// The masks of a result and of the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Made {
    pub mask: u32,
    pub flags: u32,
}

fn when(undefined: bool, flags: u32) -> u32 {
    if undefined { flags } else { 0 }
}

/// Whether it is undefined that a result is zero.
fn zero(result: u32, mask: u32) -> u32 {
    when(mask != 0 && result & !mask == 0, ZF)
}

/// The flags that depend on the result alone.
fn of_result(result: u32, mask: u32, bits: u32) -> u32 {
    zero(result, mask) | when(mask >> (bits - 1) & 1 != 0, SF) | when(mask & 0xff != 0, PF)
}

/// `a + b + carry`
pub(crate) fn add(a: Partly, b: Partly, carry: Carry, bits: u32) -> Made {
    let unknown = a.mask | b.mask | u32::from(carry.undefined);
    if unknown == 0 {
        return Made::default();
    }
    let width = width_mask(bits);
    let wide = |x: u32, y: u32, c: u32| u64::from(x) + u64::from(y) + u64::from(c);
    let low = wide(a.least(), b.least(), carry.least());
    let high = wide(a.most(), b.most(), carry.most());
    let mask = (unknown | (low ^ high) as u32) & width;
    let result = a.value.wrapping_add(b.value).wrapping_add(u32::from(carry.value)) & width;
    let (a_range, b_range) = (a.signed_range(bits), b.signed_range(bits));
    let smallest = a_range.0 + b_range.0 + i64::from(carry.least());
    let largest = a_range.1 + b_range.1 + i64::from(carry.most());
    let flags = of_result(result, mask, bits)
        | when(low >> bits != high >> bits, CF)
        | when(unknown & 0xf != 0, AF)
        | when((smallest < 0) != (largest < 0), LESS)
        | OF;
    Made { mask, flags }
}

/// `a - b - borrow`
pub(crate) fn sub(a: Partly, b: Partly, borrow: Carry, bits: u32) -> Made {
    let unknown = a.mask | b.mask | u32::from(borrow.undefined);
    if unknown == 0 {
        return Made::default();
    }
    let width = width_mask(bits);
    let wide = |x: u32, y: u32, c: u32| i64::from(x) - i64::from(y) - i64::from(c);
    let low = wide(a.least(), b.most(), borrow.most());
    let high = wide(a.most(), b.least(), borrow.least());
    let mask = (unknown | (low ^ high) as u32) & width;
    let result = a.value.wrapping_sub(b.value).wrapping_sub(u32::from(borrow.value)) & width;
    let differ = (a.value ^ b.value) & !(a.mask | b.mask) & width != 0;
    let plain = borrow == Carry::default();
    let (a_range, b_range) = (a.signed_range(bits), b.signed_range(bits));
    let smallest = a_range.0 - b_range.1 - i64::from(borrow.most());
    let largest = a_range.1 - b_range.0 - i64::from(borrow.least());
    let mut flags = of_result(result, mask, bits)
        | when((low < 0) != (high < 0), CF)
        | when(unknown & 0xf != 0, AF)
        | when((smallest < 0) != (largest < 0), LESS)
        | OF;
    if plain && differ {
        flags &= !ZF;
    }
    Made { mask, flags }
}

/// `a & b`
pub(crate) fn and(a: Partly, b: Partly, bits: u32) -> Made {
    let mask = (a.mask | b.mask) & a.most() & b.most() & width_mask(bits);
    logic(a.value & b.value, mask, bits)
}

/// `a | b`
pub(crate) fn or(a: Partly, b: Partly, bits: u32) -> Made {
    let one = a.least() | b.least();
    let mask = (a.mask | b.mask) & !one & width_mask(bits);
    logic(a.value | b.value, mask, bits)
}

/// `a ^ b`
pub(crate) fn xor(a: Partly, b: Partly, bits: u32) -> Made {
    logic(a.value ^ b.value, (a.mask | b.mask) & width_mask(bits), bits)
}

/// The masks after a logical operation: CF and OF are zero.
pub(crate) fn logic(result: u32, mask: u32, bits: u32) -> Made {
    let flags = of_result(result & width_mask(bits), mask, bits);
    Made { mask, flags: flags | when(flags & SF != 0, LESS) }
}

/// The low half of a product: bits below the lowest undefined one are known. A factor that is known to
/// be zero makes all of it known.
pub(crate) fn multiply(a: Partly, b: Partly, bits: u32) -> Made {
    let unknown = a.mask | b.mask;
    let nothing = |it: Partly| it.most() & width_mask(bits) == 0;
    if unknown == 0 || nothing(a) || nothing(b) {
        return Made::default();
    }
    Made { mask: (unknown | unknown.wrapping_neg()) & width_mask(bits), flags: ALL }
}

/// The flags after a shift whose count is known and not zero. `carry`: whether the bit that fell out is
/// undefined.
pub(crate) fn shifted(result: u32, mask: u32, carry: bool, any: bool, bits: u32) -> u32 {
    let flags = of_result(result, mask, bits) | when(carry, CF) | when(any, OF | AF);
    flags | when(flags & (SF | OF) != 0, LESS)
}

/// Whether it is undefined where the lowest (`bsf`) or the highest (`bsr`) set bit is.
pub(crate) fn scan(source: Partly, upwards: bool) -> bool {
    let sure = source.least();
    if source.mask == 0 {
        return false;
    }
    if sure == 0 {
        return true;
    }
    match upwards {
        true => source.mask.trailing_zeros() < sure.trailing_zeros(),
        false => source.mask.leading_zeros() < sure.leading_zeros(),
    }
}

/// Whether a bit scan, or another result, is known to be of zero.
pub(crate) fn zero_of(source: Partly) -> u32 {
    zero(source.value, source.mask)
}

/// Whether a condition is undefined, where these flags are.
pub(crate) fn condition(condition: Condition, undefined: u32, flags: Flags) -> bool {
    use Condition as C;
    // One of two that is known to hold decides.
    let either = |one: u32, holds: bool, other: u32, other_holds: bool| {
        let decided = undefined & one == 0 && holds || undefined & other == 0 && other_holds;
        undefined & (one | other) != 0 && !decided
    };
    match condition {
        C::O | C::No => undefined & OF != 0,
        C::B | C::Ae => undefined & CF != 0,
        C::Z | C::Nz => undefined & ZF != 0,
        C::Be | C::A => either(CF, flags.carry(), ZF, flags.zero()),
        C::S | C::Ns => undefined & SF != 0,
        C::P | C::Np => undefined & PF != 0,
        C::L | C::Ge => undefined & LESS != 0,
        C::Le | C::G => either(LESS, flags.less(), ZF, flags.zero()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vm_isa::alu;

    type Rule = fn(Partly, Partly) -> Made;
    type Twin = fn(u32, u32) -> (u32, Flags);

    /// What differs among all values that the undefined bits allow, in 8 bits.
    fn differing(a: Partly, b: Partly, compute: Twin) -> (u32, u32, [bool; 16]) {
        let values = |it: Partly| {
            (0..=0xffu32).filter(move |x| x & !it.mask == 0).map(move |x| it.least() | x)
        };
        let results: Vec<(u32, Flags)> = values(a)
            .flat_map(|x| values(b).map(move |y| (x, y)))
            .map(|(x, y)| compute(x, y))
            .collect();
        let (first, flags) = results[0];
        let mut conditions = [false; 16];
        let (mut mask, mut eflags) = (0, 0);
        for (result, other) in &results {
            mask |= result ^ first;
            eflags |= other.to_eflags() ^ flags.to_eflags();
            for (at, condition) in Condition::ALL.into_iter().enumerate() {
                conditions[at] |= condition.holds(*other) != condition.holds(flags);
            }
        }
        (mask, eflags, conditions)
    }

    /// No rule calls defined what depends on undefined bits; and it is exact for the result.
    #[test]
    fn rules_agree_with_all_values_of_the_undefined_bits() {
        let plain = Carry::default();
        let rules: [(Rule, Twin, bool); 6] = [
            (|a, b| add(a, b, Carry::default(), 8), |a, b| alu::add(a, b, false, 8), true),
            (|a, b| sub(a, b, Carry::default(), 8), |a, b| alu::sub(a, b, false, 8), true),
            (|a, b| and(a, b, 8), |a, b| (a & b, Flags::logic(a & b, 8)), true),
            (|a, b| or(a, b, 8), |a, b| (a | b, Flags::logic(a | b, 8)), true),
            (|a, b| xor(a, b, 8), |a, b| (a ^ b, Flags::logic(a ^ b, 8)), true),
            (
                |a, b| multiply(a, b, 8),
                |a, b| {
                    let (low, _, flags) = alu::multiply(true, a, b, 8);
                    (low, flags)
                },
                false,
            ),
        ];
        assert_eq!(plain.least(), 0);
        let mut seed = 7u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 24
        };
        let mut sure = 0;
        for _ in 0..600 {
            let a = Partly { value: random(), mask: random() & random() & random() };
            let b = Partly { value: random(), mask: random() & random() & random() };
            for (rule, twin, exact) in rules {
                let made = rule(a, b);
                let (mask, eflags, conditions) = differing(a, b, twin);
                assert_eq!(mask & !made.mask, 0, "{a:?} {b:?}");
                assert!(!exact || mask == made.mask, "{a:?} {b:?} {mask:x} {made:x?}");
                assert_eq!(eflags & !made.flags & !AF, 0, "{a:?} {b:?} {eflags:x} {made:x?}");
                let flags = twin(a.value, b.value).1;
                for (at, of) in Condition::ALL.into_iter().enumerate() {
                    let undefined = condition(of, made.flags, flags);
                    assert!(undefined || !conditions[at], "{of:?} {a:?} {b:?}");
                    sure += u32::from(!undefined && a.mask | b.mask != 0);
                }
            }
        }
        assert!(sure > 10_000, "the rules know something: {sure}");
    }

    #[test]
    fn what_the_defined_bits_decide_is_defined() {
        let low = Partly { value: 0x100, mask: 0xff };
        // It is not zero, and larger than 0xff, whatever its low byte is.
        let made = sub(low, Partly::known(0), Carry::default(), 32);
        assert_eq!(made.flags & (ZF | CF | LESS), 0);
        assert_eq!(sub(low, Partly::known(0x100), Carry::default(), 32).flags & (CF | ZF), ZF);
        assert!(!scan(Partly { value: 0x10, mask: 0xff00 }, true));
        assert!(scan(Partly { value: 0x10, mask: 0xff00 }, false));
        assert_eq!(multiply(low, Partly::known(0), 32), Made::default());
    }
}
