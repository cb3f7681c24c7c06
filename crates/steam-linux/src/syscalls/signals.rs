//! Signals: actions, masks, sending, waiting, returning from handlers.

use steam_state::{Context, Space, ThreadId};

use super::time::Width;
use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Action, AlternateStack, Disposition, Reason, SignalInfo, Waiting};
use crate::signals::{
    self, CODE_THREAD, CODE_USER, UNBLOCKABLE, bit, info_bytes, number, stack_words,
};
use crate::system::System;

const SET_SIZE: u32 = 8;

fn signal_number(value: u32) -> Result<u8, Errno> {
    match u8::try_from(value) {
        Ok(signal) if (1..=number::LAST).contains(&signal) => Ok(signal),
        _ => Err(Errno::EINVAL),
    }
}

/// What a signal does whose handler is this address.
pub fn disposition(handler: u32) -> Disposition {
    match handler {
        0 => Disposition::Default,
        1 => Disposition::Ignore,
        address => Disposition::Handler(address),
    }
}

fn handler_word(action: &Action) -> u32 {
    match action.disposition {
        Disposition::Default => 0,
        Disposition::Ignore => 1,
        Disposition::Handler(address) => address,
    }
}

pub(super) fn rt_sigaction(call: &mut Call<'_>) -> Answer {
    let [signal, new, old, size, ..] = call.arguments;
    if size != SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let signal = signal_number(signal)?;
    let before = call.system.process.action(signal);
    if new != 0 {
        let [handler, flags, restorer, low, high] = call.words(new)?;
        let mask = u64::from(high) << 32 | u64::from(low);
        set_action(
            call,
            signal,
            Action { disposition: disposition(handler), flags, restorer, mask },
        )?;
    }
    if old != 0 {
        let words = [
            handler_word(&before),
            before.flags,
            before.restorer,
            before.mask as u32,
            (before.mask >> 32) as u32,
        ];
        call.put_words(old, &words)?;
    }
    Ok(0)
}

/// The old call, with a mask of 32 signals and another order of fields.
pub(super) fn sigaction(call: &mut Call<'_>) -> Answer {
    let [signal, new, old, ..] = call.arguments;
    let signal = signal_number(signal)?;
    let before = call.system.process.action(signal);
    if new != 0 {
        let [handler, mask, flags, restorer] = call.words(new)?;
        let mask = u64::from(mask);
        set_action(
            call,
            signal,
            Action { disposition: disposition(handler), flags, restorer, mask },
        )?;
    }
    if old != 0 {
        let words = [handler_word(&before), before.mask as u32, before.flags, before.restorer];
        call.put_words(old, &words)?;
    }
    Ok(0)
}

/// The oldest call: the handler is called once.
pub(super) fn signal(call: &mut Call<'_>) -> Answer {
    const ONE_SHOT: u32 = signals::flag::RESETHAND | signals::flag::NODEFER;
    let [signal, handler, ..] = call.arguments;
    let signal = signal_number(signal)?;
    let before = call.system.process.action(signal);
    let action =
        Action { disposition: disposition(handler), flags: ONE_SHOT, restorer: 0, mask: 0 };
    set_action(call, signal, action)?;
    Ok(handler_word(&before))
}

fn set_action(call: &mut Call<'_>, signal: u8, action: Action) -> Result<(), Errno> {
    if bit(signal) & UNBLOCKABLE != 0 {
        return Err(Errno::EINVAL);
    }
    let action = Action { mask: action.mask & !UNBLOCKABLE, ..action };
    call.system.process.set_action(signal, action);
    call.system.forget_ignored(signal);
    call.system.review_waits();
    Ok(())
}

/// The mask that `sigprocmask` makes of an old one. The old call, which is narrow, leaves the signals from
/// 33 on alone.
pub fn new_mask(old: u64, how: u32, set: u64, narrow: bool) -> Result<u64, Errno> {
    const SET: u32 = 2;
    let set = if narrow && how == SET { old & !0xffff_ffff | set } else { set };
    let mask = match how {
        0 => old | set,
        1 => old & !set,
        SET => set,
        _ => return Err(Errno::EINVAL),
    };
    Ok(mask & !UNBLOCKABLE)
}

