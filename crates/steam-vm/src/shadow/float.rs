//! The x87: whether each register of its stack is defined.
//!
//! A register that was only loaded keeps the mask of the bytes that it was loaded from, for a store of
//! the same form: so compilers copy structures and 64-bit atomics. What is computed is undefined as a
//! whole if any operand is.

use steam_state::Birth;
use vm_isa::x87::X87Op;
use vm_isa::{Op, Operand};

use super::rules::{ALL, CF, PF, ZF};
use super::{EAX, Seen, Shadow, Uninitialised};
use crate::cpu::Cpu;

/// The mask of one register.
#[derive(Clone, Copy, Default)]
pub(super) struct FloatRegister {
    mask: u128,
    form: Form,
    birth: Birth,
}

/// What the bits of a mask are those of.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    /// A result: defined, or undefined as a whole.
    #[default]
    Result,
    /// A floating point number of so many bytes.
    Float(u32),
    /// An integer of so many bytes.
    Integer(u32),
}

/// What an instruction does to the register stack, seen from before it.
enum Effect {
    Load(Form),
    LoadRegister,
    Constant,
    Store(Form),
    StoreRegister,
    Exchange,
    /// ST(0) from itself, and from memory of so many bytes.
    Top(u32),
    /// ST(0) from itself and ST(i).
    TopWith,
    /// ST(i) from itself and ST(0).
    Into,
    /// ST(0) from itself and ST(1).
    TopWithNext,
    /// ST(1) from itself and ST(0), and pops.
    Next,
    /// ST(0) becomes two.
    Split,
    /// The condition bits from ST(0), ST(i) and memory of so many bytes.
    Compare(u32),
    /// The flags from ST(0) and ST(i).
    Flags,
    /// ST(0) or ST(i), by the flags.
    Conditional,
    StatusRegister,
    /// So many bytes of memory that are always defined.
    Writes(u32),
    /// All registers are set.
    Reset,
    Nothing,
}

impl Shadow {
    pub(super) fn look_at_float(
        &mut self,
        cpu: &Cpu,
        op: &Op,
        seen: &mut Seen,
    ) -> Result<(), Uninitialised> {
        if op.s == Operand::MEMORY {
            seen.address = self.look_at_address(cpu, op)?;
        }
        seen.top = cpu.x87.top();
        Ok(())
    }

    pub(super) fn follow_float(&mut self, cpu: &mut Cpu, op: &Op, seen: &Seen) {
        let Some(&which) = X87Op::ALL.get(op.imm as usize) else { return };
        let at = |i: u8| usize::from(seen.top.wrapping_add(i) & 7);
        let (top, other) = (at(0), at(op.d));
        let new_top = usize::from(cpu.x87.top());
        match effect(which) {
            Effect::Load(form) => {
                let bytes = form.bytes();
                let (mask, birth) = self.load(cpu, seen.address, bytes);
                self.now.float[new_top] = FloatRegister { mask, form, birth };
            }
            Effect::LoadRegister => self.now.float[new_top] = self.now.float[other],
            Effect::Constant => self.now.float[new_top] = FloatRegister::default(),
            Effect::Store(form) => {
                let FloatRegister { mask, form: was, birth } = self.now.float[top];
                let all = u128::MAX >> (128 - 8 * form.bytes());
                let mask = if was == form { mask } else { all * u128::from(mask != 0) };
                self.store(cpu, seen.address, form.bytes(), mask, birth);
            }
            Effect::StoreRegister => self.now.float[other] = self.now.float[top],
            Effect::Exchange => self.now.float.swap(top, other),
            Effect::Top(bytes) => self.compute(cpu, top, &[top], seen.address, bytes),
            Effect::TopWith => self.compute(cpu, top, &[top, other], 0, 0),
            Effect::Into => self.compute(cpu, other, &[top, other], 0, 0),
            Effect::TopWithNext => self.compute(cpu, top, &[top, at(1)], 0, 0),
            Effect::Next => self.compute(cpu, at(1), &[top, at(1)], 0, 0),
            Effect::Split => {
                self.compute(cpu, top, &[top], 0, 0);
                self.now.float[new_top] = self.now.float[top];
            }
            Effect::Compare(bytes) => {
                let found = self.undefined(cpu, &[top, other], seen.address, bytes);
                self.now.conditions = found.is_some();
                self.now.float_birth = found.unwrap_or(self.now.float_birth);
            }
            Effect::Flags => {
                let found = self.undefined(cpu, &[top, other], 0, 0);
                self.now.flags = if found.is_some() { ALL } else { 0 };
                self.now.flags_birth = found.unwrap_or(self.now.flags_birth);
            }
            Effect::Conditional => {
                self.compute(cpu, top, &[top, other], 0, 0);
                if self.now.flags & (CF | PF | ZF) != 0 {
                    let birth = self.now.flags_birth;
                    self.now.float[top] = FloatRegister { mask: 1, form: Form::Result, birth };
                }
            }
            Effect::StatusRegister => {
                let (mask, birth) = self.status();
                self.set_register(EAX as u8, 2, mask, birth);
            }
            Effect::Writes(2) if which == X87Op::FnstswMemory => {
                let (mask, birth) = self.status();
                self.store(cpu, seen.address, 2, u128::from(mask), birth);
            }
            Effect::Writes(bytes) => cpu.memory.make_defined(seen.address, bytes),
            Effect::Reset => {
                self.now.float = Default::default();
                self.now.conditions = false;
            }
            Effect::Nothing => {}
        }
    }

