//! Signals that come late: a thread goes on although a signal waits for it.
//!
//! Who sends a signal to a thread that runs only asks its CPU to look for it. The thread may do more before it looks,
//! and see what the sender did after it had sent the signal. It looks when it leaves the kernel: behind a system call
//! no signal waits any longer. So a thread for which a signal is due either takes it, or does its pending operation
//! first; where that calls the system, or waits in a call that can be done now, the signal is taken right after it.
//!
//! A signal is not postponed forever: a thread that would loop in vain meanwhile is not a finding, and a cycle along
//! which a signal could always be taken is not fair (`Program::justice`).

use steam_linux::kernel::{AtomicBlock, Disposition};

use super::action::{Action, Choice};
use super::long_runs::Looped;
use super::step::Worker;

/// What becomes of a signal that is due for the thread on the CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Postponed {
    /// None was due when the step began: one that comes up is the thread's own doing, and is taken at once.
    #[default]
    Nothing,
    /// One was due, and the thread goes on.
    Waits,
    /// The same, and the thread has left the kernel since.
    Ripe,
}

impl Worker {
    /// The thread on the CPU begins a step: whether it goes on although a signal is due.
    pub(super) fn note_postponed(&mut self, choice: Choice) {
        self.postponed = match !choice.takes_signal() && self.is_own_signal_due() {
            true => Postponed::Waits,
            false => Postponed::Nothing,
        };
    }

    /// The thread on the CPU leaves the kernel.
    pub(super) fn leave_kernel(&mut self) {
        if self.postponed == Postponed::Waits {
            self.postponed = Postponed::Ripe;
        }
    }

    /// Whether the thread on the CPU takes the signal that is due for it now. No handler of one that was
    /// postponed runs within a function that runs as a whole, but for those that send a signal to their own thread.
    pub(super) fn takes_signal_now(&mut self) -> bool {
        let ripe = match self.postponed {
            Postponed::Nothing => true,
            Postponed::Waits => false,
            Postponed::Ripe => {
                self.atomic_block() == AtomicBlock::None
                    || self.is_sending()
                    || !self.is_signal_caught()
            }
        };
        ripe && self.is_own_signal_due()
    }

    /// Whether a handler of the program takes the next signal of the thread on the CPU.
    fn is_signal_caught(&self) -> bool {
        let system = &self.machine.system;
        let action = system.next_signal().map(|signal| system.process.action(signal).disposition);
        matches!(action, Some(Disposition::Handler(_)))
    }

    /// Notes that the thread on the CPU loops forever, unless a signal waits for it, which ends that.
    pub(super) fn note_looped(&mut self, looped: Looped) {
        if self.postponed == Postponed::Nothing {
            self.looped = looped;
        }
    }

    /// Whether the thread on the CPU is in a function that sends a signal, maybe to itself.
    pub(super) fn is_sending(&mut self) -> bool {
        // Elsewhere signals are sent by system calls, after which they are delivered at once.
        let AtomicBlock::Function { function, .. } = self.atomic_block() else { return false };
        let row = self.model_of(function);
        matches!(row.name, "pthread_kill" | "pthread_sigqueue" | "abort")
    }

    fn is_own_signal_due(&self) -> bool {
        let system = &self.machine.system;
        // A thread that has just ended takes none.
        let record = system.threads.get(system.current);
        record.is_some_and(|record| system.is_due(system.space, system.current, record))
    }
}

/// As whose deed fairness counts an action: that a thread takes a signal is not the same as that it goes on.
pub(super) fn justice(action: Action) -> u32 {
    2 * action.thread.0 + u32::from(action.chosen().takes_signal())
}
