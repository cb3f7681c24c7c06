//! Whole instructions against the host CPU, over random states in all modes.

use crate::x87::host::oracle::{self, Scene};
use crate::x87::samples::{Bench, Random, image, rounds};
use crate::x87::{F80, X87Op, execute};

impl Random {
    /// Memory in which `op` finds an operand of its format.
    fn memory(&mut self, op: X87Op) -> [u8; 128] {
        let mut memory = [0; 128];
        memory.iter_mut().for_each(|byte| *byte = self.next() as u8);
        let single = op.name().ends_with("m32") && !op.name().starts_with("fi");
        let double = op.name().ends_with("m64") && !op.name().starts_with("fi");
        if single {
            memory[..4].copy_from_slice(&self.single().to_le_bytes());
        } else if double {
            memory[..8].copy_from_slice(&self.double().to_le_bytes());
        } else if op == X87Op::FldM80 {
            memory[..10].copy_from_slice(&self.extended().to_bytes());
        } else if op == X87Op::Fbld {
            let digits = &mut memory[..9];
            digits.iter_mut().for_each(|pair| *pair = (self.below(10) << 4 | self.below(10)) as u8);
        } else if op == X87Op::Fldenv || op == X87Op::Frstor {
            let scene = image(&self.unit());
            memory[..108].copy_from_slice(&scene);
        }
        memory
    }
}

/// The parts of an image that we keep: all but the instruction and data pointers.
fn kept(image: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let words = [0, 1, 4, 5, 8, 9].map(|i| image[i]).to_vec();
    (words, image[28..].to_vec())
}

/// What one instruction did here and on the host, or `None` when they agree.
fn difference(op: X87Op, random: &mut Random) -> Option<String> {
    let fpu = random.unit();
    let memory = random.memory(op);
    let flags = (random.next() as u8 & 0x45) | 2;
    let mut scene = Scene { image: image(&fpu), memory, flags };
    oracle::run(op, &mut scene)?;

    let mut ours = fpu.clone();
    let mut bench = Bench { flags, ..Bench::new(&memory) };
    execute(op, oracle::STI, 0, &mut ours, &mut bench).expect("nothing is pending");
    let saved = image(&ours);
    let environment = matches!(op, X87Op::Fnstenv | X87Op::Fnsave);
    let memory_agrees = if environment {
        kept(&bench.memory) == kept(&scene.memory)
    } else {
        bench.memory[..] == scene.memory[..]
    };
    let agrees = kept(&saved) == kept(&scene.image) && memory_agrees && bench.flags == scene.flags;
    if agrees {
        return None;
    }
    let show = |image: &[u8; 108], memory: &[u8], flags: u8| {
        let word = |at: usize| u16::from_le_bytes([image[at], image[at + 1]]);
        let st = |i: usize| {
            let mut bytes = [0; 10];
            bytes.copy_from_slice(&image[28 + 10 * i..38 + 10 * i]);
            let value = F80::from_bytes(bytes);
            format!("{:04x}:{:016x}", value.sign_exponent, value.mantissa)
        };
        let list: Vec<_> = (0..8).map(st).collect();
        format!(
            "cw {:04x} sw {:04x} tw {:04x} flags {flags:02x} mem {:02x?}\n      st {}",
            word(0),
            word(4),
            word(8),
            &memory[..10],
            list.join(" ")
        )
    };
    Some(format!(
        "{}\n before {}\n host   {}\n ours   {}",
        op.name(),
        show(&image(&fpu), &memory, flags),
        show(&scene.image, &scene.memory, scene.flags),
        show(&saved, &bench.memory, bench.flags)
    ))
}

#[test]
fn every_instruction_agrees_with_the_host() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let rounds = rounds(2000);
    let mut failures = Vec::new();
    for &op in X87Op::ALL {
        let mut count = 0;
        for _ in 0..rounds {
            if let Some(text) = difference(op, &mut random) {
                count += 1;
                if count <= 3 {
                    failures.push(text);
                }
            }
        }
        if count > 0 {
            failures.push(format!("=== {} : {count} of {rounds}", op.name()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
