//! The functions of the software-verification competition, for programs that use them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use steam_image::read_regular;

use super::Language;
use super::drivers::Drivers;
use super::invocation::{Invocation, include_directory, shipped};
use crate::scratch::Scratch;

/// What programs mention that use the functions.
const NAMES: [&[u8]; 2] = [b"__VERIFIER_", b"reach_error"];

/// The compiled functions; the file is gone when this is.
pub struct Verifier {
    scratch: Scratch,
}

impl Verifier {
    /// Compiles the functions if a command line links a program that mentions one of them.
    pub fn for_words(drivers: &Drivers, words: &[OsString]) -> anyhow::Result<Option<Self>> {
        let invocation = Invocation::read(words);
        if invocation.no_link || !invocation.files.iter().any(|file| mentions(file)) {
            return Ok(None);
        }
        let Some(source) = shipped(&["toolchain/verifier.c", "verifier.c"]) else {
            return Ok(None);
        };
        let verifier = Self { scratch: Scratch::new()? };
        verifier.compile(drivers, &source)?;
        Ok(Some(verifier))
    }

    /// The object file to link.
    pub fn object(&self) -> PathBuf {
        self.scratch.file("verifier.o")
    }

    /// Without -g: reports are to name the program's line and not one of ours.
    fn compile(&self, drivers: &Drivers, source: &Path) -> anyhow::Result<()> {
        let Some((program, first)) = drivers.of(Language::C).split_first() else {
            bail!("no compiler is named")
        };
        let mut command = Command::new(program);
        command.args(first).args(["-m32", "-O1", "-fno-omit-frame-pointer", "-c"]).arg(source);
        if let Some(include) = include_directory() {
            command.arg("-I").arg(include);
        }
        let output = command
            .arg("-o")
            .arg(self.object())
            .output()
            .with_context(|| format!("cannot start the compiler `{program}`"))?;
        if !output.status.success() {
            bail!("{} cannot be compiled", source.display());
        }
        Ok(())
    }
}

/// Larger files are not looked into.
const LARGEST: u64 = 256 << 20;

/// Whether a source, object or archive has one of the names in it.
fn mentions(file: &Path) -> bool {
    let Ok(bytes) = read_regular(file, LARGEST) else { return false };
    NAMES.iter().any(|name| bytes.windows(name.len()).any(|part| part == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_that_mention_them_get_the_functions() {
        let scratch = Scratch::new().unwrap();
        let (with, without) = (scratch.file("with.c"), scratch.file("without.c"));
        std::fs::write(&with, "int main(void) { return __VERIFIER_nondet_int(); }").unwrap();
        std::fs::write(&without, "int main(void) { return 0; }").unwrap();
        assert!(mentions(&with));
        assert!(!mentions(&without));
        assert!(!mentions(&scratch.file("absent.c")));
    }
}
