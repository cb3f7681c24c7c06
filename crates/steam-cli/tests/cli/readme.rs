//! The run in README.md is a real one: it is repeated here. `STEAM_BLESS=1` rewrites it.

use std::path::Path;

use crate::place::{Place, said};

/// The root of the tree.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn the_readme_shows_what_is_printed() {
    let path = Path::new(ROOT).join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("```\n$ steam ").expect("a run in the README");
    let (run, after) = rest.split_once("```\n").expect("its end");
    let (words, shown) = run.split_once('\n').unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    let answer = said(Place::new().steam(&words).current_dir(ROOT));
    let printed = answer.out + &answer.err;
    if std::env::var_os("STEAM_BLESS").is_some() {
        let words = words.join(" ");
        let text = format!("{before}```\n$ steam {words}\n{printed}```\n{after}");
        std::fs::write(path, text).unwrap();
        return;
    }
    assert_eq!(stable(shown), stable(&printed), "README.md is old: STEAM_BLESS=1 rewrites it");
}

/// The part of a report that other versions of compiler and libc do not change: no addresses, no
/// columns.
pub fn stable(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.contains('^'));
    lines.map(|line| line.split(' ').map(stable_word).collect::<Vec<_>>().join(" ")).collect()
}

fn stable_word(word: &str) -> &str {
    if word.starts_with("0x") {
        return "0x";
    }
    // file:line:column, with or without a colon after it.
    match word.trim_end_matches(':').rsplit_once(':') {
        Some((place, column)) if place.contains(':') && column.parse::<u32>().is_ok() => place,
        _ => word,
    }
}

#[test]
fn what_is_stable() {
    let text = "read at 0x600001b0, a.c:20:55: error\n  --> a.c:20:55\n | ^ x\nat main (a.c:21)";
    let expected = ["read at 0x a.c:20 error", "  --> a.c:20", "at main (a.c:21)"];
    assert_eq!(stable(text), expected);
}
