//! What a system call would have to wait for, before it is done.

use super::{
    Call, children, epoll, locks, mail_queues, message_queues, readiness, semaphores, sockets,
};
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Object, Reason, Waiting};

const NONBLOCK: u32 = 0o4000;

/// What the call with a name may have to wait for, if it is one that may; nothing is done.
pub fn need(name: &str, call: &mut Call<'_>) -> Option<Waiting> {
    let [first, second, third, fourth, ..] = call.arguments;
    let reason = match name {
        "ipc" => return ipc(call),
        "poll" | "ppoll" | "ppoll_time64" | "_newselect" | "pselect6" | "pselect6_time64" => {
            return readiness::need(name, call);
        }
        "mq_timedsend" | "mq_timedsend_time64" | "mq_timedreceive" | "mq_timedreceive_time64" => {
            return mail_queues::need(name, call);
        }
        "epoll_wait" => return epoll::need(call),
        "socketcall" => {
            let (name, _) = sockets::unpack(call).ok()?;
            return need(name, call);
        }
        "recvfrom" | "recvmsg" | "sendto" | "sendmsg" | "accept4" | "connect" => {
            return sockets::need(name, call);
        }
        "read" | "readv" | "write" | "writev" if call.is_socket(first) => {
            return sockets::need(name, call);
        }
        "read" | "readv" => match call.system.description(first).ok()?.1 {
            it if it.flags & NONBLOCK != 0 || name == "read" && third == 0 => return None,
            it => match it.object {
                Object::PipeReader(pipe) => Reason::PipeFilled(pipe),
                Object::Counter(counter) if name == "read" && third >= 8 => {
                    Reason::Counted(counter)
                }
                Object::SignalFile(file) if name == "read" && third >= 128 => {
                    Reason::SignalRead(file)
                }
                Object::TimerFile(timer) if name == "read" && third >= 8 => Reason::Expired(timer),
                _ => return None,
            },
        },
        "write" | "writev" => match call.system.description(first).ok()?.1 {
            it if it.flags & NONBLOCK != 0 => return None,
            it => match it.object {
                Object::PipeWriter(pipe) if name == "write" => {
                    Reason::PipeDrained { pipe, written: 0, left: third }
                }
                Object::PipeWriter(pipe) => {
                    Reason::PipeDrained { pipe, written: 0, left: total(call, second, third).ok()? }
                }
                _ => return None,
            },
        },
        "flock" => locks::flock_need(call)?,
        "semop" => semaphores_need(call, first, second, third)?,
        "semtimedop_time64" if fourth == 0 => semaphores_need(call, first, second, third)?,
        "msgsnd" => room(call, first, second, third, fourth)?,
        "msgrcv" => message(call, first, fourth, call.arguments[4])?,
        "waitpid" | "wait4" => child(call, first as i32, third)?,
        _ => return None,
    };
    Some(Waiting { reason, deadline: None })
}

/// How many bytes the parts of a `writev` have.
fn total(call: &mut Call<'_>, parts: u32, count: u32) -> Result<u32, Refusal> {
    let bytes = call.bytes(parts, count.min(1024) * 8)?;
    let sizes = bytes.chunks_exact(8).map(|it| u32::from_le_bytes([it[4], it[5], it[6], it[7]]));
    Ok(sizes.fold(0, u32::saturating_add))
}

fn ipc(call: &mut Call<'_>) -> Option<Waiting> {
    let [which, first, second, third, pointer, fifth] = call.arguments;
    let reason = match which {
        1 => semaphores_need(call, first, pointer, second)?,
        4 if fifth == 0 => semaphores_need(call, first, pointer, second)?,
        11 => room(call, first, pointer, second, third)?,
        12 => {
            let kind = call.word(pointer.wrapping_add(4)).ok()?;
            message(call, first, kind, third)?
        }
        0x1000c => message(call, first, fifth, third)?,
        _ => return None,
    };
    Some(Waiting { reason, deadline: None })
}

fn semaphores_need(call: &mut Call<'_>, id: u32, address: u32, count: u32) -> Option<Reason> {
    let operations = semaphores::read_operations(call, address, count).ok()?;
    let channel = call.facility_of(id, false).ok()?.channel;
    Some(Reason::Semaphores { channel, id, operations })
}

fn room(call: &mut Call<'_>, id: u32, buffer: u32, size: u32, flags: u32) -> Option<Reason> {
    let channel = call.facility_of(id, true).ok()?.channel;
    let kind = call.word(buffer).ok()? as i32;
    (flags & NONBLOCK == 0).then_some(Reason::Room { channel, id, size, kind })
}

fn message(call: &mut Call<'_>, id: u32, kind: u32, flags: u32) -> Option<Reason> {
    let channel = call.facility_of(id, true).ok()?.channel;
    let wanted = message_queues::wanted(kind, flags);
    (flags & NONBLOCK == 0).then_some(Reason::Message { channel, id, wanted })
}

fn child(call: &Call<'_>, number: i32, options: u32) -> Option<Reason> {
    let which = children::children(call, number).ok()?;
    (options & children::NO_HANG == 0).then(|| children::reason(which, options))
}
