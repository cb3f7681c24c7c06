//! What a thread that stands before an instruction only counts: registers whose values make no difference but to
//! themselves and to how long it pauses.
//!
//! A loop that waits may count its turns, and yield or sleep once they are many. Neither is seen by others. From an address on
//! all ways are followed, up to where the register is overwritten: its value may go into registers by arithmetic, and decide
//! which of two ways is taken that meet again and do nothing on the way but arithmetic, pauses and sleeps. All else is a
//! use: an address, a store, an argument, a result, a way that does not meet the other one. Then the register counts as read, and so
//! it does where code is not understood.
//!
//! Functions are taken to do what the calling convention asks for: they keep ebx, esi, edi and ebp and do not look at them, and
//! callers do not look at what they leave in ecx and edx.

use std::collections::HashSet;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess,
    OpKind, Register,
};

use crate::liveness::{ARITHMETIC, bit_of};

/// So many instructions are looked at, for each register.
const MOST_STEPS: usize = 600;
/// So many instructions may lie between a decision and where its ways meet.
const MOST_BETWEEN: usize = 32;
/// So many decisions may lie within each other.
const MOST_DECISIONS: usize = 6;
/// eax: what a function returns.
const RESULT: u8 = 1;
/// eax, ecx and edx: a function may take arguments there and leaves its own values.
const OF_CALLS: u8 = 0b111;
/// All but esp.
const REGISTERS: [u8; 7] = [0, 1, 2, 3, 5, 6, 7];
const ALL: u8 = 0xff;

/// A function that lets time pass and does nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sleep {
    /// Without arguments, such as `sched_yield`.
    Yield,
    /// For a number of units of time, whichever it is.
    Number,
    /// For a time that lies in memory, such as `nanosleep`. What was left is written nowhere if nothing interrupts it.
    Time,
}

/// What only counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// The general registers, by the bit of their number.
    pub registers: u8,
    /// Registers that have to point to a time that is one, in memory that the thread has for itself; else nothing is known.
    pub pointers: u8,
}

/// What the code knows of its surroundings.
pub trait Surroundings {
    /// The bytes at an address, if no one may change them.
    fn fetch(&self, address: u32) -> Option<([u8; 15], usize)>;

    /// What a function does, if all that it does is to sleep.
    fn sleep(&self, function: u32) -> Option<Sleep>;

    /// Whether calls may return elsewhere, to code that only tables know.
    fn calls_throw(&self) -> bool;
}

/// What only counts from an address on, which has to lie in a loop.
pub fn counters_at(address: u32, surroundings: &impl Surroundings) -> Counters {
    let mut found = Counters::default();
    for register in REGISTERS {
        let mut walk = Walk::new(address, 1 << register, surroundings);
        if walk.registers & found.registers == 0 && walk.go().is_some() && walk.loops && walk.counts
        {
            found.registers |= walk.registers;
            found.pointers |= walk.pointers;
        }
    }
    found
}

/// A place on one of the ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    address: u32,
    /// The registers that depend on what is counted.
    tainted: u8,
    /// Whether the flags do.
    flags: bool,
    /// The registers that are as they were in the beginning.
    kept: u8,
}

/// All ways from an address on.
struct Walk<'a, S> {
    surroundings: &'a S,
    start: u32,
    registers: u8,
    pointers: u8,
    /// Whether a way leads back.
    loops: bool,
    /// Whether something is counted.
    counts: bool,
    left: usize,
}

/// What an instruction does to registers.
struct Effects {
    reads: u8,
    /// Those that are overwritten.
    whole: u8,
    /// Those of which a part is, or may be.
    parts: u8,
    memory: bool,
}

/// A step between a decision and where its ways meet.
struct Step {
    address: u32,
    /// How many bytes were pushed.
    depth: i32,
    /// What was written up to here.
    written: u8,
}

/// What was pushed.
#[derive(Clone, Copy)]
enum Pushed {
    Register(u8),
    Number(u32),
}

impl<'a, S: Surroundings> Walk<'a, S> {
    fn new(start: u32, registers: u8, surroundings: &'a S) -> Self {
        let (loops, counts, left) = (false, false, MOST_STEPS);
        Self { surroundings, start, registers, pointers: 0, loops, counts, left }
    }

