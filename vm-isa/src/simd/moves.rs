//! The moves of MMX, SSE and SSE2.

use super::Operand;
use super::machine::Machine;
use crate::fp_env::FpEnv;

impl<E: FpEnv> Machine<'_, E> {
    /// Instructions that only advise the cache or order memory.
    pub(super) fn nothing(&mut self) -> Result<(), E::Trap> {
        Ok(())
    }

    /// An instruction that only needs its byte to be readable.
    pub(super) fn touch(&mut self) -> Result<(), E::Trap> {
        self.env.load::<1>(self.addr).map(|_| ())
    }

    /// Moves 16 bytes; in memory they must be aligned.
    #[inline]
    pub(super) fn move_aligned(&mut self) -> Result<(), E::Trap> {
        if self.dst == Operand::Memory || self.src == Operand::Memory {
            self.check_alignment()?;
        }
        self.move_unaligned()
    }

    /// Moves 16 bytes.
    #[inline]
    pub(super) fn move_unaligned(&mut self) -> Result<(), E::Trap> {
        let value = match self.src {
            Operand::Memory => u128::from_le_bytes(self.env.load(self.addr)?),
            operand => self.register(operand),
        };
        if self.dst == Operand::Memory {
            return self.env.store(self.addr, value.to_le_bytes());
        }
        self.write(value);
        Ok(())
    }

    /// Moves 8 bytes; a wider register is filled with zeros.
    #[inline]
    pub(super) fn move_quad(&mut self) -> Result<(), E::Trap> {
        let value = self.source64()?;
        if self.dst == Operand::Memory {
            return self.env.store(self.addr, value.to_le_bytes());
        }
        self.write(u128::from(value));
        Ok(())
    }

    /// Moves 4 bytes; a wider register is filled with zeros.
    #[inline]
    pub(super) fn move_double(&mut self) -> Result<(), E::Trap> {
        let value = self.source32()?;
        if self.dst == Operand::Memory {
            return self.env.store(self.addr, value.to_le_bytes());
        }
        self.write(u128::from(value));
        Ok(())
    }

    /// `movss`: from memory it clears the other lanes, between registers it keeps them.
    #[inline]
    pub(super) fn move_single_lane(&mut self) -> Result<(), E::Trap> {
        if self.dst == Operand::Memory || self.src == Operand::Memory {
            return self.move_double();
        }
        let value = self.register(self.src) as u32;
        self.write_low32(value);
        Ok(())
    }

    /// `movsd`: from memory it clears the other lane, between registers it keeps it.
    #[inline]
    pub(super) fn move_double_lane(&mut self) -> Result<(), E::Trap> {
        if self.dst == Operand::Memory || self.src == Operand::Memory {
            return self.move_quad();
        }
        if let Operand::Xmm(index) = self.src {
            self.write_low64(self.xmm(index) as u64);
        }
        Ok(())
    }

    /// `movlps` and `movlpd`: 8 bytes between memory and the low half.
    pub(super) fn move_low(&mut self) -> Result<(), E::Trap> {
        let value = self.source64()?;
        if self.dst == Operand::Memory {
            return self.env.store(self.addr, value.to_le_bytes());
        }
        self.write_low64(value);
        Ok(())
    }

    /// `movhps` and `movhpd`: 8 bytes between memory and the high half.
    pub(super) fn move_high(&mut self) -> Result<(), E::Trap> {
        if self.dst == Operand::Memory {
            let value = (self.register(self.src) >> 64) as u64;
            return self.env.store(self.addr, value.to_le_bytes());
        }
        self.move_low_to_high()
    }

    /// `movlhps`.
    pub(super) fn move_low_to_high(&mut self) -> Result<(), E::Trap> {
        let value = self.source64()?;
        let kept = self.register(self.dst) as u64;
        self.write(u128::from(value) << 64 | u128::from(kept));
        Ok(())
    }

    /// `movhlps`.
    pub(super) fn move_high_to_low(&mut self) -> Result<(), E::Trap> {
        let value = (self.register(self.src) >> 64) as u64;
        self.write_low64(value);
        Ok(())
    }

    /// `maskmovq` and `maskmovdqu`: stores the bytes that the mask selects at `edi`.
    pub(super) fn store_masked(&mut self) -> Result<(), E::Trap> {
        const EDI: u8 = 7;
        let (data, mask) = (self.register(self.dst), self.register(self.src));
        let base = self.env.gpr(EDI);
        for i in 0..self.width() / 8 {
            if mask >> (8 * i + 7) & 1 != 0 {
                self.env.store(base.wrapping_add(i), [(data >> (8 * i)) as u8])?;
            }
        }
        Ok(())
    }
}
