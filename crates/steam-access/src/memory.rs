//! Memory while code is followed: addresses of operands, words of the frame, and what the types of
//! variables and members say of a word that is loaded.

use steam_image::{Address, Image, Place, Placed};
use vm_isa::{Op, Segment};

use crate::parts::Part;
use crate::state::State;
use crate::transfer::Following;
use crate::value::{Base, Count, Value};

/// So many entries of a table of jumps are read.
const LONGEST_TABLE: u32 = 4096;

impl Following<'_> {
    /// The address of the memory operand.
    pub fn address(&self, state: &State, op: &Op) -> Value {
        let types = self.context.parts.types;
        let register = |number: u8| state.registers.get(usize::from(number)).copied();
        let base = register(op.base).unwrap_or(Value::number(0));
        let address = match register(op.index) {
            // The same register twice: one multiple.
            Some(index) if op.base == op.index => index.times(1 + (1 << op.scale())),
            Some(index) => base.plus(index.times(1 << op.scale()), types),
            None => base,
        };
        address.offset(op.disp as i32)
    }

    /// Writes `size` bytes to the memory operand.
    pub fn store(&mut self, state: &mut State, op: &Op, size: u32, value: Value) {
        let address = self.address(state, op);
        if op.segment() != Segment::Flat {
            return;
        }
        match address.base {
            _ if address.is_exact_frame() => state.write(address, size, value),
            Base::Frame | Base::Aligned => state.forget_frame(),
            _ => {}
        }
    }

    /// The address of a variable of the frame goes where it cannot be followed.
    pub fn expose(&mut self, state: &State, address: Value) {
        let aligned = address.base == Base::Aligned;
        let (from, to) = match self.variable_at_any_time(state, address) {
            Some((start, size)) => (start, start.saturating_add(size as i32)),
            None => (address.add, address.add.saturating_add(4)),
        };
        if !self.exposed.contains(&(aligned, from, to)) {
            self.exposed.push((aligned, from, to));
        }
    }

    fn variable_at_any_time(&self, state: &State, address: Value) -> Option<(i32, u32)> {
        self.scene.variables.iter().find_map(|variable| {
            let size = self.context.parts.types.size(variable.type_id)?;
            let covering = |(_, _, place): &(u32, u32, Place)| {
                let start = frame_place(state, place).filter(|it| it.base == address.base)?;
                let inside = start.add <= address.add
                    && i64::from(address.add) < i64::from(start.add) + i64::from(size);
                inside.then_some((start.add, size))
            };
            variable.places.iter().find_map(covering)
        })
    }

    /// The word that a load gets.
    pub fn load(&self, state: &State, op: &Op) -> Value {
        let address = self.address(state, op);
        if op.segment() != Segment::Flat {
            return Value::UNKNOWN;
        }
        let parts = self.context.parts;
        match address.base {
            Base::Frame | Base::Aligned => {
                let tracked = match address.step {
                    0 => state.word(address),
                    _ => Value::UNKNOWN,
                };
                self.variables_at(state, address).fold(tracked, |known, (variable, at)| {
                    let declared = parts.value(variable.type_id, at);
                    // What is atomic another thread may have written.
                    let known = match parts.at(variable.type_id, at, 1) {
                        Part::Atomic => Value::UNKNOWN,
                        _ => known,
                    };
                    self.context.refine(known, declared, count_of(variable))
                })
            }
            Base::Zero => {
                let within = self.context.objects.at(address.add as u32);
                match within.and_then(|it| parts.value(it.type_id(), it.at)) {
                    Some(found) => self.context.of_type(found, Count::Any),
                    None => self.constant(address),
                }
            }
            Base::Object(target, count) => {
                let own = u32::try_from(address.add).ok().and_then(|at| parts.value(target, at));
                let element = || {
                    let at = self.context.offset_in(target, count, address.add)?;
                    parts.value(target, at)
                };
                let found = own.or_else(element);
                found.map_or(Value::UNKNOWN, |found| self.context.of_type(found, Count::Any))
            }
            Base::Unknown | Base::Word(..) | Base::Opaque(_) | Base::Table(_) => Value::UNKNOWN,
        }
    }

    /// At the entry, parameters lie where debug information has them there, and stay until the
    /// function itself writes to their places. Optimising compilers soon lose track of that.
    pub fn learn_parameters(&self, state: &mut State) {
        let variables = self.scene.variables_at(self.at);
        for (variable, place) in variables.filter(|(variable, _)| variable.inlined.is_none()) {
            let Some(start) = frame_place(state, place) else { continue };
            let value = self.context.of_type(variable.type_id, count_of(variable));
            if matches!(value.base, Base::Object(..)) {
                state.write(start, 4, value);
            }
        }
    }

    /// Pointers among the frame's variables tell what copies of their words in registers are:
    /// debug information often has a variable in memory, where the code has a copy of it.
    pub fn learn_words(&self, state: &mut State) {
        if !state.registers.iter().any(|value| matches!(value.base, Base::Word(..))) {
            return;
        }
        for (variable, place) in self.scene.variables_at(self.at) {
            if let Some(start) = frame_place(state, place)
                && let value = self.context.of_type(variable.type_id, count_of(variable))
                && matches!(value.base, Base::Object(..))
            {
                state.learn(start, value);
            }
        }
    }

    /// A word that is read-only once the program runs: an entry of the table of addresses.
    fn constant(&self, address: Value) -> Value {
        let image = self.context.image;
        let at = address.add as u32;
        let fixed = image.segment_at(at).is_some_and(|segment| !segment.write);
        if fixed && address.step == 4 {
            return Value { base: Base::Table(at), add: 0, step: 0 };
        }
        let relocated = image.read_only_after_relocation;
        let relocated = relocated.is_some_and(|(start, end)| (start..end).contains(&at));
        if !relocated || address.step != 0 {
            return Value::UNKNOWN;
        }
        word(image, at).map_or(Value::UNKNOWN, |word| Value::number(word.wrapping_add(image.base)))
    }

    /// Where an indirect jump may go, if it is one by a table; the table ends where its entries
    /// are none of this function's instructions.
    pub fn targets(&self, state: &State, op: &Op, is_code: impl Fn(u32) -> bool) -> Vec<u32> {
        let value = self.operand(state, op, op.s);
        let Base::Table(table) = value.base else { return Vec::new() };
        let image = self.context.image;
        // Absolute entries of a program at any address are relocated when it starts.
        let base = if value.add == 0 { image.base } else { value.add as u32 };
        let entries =
            (0..LONGEST_TABLE).map_while(|index| word(image, table.wrapping_add(4 * index)));
        entries.map(|entry| entry.wrapping_add(base)).take_while(|&at| is_code(at)).collect()
    }

    /// The variables of the frame at an address at the instruction in question, with the
    /// offsets of the address in them.
    pub fn variables_at(
        &self,
        state: &State,
        address: Value,
    ) -> impl Iterator<Item = (&Placed, u32)> {
        self.scene.variables_at(self.at).filter_map(move |(variable, place)| {
            let start = frame_place(state, place).filter(|it| it.base == address.base)?;
            let size = self.context.parts.types.size(variable.type_id)?;
            let offset = u32::try_from(address.add.checked_sub(start.add)?).ok()?;
            (offset < size).then_some((variable, offset))
        })
    }
}