    /// Follows all ways; nothing if one of them uses what is counted.
    fn go(&mut self) -> Option<()> {
        let first = |tainted| Place { address: self.start, tainted, flags: false, kept: ALL };
        let mut open = vec![first(self.registers)];
        let mut seen: HashSet<Place> = open.iter().copied().collect();
        while let Some(place) = open.pop() {
            let mut next = Vec::new();
            self.step(place, &mut next)?;
            for place in next {
                if place.tainted == 0 && !place.flags {
                    continue;
                }
                if place.address == self.start {
                    self.loops = true;
                    // What depends on it there counts as well, from the beginning on.
                    if place.tainted & !self.registers != 0 {
                        self.registers |= place.tainted;
                        return self.go();
                    }
                }
                if seen.insert(place) {
                    open.push(place);
                }
            }
        }
        Some(())
    }

    fn decode(&mut self, address: u32) -> Option<Instruction> {
        self.left = self.left.checked_sub(1)?;
        let (bytes, length) = self.surroundings.fetch(address)?;
        let options = DecoderOptions::NONE;
        let instruction =
            Decoder::with_ip(32, &bytes[..length], u64::from(address), options).decode();
        // A long nop may be a request, with arguments in registers.
        let request = instruction.mnemonic() == Mnemonic::Nop
            && instruction.memory_displacement32() & 0xffff
                == u32::from(u16::from_le_bytes(*b"ST"));
        let strange = instruction.is_invalid()
            || instruction.is_save_restore_instruction()
            || instruction.has_rep_prefix()
            || instruction.has_repne_prefix();
        // `pause` is a `nop` with that prefix, and has a name of its own.
        let plain = instruction.mnemonic() == Mnemonic::Pause;
        (!request && (plain || !strange)).then_some(instruction)
    }

    /// Where an instruction leads.
    fn step(&mut self, place: Place, next: &mut Vec<Place>) -> Option<()> {
        let instruction = self.decode(place.address)?;
        let behind = instruction.next_ip32();
        match instruction.flow_control() {
            FlowControl::Next => next.push(self.plain(place, &instruction)?),
            FlowControl::UnconditionalBranch if instruction.is_jmp_short_or_near() => {
                next.push(Place { address: instruction.near_branch32(), ..place });
            }
            FlowControl::ConditionalBranch if instruction.is_jcc_short_or_near() => {
                let target = instruction.near_branch32();
                if place.flags {
                    let (address, written) = self.meet(place, (behind, target), 0)?;
                    let (tainted, kept) = (place.tainted | written, place.kept & !written);
                    next.push(Place { address, tainted, flags: true, kept });
                } else {
                    next.extend([behind, target].map(|address| Place { address, ..place }));
                }
            }
            FlowControl::Call if instruction.is_call_near() => {
                let sleep = self.surroundings.sleep(instruction.near_branch32());
                let elsewhere = sleep.is_none() && self.surroundings.calls_throw();
                if place.tainted & OF_CALLS != 0 && sleep.is_none() || elsewhere {
                    return None;
                }
                // A function that only hands back an address writes another register than it may.
                let kept = if sleep.is_some() { place.kept & !OF_CALLS } else { 0 };
                let tainted = place.tainted & !OF_CALLS;
                next.push(Place { address: behind, tainted, flags: false, kept });
            }
            // What the caller finds in registers it may look at.
            FlowControl::Return if place.tainted == 0 => {}
            _ => return None,
        }
        Some(())
    }

    /// An instruction behind which the next one comes.
    fn plain(&mut self, place: Place, instruction: &Instruction) -> Option<Place> {
        let effects = effects(instruction);
        let address = instruction.next_ip32();
        let (mut tainted, mut flags) = (place.tainted, place.flags);
        if flags && instruction.rflags_read() & ARITHMETIC != 0 {
            return None;
        }
        let sets = instruction.rflags_modified() & ARITHMETIC;
        if effects.reads & tainted == 0 {
            tainted &= !effects.whole;
            // A shift by no bits leaves them as they are.
            let may_leave =
                instruction.op_count() > 1 && instruction.op1_register() == Register::CL;
            flags &= sets != ARITHMETIC || may_leave;
        } else if is_arithmetic(instruction) && !effects.memory {
            tainted |= effects.whole | effects.parts;
            flags |= sets != 0;
            self.counts |= instruction.mnemonic() != Mnemonic::Mov && sets != 0
                || instruction.mnemonic() == Mnemonic::Lea;
        } else {
            self.is_length_of_sleep(instruction)?;
        }
        let kept = place.kept & !(effects.whole | effects.parts);
        Some(Place { address, tainted, flags, kept })
    }

