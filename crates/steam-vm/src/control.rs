//! Jumps, calls, returns and the ops that leave the CPU.

use vm_isa::Op;

use crate::cpu::{Cpu, Exit, Stop, Trap};

type Next = Result<usize, Exit>;

const ECX: u8 = 1;
const ESP: u8 = 4;

impl Cpu {
    /// Goes to a branch's target if `taken`, else to the next op.
    #[inline(always)]
    pub(crate) fn branch(&mut self, op: &Op, at: usize, taken: bool) -> Next {
        if taken { self.follow(op) } else { Ok(at + 1) }
    }

    /// Goes to a branch's target.
    #[inline(always)]
    pub(crate) fn follow(&mut self, op: &Op) -> Next {
        match op.link() {
            Some(place) => Ok(place),
            None => {
                self.eip = op.imm;
                Err(Exit::Link)
            }
        }
    }

    /// Goes to an address that is known only now.
    #[inline(always)]
    pub(crate) fn go_to(&mut self, address: u32) -> Next {
        match self.code.find(address) {
            Some(place) => Ok(place),
            None => {
                self.eip = address;
                Err(Exit::Miss)
            }
        }
    }

    /// The address after the op at a place.
    #[inline(always)]
    fn behind(&self, at: usize) -> u32 {
        let place = self.code.place(at);
        place.address.wrapping_add(u32::from(place.length))
    }

    #[inline(always)]
    pub(crate) fn call_direct(&mut self, op: &Op, at: usize) -> Next {
        self.push32(self.behind(at))?;
        self.follow(op)
    }

    #[inline(never)]
    pub(crate) fn call_to_operand(&mut self, op: &Op, at: usize) -> Next {
        let target = self.read(op, op.s)?;
        self.push32(self.behind(at))?;
        self.go_to(target)
    }

    #[inline(always)]
    pub(crate) fn return_near(&mut self, op: &Op) -> Next {
        let target = self.pop32()?;
        self.set_reg(ESP, self.esp().wrapping_add(op.imm));
        self.go_to(target)
    }

    #[inline(never)]
    pub(crate) fn count_down(&mut self, op: &Op, at: usize, wanted: Option<bool>) -> Next {
        let left = self.reg_of(ECX, op.bytes()).wrapping_sub(1) & vm_isa::alu::mask(op.bits());
        self.set_reg_of(ECX, op.bytes(), left);
        let agrees = wanted.is_none_or(|zero| self.flags.zero() == zero);
        self.branch(op, at, left != 0 && agrees)
    }

    #[inline(never)]
    pub(crate) fn stop_after(&mut self, stop: Stop) -> Next {
        self.stop = stop;
        Err(Exit::Behind)
    }

    #[inline(never)]
    pub(crate) fn software_interrupt(&mut self, op: &Op) -> Next {
        match op.imm {
            0x80 => self.stop_after(Stop::SystemCall),
            3 => self.stop_after(Stop::Trap(Trap::Breakpoint)),
            4 => self.stop_after(Stop::Trap(Trap::Overflow)),
            _ => self.trap(Trap::GeneralProtection),
        }
    }

    #[inline(never)]
    pub(crate) fn not_modelled(&mut self, at: usize) -> Next {
        let address = self.code.place(at).address;
        let (bytes, length) = self.memory.fetch(address)?;
        self.stop = Stop::Unsupported { bytes, length: length as u8 };
        Err(Exit::Here)
    }

    #[inline(never)]
    pub(crate) fn reach_intercept(&mut self, op: &Op) -> Next {
        self.stop = Stop::Intercept(op.imm as u16);
        Err(Exit::Here)
    }

    #[inline(never)]
    pub(crate) fn set_segment(&mut self, register: u8, selector: u16) -> Next {
        let register = usize::from(register);
        match register {
            // cs cannot be loaded by mov or pop.
            1 => self.trap(Trap::InvalidOpcode),
            0..6 => {
                self.selectors[register] = selector;
                self.stop_after(Stop::SegmentLoad { register, selector })
            }
            _ => self.trap(Trap::InvalidOpcode),
        }
    }
}
