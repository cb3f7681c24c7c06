//! What is known of a word while code is followed without being run: a number, an address in the
//! stack frame, or a pointer into an object of a known type.
//!
//! Each is a base and an offset; the offset is exact, or known but for a multiple of a step. Joining
//! two of them keeps what both have in common, so that following a loop comes to an end.

use steam_image::{TypeId, Types};

/// What an offset counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// Nothing is known, not even that it is a number.
    Unknown,
    /// Zero: it is a number.
    Zero,
    /// The stack frame: the stack pointer before the call.
    Frame,
    /// The stack pointer where the function has aligned it.
    Aligned,
    /// What a word of the frame held when it was loaded, and still holds: whether that counts from
    /// the aligned stack pointer, and the word's offset.
    Word(bool, i32),
    /// What the instruction at this address got or copied, of which nothing else is known: all copies of it
    /// are the same. Below the function's entry: what a register held there.
    Opaque(u32),
    /// An entry of the table at this address, which cannot be written: it says where to jump.
    Table(u32),
    /// The start of an object of this type, which may be an element of an array, unless the source
    /// says that there is one only: `this`, and references.
    Object(TypeId, Count),
}

/// Whether objects of the same type may lie behind each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    Any,
}

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    pub base: Base,
    pub add: i32,
    /// Zero where the offset is exact.
    pub step: u32,
}

impl Value {
    pub const UNKNOWN: Value = Value { base: Base::Unknown, add: 0, step: 0 };
    /// Some number.
    pub const ANY: Value = Value { base: Base::Zero, add: 0, step: 1 };

    pub fn number(value: u32) -> Value {
        Value { base: Base::Zero, add: value as i32, step: 0 }
    }

    pub fn frame(at: i32) -> Value {
        Value { base: Base::Frame, add: at, step: 0 }
    }

    pub fn object(target: TypeId, count: Count) -> Value {
        Value { base: Base::Object(target, count), add: 0, step: 0 }
    }

    /// The value, if it is an exact number.
    pub fn exact_number(self) -> Option<u32> {
        (self.base == Base::Zero && self.step == 0).then_some(self.add as u32)
    }

    /// Whether it is an exact address in the stack frame.
    pub fn is_exact_frame(self) -> bool {
        matches!(self.base, Base::Frame | Base::Aligned) && self.step == 0
    }

    /// What is loaded from a word of the frame of which nothing is known.
    pub fn word(address: Value) -> Value {
        let base = Base::Word(address.base == Base::Aligned, address.add);
        Value { base, add: 0, step: 0 }
    }

    /// Whether nothing is known of its meaning.
    pub fn is_open(self) -> bool {
        matches!(self.base, Base::Unknown | Base::Word(..) | Base::Opaque(_))
    }

    /// Whether it is not known where it comes from, or only which instruction had it last.
    pub fn is_nameless(self) -> bool {
        matches!(self.base, Base::Unknown | Base::Opaque(_))
    }

    /// What the instruction at an address has got.
    pub fn opaque(at: u32) -> Value {
        Value { base: Base::Opaque(at), add: 0, step: 0 }
    }

    pub fn offset(self, more: i32) -> Value {
        match self.base {
            Base::Unknown => self,
            _ => Value { add: self.add.wrapping_add(more), ..self },
        }
    }

    pub fn times(self, factor: u32) -> Value {
        match self.base {
            _ if factor == 1 => self,
            Base::Zero => Value {
                add: self.add.wrapping_mul(factor as i32),
                step: self.step.saturating_mul(factor),
                ..self
            },
            _ => Value { base: Base::Zero, add: 0, step: factor },
        }
    }

    pub fn plus(self, other: Value, types: &Types) -> Value {
        let (pointer, number) = match (self.base, other.base) {
            (_, Base::Zero) => (self, other),
            (Base::Zero, _) => (other, self),
            _ if self.is_open() && other.is_open() => return Value::UNKNOWN,
            // Beside a pointer, what is not known is an index.
            _ if self.is_open() => (other, Value::ANY),
            _ if other.is_open() => (self, Value::ANY),
            _ => return Value::UNKNOWN,
        };
        if pointer.base == Base::Unknown {
            return Value::UNKNOWN;
        }
        let add = pointer.add.wrapping_add(number.add);
        Value { add, step: gcd(pointer.step, number.step), ..pointer }.normal(types)
    }

    /// What both have in common.
    pub fn join(self, other: Value, types: &Types) -> Value {
        if self == other {
            return self;
        }
        if self.base != other.base || self.base == Base::Unknown {
            return Value::UNKNOWN;
        }
        let step = gcd(gcd(self.step, other.step), self.add.abs_diff(other.add));
        let add = self.add.min(other.add);
        Value { base: self.base, add, step }.normal(types)
    }

    /// From one element of an array to another is no distance.
    fn normal(self, types: &Types) -> Value {
        let Base::Object(target, _) = self.base else { return self };
        match types.size(target) {
            Some(size) if size > 0 && self.step.is_multiple_of(size) => Value { step: 0, ..self },
            _ => self,
        }
    }
}

fn gcd(one: u32, two: u32) -> u32 {
    let (mut one, mut two) = (one, two);
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_leaves_the_remainder() {
        // ecx = i + 5; address = frame - 40 + 4 * ecx
        let types = image_types();
        let index = Value::ANY.offset(5).times(4);
        assert_eq!((index.add, index.step), (20, 4));
        let address = Value::frame(-40).plus(index, &types);
        assert_eq!((address.base, address.add, address.step), (Base::Frame, -20, 4));
        assert_eq!(address, index.plus(Value::frame(-40), &types));
    }

    #[test]
    fn elements_of_an_array_are_alike() {
        let types = image_types();
        let pointer = Value::object(Types::INT, Count::Any);
        assert_eq!(pointer.plus(Value::ANY.times(4), &types), pointer);
        assert_eq!(pointer.join(pointer.offset(4), &types), pointer);
        assert_eq!(pointer.join(pointer.offset(2), &types).step, 2);
        assert_eq!(pointer.join(Value::number(0), &types), Value::UNKNOWN);
    }

    /// The types that every program knows.
    fn image_types() -> Types {
        Types::default()
    }
}
