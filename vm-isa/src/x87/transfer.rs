//! Loads, stores and register moves of the x87.

use super::machine::{EMPTY_REGISTER, Machine, Outcome};
use super::number::{
    self, DENORMAL, Format, INVALID, Kind, OVERFLOW, PRECISION, Parts, Rounded, Rounding, UNDERFLOW,
};
use super::{F80, soft, status, usual};
use crate::fp_env::FpEnv;

/// The width of an integer in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    Word,
    Double,
    Quad,
}

/// The constants that the unit knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    One,
    Log2Of10,
    Log2OfE,
    Pi,
    Log10Of2,
    LnOf2,
    Zero,
}

impl Constant {
    /// The value: an exponent and the first 128 bits of the significand.
    fn value(self, control: u16) -> F80 {
        let (exponent, significand): (i32, u128) = match self {
            Constant::One => return F80::ONE,
            Constant::Zero => return F80::ZERO,
            Constant::Log2Of10 => (1, 0xd49a_784b_cd1b_8afe_492b_f6ff_4daf_db4d),
            Constant::Log2OfE => (0, 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e89),
            Constant::Pi => (1, 0xc90f_daa2_2168_c234_c4c6_628b_80dc_1cd1),
            Constant::Log10Of2 => (-2, 0x9a20_9a84_fbcf_f798_8f89_59ac_0b7c_9178),
            Constant::LnOf2 => (-1, 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af),
        };
        let rounding = soft::rounding(control);
        F80::pack(number::round(Format::EXTENDED, rounding, 0, false, exponent, significand))
    }
}

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn load_single(&mut self) -> Result<(), E::Trap> {
        let bits = u32::from_le_bytes(self.env.load(self.addr)?);
        match usual::from_single(bits) {
            Some(value) => self.push(Outcome { value, status: 0 }),
            None => self.push_converted(Parts::from_f32(bits)),
        }
        Ok(())
    }

    pub(super) fn load_double(&mut self) -> Result<(), E::Trap> {
        let bits = u64::from_le_bytes(self.env.load(self.addr)?);
        match usual::from_double(bits) {
            Some(value) => self.push(Outcome { value, status: 0 }),
            None => self.push_converted(Parts::from_f64(bits)),
        }
        Ok(())
    }

    #[cold]
    fn push_converted(&mut self, value: Parts) {
        let outcome = match value.kind {
            Kind::SignalingNan => Outcome { value: F80::quiet_nan(value), status: INVALID },
            _ if value.denormal => Outcome { value: F80::from_parts(value), status: DENORMAL },
            _ => Outcome { value: F80::from_parts(value), status: 0 },
        };
        self.push(outcome);
    }

    pub(super) fn load_extended(&mut self) -> Result<(), E::Trap> {
        let value = F80::from_bytes(self.env.load(self.addr)?);
        self.push(Outcome { value, status: 0 });
        Ok(())
    }

    pub(super) fn load_register(&mut self) -> Result<(), E::Trap> {
        let outcome = if self.fpu.is_empty(self.sti) {
            Outcome { value: F80::INDEFINITE, status: EMPTY_REGISTER }
        } else {
            Outcome { value: self.fpu.st(self.sti), status: 0 }
        };
        self.push(outcome);
        Ok(())
    }

    pub(super) fn integer_operand(&mut self, width: Width) -> Result<i64, E::Trap> {
        Ok(match width {
            Width::Word => i64::from(i16::from_le_bytes(self.env.load(self.addr)?)),
            Width::Double => i64::from(i32::from_le_bytes(self.env.load(self.addr)?)),
            Width::Quad => i64::from_le_bytes(self.env.load(self.addr)?),
        })
    }

    pub(super) fn load_integer(&mut self, width: Width) -> Result<(), E::Trap> {
        let value = F80::from_parts(Parts::from_integer(self.integer_operand(width)?));
        self.push(Outcome { value, status: 0 });
        Ok(())
    }

    pub(super) fn load_decimal(&mut self) -> Result<(), E::Trap> {
        let bytes: [u8; 10] = self.env.load(self.addr)?;
        let pair = |byte: u8| i64::from(byte >> 4) * 10 + i64::from(byte & 15);
        let magnitude = bytes[..9].iter().rev().fold(0, |sum, &byte| sum * 100 + pair(byte));
        let sign = bytes[9] & 0x80 != 0;
        let value = F80::from_parts(Parts { sign, ..Parts::from_integer(magnitude) });
        self.push(Outcome { value, status: 0 });
        Ok(())
    }

    pub(super) fn load_constant(&mut self, constant: Constant) -> Result<(), E::Trap> {
        let value = constant.value(self.fpu.control);
        self.push(Outcome { value, status: 0 });
        Ok(())
    }

    pub(super) fn store_single(&mut self, pop: bool) -> Result<(), E::Trap> {
        let narrowed = self.narrow(Format::SINGLE);
        self.store_outcome(narrowed.value.to_f32().to_le_bytes(), narrowed.status, pop)
    }

    pub(super) fn store_double(&mut self, pop: bool) -> Result<(), E::Trap> {
        if !self.fpu.is_empty(0)
            && let Some(double) = usual::to_double(self.fpu.control, self.fpu.st(0))
        {
            return self.store_outcome(double.value.to_le_bytes(), double.status, pop);
        }
        let narrowed = self.narrow(Format::DOUBLE);
        self.store_outcome(narrowed.value.to_f64().to_le_bytes(), narrowed.status, pop)
    }

    /// `ST(0)` in a format of memory.
    #[inline]
    fn narrow(&self, format: Format) -> Outcome<Rounded> {
        let value = self.fpu.st(0).unpack();
        if value.kind != Kind::Finite || self.fpu.is_empty(0) {
            return self.narrow_special(format, value);
        }
        let rounded = number::round(
            format,
            soft::rounding(self.fpu.control),
            self.unmasked(),
            value.sign,
            value.exponent,
            u128::from(value.mantissa) << 64,
        );
        let c1 = if rounded.up { status::C1 } else { 0 };
        Outcome { value: rounded, status: rounded.flags | c1 }
    }

    #[cold]
    fn narrow_special(&self, format: Format, value: Parts) -> Outcome<Rounded> {
        let infinity = Rounded::infinity(format, value.sign);
        let nan = Rounded { mantissa: value.mantissa | number::QUIET_BIT, ..infinity };
        let indefinite = Rounded {
            mantissa: number::INTEGER_BIT | number::QUIET_BIT,
            ..Rounded::infinity(format, true)
        };
        if self.fpu.is_empty(0) {
            return Outcome { value: indefinite, status: EMPTY_REGISTER };
        }
        match value.kind {
            Kind::Zero => Outcome { value: Rounded::zero(value.sign), status: 0 },
            Kind::QuietNan => Outcome { value: nan, status: 0 },
            Kind::SignalingNan => Outcome { value: nan, status: INVALID },
            Kind::Unsupported => Outcome { value: indefinite, status: INVALID },
            _ => Outcome { value: infinity, status: 0 },
        }
    }

    /// Stores first, so that a trap leaves the unit as it was; an unmasked exception other than
    /// the inexact one suppresses store and pop, but not the check of the operand.
    #[inline]
    fn store_outcome<const N: usize>(
        &mut self,
        bytes: [u8; N],
        raised: u16,
        pop: bool,
    ) -> Result<(), E::Trap> {
        if raised & self.unmasked() & (INVALID | OVERFLOW | UNDERFLOW) != 0 {
            self.env.probe_store::<N>(self.addr)?;
            // Nothing was rounded: neither C1 nor the inexact exception.
            self.report(raised & !(PRECISION | status::C1));
            return Ok(());
        }
        self.env.store(self.addr, bytes)?;
        self.report(raised);
        self.pop(u8::from(pop));
        Ok(())
    }

    pub(super) fn store_extended(&mut self) -> Result<(), E::Trap> {
        let (value, raised) = if self.fpu.is_empty(0) {
            (F80::INDEFINITE, EMPTY_REGISTER)
        } else {
            (self.fpu.st(0), 0)
        };
        self.store_outcome(value.to_bytes(), raised, true)
    }

    pub(super) fn store_integer(
        &mut self,
        width: Width,
        rounding: Option<Rounding>,
        pop: bool,
    ) -> Result<(), E::Trap> {
        let bits = match width {
            Width::Word => 16,
            Width::Double => 32,
            Width::Quad => 64,
        };
        let limit = 1u64 << (bits - 1);
        let rounded = self.integral(rounding, |sign, magnitude| {
            magnitude < limit || (sign && magnitude == limit)
        });
        let value = match rounded.value {
            Some((true, magnitude)) => magnitude.wrapping_neg(),
            Some((false, magnitude)) => magnitude,
            None => limit,
        };
        match width {
            Width::Word => self.store_outcome((value as u16).to_le_bytes(), rounded.status, pop),
            Width::Double => self.store_outcome((value as u32).to_le_bytes(), rounded.status, pop),
            Width::Quad => self.store_outcome(value.to_le_bytes(), rounded.status, pop),
        }
    }

    /// `ST(0)` as an integer that fits, or `None` with the invalid exception.
    fn integral(
        &self,
        rounding: Option<Rounding>,
        fits: impl Fn(bool, u64) -> bool,
    ) -> Outcome<Option<(bool, u64)>> {
        if self.fpu.is_empty(0) {
            return Outcome { value: None, status: EMPTY_REGISTER };
        }
        let value = self.fpu.st(0).unpack();
        let rounding = rounding.unwrap_or(soft::rounding(self.fpu.control));
        if !matches!(value.kind, Kind::Zero | Kind::Finite) {
            return Outcome { value: None, status: INVALID };
        }
        match number::to_integer(value, rounding) {
            Some(integer) if fits(integer.sign, integer.magnitude) => {
                let inexact = if integer.inexact { PRECISION } else { 0 };
                let c1 = if integer.up { status::C1 } else { 0 };
                let value = Some((integer.sign, integer.magnitude));
                Outcome { value, status: inexact | c1 }
            }
            _ => Outcome { value: None, status: INVALID },
        }
    }

    pub(super) fn store_decimal(&mut self) -> Result<(), E::Trap> {
        const LIMIT: u64 = 1_000_000_000_000_000_000;
        let rounded = self.integral(None, |_, magnitude| magnitude < LIMIT);
        let bytes = match rounded.value {
            Some((sign, magnitude)) => decimal_bytes(sign, magnitude),
            None => [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0xff],
        };
        self.store_outcome(bytes, rounded.status, true)
    }

    pub(super) fn store_register(&mut self, pop: bool) -> Result<(), E::Trap> {
        if self.fpu.is_empty(0) {
            self.underflow(self.sti, u8::from(pop));
            return Ok(());
        }
        let outcome = Outcome { value: self.fpu.st(0), status: 0 };
        self.finish(self.sti, outcome, u8::from(pop));
        Ok(())
    }

    pub(super) fn exchange(&mut self) -> Result<(), E::Trap> {
        if !self.fpu.is_empty(0) && !self.fpu.is_empty(self.sti) {
            let (top, other) = (self.fpu.physical(0), self.fpu.physical(self.sti));
            self.fpu.regs.swap(top, other);
            self.report(0);
            return Ok(());
        }
        self.exchange_empty();
        Ok(())
    }

    /// An empty register counts as indefinite, where that does not trap.
    #[cold]
    fn exchange_empty(&mut self) {
        let content = |i| if self.fpu.is_empty(i) { F80::INDEFINITE } else { self.fpu.st(i) };
        let (top, other) = (content(0), content(self.sti));
        self.report(EMPTY_REGISTER);
        if self.is_written(EMPTY_REGISTER) {
            self.write(0, other);
            self.write(self.sti, top);
        }
    }

    pub(super) fn move_if(
        &mut self,
        condition: impl Fn(bool, bool, bool) -> bool,
    ) -> Result<(), E::Trap> {
        if self.fpu.is_empty(0) || self.fpu.is_empty(self.sti) {
            self.underflow(0, 0);
            return Ok(());
        }
        let (z, p, c) = self.env.flags_zpc();
        if condition(z, p, c) {
            self.write(0, self.fpu.st(self.sti));
        }
        Ok(())
    }
}

/// The packed decimal form of a number of up to 18 digits.
fn decimal_bytes(sign: bool, mut magnitude: u64) -> [u8; 10] {
    let mut bytes = [0; 10];
    for byte in &mut bytes[..9] {
        let pair = (magnitude % 100) as u8;
        *byte = ((pair / 10) << 4) | (pair % 10);
        magnitude /= 100;
    }
    bytes[9] = if sign { 0x80 } else { 0 };
    bytes
}
