//! `steam cc` and `steam c++` as ordinary build systems use them. What they build is run on the
//! real CPU.

use crate::place::{Place, said};

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n";

fn is_static_i386(path: &std::path::Path) -> bool {
    let bytes = std::fs::read(path).unwrap();
    // Class 1 is 32 bits, machine 3 is the i386; a dynamic program names its interpreter.
    let dynamic = bytes.windows(9).any(|window| window == b"/ld-linux");
    bytes[..4] == *b"\x7fELF" && bytes[4] == 1 && bytes[18] == 3 && !dynamic
}

#[test]
fn one_source_becomes_a_static_i386_program() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    let built = said(&mut place.steam(&["cc", "-Wall", "hello.c", "-o", "hello"]));
    assert_eq!(built.status, 0, "{built:?}");
    assert!(is_static_i386(&place.file("hello")));
    let run = said(&mut place.command(place.file("hello")));
    assert_eq!((run.status, run.out.as_str()), (7, "hello\n"));
}

#[test]
fn every_word_on_positions_gives_a_static_program() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    for words in [
        "-pie",
        "-fPIE -pie",
        "-static-pie -pie",
        "-static -pie",
        "-static-pie -no-pie",
        "-Wl,-pie",
    ] {
        let mut steam = place.steam(&["cc", "hello.c", "-o", "hello"]);
        let built = said(steam.args(words.split(' ')));
        assert_eq!(built.status, 0, "{words}: {built:?}");
        assert!(is_static_i386(&place.file("hello")), "{words}");
        let native = said(&mut place.command(place.file("hello")));
        assert_eq!((native.status, native.out.as_str()), (7, "hello\n"), "{words}");
        let ours = said(&mut place.steam(&["run", "hello"]));
        assert_eq!((ours.status, ours.out.as_str()), (7, "hello\n"), "{words}: {ours:?}");
    }
}

#[test]
fn shared_libraries_are_refused() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    let answer = said(&mut place.steam(&["cc", "-shared", "hello.c", "-o", "libhello.so"]));
    assert_eq!(answer.status, 2, "{answer:?}");
    assert!(answer.err.contains("ar rcs"), "{answer:?}");
    assert!(!place.file("libhello.so").exists());
}

#[test]
fn a_makefile_with_several_files_and_a_library_works() {
    let place = Place::new();
    place.write("src/main.c", "int add(int, int);\nint three(void);\n#include \"limit.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", add(LIMIT, three())); return 0; }\n");
    place.write("src/add.c", "int add(int a, int b) { return a + b; }\n");
    place.write("lib/three.c", "int three(void) { return 3; }\n");
    place.write("include/limit.h", "#define LIMIT 40\n");
    place.write(
        "Makefile",
        "CFLAGS = -O1 -Wall -Iinclude -MD -MP\n\
         prog: src/main.o src/add.o libthree.a\n\t$(CC) $(LDFLAGS) -o $@ src/main.o src/add.o -L. -lthree\n\
         libthree.a: lib/three.o\n\t$(AR) rcs $@ $^\n\
         -include src/main.d\n",
    );
    let cc = format!("CC={} cc", env!("CARGO_BIN_EXE_steam"));
    let made = said(place.command("make").arg(&cc));
    assert_eq!(made.status, 0, "{made:?}");
    assert!(is_static_i386(&place.file("prog")));
    assert_eq!(said(&mut place.command(place.file("prog"))).out, "43\n");
    assert!(place.file("src/main.d").exists(), "-MD writes dependencies");

    let again = said(place.command("make").arg(&cc));
    assert!(again.out.contains("up to date"), "{again:?}");
}

#[test]
fn c_and_cxx_in_one_call_each_keep_their_language() {
    let place = Place::new();
    // `class` is a name in C and a keyword in C++.
    place.write("a.c", "int twice(int class) { return 2 * class; }\n");
    place.write("b.cc", "#include <iostream>\nextern \"C\" int twice(int);\nint main() { std::cout << twice(21) << std::endl; }\n");
    let built = said(&mut place.steam(&["cc", "a.c", "b.cc", "-o", "prog"]));
    assert_eq!(built.status, 0, "{built:?}");
    assert_eq!(said(&mut place.command(place.file("prog"))).out, "42\n");
}

