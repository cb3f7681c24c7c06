//! `steam show`, compared with what binutils say about the same file.

use std::collections::BTreeSet;

use crate::place::{Place, said};

const PROGRAM: &str = "#include <stdio.h>\n\
    namespace space { struct Box { int size(int by); }; int Box::size(int by) { return by / 3; } }\n\
    int main(int argc, char **) { printf(\"%d\\n\", space::Box().size(argc)); }\n";

fn build(place: &Place) {
    place.write("a.cc", PROGRAM);
    let built = said(&mut place.steam(&["c++", "a.cc", "-o", "prog"]));
    assert_eq!(built.status, 0, "{built:?}");
}

#[test]
fn the_summary_agrees_with_readelf() {
    let place = Place::new();
    build(&place);
    let shown = said(&mut place.steam(&["show", "prog"]));
    assert_eq!(shown.status, 0, "{shown:?}");
    let header = said(place.command("readelf").args(["-h", "prog"])).out;
    let entry = header.lines().find_map(|line| line.trim().strip_prefix("Entry point address:"));
    let entry = u32::from_str_radix(entry.unwrap().trim().trim_start_matches("0x"), 16).unwrap();
    assert!(shown.out.contains(&format!("entry    {entry:#010x} _start")), "{}", shown.out);
    let headers = said(place.command("readelf").args(["-lW", "prog"])).out;
    let loads = headers.lines().filter(|line| line.trim().starts_with("LOAD")).count();
    let segments = shown.out.lines().filter(|line| line.starts_with("segment ")).count();
    assert_eq!(segments, loads, "{}", shown.out);
    assert!(shown.out.contains("main at ") && shown.out.contains("a.cc:3"), "{}", shown.out);
}

/// Addresses at the start of lines such as `  8049000:` and `  08049000 `.
fn addresses(text: &str) -> BTreeSet<u32> {
    text.lines()
        .filter(|line| line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter_map(|word| u32::from_str_radix(word.trim_end_matches(':'), 16).ok())
        .collect()
}

#[test]
fn every_instruction_starts_where_objdump_says() {
    let place = Place::new();
    build(&place);
    let ours = said(&mut place.steam(&["show", "prog", "--disasm"]));
    assert_eq!(ours.status, 0, "{}", ours.err);
    let objdump = said(place.command("objdump").args(["-d", "--no-show-raw-insn", "prog"])).out;
    let (ours, theirs) = (addresses(&ours.out), addresses(&objdump));
    let strange: Vec<String> =
        ours.difference(&theirs).map(|address| format!("{address:#x}")).collect();
    assert!(strange.is_empty(), "{strange:?}");
    // What is between functions is padding, which only objdump shows.
    assert!(ours.len() * 10 > theirs.len() * 9, "{} of {}", ours.len(), theirs.len());
}

#[test]
fn one_function_is_found_by_any_of_its_names() {
    let place = Place::new();
    build(&place);
    for name in ["space::Box::size(int)", "space::Box::size", "_ZN5space3Box4sizeEi"] {
        let shown = said(&mut place.steam(&["show", "prog", "--disasm", name]));
        assert_eq!(shown.status, 0, "{shown:?}");
        assert!(shown.out.contains("<space::Box::size(int)>:"), "{}", shown.out);
        assert!(shown.out.contains("a.cc:2\n"), "{}", shown.out);
        assert_eq!(shown.out.matches(">:").count(), 1, "{}", shown.out);
    }
    let missing = said(&mut place.steam(&["show", "prog", "--disasm", "Box"]));
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("there is space::Box::size(int)"), "{}", missing.err);
}
