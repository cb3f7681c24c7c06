//! `steam run` and `steam demo`, compared with the same program on the real CPU.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::place::{Place, said};

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/demo.elf");

#[test]
fn the_demo_prints_what_it_prints_natively() {
    let place = Place::new();
    let ours = said(place.steam(&["demo"]).env("PATH", place.file("empty")));
    let copy = place.write("demo", std::fs::read(DEMO).unwrap());
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).unwrap();
    let native = said(&mut place.command(copy));
    assert_eq!((ours.status, ours.out, ours.err), (0, native.out, String::new()));
    assert_eq!(native.status, 0);
}

#[test]
fn the_wrong_demos_are_reported_with_their_line() {
    let place = Place::new();
    let source = include_str!("../../../../samples/demo/demo.c");
    for (name, statement) in [("overflow", "squares[i] = i * i;"), ("null", "*pointer = 1;")] {
        let line = 1 + source.lines().position(|line| line.trim() == statement).unwrap();
        let answer = said(&mut place.steam(&["demo", name]));
        assert_eq!(answer.status, 1, "{answer:?}");
        assert!(answer.err.contains(&format!("demo.c:{line}")), "{answer:?}");
    }
}

#[test]
fn the_samples_are_reported_at_their_marks() {
    let place = Place::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/memory");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let mark = 1 + source.lines().position(|line| line.contains("/* ERROR */")).unwrap();
        let answer = said(place.steam(&["run"]).arg(&path));
        assert_eq!(answer.status, 1, "{answer:?}");
        let last = answer.err.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("{}:{mark}:", path.display())), "{answer:?}");
        seen += 1;
    }
    assert!(seen >= 4);
}