pub(super) fn rt_sigprocmask(call: &mut Call<'_>) -> Answer {
    let [how, new, old, size, ..] = call.arguments;
    if size != SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let before = call.thread()?.mask;
    if new != 0 {
        let set = call.long(new)?;
        call.thread()?.mask = new_mask(before, how, set, false)?;
    }
    if old != 0 {
        call.put_words(old, &[before as u32, (before >> 32) as u32])?;
    }
    Ok(0)
}

pub(super) fn sigprocmask(call: &mut Call<'_>) -> Answer {
    let [how, new, old, ..] = call.arguments;
    let before = call.thread()?.mask;
    if new != 0 {
        let set = u64::from(call.word(new)?);
        call.thread()?.mask = new_mask(before, how, set, true)?;
    }
    if old != 0 {
        call.put_word(old, before as u32)?;
    }
    Ok(0)
}

pub(super) fn sgetmask(call: &mut Call<'_>) -> Answer {
    Ok(call.thread()?.mask as u32)
}

pub(super) fn ssetmask(call: &mut Call<'_>) -> Answer {
    let new = u64::from(call.arguments[0]) & !UNBLOCKABLE;
    let record = call.thread()?;
    Ok(std::mem::replace(&mut record.mask, new) as u32)
}

fn pending(call: &mut Call<'_>) -> Result<u64, Refusal> {
    let shared = call.system.process.pending.clone();
    let record = call.thread()?;
    let all = record.pending.iter().chain(&shared);
    Ok(all.fold(0, |set, info| set | bit(info.number)) & record.mask)
}

pub(super) fn rt_sigpending(call: &mut Call<'_>) -> Answer {
    let [place, size, ..] = call.arguments;
    if size > SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let set = pending(call)?.to_le_bytes();
    call.put(place, &set[..size as usize])?;
    Ok(0)
}

pub(super) fn sigpending(call: &mut Call<'_>) -> Answer {
    let set = pending(call)? as u32;
    call.put_word(call.arguments[0], set)?;
    Ok(0)
}

/// A signal number that may be 0, which only asks whether the target is there.
fn optional_signal(value: u32) -> Result<Option<u8>, Errno> {
    if value == 0 { Ok(None) } else { signal_number(value).map(Some) }
}

pub(super) fn kill(call: &mut Call<'_>) -> Answer {
    let [target, signal, ..] = call.arguments;
    let signal = optional_signal(signal)?;
    let targets = targets(call, target as i32)?;
    if let Some(signal) = signal {
        let info = SignalInfo::sent(signal, CODE_USER, call.system.process_number());
        for space in targets {
            call.system.send_to_process(space, info);
        }
    }
    Ok(0)
}

/// The processes that `kill` means: one, those of a group, or all but the sender.
fn targets(call: &Call<'_>, target: i32) -> Result<Vec<Space>, Errno> {
    let system = &*call.system;
    let own = system.process.group;
    let in_group = |group: u32| {
        let processes = system.kernel.processes.iter();
        let members = processes.filter(move |(_, it)| it.ended.is_none() && it.group == group);
        members.filter_map(|(leader, _)| Space::of(*leader)).collect::<Vec<Space>>()
    };
    let targets = match target {
        0 => in_group(own),
        -1 => {
            let others: Vec<Space> =
                system.spaces().into_iter().filter(|space| *space != system.space).collect();
            // Alone, a process means itself here: as before there were others.
            if others.is_empty() { vec![system.space] } else { others }
        }
        target if target < 0 => in_group(target.unsigned_abs()),
        target => {
            let leader = System::thread_numbered(target as u32).ok_or(Errno::ESRCH)?;
            let entry = system.kernel.processes.get(&leader).ok_or(Errno::ESRCH)?;
            if entry.parent.is_none() && entry.ended.is_some() {
                return Err(Errno::ESRCH);
            }
            // One that has ended and was not waited for is there, and nothing happens to it.
            return Ok(Space::of(leader).filter(|_| entry.ended.is_none()).into_iter().collect());
        }
    };
    if targets.is_empty() { Err(Errno::ESRCH) } else { Ok(targets) }
}

