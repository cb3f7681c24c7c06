//! Where a variable is: DWARF's location expressions become one of a few simple forms.
//!
//! Compilers write few kinds of expressions for variables. What is not among them becomes
//! [`Place::Unsupported`], never a wrong place.

use gimli::{AttributeValue, Expression, Operation};

use crate::debug::Reader;

/// The number of gs.base among DWARF's registers of i386: where a thread's own variables lie.
pub const THREAD_BASE: u8 = 94;
/// Operations that an expression may have.
const LONGEST: usize = 1000;
/// Numbers that may wait on an expression's stack.
const DEEPEST: usize = 16;

/// Where the value of a variable is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In memory.
    Memory(Address),
    /// In a register, by DWARF's number.
    Register(u8),
    /// Nowhere: it is this address itself, taken as a number of 32 bits.
    Value(Address),
    /// Nowhere: these are its bytes.
    Bytes(Vec<u8>),
    /// In parts, each with its size in bytes.
    Pieces(Vec<(Place, u32)>),
    /// The compiler left it out, at least at the instruction in question.
    OptimisedAway,
    /// The compiler describes it in a way that is not understood; the text names it.
    Unsupported(&'static str),
}

/// An address that may depend on registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// Always the same.
    Fixed(u32),
    /// A register and an offset, modulo 2^32.
    Register {
        /// DWARF's number of the register.
        register: u8,
        /// What is added.
        offset: u32,
    },
    /// What lies in memory at a register and an offset, and another offset.
    Loaded {
        /// DWARF's number of the register.
        register: u8,
        /// What is added to the register.
        offset: u32,
        /// What is added to the word in memory.
        then: u32,
    },
}

/// What the address of a variable depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The value of a register, by DWARF's number.
    Register(u8),
    /// The four bytes at an address.
    Word(u32),
}

impl Address {
    /// Returns the address itself; `give` says what it depends on.
    pub fn resolve<E>(self, give: &mut dyn FnMut(Wanted) -> Result<u32, E>) -> Result<u32, E> {
        match self {
            Address::Fixed(address) => Ok(address),
            Address::Register { register, offset } => {
                Ok(give(Wanted::Register(register))?.wrapping_add(offset))
            }
            Address::Loaded { register, offset, then } => {
                let from = give(Wanted::Register(register))?.wrapping_add(offset);
                Ok(give(Wanted::Word(from))?.wrapping_add(then))
            }
        }
    }

    /// Returns the address that lies `more` bytes further, modulo 2^32.
    pub fn plus(self, more: u32) -> Address {
        match self {
            Address::Fixed(address) => Address::Fixed(address.wrapping_add(more)),
            Address::Register { register, offset } => {
                Address::Register { register, offset: offset.wrapping_add(more) }
            }
            Address::Loaded { register, offset, then } => {
                Address::Loaded { register, offset, then: then.wrapping_add(more) }
            }
        }
    }
}

/// What a location expression may ask for.
pub(crate) struct Surroundings<'a> {
    /// How numbers are written in the unit.
    pub encoding: gimli::Encoding,
    /// What is added to the addresses of the file.
    pub base: u32,
    /// From an index to an address of the file.
    pub indexed: &'a dyn Fn(gimli::DebugAddrIndex) -> Option<u64>,
    /// The size of the block of a thread's own variables, up to the address of its end.
    pub thread_block: u32,
    /// The function's frame base.
    pub frame_base: Option<Address>,
    /// The address that the caller's stack pointer has after the return.
    pub frame_address: Option<Address>,
}

/// A number on the expression's stack.
#[derive(Clone, Copy)]
enum Term {
    Constant(i64),
    Address(Address),
}

impl Term {
    fn address(self) -> Address {
        match self {
            Term::Constant(value) => Address::Fixed(value as u32),
            Term::Address(address) => address,
        }
    }

    fn value(self) -> Place {
        match self {
            Term::Constant(value) => Place::Bytes(value.to_le_bytes().to_vec()),
            Term::Address(address) => Place::Value(address),
        }
    }

    fn sum(self, other: Term) -> Option<Term> {
        Some(match (self, other) {
            (Term::Constant(one), Term::Constant(two)) => Term::Constant(one.wrapping_add(two)),
            (Term::Address(address), Term::Constant(more))
            | (Term::Constant(more), Term::Address(address)) => {
                Term::Address(address.plus(more as u32))
            }
            (Term::Address(Address::Fixed(one)), Term::Address(two))
            | (Term::Address(two), Term::Address(Address::Fixed(one))) => {
                Term::Address(two.plus(one))
            }
            _ => return None,
        })
    }
}

/// What an expression has done so far.
#[derive(Default)]
struct Machine {
    stack: Vec<Term>,
    /// A place that is no address on the stack.
    special: Option<Place>,
    pieces: Vec<(Place, u32)>,
}

/// Says where a variable is, by its location expression.
pub(crate) fn place(expression: &Expression<Reader>, around: &Surroundings<'_>) -> Place {
    let mut machine = Machine::default();
    let mut operations = expression.clone().operations(around.encoding);
    for _ in 0..LONGEST {
        let operation = match operations.next() {
            Ok(Some(operation)) => operation,
            Ok(None) => return machine.end(),
            Err(_) => return Place::Unsupported("a damaged location"),
        };
        if let Err(what) = machine.perform(&operation, around) {
            return match what {
                // The value at the function's entry is not kept anywhere.
                "an entry value" => Place::OptimisedAway,
                what => Place::Unsupported(what),
            };
        }
    }
    Place::Unsupported("a long computation")
}

