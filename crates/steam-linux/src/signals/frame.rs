//! The frames that the kernel puts on the stack for a handler, and takes off after it.
//!
//! There are two layouts: `struct sigframe`, whose mask lies in two places for reasons of age, and
//! `struct rt_sigframe` with a `siginfo_t` and a `ucontext_t` for handlers with `SA_SIGINFO`. Both
//! hold a `struct sigcontext`, which handlers may read and change, and the state of the FPU after
//! the frame.

use steam_state::Context;
use steam_visibility::Memory;
use steam_vm::Cpu;

use super::floating_point;
use super::{UNBLOCKABLE, flag};
use crate::boot::{RT_TRAMPOLINE, TRAMPOLINE};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Action, AlternateStack, SignalInfo, ThreadRecord};

/// Words of `struct sigcontext`.
const CONTEXT_WORDS: usize = 22;
/// Where `extramask` lies in `struct sigframe`: after an FPU state that is no longer used.
const EXTRA_MASK: u32 = 8 + 4 * CONTEXT_WORDS as u32 + 624;
const PLAIN_SIZE: u32 = EXTRA_MASK + 4 + 8;
const INFO: u32 = 16;
const INFO_SIZE: usize = 128;
const USER_CONTEXT: u32 = INFO + INFO_SIZE as u32;
/// Where the `sigcontext` lies in a `ucontext_t`, and the mask after it.
const MACHINE_CONTEXT: u32 = 20;
const MASK: u32 = MACHINE_CONTEXT + 4 * CONTEXT_WORDS as u32;
const EXTENDED_SIZE: u32 = USER_CONTEXT + MASK + 8 + 8;
/// The flags that a handler may change: AC, OF, DF, TF, SF, ZF, AF, PF, CF.
const CHANGEABLE_FLAGS: u32 = 0x4_0dd5;
/// Flags that are clear when a handler starts: DF, TF and RF.
const CLEARED_FLAGS: u32 = 0x1_0500;
const STACK_IN_USE: u32 = 1;
const STACK_DISABLED: u32 = 2;
const STACK_DISARMED: u32 = 0x8000_0000;

/// Positions in `struct sigcontext`, in words.
mod word {
    pub const GS: usize = 0;
    pub const FS: usize = 1;
    pub const ES: usize = 2;
    pub const DS: usize = 3;
    pub const EDI: usize = 4;
    pub const ESI: usize = 5;
    pub const EBP: usize = 6;
    pub const ESP: usize = 7;
    pub const EBX: usize = 8;
    pub const EDX: usize = 9;
    pub const ECX: usize = 10;
    pub const EAX: usize = 11;
    pub const TRAP: usize = 12;
    pub const ERROR: usize = 13;
    pub const EIP: usize = 14;
    pub const CS: usize = 15;
    pub const FLAGS: usize = 16;
    pub const ESP_AT_SIGNAL: usize = 17;
    pub const SS: usize = 18;
    pub const FPU: usize = 19;
    pub const OLD_MASK: usize = 20;
    pub const CR2: usize = 21;
}

/// Which word of the `sigcontext` holds which general register.
const GENERAL: [(usize, usize); 8] = [
    (word::EDI, Context::EDI),
    (word::ESI, Context::ESI),
    (word::EBP, Context::EBP),
    (word::ESP, Context::ESP),
    (word::EBX, Context::EBX),
    (word::EDX, Context::EDX),
    (word::ECX, Context::ECX),
    (word::EAX, Context::EAX),
];
/// Which word of the `sigcontext` holds which selector.
const SELECTORS: [(usize, usize); 4] = [(word::ES, 0), (word::DS, 3), (word::FS, 4), (word::GS, 5)];