pub(super) fn tkill(call: &mut Call<'_>) -> Answer {
    let [thread, signal, ..] = call.arguments;
    send_to_thread(call, thread, signal)
}

pub(super) fn tgkill(call: &mut Call<'_>) -> Answer {
    let [process, thread, signal, ..] = call.arguments;
    if process != call.system.process_number() {
        let valid = process as i32 > 0 && thread as i32 > 0;
        return Err(if valid { Errno::ESRCH } else { Errno::EINVAL }.into());
    }
    send_to_thread(call, thread, signal)
}

fn send_to_thread(call: &mut Call<'_>, thread: u32, signal: u32) -> Answer {
    let signal = optional_signal(signal)?;
    if thread as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let thread: ThreadId = call.system.thread_of(thread).ok_or(Errno::ESRCH)?;
    if let Some(signal) = signal {
        let process = call.system.process_number();
        call.system.send_to_thread(thread, SignalInfo::sent(signal, CODE_THREAD, process));
    }
    Ok(0)
}

fn queued_info(call: &mut Call<'_>, signal: u8, address: u32) -> Result<SignalInfo, Refusal> {
    let [_, _, code, process, user, value] = call.words(address)?;
    call.check_signals()?;
    let fields = [process, user, value];
    Ok(SignalInfo { number: signal, code: code as i32, fields, trap: [0; 3] })
}

pub(super) fn rt_sigqueueinfo(call: &mut Call<'_>) -> Answer {
    let [process, signal, info, ..] = call.arguments;
    let targets = targets(call, process as i32)?;
    if let Some(signal) = optional_signal(signal)? {
        let info = queued_info(call, signal, info)?;
        for space in targets {
            call.system.send_to_process(space, info);
        }
    }
    Ok(0)
}

pub(super) fn rt_tgsigqueueinfo(call: &mut Call<'_>) -> Answer {
    let [process, thread, signal, info, ..] = call.arguments;
    if process != call.system.process_number() {
        return Err(Errno::ESRCH.into());
    }
    let thread = call.system.thread_of(thread).ok_or(Errno::ESRCH)?;
    if let Some(signal) = optional_signal(signal)? {
        let info = queued_info(call, signal, info)?;
        call.system.send_to_thread(thread, info);
    }
    Ok(0)
}

pub(super) fn sigreturn(call: &mut Call<'_>) -> Answer {
    match signals::restore(call.cpu) {
        Ok(mask) => returned(call, mask),
        Err(refusal) => bad_frame(call, refusal),
    }
}

pub(super) fn rt_sigreturn(call: &mut Call<'_>) -> Answer {
    let (mask, stack) = match signals::restore_extended(call.cpu) {
        Ok(restored) => restored,
        Err(refusal) => return bad_frame(call, refusal),
    };
    // An alternate stack that is no longer acceptable is left as it is, as in Linux.
    let _ = set_stack(call, stack);
    returned(call, mask)
}

/// The frame cannot be read: the thread gets a SIGSEGV.
fn bad_frame(call: &mut Call<'_>, refusal: Refusal) -> Answer {
    if !matches!(refusal, Refusal::Errno(_)) {
        return Err(refusal);
    }
    let current = call.system.current;
    call.system.send_to_thread(current, SignalInfo::of_kernel(number::SEGV));
    Err(Refusal::RegistersSet)
}

