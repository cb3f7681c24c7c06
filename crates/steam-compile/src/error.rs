//! Every reason why nothing was compiled, each with the sentence that tells the user what to do.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use thiserror::Error as Described;

/// Why nothing was compiled.
#[derive(Debug, Described)]
pub enum Error {
    /// The temporary directory takes no files.
    #[error("cannot write to {} (set TMPDIR)", .directory.display())]
    Temporary {
        /// The directory.
        directory: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// All names are taken.
    #[error("no free name for a temporary directory in {}", .directory.display())]
    NoName {
        /// Where.
        directory: PathBuf,
    },
    /// A file that is shipped with steam cannot be unpacked.
    #[error("cannot write {}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The command of the compiler is empty.
    #[error("no compiler is named")]
    NoCompiler,
    /// A guest cannot use shared libraries.
    #[error(
        "-shared makes a shared library, but guests are static programs: make an archive \
         instead, `ar rcs libx.a a.o b.o`, and link the program with it"
    )]
    SharedLibrary,
    /// The compiler is not there.
    #[error(
        "cannot start the compiler `{driver}` ({error}); type\n    {advice}\nor name another one in \
         STEAM_CC and STEAM_CXX"
    )]
    NotStarted {
        /// Its command.
        driver: String,
        /// What the system says.
        error: io::Error,
        /// What to type on this machine.
        advice: String,
    },
    /// The compiler is not there for the functions of verifiers.
    #[error("cannot start the compiler `{program}`")]
    NotStartedForVerifier {
        /// Its name.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// The functions of verifiers are no C for this compiler.
    #[error("{} cannot be compiled", .source_file.display())]
    Verifier {
        /// Their file.
        source_file: PathBuf,
    },
    /// The compiler refused the user's sources; why, it said itself.
    #[error("{}", .failure.message())]
    Failed {
        /// How it ended.
        failure: Failure,
        /// What to type where the reason is the machine and not the source.
        advice: Option<String>,
    },
}

/// How a compiler ended without a program.
#[derive(Debug)]
pub struct Failure {
    /// Its exit status.
    pub status: ExitStatus,
    /// What else to try.
    pub hint: &'static str,
}

impl Failure {
    fn message(&self) -> String {
        match self.status.code() {
            Some(status) => {
                let hint = self.hint;
                format!("the compiler failed with exit status {status}; nothing was run{hint}")
            }
            None => "the compiler was ended by a signal; nothing was run".to_owned(),
        }
    }
}
