//! System calls in words, for trails: the name of a call as C knows it, with its plain arguments.

use super::{Call, Role, SystemCall, ipc, sockets};
use crate::guest::GuestMemory;
use crate::signals;
use crate::system::System;

/// A System V call through the one number of all of them: its name, and what its plain arguments are.
fn system_v_words(call: &mut Call<'_>) -> (&'static str, &'static str) {
    let [which, first, second, third, pointer, fifth] = call.arguments;
    call.arguments = [first, second, third, pointer, fifth, 0];
    match (ipc::system_v(which), which & 0xffff) {
        (Some(row), _) => words_of(row),
        (None, 1) => ("semop", "n"),
        (None, 4) => ("semtimedop", ""),
        (None, _) => ("ipc", ""),
    }
}

/// The name of a call, and what its plain arguments are.
fn words_of(row: &'static SystemCall) -> (&'static str, &'static str) {
    (plain_name(row.name), row.facts.map_or("", |facts| facts.words))
}

/// The name by which programs call it: without what says its width or its age.
fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("rt_").unwrap_or(name).trim_start_matches("_new");
    let name = name.strip_suffix("_time64").unwrap_or(name);
    match name {
        "_llseek" => "lseek",
        "accept4" => "accept",
        _ => name.strip_suffix("64").unwrap_or(name),
    }
}

/// A call, before it is done.
pub fn in_words(row: &'static SystemCall, call: &mut Call<'_>) -> String {
    let (name, kinds) = match row {
        row if row.has(Role::SystemV) => system_v_words(call),
        row if row.has(Role::OnSocket) => words_of(sockets::unpack(call).unwrap_or(row)),
        row => words_of(row),
    };
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
    }
}
