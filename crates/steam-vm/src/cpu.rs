//! The register file and the run loop.

use steam_state::{Access, AccessError, Context, Fault};
use steam_visibility::{Grant, Memory};
use vm_isa::liveness::Dead;
use vm_isa::simd::Simd;
use vm_isa::x87::X87;
use vm_isa::{Flags, execute, flags};

use crate::code::{CodeCache, Intercepts};
use crate::shadow::{Shadow, Uninitialised};

/// An exception of the CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Division by zero, or a quotient that does not fit (#DE).
    DivideError,
    /// `into` with OF set (#OF).
    Overflow,
    /// `bound` outside its range (#BR).
    Bound,
    /// No such instruction (#UD).
    InvalidOpcode,
    /// What user mode may not do, or a misaligned 16-byte operand (#GP).
    GeneralProtection,
    /// `int3` (#BP); the next instruction is after it.
    Breakpoint,
    /// An unmasked x87 exception (#MF).
    MathFault,
    /// An unmasked SSE exception (#XM).
    SimdFault,
}

/// Why the CPU stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// As many instructions as allowed were executed.
    Limit,
    /// `int 0x80`; the next instruction is after it.
    SystemCall,
    /// An intercepted address was reached; nothing there was executed.
    Intercept(u16),
    /// A request of `steam.h`; the next instruction is after it.
    Request(u8),
    /// An access was refused; the instruction at eip was not executed.
    Memory(AccessError),
    /// An access is a step of its own and was not granted; the instruction at eip was not executed.
    Visible(Access),
    /// An exception at eip.
    Trap(Trap),
    /// The instruction at eip uses what was never written; it was not executed. The CPU can go on: what it
    /// uses counts as written from now on.
    Uninitialised(Uninitialised),
    /// A valid instruction that is not modelled, at eip.
    Unsupported {
        /// The bytes there.
        bytes: [u8; 15],
        /// How many of them could be fetched.
        length: u8,
    },
    /// A segment register was loaded; the next instruction is after it. The environment knows what
    /// the selector means and sets the base.
    SegmentLoad {
        /// Its position in [`Cpu::selectors`].
        register: usize,
        /// The new selector.
        selector: u16,
    },
}

/// Why the inner loop was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Go on at `eip`, which is not in the code cache.
    Miss,
    /// The same, and the branch that went there can be linked.
    Link,
    /// Memory refused an access of this op.
    Fault,
    /// Stop before this op.
    Here,
    /// Stop after this op.
    Behind,
}

impl From<Fault> for Exit {
    #[inline(always)]
    fn from(Fault: Fault) -> Self {
        Self::Fault
    }
}

/// The bits of eflags that a program can change and that are not arithmetic flags: TF ends
/// a run as unknown, NT, AC and ID are only kept.
const KEPT_FLAGS: u32 = flags::DF | 1 << 14 | 1 << 18 | 1 << 21;
/// Bits that always read as one: the reserved bit 1 and IF.
const FIXED_FLAGS: u32 = 0x202;

/// One CPU with one address space.
pub struct Cpu {
    /// eax ecx edx ebx esp ebp esi edi; position 8 is always 0, the rest is unused.
    pub gpr: [u32; 16],
    pub(crate) flags: Flags,
    other_flags: u32,
    /// The next instruction.
    pub eip: u32,
    /// What fs adds to an address.
    pub fs_base: u32,
    /// What gs adds to an address.
    pub gs_base: u32,
    /// The thawed memory.
    pub memory: Memory,
    /// The selectors es cs ss ds fs gs.
    pub selectors: [u16; 6],
    /// The floating point stack.
    pub x87: X87,
    /// The SSE registers.
    pub simd: Simd,
    /// How many instructions were executed so far.
    pub instructions: u64,
    /// Whether a clock was read since this was last reset: what was read may be another value next time.
    pub clock_read: bool,
    /// What the time stamp counter shows next, and how far it goes with each reading: in a search it stands still, so that
    /// states come again.
    pub time_stamp: (u64, u64),
    /// Internal ops that are no instructions, to be taken off the count.
    pub(crate) uncounted: u64,
    pub(crate) code: CodeCache,
    pub(crate) stop: Stop,
    /// Which bits of registers were never written, if that is looked for.
    pub(crate) shadow: Option<Box<Shadow>>,
    pass_intercept: bool,
}

impl Cpu {
    /// A CPU whose registers are zero.
    pub fn new(memory: Memory) -> Self {
        let mut cpu = Self {
            gpr: [0; 16],
            flags: Flags::default(),
            other_flags: 0,
            eip: 0,
            fs_base: 0,
            gs_base: 0,
            memory,
            selectors: [0; 6],
            x87: X87::default(),
            simd: Simd::default(),
            instructions: 0,
            clock_read: false,
            time_stamp: (0, 0),
            uncounted: 0,
            code: CodeCache::new(),
            stop: Stop::Limit,
            shadow: None,
            pass_intercept: false,
        };
        cpu.set_eflags(0);
        cpu
    }

