//! Numbers as the machine has them: kinds, conversions between them, and arithmetic.

use crate::syntax::{Arithmetic, Relation};

/// How a number is stored and computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Bool,
    F32,
    F64,
    /// The x87's 80 bits, computed with as 64.
    F80,
}

/// A number. Integers are extended to 64 bits by the rule of their kind, and kept so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar {
    Integer(i64),
    Float(f64),
}

/// The most bytes that a number takes.
pub(crate) const WIDEST: usize = 10;

impl Kind {
    /// Returns the integer kind with a size and a sign.
    pub fn integer(size: u32, signed: bool) -> Option<Kind> {
        Some(match (size, signed) {
            (1, true) => Kind::I8,
            (1, false) => Kind::U8,
            (2, true) => Kind::I16,
            (2, false) => Kind::U16,
            (4, true) => Kind::I32,
            (4, false) => Kind::U32,
            (8, true) => Kind::I64,
            (8, false) => Kind::U64,
            _ => return None,
        })
    }

    /// Says whether it is one of the floating-point kinds.
    pub fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64 | Kind::F80)
    }

    /// Returns the number of bytes that matter of a number in memory.
    pub fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 | Kind::Bool => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
            Kind::F80 => WIDEST,
        }
    }

    /// Returns the kind in which C computes with one number of this kind.
    pub fn promoted(self) -> Kind {
        match self {
            Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 | Kind::Bool => Kind::I32,
            kind => kind,
        }
    }

    /// Returns the kind in which C computes with two numbers of these kinds.
    pub fn common(self, other: Kind) -> Kind {
        let (one, two) = (self.promoted(), other.promoted());
        let order = [Kind::F80, Kind::F64, Kind::F32, Kind::U64, Kind::I64, Kind::U32];
        order.into_iter().find(|&kind| kind == one || kind == two).unwrap_or(Kind::I32)
    }

    /// Cuts an integer to the kind's bits and extends it again.
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            Kind::I8 => i64::from(value as i8),
            Kind::U8 => i64::from(value as u8),
            Kind::I16 => i64::from(value as i16),
            Kind::U16 => i64::from(value as u16),
            Kind::I32 => i64::from(value as i32),
            Kind::U32 => i64::from(value as u32),
            Kind::Bool => i64::from(value != 0),
            _ => value,
        }
    }

    /// Understands the bytes of a number; missing ones are zero.
    pub fn read(self, bytes: &[u8]) -> Scalar {
        let mut word = [0; 8];
        let size = bytes.len().min(8).min(self.size());
        word[..size].copy_from_slice(&bytes[..size]);
        let bits = u64::from_le_bytes(word);
        match self {
            Kind::F32 => Scalar::Float(f64::from(f32::from_bits(bits as u32))),
            Kind::F64 => Scalar::Float(f64::from_bits(bits)),
            Kind::F80 => {
                let top = [8, 9].map(|place| bytes.get(place).copied().unwrap_or(0));
                Scalar::Float(extended(bits, u16::from_le_bytes(top)))
            }
            kind => Scalar::Integer(kind.wrap(bits as i64)),
        }
    }

    /// Converts a number from this kind to another.
    pub fn convert(self, to: Kind, value: Scalar) -> Scalar {
        match (value, to) {
            (Scalar::Float(value), Kind::Bool) => Scalar::Integer(i64::from(value != 0.0)),
            (Scalar::Float(value), Kind::F32) => Scalar::Float(f64::from(value as f32)),
            (Scalar::Float(_), Kind::F64 | Kind::F80) => value,
            (Scalar::Float(value), Kind::U64) => Scalar::Integer(value as u64 as i64),
            (Scalar::Float(value), _) => Scalar::Integer(to.wrap(value as i64)),
            (Scalar::Integer(value), Kind::F32) if self == Kind::U64 => {
                Scalar::Float(f64::from(value as u64 as f32))
            }
            (Scalar::Integer(value), Kind::F32) => Scalar::Float(f64::from(value as f32)),
            (Scalar::Integer(value), Kind::F64 | Kind::F80) if self == Kind::U64 => {
                Scalar::Float(value as u64 as f64)
            }
            (Scalar::Integer(value), Kind::F64 | Kind::F80) => Scalar::Float(value as f64),
            (Scalar::Integer(value), _) => Scalar::Integer(to.wrap(value)),
        }
    }

    /// Computes with two numbers of this kind; the error says why there is no result.
    pub fn compute(
        self,
        operation: Arithmetic,
        left: Scalar,
        right: Scalar,
    ) -> Result<Scalar, &'static str> {
        match (left, right) {
            (Scalar::Integer(left), Scalar::Integer(right)) => {
                Ok(Scalar::Integer(self.wrap(self.integers(operation, left, right)?)))
            }
            (left, right) => {
                let value = floats(operation, left.float(), right.float());
                Ok(Scalar::Float(if self == Kind::F32 { f64::from(value as f32) } else { value }))
            }
        }
    }

    fn integers(self, operation: Arithmetic, left: i64, right: i64) -> Result<i64, &'static str> {
        Ok(match operation {
            Arithmetic::Add => left.wrapping_add(right),
            Arithmetic::Subtract => left.wrapping_sub(right),
            Arithmetic::Multiply => left.wrapping_mul(right),
            Arithmetic::BitAnd => left & right,
            Arithmetic::BitOr => left | right,
            Arithmetic::BitXor => left ^ right,
            Arithmetic::Divide | Arithmetic::Remainder if right == 0 => {
                return Err("division by zero");
            }
            Arithmetic::Divide if self == Kind::U64 => (left as u64 / right as u64) as i64,
            Arithmetic::Remainder if self == Kind::U64 => (left as u64 % right as u64) as i64,
            Arithmetic::Divide | Arithmetic::Remainder if right == -1 && self.is_lowest(left) => {
                return Err("a quotient that does not fit");
            }
            Arithmetic::Divide => left / right,
            Arithmetic::Remainder => left % right,
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                if !(0..8 * self.size() as i64).contains(&right) {
                    return Err("a shift by more bits than there are");
                }
                match operation {
                    Arithmetic::ShiftLeft => left << right,
                    _ if self == Kind::U64 => (left as u64 >> right) as i64,
                    _ => left >> right,
                }
            }
        })
    }

    fn is_lowest(self, value: i64) -> bool {
        (self == Kind::I32 && value == i64::from(i32::MIN))
            || (self == Kind::I64 && value == i64::MIN)
    }

    /// Compares two numbers of this kind.
    pub fn compare(self, relation: Relation, left: Scalar, right: Scalar) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = match (left, right) {
            (Scalar::Integer(left), Scalar::Integer(right)) if self == Kind::U64 => {
                Some((left as u64).cmp(&(right as u64)))
            }
            (Scalar::Integer(left), Scalar::Integer(right)) => Some(left.cmp(&right)),
            (left, right) => left.float().partial_cmp(&right.float()),
        };
        match relation {
            Relation::Equal => order == Some(Equal),
            Relation::Unequal => order != Some(Equal),
            Relation::Less => order == Some(Less),
            Relation::LessEqual => matches!(order, Some(Less | Equal)),
            Relation::Greater => order == Some(Greater),
            Relation::GreaterEqual => matches!(order, Some(Greater | Equal)),
        }
    }
}

