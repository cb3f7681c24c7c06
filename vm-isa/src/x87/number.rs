//! Binary floating point in integers: numbers taken apart, exact arithmetic, one rounding step.
//!
//! Every format of the x87 and of SSE goes through here: a number is unpacked into [`Parts`],
//! an operation yields an [`Exact`] result (128 bits of significand, the last one sticky), and
//! [`round`] cuts it to a [`Format`]. Rounding happens exactly once, so precision control and
//! tininess after rounding come out as on the real CPU. NaNs are the caller's business, because
//! x87 and SSE choose among them by different rules.

mod exact;
mod parts;
mod rounding;

pub use exact::{Exact, add, divide, multiply, square_root};
pub use parts::{Integer, Kind, Parts, compare, to_integer};
pub use rounding::{Format, Rounded, Rounding, round};

/// Invalid operation.
pub const INVALID: u16 = 0x01;
/// Denormal operand.
pub const DENORMAL: u16 = 0x02;
/// Division by zero.
pub const ZERO_DIVIDE: u16 = 0x04;
/// Overflow.
pub const OVERFLOW: u16 = 0x08;
/// Underflow.
pub const UNDERFLOW: u16 = 0x10;
/// Inexact result.
pub const PRECISION: u16 = 0x20;

/// The integer bit of a left-aligned significand.
pub const INTEGER_BIT: u64 = 1 << 63;
/// The bit that makes a NaN quiet, in a left-aligned significand.
pub const QUIET_BIT: u64 = 1 << 62;
