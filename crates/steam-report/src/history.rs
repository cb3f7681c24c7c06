//! What happened to heap blocks in this run: who allocated and who freed them, and where.
//!
//! Reports look here; the program's future does not depend on it, so it is never part of a state.
//! Call stacks are kept once each, and of the freed blocks only the last ones.

use std::collections::{BTreeMap, HashMap, VecDeque};

use steam_image::Image;
use steam_state::{Block, ThreadId};
use steam_vm::Cpu;

use crate::unwind::CallStacks;

/// Freed blocks that are remembered.
const FREED_BLOCKS: usize = 100_000;

/// When and where something happened to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The thread that did it.
    pub thread: ThreadId,
    /// Instructions executed before it, in the whole run.
    pub instructions: u64,
    /// Return addresses, the caller of the heap function first.
    pub stack: Vec<u32>,
}

/// The life of one heap block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Life {
    /// Where it begins.
    pub address: u32,
    /// How many bytes the program asked for.
    pub size: u32,
    /// Its allocation.
    pub allocated: Event,
    /// Its end, if it was freed.
    pub freed: Option<Event>,
}

/// An event whose call stack is kept elsewhere.
#[derive(Clone, Copy, Debug)]
struct Mark {
    thread: ThreadId,
    instructions: u64,
    stack: u32,
}

#[derive(Clone, Copy, Debug)]
struct Freed {
    size: u32,
    allocated: Option<Mark>,
    freed: Mark,
    /// Counts all frees: the highest number is the latest.
    number: u64,
}

/// The lives of heap blocks.
#[derive(Debug)]
pub struct History {
    stacks: CallStacks,
    known: HashMap<Box<[u32]>, u32>,
    by_number: Vec<Box<[u32]>>,
    live: HashMap<u32, Mark>,
    /// The latest freed block at each start address.
    freed: BTreeMap<u32, Freed>,
    order: VecDeque<(u64, u32)>,
    frees: u64,
    enabled: bool,
}

impl History {
    /// A history without events, which takes call stacks by `stacks`.
    pub fn new(stacks: CallStacks) -> Self {
        Self {
            stacks,
            known: HashMap::new(),
            by_number: Vec::new(),
            live: HashMap::new(),
            freed: BTreeMap::new(),
            order: VecDeque::new(),
            frees: 0,
            enabled: true,
        }
    }

    /// From now on, call stacks are those of a program.
    pub fn look_into(&mut self, image: &Image) {
        self.stacks = CallStacks::new(image);
    }

    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.freed.is_empty()
    }

    /// Says whether anything is noted from now on; whether it was before.
    pub fn enable(&mut self, enabled: bool) -> bool {
        std::mem::replace(&mut self.enabled, enabled)
    }

    /// The return addresses of a CPU that stands anywhere, innermost first.
    pub fn callers(&mut self, cpu: &mut Cpu, most: usize) -> Vec<u32> {
        self.stacks.callers(cpu, most).to_vec()
    }

    /// Notes that `thread` allocated `block`; the CPU stands at the first byte of the heap function.
    pub fn allocated(&mut self, block: &Block, thread: ThreadId, cpu: &mut Cpu) {
        if !self.enabled {
            return;
        }
        let mark = self.mark(thread, cpu);
        self.live.insert(block.address, mark);
    }

    /// Notes that `thread` freed `block`; the CPU stands at the first byte of the heap function.
    pub fn freed(&mut self, block: &Block, thread: ThreadId, cpu: &mut Cpu) {
        if !self.enabled {
            return;
        }
        let freed = self.mark(thread, cpu);
        self.frees += 1;
        let number = self.frees;
        let allocated = self.live.remove(&block.address);
        self.freed.insert(block.address, Freed { size: block.size, allocated, freed, number });
        self.order.push_back((number, block.address));
        self.forget();
    }

    fn forget(&mut self) {
        while self.order.len() > FREED_BLOCKS {
            let Some((number, address)) = self.order.pop_front() else { return };
            if self.freed.get(&address).is_some_and(|freed| freed.number == number) {
                self.freed.remove(&address);
            }
        }
    }

    /// The life of a live block, as far as it was seen.
    pub fn live(&self, block: &Block) -> Option<Life> {
        let mark = self.live.get(&block.address)?;
        Some(Life {
            address: block.address,
            size: block.size,
            allocated: self.event(*mark),
            freed: None,
        })
    }

    /// The block that covered an address and was freed last.
    pub fn freed_at(&self, address: u32) -> Option<Life> {
        // Spans are never split or joined: the nearest starts below are the only candidates.
        let nearest = self.freed.range(..=address).rev().take(4);
        let (&start, found) = nearest
            .filter(|&(&start, freed)| address - start < freed.size.max(1))
            .max_by_key(|(_, freed)| freed.number)?;
        Some(self.life(start, found))
    }

    /// The freed block that began at an address.
    pub fn freed_from(&self, address: u32) -> Option<Life> {
        self.freed.get(&address).map(|freed| self.life(address, freed))
    }

    fn life(&self, address: u32, freed: &Freed) -> Life {
        let nothing = || Event { thread: freed.freed.thread, instructions: 0, stack: Vec::new() };
        Life {
            address,
            size: freed.size,
            allocated: freed.allocated.map_or_else(nothing, |mark| self.event(mark)),
            freed: Some(self.event(freed.freed)),
        }
    }

    fn event(&self, mark: Mark) -> Event {
        Event {
            thread: mark.thread,
            instructions: mark.instructions,
            stack: self.by_number[mark.stack as usize].to_vec(),
        }
    }

    fn mark(&mut self, thread: ThreadId, cpu: &mut Cpu) -> Mark {
        let stack = self.stacks.callers(cpu, usize::MAX);
        let instructions = cpu.instructions;
        let stack = match self.known.get(stack) {
            Some(&number) => number,
            None => {
                let number = self.by_number.len() as u32;
                self.by_number.push(stack.into());
                self.known.insert(stack.into(), number);
                number
            }
        };
        Mark { thread, instructions, stack }
    }
}
