//! The headers for guests and the functions of verifiers: those of the source tree or of an installation, or else
//! those that are built into this binary, so that a copy of it needs nothing beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::scratch::Scratch;

/// Path below `toolchain`, and text.
type File = (&'static str, &'static str);

macro_rules! file {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../toolchain/", $path)))
    };
}

/// What is built in.
const FILES: &[File] = &[
    file!("include/steam.h"),
    file!("include/IVMThread.h"),
    file!("include/monitor.h"),
    file!("verifier.c"),
];

/// What debug information calls the folder of files that are gone when the compiler is: the same in every build, so
/// that the same source makes the same program.
const NAMED: &str = "/usr/share/steam";

/// Where the files lie while a compiler runs.
pub struct Shipped {
    folder: PathBuf,
    /// The folder, if it is one of ours: gone when this is.
    unpacked: Option<Scratch>,
}

impl Shipped {
    /// Finds the files, or unpacks them.
    pub fn find() -> Result<Self, Error> {
        match beside_program() {
            Some(folder) => Ok(Self { folder, unpacked: None }),
            None => Self::unpack(),
        }
    }

    fn unpack() -> Result<Self, Error> {
        let scratch = Scratch::new()?;
        for (path, text) in FILES {
            let path = scratch.file(path);
            path.parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(&path, text))
                .map_err(|source| Error::Unwritable { path: path.clone(), source })?;
        }
        Ok(Self { folder: scratch.file(""), unpacked: Some(scratch) })
    }

    /// The options by which a compiler finds the headers.
    pub fn options(&self) -> Vec<OsString> {
        let mut options = vec!["-I".into(), self.include().into_os_string()];
        if let Some(scratch) = &self.unpacked {
            let mut renamed = OsString::from("-fdebug-prefix-map=");
            renamed.push(scratch.file("include"));
            renamed.push(format!("={NAMED}/include"));
            options.push(renamed);
        }
        options
    }

    /// The folder of the headers.
    pub fn include(&self) -> PathBuf {
        self.folder.join("include")
    }

    /// The source of the functions of verifiers.
    pub fn verifier(&self) -> PathBuf {
        self.folder.join("verifier.c")
    }
}

/// The headers for guests, if they lie beside this binary.
pub fn include_directory() -> Option<PathBuf> {
    beside_program().map(|folder| folder.join("include"))
}

/// The folder that is shipped with this binary: in the source tree, or beside an installed one.
fn beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let directory = program.parent()?;
    let is_whole = |folder: &PathBuf| FILES.iter().all(|(path, _)| folder.join(path).is_file());
    ["../../toolchain", "../share/steam"]
        .iter()
        .filter_map(|relative| directory.join(Path::new(relative)).canonicalize().ok())
        .find(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_can_be_unpacked_and_goes_away() {
        let shipped = Shipped::unpack().unwrap();
        let header = shipped.include().join("steam.h");
        assert!(std::fs::read_to_string(&header).unwrap().contains("steam_assume"));
        assert!(shipped.verifier().is_file());
        let options = shipped.options();
        assert_eq!(options.len(), 3, "{options:?}");
        drop(shipped);
        assert!(!header.exists());
    }
}
