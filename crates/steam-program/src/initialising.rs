//! Blocks that a thread has just allocated, which it initialises before any other thread can know of them.
//!
//! The locking discipline lets one thread, fixed in advance, initialise an object without a lock, as long as
//! it does nothing that others can see between its first and its last access for that (Stoller's atomic block
//! 9). Of a block of the heap that thread is the one that allocates it, and its initialisation lasts until
//! it synchronises, creates a thread, makes a system call or touches a word that it shares with others. Whether
//! an access is part of that depends on what its own thread has done, never on the order of threads.
//! So the blocks are part of what a thread is, where the discipline is checked. A search that uses the
//! discipline to leave out steps does not rely on this: there, such accesses are accesses like others.

use steam_state::{Access, Context};

use super::step::Worker;
use crate::machine::Machine;

/// The functions whose results are new blocks.
const ALLOCATORS: [&str; 6] =
    ["malloc", "calloc", "memalign", "aligned_alloc", "valloc", "pvalloc"];

impl Worker {
    fn follows_blocks(&self) -> bool {
        self.machine.stores.sharing.discipline().judges()
    }

    /// The thread on the CPU has called a function of the library.
    pub(super) fn note_fresh_block(&mut self, id: u16) {
        if !self.follows_blocks() {
            return;
        }
        let Machine { models, system, cpu, .. } = &mut self.machine;
        let row = models.row(id).expect("a function is known by its model");
        if !ALLOCATORS.contains(&row.name) {
            return;
        }
        // Where nothing was allocated there is no block.
        let Some(block) = system.heap.get(cpu.gpr[Context::EAX]) else { return };
        let live = system.threads.live(system.current).expect("who has called a function lives");
        let fresh = (block.address, block.address + block.size.max(1) - 1);
        // A block that was freed since may have lain there.
        live.fresh.retain(|&(start, last)| last < fresh.0 || start > fresh.1);
        live.fresh.push(fresh);
    }

    /// The thread on the CPU does something that others may see: they may know of its blocks from now on.
    pub(super) fn publish_blocks(&mut self) {
        if self.follows_blocks() {
            self.machine.system.own_thread().fresh.clear();
        }
    }

    /// The same for an access to memory, unless it is to one of these blocks.
    pub(super) fn publish_blocks_by(&mut self, access: Access) {
        if !self.follows_blocks() {
            return;
        }
        let live = self.machine.system.own_thread();
        let sharing = &self.machine.stores.sharing;
        let first = access.place.address() & !3;
        let last = access.place.address().saturating_add(access.size.max(1) - 1);
        let mut words = (first..=last).step_by(4).map(|word| access.place.space().at(word));
        if !covers(&live.fresh, access) && words.any(|word| sharing.is_shared(word)) {
            live.fresh.clear();
        }
    }

    /// The blocks that the thread on the CPU initialises; none if it has just ended.
    pub(super) fn fresh_blocks(&mut self) -> Vec<(u32, u32)> {
        let system = &mut self.machine.system;
        system.threads.live(system.current).map(|live| live.fresh.clone()).unwrap_or_default()
    }
}

/// Whether an access touches one of some blocks, and nothing else.
pub(super) fn covers(blocks: &[(u32, u32)], access: Access) -> bool {
    let last = access.address.saturating_add(access.size.max(1) - 1);
    blocks.iter().any(|&(start, end)| start <= access.address && last <= end)
}
