//! Uses of what was never written that only the kernel and the library models can see: bytes and registers
//! that are handed to them.
//!
//! The CPU's own shadow finds branches and addresses (`steam_vm`). Here are the system calls whose
//! arguments leave the program: what is written, sent, or names a file. Structures that other calls
//! read are not looked at, since their padding may be what it is.

use steam_linux::syscalls::{self, Reads, Role, SystemCall};
use steam_report::{Cause, User};
use steam_state::{Birth, Context};
use steam_vm::Uninitialised;

use crate::machine::{Ending, Machine};

/// The longest path name.
const LONGEST: u32 = 4096;
/// The most parts that `writev` takes.
const PARTS: u32 = 1024;
/// Where a `msghdr` says where its parts are listed; how many they are follows that.
const MESSAGE_PARTS: u32 = 8;
/// The registers of the first arguments.
const FIRST: [usize; 3] = [Context::EBX, Context::ECX, Context::EDX];

impl Machine {
    /// From now on, looks for uses of what was never written.
    pub fn look_for_uninitialised(&mut self) {
        self.cpu.look_for_uninitialised();
    }

    /// An instruction uses what was never written.
    pub(crate) fn uses_uninitialised(&mut self, found: Uninitialised) -> Ending {
        let (user, birth) = (User::Instruction(found.used), found.birth);
        self.violation(&Cause::Uninitialised { user, birth })
    }

    /// The report, if the system call that comes next is given what was never written.
    pub(crate) fn given_uninitialised(&mut self, call: &'static SystemCall) -> Option<Ending> {
        if !self.cpu.looks_for_uninitialised() {
            return None;
        }
        let [which, place, _] = self.first_registers();
        if call.has(Role::OnSocket) {
            return self.operation_given_uninitialised(syscalls::meant(call, which), place);
        }
        let (name, reads) = (call.name, call.facts?.reads);
        for register in FIRST.into_iter().take(reads.arguments()) {
            if let Some(birth) = self.cpu.take_undefined_register(register) {
                let user = User::Argument(name);
                return Some(self.violation(&Cause::Uninitialised { user, birth }));
            }
        }
        let byte = self.undefined_byte(reads, self.first_registers())?;
        Some(self.uses_byte(User::Bytes(name), byte))
    }

    /// The same for a `socketcall`, whose arguments are in memory.
    fn operation_given_uninitialised(
        &mut self,
        call: &'static SystemCall,
        place: u32,
    ) -> Option<Ending> {
        let (name, reads) = (call.name, call.facts?.reads);
        let size = 4 * reads.arguments() as u32;
        if let Some(byte) = self.cpu.memory.first_undefined(place, size) {
            return Some(self.uses_byte(User::Argument(name), byte));
        }
        let mut values = [0; FIRST.len()];
        for (value, at) in values.iter_mut().zip((place..).step_by(4)) {
            *value = self.cpu.memory.peek(at)?;
        }
        let byte = self.undefined_byte(reads, values)?;
        Some(self.uses_byte(User::Bytes(name), byte))
    }

    fn first_registers(&self) -> [u32; FIRST.len()] {
        FIRST.map(|register| self.cpu.gpr[register])
    }

    /// The first byte that was never written, of those that a call with these arguments takes.
    fn undefined_byte(&mut self, reads: Reads, values: [u32; FIRST.len()]) -> Option<u32> {
        match reads {
            Reads::Nothing | Reads::Arguments(_) => None,
            Reads::Bytes => self.cpu.memory.first_undefined(values[1], values[2]),
            Reads::Parts => self.undefined_part(values[1], values[2]),
            Reads::Message => {
                let list = values[1].wrapping_add(MESSAGE_PARTS);
                let count = self.cpu.memory.peek(list.wrapping_add(4))?;
                let list = self.cpu.memory.peek(list)?;
                self.undefined_part(list, count)
            }
            Reads::Path(count) => {
                let start = values[count - 1];
                let size = self.length(start);
                self.cpu.memory.first_undefined(start, size)
            }
        }
    }

    /// The first byte that was never written, of the parts that a list names.
    fn undefined_part(&mut self, list: u32, count: u32) -> Option<u32> {
        (0..count.min(PARTS)).find_map(|part| {
            let at = list.wrapping_add(8 * part);
            let memory = &mut self.cpu.memory;
            let (start, size) = (memory.peek(at)?, memory.peek(at.wrapping_add(4))?);
            memory.first_undefined(start, size)
        })
    }

    fn uses_byte(&mut self, user: User, byte: u32) -> Ending {
        let birth: Birth = self.cpu.birth_at(byte);
        self.cpu.memory.make_defined(byte, 1);
        self.violation(&Cause::Uninitialised { user, birth })
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
