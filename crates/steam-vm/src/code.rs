//! The code cache: each address is decoded once.
//!
//! Ops of straight-line code lie one after the other; a block ends where control always goes
//! elsewhere. Direct branches are linked to their target's place when they are first taken. Each op
//! that was decoded can be entered, since a jump into the middle of a block is just a later start.

use ahash::{HashMap, RandomState};
use steam_state::Fault;
use steam_visibility::Memory;
use vm_isa::liveness::Dead;
use vm_isa::{Code, Op, decode, specialise};

const LONGEST_BLOCK: usize = 128;
const PAGES: usize = 1 << 20;

/// Where an op came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) address: u32,
    pub(crate) length: u8,
}

/// Where a CPU stops, each with a number: what belongs to one program.
pub struct Intercepts(HashMap<u32, u16>);

impl Default for Intercepts {
    fn default() -> Self {
        Self(HashMap::with_hasher(RandomState::with_seeds(1, 1, 2, 3)))
    }
}

/// All decoded instructions of one address space.
pub(crate) struct CodeCache {
    /// Taken out by the run loop while it runs.
    pub(crate) ops: Vec<Op>,
    places: Vec<Place>,
    /// Page number to one more than the index of its chunk.
    pages: Vec<u32>,
    /// Offset in the page to one more than the index of the op there.
    chunks: Vec<Box<[u32; 4096]>>,
    /// The pages that have a chunk.
    decoded_pages: Vec<u32>,
    intercepts: Intercepts,
    /// What is overwritten before it is read, by address, and whether calls of known functions are passed.
    pub(crate) dead: HashMap<(u32, bool), Dead>,
    pub(crate) specialised: bool,
}

impl CodeCache {
    pub(crate) fn new() -> Self {
        Self {
            ops: Vec::new(),
            places: Vec::new(),
            pages: vec![0; PAGES],
            chunks: Vec::new(),
            decoded_pages: Vec::new(),
            intercepts: Intercepts::default(),
            dead: HashMap::with_hasher(RandomState::with_seeds(3, 1, 4, 1)),
            specialised: true,
        }
    }

    pub(crate) fn intercept(&mut self, address: u32, id: u16) {
        if self.intercepts.0.insert(address, id) != Some(id) {
            self.clear();
        }
    }

    pub(crate) fn is_intercepted(&self, address: u32) -> bool {
        self.intercepts.0.contains_key(&address)
    }

    /// Whether a decoded op is the intercept before an instruction.
    pub(crate) fn is_intercept(&self, index: usize) -> bool {
        self.ops[index].code == Code::Intercept
    }

    /// Goes on with the intercepts of another program; those of this one.
    pub(crate) fn replace_intercepts(&mut self, intercepts: Intercepts) -> Intercepts {
        self.clear();
        std::mem::replace(&mut self.intercepts, intercepts)
    }

    /// Forgets all decoded instructions, and what was found out about them.
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
        self.places.clear();
        self.chunks.clear();
        self.dead.clear();
        for page in self.decoded_pages.drain(..) {
            self.pages[page as usize] = 0;
        }
    }

    /// Where the op at an address is, if it was decoded.
    #[inline(always)]
    pub(crate) fn find(&self, address: u32) -> Option<usize> {
        let chunk = self.pages[(address >> 12) as usize].checked_sub(1)?;
        let index = self.chunks[chunk as usize][(address & 0xfff) as usize].checked_sub(1)?;
        Some(index as usize)
    }

    pub(crate) fn place(&self, index: usize) -> Place {
        self.places[index]
    }

    fn push(&mut self, op: Op, address: u32, length: u8) {
        self.ops.push(op);
        self.places.push(Place { address, length });
    }

    fn register(&mut self, address: u32) {
        let page = &mut self.pages[(address >> 12) as usize];
        if *page == 0 {
            self.chunks.push(Box::new([0; 4096]));
            self.decoded_pages.push(address >> 12);
            *page = self.chunks.len() as u32;
        }
        let index = self.ops.len() as u32 + 1;
        self.chunks[*page as usize - 1][(address & 0xfff) as usize] = index;
    }

    /// Decodes one instruction that is not to be found again: it is about to write to the page that
    /// it lies on. The cache must be cleared after it.
    #[inline(never)]
    pub(crate) fn translate_once(
        &mut self,
        address: u32,
        memory: &mut Memory,
    ) -> Result<usize, Fault> {
        let (bytes, available) = memory.fetch_once(address)?;
        let first = self.ops.len();
        let length = match decode(&bytes[..available], address) {
            Some(decoded) => {
                self.push(decoded.op, address, decoded.length);
                decoded.length
            }
            None => {
                self.push(Op::new(Code::Undefined), address, 0);
                0
            }
        };
        let next = address.wrapping_add(u32::from(length));
        self.push(Op::branch(Code::Goto, next), next, 0);
        Ok(first)
    }

    /// Decodes the block that begins at an address, which was not decoded yet. Fails when its first
    /// instruction cannot be fetched.
    #[inline(never)]
    pub(crate) fn translate(&mut self, start: u32, memory: &mut Memory) -> Result<usize, Fault> {
        let first = self.ops.len();
        let mut address = start;
        loop {
            let known = self.find(address);
            if known.is_some() || self.ops.len() - first >= LONGEST_BLOCK {
                let mut op = Op::branch(Code::Goto, address);
                if let Some(place) = known {
                    op.disp = place as u32;
                }
                self.push(op, address, 0);
                return Ok(first);
            }
            let Ok((bytes, available)) = memory.fetch(address) else {
                if address == start {
                    return Err(Fault);
                }
                self.push(Op::branch(Code::Goto, address), address, 0);
                return Ok(first);
            };
            self.register(address);
            if let Some(&id) = self.intercepts.0.get(&address) {
                let mut op = Op::new(Code::Intercept);
                op.imm = u32::from(id);
                self.push(op, address, 0);
            }
            let Some(decoded) = decode(&bytes[..available], address) else {
                // The instruction runs into memory that cannot be fetched.
                self.push(Op::new(Code::Undefined), address, 0);
                return Ok(first);
            };
            let op = if self.specialised { specialise(decoded.op) } else { decoded.op };
            self.push(op, address, decoded.length);
            if ends_block(op.code) {
                return Ok(first);
            }
            address = address.wrapping_add(u32::from(decoded.length));
        }
    }
}

fn ends_block(code: Code) -> bool {
    use Code::*;
    matches!(
        code,
        Jmp | JmpIndirect | Call | CallIndirect | Ret | Undefined | Privileged | Unsupported
    )
}
