//! The shadow of a CPU: which bits of its registers have a value that was written.
//!
//! Where uninitialised values are looked for, each op is followed by what it does to the masks of its
//! operands (a set bit is an undefined one), beside the ordinary CPU, which does the op itself. Copying
//! raises nothing. An undefined value is found where the program *uses* it: where it decides a branch,
//! is an address or the target of a jump. What comes of partly undefined operands is in `rules`; an
//! instruction without a rule of its own makes all that it writes undefined if any operand is.
//!
//! Without a shadow nothing of this runs: the run loop asks once per stretch of code.

mod float;
mod integer;
mod operands;
mod rules;
mod stack;
mod strings;
mod vector;

use ahash::{HashMap, RandomState};
use steam_state::{Birth, Definedness};
use vm_isa::simd::Simd;
use vm_isa::x87::X87;
use vm_isa::{Code, Op, execute};

use crate::cpu::{Cpu, Exit, Stop};
use float::FloatRegister;
use rules::{Carry, Partly};

const EAX: usize = 0;
const ECX: usize = 1;
const EDX: usize = 2;
const ESP: usize = 4;

/// What an undefined value is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It decides where the program goes on.
    Branch,
    /// It is an address, or a part of one.
    Address,
    /// It is where the program goes on.
    Target,
    /// It is the number of a system call.
    SystemCall,
}

/// An undefined value that the instruction at eip uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uninitialised {
    /// What for.
    pub used: Use,
    /// Where it comes from.
    pub birth: Birth,
}

/// The masks of one thread's registers.
#[derive(Clone)]
struct Registers {
    gpr: [u32; 9],
    births: [Birth; 9],
    flags: u32,
    flags_birth: Birth,
    /// Masks of the vector registers, as if they were their values.
    simd: Simd,
    /// Masks of the MMX registers, likewise.
    mmx: X87,
    vector_birth: Birth,
    float: [FloatRegister; 8],
    /// Whether the condition bits of the x87 are undefined.
    conditions: bool,
    float_birth: Birth,
    /// Stretches of the stack and the instructions that made room for them, descending.
    frames: Vec<(u32, u32)>,
    /// The registers as the CPU had them when it stopped.
    left: [u32; 8],
    why: Left,
}

/// Why the CPU stopped: the caller may have changed registers since.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    /// A system call answers in eax.
    SystemCall,
    /// At this address, a function that is done elsewhere returns a value and keeps what callees keep.
    Intercept(u32),
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            gpr: [0; 9],
            births: [Birth::default(); 9],
            flags: 0,
            flags_birth: Birth::default(),
            simd: Simd { xmm: [0; 8], mxcsr: 0 },
            mmx: X87::default(),
            vector_birth: Birth::default(),
            float: [FloatRegister::default(); 8],
            conditions: false,
            float_birth: Birth::default(),
            frames: Vec::new(),
            left: [0; 8],
            why: Left::Nothing,
        }
    }
}

/// The shadow of a CPU, for all threads that run on it.
#[derive(Clone)]
pub struct Shadow {
    now: Registers,
    /// The operands of the vector instruction that is about to be done.
    vectors: vector::Seen,
    thread: u32,
    others: HashMap<u32, Registers>,
}

impl Default for Shadow {
    fn default() -> Self {
        let others = HashMap::with_hasher(RandomState::with_seeds(2, 7, 1, 8));
        Self { now: Registers::default(), vectors: vector::Seen::default(), thread: 0, others }
    }
}

/// The shadow of registers and memory together, to go on from there later.
#[derive(Clone)]
pub struct ShadowSnapshot {
    registers: Box<Shadow>,
    memory: Box<Definedness>,
}

/// What an op is about to use, seen before it is done.
struct Seen {
    address: u32,
    /// The destination, as it was.
    a: Partly,
    a_birth: Birth,
    /// The source.
    b: Partly,
    b_birth: Birth,
    carry: Carry,
    eax: u32,
    ecx: u32,
    esp: u32,
    top: u8,
    walk: strings::Walk,
}

impl Cpu {
    /// From now on, looks for uses of what was never written; all that is there now counts as written.
    pub fn look_for_uninitialised(&mut self) {
        // The rules know the general codes.
        self.code.specialised = false;
        self.code.clear();
        self.shadow = Some(Box::default());
        self.memory.set_definedness(Some(Box::default()));
    }

    /// Whether uses of what was never written are looked for.
    pub fn looks_for_uninitialised(&self) -> bool {
        self.shadow.is_some()
    }

    /// What is known of registers and memory, if it is looked for.
    pub fn shadow_snapshot(&self) -> Option<ShadowSnapshot> {
        let memory = Box::new(self.memory.definedness()?.clone());
        Some(ShadowSnapshot { registers: self.shadow.clone()?, memory })
    }

    /// Goes on with what was known; with nothing, all that is there counts as written.
    pub fn restore_shadow(&mut self, snapshot: Option<ShadowSnapshot>) {
        if self.shadow.is_none() {
            return;
        }
        let (registers, memory) = match snapshot {
            Some(ShadowSnapshot { registers, memory }) => (registers, memory),
            None => Default::default(),
        };
        self.shadow = Some(registers);
        self.memory.set_definedness(Some(memory));
    }

    /// Another thread is on the CPU now; its registers are set already.
    pub fn shadow_thread(&mut self, thread: u32) {
        let Some(shadow) = &mut self.shadow else { return };
        if shadow.thread != thread {
            let next = shadow.others.remove(&thread).unwrap_or_default();
            let last = std::mem::replace(&mut shadow.now, next);
            shadow.others.insert(shadow.thread, last);
            shadow.thread = thread;
        }
        // A number is used again for another thread, or a signal moved this one: nothing is known.
        if shadow.now.left[ESP] != self.gpr[ESP] {
            shadow.now = Registers::default();
        }
    }

