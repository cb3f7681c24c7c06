//! What is known before an instruction: the values of registers, and of words in the stack frame.

use std::collections::BTreeMap;

use steam_image::Types;

use crate::value::{Base, Value};

pub(crate) const EAX: usize = 0;
pub(crate) const ESP: usize = 4;
pub(crate) const EBP: usize = 5;
/// The registers that a call may change.
const CALL_CHANGES: [usize; 3] = [EAX, 1, 2];

/// Registers and words of the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub registers: [Value; 8],
    /// By whether they count from the aligned stack pointer, and the offset.
    words: BTreeMap<(bool, i32), Value>,
}

impl State {
    /// Nothing is known.
    pub fn unknown() -> State {
        State { registers: [Value::UNKNOWN; 8], words: BTreeMap::new() }
    }

    /// The word at an exact address in the frame.
    pub fn word(&self, address: Value) -> Value {
        let key = (address.base == Base::Aligned, address.add);
        self.words.get(&key).copied().unwrap_or(Value::word(address))
    }

    /// The word at an exact address turns out to have a known value: so have its copies.
    pub fn learn(&mut self, address: Value, value: Value) {
        let word = Value::word(address).base;
        for own in self.registers.iter_mut().chain(self.words.values_mut()) {
            if own.base == word {
                *own = Value { step: own.step, ..value.offset(own.add) };
            }
        }
    }

    /// Writes `size` bytes at an exact address in the frame.
    pub fn write(&mut self, address: Value, size: u32, value: Value) {
        let aligned = address.base == Base::Aligned;
        let (from, to) = (address.add.saturating_sub(3), address.add.saturating_add(size as i32));
        let hit: Vec<_> =
            self.words.range((aligned, from)..(aligned, to)).map(|(key, _)| *key).collect();
        for key in hit {
            self.words.remove(&key);
        }
        self.forget_copies(|(base, at)| base == aligned && (from..to).contains(&at));
        let itself = value.base == Value::word(address).base;
        if size == 4 && value.base != Base::Unknown && !itself {
            self.words.insert((aligned, address.add), value);
        }
    }

    /// Something was written to the frame, and it is not known where.
    pub fn forget_frame(&mut self) {
        self.words.clear();
        self.forget_copies(|_| true);
    }

    fn forget_copies(&mut self, changed: impl Fn((bool, i32)) -> bool) {
        for own in self.registers.iter_mut().chain(self.words.values_mut()) {
            if matches!(own.base, Base::Word(aligned, at) if changed((aligned, at))) {
                *own = Value::UNKNOWN;
            }
        }
    }

    /// A function was called that may have changed the words at some addresses.
    pub fn call(&mut self, exposed: impl Fn((bool, i32)) -> bool) {
        for register in CALL_CHANGES {
            self.registers[register] = Value::UNKNOWN;
        }
        self.words.retain(|key, _| !exposed(*key));
        self.forget_copies(exposed);
    }

    /// Keeps what both have in common.
    pub fn join(&mut self, other: &State, types: &Types) {
        for (own, other) in self.registers.iter_mut().zip(other.registers) {
            *own = own.join(other, types);
        }
        self.words.retain(|key, own| {
            let joined = other.words.get(key).map(|other| own.join(*other, types));
            *own = joined.unwrap_or(Value::UNKNOWN);
            own.base != Base::Unknown
        });
    }
}