fn returned(call: &mut Call<'_>, mask: u64) -> Answer {
    let record = call.thread()?;
    record.mask = mask;
    record.interrupted.pop();
    let (fs, gs) = (call.cpu.selectors[4], call.cpu.selectors[5]);
    let record = call.thread()?;
    let bases = (record.segment_base(fs), record.segment_base(gs));
    (call.cpu.fs_base, call.cpu.gs_base) = (bases.0.unwrap_or(0), bases.1.unwrap_or(0));
    Err(Refusal::RegistersSet)
}

const STACK_DISABLED: u32 = 2;
const STACK_DISARM: u32 = 0x8000_0000;

pub(super) fn sigaltstack(call: &mut Call<'_>) -> Answer {
    let [new, old, ..] = call.arguments;
    let esp = call.cpu.gpr[Context::ESP];
    let before = call.thread()?.alternate_stack;
    if new != 0 {
        let words = call.words::<3>(new)?;
        if before.holds(esp) {
            return Err(Errno::EPERM.into());
        }
        set_stack(call, words)?;
    }
    if old != 0 {
        call.put_words(old, &stack_words(&before, esp))?;
    }
    Ok(0)
}

fn set_stack(call: &mut Call<'_>, [start, flags, size]: [u32; 3]) -> Result<(), Refusal> {
    let disarm = flags & STACK_DISARM != 0;
    let stack = match flags & !STACK_DISARM {
        STACK_DISABLED => AlternateStack::default(),
        0 | 1 if size < signals::SMALLEST_STACK => return Err(Errno::ENOMEM.into()),
        0 | 1 => AlternateStack { start, size, disarm },
        _ => return Err(Errno::EINVAL.into()),
    };
    let record = call.thread()?;
    record.alternate_stack = stack;
    // A handler that runs on a part of the thread's own stack makes "below" meaningless.
    if stack.size > 0 && start < record.stack.1 && start.saturating_add(size) > record.stack.0 {
        record.stack = (0, 0);
        call.cpu.memory.set_stack(0, 0);
    }
    Ok(())
}

fn wait_for_signal(suspends: bool) -> Answer {
    Err(Refusal::Wait(Waiting { reason: Reason::Signal { suspends }, deadline: None }))
}

pub(super) fn pause(_: &mut Call<'_>) -> Answer {
    wait_for_signal(false)
}

pub(super) fn rt_sigsuspend(call: &mut Call<'_>) -> Answer {
    let mask = call.long(call.arguments[0])?;
    suspend(call, mask)
}

pub(super) fn sigsuspend(call: &mut Call<'_>) -> Answer {
    let mask = u64::from(call.arguments[2]);
    suspend(call, mask)
}

fn suspend(call: &mut Call<'_>, mask: u64) -> Answer {
    let record = call.thread()?;
    record.saved_mask.get_or_insert(record.mask);
    record.mask = mask & !UNBLOCKABLE;
    wait_for_signal(true)
}

pub(super) fn rt_sigtimedwait(call: &mut Call<'_>) -> Answer {
    wait_for_set(call, Width::Narrow)
}

pub(super) fn rt_sigtimedwait_time64(call: &mut Call<'_>) -> Answer {
    wait_for_set(call, Width::Wide)
}

fn wait_for_set(call: &mut Call<'_>, width: Width) -> Answer {
    let [set, info_place, timeout, ..] = call.arguments;
    let wanted = call.long(set)? & !UNBLOCKABLE;
    let deadline = call.deadline(timeout, width, None)?;
    let current = call.system.current;
    let mask = call.thread()?.mask;
    let set = wanted & !signals::deadly(&call.system.process, mask);
    if call.system.has_pending(call.system.viewer(), set)
        && let Some(info) = call.system.take_pending(current, set)
    {
        if info_place != 0 {
            call.put(info_place, &info_bytes(&info))?;
        }
        return Ok(u32::from(info.number));
    }
    if deadline.is_some_and(|deadline| deadline <= call.system.kernel.clock) {
        return Err(Errno::EAGAIN.into());
    }
    Err(Refusal::Wait(Waiting { reason: Reason::SignalOf { wanted, set }, deadline }))
}