    /// What is pushed is for how long a function sleeps, and is dropped after the call.
    fn is_length_of_sleep(&mut self, push: &Instruction) -> Option<()> {
        let register = push.op_count() == 1 && push.op0_kind() == OpKind::Register;
        if push.mnemonic() != Mnemonic::Push || !register || push.stack_pointer_increment() != -4 {
            return None;
        }
        let call = self.decode(push.next_ip32())?;
        let sleeps = call.flow_control() == FlowControl::Call
            && call.is_call_near()
            && self.surroundings.sleep(call.near_branch32()) == Some(Sleep::Number);
        let drop = self.decode(call.next_ip32())?;
        (sleeps && moves_stack(&drop).is_some_and(|by| by >= 4)).then_some(())
    }

    /// Where two ways meet that are taken by what is counted, and what either of them writes up to there.
    fn meet(&mut self, place: Place, ways: (u32, u32), within: usize) -> Option<(u32, u8)> {
        if within > MOST_DECISIONS {
            return None;
        }
        let one = self.way(place, ways.0, within);
        let other = self.way(place, ways.1, within);
        one.iter().filter(|step| step.depth == 0).find_map(|step| {
            let same = |it: &&Step| it.depth == 0 && it.address == step.address;
            other.iter().find(same).map(|it| (step.address, step.written | it.written))
        })
    }

    /// The steps of a way for as long as it does nothing but arithmetic, pauses and sleeps.
    fn way(&mut self, place: Place, from: u32, within: usize) -> Vec<Step> {
        let mut steps = vec![Step { address: from, depth: 0, written: 0 }];
        let mut pushed: Vec<(i32, Pushed)> = Vec::new();
        while let Some(last) = steps.last()
            && steps.len() < MOST_BETWEEN
        {
            let &Step { address, depth, written } = last;
            let Some(next) = self.on_the_way(place, (address, depth, written), &mut pushed, within)
            else {
                break;
            };
            // A way that comes back to where it was has no end.
            if steps.iter().any(|step| step.address == next.address) {
                break;
            }
            steps.push(next);
        }
        steps
    }

    fn on_the_way(
        &mut self,
        place: Place,
        (address, depth, written): (u32, i32, u8),
        pushed: &mut Vec<(i32, Pushed)>,
        within: usize,
    ) -> Option<Step> {
        let instruction = self.decode(address)?;
        let behind = instruction.next_ip32();
        let step = |address, depth, written| Some(Step { address, depth, written });
        match instruction.flow_control() {
            FlowControl::UnconditionalBranch if instruction.is_jmp_short_or_near() => {
                step(instruction.near_branch32(), depth, written)
            }
            FlowControl::ConditionalBranch if instruction.is_jcc_short_or_near() => {
                let ways = (behind, instruction.near_branch32());
                let inner = Place { kept: place.kept & !written, ..place };
                let (address, more) = self.meet(inner, ways, within + 1)?;
                step(address, depth, written | more)
            }
            FlowControl::Call if instruction.is_call_near() => {
                let kept = place.kept & !written & !place.tainted;
                let mut arguments = pushed.iter().rev().map(|(_, what)| *what);
                match self.surroundings.sleep(instruction.near_branch32())? {
                    Sleep::Yield => {}
                    Sleep::Number => {
                        arguments.next()?;
                    }
                    Sleep::Time => {
                        let Pushed::Register(register) = arguments.next()? else { return None };
                        let rest = match arguments.next()? {
                            Pushed::Register(register) => 1 << register,
                            Pushed::Number(0) => 0,
                            Pushed::Number(_) => return None,
                        };
                        let needed = 1 << register | rest;
                        if kept & needed != needed {
                            return None;
                        }
                        self.pointers |= needed;
                    }
                }
                // What it leaves in ecx and edx the caller may not look at.
                step(behind, depth, written | RESULT)
            }
            FlowControl::Next => {
                if let Some(by) = moves_stack(&instruction) {
                    let depth = depth - by;
                    pushed.retain(|(at, _)| *at <= depth);
                    // Above it lies what others look at.
                    return if depth >= 0 { step(behind, depth, written) } else { None };
                }
                if let Some(what) = push(&instruction) {
                    pushed.push((depth + 4, what));
                    return step(behind, depth + 4, written);
                }
                let effects = effects(&instruction);
                let changes = effects.whole | effects.parts;
                let idle = matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Pause);
                let harmless = idle || is_arithmetic(&instruction) && !effects.memory;
                let moves = changes & bit_of(Register::ESP) != 0;
                if harmless && !moves { step(behind, depth, written | changes) } else { None }
            }
            _ => None,
        }
    }
}