    /// Runs general ops only: the naive twin of the specialised ones, for tests.
    pub fn without_special_codes(mut self) -> Self {
        self.code.specialised = false;
        self.code.clear();
        self
    }

    /// The whole flags register.
    pub fn eflags(&self) -> u32 {
        self.flags.to_eflags() | self.other_flags | FIXED_FLAGS
    }

    /// Sets all flags that a program may change.
    pub fn set_eflags(&mut self, eflags: u32) {
        self.flags = Flags::from_eflags(eflags);
        self.other_flags = eflags & KEPT_FLAGS;
    }

    pub(crate) fn direction(&self) -> bool {
        self.other_flags & flags::DF != 0
    }

    pub(crate) fn set_direction(&mut self, down: bool) {
        self.other_flags = self.other_flags & !flags::DF | if down { flags::DF } else { 0 };
    }

    /// The registers as a value.
    pub fn context(&self) -> Context {
        let mut gpr = [0; 8];
        gpr.copy_from_slice(&self.gpr[..8]);
        Context {
            gpr,
            eip: self.eip,
            eflags: self.eflags(),
            selectors: self.selectors,
            fs_base: self.fs_base,
            gs_base: self.gs_base,
            x87: self.x87.clone(),
            simd: self.simd.clone(),
        }
    }

    /// Sets all registers.
    pub fn set_context(&mut self, context: &Context) {
        self.gpr[..8].copy_from_slice(&context.gpr);
        self.eip = context.eip;
        self.set_eflags(context.eflags);
        self.selectors = context.selectors;
        self.fs_base = context.fs_base;
        self.gs_base = context.gs_base;
        self.x87 = context.x87.clone();
        self.simd = context.simd.clone();
    }

    /// From now on, reaching `address` stops with [`Stop::Intercept`].
    pub fn intercept(&mut self, address: u32, id: u16) {
        self.code.intercept(address, id);
    }

    /// The same for an address that may be intercepted already; then nothing changes.
    pub fn intercept_once(&mut self, address: u32, id: u16) {
        if !self.code.is_intercepted(address) {
            self.code.intercept(address, id);
        }
    }

    /// Goes on with the intercepts of another program; those of this one.
    pub fn replace_intercepts(&mut self, intercepts: Intercepts) -> Intercepts {
        self.code.replace_intercepts(intercepts)
    }

    /// Lets the guest's own code run at the intercepted address where the CPU just stopped.
    pub fn pass_intercept(&mut self) {
        self.pass_intercept = true;
    }

    /// Reads the time stamp counter into two registers.
    pub(crate) fn read_time_stamp(&mut self) {
        let (now, pace) = self.time_stamp;
        self.time_stamp.0 += pace;
        self.clock_read = true;
        self.set_reg(0, now as u32);
        self.set_reg(2, (now >> 32) as u32);
    }

    /// Executes at most `limit` instructions.
    pub fn run(&mut self, limit: u64) -> Stop {
        let mut left = limit;
        let mut link = None;
        // Whether the next instruction is executed alone, because it writes to decoded code.
        let mut alone = false;
        loop {
            if self.forget_changed_code() {
                link = None;
            }
            let found = match self.code.find(self.eip) {
                _ if alone => self.code.translate_once(self.eip, &mut self.memory),
                Some(place) => Ok(place),
                None => self.code.translate(self.eip, &mut self.memory),
            };
            let Ok(mut at) = found else {
                return self.refusal().unwrap_or(Stop::Trap(Trap::GeneralProtection));
            };
            // Passed before anything is counted: the intercept is no instruction.
            if std::mem::take(&mut self.pass_intercept) && self.code.is_intercept(at) {
                at += 1;
            }
            if let Some(branch) = link.take() {
                let branch: usize = branch;
                self.code.ops[branch].disp = at as u32;
            }
            let allowed = if alone { left.min(1) } else { left };
            let exit = self.execute_from(&mut at, allowed, &mut left);
            let place = self.code.place(at);
            if std::mem::take(&mut alone) {
                self.code.clear();
            }
            match exit {
                Some(Exit::Miss) => {}
                Some(Exit::Link) => link = Some(at).filter(|_| !self.code.ops.is_empty()),
                None => {
                    self.eip = place.address;
                    if left == 0 {
                        return Stop::Limit;
                    }
                }
                Some(Exit::Fault) => {
                    self.eip = place.address;
                    match self.refusal() {
                        Some(stop) => return stop,
                        None => alone = true,
                    }
                }
                Some(Exit::Here) => {
                    self.eip = place.address;
                    return self.stop;
                }
                Some(Exit::Behind) => {
                    self.eip = place.address.wrapping_add(u32::from(place.length));
                    return self.stop;
                }
            }
        }
    }

