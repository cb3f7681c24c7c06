//! Every input that a stranger may hand us, some hundreds of times damaged (`src/fuzz.rs`).

use steam_tests::fuzz::{run, targets::TARGETS};

#[track_caller]
fn try_out(name: &str, count: u64) {
    let target = TARGETS.iter().find(|target| target.name == name);
    run(target.unwrap_or_else(|| panic!("there is no target {name}")), count);
}

#[test]
fn programs() {
    try_out("elf", 1000);
}

#[test]
fn debug_information() {
    try_out("dwarf", 300);
}

#[test]
fn instructions() {
    try_out("decoder", 20_000);
}

#[test]
fn trails() {
    try_out("trail", 1000);
    try_out("known", 300);
}

#[test]
fn formulas() {
    try_out("formula", 500);
}

#[test]
fn automata() {
    try_out("hoa", 1000);
}

#[test]
fn suites() {
    try_out("suite", 500);
}

#[test]
fn expressions() {
    try_out("expression", 300);
}

#[test]
fn scripts() {
    try_out("script", 60);
}

#[test]
fn system_calls() {
    try_out("calls", 400);
}

#[test]
fn none_is_left_out() {
    let source = include_str!("fuzz.rs");
    for target in TARGETS {
        assert!(source.contains(&format!("\"{}\"", target.name)), "{}", target.name);
    }
}
