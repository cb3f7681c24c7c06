//! Integer lanes of a vector: splitting, joining and what instructions do with them.

macro_rules! lane_type {
    ($map:ident, $split:ident, $join:ident, $lane:ident, $count:literal, $doc:literal) => {
        #[doc = concat!("The ", $doc, " of a vector.")]
        #[inline]
        pub(super) fn $split(value: u128) -> [$lane; $count] {
            const BYTES: usize = 16 / $count;
            let bytes = value.to_le_bytes();
            std::array::from_fn(|i| {
                $lane::from_le_bytes(std::array::from_fn(|byte| bytes[i * BYTES + byte]))
            })
        }

        #[doc = concat!("The vector of these ", $doc, ".")]
        #[inline]
        pub(super) fn $join(lanes: [$lane; $count]) -> u128 {
            const BYTES: usize = 16 / $count;
            let bytes = lanes.map($lane::to_le_bytes);
            u128::from_le_bytes(std::array::from_fn(|i| bytes[i / BYTES][i % BYTES]))
        }

        #[doc = concat!("Applies a function to each pair of ", $doc, ".")]
        #[inline]
        pub(super) fn $map(a: u128, b: u128, function: impl Fn($lane, $lane) -> $lane) -> u128 {
            let (a, b) = ($split(a), $split(b));
            $join(std::array::from_fn(|i| function(a[i], b[i])))
        }
    };
}

lane_type!(map16, split16, join16, u16, 8, "words");
lane_type!(map32, split32, join32, u32, 4, "double words");
lane_type!(map64, split64, join64, u64, 2, "quad words");

/// Applies a function to each pair of bytes.
#[inline]
pub(super) fn map8(a: u128, b: u128, function: impl Fn(u8, u8) -> u8) -> u128 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    u128::from_le_bytes(std::array::from_fn(|i| function(a[i], b[i])))
}

/// All ones or all zeros.
pub(super) fn truth8(holds: bool) -> u8 {
    if holds { u8::MAX } else { 0 }
}

/// All ones or all zeros.
pub(super) fn truth16(holds: bool) -> u16 {
    if holds { u16::MAX } else { 0 }
}

/// All ones or all zeros.
pub(super) fn truth32(holds: bool) -> u32 {
    if holds { u32::MAX } else { 0 }
}

/// All ones or all zeros.
pub(super) fn truth64(holds: bool) -> u64 {
    if holds { u64::MAX } else { 0 }
}

/// `pmulhw`.
pub(super) fn multiply_high(a: u16, b: u16) -> u16 {
    ((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u16
}

/// `pmulhuw`.
pub(super) fn multiply_high_unsigned(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}

/// `pmaddwd`: both products of a double word's words, added.
pub(super) fn multiply_add(a: u32, b: u32) -> u32 {
    let product = |a: u32, b: u32| i32::from(a as i16).wrapping_mul(i32::from(b as i16));
    product(a, b).wrapping_add(product(a >> 16, b >> 16)) as u32
}

/// `pmaddubsw`: both products of unsigned bytes with signed ones, added and saturated.
pub(super) fn multiply_add_bytes(a: u16, b: u16) -> u16 {
    let product = |a: u8, b: u8| i32::from(a) * i32::from(b as i8);
    let ([a0, a1], [b0, b1]) = (a.to_le_bytes(), b.to_le_bytes());
    saturate_to_i16((product(a0, b0) + product(a1, b1)) as u32)
}

/// `pmulhrsw`: the product of two fractions, rounded.
pub(super) fn multiply_high_rounded(a: u16, b: u16) -> u16 {
    ((((i32::from(a as i16) * i32::from(b as i16)) >> 14) + 1) >> 1) as u16
}

/// `psadbw`: the sum of the absolute differences of eight bytes.
pub(super) fn sum_of_differences(a: u64, b: u64) -> u64 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(b))).sum()
}

/// `packsswb`, one lane.
pub(super) fn saturate_to_i8(lane: u16) -> u8 {
    (lane as i16).clamp(i16::from(i8::MIN), i16::from(i8::MAX)) as u8
}

/// `packuswb`, one lane.
pub(super) fn saturate_to_u8(lane: u16) -> u8 {
    (lane as i16).clamp(0, i16::from(u8::MAX)) as u8
}

/// `packssdw`, one lane.
pub(super) fn saturate_to_i16(lane: u32) -> u16 {
    (lane as i32).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as u16
}

/// `packusdw`, one lane.
pub(super) fn saturate_to_u16(lane: u32) -> u16 {
    (lane as i32).clamp(0, i32::from(u16::MAX)) as u16
}

/// Puts the low (or high) lanes of two vectors of `width` bits side by side.
#[inline]
pub(super) fn interleave(a: u128, b: u128, width: u32, lane: u32, high: bool) -> u128 {
    let mask = u128::MAX >> (128 - lane);
    let half = width / lane / 2;
    let first = if high { half } else { 0 };
    (0..half).fold(0, |result, i| {
        let part = |value: u128| value >> ((first + i) * lane) & mask;
        result | (part(a) | part(b) << lane) << (2 * i * lane)
    })
}

/// Chooses lanes of `value` by two-bit fields.
pub(super) fn shuffle32(value: u128, order: u8) -> u128 {
    let lanes = split32(value);
    join32(std::array::from_fn(|i| lanes[usize::from(order >> (2 * i) & 3)]))
}

/// Chooses words of `value` by two-bit fields.
pub(super) fn shuffle16(value: u64, order: u8) -> u64 {
    let word = |i: u8| value >> (16 * i) & 0xffff;
    (0..4).fold(0, |result, i| result | word(order >> (2 * i) & 3) << (16 * i))
}
