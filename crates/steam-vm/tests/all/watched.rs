//! Instructions under a search: a shared access stops the CPU before it, and is done when granted.

use std::sync::Arc;

use steam_state::{Access, Protection, RegionKind, Space, Table, ThreadId};
use steam_visibility::{Grant, Memory, Mode, Watch, Watching};
use steam_vm::{Cpu, Stop};

const CODE: u32 = 0x10_0000;
const SHARED: u32 = 0x20_0010;
const PRIVATE: u32 = 0x20_0100;

/// A CPU before its first instruction, in a search that knows that some words are shared.
fn machine(code: &[u8], shared: &[u32]) -> Cpu {
    let mut memory = Memory::new(Arc::default(), &Table::default(), Watch::default());
    let all = Protection { read: true, write: true, execute: true };
    memory.map(CODE, CODE + 0x1000, all, RegionKind::Mapped);
    memory.map(0x20_0000, 0x20_1000, Protection::READ_WRITE, RegionKind::Mapped);
    memory.write_bytes(CODE, code).unwrap();
    let sharing = memory.policy.sharing();
    for &word in shared {
        for thread in [ThreadId(1), ThreadId(2)] {
            sharing.visit_page(Space::FIRST.at(word), thread, true);
            sharing.visit_word(Space::FIRST.at(word), thread, true);
        }
    }
    sharing.begin_iteration();
    memory.watch(ThreadId(1), Mode::Shared);
    let mut cpu = Cpu::new(memory);
    cpu.eip = CODE;
    cpu
}

fn read(address: u32, size: u32) -> Stop {
    Stop::Visible(Access { address, size, write: false, place: Space::FIRST.at(address) })
}

fn write(address: u32, size: u32) -> Stop {
    Stop::Visible(Access { address, size, write: true, place: Space::FIRST.at(address) })
}

/// Bytes of memory, unwatched.
fn bytes<const N: usize>(cpu: &mut Cpu, address: u32) -> [u8; N] {
    cpu.memory.watch(ThreadId(1), Mode::Off);
    let bytes = cpu.memory.load(address, 0).unwrap();
    cpu.memory.watch(ThreadId(1), Mode::Shared);
    bytes
}

#[test]
fn an_addition_to_a_shared_word_is_a_read_and_a_write() {
    // add dword [SHARED], 5; int 0x80
    let mut cpu = machine(&[0x83, 0x05, 0x10, 0x00, 0x20, 0x00, 5, 0xcd, 0x80], &[SHARED]);
    assert_eq!(cpu.run(100), read(SHARED, 4));
    assert_eq!((cpu.eip, cpu.instructions), (CODE, 0));
    assert_eq!(cpu.run_granted(Grant::One), write(SHARED, 4));
    assert_eq!((cpu.eip, cpu.instructions), (CODE, 0));
    assert_eq!(bytes(&mut cpu, SHARED), [0; 4]);
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!((cpu.eip, cpu.instructions), (CODE + 7, 1));
    assert_eq!(bytes(&mut cpu, SHARED), [5, 0, 0, 0]);
    assert_eq!(cpu.run(100), Stop::SystemCall);
}

#[test]
fn an_instruction_that_locks_the_bus_is_granted_as_a_whole() {
    // lock add dword [SHARED], 5; int 0x80
    let mut cpu = machine(&[0xf0, 0x83, 0x05, 0x10, 0x00, 0x20, 0x00, 5, 0xcd, 0x80], &[SHARED]);
    assert_eq!(cpu.run(100), read(SHARED, 4));
    assert!(cpu.locks_the_bus());
    assert_eq!(cpu.run_granted(Grant::All), Stop::Limit);
    assert_eq!(bytes(&mut cpu, SHARED), [5, 0, 0, 0]);
    assert_eq!(cpu.run(100), Stop::SystemCall);
}

