//! What becomes of an object in the copy of memory that a new process gets.

use crate::object::{Object, Thread};

impl Object {
    /// The object in a process that `parent` has forked and that begins as `child`: what the one
    /// held, the other holds; what other threads of the parent held, no thread there will ever release;
    /// and no thread there waits for anything.
    pub fn inherited(mut self, parent: Thread, child: Thread) -> Self {
        let rename = |thread: &mut Thread| {
            if *thread == parent {
                *thread = child;
            }
        };
        match &mut self {
            Self::Mutex(state) => state.owner.iter_mut().for_each(rename),
            Self::Spin(state) => state.owner.iter_mut().for_each(rename),
            Self::Lock(state) => state.owner.iter_mut().for_each(rename),
            Self::ReadWrite(state) => {
                state.writer.iter_mut().for_each(rename);
                state.readers.iter_mut().for_each(rename);
                state.readers.sort_unstable();
            }
            Self::Condition(_) => return Self::Idle,
            Self::Barrier(state) => state.arrived.clear(),
            Self::Idle | Self::Semaphore(_) => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use crate::{LockCall, Patience, ReadWriteCall};

    #[test]
    fn what_the_parent_held_the_child_holds() {
        let mut table = Table::default();
        table.result(1, 8, LockCall::Lock);
        table.result(3, 16, LockCall::Lock);
        for reader in [1, 3] {
            table.result(reader, 24, ReadWriteCall::Read(Patience::Endless));
        }
        let holders = |at: u64| table.0[&at].clone().inherited(Thread(1), Thread(7)).holders();
        assert_eq!(holders(8), [Thread(7)]);
        assert_eq!(holders(16), [Thread(3)], "which is in another process");
        assert_eq!(holders(24), [Thread(3), Thread(7)]);
    }
}
