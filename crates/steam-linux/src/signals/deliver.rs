//! Delivery: a pending signal meets its action.

use steam_state::Context;
use steam_vm::Cpu;

use super::{DefaultAction, bit, default_action, flag, frame};
use crate::errno::Errno;
use crate::guest::GuestMemory;
use crate::kernel::{
    Action, Disposition, Interruption, Loan, Reason, SignalInfo, Status, Then, ThreadRecord,
    Waiting,
};
use crate::system::System;

/// What became of the pending signals of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// There is none to be delivered.
    Nothing,
    /// One was ignored, or its handler is about to run.
    Done,
    /// The process ends by it.
    Ends(SignalInfo),
    /// The process would stop until another one continues it, in a way that is not modelled.
    Stops(SignalInfo),
}

/// Delivers one signal to the current thread.
pub fn deliver(system: &mut System, cpu: &mut Cpu) -> Delivery {
    let thread = system.current;
    let set = super::taken(system.own_record());
    // A look first: to take one marks the state as changed.
    if !system.has_pending(system.viewer(), set) {
        return Delivery::Nothing;
    }
    let info = system.take_pending(thread, set).expect("a signal that is pending can be taken");
    act(system, cpu, info)
}

/// Delivers a signal of the CPU at once: it cannot be blocked or ignored.
pub fn force(system: &mut System, cpu: &mut Cpu, info: SignalInfo) -> Delivery {
    let blocked = system.own_record().mask & bit(info.number) != 0;
    let handled = matches!(system.process.action(info.number).disposition, Disposition::Handler(_));
    if blocked || !handled {
        return Delivery::Ends(info);
    }
    act(system, cpu, info)
}

fn act(system: &mut System, cpu: &mut Cpu, info: SignalInfo) -> Delivery {
    let action = system.process.action(info.number);
    match action.disposition {
        Disposition::Ignore => Delivery::Done,
        Disposition::Default => match default_action(info.number) {
            DefaultAction::Ignore => Delivery::Done,
            DefaultAction::Terminate => Delivery::Ends(info),
            DefaultAction::Stop => stop(system, cpu, info),
        },
        Disposition::Handler(handler) => call_handler(system, cpu, info, action, handler),
    }
}

fn call_handler(
    system: &mut System,
    cpu: &mut Cpu,
    info: SignalInfo,
    action: Action,
    handler: u32,
) -> Delivery {
    interrupt_wait(system, cpu, action.flags & flag::RESTART != 0);
    let record = system.own_record_mut();
    let mask_after = record.saved_mask.take().unwrap_or(record.mask);
    let esp = cpu.gpr[steam_state::Context::ESP];
    if frame::push(cpu, record, &info, &action, handler, mask_after).is_err() {
        // There is no room for the frame: Linux ends the process with a forced SIGSEGV.
        return Delivery::Ends(SignalInfo::of_kernel(super::number::SEGV));
    }
    record.interrupted.push(Interruption { esp, then: Then::default(), used: 0 });
    block_in_handler(record, &info, &action);
    if action.flags & flag::RESETHAND != 0 {
        let reset = Action { disposition: Disposition::Default, ..action };
        system.process.set_action(info.number, reset);
    }
    Delivery::Done
}

fn block_in_handler(record: &mut ThreadRecord, info: &SignalInfo, action: &Action) {
    record.mask |= action.mask & !super::UNBLOCKABLE;
    if action.flags & flag::NODEFER == 0 {
        record.mask |= bit(info.number) & !super::UNBLOCKABLE;
    }
    if record.alternate_stack.disarm {
        record.alternate_stack = Default::default();
    }
}

/// The process stops. Waits go on when it does, but for those that answer `EINTR` whatever comes.
fn stop(system: &mut System, cpu: &mut Cpu, info: SignalInfo) -> Delivery {
    let fails = |record: &ThreadRecord| {
        record.waiting().is_some_and(|waiting| fails_by_stop(&waiting.reason))
    };
    let (current, space) = (system.current, system.space);
    let others_fail = system.threads.of(space).any(|(it, record)| it != current && fails(record));
    if others_fail || system.process.loan != Loan::None {
        return Delivery::Stops(info);
    }
    if fails(system.own_record()) {
        interrupt_wait(system, cpu, false);
    }
    system.stop(space, info.number);
    Delivery::Done
}

fn fails_by_stop(reason: &Reason) -> bool {
    matches!(reason, Reason::Semaphores { .. } | Reason::Watch { .. } | Reason::SignalOf { .. })
}

/// Ends the current thread's wait: its call is done again after the handler, or answers `EINTR`.
fn interrupt_wait(system: &mut System, cpu: &mut Cpu, restart: bool) {
    let thread = system.current;
    let status = std::mem::replace(&mut system.own_record_mut().status, Status::Runnable);
    // It does not wait: there is nothing to interrupt.
    let Status::Waiting(waiting) = status else { return };
    if let Reason::Futex { place, .. } = waiting.reason {
        system.leave_futex(place, thread);
    }
    if let Reason::OtherEnd { pipe, reads, .. } = waiting.reason {
        system.leave_fifo(pipe, reads);
    }
    let written = match waiting.reason {
        Reason::PipeDrained { written, .. } | Reason::Departure { written, .. } => written,
        Reason::Arrival { taken, .. } => taken,
        _ => 0,
    };
    if written == 0 && restart && can_restart(&waiting) {
        return;
    }
    write_remaining(system, cpu, &waiting);
    cpu.eip = cpu.eip.wrapping_add(2);
    // What was written before counts more than the interruption.
    cpu.gpr[Context::EAX] = if written > 0 { written } else { Errno::EINTR.result() };
}

fn can_restart(waiting: &Waiting) -> bool {
    match waiting.reason {
        Reason::PipeFilled(_)
        | Reason::PipeDrained { .. }
        | Reason::Splice { .. }
        | Reason::Mail(_)
        | Reason::MailRoom(_)
        | Reason::OtherEnd { .. }
        | Reason::Counted(_)
        | Reason::Expired(_)
        | Reason::SignalRead(_)
        | Reason::CounterRoom { .. }
        | Reason::FileLock(_)
        | Reason::Child(_)
        | Reason::ChildChange { .. }
        | Reason::Borrowed(_) => true,
        Reason::Futex { .. }
        | Reason::Arrival { .. }
        | Reason::Departure { .. }
        | Reason::Connection(_)
        | Reason::Backlog(_) => waiting.deadline.is_none(),
        _ => false,
    }
}

fn write_remaining(system: &System, cpu: &mut Cpu, waiting: &Waiting) {
    // Other waits do not say how much time is left.
    let Reason::Time { remaining: Some(place) } = waiting.reason else { return };
    let rest = waiting.deadline.unwrap_or(0).saturating_sub(system.kernel.clock);
    let bytes = crate::syscalls::timespec(rest, place.wide);
    // As in Linux, a bad address here is ignored.
    let _ = cpu.memory.put(place.address, &bytes);
}
