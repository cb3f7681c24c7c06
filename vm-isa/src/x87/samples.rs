//! Random states and a small machine for the tests of both floating point units.

use super::number::INTEGER_BIT;
use super::{F80, X87, X87Op, execute};
use crate::fp_env::FpEnv;

/// A small generator of its own, so that every run sees the same cases.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    /// A mantissa with few, many or random bits.
    fn mantissa(&mut self) -> u64 {
        match self.below(6) {
            0 => self.next() & self.next() & self.next(),
            1 => u64::MAX << self.below(64),
            2 => 1 << self.below(64),
            3 => u64::MAX >> self.below(64),
            4 => self.next() & u64::MAX << 11,
            _ => self.next(),
        }
    }

    pub fn extended(&mut self) -> F80 {
        let exponent = match self.below(15) {
            0 => 0,
            1 => 0x7fff,
            2 => self.below(0x8000),
            3 => 1 + self.below(70),
            4 => 0x7ffe - self.below(70),
            5 => 0x3fff - 1074 + self.below(100) - 50,
            6 => 0x3fff - 149 + self.below(80) - 40,
            7 => 0x3fff + 1023 + self.below(3) - 1,
            // Products of these lie where tiny numbers begin.
            8 => 0x3fff - 8191 + self.below(2),
            _ => 0x3fff + self.below(68) - 4,
        } as u16;
        let sign = (self.below(2) as u16) << 15;
        let integer = if exponent != 0 && self.below(16) != 0 { INTEGER_BIT } else { 0 };
        let mantissa = match self.below(8) {
            0 => 0,
            _ => self.mantissa(),
        };
        F80 { mantissa: mantissa | integer, sign_exponent: sign | exponent }
    }

    #[cfg(target_arch = "x86_64")]
    pub fn single(&mut self) -> u32 {
        let exponent = match self.below(9) {
            0 => 0,
            1 => 0xff,
            5 => 127 - 63 + self.below(2),
            2 => self.below(0x100),
            3 => 1 + self.below(3),
            4 => 0xfe - self.below(3),
            _ => 127 + self.below(40) - 8,
        } as u32;
        let fraction = if self.below(6) == 0 { 0 } else { (self.mantissa() >> 41) as u32 };
        (self.below(2) as u32) << 31 | exponent << 23 | fraction & 0x7f_ffff
    }

    #[cfg(target_arch = "x86_64")]
    pub fn double(&mut self) -> u64 {
        let exponent = match self.below(10) {
            0 => 0,
            1 => 0x7ff,
            5 => 1023 - 511 + self.below(2),
            6 => 1023 - 127 + self.below(2),
            2 => self.below(0x800),
            3 => 1 + self.below(3),
            4 => 0x7fe - self.below(3),
            _ => 1023 + self.below(70) - 8,
        };
        let fraction = if self.below(6) == 0 { 0 } else { self.mantissa() >> 12 };
        self.below(2) << 63 | exponent << 52 | fraction & 0xf_ffff_ffff_ffff
    }

    /// A state of the x87 in which no exception is pending.
    pub fn unit(&mut self) -> X87 {
        let masks = if self.below(3) == 0 { self.below(64) as u16 } else { 0x3f };
        let precision = (self.below(4) as u16) << 8;
        let rounding = (self.below(4) as u16) << 10;
        let mut fpu = X87::default();
        let usual = self.below(3) == 0;
        let (masks, mode) = if usual { (0x3f, 0x0300) } else { (masks, precision | rounding) };
        fpu.set_control(masks | mode);
        fpu.set_status(self.next() as u16 & !0x80 & (!0x3f | masks));
        fpu.tags = if self.below(2) == 0 { self.next() as u8 } else { !(1 << self.below(8)) };
        fpu.regs = std::array::from_fn(|_| self.extended());
        if self.below(4) == 0 {
            // Neighbours cancel, and equal numbers compare as equal.
            let register = fpu.physical(0);
            fpu.regs[register].sign_exponent = fpu.st(2).sign_exponent;
        }
        fpu
    }
}

/// A machine with some memory that starts at address 0, one general register and flags in the
/// layout of `lahf`.
pub(crate) struct Bench {
    pub memory: Vec<u8>,
    pub gpr: u32,
    pub flags: u8,
    pub ax: u16,
}

impl Bench {
    pub fn new(memory: &[u8]) -> Bench {
        Bench { memory: memory.to_vec(), gpr: 0, flags: 2, ax: 0 }
    }
}

impl FpEnv for Bench {
    type Trap = &'static str;
    fn load<const N: usize>(&mut self, addr: u32) -> Result<[u8; N], Self::Trap> {
        let at = addr as usize;
        let bytes = self.memory.get(at..at + N).ok_or("unmapped")?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }
    fn store<const N: usize>(&mut self, addr: u32, bytes: [u8; N]) -> Result<(), Self::Trap> {
        let at = addr as usize;
        let target = self.memory.get_mut(at..at + N).ok_or("unmapped")?;
        target.copy_from_slice(&bytes);
        Ok(())
    }
    fn probe_store<const N: usize>(&mut self, addr: u32) -> Result<(), Self::Trap> {
        self.load::<N>(addr).map(|_| ())
    }
    fn gpr(&self, index: u8) -> u32 {
        // Register 7 is the address of masked stores: the start of memory.
        if index == 7 { 0 } else { self.gpr }
    }
    fn set_gpr(&mut self, _: u8, value: u32) {
        self.gpr = value;
    }
    fn flags_zpc(&self) -> (bool, bool, bool) {
        (self.flags & 0x40 != 0, self.flags & 4 != 0, self.flags & 1 != 0)
    }
    fn set_flags_zpc(&mut self, z: bool, p: bool, c: bool) {
        self.flags = u8::from(z) << 6 | u8::from(p) << 2 | u8::from(c) | 2;
    }
    fn set_flags(&mut self, flags: u32) {
        self.flags = flags as u8 | 2;
    }
    fn set_ax(&mut self, value: u16) {
        self.ax = value;
    }
    fn misaligned(&mut self, _: u32) -> Self::Trap {
        "general protection"
    }
    fn math_fault(&mut self) -> Self::Trap {
        "math fault"
    }
    fn simd_fault(&mut self) -> Self::Trap {
        "simd fault"
    }
}

/// The image that `fnsave` writes.
#[cfg(target_arch = "x86_64")]
pub(crate) fn image(fpu: &X87) -> [u8; 108] {
    let mut bench = Bench::new(&[0; 128]);
    execute(X87Op::Fnsave, 0, 0, &mut fpu.clone(), &mut bench).expect("memory is there");
    std::array::from_fn(|i| bench.memory[i])
}

/// How often a random test repeats; the environment variable `ROUNDS` makes it longer.
pub(crate) fn rounds(usual: u32) -> u32 {
    std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
