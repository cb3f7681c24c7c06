//! `mq_notify`: a process is notified of the message that comes to an empty POSIX message queue.
//!
//! One process at a time is registered at a queue, until it is notified, gives it up, or closes a descriptor of the
//! queue. glibc runs a function in a thread (`SIGEV_THREAD`) with the help of a thread that reads from a netlink
//! socket: the kernel sends it there what was registered, with a last byte that says what has become of it.

use steam_state::Space;

use super::{Answer, Call};
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{
    Announcement, Family, Letter, Object, Phase, Reason, Registration, SignalInfo,
};
use crate::signals::number;
use crate::system::System;
use crate::world::USER_ID;

/// How many bytes go to a netlink socket.
const COOKIE_SIZE: u32 = 32;
/// The last of them, if a message has come.
const TOLD: u8 = 1;
/// The last of them, if the registration is no more.
const REMOVED: u8 = 2;
/// `si_code` of a signal that reports a message.
const CODE_MESSAGE: i32 = -3;

pub(super) fn mq_notify(call: &mut Call<'_>) -> Answer {
    let [descriptor, event, ..] = call.arguments;
    let announcement = if event == 0 { None } else { Some(announcement(call, event)?) };
    let Object::MailQueue(channel) = call.system.description(descriptor)?.1.object else {
        return Err(Errno::EBADF.into());
    };
    let process = call.system.process_number();
    let registered = call.system.registration(channel).map(|registration| registration.process);
    match announcement {
        None if registered == Some(process) => call.system.end_registration(channel),
        // No process gives up what another one has.
        None => {}
        Some(_) if registered.is_some() => return Err(Errno::EBUSY.into()),
        Some(announcement) => {
            let queue = call.system.channels.mail_queue_mut(channel).ok_or(Errno::EBADF)?;
            queue.registration = Some(Registration { process, announcement });
        }
    }
    Ok(0)
}

/// Reads a `struct sigevent`.
fn announcement(call: &mut Call<'_>, event: u32) -> Result<Announcement, Refusal> {
    const SIGNAL: u32 = 0;
    const NONE: u32 = 1;
    const THREAD: u32 = 2;
    let [value, signal, kind] = call.words(event)?;
    match kind {
        NONE => Ok(Announcement::None),
        SIGNAL => match u8::try_from(signal) {
            Ok(number) if number <= number::LAST => Ok(Announcement::Signal { number, value }),
            _ => Err(Errno::EINVAL.into()),
        },
        THREAD => {
            let cookie = call.bytes(value, COOKIE_SIZE)?;
            let Object::Socket(socket) = call.system.description(signal)?.1.object else {
                return Err(Errno::ENOTSOCK.into());
            };
            match call.system.channels.socket(socket).map(|socket| socket.family) {
                Some(Family::Netlink) => Ok(Announcement::Cookie { socket, bytes: cookie.into() }),
                _ => Err(Errno::EINVAL.into()),
            }
        }
        _ => Err(Errno::EINVAL.into()),
    }
}

impl System {
    fn registration(&self, channel: u32) -> Option<&Registration> {
        self.channels.mail_queue(channel)?.registration.as_ref()
    }

    fn take_registration(&mut self, channel: u32) -> Option<Registration> {
        self.registration(channel)?;
        self.channels.mail_queue_mut(channel)?.registration.take()
    }

    /// Notifies the registered process of a message that the process on the CPU has just put into a queue; `waited` if
    /// there was no room at first. Then the process that made room has put it there, and notifies none. There is no notice
    /// either if a thread waits for the message: each thread that waits gets one of those in the queue.
    pub(super) fn announce_mail(&mut self, channel: u32, waited: bool) {
        let queue = self.channels.mail_queue(channel).expect("a message was put into the queue");
        let (before, registered) = (queue.len() - 1, queue.registration.is_some());
        let receives = |reason: &Reason| *reason == Reason::Mail(channel);
        if !registered || waited || before != self.others_wait(receives, false).count() {
            return;
        }
        let Some(Registration { process, announcement }) = self.take_registration(channel) else {
            return;
        };
        match announcement {
            Announcement::None | Announcement::Signal { number: 0, .. } => {}
            Announcement::Signal { number, value } => {
                let fields = [self.process_number(), USER_ID, value];
                let info = SignalInfo { number, code: CODE_MESSAGE, fields, trap: [0; 3] };
                let leader = System::thread_numbered(process);
                let space = leader.and_then(Space::of).expect("it ends with its process");
                self.send_to_process(space, info);
            }
            Announcement::Cookie { socket, bytes } => self.send_cookie(socket, &bytes, TOLD),
        }
    }

    /// A registration is given up.
    fn end_registration(&mut self, channel: u32) {
        if let Some(Registration { announcement: Announcement::Cookie { socket, bytes }, .. }) =
            self.take_registration(channel)
        {
            self.send_cookie(socket, &bytes, REMOVED);
        }
    }

    /// Sends to a netlink socket what was registered; one that was closed gets nothing.
    fn send_cookie(&mut self, socket: u32, cookie: &[u8], last: u8) {
        let Some(socket) = self.channels.socket_mut(socket) else { return };
        if let (Family::Netlink, Phase::Letters { letters, .. }) =
            (socket.family, &mut socket.phase)
        {
            let mut bytes = cookie.to_vec();
            bytes[COOKIE_SIZE as usize - 1] = last;
            letters.push(Letter {
                from: None,
                sender: None,
                bytes: bytes.into(),
                rights: Vec::new(),
            });
        }
    }

    /// The process on the CPU is about to close a descriptor: if that is one of a queue at which it is registered, it
    /// is so no more, whichever descriptor it used.
    pub(super) fn unregister_at_close(&mut self, descriptor: u32) {
        // `close` itself refuses a descriptor that is not open.
        let Ok((_, description)) = self.description(descriptor) else { return };
        let Object::MailQueue(channel) = description.object else { return };
        if self
            .registration(channel)
            .is_some_and(|registration| registration.process == self.process_number())
        {
            self.end_registration(channel);
        }
    }
}
