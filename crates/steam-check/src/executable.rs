//! Where a program comes from, and the executable that it is: read from its file, or compiled first.

use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steam_compile::{Build, Scratch, include_directory};
use steam_image::{FILE_LIMIT, Image, read_regular, show_sources_within};
use steam_trail::sha256;

use crate::error::Error;
use crate::guest::Guest;

/// Where a program comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is there.
    Executable(PathBuf),
    /// It must be compiled first.
    Build(Build),
}

impl Origin {
    /// What the guest finds as its own name: the path as given, for sources the path of the first one without
    /// its ending.
    pub fn guest_name(&self) -> Vec<u8> {
        match self {
            Self::Executable(path) => path.as_os_str().as_bytes().to_vec(),
            Self::Build(build) => {
                let first = build.inputs.first().map_or(Path::new("program"), PathBuf::as_path);
                first.with_extension("").into_os_string().into_vec()
            }
        }
    }

    /// The files that it consists of.
    fn files(&self) -> &[PathBuf] {
        match self {
            Self::Executable(path) => std::slice::from_ref(path),
            Self::Build(build) => &build.inputs,
        }
    }

    /// The folders whose files may be shown: where we are, where the program or its sources are, and where the
    /// headers of compilers lie.
    fn source_folders(&self) -> Vec<PathBuf> {
        let folder = |file: &PathBuf| Some(file.canonicalize().ok()?.parent()?.to_owned());
        let system = ["/usr/include", "/usr/lib", "/usr/local/include", "/rustc"];
        let system = system.map(PathBuf::from);
        let here = std::env::current_dir().ok();
        let folders = self.files().iter().filter_map(folder).chain(system);
        folders.chain(include_directory()).chain(here).collect()
    }
}

/// A program that can be booted.
#[derive(Clone)]
pub struct Executable {
    /// What the machine needs of it.
    pub image: Arc<Image>,
    /// The SHA-256 of its file.
    pub sha256: String,
}

impl Executable {
    /// Reads a program, which is compiled first where it has to be.
    pub fn load(origin: &Origin, guest: &Guest) -> Result<Self, Error> {
        show_sources_within(origin.source_folders());
        match origin {
            Origin::Executable(path) => Self::of(read(path)?),
            Origin::Build(build) => {
                let (mut image, content) = compile(build)?;
                let sha256 = sha256(&content);
                // The compiled file is gone; under the name that the guest sees it finds itself.
                image.content = Some(content.into());
                if let Some(name) = guest.arguments.first() {
                    image.name = String::from_utf8_lossy(name).into_owned();
                }
                Ok(Self { image: Arc::new(image), sha256 })
            }
        }
    }

    fn of((image, content): (Image, Vec<u8>)) -> Result<Self, Error> {
        Ok(Self { image: Arc::new(image), sha256: sha256(&content) })
    }
}

fn read(path: &Path) -> Result<(Image, Vec<u8>), Error> {
    // The image is read first: it refuses what is no regular file, or too large.
    let image =
        Image::read_file(path).map_err(|source| Error::Image { path: path.into(), source })?;
    let content = read_regular(path, FILE_LIMIT);
    Ok((image, content.map_err(|source| Error::Unreadable { path: path.into(), source })?))
}

/// Compiles into a private directory, which is gone before the guest starts.
fn compile(build: &Build) -> Result<(Image, Vec<u8>), Error> {
    let scratch = Scratch::new()?;
    let output = scratch.file("program");
    build.compile_to(&output)?;
    read(&output).map_err(|error| Error::Compiled(Box::new(error)))
}
