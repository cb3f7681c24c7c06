//! `cpuid`: a plain i686 with SSE2, so that libraries choose plain code.

use crate::cpu::Cpu;

/// Vendor, as the program sees it.
const VENDOR: &[u8; 12] = b"GenuineIntel";
/// Family 6, model 13, stepping 8: a processor with SSE2 and nothing newer.
const SIGNATURE: u32 = 0x6d8;
/// fpu tsc cx8 cmov clflush mmx fxsr sse sse2
const FEATURES: u32 =
    1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 19 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26;

impl Cpu {
    pub(crate) fn identify(&mut self) {
        let word = |from: usize| {
            u32::from_le_bytes([VENDOR[from], VENDOR[from + 1], VENDOR[from + 2], VENDOR[from + 3]])
        };
        let (eax, ebx, ecx, edx) = match self.gpr[0] {
            0 => (2, word(0), word(8), word(4)),
            // ebx: cache line flush size 8 * 8 bytes, one logical processor.
            1 => (SIGNATURE, 0x0001_0800, 0, FEATURES),
            // No cache or TLB to tell of.
            2 => (1, 0, 0, 0),
            0x8000_0000 => (0x8000_0001, 0, 0, 0),
            _ => (0, 0, 0, 0),
        };
        self.gpr[0] = eax;
        self.gpr[3] = ebx;
        self.gpr[1] = ecx;
        self.gpr[2] = edx;
    }
}
