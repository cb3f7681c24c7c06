//! Whether the C library has a buffer for standard output, in a search.
//!
//! What goes to the terminal is no part of a state, and a buffer in front of it would only make states
//! differ: there is none. What goes to a pipe, a socket or a file is read by others, and when they get
//! it is decided by the library's own buffer: there it stays. The library looks where its output goes when
//! it first uses it; so up to then every change of descriptor 1 is followed.

use steam_linux::boot;
use steam_linux::kernel::{Loan, Object};

use crate::machine::Machine;

/// The bit of glibc's `_flags` that says that there is no buffer.
const UNBUFFERED: u32 = 2;
/// Where `_IO_buf_base` lies in glibc's `FILE`: zero as long as it was not used.
const BUFFER: u32 = 28;

impl Machine {
    /// Whether others may read what the process on the CPU writes to its standard output; none if it is
    /// closed.
    pub(crate) fn shows_output(&self) -> Option<bool> {
        let (_, description) = self.system.description(1).ok()?;
        Some(matches!(description.object, Object::File(_)) || description.object.is_channel())
    }

    /// Leaves out of a program that begins what would only make states differ.
    pub(crate) fn simplify_library(&mut self) {
        boot::simplify(&self.image, &mut self.cpu.memory);
        if self.shows_output() != Some(true) {
            self.set_buffered(false);
        }
    }

    /// Follows a change of what standard output is, from `before` on.
    pub(crate) fn follow_output(&mut self, before: Option<bool>) {
        let now = self.shows_output();
        // What lives in the memory of its parent has another table of descriptors.
        if self.system.process.loan != Loan::None {
            return;
        }
        if let Some(shows) = now.filter(|_| now != before) {
            self.unwatched(|machine| machine.set_buffered(shows));
        }
    }

    /// Whether standard output was in use before others could read it, and so has no buffer.
    pub(crate) fn lost_buffer(&mut self) -> bool {
        if self.shows_output() != Some(true) {
            return false;
        }
        // Another library has its own way, which is left alone.
        let Some(output) = boot::variable(&self.image, "_IO_2_1_stdout_") else { return false };
        let memory = &mut self.cpu.memory;
        memory.peek(output).is_some_and(|flags| flags & UNBUFFERED != 0)
            && memory.peek(output + BUFFER).is_some_and(|buffer| buffer != 0)
    }

    /// Says whether standard output gets a buffer, if it was not used yet.
    fn set_buffered(&mut self, buffered: bool) {
        // Another library: its output is as it makes it.
        let Some(output) = boot::variable(&self.image, "_IO_2_1_stdout_") else { return };
        let memory = &mut self.cpu.memory;
        // It is in use already, or the program has unmapped it.
        let (Some(flags), Some(0)) = (memory.peek(output), memory.peek(output + BUFFER)) else {
            return;
        };
        let flags = if buffered { flags & !UNBUFFERED } else { flags | UNBUFFERED };
        if memory.write_bytes(output, &flags.to_le_bytes()).is_err() {
            memory.take_error();
        }
    }
}
