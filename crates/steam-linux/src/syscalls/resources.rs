//! Resources: limits, usage, processors, randomness.

use super::threads::MOST_THREADS;
use super::{Answer, Call, stack_limit};
use crate::cpu_time::Busy;
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::SignalInfo;
use crate::memory_limits::{self, Verdict};
use crate::signals::number;
use crate::system::System;
use crate::world::UPTIME_SECONDS;

const INFINITY: u64 = u64::MAX;
const NARROW_INFINITY: u32 = u32::MAX;
const KINDS: u32 = 16;

/// The resources whose limits are kept, by their numbers.
pub(super) mod resource {
    pub const PROCESSOR_TIME: u32 = 0;
    pub const FILE_SIZE: u32 = 1;
    pub const DATA: u32 = 2;
    pub const STACK: u32 = 3;
    pub const CORE: u32 = 4;
    pub const PROCESSES: u32 = 6;
    pub const FILES: u32 = 7;
    pub const LOCKED: u32 = 8;
    pub const MEMORY: u32 = 9;
    pub const SIGNALS: u32 = 11;
    pub const QUEUES: u32 = 12;
    pub const NICE: u32 = 13;
    pub const PRIORITY: u32 = 14;
    pub const REAL_TIME: u32 = 15;
}

/// Limits on what nothing here is refused for, with what they are limits of.
const NOT_KEPT: [(u32, &str); 5] = [
    (resource::PROCESSOR_TIME, "CPU time"),
    (resource::QUEUES, "message queues"),
    (resource::NICE, "nice values"),
    (resource::PRIORITY, "priorities"),
    (resource::REAL_TIME, "CPU time of real-time threads"),
];

impl System {
    /// The soft and the hard limit of a resource of the process on the CPU.
    pub(super) fn limit(&self, kind: u32) -> (u64, u64) {
        if let Some(&limit) = self.process.limits.get(&kind) {
            return limit;
        }
        match kind {
            resource::STACK => (u64::from(crate::boot::STACK_SIZE), INFINITY),
            resource::CORE => (0, INFINITY),
            resource::PROCESSES | resource::SIGNALS => (4096, 4096),
            resource::FILES => (1024, 4096),
            resource::QUEUES => (819_200, 819_200),
            // Any nice value and any priority of real time, and as much locked memory as there is.
            resource::NICE => (40, 40),
            resource::PRIORITY => (99, 99),
            _ => (INFINITY, INFINITY),
        }
    }
}

impl System {
    /// The lowest of the limits that an allocation on the heap may meet.
    pub fn memory_limit(&self) -> u64 {
        self.limit(resource::MEMORY).0.min(self.limit(resource::DATA).0)
    }
}

impl Call<'_> {
    /// How many of `size` bytes may be written to a file from `start` on. If there is no room for any, the
    /// thread gets a SIGXFSZ.
    pub(super) fn room_in_file(&mut self, start: u64, size: u64) -> Result<u64, Errno> {
        let (limit, _) = self.system.limit(resource::FILE_SIZE);
        if size > 0 && start >= limit {
            let current = self.system.current;
            self.system.send_to_thread(current, SignalInfo::of_kernel(number::XFSZ));
            return Err(Errno::EFBIG);
        }
        Ok(size.min(limit.saturating_sub(start)))
    }

    /// Checks that the user may have one more thread or process. Others end unseen: in a search it is known
    /// only where it makes no difference.
    pub(super) fn check_processes(&self) -> Result<(), Refusal> {
        let (limit, _) = self.system.limit(resource::PROCESSES);
        if limit >= u64::from(MOST_THREADS) && self.system.threads.are_fewer_than(MOST_THREADS) {
            return Ok(());
        }
        let count = self.system.threads.len() as u64;
        if count >= limit && limit > 1 && self.system.world.runner.searches() {
            return Err(Refusal::Unknown("a limit of processes".to_owned()));
        }
        if count >= limit { Err(Errno::EAGAIN.into()) } else { Ok(()) }
    }

    /// Checks that the process may have `size` bytes of memory more; `data` says whether it alone writes them.
    pub(super) fn check_memory(&self, size: u32, data: bool) -> Result<(), Refusal> {
        let kinds = [resource::MEMORY, resource::DATA];
        let limits = kinds.into_iter().filter(|kind| data || *kind == resource::MEMORY);
        let limit = limits.map(|kind| self.system.limit(kind).0).min().unwrap_or(INFINITY);
        let regions = self.cpu.memory.regions();
        match memory_limits::judge(limit, size, regions, &self.system.heap) {
            Verdict::Room => Ok(()),
            Verdict::Refused => Err(Errno::ENOMEM.into()),
            Verdict::Open => Err(Refusal::Unknown("memory near a lower limit of it".to_owned())),
        }
    }

    /// Checks that one more signal may be queued.
    pub(super) fn check_signals(&self) -> Result<(), Errno> {
        let system = &self.system;
        let (limit, _) = system.limit(resource::SIGNALS);
        let own: usize = system.threads.iter().map(|(_, record)| record.pending.len()).sum();
        let spaces = system.spaces().into_iter();
        let shared: usize = spaces.map(|space| system.environment(space).pending.len()).sum();
        if (own + shared) as u64 >= limit { Err(Errno::EAGAIN) } else { Ok(()) }
    }
}

