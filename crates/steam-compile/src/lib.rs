//! The user's compilers with the flags that guests need: which one is called, with which flags, and what to
//! type when it cannot make 32-bit programs.
//!
//! Data flow: words of a command line -> [`Drivers`], flags, files that are shipped -> a compiler of the host
//! -> an executable. Knows no machine and prints nothing; what a compiler prints is the compiler's own.

mod call;
mod drivers;
mod error;
mod invocation;
mod mentions;
mod missing;
mod program;
mod scratch;
mod shipped;
mod verifier;

pub use call::{Called, call};
pub use drivers::{Drivers, Language};
pub use error::Error;
pub use invocation::InputKind;
pub use missing::{PROBES, Probe, advice, install};
pub use program::Build;
pub use scratch::Scratch;
pub use shipped::include_directory;
