//! Answers do not get lost: outputs that cannot be written, limits of time and memory, files that are none,
//! files that change.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::place::{Place, Said, said};

/// A program with an error that is found at once.
const FAILS: &str = "#include <assert.h>\nint main(void)\n{\n  assert(0);\n}\n";

fn check(place: &Place, arguments: &[&str]) -> Said {
    said(&mut place.steam(&[&["check", "--no-times"], arguments].concat()))
}

/// Runs a command that would never end by itself if something were wrong.
fn in_time(command: &mut Command) -> Said {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    Said {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A fifo that nobody writes to.
fn fifo(place: &Place, name: &str) {
    assert!(place.command("mkfifo").arg(name).status().unwrap().success());
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_search() {
    let place = Place::new();
    place.write("fails.c", FAILS);
    for (option, path) in [
        ("--trail", "nowhere/x.trail"),
        ("--trail", "tmp"),
        ("-o", "nowhere/report"),
        ("-o", "fails.c/report"),
    ] {
        let told = check(&place, &["fails.c", option, path]);
        assert!(told.status == 2 && told.err.contains("cannot write"), "{path}: {told:?}");
        assert!(told.out.is_empty(), "{path}: {told:?}");
    }
    // Trying leaves nothing behind, and harms nothing.
    place.write("kept.trail", "text");
    let right = "int main(void) { return 0; }\n";
    place.write("right.c", right);
    for trail in ["kept.trail", "fresh.trail"] {
        let told = check(&place, &["right.c", "--trail", trail]);
        assert_eq!(told.status, 0, "{told:?}");
    }
    assert_eq!(std::fs::read_to_string(place.file("kept.trail")).unwrap(), "text");
    assert!(!place.file("fresh.trail").exists());
}

#[test]
fn a_report_comes_through_whatever_cannot_be_written() {
    let place = Place::new();
    place.write("fails.c", FAILS);
    assert!(place.steam(&["cc", "fails.c", "-o", "fails"]).status().unwrap().success());
    // A trail that cannot be written goes to the temporary directory.
    let told = check(&place, &["fails", "--trail", "/dev/full"]);
    assert!(told.status == 1 && told.out.contains("VIOLATION  assertion failed"), "{told:?}");
    assert!(told.out.contains("cannot write /dev/full"), "{told:?}");
    let trail = place.leftovers().pop().expect("the trail");
    let replayed = said(&mut place.steam(&["replay", "-q", trail.to_str().unwrap()]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    // The usual one, in the place of which there is a folder; and nowhere to go.
    std::fs::create_dir(place.file("fails.trail")).unwrap();
    let mut command = place.steam(&["check", "fails"]);
    let told = said(command.env("TMPDIR", "/nowhere"));
    assert!(told.status == 1 && told.out.contains("VIOLATION  assertion failed"), "{told:?}");
    assert!(told.out.contains("a trail is lost"), "{told:?}");
    // A report that does not fit into its file is printed.
    let told = check(&place, &["fails", "-o", "/dev/full"]);
    assert!(told.status == 1 && told.out.contains("VIOLATION  assertion failed"), "{told:?}");
    assert!(told.err.contains("cannot write /dev/full"), "{told:?}");
}

#[test]
fn a_report_comes_through_a_limit_of_file_sizes() {
    let place = Place::new();
    place.write("fails.c", FAILS);
    assert!(place.steam(&["cc", "fails.c", "-o", "fails"]).status().unwrap().success());
    let line = format!("ulimit -f 0; {} check fails | cat", env!("CARGO_BIN_EXE_steam"));
    let told = said(place.command("bash").args(["-o", "pipefail", "-c", &line]));
    assert!(told.status == 1 && told.out.contains("VIOLATION  assertion failed"), "{told:?}");
    assert!(told.out.contains("a trail is lost"), "{told:?}");
}

#[test]
fn an_error_has_its_status_although_nobody_reads_of_it() {
    let place = Place::new();
    place.write("fails.c", FAILS);
    place.write("right.c", "int main(void) { return 0; }\n");
    for name in ["fails", "right"] {
        let source = format!("{name}.c");
        assert!(place.steam(&["cc", &source, "-o", name]).status().unwrap().success());
    }
    let shell = |program: &str, format: &str, output: &str| {
        let steam = env!("CARGO_BIN_EXE_steam");
        let line = format!("{steam} check {program} --format {format} {output}");
        said(place.command("bash").args(["-o", "pipefail", "-c", &line]))
    };
    for format in ["human", "json", "short"] {
        let full = shell("fails", format, "> /dev/full");
        assert!(full.status == 1 && full.err.contains("VIOLATION  assertion"), "{full:?}");
        let closed = shell("fails", format, "| true");
        assert!(closed.status == 1, "{format}: {closed:?}");
        let full = shell("right", format, "> /dev/full");
        assert!(full.status == 2 && full.err.contains("cannot be printed"), "{full:?}");
    }
}

/// Assumptions within atomic functions: what a step that leads nowhere touches was taken from another step.
#[test]
fn races_beside_assumptions_in_atomic_functions_are_found_again() {
    let place = Place::new();
    place.write(
        "rcu.c",
        "#include <pthread.h>\n#include <assert.h>\n\
         extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_assume(int);\n\
         static int index, first = 1, second, reads, writes;\n\
         static void __VERIFIER_atomic_use_first(int i) { __VERIFIER_assume(i <= 0 && first > 0); first++; }\n\
         static void __VERIFIER_atomic_use_second(int i) { __VERIFIER_assume(i >= 1 && second > 0); second++; }\n\
         static void __VERIFIER_atomic_done(int i) { if (i <= 0) first--; else second--; }\n\
         static void __VERIFIER_atomic_flip(void)\n{\n\
         if (index <= 0) { second++; index = 1; first--; } else { first++; index = 0; second--; }\n}\n\
         static void *reader(void *p)\n{\n  int i = index;\n\
         if (__VERIFIER_nondet_bool()) __VERIFIER_atomic_use_first(i); else __VERIFIER_atomic_use_second(i);\n\
         reads = 1; reads = 0;\n  __VERIFIER_atomic_done(i);\n  return p;\n}\n\
         static void *writer(void *p)\n{\n  __VERIFIER_atomic_flip();\n  writes = 1;\n\
         assert(reads == 0 || reads == 1);\n  writes = 0;\n  return p;\n}\n\
         int main(void)\n{\n  pthread_t a, b, c;\n  pthread_create(&a, 0, reader, 0);\n\
         pthread_create(&b, 0, reader, 0);\n  pthread_create(&c, 0, writer, 0);\n\
         pthread_join(a, 0);\n  pthread_join(b, 0);\n  pthread_join(c, 0);\n  return 0;\n}\n",
    );
    assert!(place.steam(&["cc", "rcu.c", "-o", "rcu"]).status().unwrap().success());
    for order in [&["dfs"][..], &["bfs"], &["pct", "--runs", "300"]] {
        let told = check(&place, &[&["rcu", "--format", "short", "--algo"], order].concat());
        assert!(told.status == 1 && told.err.is_empty(), "{order:?}: {told:?}");
        assert!(!told.out.contains("unconfirmed"), "{order:?}: {told:?}");
        let replayed = said(&mut place.steam(&["replay", "-q", "rcu.trail"]));
        assert_eq!(replayed.status, 0, "{order:?}: {replayed:?}");
    }
}

#[test]
fn files_that_are_none_are_refused() {
    let place = Place::new();
    fifo(&place, "pipe.c");
    fifo(&place, "pipe.toml");
    fifo(&place, "pipe");
    place.write("right.c", "int main(void) { return 0; }\n");
    place.write("long.ltl", "(".repeat(1 << 20));
    for words in [
        &["check", "pipe.c"][..],
        &["run", "pipe.c"],
        &["check", "pipe"],
        &["check", "/dev/zero"],
        &["check", "right.c", "--ltl-file", "pipe"],
        &["check", "right.c", "--ltl-file", "/dev/zero"],
        &["check", "right.c", "--ltl-file", "long.ltl"],
        &["check", "right.c", "--automaton", "pipe"],
        &["check", "right.c", "--stdin", "/dev/zero"],
        &["check", "right.c", "--stdin", "pipe"],
        &["run", "right.c", "--stdin", "pipe"],
        &["check", "right.c", "--suppress", "pipe"],
        &["check", "right.c", "--suppress", "/proc/kmsg"],
        &["check", "/proc/kmsg"],
        &["run", "right.c", "--stdin", "/dev/zero"],
        &["bench", "pipe.toml"],
        &["bench", "compare", "pipe", "pipe"],
        &["replay", "pipe"],
        &["simulate", "pipe"],
        &["ltl", "--automaton", "pipe"],
        &["show", "pipe"],
    ] {
        let told = in_time(place.steam(words).stdin(Stdio::null()));
        assert_eq!(told.status, 2, "{words:?}: {told:?}");
    }
}

#[test]
fn a_pipe_that_nobody_reads_is_not_waited_for() {
    let place = Place::new();
    place.write("fails.c", FAILS);
    fifo(&place, "pipe");
    let told = in_time(&mut place.steam(&["check", "fails.c", "-o", "pipe"]));
    assert!(told.status == 1 && told.out.contains("assertion failed"), "{told:?}");
    assert!(told.err.contains("cannot write pipe: it is a pipe without a reader"), "{told:?}");
    let told = in_time(&mut place.steam(&["check", "fails.c", "--trail", "pipe"]));
    assert!(told.status == 1 && told.out.contains("a pipe without a reader"), "{told:?}");
}

#[test]
fn a_limit_of_time_ends_what_takes_long() {
    let place = Place::new();
    // A step of few instructions, each of which is much work; and one after the other that are independent.
    place.write(
        "fills.c",
        "#include <string.h>\nstatic char block[30 << 20];\n\
         int main(void) { for (int i = 0; ; i++) memset(block, i, sizeof block); }\n",
    );
    place.write(
        "runs.c",
        "#include <pthread.h>\nstatic volatile int x[3];\n\
         static void *run(void *p) { volatile int *own = p; for (int i = 0; i < 3000; i++) *own = i; return 0; }\n\
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)&x[i]);\n\
         int s = x[0] + x[1] + x[2]; for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return s < 0; }\n",
    );
    // Nobody has that number, and nobody is looked for up to it.
    place.write(
        "kills.c",
        "#include <unistd.h>\n#include <sys/syscall.h>\n#include <pthread.h>\n\
         static void *run(void *p) { syscall(SYS_tkill, 2000000000, 0); return p; }\n\
         int main(void) { pthread_t t; void *head; unsigned size; pthread_create(&t, 0, run, 0);\n\
         syscall(SYS_get_robust_list, 2100000000, &head, &size); pthread_join(t, 0); return 0; }\n",
    );
    for (source, options, status) in [
        ("fills.c", &["--timeout", "1s", "--find", "deadlock"][..], 3),
        ("runs.c", &["--timeout", "1s", "--find", "deadlock", "--audit-independence"], 3),
        ("kills.c", &["--timeout", "50s"], 0),
    ] {
        let words = [&["check", source], options].concat();
        let told = in_time(&mut place.steam(&words));
        assert_eq!(told.status, status, "{source}: {told:?}");
    }
}

/// How many bytes a check took at most, as its JSON says.
fn peak(told: &Said) -> u64 {
    let peak = told.out.split("\"peak_bytes\":").nth(1).unwrap();
    peak.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

#[test]
fn what_is_not_touched_takes_no_memory() {
    let place = Place::new();
    place.write(
        "sparse.c",
        "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
         #include <sys/mman.h>\n#include <unistd.h>\n\
         static void *run(void *p) { void *q = malloc(300 << 20); free(q); return p; }\n\
         int main(void)\n{\n  int file = memfd_create(\"a\", 0);\n  ftruncate(file, 600 << 20);\n\
         char *q = mmap(0, 600 << 20, 3, MAP_SHARED, file, 0), c;\n  q[599 << 20] = 4;\n\
         pread(file, &c, 1, 599 << 20);\n  assert(c == 4);\n  c = 5;\n  pwrite(file, &c, 1, 1 << 20);\n\
         assert(q[1 << 20] == 5 && q[599 << 20] == 4);\n  munmap(q, 600 << 20);\n\
         pread(file, &c, 1, 599 << 20);\n  assert(c == 4);\n\
         pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  run(0);\n  pthread_join(t, 0);\n  return 0;\n}\n",
    );
    let told = in_time(&mut place.steam(&["check", "sparse.c", "--format", "json"]));
    assert!(told.status == 0, "{told:?}");
    assert!(peak(&told) < 200 << 20, "{} MiB", peak(&told) >> 20);
}

#[test]
fn a_limit_of_memory_holds() {
    let place = Place::new();
    place.write(
        "grows.c",
        "#include <pthread.h>\nstatic unsigned block[10 << 20]; static volatile int x;\n\
         static void *run(void *p)\n{\n  unsigned seed = 1;\n  for (;;) {\n\
         for (unsigned i = 0; i < 10 << 20; i += 16) block[i] = seed = seed * 1664525 + 1013904223;\n\
         x++;\n  }\n  return p;\n}\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x++; pthread_join(t, 0); return 0; }\n",
    );
    assert!(place.steam(&["cc", "grows.c", "-o", "grows"]).status().unwrap().success());
    let words = ["check", "grows", "--find", "deadlock", "--memory", "80M", "--format", "json"];
    let told = in_time(&mut place.steam(&words));
    assert!(told.status == 3 && told.out.contains("memory limit 80 MiB"), "{told:?}");
    assert!(peak(&told) < 150 << 20, "{} MiB", peak(&told) >> 20);
    // Much is written, by a thread that is then looked at to see whether it loops.
    place.write(
        "writes.c",
        "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\nstatic volatile char *big; static _Atomic int k;\n\
         static void *run(void *p)\n{\n  for (long i = 0; i < 6; i++) {\n    k++;\n\
         for (long j = 0; j < 64; j++) big[((long)p * 64 + j) * 70001 + i] = k * 31 + j;\n  }\n  return p;\n}\n\
         int main(void)\n{\n  big = malloc(60000000);\n  memset((void *)big, 1, 60000000);\n  pthread_t a, b;\n\
         pthread_create(&a, 0, run, (void *)0);\n  pthread_create(&b, 0, run, (void *)1);\n\
         pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n",
    );
    for algorithm in ["dfs", "stateless"] {
        let words =
            ["check", "writes.c", "--memory", "100M", "--timeout", "10s", "--format", "json"];
        let told = in_time(&mut place.steam(&[&words[..], &["--algo", algorithm]].concat()));
        assert!(peak(&told) < 140 << 20, "{algorithm}: {} MiB", peak(&told) >> 20);
    }
    // Each process makes the next one, all of them within one step.
    place.write(
        "forks.c",
        "#include <unistd.h>\n#include <sys/wait.h>\nint main(void)\n{\n  for (int i = 0; i < 1900; i++)\n\
         if (fork()) { wait(0); return 0; }\n  return 0;\n}\n",
    );
    let words = ["check", "forks.c", "--memory", "200M", "--timeout", "10s", "--format", "json"];
    let told = in_time(&mut place.steam(&words));
    assert!(told.status == 3 && told.out.contains(" limit "), "{told:?}");
    assert!(peak(&told) < 400 << 20, "{} MiB", peak(&told) >> 20);
    // A file that is larger than what is allowed is not read.
    let large = std::fs::File::create(place.file("large")).unwrap();
    large.set_len(900 << 20).unwrap();
    place.write(
        "opens.c",
        "#include <fcntl.h>\nint main(void) { return open(\"large\", 0) < 0; }\n",
    );
    let told = in_time(&mut place.steam(&["check", "opens.c", "--memory", "80M", "--exit-status"]));
    assert!(told.status == 3 && told.out.contains("large of 943718400 bytes"), "{told:?}");
}

/// A program that fails if a file begins with a digit.
fn reads(path: &str) -> String {
    format!(
        "#include <assert.h>\n#include <stdio.h>\nint main(void)\n{{\n  FILE *file = fopen(\"{path}\", \"r\");\n\
         if (!file) return 0;\n  int letter = fgetc(file);\n  assert(letter < '0' || letter > '9');\n  return 0;\n}}\n"
    )
}

#[test]
fn what_the_host_says_of_itself_is_not_modelled() {
    let place = Place::new();
    for path in ["/proc/uptime", "/proc/stat"] {
        place.write("reads.c", reads(path));
        let told = check(&place, &["reads.c"]);
        assert!(told.status == 3 && told.out.contains(path), "{path}: {told:?}");
    }
    place.write("reads.c", reads("/sys/devices/system/cpu/online"));
    let told = check(&place, &["reads.c"]);
    assert_eq!(told.status, 1, "{told:?}");
}

#[test]
fn a_replay_says_that_a_file_has_changed() {
    let place = Place::new();
    place.write("reads.c", reads("number"));
    place.write("number", "7\n");
    let told = check(&place, &["reads.c"]);
    assert_eq!(told.status, 1, "{told:?}");
    let same = said(&mut place.steam(&["replay", "reads.trail"]));
    assert!(same.status == 0 && !same.out.contains("has changed"), "{same:?}");
    place.write("number", "x\n");
    let other = said(&mut place.steam(&["replay", "reads.trail"]));
    assert!(
        other.status == 3 && other.out.contains("number, which the program reads, has changed"),
        "{other:?}"
    );
}

#[test]
fn files_can_be_kept_from_the_program() {
    let place = Place::new();
    place.write("in/number", "7\n");
    place.write("out/number", "7\n");
    place.write("first.c", reads("in/number"));
    place.write("second.c", reads("out/number"));
    for (source, files, status) in [
        ("first.c", "ro", 1),
        ("first.c", "in", 1),
        ("first.c", "none", 0),
        ("second.c", "in", 0),
        ("second.c", "nowhere", 2),
        ("second.c", "first.c", 2),
    ] {
        let told = check(&place, &[source, "--files", files]);
        assert_eq!(told.status, status, "{source} {files}: {told:?}");
        if status == 1 {
            let trail = source.replace(".c", ".trail");
            let replayed = said(&mut place.steam(&["replay", "-q", &trail]));
            assert_eq!(replayed.status, 0, "{source} {files}: {replayed:?}");
        }
    }
}

/// Debug information may name any file that the user can read.
#[test]
fn only_sources_of_the_program_are_shown() {
    let place = Place::new();
    let secret = place.write("elsewhere/secret", "first\nsecret line\n");
    let text = format!(
        "#include <assert.h>\nint main(void)\n{{\n#line 2 \"{}\"\n  assert(0);\n}}\n",
        secret.display()
    );
    place.write("here/fails.c", text);
    assert!(place.steam(&["cc", "here/fails.c", "-o", "here/fails"]).status().unwrap().success());
    for (folder, shown) in [("here", false), ("", true)] {
        let program = place.file("here/fails");
        let mut command = place.steam(&["check", "--no-times", program.to_str().unwrap()]);
        let told = said(command.current_dir(place.file(folder)));
        assert_eq!((told.status, told.out.contains("secret line")), (1, shown), "{told:?}");
        let mut command = place.steam(&["run", program.to_str().unwrap()]);
        let told = said(command.current_dir(place.file(folder)));
        assert!(shown || !told.err.contains("secret line"), "{told:?}");
    }
    assert!(Path::new(&secret).exists());
}
