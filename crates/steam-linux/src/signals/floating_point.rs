//! The state of the floating point units in a signal frame: the layout of `fnsave`, and after it
//! that of `fxsave`.
//!
//! As in Linux, the x87 is restored from the first part and the SSE registers from the second.

use steam_vm::Cpu;
use vm_isa::simd::Simd;
use vm_isa::x87::{F80, X87};

/// Bytes of the older part: environment, eight registers, status and magic.
pub const LEAD: u32 = 112;
/// Bytes of the `fxsave` part.
pub const SIZE: u32 = 512;
/// Both parts.
pub const WHOLE: u32 = LEAD + SIZE;
const REGISTERS: usize = 28;
const STATUS: usize = 108;
const FX: usize = LEAD as usize;
const FX_MXCSR: usize = FX + 24;
const FX_REGISTERS: usize = FX + 32;
const FX_XMM: usize = FX + 160;
const MXCSR_MASK: u32 = 0xffff;

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The state as a frame holds it.
pub fn save(cpu: &Cpu) -> Vec<u8> {
    let (x87, simd) = (&cpu.x87, &cpu.simd);
    let mut bytes = vec![0; WHOLE as usize];
    let environment = [x87.control, x87.status, x87.tag_word(), 0, 0, 0, 0];
    for (i, value) in environment.into_iter().enumerate() {
        // The upper halves of these words read as ones, but for those of pointers.
        let upper = if matches!(i, 3..=5) { 0 } else { 0xffff_0000 };
        put(&mut bytes, 4 * i, &(u32::from(value) | upper).to_le_bytes());
    }
    put(&mut bytes, STATUS, &x87.status.to_le_bytes());
    // A magic of 0 says that the `fxsave` part is there.
    put(&mut bytes, FX, &x87.control.to_le_bytes());
    put(&mut bytes, FX + 2, &x87.status.to_le_bytes());
    bytes[FX + 4] = x87.tags;
    put(&mut bytes, FX_MXCSR, &simd.mxcsr.to_le_bytes());
    put(&mut bytes, FX_MXCSR + 4, &MXCSR_MASK.to_le_bytes());
    for i in 0..8 {
        let value = x87.st(i as u8).to_bytes();
        put(&mut bytes, REGISTERS + 10 * i, &value);
        put(&mut bytes, FX_REGISTERS + 16 * i, &value);
        put(&mut bytes, FX_XMM + 16 * i, &simd.xmm[i].to_le_bytes());
    }
    bytes
}

/// Sets the units from what a frame holds: [`WHOLE`] bytes.
pub fn restore(cpu: &mut Cpu, bytes: &[u8]) {
    let mut x87 = X87 {
        control: word(bytes, 0),
        status: word(bytes, 4),
        tags: present(word(bytes, 8)),
        regs: [F80::ZERO; 8],
    };
    let mxcsr = u32::from(word(bytes, FX_MXCSR)) & MXCSR_MASK;
    let mut simd = Simd { mxcsr, ..Simd::default() };
    let top = usize::from(x87.top());
    for i in 0..8 {
        let mut value = [0; 10];
        value.copy_from_slice(&bytes[REGISTERS + 10 * i..REGISTERS + 10 * i + 10]);
        x87.regs[(top + i) % 8] = F80::from_bytes(value);
        let mut vector = [0; 16];
        vector.copy_from_slice(&bytes[FX_XMM + 16 * i..FX_XMM + 16 * i + 16]);
        simd.xmm[i] = u128::from_le_bytes(vector);
    }
    cpu.x87 = x87;
    cpu.simd = simd;
}

/// The registers that a tag word does not call empty, one bit each.
fn present(tag_word: u16) -> u8 {
    (0..8).filter(|i| tag_word >> (2 * i) & 3 != 3).fold(0, |tags, i| tags | 1 << i)
}

/// Sets the units as at the start of a process, as a handler finds them.
pub fn reset(cpu: &mut Cpu) {
    cpu.x87 = X87::default();
    cpu.simd = Simd::default();
}

#[cfg(test)]
mod tests {
    use steam_visibility::Watch;

    use super::*;
    use steam_state::Table;
    use steam_visibility::Memory;

    #[test]
    fn what_is_saved_comes_back() {
        let mut cpu =
            Cpu::new(Memory::new(Default::default(), &Table::default(), Watch::default()));
        cpu.x87.control = 0x027f;
        cpu.x87.status = 5 << 11 | 0x4100;
        cpu.x87.tags = 0b1110_0000;
        for (i, register) in cpu.x87.regs.iter_mut().enumerate() {
            *register = F80 { mantissa: 0x8000_0000_0000_0001 + i as u64, sign_exponent: 0x3fff };
        }
        cpu.simd.mxcsr = 0x1fa0;
        cpu.simd.xmm[7] = u128::MAX / 3;
        let (x87, simd) = (cpu.x87.clone(), cpu.simd.clone());
        let saved = save(&cpu);
        reset(&mut cpu);
        restore(&mut cpu, &saved);
        assert_eq!(cpu.x87, x87);
        assert_eq!(cpu.simd, simd);
    }
}
