//! Stack instructions and stack frames, against the host CPU.

use steam_tests::hostcpu::case::register::{EBP, ESP};
use steam_tests::hostcpu::case::{Case, SETTABLE_FLAGS, WINDOW};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::Row;
use steam_tests::hostcpu::template::Encoding;

/// A row whose stack pointer lies in the middle of the window.
fn stack_row(name: &str, template: &str) -> Row {
    Row::new(name, template).implicit_memory().reserve(1 << ESP).prepare(stack_in_window)
}

fn stack_in_window(case: &mut Case, _: &Encoding, random: &mut Random) {
    case.registers[ESP] = WINDOW + 96 + random.below(64) as u32;
}

#[test]
fn pushes_and_pops() {
    let rows = [
        stack_row("push", "o16? 50+r"),
        stack_row("pop", "o16? 58+r"),
        stack_row("push", "o16? 68 iv"),
        stack_row("push", "o16? 6a ib"),
        stack_row("push", "o16? ff /6"),
        stack_row("pop", "o16? 8f /0"),
        // The address of a pop is formed after the stack pointer has moved, that of a push before.
        stack_row("pop relative to esp", "o16? 8f 44 24 0c"),
        stack_row("push relative to esp", "o16? ff 74 24 f4"),
        stack_row("push es", "o16? 06").prepare(zeros_below),
        stack_row("push cs", "o16? 0e").prepare(zeros_below),
        stack_row("push ss", "o16? 16").prepare(zeros_below),
        stack_row("push ds", "o16? 1e").prepare(zeros_below),
        stack_row("pusha", "o16? 60"),
        stack_row("popa", "o16? 61"),
        stack_row("pushf", "o16? 9c"),
        stack_row("popf", "o16? 9d").prepare(flags_on_stack),
        stack_row("popf pushf", "9d 9c").prepare(flags_on_stack),
    ];
    check("push and pop", 200_000, &rows);
}

/// Zeros where the next word is pushed: of a segment register some CPUs write two bytes and others
/// four, both as the architecture allows.
fn zeros_below(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    stack_in_window(case, encoding, random);
    let at = (case.registers[ESP] - WINDOW) as usize;
    if let Some(memory) = &mut case.memory {
        memory[at - 4..at].fill(0);
    }
}

/// Puts flags on the stack: the settable ones, the identification flag, and some (interrupt,
/// I/O privilege, virtual interrupt) that a user-mode program cannot change.
fn flags_on_stack(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    stack_in_window(case, encoding, random);
    let value = random.bits() as u32 & (SETTABLE_FLAGS | 1 << 21 | 0x3200 | 3 << 19);
    let at = (case.registers[ESP] - WINDOW) as usize;
    if let Some(memory) = &mut case.memory {
        memory[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

#[test]
fn frames() {
    let rows = [
        stack_row("leave", "o16? c9").prepare(frame_in_window),
        stack_row("enter", "c8 iw ib").adapt(small_frame).prepare(frame_in_window),
        stack_row("enter", "66 c8 iw ib").adapt(small_frame).prepare(frame_in_window),
    ];
    check("frames", 100_000, &rows);
}

fn frame_in_window(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    stack_in_window(case, encoding, random);
    case.registers[EBP] = WINDOW + 96 + random.below(64) as u32;
}

/// Few locals, and a nesting level of 0 to 4 (only its low five bits count).
fn small_frame(encoding: &mut Encoding, random: &mut Random) {
    let level = random.below(5) as u8 | random.bits() as u8 & 0xe0;
    *encoding.tail() = [random.below(48) as u8, 0, level];
}
