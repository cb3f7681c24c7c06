//! System calls in words, for trails: the name of a call as C knows it, with its plain arguments.

use super::{Call, sockets};
use crate::guest::GuestMemory;
use crate::signals;
use crate::system::System;

/// What the plain arguments of calls are: `n` a number, `p` a process, `t` a thread, `s` a signal, `f` a
/// path, `-` nothing that people would read.
const PLAIN: &[(&str, &str)] = &[
    ("accept", "n"),
    ("access", "f"),
    ("bind", "n"),
    ("chdir", "f"),
    ("close", "n"),
    ("connect", "n"),
    ("creat", "f"),
    ("dup", "n"),
    ("dup2", "nn"),
    ("dup3", "nn"),
    ("epoll_ctl", "nnn"),
    ("epoll_wait", "n"),
    ("execve", "f"),
    ("exit", "n"),
    ("exit_group", "n"),
    ("faccessat", "-f"),
    ("fcntl", "nn"),
    ("flock", "nn"),
    ("fstat", "n"),
    ("fstatat", "-f"),
    ("ftruncate", "nn"),
    ("getpgid", "p"),
    ("getsockopt", "nnn"),
    ("kill", "ps"),
    ("listen", "nn"),
    ("lseek", "nn"),
    ("lstat", "f"),
    ("mkdir", "f"),
    ("mkdirat", "-f"),
    ("mq_open", "f"),
    ("mq_unlink", "f"),
    ("msgctl", "nn"),
    ("msgget", "nn"),
    ("msgrcv", "n"),
    ("msgsnd", "n"),
    ("open", "f"),
    ("openat", "-f"),
    ("pread", "n-n"),
    ("pwrite", "n-n"),
    ("read", "n-n"),
    ("readv", "n"),
    ("recvfrom", "n-n"),
    ("recvmsg", "n"),
    ("rename", "ff"),
    ("rmdir", "f"),
    ("semctl", "nnn"),
    ("semget", "nn"),
    ("semop", "n"),
    ("sendmsg", "n"),
    ("sendto", "n-n"),
    ("setpgid", "pp"),
    ("setsockopt", "nnn"),
    ("shmat", "n"),
    ("shmctl", "nn"),
    ("shmget", "nn"),
    ("shutdown", "nn"),
    ("sigaction", "s"),
    ("sigprocmask", "n"),
    ("sigqueueinfo", "ps"),
    ("socket", "nn"),
    ("socketpair", "nn"),
    ("stat", "f"),
    ("statx", "-f"),
    ("tgkill", "pts"),
    ("timerfd_gettime", "n"),
    ("timerfd_settime", "n"),
    ("tkill", "ts"),
    ("truncate", "fn"),
    ("umask", "n"),
    ("unlink", "f"),
    ("unlinkat", "-f"),
    ("wait4", "p"),
    ("waitpid", "p"),
    ("write", "n-n"),
    ("writev", "n"),
];

/// The calls behind the one number of all System V calls, and where their arguments are.
fn system_v(call: &mut Call<'_>) -> &'static str {
    let [which, first, second, third, pointer, fifth] = call.arguments;
    call.arguments = [first, second, third, pointer, fifth, 0];
    match which & 0xffff {
        1 => "semop",
        2 => "semget",
        3 => "semctl",
        4 => "semtimedop",
        11 => "msgsnd",
        12 => "msgrcv",
        13 => "msgget",
        14 => "msgctl",
        21 => "shmat",
        22 => "shmdt",
        23 => "shmget",
        24 => "shmctl",
        _ => "ipc",
    }
}

/// The name by which programs call it: without what tells of its width or its age.
fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("rt_").unwrap_or(name).trim_start_matches("_new");
    let name = name.strip_suffix("_time64").unwrap_or(name);
    match name {
        "_llseek" => "lseek",
        "accept4" => "accept",
        _ => name.strip_suffix("64").unwrap_or(name),
    }
}

/// The call with a name, before it is done.
pub fn in_words(name: &'static str, call: &mut Call<'_>) -> String {
    let name = match name {
        "ipc" => system_v(call),
        "socketcall" => sockets::unpack(call).map_or(name, |(name, _)| name),
        name => plain_name(name),
    };
    let kinds = PLAIN.iter().find(|(other, _)| *other == name).map_or("", |(_, kinds)| *kinds);
    let arguments = call.arguments;
    let given = kinds.bytes().zip(arguments).filter(|(kind, _)| *kind != b'-');
    let words: Vec<String> = given.map(|(kind, value)| argument(call, kind, value)).collect();
    format!("{name}({})", words.join(", "))
}

fn argument(call: &mut Call<'_>, kind: u8, value: u32) -> String {
    let thread = System::thread_numbered(value).filter(|_| value as i32 > 0);
    match (kind, thread) {
        (b'p', Some(leader)) => format!("process {}", leader.0),
        (b't', Some(thread)) => format!("thread {}", thread.0),
        (b's', _) => match u8::try_from(value) {
            Ok(signal) if (1..=signals::number::LAST).contains(&signal) => signals::name(signal),
            _ => value.to_string(),
        },
        (b'f', _) => match call.path(value) {
            Ok(path) => format!("\"{}\"", String::from_utf8_lossy(&path)),
            Err(_) => format!("{value:#x}"),
        },
        _ => (value as i32).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_c() {
        let names =
            ["rt_sigprocmask", "_llseek", "fcntl64", "_newselect", "ppoll_time64", "pread64"];
        let plain = ["sigprocmask", "lseek", "fcntl", "select", "ppoll", "pread"];
        assert_eq!(names.map(plain_name), plain);
        assert!(PLAIN.is_sorted_by_key(|(name, _)| *name));
    }
}
