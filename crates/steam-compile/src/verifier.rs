//! The functions of the software-verification competition and of other checkers, for programs that use them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::drivers::{Drivers, Language};
use crate::error::Error;
use crate::invocation::Invocation;
use crate::mentions::Mentions;
use crate::scratch::Scratch;
use crate::shipped::Shipped;

/// The compiled functions; the file is gone when this is.
pub struct Verifier {
    scratch: Scratch,
}

impl Verifier {
    /// Compiles the functions if a command line links a program that mentions one of them.
    pub fn for_words(
        drivers: &Drivers,
        words: &[OsString],
        shipped: &Shipped,
    ) -> Result<Option<Self>, Error> {
        let invocation = Invocation::read(words);
        if invocation.no_link || !Mentions::of(&invocation).verifier {
            return Ok(None);
        }
        let verifier = Self { scratch: Scratch::new()? };
        verifier.compile(drivers, shipped)?;
        Ok(Some(verifier))
    }

    /// The object file to link.
    pub fn object(&self) -> PathBuf {
        self.scratch.file("verifier.o")
    }

    /// Without -g: reports are to name the program's line and not one of ours.
    fn compile(&self, drivers: &Drivers, shipped: &Shipped) -> Result<(), Error> {
        let (program, first) = drivers.of(Language::C).split_first().ok_or(Error::NoCompiler)?;
        let mut command = Command::new(program);
        command.args(first).args(["-m32", "-O1", "-fno-omit-frame-pointer", "-c"]);
        command.arg(shipped.verifier()).arg("-I").arg(shipped.include());
        let output =
            command.arg("-o").arg(self.object()).output().map_err(|source| {
                Error::NotStartedForVerifier { program: program.clone(), source }
            })?;
        if !output.status.success() {
            return Err(Error::Verifier { source_file: shipped.verifier() });
        }
        Ok(())
    }
}
