//! The instructions that save, restore and reset the state of the SIMD and x87 units.

use super::machine::Machine;
use crate::fp_env::FpEnv;
use crate::x87::F80;

/// The bits of MXCSR that exist.
pub(super) const MXCSR_BITS: u32 = 0xffff;

/// What `fxsave` writes of its 512 bytes: the rest is reserved, or belongs to registers that
/// exist in 64-bit mode only.
const SAVED: usize = 288;
const REGISTERS_AT: usize = 32;
const VECTORS_AT: usize = 160;

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn load_mxcsr(&mut self) -> Result<(), E::Trap> {
        let value = u32::from_le_bytes(self.env.load(self.addr)?);
        if value & !MXCSR_BITS != 0 {
            return Err(self.env.misaligned(self.addr));
        }
        self.simd.mxcsr = value;
        Ok(())
    }

    pub(super) fn store_mxcsr(&mut self) -> Result<(), E::Trap> {
        self.env.store(self.addr, self.simd.mxcsr.to_le_bytes())
    }

    /// `emms`: gives the registers back to the x87.
    pub(super) fn leave_mmx(&mut self) -> Result<(), E::Trap> {
        if self.x87.pending() {
            return Err(self.env.math_fault());
        }
        self.x87.set_top(0);
        self.x87.tags = 0;
        Ok(())
    }

    pub(super) fn save_state(&mut self) -> Result<(), E::Trap> {
        self.check_alignment()?;
        let mut area = [0u8; SAVED];
        area[0..2].copy_from_slice(&self.x87.control.to_le_bytes());
        area[2..4].copy_from_slice(&self.x87.status.to_le_bytes());
        area[4] = self.x87.tags;
        area[24..28].copy_from_slice(&self.simd.mxcsr.to_le_bytes());
        area[28..32].copy_from_slice(&MXCSR_BITS.to_le_bytes());
        for i in 0..8u8 {
            let at = REGISTERS_AT + 16 * usize::from(i);
            area[at..at + 10].copy_from_slice(&self.x87.st(i).to_bytes());
            let at = VECTORS_AT + 16 * usize::from(i);
            area[at..at + 16].copy_from_slice(&self.xmm(i).to_le_bytes());
        }
        self.env.store(self.addr, area)
    }

    pub(super) fn restore_state(&mut self) -> Result<(), E::Trap> {
        self.check_alignment()?;
        let area: [u8; SAVED] = self.env.load(self.addr)?;
        let mxcsr = u32::from_le_bytes(bytes_at(&area, 24));
        if mxcsr & !MXCSR_BITS != 0 {
            return Err(self.env.misaligned(self.addr));
        }
        self.simd.mxcsr = mxcsr;
        self.x87.set_control(u16::from_le_bytes(bytes_at(&area, 0)));
        self.x87.set_status(u16::from_le_bytes(bytes_at(&area, 2)));
        self.x87.tags = area[4];
        let top = self.x87.top();
        for i in 0..8u8 {
            let value = F80::from_bytes(bytes_at(&area, REGISTERS_AT + 16 * usize::from(i)));
            self.x87.regs[usize::from(top.wrapping_add(i) & 7)] = value;
            let value = bytes_at(&area, VECTORS_AT + 16 * usize::from(i));
            self.set_xmm(i, u128::from_le_bytes(value));
        }
        Ok(())
    }
}

fn bytes_at<const N: usize>(area: &[u8; SAVED], at: usize) -> [u8; N] {
    std::array::from_fn(|i| area[at + i])
}
