//! The text comparisons of SSE4.2: `pcmpistri`, `pcmpistrm`, `pcmpestri` and `pcmpestrm`.

use super::Operand;
use super::lanes;
use super::machine::Machine;
use crate::flags;
use crate::fp_env::FpEnv;

/// How the ends of both operands are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// At the first zero.
    Implicit,
    /// After as many elements as `eax` and `edx` say.
    Explicit,
}

/// What the comparison leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// A place in `ecx`.
    Index,
    /// A mask in `xmm0`.
    Mask,
}

/// One operand: its elements as signed or unsigned numbers, and how many of them count.
struct Text {
    elements: Vec<i32>,
    length: usize,
}

impl Text {
    fn new(value: u128, format: u8) -> Text {
        let elements: Vec<i32> = match format & 3 {
            0 => value.to_le_bytes().map(i32::from).to_vec(),
            1 => lanes::split16(value).map(i32::from).to_vec(),
            2 => value.to_le_bytes().map(|byte| i32::from(byte as i8)).to_vec(),
            _ => lanes::split16(value).map(|word| i32::from(word as i16)).to_vec(),
        };
        let length = elements.len();
        Text { elements, length }
    }

    fn until_zero(self) -> Text {
        let zero = self.elements.iter().position(|&element| element == 0);
        Text { length: zero.unwrap_or(self.length), ..self }
    }

    fn of_length(self, length: u32) -> Text {
        let length = (length as i32).unsigned_abs().min(self.length as u32) as usize;
        Text { length, ..self }
    }

    fn is_full(&self) -> bool {
        self.length == self.elements.len()
    }
}

/// The result for each element of `b`, as bits: the four aggregations of the immediate.
fn aggregate(a: &Text, b: &Text, kind: u8) -> u32 {
    let count = b.elements.len();
    let holds = |j: usize| match kind {
        // Equal to any element of `a`.
        0 => j < b.length && a.elements[..a.length].contains(&b.elements[j]),
        // In one of the ranges of `a`.
        1 => {
            j < b.length
                && a.elements[..a.length]
                    .chunks_exact(2)
                    .any(|range| (range[0]..=range[1]).contains(&b.elements[j]))
        }
        // Equal to the element at the same place; beyond both ends all are equal.
        2 => match (j < a.length, j < b.length) {
            (true, true) => a.elements[j] == b.elements[j],
            (false, false) => true,
            _ => false,
        },
        // `a` begins here, as far as the register shows.
        _ => (0..a.length)
            .take(count - j)
            .all(|i| j + i < b.length && a.elements[i] == b.elements[j + i]),
    };
    (0..count).fold(0, |mask, j| mask | u32::from(holds(j)) << j)
}

/// Negates the result where the immediate says so: wholly, or only for elements that count.
fn polarise(result: u32, b: &Text, kind: u8) -> u32 {
    let all = u32::MAX >> (32 - b.elements.len());
    match kind {
        1 => !result & all,
        3 => result ^ (u32::MAX.checked_shr(32 - b.length as u32).unwrap_or(0)),
        _ => result,
    }
}

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn compare_texts(&mut self, ends: Ends, answer: Answer) -> Result<(), E::Trap> {
        const EAX: u8 = 0;
        const EDX: u8 = 2;
        let source = match self.src {
            Operand::Memory => u128::from_le_bytes(self.env.load(self.addr)?),
            operand => self.register(operand),
        };
        let (a, b) = (Text::new(self.register(self.dst), self.imm8), Text::new(source, self.imm8));
        let (a, b) = match ends {
            Ends::Implicit => (a.until_zero(), b.until_zero()),
            Ends::Explicit => (a.of_length(self.env.gpr(EAX)), b.of_length(self.env.gpr(EDX))),
        };
        let result = polarise(aggregate(&a, &b, self.imm8 >> 2 & 3), &b, self.imm8 >> 4 & 3);
        let bit = |holds: bool, flag: u32| if holds { flag } else { 0 };
        self.env.set_flags(
            bit(result != 0, flags::CF)
                | bit(!b.is_full(), flags::ZF)
                | bit(!a.is_full(), flags::SF)
                | bit(result & 1 != 0, flags::OF),
        );
        match answer {
            Answer::Index => self.leave_index(result, b.elements.len() as u32),
            Answer::Mask => self.leave_mask(result, b.elements.len()),
        }
        Ok(())
    }

    /// The first place, or the last one where the immediate says so; `count` if there is none.
    fn leave_index(&mut self, result: u32, count: u32) {
        const ECX: u8 = 1;
        let last = self.imm8 & 0x40 != 0;
        let index = match result {
            0 => count,
            _ if last => result.ilog2(),
            _ => result.trailing_zeros(),
        };
        self.env.set_gpr(ECX, index);
    }

    /// The bits as they are, or spread over the elements where the immediate says so.
    fn leave_mask(&mut self, result: u32, count: usize) {
        let spread = self.imm8 & 0x40 != 0;
        let width = 128 / count;
        let ones = u128::MAX >> (128 - width);
        let element = |i: usize| if result >> i & 1 != 0 { ones << (i * width) } else { 0 };
        let mask = (0..count).fold(0, |mask, i| mask | element(i));
        self.set_xmm(0, if spread { mask } else { u128::from(result) });
    }
}
