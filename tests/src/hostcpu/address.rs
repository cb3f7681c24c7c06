//! Addressing modes: their encoding, and the register values that point them into the window.

use super::case::{FS_BASE, WINDOW, WINDOW_SIZE};
use super::random::Random;
use super::template::{Encoding, Limits};

/// What prefixes say of an address.
#[derive(Clone, Copy, Default)]
pub struct AddressSpace {
    /// What the segment adds.
    segment_base: u32,
    /// Whether addresses have 16 bits.
    short: bool,
}

/// A memory operand; registers get their values when a state is made for it.
#[derive(Clone, Copy)]
pub struct Address {
    space: AddressSpace,
    base: Option<u8>,
    /// Index register and the power of two that scales it.
    index: Option<(u8, u8)>,
    displacement: [u8; 4],
    displacement_size: usize,
    /// The window offset that the displacement alone determines, when there is no base, and the
    /// value that the index must have for it.
    fixed: Option<(usize, u32)>,
}

impl AddressSpace {
    fn mask(self) -> u32 {
        if self.short { 0xffff } else { u32::MAX }
    }
}

impl Address {
    /// An address without base, at a random place in the window.
    pub fn absolute(
        space: AddressSpace,
        index: Option<(u8, u8)>,
        limits: Limits,
        random: &mut Random,
    ) -> Self {
        let offset = aligned_offset(limits, random);
        let index_value = random.integer();
        let scaled = index.map_or(0, |(_, scale)| index_value << scale);
        let target = (WINDOW + offset as u32).wrapping_sub(space.segment_base);
        Self {
            space,
            base: None,
            index,
            displacement: target.wrapping_sub(scaled).to_le_bytes(),
            displacement_size: if space.short { 2 } else { 4 },
            fixed: Some((offset, index_value)),
        }
    }

    /// The displacement as it stands in the code.
    pub fn displacement_bytes(&self) -> &[u8] {
        &self.displacement[..self.displacement_size]
    }

    /// Whether a register takes part.
    pub fn uses(&self, register: u8) -> bool {
        self.base == Some(register) || self.index.is_some_and(|(index, _)| index == register)
    }

    /// The window offset that the encoding alone determines.
    pub fn fixed_offset(&self) -> Option<usize> {
        self.fixed.map(|(offset, _)| offset)
    }

    /// Sets the registers so that the address is that window offset.
    pub fn point_at(&self, offset: usize, registers: &mut [u32; 8]) {
        if let (Some((_, value)), Some((index, _))) = (self.fixed, self.index) {
            registers[index as usize] = value;
        }
        if let Some(base) = self.base {
            let target = WINDOW.wrapping_add(offset as u32).wrapping_sub(self.space.segment_base);
            let rest = self.scaled_index(registers).wrapping_add(self.signed_displacement());
            let mask = self.space.mask();
            let base = &mut registers[base as usize];
            *base = *base & !mask | target.wrapping_sub(rest) & mask;
        }
    }

    /// The window offset that the address leads to, if it is in the window.
    pub fn window_offset(&self, registers: &[u32; 8]) -> Option<usize> {
        let base = self.base.map_or(0, |base| registers[base as usize]);
        let sum = base.wrapping_add(self.scaled_index(registers));
        let effective = sum.wrapping_add(self.signed_displacement()) & self.space.mask();
        let linear = effective.wrapping_add(self.space.segment_base);
        let offset = linear.wrapping_sub(WINDOW) as usize;
        (offset < WINDOW_SIZE).then_some(offset)
    }

    fn scaled_index(&self, registers: &[u32; 8]) -> u32 {
        self.index.map_or(0, |(index, scale)| registers[index as usize] << scale)
    }

    fn signed_displacement(&self) -> u32 {
        match self.displacement_size {
            0 => 0,
            1 => self.displacement[0] as i8 as u32,
            _ => u32::from_le_bytes(self.displacement),
        }
    }
}

impl Encoding {
    /// Appends a segment prefix: es, ss and ds are flat and change nothing; fs has a base, and
    /// with it addresses of 16 bits can reach the window too.
    pub(super) fn append_address_prefixes(&mut self, random: &mut Random) {
        let prefix = random.choose(&[0x26, 0x36, 0x3e, 0x64, 0x64]);
        self.push(prefix);
        if prefix == 0x64 {
            self.space.segment_base = FS_BASE;
            self.space.short = random.one_in(2);
            if self.space.short {
                self.push(0x67);
            }
        }
    }

