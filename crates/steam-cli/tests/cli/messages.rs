//! Wrong input of every kind: a message that says what to do, exit status 2, never a panic.

use std::process::Stdio;

use crate::place::{Place, Said, said};

fn refused(place: &Place, arguments: &[&str], words: &[&str]) -> Said {
    let answer = said(&mut place.steam(arguments));
    assert_eq!(answer.status, 2, "{arguments:?}: {answer:?}");
    for word in words {
        assert!(answer.err.contains(word), "{arguments:?}: no `{word}` in {answer:?}");
    }
    assert!(!answer.err.contains("internal error"), "{answer:?}");
    answer
}

#[test]
fn files_that_are_no_program() {
    let place = Place::new();
    place.write("text", "just words\n");
    place.write("empty", "");
    place.write("cut", b"\x7fELF\x01\x01\x01");
    std::fs::create_dir(place.file("directory")).unwrap();
    assert_eq!(said(place.command("mkfifo").arg("pipe")).status, 0);
    for command in ["run", "show"] {
        refused(&place, &[command, "missing"], &["missing", "check its path"]);
        refused(&place, &[command, "text"], &["text"]);
        refused(&place, &[command, "empty"], &["empty"]);
        refused(&place, &[command, "cut"], &["cut"]);
        refused(&place, &[command, "directory"], &["directory"]);
        refused(&place, &[command, "pipe"], &["pipe", "name a program file"]);
        refused(&place, &[command, "/dev/zero"], &["/dev/zero", "device"]);
    }
}

#[test]
fn programs_of_another_kind() {
    let place = Place::new();
    place.write("a.c", "int main(void) { return 0; }\n");
    for (name, flags) in
        [("wide", &["-m64"][..]), ("dynamic", &["-m32", "-no-pie"]), ("object", &["-m32", "-c"])]
    {
        let built = said(place.command("gcc").args(flags).args(["a.c", "-o", name]));
        assert_eq!(built.status, 0, "{built:?}");
        refused(&place, &["run", name], &[name, "steam cc"]);
    }
}

#[test]
fn sources_that_do_not_compile() {
    let place = Place::new();
    place.write("bad.c", "int main(void) { return missing; }\n");
    refused(&place, &["run", "bad.c"], &["bad.c:1:", "missing", "nothing was run"]);
    place.write("bad.cc", "int main() { return missing; }\n");
    refused(&place, &["run", "bad.cc"], &["bad.cc:1:", "nothing was run"]);
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
    refused(&place, &["run", "gone.c"], &["cannot read gone.c"]);
}

#[test]
fn words_that_make_no_sense() {
    let place = Place::new();
    place.write("a.c", "int main(void) { return 0; }\n");
    place.write("prog", "");
    refused(&place, &["frobnicate"], &["frobnicate", "--help"]);
    refused(&place, &["run"], &["PROG|SRC"]);
    refused(&place, &["run", "--count=x", "a.c"], &["--count"]);
    refused(&place, &["run", "--env", "NAME", "a.c"], &["KEY=VALUE", "NAME"]);
    refused(&place, &["run", "--cflags", "'", "a.c"], &["never closed"]);
    refused(&place, &["run", "a.c", "prog"], &["prog", "`--`"]);
    refused(&place, &["demo", "nothing"], &["primes", "overflow", "null"]);
    refused(&place, &[], &["Usage"]);
}

#[test]
fn help_says_what_there_is() {
    let place = Place::new();
    let help = said(&mut place.steam(&["--help"]));
    assert_eq!(help.status, 0);
    for word in ["run", "show", "cc", "c++", "demo", "doctor", "Exit status"] {
        assert!(help.out.contains(word), "no `{word}` in {}", help.out);
    }
    for (command, word) in
        [("run", "--env-inherit"), ("show", "--disasm"), ("demo", "overflow"), ("doctor", "--fix")]
    {
        let help = said(&mut place.steam(&[command, "--help"]));
        assert_eq!(help.status, 0);
        assert!(help.out.contains(word), "no `{word}` in {}", help.out);
    }
    // Both texts give each status the same meaning; the words may be wrapped anywhere.
    for arguments in [&["--help"][..], &["run", "--help"]] {
        let help = said(&mut place.steam(arguments)).out;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in [
            "128 + the signal's number when a signal ends it",
            "1 the machine found an error in the program",
            "2 something is wrong with the command line, a file or the compiler",
            "3 the program needs something that is not modelled",
            "101 an error of steam itself",
        ] {
            assert!(help.contains(words), "{arguments:?}: no `{words}` in {help}");
        }
    }
    let version = said(&mut place.steam(&["--version"]));
    assert_eq!(version.out, format!("steam {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let place = Place::new();
    place.write("a.c", "int main(void) { return 0; }\n");
    assert_eq!(said(&mut place.steam(&["cc", "a.c", "-o", "prog"])).status, 0);
    let mut reader = place.command("true");
    let (read, write) = std::io::pipe().unwrap();
    reader.stdin(read).status().unwrap();
    drop(reader);
    let answer = said(place.steam(&["show", "prog"]).stdout(Stdio::from(write)));
    assert_eq!((answer.status, answer.err.as_str()), (141, ""));
}

#[test]
fn the_doctor_sees_what_is_there_and_what_is_not() {
    let place = Place::new();
    let well = said(&mut place.steam(&["doctor"]));
    assert_eq!(well.status, 0, "{well:?}");
    assert!(well.out.lines().all(|line| line.starts_with("ok ")), "{}", well.out);
    let ill = said(place.steam(&["doctor"]).env("PATH", place.file("empty")));
    assert_eq!(ill.status, 2, "{ill:?}");
    assert!(ill.out.contains("missing  C compiler"), "{}", ill.out);
    assert!(ill.out.contains("install "), "{}", ill.out);
}