/// Says which address an expression computes, where it is a simple one.
pub(crate) fn address(
    expression: &Expression<Reader>,
    around: &Surroundings<'_>,
) -> Option<Address> {
    match place(expression, around) {
        Place::Memory(address) => Some(address),
        Place::Register(register) => Some(Address::Register { register, offset: 0 }),
        _ => None,
    }
}

/// Says which address an expression of call frame information computes, where it is a simple one.
pub(crate) fn frame_address(
    expression: &Expression<Reader>,
    encoding: gimli::Encoding,
) -> Option<Address> {
    let around = Surroundings {
        encoding,
        base: 0,
        indexed: &|_| None,
        thread_block: 0,
        frame_base: None,
        frame_address: None,
    };
    match place(expression, &around) {
        Place::Memory(address) => Some(address),
        _ => None,
    }
}

/// The value of a constant that has no place.
pub(super) fn constant(value: &AttributeValue<Reader>) -> Option<Place> {
    let bytes = match value {
        AttributeValue::Block(data) => data.bytes().to_vec(),
        value => integer(value)?.to_le_bytes().to_vec(),
    };
    Some(Place::Bytes(bytes))
}

/// Returns a constant; forms of a fixed size have no sign, as gcc and clang use them.
pub(super) fn integer(value: &AttributeValue<Reader>) -> Option<i64> {
    value.udata_value().map(|value| value as i64).or_else(|| value.sdata_value())
}

impl Machine {
    fn perform(
        &mut self,
        operation: &Operation<Reader>,
        around: &Surroundings<'_>,
    ) -> Result<(), &'static str> {
        let term = match operation {
            Operation::Address { address } => fixed(*address, around),
            Operation::AddressIndex { index } => {
                let address =
                    (around.indexed)(*index).ok_or("an address that is not in the file")?;
                fixed(address, around)
            }
            Operation::ConstantIndex { index } => {
                // As an offset of a thread's own variable: no base is added.
                let value = (around.indexed)(*index).ok_or("an address that is not in the file")?;
                Term::Constant(value as i64)
            }
            Operation::UnsignedConstant { value } => Term::Constant(*value as i64),
            Operation::SignedConstant { value } => Term::Constant(*value),
            Operation::RegisterOffset { register, offset, .. } => {
                Term::Address(Address::Register {
                    register: number(*register)?,
                    offset: *offset as u32,
                })
            }
            Operation::FrameOffset { offset } => {
                let frame = around.frame_base.ok_or("an unknown stack frame")?;
                Term::Address(frame.plus(*offset as u32))
            }
            Operation::CallFrameCFA => {
                Term::Address(around.frame_address.ok_or("an unknown stack frame")?)
            }
            Operation::PlusConstant { value } => {
                let last = self.pop()?;
                last.sum(Term::Constant(*value as i64)).ok_or("a computation")?
            }
            Operation::Plus => {
                let (second, first) = (self.pop()?, self.pop()?);
                first.sum(second).ok_or("a computation")?
            }
            Operation::Minus => match (self.pop()?, self.pop()?) {
                (Term::Constant(less), first) => {
                    first.sum(Term::Constant(less.wrapping_neg())).ok_or("a computation")?
                }
                _ => return Err("a computation"),
            },
            Operation::Deref { size: 4, space: false, .. } => match self.pop()?.address() {
                Address::Register { register, offset } => {
                    Term::Address(Address::Loaded { register, offset, then: 0 })
                }
                _ => return Err("a place behind several pointers"),
            },
            Operation::TLS => {
                let Term::Constant(offset) = self.pop()? else { return Err("a computation") };
                let offset = (offset as u32).wrapping_sub(around.thread_block);
                Term::Address(Address::Register { register: THREAD_BASE, offset })
            }
            Operation::Nop => return Ok(()),
            other => return self.conclude(other),
        };
        if self.stack.len() == DEEPEST {
            return Err("a long computation");
        }
        self.stack.push(term);
        Ok(())
    }

    /// Performs those operations that say what kind of place it is.
    fn conclude(&mut self, operation: &Operation<Reader>) -> Result<(), &'static str> {
        self.special = Some(match operation {
            Operation::Register { register } => Place::Register(number(*register)?),
            Operation::StackValue => self.pop()?.value(),
            Operation::ImplicitValue { data } => Place::Bytes(data.bytes().to_vec()),
            Operation::Piece { size_in_bits, bit_offset: None | Some(0) }
                if size_in_bits % 8 == 0 =>
            {
                let size = u32::try_from(size_in_bits / 8).map_err(|_| "a damaged location")?;
                let part = self.finish_part().unwrap_or(Place::OptimisedAway);
                self.pieces.push((part, size));
                return Ok(());
            }
            Operation::EntryValue { .. } => return Err("an entry value"),
            Operation::ImplicitPointer { .. } => return Err("an optimised pointer"),
            _ => return Err("a computation"),
        });
        Ok(())
    }

    fn pop(&mut self) -> Result<Term, &'static str> {
        self.stack.pop().ok_or("a damaged location")
    }

    fn finish_part(&mut self) -> Option<Place> {
        let address = self.stack.pop().map(|term| Place::Memory(term.address()));
        self.special.take().or(address)
    }

    fn end(mut self) -> Place {
        match self.finish_part() {
            Some(place) if self.pieces.is_empty() => place,
            Some(_) => Place::Unsupported("a damaged location"),
            None if self.pieces.is_empty() => Place::OptimisedAway,
            None => Place::Pieces(self.pieces),
        }
    }
}

fn fixed(address: u64, around: &Surroundings<'_>) -> Term {
    Term::Address(Address::Fixed((address as u32).wrapping_add(around.base)))
}

fn number(register: gimli::Register) -> Result<u8, &'static str> {
    u8::try_from(register.0).map_err(|_| "an unknown register")
}
