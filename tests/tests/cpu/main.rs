//! Instructions against the host CPU, a family a file, and the decoder against any bytes.

mod bits;
mod bytes;
mod control;
mod decoder;
mod integer;
mod mmx;
mod sequence;
mod sse;
mod sse2_integer;
mod sse4;
mod stack;
mod string;
mod x87;
