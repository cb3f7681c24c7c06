//! What a thread does next, in a state of a search.

use steam_state::Access;
use steam_sync::Operation;

/// The next visible operation of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pending {
    /// It goes on where it stands.
    #[default]
    Continue,
    /// It goes on where it stands, having run for long without a visible operation.
    Cut,
    /// The instruction at eip touches a shared word.
    Access {
        /// The access.
        access: Access,
        /// Whether the instruction does all its accesses at once.
        whole: bool,
    },
    /// A synchronisation operation; eip is at the function's first byte, or after a request.
    Sync {
        /// What it does.
        operation: Operation,
        /// Whether it is a function's second half, such as the return from a wait.
        second_half: bool,
        /// The shared memory that its function touches beside its objects.
        touches: Vec<Access>,
    },
    /// The function at eip, as one step.
    Function(u16),
    /// The function at eip, as one step, once a thread has ended: the thread whose thread-local
    /// storage lies at an address.
    Join {
        /// The number that the thread has, as long as it lives.
        thread: u32,
        /// The address.
        storage: u32,
        /// The shared memory that the function touches: where the thread's result goes.
        touches: Vec<Access>,
    },
    /// The system call before eip.
    SystemCall,
    /// The system call at eip, in which the thread waits.
    Waiting,
    /// A request; eip is after it.
    Request {
        /// Its number.
        number: u8,
        /// Its argument.
        argument: u32,
    },
}

impl Pending {
    /// An operation whose function touches shared memory beside its objects.
    pub fn sync(operation: Operation, touches: Vec<Access>) -> Self {
        Self::Sync { operation, second_half: false, touches }
    }

    /// The second half of a function.
    pub fn second_half(operation: Operation) -> Self {
        Self::Sync { operation, second_half: true, touches: Vec::new() }
    }

    /// Whether a part of it is done already, so that it cannot be begun again: the second half of a function,
    /// or a request after which the thread stands.
    pub fn is_half(&self) -> bool {
        match self {
            Self::Sync { operation, second_half, .. } => *second_half || operation.is_request(),
            _ => false,
        }
    }

    /// The shared memory that it touches beside what it does, where that is known without doing it.
    pub fn touches(&self) -> &[Access] {
        match self {
            Self::Sync { touches, .. } | Self::Join { touches, .. } => touches,
            _ => &[],
        }
    }
}

/// What a thread runs as a whole, without a step of another thread between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AtomicBlock {
    /// Nothing.
    #[default]
    None,
    /// A function, until it returns.
    Function {
        /// Where it returns to.
        site: u32,
        /// The stack pointer at its first byte.
        esp: u32,
        /// Which function it is.
        function: u16,
        /// Its first arguments, whose places are its own to change.
        arguments: [u32; 3],
        /// How deep in requests it was called.
        requested: u32,
        /// If it creates a thread: from where to where the memory reaches that it has mapped for the stack; empty
        /// if it has mapped none.
        creates: Option<(u32, u32)>,
    },
    /// What the library does before it calls a thread's function.
    Beginning {
        /// The function.
        function: u32,
    },
    /// What the library does when a thread's function has returned.
    Ending,
    /// What stands between two requests, which may be nested so deep.
    Requested(u32),
}

impl AtomicBlock {
    /// What a thread runs as a whole when a function has returned that was called so deep in
    /// requests.
    pub fn after_function(requested: u32) -> Self {
        if requested == 0 { Self::None } else { Self::Requested(requested) }
    }
}