/// Arithmetic on general registers, whose result depends on nothing but them, the flags and constants.
fn is_arithmetic(instruction: &Instruction) -> bool {
    use Mnemonic::{
        Add, And, Cmp, Dec, Imul, Inc, Lea, Mov, Movsx, Movzx, Neg, Not, Or, Sar, Shl, Shr, Sub,
        Test, Xor,
    };
    let known = [
        Add, And, Cmp, Dec, Imul, Inc, Lea, Mov, Movsx, Movzx, Neg, Not, Or, Sar, Shl, Shr, Sub,
        Test, Xor,
    ];
    let general = |operand: u32| match instruction.op_kind(operand) {
        OpKind::Register => bit_of(instruction.op_register(operand)) != 0,
        OpKind::Memory => instruction.mnemonic() == Lea,
        OpKind::Immediate8
        | OpKind::Immediate32
        | OpKind::Immediate8to32
        | OpKind::Immediate16
        | OpKind::Immediate8to16 => true,
        _ => false,
    };
    known.contains(&instruction.mnemonic()) && (0..instruction.op_count()).all(general)
}

fn effects(instruction: &Instruction) -> Effects {
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    let (mut reads, mut whole, mut parts) = (0, 0, 0);
    for used in info.used_registers() {
        let (bit, size) = (bit_of(used.register()), used.register().size());
        match used.access() {
            OpAccess::None | OpAccess::NoMemAccess => {}
            OpAccess::Read | OpAccess::CondRead => reads |= bit,
            OpAccess::Write if size == 4 => whole |= bit,
            OpAccess::Write | OpAccess::CondWrite => parts |= bit,
            OpAccess::ReadWrite if size == 4 => (reads, whole) = (reads | bit, whole | bit),
            OpAccess::ReadWrite | OpAccess::ReadCondWrite => {
                (reads, parts) = (reads | bit, parts | bit);
            }
        }
    }
    let memory = !info.used_memory().is_empty();
    Effects { reads, whole, parts, memory }
}

/// By how much an instruction moves the stack pointer, if that is all that it does.
fn moves_stack(instruction: &Instruction) -> Option<i32> {
    let constant = matches!(instruction.op1_kind(), OpKind::Immediate8to32 | OpKind::Immediate32);
    let stack = instruction.op0_kind() == OpKind::Register
        && instruction.op0_register() == Register::ESP
        && constant;
    let by = || i32::try_from(instruction.immediate(1) as i64).ok();
    match instruction.mnemonic() {
        Mnemonic::Add if stack => by(),
        Mnemonic::Sub if stack => by()?.checked_neg(),
        _ => None,
    }
}

