//! What processes communicate by, each a part of the state of its own.

use super::pipe::Pipe;
use super::queue::MessageQueue;
use super::semaphores::SemaphoreSet;

/// A channel between processes, or between threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Channel {
    /// Not in use.
    #[default]
    None,
    /// A pipe, or one direction of a connection.
    Pipe(Pipe),
    /// System V semaphores.
    Semaphores(SemaphoreSet),
    /// A System V message queue.
    Queue(MessageQueue),
}