/// Puts a frame on the stack and lets the CPU stand at the handler's first instruction.
pub fn push(
    cpu: &mut Cpu,
    record: &ThreadRecord,
    info: &SignalInfo,
    action: &Action,
    handler: u32,
    mask_after: u64,
) -> Result<(), Refusal> {
    let extended = action.flags & flag::SIGINFO != 0;
    let size = if extended { EXTENDED_SIZE } else { PLAIN_SIZE };
    let top = stack_top(cpu, record, action);
    // The FPU state is aligned for `fxsave`, its older part lies before.
    let fpu = (top.wrapping_sub(floating_point::SIZE) & !63).wrapping_sub(floating_point::LEAD);
    let frame = (fpu.wrapping_sub(size).wrapping_add(4) & !15).wrapping_sub(4);
    if record.alternate_stack.holds(cpu.gpr[Context::ESP]) && !record.alternate_stack.holds(frame) {
        return Err(Errno::EFAULT.into());
    }
    let context = context_words(cpu, info, fpu, mask_after as u32);
    let state = floating_point::save(cpu);
    cpu.memory.put(fpu, &state)?;
    let (back, registers) = if extended {
        push_extended(&mut cpu.memory, frame, info, record, &context, mask_after)?;
        (RT_TRAMPOLINE, [frame + INFO, frame + USER_CONTEXT])
    } else {
        push_plain(&mut cpu.memory, frame, info, &context, mask_after)?;
        (TRAMPOLINE, [0, 0])
    };
    let back = if action.flags & flag::RESTORER != 0 { action.restorer } else { back };
    cpu.memory.put_word(frame, back)?;
    cpu.gpr[Context::ESP] = frame;
    cpu.gpr[Context::EAX] = u32::from(info.number);
    [cpu.gpr[Context::EDX], cpu.gpr[Context::ECX]] = registers;
    cpu.eip = handler;
    let flags = cpu.eflags() & !CLEARED_FLAGS;
    cpu.set_eflags(flags);
    [cpu.selectors[0], cpu.selectors[1], cpu.selectors[2], cpu.selectors[3]] =
        [0x2b, 0x23, 0x2b, 0x2b];
    floating_point::reset(cpu);
    Ok(())
}

fn stack_top(cpu: &Cpu, record: &ThreadRecord, action: &Action) -> u32 {
    let esp = cpu.gpr[Context::ESP];
    let alternate = &record.alternate_stack;
    let wanted = action.flags & flag::ONSTACK != 0 && alternate.size != 0;
    if wanted && !alternate.holds(esp) { alternate.start + alternate.size } else { esp }
}

fn context_words(cpu: &Cpu, info: &SignalInfo, fpu: u32, mask: u32) -> [u32; CONTEXT_WORDS] {
    let mut words = [0; CONTEXT_WORDS];
    for (place, register) in GENERAL {
        words[place] = cpu.gpr[register];
    }
    for (place, register) in SELECTORS {
        words[place] = u32::from(cpu.selectors[register]);
    }
    words[word::CS] = u32::from(cpu.selectors[1]);
    words[word::SS] = u32::from(cpu.selectors[2]);
    [words[word::TRAP], words[word::ERROR], words[word::CR2]] = info.trap;
    words[word::EIP] = cpu.eip;
    words[word::FLAGS] = cpu.eflags();
    words[word::ESP_AT_SIGNAL] = cpu.gpr[Context::ESP];
    words[word::FPU] = fpu;
    words[word::OLD_MASK] = mask;
    words
}

fn push_plain(
    memory: &mut Memory,
    frame: u32,
    info: &SignalInfo,
    context: &[u32; CONTEXT_WORDS],
    mask: u64,
) -> Result<(), Refusal> {
    memory.put_word(frame + 4, u32::from(info.number))?;
    memory.put_words(frame + 8, context)?;
    memory.put_word(frame + EXTRA_MASK, (mask >> 32) as u32)
}