/// What an instruction pushes, if it is a register or a number.
fn push(instruction: &Instruction) -> Option<Pushed> {
    if instruction.mnemonic() != Mnemonic::Push || instruction.stack_pointer_increment() != -4 {
        return None;
    }
    match instruction.op0_kind() {
        OpKind::Register if bit_of(instruction.op0_register()) != 0 => {
            Some(Pushed::Register(instruction.op0_register().number() as u8))
        }
        OpKind::Immediate8to32 | OpKind::Immediate32 => {
            Some(Pushed::Number(instruction.immediate(0) as u32))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESI: u8 = 1 << 6;
    const YIELD: u32 = 10;
    const USLEEP: u32 = 20;
    const NANOSLEEP: u32 = 30;

    /// Code at address 100.
    struct Bytes<'a>(&'a [u8], bool);

    impl Surroundings for Bytes<'_> {
        fn fetch(&self, address: u32) -> Option<([u8; 15], usize)> {
            let at = address.checked_sub(100)? as usize;
            let rest = self.0.get(at..).filter(|rest| !rest.is_empty())?;
            let mut bytes = [0; 15];
            let length = rest.len().min(15);
            bytes[..length].copy_from_slice(&rest[..length]);
            Some((bytes, length))
        }

        fn sleep(&self, function: u32) -> Option<Sleep> {
            match function {
                YIELD => Some(Sleep::Yield),
                USLEEP => Some(Sleep::Number),
                NANOSLEEP => Some(Sleep::Time),
                _ => None,
            }
        }

        fn calls_throw(&self) -> bool {
            self.1
        }
    }

    /// A call that ends at an offset.
    fn call(function: u32, end: u32) -> [u8; 5] {
        let [a, b, c, d] = function.wrapping_sub(100 + end).to_le_bytes();
        [0xe8, a, b, c, d]
    }

    fn counters(code: &[u8]) -> Counters {
        counters_at(100, &Bytes(code, false))
    }

    /// 0: xchg [ebx],al; 2: test al,al; 4: je +n; then the body, and a jump to the beginning; then what comes behind.
    fn waiting(body: &[u8], behind: &[u8]) -> Vec<u8> {
        let mut code = vec![0x86, 0x03, 0x84, 0xc0, 0x74, body.len() as u8 + 2];
        code.extend(body);
        code.extend([0xeb, (-(body.len() as i32) - 8) as u8]);
        code.extend(behind);
        code
    }

    /// xor eax,eax; pop ebx; pop esi; ret
    const OUT: [u8; 5] = [0x31, 0xc0, 0x5b, 0x5e, 0xc3];
    /// add esi,1; mov eax,1
    const COUNT: [u8; 8] = [0x83, 0xc6, 1, 0xb8, 1, 0, 0, 0];

    #[test]
    fn a_counter_that_is_dropped_only_counts() {
        let found = counters(&waiting(&COUNT, &OUT));
        assert_eq!(found, Counters { registers: ESI, pointers: 0 });
        // Where nothing loops nothing counts: add esi,1; pop esi; ret
        assert_eq!(counters(&[0x83, 0xc6, 1, 0x5e, 0xc3]), Counters::default());
        // mov eax,1, and no counter.
        assert_eq!(counters(&waiting(&COUNT[3..], &OUT)), Counters::default());
    }

    #[test]
    fn a_counter_that_is_used_is_none() {
        // mov eax,esi; pop ebx; pop esi; ret: the result
        let result = [0x89, 0xf0, 0x5b, 0x5e, 0xc3];
        assert_eq!(counters(&waiting(&COUNT, &result)).registers, 0);
        // mov [ebx],esi: a store
        let store = [&[0x89, 0x33], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&COUNT, &store)).registers, 0);
        // mov al,[ebx+esi]: an address
        let address = [&[0x8a, 0x04, 0x33], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&COUNT, &address)).registers, 0);
        // ret: the caller has it
        assert_eq!(counters(&waiting(&COUNT, &[0xc3])).registers, 0);
        // push esi: an argument
        let pushed = [&[0x56], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&COUNT, &pushed)).registers, 0);
        // cmp esi,9; sete al
        let flags = [&[0x83, 0xfe, 9, 0x0f, 0x94, 0xc0], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&COUNT, &flags)).registers, 0);
    }

    #[test]
    fn a_counter_that_ends_the_loop_is_none() {
        // cmp esi,3; jg behind
        let mut body = COUNT.to_vec();
        body.extend([0x83, 0xfe, 3, 0x7f, 2]);
        // Behind it comes a store: mov byte [ebx],0
        let behind = [&[0xc6, 0x03, 0], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&body, &behind)).registers, 0);
        // Also where both ways come to the same function: each comes to a ret of its own.
        assert_eq!(counters(&waiting(&body, &OUT)).registers, 0);
    }

    /// cmp esi,3; jle over what is done; what is done; add esi,1; mov eax,1
    fn backing_off(done: &[u8]) -> Vec<u8> {
        let mut body = vec![0x83, 0xfe, 3, 0x7e, done.len() as u8];
        body.extend(done);
        body.extend(COUNT);
        body
    }

    #[test]
    fn pauses_and_sleeps_are_no_use() {
        let found = |done: &[u8]| counters(&waiting(&backing_off(done), &OUT));
        let dropped = Counters { registers: ESI, pointers: 0 };
        // pause
        assert_eq!(found(&[0xf3, 0x90]), dropped);
        // The body begins at 6, what is done at 11.
        assert_eq!(found(&call(YIELD, 16)), dropped);
        // sub esp,8; push 0; push ebp; call; add esp,16
        let times = |function| {
            let mut done = vec![0x83, 0xec, 8, 0x6a, 0, 0x55];
            done.extend(call(function, 11 + 6 + 5));
            done.extend([0x83, 0xc4, 16]);
            done
        };
        assert_eq!(found(&times(NANOSLEEP)), Counters { registers: ESI, pointers: 1 << 5 });
        assert_eq!(found(&times(USLEEP)), dropped);
        assert_eq!(found(&times(77)), Counters::default(), "any other function");
        // mov byte [ebx],0
        assert_eq!(found(&[0xc6, 0x03, 0]), Counters::default(), "a store");
        // mov cl,[ebx]
        assert_eq!(found(&[0x8a, 0x0b]), Counters::default(), "a load");
        // push 0: the stack is another one
        assert_eq!(found(&[0x6a, 0]), Counters::default());
        // dec ecx; jne back: it may take any time
        assert_eq!(found(&[0x49, 0x75, 0xfd]), Counters::default());
        // A request of the checker: nop with 'S' 'T'
        assert_eq!(found(&[0x0f, 0x1f, 0x80, b'S', b'T', 9, 0]), Counters::default());
    }

    #[test]
    fn what_a_way_writes_depends_on_what_is_counted() {
        // mov edi,1 on one way; edi is used afterwards: mov [ebx],edi
        let done = [0xbf, 1, 0, 0, 0];
        let behind = [&[0x89, 0x3b], &OUT[..]].concat();
        assert_eq!(counters(&waiting(&backing_off(&done), &behind)).registers, 0);
        // pop edi: it is not.
        let behind = [0x31, 0xc0, 0x5f, 0x5b, 0x5e, 0xc3];
        let found = counters(&waiting(&backing_off(&done), &behind));
        assert_eq!(found.registers, ESI | 1 << 7);
    }

    #[test]
    fn lengths_of_sleeps_are_no_use() {
        // shl esi,1; sub esp,12; push esi; call; add esp,16; mov eax,1
        let body = |function| {
            let mut body = vec![0xd1, 0xe6, 0x83, 0xec, 12, 0x56];
            body.extend(call(function, 6 + 6 + 5));
            body.extend([0x83, 0xc4, 16, 0xb8, 1, 0, 0, 0]);
            waiting(&body, &OUT)
        };
        assert_eq!(counters(&body(USLEEP)).registers, ESI);
        assert_eq!(counters(&body(NANOSLEEP)).registers, 0);
        assert_eq!(counters(&body(77)).registers, 0);
    }

    #[test]
    fn calls_keep_what_they_have_to_keep() {
        // call; then out
        let behind = |count: &[u8]| {
            let at = 6 + count.len() as u32 + 2;
            let code = [&call(77, at + 5), &OUT[..]].concat();
            waiting(count, &code)
        };
        assert_eq!(counters(&behind(&COUNT)).registers, ESI);
        let throwing = counters_at(100, &Bytes(&behind(&COUNT), true));
        assert_eq!(throwing.registers, 0, "to code that only tables know");
        // add ecx,1; mov eax,1: an argument
        assert_eq!(counters(&behind(&[0x83, 0xc1, 1, 0xb8, 1, 0, 0, 0])).registers, 0);
    }
}
