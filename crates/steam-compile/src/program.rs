//! A program of sources, objects and archives: compiled and linked into one static executable.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::call::{Called, call};
use crate::drivers::{Drivers, Language};
use crate::error::{Error, Failure};
use crate::invocation::InputKind;

/// What is to be compiled, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// Sources, objects and archives, in the order given.
    pub inputs: Vec<PathBuf>,
    /// The C compiler that was asked for.
    pub compiler: Option<String>,
    /// More flags.
    pub flags: Vec<OsString>,
}

impl Build {
    /// Compiles into a file.
    pub fn compile_to(&self, output: &Path) -> Result<(), Error> {
        let drivers = Drivers::choose(self.compiler.as_deref());
        let Called { status, advice } = call(&drivers, Language::C, &self.words(&drivers, output))?;
        match status.success() {
            true => Ok(()),
            false => Err(Error::Failed { failure: Failure { status, hint: self.hint() }, advice }),
        }
    }

    fn words(&self, drivers: &Drivers, output: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = self.inputs.iter().map(OsString::from).collect();
        words.extend(self.flags.iter().cloned());
        if self.has(InputKind::Object) {
            words.extend(cxx_library(drivers));
        }
        words.extend(["-lm".into(), "-o".into(), output.into()]);
        words
    }

    fn has(&self, kind: InputKind) -> bool {
        self.inputs.iter().any(|input| InputKind::of(input) == kind)
    }

    /// What to try where C and C++ are mixed: a file that is called `.c` may be C++ all the same.
    fn hint(&self) -> &'static str {
        if self.compiler.is_none() && self.has(InputKind::C) && self.has(InputKind::Cxx) {
            "\n.c files were compiled as C; `--cc g++` compiles all as C++"
        } else {
            ""
        }
    }
}

/// The library that objects need when they were C++ sources once; costs nothing otherwise.
fn cxx_library(drivers: &Drivers) -> Option<OsString> {
    let (program, first) = drivers.cxx.split_first()?;
    let output = Command::new(program)
        .args(first)
        .args(["-m32", "-print-file-name=libstdc++.a"])
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    // A library that was not found is answered with its bare name.
    path.contains('/').then(|| path.into())
}
