//! Every reason why there is no report: what the user gave does not fit, and the message says how.

use std::io;
use std::path::PathBuf;

use steam_explain::PrintError;
use steam_image::ImageError;
use steam_linux::boot::BootError;
use steam_session::Mismatch;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program's sources do not become an executable.
    #[error(transparent)]
    Compile(#[from] steam_compile::Error),
    /// The program's file is no executable that can be run.
    #[error("{}", .path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        source: ImageError,
    },
    /// The program's file cannot be read.
    #[error("{}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What was compiled is no executable that can be run.
    #[error("the compiled program")]
    Compiled(#[source] Box<Error>),
    /// What the guest would read as standard input is not there.
    #[error("--stdin {}", .path.display())]
    Stdin {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The program cannot be loaded into the machine.
    #[error("{name} cannot be started")]
    Boot {
        /// Its name.
        name: String,
        /// Why.
        source: BootError,
    },
    /// Options that no search can fulfil together.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// An expression that is to be shown is not understood.
    #[error(transparent)]
    Print(#[from] PrintError),
    /// What was asked for means nothing for this program, or not by this search.
    #[error("{0}")]
    Unfit(String),
    /// A trail says what this version does not understand.
    #[error("{0}")]
    Trail(String),
}

impl Error {
    /// What to type, where nothing was compiled because the machine lacks something.
    pub fn advice(&self) -> Option<&str> {
        match self {
            Self::Compile(steam_compile::Error::Failed { advice, .. }) => advice.as_deref(),
            _ => None,
        }
    }
}

/// Ends with [`Error::Unfit`], as `bail!` would.
macro_rules! unfit {
    ($($text:tt)+) => {
        return Err($crate::error::Error::Unfit(format!($($text)+)))
    };
}

pub(crate) use unfit;
