//! What an expression yields, and where it reads.

use steam_image::TypeId;

/// The memory and the registers against which expressions are evaluated.
pub trait Memory {
    /// Reads bytes; false where the program could not read all of them.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool;

    /// Returns a register of the frame in question, by DWARF's number: eax ecx edx ebx esp ebp esi
    /// edi from 0 on, eip is 8, and [`THREAD_BASE`](steam_image::THREAD_BASE) is where gs points.
    fn register(&self, number: u8) -> Option<u32>;
}

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An integer, a character, a truth value or a constant of an enumeration.
    Integer {
        /// Its type.
        type_id: TypeId,
        /// The number itself.
        value: i128,
    },
    /// A floating-point number.
    Float {
        /// Its type.
        type_id: TypeId,
        /// The number itself.
        value: f64,
    },
    /// A pointer.
    Pointer {
        /// Its type, which is that of a pointer.
        type_id: TypeId,
        /// Where it points to.
        address: u32,
    },
    /// A struct, a union, a class or an array.
    Aggregate {
        /// Its type.
        type_id: TypeId,
        /// Where it lies, if it lies in memory.
        address: Option<u32>,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// There is none: the program could not read at this address.
    Unreadable(u32),
    /// There is none, for this reason.
    Undefined(&'static str),
}

impl Value {
    /// Says whether the value is true in C: a number or an address that is not zero. None for
    /// structs, arrays and where there is no value.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Integer { value, .. } => Some(*value != 0),
            Value::Float { value, .. } => Some(*value != 0.0),
            Value::Pointer { address, .. } => Some(*address != 0),
            _ => None,
        }
    }
}
