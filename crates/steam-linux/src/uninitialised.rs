//! Uses of what nobody wrote that only the kernel and the library models can see: bytes and registers
//! that are handed to them.
//!
//! The CPU's own shadow finds branches and addresses (`steam_vm`). Here are the system calls whose
//! arguments leave the program: what is written, sent, or names a file. Structures that other calls
//! read are not looked at, since their padding may be what it is.

use steam_state::{Birth, Context};
use steam_vm::{Uninitialised, Use};

use crate::ending::Ending;
use crate::machine::Machine;
use crate::report::Cause;

/// Who uses a value that nobody wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum User {
    /// An instruction.
    Instruction(Use),
    /// A system call, in an argument.
    Argument(&'static str),
    /// A system call, in the bytes that it is given.
    Bytes(&'static str),
}

/// What a call takes from memory.
#[derive(Clone, Copy)]
enum Taken {
    Nothing,
    /// The bytes at the second argument, as many as the third says.
    Bytes,
    /// The parts that the second argument lists, as many as the third says.
    Parts,
    /// The name at an argument, counted from 0.
    Path(usize),
}

/// How many arguments of a call must be defined, and what it takes from memory.
fn demands(name: &str) -> (usize, Taken) {
    match name {
        "exit" | "exit_group" | "close" | "dup" => (1, Taken::Nothing),
        "read" | "lseek" | "ioctl" | "kill" | "dup2" => (2, Taken::Nothing),
        "write" | "pwrite64" | "sendto" => (3, Taken::Bytes),
        "writev" | "pwritev" => (3, Taken::Parts),
        "open" | "creat" | "unlink" | "mkdir" | "rmdir" | "chdir" | "access" | "stat64"
        | "lstat64" | "execve" => (1, Taken::Path(0)),
        "openat" | "unlinkat" | "mkdirat" => (2, Taken::Path(1)),
        _ => (0, Taken::Nothing),
    }
}

/// The longest path name.
const LONGEST: u32 = 4096;
/// The most parts that `writev` takes.
const PARTS: u32 = 1024;

impl Machine {
    /// From now on, looks for uses of what nobody wrote.
    pub fn look_for_uninitialised(&mut self) {
        self.cpu.look_for_uninitialised();
    }

    /// An instruction uses what nobody wrote.
    pub(crate) fn uses_uninitialised(&mut self, found: Uninitialised) -> Ending {
        let (user, birth) = (User::Instruction(found.used), found.birth);
        self.violation(&Cause::Uninitialised { user, birth })
    }

    /// The report, if the system call that comes next is given what nobody wrote.
    pub(crate) fn given_uninitialised(&mut self, name: &'static str) -> Option<Ending> {
        if !self.cpu.looks_for_uninitialised() {
            return None;
        }
        let (arguments, taken) = demands(name);
        let order = [Context::EBX, Context::ECX, Context::EDX];
        for register in order.into_iter().take(arguments) {
            if let Some(birth) = self.cpu.take_undefined_register(register) {
                let user = User::Argument(name);
                return Some(self.violation(&Cause::Uninitialised { user, birth }));
            }
        }
        let values = order.map(|register| self.cpu.gpr[register]);
        let byte = match taken {
            Taken::Nothing => None,
            Taken::Bytes => self.cpu.memory.first_undefined(values[1], values[2]),
            Taken::Parts => (0..values[2].min(PARTS)).find_map(|part| {
                let at = values[1].wrapping_add(8 * part);
                let memory = &mut self.cpu.memory;
                let (start, size) = (memory.peek(at)?, memory.peek(at.wrapping_add(4))?);
                memory.first_undefined(start, size)
            }),
            Taken::Path(position) => {
                let start = values[position];
                let size = self.length(start);
                self.cpu.memory.first_undefined(start, size)
            }
        }?;
        let birth: Birth = self.cpu.birth_at(byte);
        self.cpu.memory.make_defined(byte, 1);
        let user = User::Bytes(name);
        Some(self.violation(&Cause::Uninitialised { user, birth }))
    }

    /// How many bytes a string has with its zero, as far as it can be read.
    fn length(&mut self, start: u32) -> u32 {
        let is_zero = |offset: &u32| {
            let at = start.wrapping_add(*offset);
            let word = self.cpu.memory.peek(at & !3).unwrap_or_default();
            word >> (at % 4 * 8) & 0xff == 0
        };
        (0..LONGEST).find(is_zero).map_or(LONGEST, |offset| offset + 1)
    }
}