#[test]
fn a_repeated_instruction_stops_at_each_shared_word() {
    // rep movsd; int 0x80: four words, the second and the fourth of which are shared
    let source = SHARED - 4;
    let mut cpu = machine(&[0xf3, 0xa5, 0xcd, 0x80], &[SHARED, SHARED + 8]);
    cpu.memory.watch(ThreadId(1), Mode::Off);
    let content: [u8; 16] = std::array::from_fn(|i| i as u8 + 1);
    cpu.memory.write_bytes(source, &content).unwrap();
    cpu.memory.watch(ThreadId(1), Mode::Shared);
    (cpu.gpr[1], cpu.gpr[6], cpu.gpr[7]) = (4, source, PRIVATE);
    assert_eq!(cpu.run(100), read(SHARED, 4));
    assert_eq!((cpu.eip, cpu.gpr[1]), (CODE, 3), "one word is copied");
    assert_eq!(cpu.run_granted(Grant::One), read(SHARED + 8, 4));
    assert_eq!((cpu.eip, cpu.gpr[1]), (CODE, 1));
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!(cpu.run(100), Stop::SystemCall);
    assert_eq!(bytes(&mut cpu, PRIVATE), content);
}

#[test]
fn all_registers_are_pushed_one_by_one_and_the_stack_pointer_moves_at_the_end() {
    // pusha; int 0x80: the words of eax and edx are shared
    let top = PRIVATE;
    let mut cpu = machine(&[0x60, 0xcd, 0x80], &[top - 4, top - 12]);
    cpu.gpr = std::array::from_fn(|register| register as u32 + 1);
    cpu.gpr[4] = top;
    assert_eq!(cpu.run(100), write(top - 4, 4));
    assert_eq!(cpu.run_granted(Grant::One), write(top - 12, 4));
    assert_eq!((cpu.eip, cpu.gpr[4]), (CODE, top));
    assert_eq!(bytes(&mut cpu, top - 12), [0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!(cpu.gpr[4], top - 32);
    assert_eq!(bytes(&mut cpu, top - 12), [3, 0, 0, 0]);
    assert_eq!(cpu.run(100), Stop::SystemCall);
}

#[test]
fn a_nested_frame_is_entered_access_by_access() {
    // enter 8, 2; int 0x80: the outer frame's link and the new one are shared
    let (top, outer) = (PRIVATE, SHARED + 4);
    let mut cpu = machine(&[0xc8, 8, 0, 2, 0xcd, 0x80], &[outer - 4, top - 12]);
    (cpu.gpr[4], cpu.gpr[5]) = (top, outer);
    assert_eq!(cpu.run(100), read(outer - 4, 4));
    assert_eq!((cpu.gpr[4], cpu.gpr[5]), (top, outer));
    assert_eq!(cpu.run_granted(Grant::One), write(top - 12, 4));
    assert_eq!((cpu.gpr[4], cpu.gpr[5]), (top, outer));
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!((cpu.gpr[4], cpu.gpr[5]), (top - 20, top - 4));
    let links: [u8; 12] = bytes(&mut cpu, top - 12);
    assert_eq!(links[..4], (top - 4).to_le_bytes());
    assert_eq!(links[8..], outer.to_le_bytes());
    assert_eq!(cpu.run(100), Stop::SystemCall);
}

#[test]
fn a_shared_word_on_a_page_of_code_is_written_in_two_steps_too() {
    // add dword [CODE+0x800], 5; int 0x80
    let word = CODE + 0x800;
    let mut cpu = machine(&[0x83, 0x05, 0x00, 0x08, 0x10, 0x00, 5, 0xcd, 0x80], &[word]);
    assert_eq!(cpu.run(100), read(word, 4));
    assert_eq!(cpu.run_granted(Grant::One), write(word, 4));
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!(bytes(&mut cpu, word), [5, 0, 0, 0]);
    assert_eq!(cpu.run(100), Stop::SystemCall);
}

#[test]
fn floating_point_environments_are_read_as_a_whole() {
    // fldenv [SHARED-4]; int 0x80
    let mut cpu = machine(&[0xd9, 0x25, 0x0c, 0x00, 0x20, 0x00, 0xcd, 0x80], &[SHARED]);
    let Stop::Visible(access) = cpu.run(100) else { panic!("the read is visible") };
    assert!(!access.write && access.address <= SHARED && SHARED < access.address + access.size);
    assert_eq!(cpu.run_granted(Grant::One), Stop::Limit);
    assert_eq!(cpu.run(100), Stop::SystemCall);
}