    /// The mask of the status word.
    fn status(&self) -> (u32, Birth) {
        const CONDITIONS: u32 = 0x4700;
        (if self.now.conditions { CONDITIONS } else { 0 }, self.now.float_birth)
    }

    /// Where an undefined one among registers and bytes of memory comes from, if there is one.
    fn undefined(&self, cpu: &Cpu, from: &[usize], address: u32, bytes: u32) -> Option<Birth> {
        let mut registers = from.iter().map(|&at| &self.now.float[at]);
        let register = registers.find(|register| register.mask != 0).map(|it| it.birth);
        register.or_else(|| {
            let (mask, birth) =
                if bytes > 0 { self.load(cpu, address, bytes) } else { (0, Birth::default()) };
            (mask != 0).then_some(birth)
        })
    }

    fn compute(&mut self, cpu: &Cpu, into: usize, from: &[usize], address: u32, bytes: u32) {
        let found = self.undefined(cpu, from, address, bytes);
        let mask = u128::from(found.is_some());
        let birth = found.unwrap_or_default();
        self.now.float[into] = FloatRegister { mask, form: Form::Result, birth };
    }
}

impl Form {
    fn bytes(self) -> u32 {
        match self {
            Self::Float(bytes) | Self::Integer(bytes) => bytes,
            Self::Result => 0,
        }
    }
}

fn effect(which: X87Op) -> Effect {
    use Effect as E;
    use X87Op::*;
    match which {
        FldM32 => E::Load(Form::Float(4)),
        FldM64 => E::Load(Form::Float(8)),
        FldM80 => E::Load(Form::Float(10)),
        FildM16 => E::Load(Form::Integer(2)),
        FildM32 => E::Load(Form::Integer(4)),
        FildM64 => E::Load(Form::Integer(8)),
        Fbld => E::Load(Form::Integer(10)),
        FldSti => E::LoadRegister,
        Fld1 | Fldl2t | Fldl2e | Fldpi | Fldlg2 | Fldln2 | Fldz => E::Constant,
        FstM32 | FstpM32 => E::Store(Form::Float(4)),
        FstM64 | FstpM64 => E::Store(Form::Float(8)),
        FstpM80 => E::Store(Form::Float(10)),
        FistM16 | FistpM16 | FisttpM16 => E::Store(Form::Integer(2)),
        FistM32 | FistpM32 | FisttpM32 => E::Store(Form::Integer(4)),
        FistpM64 | FisttpM64 => E::Store(Form::Integer(8)),
        Fbstp => E::Store(Form::Integer(10)),
        FstSti | FstpSti => E::StoreRegister,
        Fxch => E::Exchange,
        Fcmovb | Fcmove | Fcmovbe | Fcmovu | Fcmovnb | Fcmovne | Fcmovnbe | Fcmovnu => {
            E::Conditional
        }
        FaddM32 | FsubM32 | FsubrM32 | FmulM32 | FdivM32 | FdivrM32 | FiaddM32 | FisubM32
        | FisubrM32 | FimulM32 | FidivM32 | FidivrM32 => E::Top(4),
        FaddM64 | FsubM64 | FsubrM64 | FmulM64 | FdivM64 | FdivrM64 => E::Top(8),
        FiaddM16 | FisubM16 | FisubrM16 | FimulM16 | FidivM16 | FidivrM16 => E::Top(2),
        FaddSt0 | FsubSt0 | FsubrSt0 | FmulSt0 | FdivSt0 | FdivrSt0 => E::TopWith,
        FaddSti | FsubSti | FsubrSti | FmulSti | FdivSti | FdivrSti | Faddp | Fsubp | Fsubrp
        | Fmulp | Fdivp | Fdivrp => E::Into,
        Fabs | Fchs | Fsqrt | Frndint | Fsin | Fcos | F2xm1 => E::Top(0),
        Fscale | Fprem | Fprem1 => E::TopWithNext,
        Fpatan | Fyl2x | Fyl2xp1 => E::Next,
        Fxtract | Fsincos | Fptan => E::Split,
        FcomM32 | FcompM32 | FicomM32 | FicompM32 => E::Compare(4),
        FcomM64 | FcompM64 => E::Compare(8),
        FicomM16 | FicompM16 => E::Compare(2),
        FcomSti | FcompSti | Fcompp | Fucom | Fucomp | Fucompp | Ftst | Fxam => E::Compare(0),
        Fcomi | Fcomip | Fucomi | Fucomip => E::Flags,
        FnstswAx => E::StatusRegister,
        FnstswMemory | Fnstcw => E::Writes(2),
        Fnstenv => E::Writes(28),
        FnstenvShort => E::Writes(14),
        Fnsave => E::Writes(108),
        FnsaveShort => E::Writes(94),
        Fninit | Frstor | FrstorShort => E::Reset,
        Ffree | Ffreep | Fincstp | Fdecstp | Fnop | Fwait | Fnlegacy | Fnclex | Fldcw | Fldenv
        | FldenvShort => E::Nothing,
    }
}
