//! `epoll`: what is ready is reported again and again, or after events alone (see `edges.rs`).
//!
//! Linux says what is ready in an order that depends on when it became so. A search tries all
//! orders, if there are not too many.

use super::{Answer, Call, edges, signal_files};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    Channel, Interest, Object, Reason, Telling, Trigger, Waiting, Watch, Watched, arrange, orders,
};
use crate::system::{System, Viewer};

const CLOEXEC: u32 = 0o2000000;
const READ_WRITE: u32 = 2;

impl System {
    /// The entries of a watch for which something has happened, as a thread sees it.
    pub fn ready_entries(&self, viewer: Viewer<'_>, channel: u32) -> Vec<(Watched, u16)> {
        let entries = self.channels.watch(channel).map(Watch::entries).unwrap_or_default();
        let happened = |entry: &Watched| {
            let interest = Interest { description: entry.description, events: entry.events };
            (*entry, self.readiness(viewer, interest))
        };
        let entries = entries.iter().filter(|entry| {
            entry.telling != Telling::Over && entry.trigger != Trigger::Edge { happened: false }
        });
        entries.map(happened).filter(|(_, events)| *events != 0).collect()
    }

    /// How many ends a wait that is over can have.
    pub fn wait_ends(&self, viewer: Viewer<'_>, waiting: &Waiting) -> u32 {
        match waiting.reason {
            Reason::Watch { channel, .. } => {
                orders(self.ready_entries(viewer, channel).len()).unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// No watch has anything to do with a description that is closed.
    pub(super) fn unwatch(&mut self, description: u32) {
        let watches =
            self.kernel.descriptions.values().filter_map(|description| match description.object {
                Object::Watch(channel) => Some(channel),
                _ => None,
            });
        for channel in watches.collect::<Vec<u32>>() {
            if let Some(watch) = self.channels.watch_mut(channel) {
                watch.forget(description);
            }
        }
    }
}

pub(super) fn epoll_create(call: &mut Call<'_>) -> Answer {
    if call.arguments[0] as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    create(call, 0)
}

pub(super) fn epoll_create1(call: &mut Call<'_>) -> Answer {
    let flags = call.arguments[0];
    if flags & !CLOEXEC != 0 {
        return Err(Errno::EINVAL.into());
    }
    create(call, flags)
}

fn create(call: &mut Call<'_>, flags: u32) -> Answer {
    let channel = call.system.channels.add(Channel::Watch(Watch::default()));
    let opened = call.system.add_description(Object::Watch(channel), READ_WRITE);
    let descriptor = opened.inspect_err(|_| call.system.channels.remove(channel))?;
    call.system.set_close_on_exec(descriptor, flags & CLOEXEC != 0);
    Ok(descriptor)
}

/// The watch behind a descriptor.
fn watch_of(call: &Call<'_>, descriptor: u32) -> Result<u32, Errno> {
    match call.system.description(descriptor)?.1.object {
        Object::Watch(channel) => Ok(channel),
        _ => Err(Errno::EINVAL),
    }
}

pub(super) fn epoll_ctl(call: &mut Call<'_>) -> Answer {
    const ADD: u32 = 1;
    const REMOVE: u32 = 2;
    const CHANGE: u32 = 3;
    let [watcher, operation, descriptor, ..] = call.arguments;
    call.system.description(watcher)?;
    let (description, object) = {
        let (number, description) = call.system.description(descriptor)?;
        (number, description.object.clone())
    };
    // Such files cannot be waited for.
    if matches!(
        object,
        Object::File(_)
            | Object::Directory { .. }
            | Object::Snapshot(_)
            | Object::Null
            | Object::Zero
            | Object::Full
    ) {
        return Err(Errno::EPERM.into());
    }
    let channel = watch_of(call, watcher)?;
    if watcher == descriptor {
        return Err(Errno::EINVAL.into());
    }
    if matches!(object, Object::Watch(_)) {
        return Err(Refusal::Unknown("epoll that watches epoll".to_owned()));
    }
    let known = watch(call, channel)?.has(descriptor, description);
    match (operation, known) {
        (ADD, true) => Err(Errno::EEXIST.into()),
        (REMOVE | CHANGE, false) => Err(Errno::ENOENT.into()),
        (REMOVE, true) => {
            watch(call, channel)?.remove(descriptor, description);
            Ok(0)
        }
        (ADD | CHANGE, _) => {
            set(call, channel, descriptor, description)?;
            note_watcher(call, &object);
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}

/// Adds what a call says of a description, or puts it in the place of what was said before.
fn set(
    call: &mut Call<'_>,
    channel: u32,
    descriptor: u32,
    description: u32,
) -> Result<(), Refusal> {
    const EXCLUSIVE: u32 = 1 << 28;
    /// The machine does not fall asleep meanwhile.
    const KEEPS_AWAKE: u32 = 1 << 29;
    const ONCE: u32 = 1 << 30;
    const EDGE: u32 = 1 << 31;
    let [asked, low, high] = call.words(call.arguments[3])?;
    if asked & EXCLUSIVE != 0 {
        return Err(Refusal::Unknown("epoll with EPOLLEXCLUSIVE".to_owned()));
    }
    let Ok(events) = u16::try_from(asked & !(KEEPS_AWAKE | ONCE | EDGE)) else {
        return Err(Refusal::Unknown(format!("epoll with events {asked:#x}")));
    };
    let trigger = match asked & EDGE != 0 {
        true => {
            edges::check(call.system, &call.system.description(descriptor)?.1.object)?;
            let interest = Interest { description, events };
            let found = call.system.readiness(call.system.viewer(), interest) != 0;
            let listed = watch(call, channel)?.is_listed(descriptor, description);
            Trigger::Edge { happened: found || listed }
        }
        false => Trigger::Level,
    };
    let telling = if asked & ONCE != 0 { Telling::Once } else { Telling::Always };
    let data = u64::from(high) << 32 | u64::from(low);
    let entry = Watched { descriptor, description, events, data, telling, trigger };
    watch(call, channel)?.set(entry);
    Ok(())
}

fn watch<'a>(call: &'a mut Call<'_>, channel: u32) -> Result<&'a mut Watch, Errno> {
    call.system.channels.watch_mut(channel).ok_or(Errno::EBADF)
}

/// Notes which process has a file of signals watched.
fn note_watcher(call: &mut Call<'_>, object: &Object) {
    let process = call.system.space.leader();
    if let Object::SignalFile(file) = object
        && let Some(file) = call.system.channels.signal_file_mut(*file)
    {
        file.watcher = Some(process);
    }
}

/// The process that has signals watched is woken by its own ones, and who waits sees those of its own: it is
/// the same process, or nothing is said.
fn refuse_inherited(call: &Call<'_>, channel: u32) -> Result<(), Refusal> {
    let system = &call.system;
    let entries = system.channels.watch(channel).map(Watch::entries).unwrap_or_default();
    let inherited = entries.iter().any(|entry| {
        let description = system.kernel.descriptions.get(&entry.description);
        match description.map(|description| &description.object) {
            Some(Object::SignalFile(file)) => system
                .channels
                .signal_file(*file)
                .is_some_and(|file| file.watcher != Some(system.space.leader())),
            _ => false,
        }
    });
    match inherited {
        true => Err(Refusal::Unknown("epoll on a signalfd that another process added".to_owned())),
        false => Ok(()),
    }
}

/// Whether there is room is not known of each socket.
fn refuse_vague(call: &Call<'_>, channel: u32) -> Result<(), Refusal> {
    let entries = call.system.channels.watch(channel).map(Watch::entries).unwrap_or_default();
    let of = |it: &Watched| Interest { description: it.description, events: it.events };
    entries.iter().try_for_each(|entry| call.refuse_vague(of(entry)))
}

/// When a wait ends that a call begins; `None` for never.
fn deadline(call: &Call<'_>) -> Option<u64> {
    let milliseconds = u64::try_from(call.arguments[3] as i32).ok()?;
    Some(call.system.kernel.clock.saturating_add(milliseconds * 1_000_000))
}

pub(super) fn epoll_wait(call: &mut Call<'_>) -> Answer {
    let [watcher, place, room, ..] = call.arguments;
    if room as i32 <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let channel = watch_of(call, watcher)?;
    refuse_inherited(call, channel)?;
    refuse_vague(call, channel)?;
    let ready = call.system.ready_entries(call.system.viewer(), channel);
    if orders(ready.len()).is_none() {
        let what = format!("epoll_wait with {} descriptors ready", ready.len());
        return Err(Refusal::Unknown(what));
    }
    let (order, deadline) = match &call.resumed {
        Some(Waiting { reason: Reason::Watch { order, .. }, deadline }) => {
            (Some(*order), *deadline)
        }
        _ => (None, deadline(call)),
    };
    let over = deadline.is_some_and(|deadline| deadline <= call.system.kernel.clock);
    let order = match order {
        _ if ready.is_empty() && over => return Ok(0),
        Some(order) if !ready.is_empty() => order,
        None if ready.len() == 1 => 0,
        // In which order they are reported is found out when the wait ends.
        _ => {
            let entries = call.system.channels.watch(channel).map(Watch::entries);
            let watched: Vec<u32> =
                entries.unwrap_or_default().iter().map(|it| it.description).collect();
            signal_files::refuse_handled_at(call, watched.into_iter())?;
            let reason = Reason::Watch { channel, order: 0 };
            return Err(Refusal::Wait(Waiting { reason, deadline }));
        }
    };
    let reported: Vec<_> = arrange(ready, order).into_iter().take(room as usize).collect();
    for (i, (entry, events)) in reported.iter().enumerate() {
        let words = [u32::from(*events), entry.data as u32, (entry.data >> 32) as u32];
        call.put_words(place.wrapping_add(12 * i as u32), &words)?;
    }
    let changes =
        |entry: &Watched| entry.telling == Telling::Once || entry.trigger != Trigger::Level;
    if reported.iter().any(|(entry, _)| changes(entry)) {
        let watch = watch(call, channel)?;
        reported.iter().for_each(|(entry, _)| watch.reported(*entry));
    }
    Ok(reported.len() as u32)
}

/// `epoll_wait` with other signals blocked.
pub(super) fn epoll_pwait(call: &mut Call<'_>) -> Answer {
    if call.arguments[4] != 0 {
        return Err(Refusal::Unknown("epoll_pwait with a set of signals".to_owned()));
    }
    epoll_wait(call)
}

/// What one of these calls would have to wait for.
pub(super) fn need(call: &mut Call<'_>) -> Option<Waiting> {
    let [watcher, _, room, timeout, ..] = call.arguments;
    let channel = watch_of(call, watcher).ok()?;
    let waits = room as i32 > 0 && timeout != 0;
    let reason = Reason::Watch { channel, order: 0 };
    waits.then(|| Waiting { reason, deadline: deadline(call) })
}
