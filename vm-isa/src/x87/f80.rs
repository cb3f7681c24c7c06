//! The 80-bit extended number of the x87 as a plain value.

use super::number::{Format, INTEGER_BIT, Kind, Parts, QUIET_BIT, Rounded};

/// An 80-bit extended precision number, bit by bit as a register holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct F80 {
    /// The significand with its explicit integer bit.
    pub mantissa: u64,
    /// The sign (bit 15) and the biased exponent.
    pub sign_exponent: u16,
}

impl F80 {
    /// Plus zero.
    pub const ZERO: F80 = F80 { mantissa: 0, sign_exponent: 0 };
    /// One.
    pub const ONE: F80 = F80 { mantissa: INTEGER_BIT, sign_exponent: 0x3fff };
    /// The "real indefinite" NaN, the answer to an invalid operation.
    pub const INDEFINITE: F80 = F80 { mantissa: INTEGER_BIT | QUIET_BIT, sign_exponent: 0xffff };

    /// The number in its ten bytes of memory.
    pub fn to_bytes(self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.mantissa.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sign_exponent.to_le_bytes());
        bytes
    }

    /// The number of these ten bytes of memory.
    pub fn from_bytes(bytes: [u8; 10]) -> F80 {
        let [m0, m1, m2, m3, m4, m5, m6, m7, e0, e1] = bytes;
        F80 {
            mantissa: u64::from_le_bytes([m0, m1, m2, m3, m4, m5, m6, m7]),
            sign_exponent: u16::from_le_bytes([e0, e1]),
        }
    }

    /// Whether the sign bit is set.
    pub fn sign(self) -> bool {
        self.sign_exponent & 0x8000 != 0
    }

    /// The exponent field without the sign.
    pub fn biased(self) -> u16 {
        self.sign_exponent & 0x7fff
    }

    /// Takes the number apart.
    #[inline]
    pub fn unpack(self) -> Parts {
        let biased = i32::from(self.biased());
        let has_integer_bit = self.mantissa & INTEGER_BIT != 0;
        if has_integer_bit && biased != 0 && biased != 0x7fff {
            return Parts {
                sign: self.sign(),
                kind: Kind::Finite,
                denormal: false,
                exponent: biased - Format::EXTENDED.maximum,
                mantissa: self.mantissa,
            };
        }
        self.unpack_unusual(biased, has_integer_bit)
    }

    #[cold]
    fn unpack_unusual(self, biased: i32, has_integer_bit: bool) -> Parts {
        let (sign, mantissa) = (self.sign(), self.mantissa);
        if biased == 0 {
            return Parts::from_denormal(sign, mantissa, Format::EXTENDED.minimum);
        }
        if !has_integer_bit {
            let kind = Kind::Unsupported;
            return Parts { sign, kind, denormal: false, exponent: 0, mantissa };
        }
        Parts::from_special(sign, mantissa)
    }

    /// Puts a rounded number together.
    #[inline]
    pub fn pack(number: Rounded) -> F80 {
        F80 {
            mantissa: number.mantissa,
            sign_exponent: u16::from(number.sign) << 15 | number.biased as u16,
        }
    }

    /// The quiet NaN of a NaN's sign and payload.
    pub fn quiet_nan(nan: Parts) -> F80 {
        let sign_exponent = u16::from(nan.sign) << 15 | 0x7fff;
        F80 { mantissa: nan.mantissa | INTEGER_BIT | QUIET_BIT, sign_exponent }
    }

    /// A number that every pattern of fewer bits converts to without loss.
    pub fn from_parts(parts: Parts) -> F80 {
        let sign = u16::from(parts.sign) << 15;
        match parts.kind {
            Kind::Zero => F80 { mantissa: 0, sign_exponent: sign },
            Kind::Finite => F80 {
                mantissa: parts.mantissa,
                sign_exponent: sign | (parts.exponent + Format::EXTENDED.maximum) as u16,
            },
            _ => F80 { mantissa: parts.mantissa | INTEGER_BIT, sign_exponent: sign | 0x7fff },
        }
    }
}
