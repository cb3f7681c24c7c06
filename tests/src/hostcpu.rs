//! Instruction tests: the same bytes on the host CPU and in the machine, compared.
//!
//! A [`row::Row`] of an instruction table gives encodings ([`template`], [`address`]) and initial
//! states ([`state`]); a [`family::Family`] runs them on the CPU ([`native`]) and in the machine
//! ([`machine`], through [`subject`]), and [`compare`] judges all that the architecture defines.

pub mod address;
pub mod case;
pub mod compare;
pub mod family;
pub mod machine;
pub mod native;
pub mod random;
pub mod row;
pub mod state;
pub mod subject;
pub mod template;
pub mod undefined;
