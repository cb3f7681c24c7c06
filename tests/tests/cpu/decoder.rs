//! The decoder against a million byte strings: it never panics, never hangs, and what it says of
//! a string does not depend on the bytes after the instruction.

use steam_tests::hostcpu::native::runner_path;
use steam_tests::hostcpu::random::Random;
use vm_isa::{Code, decode, specialise};

const STRINGS: usize = 1_000_000;
/// The longest instruction there is.
const LONGEST: usize = 15;

#[test]
fn random_bytes() {
    let mut random = Random::from_name("random bytes");
    for _ in 0..STRINGS / 2 {
        let mut bytes = [0; LONGEST];
        bytes.fill_with(|| random.bits() as u8);
        if random.one_in(2) {
            // Prefixes and the second opcode map are rare in uniform bytes.
            for byte in &mut bytes[..2] {
                *byte = random.choose(&[0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x65, 0x2e, 0x0f, 0xd9]);
            }
        }
        let length = random.below(LONGEST + 1);
        check(&bytes[..length], random.bits() as u32);
    }
}

/// Real code (that of the 32-bit test runner and its C library) with some bytes changed.
#[test]
fn mutated_instructions() {
    let code = std::fs::read(runner_path()).expect("the runner was built");
    let mut random = Random::from_name("mutated instructions");
    for _ in 0..STRINGS / 2 {
        let at = random.below(code.len() - LONGEST);
        let mut bytes = [0; LONGEST];
        bytes.copy_from_slice(&code[at..at + LONGEST]);
        for _ in 0..random.below(4) {
            let place = random.below(4);
            bytes[place] = match random.below(3) {
                0 => random.bits() as u8,
                1 => bytes[place] ^ 1 << random.below(8),
                _ => bytes[random.below(LONGEST)],
            };
        }
        check(&bytes, random.bits() as u32);
    }
}

fn check(bytes: &[u8], address: u32) {
    let Some(decoded) = decode(bytes, address) else {
        assert!(bytes.len() < LONGEST, "{bytes:02x?} is long enough for any instruction");
        return;
    };
    let length = usize::from(decoded.length);
    assert!((1..=bytes.len()).contains(&length), "{bytes:02x?}: length {length}");
    // What is no instruction has no length of its own.
    if decoded.op.code != Code::Undefined {
        let shortest = decode(&bytes[..length], address);
        assert_eq!(shortest, Some(decoded), "{bytes:02x?} differs with the bytes behind it");
    }
    // Neither the printer nor the specialiser may stumble over what was decoded.
    let special = specialise(decoded.op);
    assert!(!decoded.op.to_string().is_empty() && !special.to_string().is_empty());
}
