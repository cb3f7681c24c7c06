//! `steam cc`, `steam c++`: the user's compiler with the flags that guests need.

use std::ffi::OsString;
use std::process::Command;

use anyhow::{anyhow, bail};

use crate::compiler::{self, Drivers, Language, Shipped, Verifier};
use crate::interrupt;
use crate::outcome::Outcome;

/// Calls the compiler; its exit status is ours.
pub fn cc(called_as: Language, words: &[OsString]) -> anyhow::Result<Outcome> {
    compile(&Drivers::choose(None), called_as, words)
}

/// Calls a compiler and waits for it. Where it fails because the machine lacks something, what to
/// type is said on standard error.
pub fn compile(
    drivers: &Drivers,
    called_as: Language,
    words: &[OsString],
) -> anyhow::Result<Outcome> {
    // Who interrupts us interrupts the compiler, too; what lies in temporary folders is still to be removed.
    interrupt::outlive(|| compile_by(drivers, called_as, words))?
}

fn compile_by(
    drivers: &Drivers,
    called_as: Language,
    words: &[OsString],
) -> anyhow::Result<Outcome> {
    let shipped = Shipped::find()?;
    let (language, mut arguments) = compiler::arguments(called_as, words, &shipped)?;
    let verifier = Verifier::for_words(drivers, words, &shipped)?;
    arguments.extend(verifier.as_ref().map(|verifier| verifier.object().into_os_string()));
    let driver = drivers.of(language);
    let Some((program, first)) = driver.split_first() else { bail!("no compiler is named") };
    let status = Command::new(program).args(first).args(arguments).status().map_err(|error| {
        anyhow!(
            "cannot start the compiler `{}` ({error}); type\n    {}\nor name another one in \
             STEAM_CC and STEAM_CXX",
            driver.join(" "),
            compiler::advice()
        )
    })?;
    if !status.success() {
        compiler::explain_failure(driver, language);
    }
    Ok(status.into())
}