    /// The registers were set as a whole, by a caller that knows their values.
    pub fn shadow_registers_set(&mut self) {
        if let Some(shadow) = &mut self.shadow {
            let frames = std::mem::take(&mut shadow.now.frames);
            shadow.now = Registers { frames, left: shadow.now.left, ..Registers::default() };
        }
    }

    /// Whether a register is undefined: then where it comes from, and it counts as defined from now on.
    pub fn take_undefined_register(&mut self, register: usize) -> Option<Birth> {
        let now = &mut self.shadow.as_mut()?.now;
        (std::mem::take(&mut now.gpr[register]) != 0).then(|| now.births[register])
    }

    /// Where the first undefined byte of some memory comes from.
    pub fn birth_at(&self, address: u32) -> Birth {
        let birth = self.memory.definedness().map(|it| it.birth_of(address, 1));
        let birth = birth.unwrap_or(Birth { address, eip: 0 });
        self.shadow.as_ref().map_or(birth, |shadow| shadow.framed(self, birth))
    }

    /// Executes ops one by one, and follows each.
    #[inline(never)]
    pub(crate) fn execute_shadowed(
        &mut self,
        ops: &[Op],
        at: &mut usize,
        left: &mut u64,
    ) -> Option<Exit> {
        let mut shadow = self.shadow.take()?;
        shadow.come_back(self);
        let exit = loop {
            if *left == 0 {
                break None;
            }
            *left -= 1;
            let (op, place) = (ops[*at], *at);
            let seen = match shadow.look(self, &op) {
                Ok(seen) => seen,
                Err(found) => {
                    self.stop = Stop::Uninitialised(found);
                    break Some(Exit::Here);
                }
            };
            let exit = execute(self, ops, at, &mut 1);
            let executed = !matches!(exit, Some(Exit::Fault | Exit::Here));
            if matches!(op.code, Code::Movs | Code::Stos | Code::Lods) {
                shadow.follow_string(self, &op, seen.walk, executed);
            } else if executed {
                shadow.follow(self, &op, place, &seen);
            }
            if exit.is_some() {
                break exit;
            }
        };
        shadow.leave(self, exit, *at);
        self.shadow = Some(shadow);
        exit
    }
}

impl Shadow {
    /// The CPU goes on: what others have put into registers is defined.
    fn come_back(&mut self, cpu: &Cpu) {
        let now = &mut self.now;
        for register in 0..8 {
            if now.left[register] != cpu.gpr[register] {
                now.gpr[register] = 0;
            }
        }
        match now.why {
            Left::Nothing => {}
            Left::SystemCall => now.gpr[EAX] = 0,
            Left::Intercept(at) if at == cpu.eip => {}
            Left::Intercept(_) => {
                (now.gpr[EAX], now.gpr[ECX], now.gpr[EDX], now.flags) = (0, 0, 0, 0);
            }
        }
        now.why = Left::Nothing;
    }

    fn leave(&mut self, cpu: &Cpu, exit: Option<Exit>, at: usize) {
        self.now.left.copy_from_slice(&cpu.gpr[..8]);
        self.now.why = match (exit, cpu.stop) {
            (Some(Exit::Behind), Stop::SystemCall | Stop::Request(_)) => Left::SystemCall,
            (Some(Exit::Here), Stop::Intercept(_)) => Left::Intercept(cpu.code.place(at).address),
            _ => Left::Nothing,
        };
    }

    /// Looks at an op that is about to be done: what it uses must be defined.
    fn look(&mut self, cpu: &mut Cpu, op: &Op) -> Result<Seen, Uninitialised> {
        let mut seen = Seen {
            address: 0,
            a: Partly::default(),
            a_birth: Birth::default(),
            b: Partly::default(),
            b_birth: Birth::default(),
            carry: Carry::default(),
            eax: cpu.gpr[EAX],
            ecx: cpu.gpr[ECX],
            esp: cpu.gpr[ESP],
            top: 0,
            walk: strings::Walk::default(),
        };
        match op.code {
            Code::X87 => self.look_at_float(cpu, op, &mut seen)?,
            Code::Simd => self.look_at_vectors(cpu, op, &mut seen)?,
            Code::Movs | Code::Cmps | Code::Stos | Code::Lods | Code::Scas => {
                self.look_at_string(cpu, op)?;
                seen.walk = strings::walk(cpu, op);
                if matches!(op.code, Code::Cmps | Code::Scas) {
                    self.look_at_comparisons(cpu, op)?;
                }
            }
            _ => {
                self.look_at_operands(cpu, op, &mut seen)?;
                self.look_at_use(cpu, op, &seen)?;
            }
        }
        Ok(seen)
    }

    /// Does to the masks what an op has done to the values.
    fn follow(&mut self, cpu: &mut Cpu, op: &Op, place: usize, seen: &Seen) {
        if cpu.gpr[ESP] != seen.esp {
            self.stack_moved(cpu, op, place, seen);
        }
        match op.code {
            Code::X87 => self.follow_float(cpu, op, seen),
            Code::Simd => self.follow_vectors(cpu, op, seen),
            _ => self.follow_integer(cpu, op, seen),
        }
    }

    /// An undefined value is used. It is reported once: from here on it counts as defined.
    fn found<T>(&mut self, cpu: &Cpu, used: Use, birth: Birth) -> Result<T, Uninitialised> {
        Err(Uninitialised { used, birth: self.framed(cpu, birth) })
    }
}
