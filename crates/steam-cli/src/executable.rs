//! The executable that a plan names: read from its file, or compiled first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use steam_compile::{Build, Error, Scratch, include_directory};
use steam_image::{FILE_LIMIT, Image, read_regular, show_sources_within};
use steam_trail::sha256;

use crate::config::{Guest, Program};
use crate::interrupt;
use crate::terminal;

/// A program that can be booted.
pub struct Executable {
    /// What the machine needs of it.
    pub image: Arc<Image>,
    /// The SHA-256 of its file.
    pub sha256: String,
}

/// Reads a program, which is compiled first where it has to be.
pub fn load(program: &Program, guest: &Guest) -> anyhow::Result<Executable> {
    show_sources_within(source_folders(program));
    match program {
        Program::Executable(path) => read(path).with_context(|| path.display().to_string()),
        Program::Build(build) => {
            let (mut image, content) = compile(build)?;
            let sha256 = sha256(&content);
            // The compiled file is gone; under the name that the guest sees it finds itself.
            image.content = Some(content.into());
            if let Some(name) = guest.arguments.first() {
                image.name = String::from_utf8_lossy(name).into_owned();
            }
            Ok(Executable { image: Arc::new(image), sha256 })
        }
    }
}

/// The folders whose files may be shown: where we are, where the program or its sources are, and where the
/// headers of compilers lie.
fn source_folders(program: &Program) -> Vec<PathBuf> {
    let files = match program {
        Program::Executable(path) => std::slice::from_ref(path),
        Program::Build(build) => &build.inputs,
    };
    let folder = |file: &PathBuf| Some(file.canonicalize().ok()?.parent()?.to_owned());
    let system = ["/usr/include", "/usr/lib", "/usr/local/include", "/rustc"].map(PathBuf::from);
    let ours = include_directory();
    let here = std::env::current_dir().ok();
    files.iter().filter_map(folder).chain(system).chain(ours).chain(here).collect()
}

fn read(path: &Path) -> anyhow::Result<Executable> {
    let (image, content) = read_parts(path)?;
    Ok(Executable { image: Arc::new(image), sha256: sha256(&content) })
}

fn read_parts(path: &Path) -> anyhow::Result<(Image, Vec<u8>)> {
    // The image is read first: it refuses what is no regular file, or too large.
    let image = Image::read_file(path)?;
    Ok((image, read_regular(path, FILE_LIMIT)?))
}

/// Compiles into a private directory, which is gone before the guest starts.
fn compile(build: &Build) -> anyhow::Result<(Image, Vec<u8>)> {
    let scratch = Scratch::new()?;
    let output = scratch.file("program");
    compile_to(build, &output)?;
    read_parts(&output).context("the compiled program")
}

/// Compiles into a file.
pub fn compile_to(build: &Build, output: &Path) -> anyhow::Result<()> {
    let compiled = interrupt::outlive(|| build.compile_to(output))?;
    if let Err(Error::Failed { advice: Some(advice), .. }) = &compiled {
        terminal::complain(advice);
    }
    Ok(compiled?)
}
