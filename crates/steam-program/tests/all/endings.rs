//! Runs that end otherwise than by exit: what is not modelled, memory errors, deadlocks.

use std::sync::Arc;

use crate::support::{Collected, boot, compile};
use steam_program::Ending;
use steam_report::Report;

fn end(case: &str) -> Ending {
    let program = compile("endings.c", &[]);
    let mut machine = boot(&program, &[case], b"", Arc::default());
    machine.run(&mut Collected::default())
}

fn unknown(case: &str) -> Report {
    match end(case) {
        Ending::Unknown(report) => *report,
        other => panic!("{case}: {other:?}"),
    }
}

fn violation(case: &str) -> Report {
    match end(case) {
        Ending::Violation(report) => *report,
        other => panic!("{case}: {other:?}"),
    }
}

#[test]
fn an_unmodelled_call_is_named() {
    let text = unknown("socket").to_string();
    assert!(text.contains("102 socketcall, a socket of family 10"), "{text}");
    assert!(text.contains("endings.c:"), "{text}");
    let text = unknown("unshare").to_string();
    assert!(text.contains("310 unshare"), "{text}");
    let text = unknown("system").to_string();
    assert!(text.contains("in the command of system or popen: for"), "{text}");
    let text = unknown("command").to_string();
    assert!(text.contains("11 execve") && text.contains("ls is to be run"), "{text}");
    assert!(!unknown("number").is_violation());
}

/// What would be answered wrongly if it were accepted in silence.
#[test]
fn what_is_not_kept_is_named() {
    for (case, name, why) in [
        ("parent's end", "172 prctl", "a signal when the parent ends"),
        ("all segments", "ipc", "SHM_INFO"),
        ("limit", "limit", "a lower limit of CPU time"),
        ("near a limit", "45 brk", "memory near a lower limit of it"),
        ("ready signal", "221 fcntl64", "a signal when a file becomes ready"),
        ("lease of a file", "221 fcntl64", "command 1024"),
        ("lock of a pipe", "143 flock", "a lock on what is no file"),
    ] {
        let text = unknown(case).to_string();
        assert!(text.contains(name) && text.contains(why), "{case}: {text}");
        assert!(text.contains("endings.c:"), "{case}: {text}");
    }
}

#[test]
fn a_request_is_answered_or_named() {
    let text = unknown("request").to_string();
    assert!(text.contains("request 99 of steam.h") && text.contains("endings.c:"), "{text}");
    assert_eq!(violation("false request").message, "assertion failed: left == right");
    assert_eq!(violation("wordless request").message, "an assertion is false");
    assert!(matches!(end("true request"), Ending::Exited(_)));
}

#[test]
fn a_limit_of_ours_is_not_the_programs_lack_of_memory() {
    for (case, what) in [
        ("large", "a heap that is full at 1.3 GiB"),
        ("many large", "a heap that is full at 1.3 GiB"),
        ("many mappings", "no room for 104857600 bytes more"),
        ("break", "no room for 2147483648 bytes more"),
        ("fixed", "a mapping at an address within the heap"),
    ] {
        let text = unknown(case).to_string();
        assert!(text.contains(what) && text.contains("endings.c:"), "{case}: {text}");
    }
    assert!(matches!(end("too large"), Ending::Exited(0)));
}

#[test]
fn a_buffer_behind_its_block_is_found() {
    let text = violation("write").to_string();
    assert!(text.contains("system call write"), "{text}");
    let text = violation("read").to_string();
    assert!(text.contains("system call read"), "{text}");
}

#[test]
fn bad_accesses_are_violations() {
    for case in ["null", "constant", "overflow", "after free"] {
        assert!(violation(case).is_violation(), "{case}");
    }
}

#[test]
fn checks_of_ours_are_no_signals() {
    // The guest has a handler for SIGSEGV, which a real CPU would not call either.
    assert!(violation("handled overflow").is_violation());
}

#[test]
fn a_deadlock_names_every_thread() {
    let text = violation("deadlock").to_string();
    assert!(text.contains("thread 1 waits") && text.contains("thread 2 waits"), "{text}");
}

#[test]
fn signals_that_end_the_program() {
    for (case, number) in [("abort", 6), ("kill", 9), ("pipe", 13), ("divide", 8)] {
        match end(case) {
            Ending::Killed { signal, .. } => assert_eq!(signal, number, "{case}"),
            other => panic!("{case}: {other:?}"),
        }
    }
}

#[test]
fn the_last_thread_ends_the_process() {
    assert!(matches!(end("main thread first"), Ending::Exited(7)));
}

/// Checks that a report names the line of `tests/guests/endings.c` that has a mark.
fn names_line(report: &Report, mark: &str) {
    let source = include_str!("../guests/endings.c");
    let marked = source.lines().position(|line| line.contains(&format!("/* {mark} */")));
    let line = report.location().and_then(|place| place.line);
    assert_eq!(line, marked.map(|position| position as u32 + 1), "{report}");
}

#[test]
fn assembly_of_the_library_does_not_hide_the_caller() {
    names_line(&unknown("ptrace"), "ptrace");
}

/// The report of a run that ends by an error, or by the signal that reports one.
fn exception(case: &str) -> Report {
    match end(case) {
        Ending::Violation(report) | Ending::Killed { report, .. } => *report,
        other => panic!("{case}: {other:?}"),
    }
}

#[test]
fn exceptions_name_their_line_and_reason() {
    let cases = [
        ("breakpoint", "a breakpoint instruction"),
        ("trap", "trap instruction (ud2"),
        ("misaligned", "a misaligned 16-byte operand"),
        ("privileged", "user mode may not execute"),
        ("resized", "realloc of 0x"),
        ("astray", "the return address was probably overwritten"),
    ];
    for (case, words) in cases {
        let report = exception(case);
        assert!(report.message.contains(words), "{case}: {report}");
        names_line(&report, case);
    }
}
