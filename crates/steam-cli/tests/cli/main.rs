//! The built binary and its scripts, as a user calls them.

mod bench;
mod check;
mod claims;
mod compiler;
mod discipline;
mod ends;
mod hangs;
mod ltl;
mod messages;
mod misuse;
mod place;
mod races;
mod readme;
mod robust;
mod run;
mod scope;
mod setup;
mod show;
mod simulate;
mod suppress;
mod uninitialised;
mod verifier;
