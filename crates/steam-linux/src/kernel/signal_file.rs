//! What `signalfd` makes: a set of signals that are read.

use steam_state::ThreadId;

/// Signals behind a descriptor: whoever reads gets those of its own thread and process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SignalFile {
    /// The signals; bit 0 is signal 1.
    pub set: u64,
    /// The first thread of the process that has `epoll` watch it.
    pub watcher: Option<ThreadId>,
}