    /// Appends ModRM, SIB and displacement of a random addressing mode.
    pub(super) fn append_memory(&mut self, limits: Limits, random: &mut Random) {
        let mut reserved = limits.reserved;
        if limits.reserve_field {
            reserved |= 1 << self.field;
        }
        let address = if self.space.short {
            self.append_short(reserved, limits, random)
        } else if random.one_in(5) {
            self.append_absolute(reserved, limits, random)
        } else {
            self.append_based(reserved, random)
        };
        self.push_bytes(address.displacement_bytes());
        self.address = Some(address);
    }

    /// `[base]`, `[base + index * scale]`, each with a displacement of 0, 1 or 4 bytes.
    fn append_based(&mut self, reserved: u8, random: &mut Random) -> Address {
        let base = free_register(reserved, random);
        let index = free_register(reserved | 1 << 4 | 1 << base, random);
        let scale = random.below(4) as u8;
        let with_index = random.one_in(2);
        let displacement_size = match random.below(3) {
            // Without displacement, the encoding of ebp means something else.
            0 if base != 5 => 0,
            1 => 1,
            _ => 4,
        };
        let mode = [0, 0x40, 0, 0, 0x80][displacement_size] | self.field << 3;
        if with_index {
            self.push_bytes(&[mode | 4, scale << 6 | index << 3 | base]);
        } else if base == 4 || random.one_in(8) {
            self.push_bytes(&[mode | 4, scale << 6 | 4 << 3 | base]);
        } else {
            self.push(mode | base);
        }
        Address {
            space: self.space,
            base: Some(base),
            index: with_index.then_some((index, scale)),
            displacement: random.integer().to_le_bytes(),
            displacement_size,
            fixed: None,
        }
    }

    /// `[disp32]` and `[index * scale + disp32]`.
    fn append_absolute(&mut self, reserved: u8, limits: Limits, random: &mut Random) -> Address {
        let mode = self.field << 3;
        if random.one_in(2) {
            self.push(mode | 5);
            return Address::absolute(self.space, None, limits, random);
        }
        let index = free_register(reserved | 1 << 4, random);
        let scale = random.below(4) as u8;
        self.push_bytes(&[mode | 4, scale << 6 | index << 3 | 5]);
        Address::absolute(self.space, Some((index, scale)), limits, random)
    }

    /// The eight forms of 16-bit addresses, with displacements of 0, 1 or 2 bytes.
    fn append_short(&mut self, reserved: u8, limits: Limits, random: &mut Random) -> Address {
        const BX: u8 = 3;
        const BP: u8 = 5;
        const SI: u8 = 6;
        const DI: u8 = 7;
        const FORMS: [(u8, Option<u8>); 8] = [
            (BX, Some(SI)),
            (BX, Some(DI)),
            (BP, Some(SI)),
            (BP, Some(DI)),
            (SI, None),
            (DI, None),
            (BP, None),
            (BX, None),
        ];
        let form = random.below(8);
        let (base, index) = FORMS[form];
        let used = 1 << base | index.map_or(0, |index| 1 << index);
        let displacement_size = random.below(3);
        if used & reserved != 0 || (form == 6 && displacement_size == 0) {
            self.push(self.field << 3 | 6);
            return Address::absolute(self.space, None, limits, random);
        }
        self.push((displacement_size as u8) << 6 | self.field << 3 | form as u8);
        let mut displacement = random.integer().to_le_bytes();
        displacement[2..].fill(0);
        Address {
            space: self.space,
            base: Some(base),
            index: index.map(|index| (index, 0)),
            displacement,
            displacement_size,
            fixed: None,
        }
    }
}

fn free_register(reserved: u8, random: &mut Random) -> u8 {
    loop {
        let register = random.below(8) as u8;
        if reserved & 1 << register == 0 {
            return register;
        }
    }
}

/// A window offset at which an operand of that size and alignment fits.
pub fn aligned_offset(limits: Limits, random: &mut Random) -> usize {
    let slots = (WINDOW_SIZE - limits.bytes) / limits.alignment + 1;
    random.below(slots) * limits.alignment
}
