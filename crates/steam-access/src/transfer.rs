//! What one instruction does to what is known.

use steam_image::{Activation, Address, Image, TypeKind};
use vm_isa::{Code, Op, Operand};

use crate::code::{Instruction, program_counter_into};
use crate::context::Context;
use crate::scene::Scene;
use crate::state::{EAX, EBP, ESP, State};
use crate::value::{Base, Count, Value};

/// One function while it is followed.
pub(crate) struct Following<'a> {
    pub context: &'a Context<'a>,
    pub scene: Scene<'a>,
    /// Parts of the frame whose addresses were taken: from and to, by which base.
    pub exposed: Vec<(bool, i32, i32)>,
    /// The frame pointer that the function has set up.
    pub frame_pointer: Option<Value>,
    /// The instruction in question.
    pub at: u32,
}

impl Following<'_> {
    /// Performs an instruction.
    pub fn perform(&mut self, state: &mut State, instruction: &Instruction) {
        let op = &instruction.op;
        let wide = op.width & 7 == 4;
        match op.code {
            Code::Mov if wide => {
                let mut value = self.operand(state, op, op.s);
                // From here on it has a name, by which its copies are known.
                if value == Value::UNKNOWN {
                    value = state.renew(instruction.address);
                    if let Some(source) = state.registers.get_mut(usize::from(op.s)) {
                        *source = value;
                    }
                }
                self.set(state, op, value);
            }
            Code::Movzx | Code::Movsx if op.d < 8 => {
                state.registers[usize::from(op.d)] = Value::ANY
            }
            Code::Lea if wide => {
                let address = self.address(state, op);
                self.set(state, op, address);
            }
            Code::Add | Code::Sub | Code::Inc | Code::Dec if wide => self.add(state, op),
            Code::And if wide => self.and(state, op),
            Code::Xor | Code::Sub if wide && op.d == op.s && op.d < 8 => {
                state.registers[usize::from(op.d)] = Value::number(0);
            }
            Code::Shl if wide && op.d < 8 && op.s == Operand::IMMEDIATE => {
                let value = state.registers[usize::from(op.d)].times(1 << (op.imm & 31));
                self.set(state, op, value);
            }
            Code::ImulInto if wide && op.three_operands() && op.d < 8 => {
                let value = self.operand(state, op, op.s).times(op.imm);
                self.set(state, op, value);
            }
            Code::Cmov if wide && op.d < 8 => {
                let types = self.context.parts.types;
                let own = state.registers[usize::from(op.d)];
                let value = own.join(self.operand(state, op, op.s), types);
                self.set(state, op, value);
            }
            Code::Xchg if wide && op.has_memory() => {
                let register = if op.d < 8 { op.d } else { op.s };
                let value = self.load(state, op);
                self.store(state, op, 4, Value::UNKNOWN);
                state.registers[usize::from(register & 7)] = value;
            }
            Code::Push => {
                let value = self.operand(state, op, op.s);
                self.push(state, value);
            }
            Code::Pop if op.d < 8 => {
                let value = self.pop(state);
                state.registers[usize::from(op.d)] = value;
            }
            Code::Leave => {
                state.registers[ESP] = state.registers[EBP];
                state.registers[EBP] = self.pop(state);
            }
            Code::Call => self.call(state, instruction, Some(op.imm)),
            Code::CallIndirect => self.call(state, instruction, None),
            _ => self.other(state, instruction),
        }
        // Before it, ebp is the caller's.
        if op.d == EBP as u8 && op.code == Code::Mov && op.s == ESP as u8 {
            self.frame_pointer = Some(state.registers[EBP]);
        }
    }

    /// Where the stack pointer or the frame pointer is by call frame information.
    pub fn reset_frame(&self, state: &mut State, at: u32) {
        let here = Activation { eip: at, exact: true, ..Activation::default() };
        let rule = self.context.image.unwinder.rule(&here);
        let Some(address) = rule.and_then(|rule| rule.frame_address()) else { return };
        if let Address::Register { register, offset } = address
            && matches!(usize::from(register), ESP | EBP)
        {
            state.registers[usize::from(register)] = Value::frame((offset as i32).wrapping_neg());
        }
    }

    /// The value of a source operand.
    pub fn operand(&self, state: &State, op: &Op, operand: u8) -> Value {
        match operand {
            Operand::MEMORY => self.load(state, op),
            Operand::IMMEDIATE => Value::number(op.imm),
            register => state.registers.get(usize::from(register)).map_or(Value::UNKNOWN, |it| *it),
        }
    }

    fn set(&mut self, state: &mut State, op: &Op, value: Value) {
        let frame = matches!(usize::from(op.d), ESP | EBP);
        if !frame && value.is_exact_frame() {
            self.expose(state, value);
        }
        match op.d {
            Operand::MEMORY => self.store(state, op, 4, value),
            register if register < 8 => state.registers[usize::from(register)] = value,
            _ => {}
        }
    }

    fn add(&mut self, state: &mut State, op: &Op) {
        let types = self.context.parts.types;
        let own = self.operand(state, op, op.d);
        let value = match op.code {
            Code::Add if op.d == op.s => own.times(2),
            Code::Inc => own.offset(1),
            Code::Dec => own.offset(-1),
            Code::Sub if op.d == op.s => Value::number(0),
            Code::Sub => match self.operand(state, op, op.s) {
                less if less.base == Base::Zero => {
                    let negative = Value { add: less.add.wrapping_neg(), ..less };
                    own.plus(negative, types)
                }
                // The distance of two pointers, or nothing that is known.
                _ => Value::UNKNOWN,
            },
            _ => own.plus(self.operand(state, op, op.s), types),
        };
        self.set(state, op, value);
    }

    fn and(&mut self, state: &mut State, op: &Op) {
        let value = match usize::from(op.d) {
            ESP => Value { base: Base::Aligned, add: 0, step: 0 },
            _ => Value::UNKNOWN,
        };
        self.set(state, op, value);
    }

    fn push(&mut self, state: &mut State, value: Value) {
        state.registers[ESP] = state.registers[ESP].offset(-4);
        if value.is_exact_frame() {
            self.expose(state, value);
        }
        let top = state.registers[ESP];
        if top.is_exact_frame() {
            state.write(top, 4, value);
        }
    }

    fn pop(&mut self, state: &mut State) -> Value {
        let top = state.registers[ESP];
        state.registers[ESP] = top.offset(4);
        if top.is_exact_frame() { state.word(top) } else { Value::UNKNOWN }
    }

    fn call(&mut self, state: &mut State, instruction: &Instruction, target: Option<u32>) {
        if target == Some(instruction.next) {
            return self.push(state, Value::number(instruction.next));
        }
        let image: &Image = self.context.image;
        if let Some(register) = target.and_then(|target| program_counter_into(image, target)) {
            state.registers[register] = Value::number(instruction.next);
            return;
        }
        let exposed = &self.exposed;
        state.call(|(aligned, at)| {
            exposed
                .iter()
                .any(|&(base, from, to)| base == aligned && from < at.saturating_add(4) && at < to)
        });
        state.registers[EAX] = state.renew(instruction.address);
        let callee = target.and_then(|target| self.context.declared.function_at(target));
        let entered = callee.filter(|it| it.ranges.first().map(|range| range.0) == target);
        if let Some(callee) = entered
            && let TypeKind::Function(signature) =
                &self.context.parts.types.get(callee.type_id).kind
        {
            let known = self.context.of_type(signature.result, Count::Any);
            if known != Value::UNKNOWN {
                state.registers[EAX] = known;
            }
        }
        // A callee that returns a struct takes an argument off the stack.
        if state.registers[ESP].base == Base::Frame {
            self.reset_frame(state, instruction.next);
        }
    }

    /// An instruction whose result is of no interest.
    fn other(&mut self, state: &mut State, instruction: &Instruction) {
        let effects = instruction.effects;
        let loaded = match instruction.op.code {
            Code::Cmpxchg => self.load(state, &instruction.op),
            _ => Value::UNKNOWN,
        };
        if effects.writes {
            match instruction.op.code {
                Code::Movs | Code::Stos => state.forget_frame(),
                _ => self.store(state, &instruction.op, effects.size, Value::UNKNOWN),
            }
        }
        for number in (0..8).filter(|number| effects.changed >> number & 1 == 1) {
            // What moves the stack pointer besides is rare, and call frame information knows it.
            if number != ESP {
                state.registers[number] = Value::UNKNOWN;
            }
        }
        if instruction.op.code == Code::Cmpxchg {
            state.registers[EAX] = loaded;
        }
    }
}
