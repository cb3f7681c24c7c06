//! One row of an instruction table: the template, the operands it wants, what it leaves undefined.

use super::case::{Case, Undefined};
use super::random::Random;
use super::template::{Encoding, Limits, Template};

/// What the vector registers and the memory operand are filled with.
#[derive(Clone, Copy, PartialEq)]
pub enum Fill {
    /// Integers of all widths.
    Integer,
    /// Single-precision numbers.
    Single,
    /// Double-precision numbers.
    Double,
    /// Extended-precision numbers.
    Extended,
    /// Packed decimal numbers of 18 digits.
    Decimal,
    /// Any of integers, single and double precision, anew for each register.
    Mixed,
}

/// Which registers beside the general ones an instruction reads and writes.
#[derive(Clone, Copy, PartialEq)]
pub enum Unit {
    /// None.
    Integer,
    /// The x87 stack.
    X87,
    /// The MMX or SSE registers; the image holds x87 state too.
    Vector,
}

/// Says which flags (and so on) an instruction leaves undefined in a case.
pub type UndefinedRule = fn(&Case, &Encoding) -> Undefined;
/// Adapts a random encoding, say an immediate that must be in a range.
pub type Adaptation = fn(&mut Encoding, &mut Random);
/// Adapts a random state to what an instruction needs.
pub type Preparation = fn(&mut Case, &Encoding, &mut Random);

/// A row of an instruction table.
pub struct Row {
    /// What reports call it.
    pub name: String,
    /// How it is encoded.
    pub template: Template,
    /// What the encoder and the address choice respect.
    pub limits: Limits,
    /// What operands are filled with.
    pub fill: Fill,
    /// Which registers it uses.
    pub unit: Unit,
    /// Whether the memory window is used though no operand names it (stack, strings).
    pub implicit_memory: bool,
    /// What it leaves undefined.
    pub undefined: UndefinedRule,
    /// How the encoding is adapted.
    pub adapt: Adaptation,
    /// How the state is adapted, as the last thing.
    pub prepare: Preparation,
}

impl Row {
    /// Returns a row for an integer instruction with memory operands of up to 4 bytes.
    pub fn new(name: &str, template: &str) -> Self {
        Self {
            name: format!("{name} [{template}]"),
            template: Template::parse(template),
            limits: Limits { reserved: 0, reserve_field: false, bytes: 4, alignment: 1 },
            fill: Fill::Integer,
            unit: Unit::Integer,
            implicit_memory: false,
            undefined: |_, _| Undefined::default(),
            adapt: |_, _| {},
            prepare: |_, _, _| {},
        }
    }

    /// Sets the size of the memory operand.
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.limits.bytes = bytes;
        self
    }

    /// Makes the memory operand 16 bytes that are aligned but for a few cases, which must fault.
    pub fn aligned(mut self) -> Self {
        self.limits.bytes = 16;
        self.limits.alignment = 16;
        self
    }

    /// Keeps these registers (by bit) out of addresses.
    pub fn reserve(mut self, registers: u8) -> Self {
        self.limits.reserved = registers;
        self
    }

    /// Keeps the register of the ModRM register field out of addresses.
    pub fn reserve_field(mut self) -> Self {
        self.limits.reserve_field = true;
        self
    }

    /// Makes it an x87 instruction whose memory operand is filled as told.
    pub fn x87(mut self, bytes: usize, fill: Fill) -> Self {
        self.unit = Unit::X87;
        self.fill = fill;
        self.bytes(bytes)
    }

    /// Makes it an MMX or SSE instruction whose operands are filled as told.
    pub fn vector(mut self, bytes: usize, fill: Fill) -> Self {
        self.unit = Unit::Vector;
        self.fill = fill;
        self.bytes(bytes)
    }

    /// Declares use of the memory window without an operand that names it.
    pub fn implicit_memory(mut self) -> Self {
        self.implicit_memory = true;
        self
    }

    /// Sets what is undefined afterwards.
    pub fn undefined(mut self, rule: UndefinedRule) -> Self {
        self.undefined = rule;
        self
    }

    /// Sets how encodings are adapted.
    pub fn adapt(mut self, adaptation: Adaptation) -> Self {
        self.adapt = adaptation;
        self
    }

    /// Returns a random encoding.
    pub fn encode(&self, random: &mut Random) -> Encoding {
        let mut encoding = self.template.encode(self.limits, random);
        (self.adapt)(&mut encoding, random);
        encoding
    }

    /// Sets how states are adapted.
    pub fn prepare(mut self, preparation: Preparation) -> Self {
        self.prepare = preparation;
        self
    }
}
