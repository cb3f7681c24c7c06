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
        self.learn_base(Value::word(address).base, value);
    }

    /// What has a base of which nothing was known turns out to be known.
    pub fn learn_base(&mut self, base: Base, value: Value) {
        for own in self.registers.iter_mut().chain(self.words.values_mut()) {
            if own.base == base {
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

    /// The instruction at an address gets something new, in a loop: what it has got before is no longer that.
    pub fn renew(&mut self, at: u32) -> Value {
        let old = Base::Opaque(at);
        for own in self.registers.iter_mut().filter(|own| own.base == old) {
            *own = Value::UNKNOWN;
        }
        self.words.retain(|_, own| own.base != old);
        Value::opaque(at)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_value_are_known_together_until_it_is_made_anew() {
        let (object, at) = (Value::number(0x100), 0x8048);
        let mut state = State::unknown();
        let got = state.renew(at);
        state.registers[EAX] = got;
        state.registers[1] = got.offset(8);
        state.registers[2] = Value::opaque(at + 1);
        state.write(Value::frame(-8), 4, got);
        let mut learned = state.clone();
        learned.learn_base(got.base, object);
        assert_eq!(learned.registers[EAX], object);
        assert_eq!(learned.registers[1], object.offset(8));
        assert_eq!(learned.registers[2], Value::opaque(at + 1), "another value");
        assert_eq!(learned.word(Value::frame(-8)), object);
        // In the next round of a loop the same instruction gets something else.
        state.renew(at);
        assert_eq!(state.registers[EAX], Value::UNKNOWN);
        assert_eq!(state.registers[1], Value::UNKNOWN);
        assert!(state.word(Value::frame(-8)).base != got.base);
    }
}