#[test]
fn a_report_without_lines_says_why() {
    let place = Place::new();
    place.write("null.c", "int main(void) { *(volatile int *)0 = 1; return 0; }\n");
    for (flag, why) in [
        ("-g0", Some("compile with -g")),
        ("-gz=zlib-gnu", Some("not supported: link with -gz=zlib")),
        ("-gz=zlib", None),
    ] {
        let built = said(&mut place.steam(&["cc", flag, "null.c", "-o", "null"]));
        assert_eq!(built.status, 0, "{built:?}");
        let answer = said(&mut place.steam(&["run", "null"]));
        assert_eq!(answer.status, 1, "{answer:?}");
        assert_eq!(answer.err.contains("no source lines"), why.is_some(), "{flag}: {answer:?}");
        assert!(answer.err.contains(why.unwrap_or("null.c:1")), "{flag}: {answer:?}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_in_silence() {
    let place = Place::new();
    place.write("yes.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"y\"); }\n");
    assert_eq!(said(&mut place.steam(&["cc", "yes.c", "-o", "yes"])).status, 0);
    let (read, write) = std::io::pipe().unwrap();
    drop(read);
    let answer = said(place.steam(&["run", "yes"]).stdout(Stdio::from(write)));
    assert_eq!((answer.status, answer.err.as_str()), (141, ""));
}

#[test]
fn arguments_environment_and_status_pass() {
    let place = Place::new();
    place.write(
        "a.c",
        "#include <stdio.h>\n#include <stdlib.h>\nextern char **environ;\n\
         int main(int argc, char **argv) {\n\
         for (int i = 1; i < argc; i++) puts(argv[i]);\n\
         for (char **e = environ; *e; e++) puts(*e);\n\
         return 40 + argc; }\n",
    );
    let alone = said(place.steam(&["run", "a.c", "--", "x", "-y z"]).env("NOISE", "1"));
    assert_eq!((alone.status, alone.out.as_str(), alone.err.as_str()), (43, "x\n-y z\n", ""));
    let given = said(&mut place.steam(&["run", "--env", "A=1", "--env", "B=2=3", "a.c"]));
    assert_eq!((given.status, given.out.as_str()), (41, "A=1\nB=2=3\n"));
    let inherited = said(place.steam(&["run", "--env-inherit", "a.c"]).env("NOISE", "1"));
    assert!(inherited.out.lines().any(|line| line == "NOISE=1"), "{inherited:?}");
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
}

#[test]
fn standard_input_is_ours_or_a_file() {
    let place = Place::new();
    place.write("text", "from a file\n");
    place.write(
        "cat.c",
        "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }\n",
    );
    assert_eq!(said(&mut place.steam(&["cc", "cat.c", "-o", "cat"])).status, 0);
    let filed = said(&mut place.steam(&["run", "--stdin", "text", "cat"]));
    assert_eq!((filed.status, filed.out.as_str()), (0, "from a file\n"));
    let mut command = place.steam(&["run", "cat"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"from a pipe\n").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"from a pipe\n");
    let missing = said(&mut place.steam(&["run", "--stdin", "nowhere", "cat"]));
    assert_eq!(missing.status, 2, "{missing:?}");
    assert!(missing.err.contains("nowhere"), "{missing:?}");
}

#[test]
fn a_program_can_seek_in_a_file_that_standard_input_comes_from() {
    let place = Place::new();
    let text = place.write("text", "0123456789");
    let source = "#include <unistd.h>\n#include <stdio.h>\nint main(void) {\n\
                  printf(\"%ld\\n\", (long)lseek(0, 0, SEEK_END)); return 0; }\n";
    place.write("seek.c", source);
    let mut whole = place.steam(&["run", "seek.c"]);
    assert_eq!(said(whole.stdin(File::open(&text).unwrap())).out, "10\n");
    let mut file = File::open(&text).unwrap();
    file.seek(SeekFrom::Start(4)).unwrap();
    let mut rest = place.steam(&["run", "seek.c"]);
    assert_eq!(said(rest.stdin(file)).out, "-1\n", "a stream, since its start is not ours to show");
}

#[test]
fn sources_objects_and_archives_mix() {
    let place = Place::new();
    place.write("one.c", "int one(int class) { return class; }\n");
    place.write(
        "two.cc",
        "#include <string>\nextern \"C\" int two() { return std::stoi(\"2\"); }\n",
    );
    place.write("three.c", "int three(void) { return 3; }\n");
    place.write(
        "main.c",
        "#include <math.h>\n#include <stdio.h>\nint one(int), two(void), three(void);\n\
         int main(int argc, char **argv) { (void)argv;\n\
         printf(\"%d %d %d %.3f\\n\", one(argc), two(), three(), sqrt(argc + 1)); return 0; }\n",
    );
    assert_eq!(said(&mut place.steam(&["cc", "-c", "two.cc", "three.c"])).status, 0);
    let archive = said(place.command("ar").args(["rcs", "libthree.a", "three.o"]));
    assert_eq!(archive.status, 0, "{archive:?}");
    for inputs in
        [["main.c", "one.c", "two.o", "libthree.a"], ["main.c", "one.c", "two.cc", "three.c"]]
    {
        let answer = said(place.steam(&["run", "--cflags", "-O1 -Wall"]).args(inputs));
        assert_eq!((answer.status, answer.out.as_str()), (0, "1 2 3 1.414\n"), "{answer:?}");
    }
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
}

#[test]
fn a_signal_ends_it_as_in_a_shell() {
    let place = Place::new();
    place.write("a.c", "#include <signal.h>\nint main(void) { raise(SIGTERM); return 0; }\n");
    let answer = said(&mut place.steam(&["run", "a.c"]));
    assert_eq!(answer.status, 128 + 15, "{answer:?}");
    assert!(answer.err.contains("SIGTERM"), "{answer:?}");
}

#[test]
fn the_count_can_be_checked_by_hand() {
    let place = Place::new();
    place.write(
        "loop.s",
        ".globl _start\n_start: movl $1000, %ecx\n1: decl %ecx\n jnz 1b\n\
         movl $1, %eax\n xorl %ebx, %ebx\n int $0x80\n",
    );
    let answer = said(&mut place.steam(&["run", "--count", "--cflags", "-nostdlib", "loop.s"]));
    assert_eq!(answer.status, 0, "{answer:?}");
    // One, a thousand times two, and three.
    assert!(answer.err.starts_with("instructions 2004\nseconds "), "{answer:?}");
}

#[test]
fn the_tables_of_the_unwinder_are_not_sorted_again() {
    let place = Place::new();
    place.write(
        "exits.c",
        "#include <pthread.h>\n#include <stdio.h>\nstatic void say(void *p) { puts(p); }\n\
         static void *run(void *p) { pthread_cleanup_push(say, \"cleaned\"); pthread_exit(p); pthread_cleanup_pop(0); }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return pthread_join(t, 0); }\n",
    );
    let answer = said(&mut place.steam(&["run", "--count", "exits.c"]));
    assert_eq!((answer.status, answer.out.as_str()), (0, "cleaned\n"), "{answer:?}");
    let count = answer.err.split_whitespace().nth(1).unwrap();
    assert!(count.parse::<u64>().unwrap() < 300_000, "{answer:?}");
}
