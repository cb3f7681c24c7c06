//! Each family of system calls: a C program does the same on the host and in the machine.

use crate::support::same;

#[test]
fn start_up() {
    same("start_up.c");
}

#[test]
fn memory() {
    same("memory.c");
}

#[test]
fn files() {
    same("files.c");
}

#[test]
fn names_and_directories() {
    same("names.c");
}

#[test]
fn pipes_and_readiness() {
    same("pipes.c");
}

#[test]
fn signals() {
    same("signals.c");
}

#[test]
fn faults() {
    same("faults.c");
}

#[test]
fn time() {
    same("time.c");
}

#[test]
fn identity() {
    same("identity.c");
}

#[test]
fn threads() {
    same("threads.c");
}

#[test]
fn robust_mutexes_and_futexes() {
    same("futexes.c");
}

#[test]
fn old_calls() {
    same("old_calls.c");
}

#[test]
fn cpp_library() {
    same("library.cc");
}

#[test]
fn sockets() {
    same("sockets.c");
}

#[test]
fn internet() {
    same("internet.c");
}

#[test]
fn message_queues() {
    same("message_queues.c");
}

#[test]
fn epoll() {
    same("epoll.c");
}
