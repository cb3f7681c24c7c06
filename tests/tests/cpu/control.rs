//! Jumps, loops, calls and returns: which exit is reached, against the host CPU.

use steam_tests::hostcpu::case::register::{ECX, ESP};
use steam_tests::hostcpu::case::{CODE, Case, EXITS, WINDOW};
use steam_tests::hostcpu::family::check;
use steam_tests::hostcpu::random::Random;
use steam_tests::hostcpu::row::Row;
use steam_tests::hostcpu::state::operand_offset;
use steam_tests::hostcpu::template::Encoding;

/// Lets the last byte of the code, a relative address, lead to an exit that is near.
fn aim_short(encoding: &mut Encoding, random: &mut Random) {
    let end = CODE + encoding.length as u32;
    *encoding.tail() = [random.choose(&EXITS[..2]).wrapping_sub(end) as u8];
}

/// Lets the last four bytes of the code, a relative address, lead to an exit.
fn aim(encoding: &mut Encoding, random: &mut Random) {
    let end = CODE + encoding.length as u32;
    *encoding.tail() = random.choose(&EXITS).wrapping_sub(end).to_le_bytes();
}

/// A count that is often near zero.
fn small_count(case: &mut Case, _: &Encoding, random: &mut Random) {
    case.registers[ECX] = match random.below(3) {
        0 => random.below(3) as u32,
        1 => random.integer() & 0xffff_0000 | random.below(3) as u32,
        _ => random.integer(),
    };
}

#[test]
fn jumps() {
    let mut rows = vec![
        Row::new("jmp", "eb ib").adapt(aim_short),
        Row::new("jmp", "e9 id").adapt(aim),
        Row::new("jmp", "ff /4.reg").prepare(aim_register),
        Row::new("jmp", "ff /4.mem").prepare(aim_memory),
    ];
    for (name, opcode) in [("loopne", "e0"), ("loope", "e1"), ("loop", "e2"), ("jecxz", "e3")] {
        rows.push(Row::new(name, &format!("{opcode} ib")).adapt(aim_short).prepare(small_count));
        rows.push(Row::new(name, &format!("67 {opcode} ib")).adapt(aim_short).prepare(small_count));
    }
    // Hints and bounds prefixes change nothing.
    rows.push(Row::new("jcc with hint", "2e 70+c ib").adapt(aim_short));
    rows.push(Row::new("jcc with hint", "3e 0f 80+c id").adapt(aim));
    rows.push(Row::new("bnd jmp", "f2 e9 id").adapt(aim));
    for _ in 0..16 {
        rows.push(Row::new("jcc", "70+c ib").adapt(aim_short));
        rows.push(Row::new("jcc", "0f 80+c id").adapt(aim));
    }
    check("jumps and loops", 250_000, &rows);
}

fn aim_register(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    if let Some(register) = encoding.rm_register {
        case.registers[register as usize] = random.choose(&EXITS);
    }
}

fn aim_memory(case: &mut Case, encoding: &Encoding, random: &mut Random) {
    let Some(offset) = operand_offset(case, encoding) else { return };
    let target = random.choose(&EXITS).to_le_bytes();
    if let Some(bytes) = case.memory.as_mut().and_then(|m| m.get_mut(offset..offset + 4)) {
        bytes.copy_from_slice(&target);
    }
}

#[test]
fn calls() {
    fn row(name: &str, template: &str) -> Row {
        Row::new(name, template).implicit_memory().reserve(1 << ESP)
    }
    let rows = [
        row("call", "e8 id").adapt(aim).prepare(|case, _, random| stack_in_window(case, random)),
        row("call", "ff /2.reg").prepare(|case, encoding, random| {
            // The stack is set last: a call through the stack pointer runs data, and faults.
            aim_register(case, encoding, random);
            stack_in_window(case, random);
        }),
        row("call", "ff /2.mem").prepare(|case, encoding, random| {
            stack_in_window(case, random);
            aim_memory(case, encoding, random);
        }),
        row("call through the stack", "ff 54 24 08").prepare(|case, _, random| {
            return_address(case, random, 8);
        }),
        row("ret", "c3").prepare(|case, _, random| return_address(case, random, 0)),
        row("rep ret", "f3 c3").prepare(|case, _, random| return_address(case, random, 0)),
        row("bnd ret", "f2 c3").prepare(|case, _, random| return_address(case, random, 0)),
        row("ret", "c2 iw").prepare(|case, _, random| return_address(case, random, 0)),
        // Calls the pop after the hlt, which so gets the address of the hlt.
        row("call and pop", "e8 01 00 00 00 f4 58").prepare(|case, _, random| {
            stack_in_window(case, random);
        }),
    ];
    check("calls and returns", 100_000, &rows);
}

fn stack_in_window(case: &mut Case, random: &mut Random) {
    case.registers[ESP] = WINDOW + 96 + random.below(64) as u32;
}

/// Puts the address of an exit on the stack, `above` bytes from its top.
fn return_address(case: &mut Case, random: &mut Random, above: usize) {
    stack_in_window(case, random);
    let at = (case.registers[ESP] - WINDOW) as usize + above;
    let target = random.choose(&EXITS).to_le_bytes();
    if let Some(memory) = &mut case.memory {
        memory[at..at + 4].copy_from_slice(&target);
    }
}
