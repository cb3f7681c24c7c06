//! Objects that the program says are atomic, and whether its accesses to them are.
//!
//! Such an access counts as atomic where races are looked for. It is one on a real machine if it is a
//! single load or store of at most eight bytes at an address that its size divides. What is read and
//! written back by one instruction that does not lock the bus is two accesses: others can come between.
//! Where one thread alone writes, its own reads are no steps, and it may do that.
//!
//! What is claimed counts for the whole program, whenever it was said, as `--atomic-var` does: so it must
//! be a global or static object, whose memory is never another one's. Of others the claim counts for
//! nothing, and their races are reported.

use steam_report::Stands;
use steam_state::{Access, Context, RegionKind, Space};
use steam_visibility::{MemoryFact, Watching};

use super::Program;
use super::step::{Flow, Worker};

/// The position of the second argument of a request among the registers.
const EDX: usize = 2;
/// The most bytes that the machine loads or stores at once.
const LARGEST: u32 = 8;

/// Whether the machine does an access at once.
pub(super) fn is_one(access: Access) -> bool {
    access.size.is_power_of_two()
        && access.size <= LARGEST
        && access.address.is_multiple_of(access.size)
}

impl Worker {
    /// The program says that an object is atomic.
    pub(super) fn note_atomic(&mut self, program: &Program) {
        let (start, size) = (self.machine.cpu.gpr[Context::ECX], self.machine.cpu.gpr[EDX]);
        let memory = &self.machine.cpu.memory;
        let place = memory.place(start);
        let region = memory.regions().find(start).map(|(_, region)| region.kind);
        let lasts = matches!(region, Some(RegionKind::Image(_)));
        if program.options.annotations && lasts && size > 0 && place.space() != Space::SHARED {
            memory.policy.sharing().learn(MemoryFact::Atomic { start: place, size });
        }
    }

    /// The thread on the CPU is about to do an access that is a step of its own; whether it has done
    /// another one by the same instruction before.
    pub(super) fn judge_atomic(&mut self, program: &Program, access: Access, again: bool) -> Flow {
        let sharing = &self.machine.stores.sharing;
        if !sharing.is_atomic(access.place, access.size) || self.machine.cpu.locks_the_bus() {
            return Ok(());
        }
        let why = if !is_one(access) {
            "is not aligned, or larger than what is accessed at once"
        } else if again && access.write && self.others_write(access) && !self.only_moves() {
            "reads and writes in two steps"
        } else {
            return Ok(());
        };
        let name = program.cell_name(access.address, access.size);
        let message = format!("{name} is said to be atomic, and an access to it {why}");
        Err(self.lied(message, Stands::At))
    }

    /// Whether the thread on the CPU is not the only one that writes what it writes now.
    fn others_write(&self, access: Access) -> bool {
        let thread = self.machine.cpu.memory.local(self.machine.system.current);
        let word = access.place.space().at(access.place.address() & !3);
        self.machine.stores.sharing.is_seen_by_others(word, thread, false)
    }

    /// Whether the instruction at which the CPU stands moves what it reads to another place: `pop` and
    /// `movs`.
    fn only_moves(&mut self) -> bool {
        let eip = self.machine.cpu.eip;
        const PREFIXES: [u8; 10] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3];
        let bytes = [0, 4].map(|offset| self.word_at(eip.wrapping_add(offset)).to_le_bytes());
        let opcode = bytes.concat().into_iter().find(|byte| !PREFIXES.contains(byte));
        matches!(opcode, Some(0x8f | 0xa4 | 0xa5))
    }
}