impl Scalar {
    /// Returns the bits of an integer, or the integer part of another number.
    pub fn integer(self) -> i64 {
        match self {
            Scalar::Integer(value) => value,
            Scalar::Float(value) => value as i64,
        }
    }

    fn float(self) -> f64 {
        match self {
            Scalar::Integer(value) => value as f64,
            Scalar::Float(value) => value,
        }
    }
}

fn floats(operation: Arithmetic, left: f64, right: f64) -> f64 {
    match operation {
        Arithmetic::Add => left + right,
        Arithmetic::Subtract => left - right,
        Arithmetic::Multiply => left * right,
        Arithmetic::Divide => left / right,
        // The others are refused when types are checked.
        _ => f64::NAN,
    }
}

/// The x87's format: one sign, fifteen bits of exponent, and a mantissa with its leading one.
fn extended(mantissa: u64, top: u16) -> f64 {
    let sign = if top & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(top & 0x7fff);
    let magnitude = match (exponent, mantissa) {
        (_, 0) => 0.0,
        (0x7fff, _) if mantissa << 1 == 0 => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        // In two steps: the power alone may be too small or too large where the product is not.
        _ => {
            let power = exponent - 16383 - 63;
            let half = power / 2;
            mantissa as f64 * 2f64.powi(half) * 2f64.powi(power - half)
        }
    };
    sign * magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighty_bits_become_sixty_four() {
        let read = |mantissa: u64, top: u16| {
            let mut bytes = mantissa.to_le_bytes().to_vec();
            bytes.extend(top.to_le_bytes());
            match Kind::F80.read(&bytes) {
                Scalar::Float(value) => value,
                Scalar::Integer(_) => unreachable!("a float"),
            }
        };
        assert_eq!(read(1 << 63, 0x3fff), 1.0);
        assert_eq!(read(3 << 62, 0xbfff), -1.5);
        assert_eq!(read(1 << 63, 0x7fff), f64::INFINITY);
        assert!(read(3 << 62, 0x7fff).is_nan());
        assert_eq!(read(0, 0), 0.0);
        assert_eq!(read(1 << 63, 0x7ffe), f64::INFINITY, "larger than any of 64 bits");
        assert_eq!(read(1 << 63, 16383 + 1023), 2f64.powi(1023));
    }

    #[test]
    fn common_kinds_are_those_of_c() {
        assert_eq!(Kind::I8.common(Kind::U16), Kind::I32);
        assert_eq!(Kind::I32.common(Kind::U32), Kind::U32);
        assert_eq!(Kind::U32.common(Kind::I64), Kind::I64);
        assert_eq!(Kind::I64.common(Kind::U64), Kind::U64);
        assert_eq!(Kind::U64.common(Kind::F32), Kind::F32);
    }
}