    /// Executes at most `allowed` ops from a place, and takes the instructions among them from
    /// `left`.
    #[inline(always)]
    fn execute_from(&mut self, at: &mut usize, allowed: u64, left: &mut u64) -> Option<Exit> {
        // Out of the cache while it is executed: the ops then alias nothing that is written.
        let ops = std::mem::take(&mut self.code.ops);
        let mut unused = allowed;
        let exit = match self.shadow.is_some() {
            false => execute(self, &ops, at, &mut unused),
            true => self.execute_shadowed(&ops, at, &mut unused),
        };
        self.code.ops = ops;
        if matches!(exit, Some(Exit::Fault | Exit::Here)) {
            unused += 1;
        }
        let executed = allowed - unused - std::mem::take(&mut self.uncounted);
        self.instructions += executed;
        *left -= executed;
        exit
    }

    /// Why the last access was refused; none if decoded code is to be forgotten.
    fn refusal(&mut self) -> Option<Stop> {
        let error = self.memory.take_error().map(Stop::Memory);
        error.or_else(|| self.memory.policy.take_visible().map(Stop::Visible))
    }

    /// Executes the one instruction at eip, which may do as much of its accesses as it is granted.
    pub fn run_granted(&mut self, grant: Grant) -> Stop {
        self.memory.policy.grant(grant);
        // Where an intercept is, it was passed before the instruction was refused.
        self.pass_intercept();
        let stop = self.run(1);
        if !matches!(stop, Stop::Visible(_)) {
            self.memory.policy.instruction_over();
        }
        stop
    }

    /// Whether the instruction at eip does all its accesses at once, whatever other CPUs do.
    pub fn locks_the_bus(&mut self) -> bool {
        let decoded = self
            .memory
            .fetch_once(self.eip)
            .ok()
            .and_then(|(bytes, available)| vm_isa::decode(&bytes[..available], self.eip));
        decoded.is_some_and(|decoded| decoded.op.locked() || decoded.op.exchanges_memory())
    }

    /// Whether the code after a call certainly overwrites the result of the call unread; `overwrites` says of which
    /// functions it is known that they do.
    pub fn drops_result(&mut self, behind: u32, overwrites: impl Fn(u32) -> bool) -> bool {
        let memory = &mut self.memory;
        vm_isa::liveness::drops_result(behind, |at| fetch(memory, at), overwrites)
    }

    /// What the code from an address on overwrites before it reads it. `is_plain` says of which functions it is known
    /// what they do to registers ([`vm_isa::liveness::dead_from`]); without it, nothing is known of calls.
    pub fn dead_from(&mut self, address: u32, is_plain: Option<&dyn Fn(u32) -> bool>) -> Dead {
        self.forget_changed_code();
        let key = (address, is_plain.is_some());
        if let Some(&dead) = self.code.dead.get(&key) {
            return dead;
        }
        let memory = &mut self.memory;
        let is_plain = |function| is_plain.is_some_and(|is_plain| is_plain(function));
        // The pages are known as code from now on: if they change, what is known of them is forgotten.
        let dead = vm_isa::liveness::dead_from(address, |at| fetch_code(memory, at), is_plain);
        self.code.dead.insert(key, dead);
        dead
    }

    /// Forgets what was decoded if code has changed since; whether it has.
    fn forget_changed_code(&mut self) -> bool {
        let changed = self.memory.code_changed();
        if changed {
            self.memory.take_code_changes();
            self.code.clear();
        }
        changed
    }

    /// Clears registers and flags that will not be read any more.
    pub fn clear_dead(&mut self, dead: Dead) {
        for (number, register) in self.gpr.iter_mut().enumerate().take(8) {
            if dead.registers >> number & 1 != 0 {
                *register = 0;
            }
        }
        if dead.flags {
            self.set_eflags(self.eflags() & !vm_isa::liveness::ARITHMETIC_FLAGS);
        }
    }

    #[inline(never)]
    pub(crate) fn trap<T>(&mut self, trap: Trap) -> Result<T, Exit> {
        self.stop = Stop::Trap(trap);
        Err(Exit::Here)
    }
}

/// The bytes of an instruction whose page counts as code from now on; nothing where none can be fetched.
fn fetch_code(memory: &mut Memory, at: u32) -> Option<([u8; 15], usize)> {
    let fetched = memory.fetch(at).ok();
    if fetched.is_none() {
        memory.take_error();
    }
    fetched
}

/// The bytes of the instruction at an address; nothing where none can be fetched.
fn fetch(memory: &mut Memory, at: u32) -> Option<([u8; 15], usize)> {
    let fetched = memory.fetch_once(at).ok();
    if fetched.is_none() {
        memory.take_error();
    }
    fetched
}
