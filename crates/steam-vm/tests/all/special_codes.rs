//! A specialised op means what the general one means: random instructions run with and without the
//! special codes, from the same state, and must leave the same state.

use std::sync::Arc;

use steam_state::{Context, Protection, RegionKind, Table};
use steam_visibility::{Memory, Watch};
use steam_vm::{Cpu, Stop};
use vm_isa::{decode, specialise};

const CODE: u32 = 0x10_0000;
const DATA: u32 = 0x20_0000;
const DATA_SIZE: u32 = 0x2000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }
}

fn machine(special: bool) -> Cpu {
    let mut memory = Memory::new(Arc::default(), &Table::default(), Watch::default());
    let all = Protection { read: true, write: true, execute: true };
    memory.map(CODE, CODE + 0x1000, all, RegionKind::Image(0));
    memory.map(DATA, DATA + DATA_SIZE, Protection::READ_WRITE, RegionKind::Mapped);
    let cpu = Cpu::new(memory);
    if special { cpu } else { cpu.without_special_codes() }
}

/// A value that is often a boundary and often an address within the data.
fn operand(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => {
            [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0xff, 0x80, 0x8000][random.below(8) as usize]
        }
        1 => random.next(),
        _ => DATA + 0x800 + random.below(0x1000),
    }
}

fn run(cpu: &mut Cpu, start: &Context, code: &[u8], data: &[u8]) -> (Stop, Context, Vec<u8>) {
    cpu.memory.clear(CODE, CODE + 0x1000);
    while cpu.memory.write_bytes(CODE, code).is_err() {
        // The page held decoded code; the CPU forgets it when it runs next.
    }
    cpu.memory.write_bytes(DATA, data).unwrap();
    cpu.set_context(start);
    let stop = cpu.run(1);
    let mut after = vec![0; data.len()];
    cpu.memory.read_bytes(DATA, &mut after).unwrap();
    (stop, cpu.context(), after)
}

#[test]
fn special_codes_mean_what_general_ones_mean() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut special, mut general) = (machine(true), machine(false));
    let mut seen = std::collections::HashMap::new();
    let mut data: Vec<u8> = (0..DATA_SIZE).map(|_| random.next() as u8).collect();
    let mut done = 0;
    while done < 60_000 {
        let mut code: [u8; 15] = std::array::from_fn(|_| random.next() as u8);
        if random.below(3) == 0 {
            code[0] = 0x0f;
        }
        let Some(decoded) = decode(&code, CODE) else { continue };
        let specialised = specialise(decoded.op);
        if specialised.code == decoded.op.code {
            continue;
        }
        // Displacements near zero, so that many accesses are allowed.
        let near = decode(&code, CODE).map(|d| d.op.disp).unwrap_or(0);
        let base = DATA.wrapping_add(0x1000).wrapping_sub(near);
        let gpr = std::array::from_fn(|_| match random.below(3) {
            0 => base.wrapping_add(random.below(64)),
            _ => operand(&mut random),
        });
        let start = Context { gpr, eip: CODE, eflags: random.next() & 0x8d5, ..Context::default() };
        data[random.below(DATA_SIZE) as usize] = random.next() as u8;
        let a = run(&mut special, &start, &code, &data);
        let b = run(&mut general, &start, &code, &data);
        assert!(a == b, "{}: {start:x?}\nspecial {:x?}\ngeneral {:x?}", decoded.op, a.1, b.1);
        let finished = a.0 == Stop::Limit;
        let counts: &mut (u32, u32) = seen.entry(specialised.code).or_default();
        counts.0 += 1;
        counts.1 += u32::from(finished);
        done += 1;
    }
    // Every special code was met, and most instructions were done and not refused.
    let finished: u32 = seen.values().map(|counts| counts.1).sum();
    assert!(seen.len() > 50 && finished > done / 2, "{} codes, {finished} of {done}", seen.len());
}