fn limit(call: &Call<'_>, kind: u32) -> Result<(u64, u64), Errno> {
    if kind < KINDS { Ok(call.system.limit(kind)) } else { Err(Errno::EINVAL) }
}

fn set_limit(call: &mut Call<'_>, kind: u32, (soft, hard): (u64, u64)) -> Result<(), Refusal> {
    let (before, highest) = limit(call, kind)?;
    if soft > hard {
        return Err(Errno::EINVAL.into());
    }
    if hard > highest {
        return Err(Errno::EPERM.into());
    }
    if let Some((_, what)) = NOT_KEPT.iter().find(|(it, _)| *it == kind && soft < before) {
        return Err(Refusal::Unknown(format!("a lower limit of {what}")));
    }
    if kind == resource::STACK {
        stack_limit::fit(call, soft)?;
    }
    call.system.process.limits.insert(kind, (soft, hard));
    Ok(())
}

fn narrow(limit: u64) -> u32 {
    u32::try_from(limit).unwrap_or(NARROW_INFINITY)
}

fn widened(limit: u32) -> u64 {
    if limit == NARROW_INFINITY { INFINITY } else { u64::from(limit) }
}

pub(super) fn getrlimit(call: &mut Call<'_>) -> Answer {
    let [kind, place, ..] = call.arguments;
    let (soft, hard) = limit(call, kind)?;
    call.put_words(place, &[narrow(soft), narrow(hard)])?;
    Ok(0)
}

pub(super) fn setrlimit(call: &mut Call<'_>) -> Answer {
    let [kind, place, ..] = call.arguments;
    let [soft, hard] = call.words(place)?;
    set_limit(call, kind, (widened(soft), widened(hard)))?;
    Ok(0)
}

pub(super) fn prlimit64(call: &mut Call<'_>) -> Answer {
    let [process, kind, new, old, ..] = call.arguments;
    if process != 0 && process != call.system.process_number() {
        return Err(Errno::ESRCH.into());
    }
    let (soft, hard) = limit(call, kind)?;
    if new != 0 {
        let wanted = (call.long(new)?, call.long(new.wrapping_add(8))?);
        set_limit(call, kind, wanted)?;
    }
    if old != 0 {
        let words = [soft as u32, (soft >> 32) as u32, hard as u32, (hard >> 32) as u32];
        call.put_words(old, &words)?;
    }
    Ok(0)
}

pub(super) fn getrusage(call: &mut Call<'_>) -> Answer {
    let [who, place, ..] = call.arguments;
    let busy = match who as i32 {
        0 => call.system.read_busy(Busy::Process(call.system.space)),
        // The thread.
        1 => call.system.read_busy(Busy::Thread(call.system.current)),
        // Its children.
        -1 => call.system.process.busy_children,
        _ => return Err(Errno::EINVAL.into()),
    };
    let busy = busy / 1000;
    let mut words = [0; 18];
    (words[0], words[1]) = ((busy / 1_000_000) as u32, (busy % 1_000_000) as u32);
    // The largest resident size, in KiB.
    words[4] = 4096;
    call.put_words(place, &words)?;
    Ok(0)
}

pub(super) fn sysinfo(call: &mut Call<'_>) -> Answer {
    const MEMORY: u32 = 1 << 30;
    let uptime = UPTIME_SECONDS + call.system.kernel.clock / 1_000_000_000;
    let mut words = [0; 16];
    words[0] = uptime as u32;
    (words[4], words[5]) = (MEMORY, MEMORY / 2);
    // The number of processes, and bytes per unit.
    (words[10], words[13]) = (1, 1);
    call.put_words(call.arguments[0], &words)?;
    Ok(0)
}

/// A call that is accepted and changes nothing.
pub(super) fn accept(_: &mut Call<'_>) -> Answer {
    Ok(0)
}

pub(super) fn getcpu(call: &mut Call<'_>) -> Answer {
    let [processor, node, ..] = call.arguments;
    for place in [processor, node] {
        if place != 0 {
            call.put_word(place, 0)?;
        }
    }
    Ok(0)
}

pub(super) fn getrandom(call: &mut Call<'_>) -> Answer {
    let [buffer, size, flags, ..] = call.arguments;
    if flags > 7 {
        return Err(Errno::EINVAL.into());
    }
    let size = size.min(0x1ff_ffff);
    // Before the stream moves on: the buffer must be there.
    call.bytes(buffer, size).map_err(|refusal| match refusal {
        Refusal::Errno(_) => Refusal::Errno(Errno::EFAULT),
        other => other,
    })?;
    let bytes = call.system.kernel.random_bytes(size as usize);
    call.put(buffer, &bytes)?;
    Ok(size)
}

/// Calls that glibc and musl try first and do without: newer or optional ones.
pub(super) fn absent(_: &mut Call<'_>) -> Answer {
    Err(Errno::ENOSYS.into())
}
