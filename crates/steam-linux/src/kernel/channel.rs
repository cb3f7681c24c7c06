//! What processes communicate by, each a part of the state of its own.

use super::counter::Counter;
use super::direction::Direction;
use super::mail_queue::MailQueue;
use super::pipe::Pipe;
use super::queue::MessageQueue;
use super::semaphores::SemaphoreSet;
use super::signal_file::SignalFile;
use super::socket::Socket;
use super::timer_file::TimerFile;
use super::watch::Watch;

/// A channel between processes, or between threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Channel {
    /// Not in use.
    #[default]
    None,
    /// A pipe.
    Pipe(Pipe),
    /// A socket.
    Socket(Socket),
    /// One direction of a connection between sockets.
    Direction(Direction),
    /// System V semaphores.
    Semaphores(SemaphoreSet),
    /// A System V message queue.
    Queue(MessageQueue),
    /// A POSIX message queue.
    MailQueue(MailQueue),
    /// What `epoll` watches.
    Watch(Watch),
    /// What `eventfd` counts.
    Counter(Counter),
    /// A timer of `timerfd`.
    TimerFile(TimerFile),
    /// What `signalfd` reads.
    SignalFile(SignalFile),
}
