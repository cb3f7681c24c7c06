//! `steam cc`, `steam c++`: the user's compiler with the flags that guests need.

use std::ffi::OsString;

use steam_compile::{Drivers, Language, call};

use crate::interrupt;
use crate::outcome::Outcome;
use crate::terminal;

/// Calls the compiler; its exit status is ours.
pub fn cc(called_as: Language, words: &[OsString]) -> anyhow::Result<Outcome> {
    // Who interrupts us interrupts the compiler, too; what lies in temporary folders is still to be removed.
    let called = interrupt::outlive(|| call(&Drivers::choose(None), called_as, words))??;
    called.advice.iter().for_each(|advice| terminal::complain(advice));
    Ok(called.status.into())
}