#[test]
fn cxx_works_by_command_and_by_name() {
    let place = Place::new();
    place.write("a.cc", "#include <string>\n#include <iostream>\nint main() { std::cout << std::string(3, 'x') << std::endl; }\n");
    let built = said(&mut place.steam(&["c++", "-c", "a.cc", "-o", "a.o"]));
    assert_eq!(built.status, 0, "{built:?}");
    let link = place.file("steam-c++");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_steam"), &link).unwrap();
    let linked = said(place.command(&link).args(["a.o", "-o", "prog"]));
    assert_eq!(linked.status, 0, "{linked:?}");
    assert_eq!(said(&mut place.command(place.file("prog"))).out, "xxx\n");
}

#[test]
fn response_files_pass() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    place.write("words", "-O2 hello.c\n-o hello\n");
    assert_eq!(said(&mut place.steam(&["cc", "@words"])).status, 0);
    assert!(is_static_i386(&place.file("hello")));
}

#[test]
fn compile_errors_pass_through_with_the_compilers_status() {
    let place = Place::new();
    place.write("bad.c", "int main(void) { return missing; }\n");
    let ours = said(&mut place.steam(&["cc", "-c", "bad.c"]));
    let native = said(place.command("gcc").args(["-m32", "-c", "bad.c"]));
    assert_eq!(ours.status, native.status);
    assert_eq!(ours.err, native.err);
    assert!(ours.err.contains("bad.c:1:"), "{}", ours.err);
}

#[test]
fn the_compilers_own_questions_are_answered_by_it() {
    let place = Place::new();
    for question in ["--version", "-dumpversion", "--help"] {
        let ours = said(&mut place.steam(&["cc", question]));
        let native = said(place.command("gcc").arg(question));
        assert_eq!((ours.status, ours.out), (native.status, native.out));
    }
}

#[test]
fn without_a_compiler_the_line_to_type_is_said() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    for arguments in [["cc", "hello.c"], ["run", "hello.c"]] {
        let answer = said(place.steam(&arguments).env("PATH", place.file("empty")));
        assert_eq!(answer.status, 2, "{answer:?}");
        assert!(answer.err.contains("cannot start the compiler `gcc`"), "{answer:?}");
        assert!(answer.err.contains("install "), "{answer:?}");
        assert!(!answer.err.contains("panicked"), "{answer:?}");
    }
}

#[test]
fn a_compiler_without_32_bits_is_told_from_a_wrong_source() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    place.write("bad.c", "int main(void) { return missing; }\n");
    place.write("lacking-cc", "#!/bin/sh\necho 'ld: cannot find -lgcc' >&2\nexit 1\n");
    said(place.command("chmod").args(["+x", "lacking-cc"]));
    let lacking = said(place.steam(&["cc", "hello.c"]).env("STEAM_CC", place.file("lacking-cc")));
    assert_eq!(lacking.status, 1);
    assert!(lacking.err.contains("cannot find -lgcc"), "{lacking:?}");
    assert!(lacking.err.contains("cannot link static 32-bit programs"), "{lacking:?}");
    assert!(lacking.err.contains("install "), "{lacking:?}");
    let wrong = said(&mut place.steam(&["cc", "bad.c"]));
    assert!(!wrong.err.contains("install "), "{wrong:?}");
    assert_eq!(place.leftovers(), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn clang_is_content_with_the_flags() {
    let place = Place::new();
    if place.command("clang").arg("--version").output().is_err() {
        assert!(std::env::var_os("STEAM_TEST_ALL").is_none(), "`make test-all` installs clang");
        eprintln!("skipped: there is no clang here");
        return;
    }
    place.write("hello.c", HELLO);
    let mut steps = vec![vec!["cc", "-Werror", "-c", "hello.c"]];
    steps.push(vec!["cc", "-Werror", "hello.o", "-o", "hello"]);
    for step in steps {
        let answer = said(place.steam(&step).env("STEAM_CC", "clang"));
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{step:?}");
    }
    assert!(is_static_i386(&place.file("hello")));
}

#[test]
fn the_wrapper_script_finds_the_binary_or_does_without() {
    let place = Place::new();
    place.write("hello.c", HELLO);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../toolchain/steam-cc");
    let by_binary = said(
        place
            .command(script)
            .env("STEAM", env!("CARGO_BIN_EXE_steam"))
            .args(["hello.c", "-o", "a"]),
    );
    assert_eq!(by_binary.status, 0, "{by_binary:?}");
    // A copy outside the tree finds no binary and calls gcc by itself.
    let copy = place.file("toolchain/steam-cc");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    std::fs::copy(script, &copy).unwrap();
    let alone =
        said(place.command(&copy).env("PATH", "/usr/bin:/bin").args(["hello.c", "-o", "b"]));
    assert_eq!(alone.status, 0, "{alone:?}");
    for name in ["a", "b"] {
        assert!(is_static_i386(&place.file(name)), "{name}");
    }
}
