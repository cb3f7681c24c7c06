//! Builds guest programs with the compilers of the machine; without them a test fails loudly.

// Each test file uses its own part of this module.
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Compiles `source` with `command` (a compiler and its flags) and returns the path of the
/// result. The source's file name decides its language.
#[track_caller]
pub fn build(command: &str, file: &str, source: &str, output: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(output);
    fs::create_dir_all(&directory).expect("the directory for test programs");
    fs::write(directory.join(file), source).expect("the source of a test program");
    let mut words = command.split_whitespace();
    let compiler = words.next().expect("a compiler");
    let result = Command::new(compiler)
        .args(words)
        .args([file, "-o", output])
        .current_dir(&directory)
        .output()
        .unwrap_or_else(|error| panic!("{compiler} is needed: `make test` installs it ({error})"));
    assert!(
        result.status.success(),
        "`{command}` failed: `make test` installs the 32-bit compiler parts\n{}",
        String::from_utf8_lossy(&result.stderr)
    );
    directory.join(output)
}

/// Whether a tool that the tests can do without is there; says so where it is not. With `make test-all`
/// none is left out.
#[track_caller]
pub fn installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    let needed = std::env::var_os("STEAM_TEST_ALL").is_some();
    assert!(found || !needed, "{tool} is not installed: `make test-all` installs it");
    if !found {
        eprintln!("{tool} is not installed: what needs it is not tested");
    }
    found
}

/// Runs a tool of the machine and returns what it prints.
#[track_caller]
pub fn run(tool: &str, arguments: &[&str]) -> String {
    let result = Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{tool} is needed: `make test` installs it ({error})"));
    assert!(result.status.success(), "{tool} {arguments:?} failed");
    String::from_utf8_lossy(&result.stdout).into_owned()
}

/// A C program with every kind of variable.
pub const VARIABLES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int initialised = 7;
int zero[5000];
const char text[] = "constant";
static int hidden(int x) { return x * 3; }
_Thread_local int own = 5;
int twice(int x) { return hidden(x) + x; }
int main(int argc, char **argv) {
    zero[argc] = own;
    printf("%d %s %d\n", twice(argc), text, initialised);
    return 0;
}
"#;

/// A C program without any library that writes its own memory to standard output, as it finds it
/// at its first instruction: for each page its address and its bytes, or nothing where it has
/// none.
pub const DUMPER: &str = r#"
extern char __executable_start, _end;
char data[6000] = { 1, 2, 3, 4, 5 };
const char constant[5000] = { 'c', 'o', 'n', 's', 't' };
char zero[9000];
static int system_call(int number, int a, int b, int c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
/* At -O0 as well, arguments must come from the stack, not from memory that is dumped. */
void _start(void) {
    unsigned page = (unsigned)&__executable_start & ~4095u;
    unsigned end = (unsigned)&_end;
    for (; page < end; page += 4096) {
        int first = system_call(4, 2, (int)page, 1);
        if (first != 1) continue;
        system_call(4, 1, (int)&page, 4);
        system_call(4, 1, (int)page, 4096);
    }
    system_call(1, data[4] + constant[0] + zero[8999] - 104, 0, 0);
}
"#;