impl Following<'_> {
    /// The number of the variable in the frame that an address belongs to, and the offset there; none where
    /// several lie there in turn.
    pub fn only_variable_at(&self, state: &State, address: Value) -> Option<(usize, u32)> {
        if !matches!(address.base, Base::Frame | Base::Aligned) {
            return None;
        }
        let mut found = self.variables_at(state, address);
        let (variable, at) = found.next().filter(|_| found.next().is_none())?;
        let number = self.scene.variables.iter().position(|it| std::ptr::eq(it, variable))?;
        Some((number, at))
    }
}

/// A word of the file.
fn word(image: &Image, at: u32) -> Option<u32> {
    let segment = image.segment_at(at)?;
    let bytes = segment.data.get((at - segment.address) as usize..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes))
}

/// Whether a pointer may be one into an array.
pub(crate) fn count_of(variable: &Placed) -> Count {
    if variable.artificial { Count::One } else { Count::Any }
}

/// Where in the frame a variable is.
fn frame_place(state: &State, place: &Place) -> Option<Value> {
    let Place::Memory(Address::Register { register, offset }) = *place else { return None };
    let base = match register {
        steam_image::CALL_FRAME => Value::frame(0),
        _ => *state.registers.get(usize::from(register))?,
    };
    base.is_exact_frame().then(|| base.offset(offset as i32))
}
