//! Code that writes to its own page runs as on a real CPU: each write is seen by what comes next.

use std::sync::Arc;

use steam_state::{Protection, RegionKind, Table};
use steam_visibility::{Memory, Watch};
use steam_vm::{Cpu, Stop};

const CODE: u32 = 0x10_0000;

fn machine(code: &[u8]) -> Cpu {
    let mut memory = Memory::new(Arc::default(), &Table::default(), Watch::default());
    let all = Protection { read: true, write: true, execute: true };
    memory.map(CODE, CODE + 0x2000, all, RegionKind::Mapped);
    memory.write_bytes(CODE, code).unwrap();
    let mut cpu = Cpu::new(memory);
    cpu.eip = CODE;
    cpu
}

#[test]
fn data_on_the_page_of_the_code_can_be_written() {
    // mov ecx, 100; again: inc dword [CODE+0x800]; dec ecx; jnz again; int 0x80
    let mut code = vec![0xb9, 100, 0, 0, 0];
    code.extend([0xff, 0x05, 0x00, 0x08, 0x10, 0x00, 0x49, 0x75, 0xf7, 0xcd, 0x80]);
    let mut cpu = machine(&code);
    assert_eq!(cpu.run(10_000), Stop::SystemCall);
    assert_eq!(cpu.memory.load::<4>(CODE + 0x800, 0), Ok([100, 0, 0, 0]));
    assert_eq!(cpu.instructions, 1 + 3 * 100 + 1);
}

#[test]
fn an_instruction_that_was_patched_is_executed_as_patched() {
    // mov byte [next+1], 42; next: mov al, 1; int 0x80
    let code = [0xc6, 0x05, 0x08, 0x00, 0x10, 0x00, 42, 0xb0, 1, 0xcd, 0x80];
    let mut cpu = machine(&code);
    assert_eq!(cpu.run(100), Stop::SystemCall);
    assert_eq!(cpu.gpr[0] & 0xff, 42);
}

#[test]
fn a_store_across_two_pages_of_code_is_done() {
    // call the second page once, so that both are decoded, then store across their border
    let mut code = vec![0xe8, 0xfb, 0x0f, 0x00, 0x00];
    code.extend([0xc7, 0x05, 0xfe, 0x0f, 0x10, 0x00, 1, 2, 3, 4, 0xcd, 0x80]);
    let mut cpu = machine(&code);
    cpu.memory.write_bytes(CODE + 0x1000, &[0xc3]).unwrap();
    cpu.memory.map(0x20_0000, 0x20_1000, Protection::READ_WRITE, RegionKind::Mapped);
    cpu.gpr[4] = 0x20_1000;
    assert_eq!(cpu.run(100), Stop::SystemCall);
    assert_eq!(cpu.memory.load::<4>(CODE + 0xffe, 0), Ok([1, 2, 3, 4]));
}
