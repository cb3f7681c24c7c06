//! One call of a compiler: the user's words with ours, started and waited for.

use std::ffi::OsString;
use std::process::{Command, ExitStatus};

use crate::drivers::{Drivers, Language};
use crate::error::Error;
use crate::invocation::arguments;
use crate::missing::{advice, what_is_missing};
use crate::shipped::Shipped;
use crate::verifier::Verifier;

/// A compiler that has ended.
#[derive(Debug)]
pub struct Called {
    /// How.
    pub status: ExitStatus,
    /// What to type, where it failed because the machine lacks something.
    pub advice: Option<String>,
}

/// Calls a compiler and waits for it.
pub fn call(drivers: &Drivers, called_as: Language, words: &[OsString]) -> Result<Called, Error> {
    let shipped = Shipped::find()?;
    let (language, mut arguments) = arguments(called_as, words, &shipped)?;
    let verifier = Verifier::for_words(drivers, words, &shipped)?;
    arguments.extend(verifier.as_ref().map(|verifier| verifier.object().into_os_string()));
    let driver = drivers.of(language);
    let (program, first) = driver.split_first().ok_or(Error::NoCompiler)?;
    let status = Command::new(program).args(first).args(arguments).status();
    let status = status.map_err(|error| Error::NotStarted {
        driver: driver.join(" "),
        error,
        advice: advice(),
    })?;
    let failed = !status.success();
    Ok(Called { status, advice: failed.then(|| what_is_missing(driver, language)).flatten() })
}
