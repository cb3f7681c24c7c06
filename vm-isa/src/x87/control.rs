//! The instructions that manage the x87: stack pointer, control and status word, environment
//! and whole state in memory.

use super::machine::Machine;
use super::{F80, X87, status};
use crate::fp_env::FpEnv;

/// The bits of the control word that exist; bit 6 always reads as one.
const CONTROL_BITS: u16 = 0x1f3f;
const CONTROL_ONES: u16 = 0x0040;

impl X87 {
    /// Replaces the control word; exceptions that it unmasks become pending.
    pub fn set_control(&mut self, control: u16) {
        self.control = control & CONTROL_BITS | CONTROL_ONES;
        self.summarise();
    }

    /// Replaces the status word; its summary bits follow from the rest.
    pub fn set_status(&mut self, status: u16) {
        self.status = status;
        self.summarise();
    }

    /// Replaces the tags by those of a full tag word; only "empty" is taken from it.
    pub fn set_tag_word(&mut self, word: u16) {
        self.tags = (0..8).fold(0, |tags, i| tags | u8::from(word >> (2 * i) & 3 != 3) << i);
    }
}

impl<E: FpEnv> Machine<'_, E> {
    pub(super) fn nothing(&mut self) -> Result<(), E::Trap> {
        Ok(())
    }

    pub(super) fn free(&mut self, pop: bool) -> Result<(), E::Trap> {
        self.report(0);
        self.fpu.tags &= !(1 << self.fpu.physical(self.sti));
        self.pop(u8::from(pop));
        Ok(())
    }

    pub(super) fn rotate(&mut self, step: u8) -> Result<(), E::Trap> {
        self.report(0);
        self.fpu.set_top(self.fpu.top().wrapping_add(step));
        Ok(())
    }

    pub(super) fn initialise(&mut self) -> Result<(), E::Trap> {
        // The registers keep their content: they are only empty.
        *self.fpu = X87 { regs: self.fpu.regs, ..X87::default() };
        Ok(())
    }

    pub(super) fn clear_exceptions(&mut self) -> Result<(), E::Trap> {
        self.fpu.status &=
            !(status::EXCEPTIONS | status::STACK_FAULT | status::SUMMARY | status::BUSY);
        Ok(())
    }

    pub(super) fn load_control(&mut self) -> Result<(), E::Trap> {
        let control = u16::from_le_bytes(self.env.load(self.addr)?);
        self.fpu.set_control(control);
        Ok(())
    }

    pub(super) fn store_control(&mut self) -> Result<(), E::Trap> {
        self.env.store(self.addr, self.fpu.control.to_le_bytes())
    }

    pub(super) fn store_status(&mut self) -> Result<(), E::Trap> {
        self.env.store(self.addr, self.fpu.status.to_le_bytes())
    }

    pub(super) fn store_status_ax(&mut self) -> Result<(), E::Trap> {
        self.env.set_ax(self.fpu.status);
        Ok(())
    }

    pub(super) fn store_environment(&mut self) -> Result<(), E::Trap> {
        let mut bytes = [0; 28];
        put_environment(&mut bytes, self.fpu, 4);
        self.env.store(self.addr, bytes)?;
        self.mask_all();
        Ok(())
    }

    pub(super) fn store_environment_short(&mut self) -> Result<(), E::Trap> {
        let mut bytes = [0; 14];
        put_environment(&mut bytes, self.fpu, 2);
        self.env.store(self.addr, bytes)?;
        self.mask_all();
        Ok(())
    }

    /// `fnstenv` masks all exceptions after it stored the environment.
    fn mask_all(&mut self) {
        self.fpu.control |= status::EXCEPTIONS;
        self.fpu.summarise();
    }

    pub(super) fn load_environment(&mut self) -> Result<(), E::Trap> {
        let bytes: [u8; 28] = self.env.load(self.addr)?;
        get_environment(&bytes, self.fpu, 4);
        Ok(())
    }

    pub(super) fn load_environment_short(&mut self) -> Result<(), E::Trap> {
        let bytes: [u8; 14] = self.env.load(self.addr)?;
        get_environment(&bytes, self.fpu, 2);
        Ok(())
    }

    pub(super) fn save(&mut self) -> Result<(), E::Trap> {
        let mut bytes = [0; 108];
        put_environment(&mut bytes, self.fpu, 4);
        put_registers(&mut bytes[28..], self.fpu);
        self.env.store(self.addr, bytes)?;
        self.initialise()
    }

    pub(super) fn save_short(&mut self) -> Result<(), E::Trap> {
        let mut bytes = [0; 94];
        put_environment(&mut bytes, self.fpu, 2);
        put_registers(&mut bytes[14..], self.fpu);
        self.env.store(self.addr, bytes)?;
        self.initialise()
    }

    pub(super) fn restore(&mut self) -> Result<(), E::Trap> {
        let bytes: [u8; 108] = self.env.load(self.addr)?;
        get_environment(&bytes, self.fpu, 4);
        get_registers(&bytes[28..], self.fpu);
        Ok(())
    }

    pub(super) fn restore_short(&mut self) -> Result<(), E::Trap> {
        let bytes: [u8; 94] = self.env.load(self.addr)?;
        get_environment(&bytes, self.fpu, 2);
        get_registers(&bytes[14..], self.fpu);
        Ok(())
    }
}

/// Writes control, status and tag word, each in a field of `width` bytes. The unused halves of
/// wide fields are ones; instruction and data pointers are zero.
fn put_environment(bytes: &mut [u8], fpu: &X87, width: usize) {
    for (i, word) in [fpu.control, fpu.status, fpu.tag_word()].into_iter().enumerate() {
        let field = &mut bytes[i * width..(i + 1) * width];
        field.fill(0xff);
        field[..2].copy_from_slice(&word.to_le_bytes());
    }
    if width == 4 {
        bytes[26..28].fill(0xff);
    }
}

fn get_environment(bytes: &[u8], fpu: &mut X87, width: usize) {
    let word = |i: usize| u16::from_le_bytes([bytes[i * width], bytes[i * width + 1]]);
    fpu.set_control(word(0));
    fpu.set_status(word(1));
    fpu.set_tag_word(word(2));
}

/// Writes the registers in the order of the stack.
fn put_registers(bytes: &mut [u8], fpu: &X87) {
    for (i, field) in bytes.chunks_exact_mut(10).enumerate() {
        field.copy_from_slice(&fpu.st(i as u8).to_bytes());
    }
}

fn get_registers(bytes: &[u8], fpu: &mut X87) {
    for (i, field) in bytes.chunks_exact(10).enumerate() {
        let mut register = [0; 10];
        register.copy_from_slice(field);
        let physical = fpu.physical(i as u8);
        fpu.regs[physical] = F80::from_bytes(register);
    }
}