fn push_extended(
    memory: &mut Memory,
    frame: u32,
    info: &SignalInfo,
    record: &ThreadRecord,
    context: &[u32; CONTEXT_WORDS],
    mask: u64,
) -> Result<(), Refusal> {
    let user = frame + USER_CONTEXT;
    memory.put_words(frame + 4, &[u32::from(info.number), frame + INFO, user])?;
    memory.put(frame + INFO, &info_bytes(info))?;
    memory.put_words(user, &[0, 0])?;
    let esp = context[word::ESP];
    memory.put_words(user + 8, &stack_words(&record.alternate_stack, esp))?;
    memory.put_words(user + MACHINE_CONTEXT, context)?;
    memory.put_words(user + MASK, &[mask as u32, (mask >> 32) as u32])
}

/// The `siginfo_t` of a signal.
pub fn info_bytes(info: &SignalInfo) -> [u8; INFO_SIZE] {
    let mut bytes = [0; INFO_SIZE];
    let words = [u32::from(info.number), 0, info.code as u32];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words.iter().chain(&info.fields)) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The `stack_t` of an alternate stack.
pub fn stack_words(stack: &AlternateStack, esp: u32) -> [u32; 3] {
    let state = match stack.size {
        0 => STACK_DISABLED,
        _ if stack.holds(esp) => STACK_IN_USE,
        _ => 0,
    };
    let disarm = if stack.disarm { STACK_DISARMED } else { 0 };
    [stack.start, state | disarm, stack.size]
}

/// `sigreturn`: what the handler left in the frame becomes the thread's state; its new mask.
pub fn restore(cpu: &mut Cpu) -> Result<u64, Refusal> {
    // The return address and the signal's number were taken off by `ret` and the trampoline.
    let frame = cpu.gpr[Context::ESP].wrapping_sub(8);
    let high = cpu.memory.word(frame.wrapping_add(EXTRA_MASK))?;
    let words = cpu.memory.words::<CONTEXT_WORDS>(frame.wrapping_add(8))?;
    restore_context(cpu, &words)?;
    Ok((u64::from(high) << 32 | u64::from(words[word::OLD_MASK])) & !UNBLOCKABLE)
}

/// `rt_sigreturn`: the same for the larger frame; the new mask and the alternate stack.
pub fn restore_extended(cpu: &mut Cpu) -> Result<(u64, [u32; 3]), Refusal> {
    let frame = cpu.gpr[Context::ESP].wrapping_sub(4);
    let user = frame.wrapping_add(USER_CONTEXT);
    let mask = cpu.memory.long(user.wrapping_add(MASK))?;
    let stack = cpu.memory.words::<3>(user.wrapping_add(8))?;
    let words = cpu.memory.words::<CONTEXT_WORDS>(user.wrapping_add(MACHINE_CONTEXT))?;
    restore_context(cpu, &words)?;
    Ok((mask & !UNBLOCKABLE, stack))
}

fn restore_context(cpu: &mut Cpu, words: &[u32; CONTEXT_WORDS]) -> Result<(), Refusal> {
    if words[word::FLAGS] & vm_isa::flags::TF != 0 {
        return Err(Refusal::Unknown("single steps (the trap flag)".to_owned()));
    }
    if words[word::FPU] != 0 {
        let state = cpu.memory.bytes(words[word::FPU], floating_point::WHOLE)?;
        floating_point::restore(cpu, &state);
    } else {
        floating_point::reset(cpu);
    }
    for (place, register) in GENERAL {
        cpu.gpr[register] = words[place];
    }
    for (place, register) in SELECTORS {
        cpu.selectors[register] = words[place] as u16;
    }
    cpu.selectors[1] = words[word::CS] as u16 | 3;
    cpu.selectors[2] = words[word::SS] as u16 | 3;
    cpu.eip = words[word::EIP];
    let kept = cpu.eflags() & !CHANGEABLE_FLAGS;
    cpu.set_eflags(kept | words[word::FLAGS] & CHANGEABLE_FLAGS);
    Ok(())
}
