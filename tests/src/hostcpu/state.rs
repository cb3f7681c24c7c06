//! Makes random initial states for an encoded instruction.

use super::address::aligned_offset;
use super::case::{Case, FLOATING_SIZE, SETTABLE_FLAGS, WINDOW_SIZE};
use super::random::Random;
use super::row::{Fill, Row, Unit};
use super::template::Encoding;

/// Offset of the x87 registers in an `fxsave` image, of 16 bytes each.
pub const ST_AT: usize = 32;
/// Offset of the XMM registers in an `fxsave` image.
pub const XMM_AT: usize = 160;

/// Returns a random case for an encoding of the row.
pub fn random_case(row: &Row, encoding: &Encoding, random: &mut Random) -> Case {
    let mut case = Case::new(&encoding.code[..encoding.length]);
    for register in &mut case.registers {
        *register = random.integer();
    }
    case.flags = random.bits() as u32 & SETTABLE_FLAGS;
    if row.unit != Unit::Integer {
        case.floating = Some(floating_image(row, random));
    }
    if row.implicit_memory || row.template.has_memory() {
        case.memory = Some(random_window(random));
    }
    place_operand(row, encoding, &mut case, random);
    (row.prepare)(&mut case, encoding, random);
    case.undefined = (row.undefined)(&case, encoding);
    case
}

fn random_window(random: &mut Random) -> [u8; WINDOW_SIZE] {
    let mut window = [0; WINDOW_SIZE];
    for chunk in window.chunks_exact_mut(8) {
        chunk.copy_from_slice(&random.bits().to_le_bytes());
    }
    window
}

/// Points the address into the window and fills what is there.
fn place_operand(row: &Row, encoding: &Encoding, case: &mut Case, random: &mut Random) {
    let Some(address) = encoding.address else { return };
    let offset = address.fixed_offset().unwrap_or_else(|| random_offset(row, random));
    address.point_at(offset, &mut case.registers);
    let end = (offset + row.limits.bytes).min(WINDOW_SIZE);
    if let Some(memory) = &mut case.memory {
        fill(&mut memory[offset..end], row.fill, random);
    }
}

/// Mostly an offset where the operand fits; rarely a misaligned one, or one that reaches into
/// the guard page.
fn random_offset(row: &Row, random: &mut Random) -> usize {
    let mut offset = aligned_offset(row.limits, random);
    if random.one_in(256) {
        if row.limits.alignment > 1 {
            offset = (offset + 1 + random.below(15)) % (WINDOW_SIZE - row.limits.bytes);
        } else {
            offset = WINDOW_SIZE - random.below(row.limits.bytes.max(1));
        }
    }
    offset
}

/// The window offset at which the memory operand of a case lies, when it lies in the window.
pub fn operand_offset(case: &Case, encoding: &Encoding) -> Option<usize> {
    encoding.address?.window_offset(&case.registers)
}

fn fill(bytes: &mut [u8], kind: Fill, random: &mut Random) {
    match kind {
        Fill::Integer => fill_lanes(bytes, random, |random| match random.below(4) {
            0 => packed_integers(random).to_le_bytes(),
            _ => random.long_integer().to_le_bytes(),
        }),
        Fill::Single => fill_lanes(bytes, random, |random| random.single().to_le_bytes()),
        Fill::Double => fill_lanes(bytes, random, |random| random.double().to_le_bytes()),
        Fill::Extended => fill_lanes(bytes, random, Random::extended),
        Fill::Decimal => fill_lanes(bytes, random, decimal),
        Fill::Mixed => {
            let kind = random.choose(&[Fill::Integer, Fill::Single, Fill::Double]);
            fill(bytes, kind, random);
        }
    }
}

fn fill_lanes<const N: usize>(
    bytes: &mut [u8],
    random: &mut Random,
    lane: impl Fn(&mut Random) -> [u8; N],
) {
    for chunk in bytes.chunks_mut(N) {
        chunk.copy_from_slice(&lane(random)[..chunk.len()]);
    }
}

/// Eight bytes or four words, each at a boundary of saturating arithmetic.
fn packed_integers(random: &mut Random) -> u64 {
    let bytes = random.one_in(2);
    let mut packed = 0;
    for lane in 0..8 {
        let value = if bytes {
            random.choose(&[0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x55])
        } else if lane % 2 == 1 {
            random.choose(&[0x00, 0x7f, 0x80, 0xff])
        } else {
            random.choose(&[0x00, 0x01, 0xff])
        };
        packed |= value << (8 * lane);
    }
    packed
}

/// A packed decimal number of up to 18 digits.
fn decimal(random: &mut Random) -> [u8; 10] {
    let mut bytes = [0; 10];
    let digits = 1 + random.below(9);
    for byte in &mut bytes[..digits] {
        *byte = (random.below(10) << 4 | random.below(10)) as u8;
    }
    bytes[9] = random.choose(&[0, 0x80]);
    bytes
}

fn floating_image(row: &Row, random: &mut Random) -> [u8; FLOATING_SIZE] {
    let mut image = [0; FLOATING_SIZE];
    let control = control_word(random);
    image[0..2].copy_from_slice(&control.to_le_bytes());
    image[2..4].copy_from_slice(&status_word(control, random).to_le_bytes());
    image[4] = tags(random, image[3] >> 3 & 7);
    image[24..28].copy_from_slice(&mxcsr(random).to_le_bytes());
    let x87 = row.unit == Unit::X87;
    for register in image[ST_AT..XMM_AT].chunks_exact_mut(16) {
        if x87 {
            register[..10].copy_from_slice(&random.extended());
        } else {
            fill(&mut register[..8], row.fill, random);
            register[8..10].copy_from_slice(&random.choose(&[0xffff_u16, 0x3fff, 0]).to_le_bytes());
        }
    }
    if !x87 {
        for register in image[XMM_AT..].chunks_exact_mut(16) {
            fill(register, row.fill, random);
        }
    }
    image
}

/// All rounding and precision controls, all exceptions masked.
fn control_word(random: &mut Random) -> u16 {
    let rounding = random.below(4) as u16;
    let precision = random.choose(&[0, 2, 3, 3]);
    0x7f | precision << 8 | rounding << 10
}

/// Any top of stack and condition codes, sometimes with exceptions recorded.
fn status_word(control: u16, random: &mut Random) -> u16 {
    let uniform = random.bits() as u16;
    let exceptions = if random.one_in(4) { uniform & control & 0x3f } else { 0 };
    let stack_fault = if exceptions & 1 != 0 { uniform & 0x40 } else { 0 };
    uniform & 0x7f00 | exceptions | stack_fault
}

/// The abridged tag byte: bit set for a register in use. Full, random, or a stack of some depth.
fn tags(random: &mut Random, top: u8) -> u8 {
    match random.below(4) {
        0 | 1 => 0xff,
        2 => random.bits() as u8,
        _ => {
            let depth = random.below(9) as u32;
            let stack = ((1_u16 << depth) - 1) as u8;
            stack.rotate_left(u32::from(top))
        }
    }
}

/// All rounding controls, flush-to-zero and denormals-are-zero, all exceptions masked.
fn mxcsr(random: &mut Random) -> u32 {
    let uniform = random.bits() as u32;
    let exceptions = if random.one_in(4) { uniform & 0x3f } else { 0 };
    let rounding = uniform & 3 << 13;
    let flush = if random.one_in(4) { 1 << 15 } else { 0 };
    let denormals_zero = if random.one_in(4) { 1 << 6 } else { 0 };
    0x1f80 | exceptions | rounding | flush | denormals_zero
}
