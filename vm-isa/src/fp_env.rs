//! The seam between floating point instructions and the rest of the CPU.
//!
//! `x87` and `simd` know nothing of memory, general registers or traps: they reach them through
//! [`FpEnv`] alone, by static dispatch.

/// What floating point and SIMD instructions need from the machine around them.
pub trait FpEnv {
    /// Why an instruction could not complete.
    type Trap;

    /// Reads `N` bytes of guest memory.
    fn load<const N: usize>(&mut self, addr: u32) -> Result<[u8; N], Self::Trap>;

    /// Writes `N` bytes of guest memory, all of them or none.
    fn store<const N: usize>(&mut self, addr: u32, bytes: [u8; N]) -> Result<(), Self::Trap>;

    /// Checks that [`FpEnv::store`] of `N` bytes would be allowed, without writing.
    fn probe_store<const N: usize>(&mut self, addr: u32) -> Result<(), Self::Trap>;

    /// Reads a general register, in the order eax ecx edx ebx esp ebp esi edi.
    fn gpr(&self, index: u8) -> u32;

    /// Writes a general register, in the order eax ecx edx ebx esp ebp esi edi.
    fn set_gpr(&mut self, index: u8, value: u32);

    /// Reads the zero, parity and carry flags (for `fcmovcc`).
    fn flags_zpc(&self) -> (bool, bool, bool);

    /// Writes the zero, parity and carry flags and clears overflow, sign and adjust.
    fn set_flags_zpc(&mut self, z: bool, p: bool, c: bool);

    /// Writes the flags that arithmetic sets, as bits of EFLAGS (for the text comparisons).
    fn set_flags(&mut self, flags: u32);

    /// Writes the low half of eax (for `fnstsw ax`).
    fn set_ax(&mut self, value: u16);

    /// Makes the trap of a general protection fault (#GP): a misaligned 16-byte operand, or
    /// reserved bits of MXCSR loaded from `addr`.
    fn misaligned(&mut self, addr: u32) -> Self::Trap;

    /// Makes the trap of an unmasked x87 exception that is pending at a waiting instruction (#MF).
    fn math_fault(&mut self) -> Self::Trap;

    /// Makes the trap of an unmasked SSE exception (#XM).
    fn simd_fault(&mut self) -> Self::Trap;
}
