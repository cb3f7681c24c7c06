//! The user's compiler with the flags that guests need: which one, which flags, and what to say
//! when it cannot make 32-bit programs.

mod drivers;
mod invocation;
mod mentions;
mod missing;
mod shipped;
mod verifier;

pub use drivers::{Drivers, Language};
pub use invocation::{InputKind, arguments};
pub use missing::{PROBES, advice, explain_failure, install};
pub use shipped::{Shipped, include_directory};
pub use verifier::Verifier;
