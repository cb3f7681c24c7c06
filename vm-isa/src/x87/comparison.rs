//! The comparing and examining instructions of the x87.

use std::cmp::Ordering;

use super::machine::{EMPTY_REGISTER, Machine};
use super::number::{self, DENORMAL, INVALID, Kind, Parts};
use super::status::{self, C0, C1, C2, C3};
use super::transfer::Width;
use crate::fp_env::FpEnv;

/// Whether a quiet NaN is an invalid operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CompareKind {
    Ordered,
    Unordered,
}

/// What `ST(0)` is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Single,
    Double,
    Integer(Width),
    Register,
    Next,
    Zero,
}

/// The relation of two operands (`None`: unordered) and the exceptions of finding it.
struct Relation {
    order: Option<Ordering>,
    raised: u16,
}

fn relate(kind: CompareKind, a: Parts, b: Parts) -> Relation {
    let is = |wanted: Kind| a.kind == wanted || b.kind == wanted;
    if is(Kind::Unsupported) || is(Kind::SignalingNan) {
        return Relation { order: None, raised: INVALID };
    }
    if is(Kind::QuietNan) {
        let raised = if kind == CompareKind::Ordered { INVALID } else { 0 };
        return Relation { order: None, raised };
    }
    let raised = if a.denormal || b.denormal { DENORMAL } else { 0 };
    Relation { order: Some(number::compare(a, b)), raised }
}

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn compare(
        &mut self,
        kind: CompareKind,
        source: Source,
        pops: u8,
    ) -> Result<(), E::Trap> {
        let operand = self.operand(source)?;
        let relation = self.relation(kind, operand);
        let conditions = match relation.order {
            Some(Ordering::Greater) => 0,
            Some(Ordering::Less) => C0,
            Some(Ordering::Equal) => C3,
            None => C0 | C2 | C3,
        };
        self.report(relation.raised);
        self.fpu.status = self.fpu.status & !(C0 | C2 | C3) | conditions;
        if self.is_written(relation.raised) {
            self.pop(pops);
        }
        Ok(())
    }

    pub(super) fn compare_to_flags(&mut self, kind: CompareKind, pops: u8) -> Result<(), E::Trap> {
        let operand = self.operand(Source::Register)?;
        let relation = self.relation(kind, operand);
        let (z, p, c) = match relation.order {
            Some(Ordering::Greater) => (false, false, false),
            Some(Ordering::Less) => (false, false, true),
            Some(Ordering::Equal) => (true, false, false),
            None => (true, true, true),
        };
        // C1 only says which stack fault it was.
        let c1 = if relation.raised & status::STACK_FAULT == 0 { C1 } else { 0 };
        self.report(relation.raised | self.fpu.status & c1);
        self.env.set_flags_zpc(z, p, c);
        if self.is_written(relation.raised) {
            self.pop(pops);
        }
        Ok(())
    }

    /// The other operand, `None` when its register is empty.
    #[inline]
    fn operand(&mut self, source: Source) -> Result<Option<Parts>, E::Trap> {
        let register =
            |machine: &Self, i: u8| (!machine.fpu.is_empty(i)).then(|| machine.fpu.st(i).unpack());
        Ok(match source {
            Source::Single => Some(Parts::from_f32(u32::from_le_bytes(self.env.load(self.addr)?))),
            Source::Double => Some(Parts::from_f64(u64::from_le_bytes(self.env.load(self.addr)?))),
            Source::Integer(width) => Some(Parts::from_integer(self.integer_operand(width)?)),
            Source::Register => register(self, self.sti),
            Source::Next => register(self, 1),
            Source::Zero => Some(Parts::zero(false)),
        })
    }

    fn relation(&self, kind: CompareKind, operand: Option<Parts>) -> Relation {
        match operand {
            Some(operand) if !self.fpu.is_empty(0) => {
                relate(kind, self.fpu.st(0).unpack(), operand)
            }
            _ => Relation { order: None, raised: EMPTY_REGISTER },
        }
    }

    pub(super) fn examine(&mut self) -> Result<(), E::Trap> {
        let value = self.fpu.st(0);
        let parts = value.unpack();
        let class = match parts.kind {
            _ if self.fpu.is_empty(0) => C3 | C0,
            Kind::Unsupported => 0,
            Kind::QuietNan | Kind::SignalingNan => C0,
            Kind::Infinity => C2 | C0,
            Kind::Zero => C3,
            Kind::Finite if parts.denormal => C3 | C2,
            Kind::Finite => C2,
        };
        let sign = if value.sign() { C1 } else { 0 };
        self.fpu.status = self.fpu.status & !status::CONDITIONS | class | sign;
        Ok(())
    }
}
