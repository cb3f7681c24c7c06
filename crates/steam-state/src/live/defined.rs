//! The shadow of a thawed address space: kept only where a check looks for reads of what was never written.

use super::LiveMemory;
use crate::definedness::{Birth, Definedness};
use crate::place::Space;
use crate::policy::Policy;

impl<P: Policy> LiveMemory<P> {
    /// From now on keeps, or keeps no more, which bits were never written.
    pub fn set_definedness(&mut self, mut definedness: Option<Box<Definedness>>) {
        if let Some(definedness) = &mut definedness {
            definedness.enter(self.layout.space);
        }
        self.definedness = definedness;
    }

    /// Which bits were never written, if that is kept.
    pub fn definedness(&self) -> Option<&Definedness> {
        self.definedness.as_deref()
    }

    /// The same, to be changed.
    pub fn definedness_mut(&mut self) -> Option<&mut Definedness> {
        self.definedness.as_deref_mut()
    }

    /// The mask of at most 16 bytes: a set bit is one that was never written.
    #[inline]
    pub fn undefined_bits(&self, address: u32, bytes: u32) -> u128 {
        self.definedness.as_ref().map_or(0, |it| it.mask(address, bytes))
    }

    /// Gives at most 16 bytes a mask. What processes share is defined, whatever they write there.
    #[inline]
    pub fn set_undefined_bits(&mut self, address: u32, bytes: u32, mask: u128, birth: Birth) {
        let shared =
            mask != 0 && self.layout.shares && self.place(address).space() == Space::SHARED;
        if let Some(definedness) = &mut self.definedness {
            definedness.set_mask(address, bytes, if shared { 0 } else { mask }, birth);
        }
    }

    /// The first byte with a bit that was never written.
    pub fn first_undefined(&self, address: u32, size: u32) -> Option<u32> {
        self.definedness.as_ref()?.first_undefined(address, size)
    }

    /// Says that `start..end` was never written: a fresh block.
    pub fn make_undefined(&mut self, start: u32, end: u32) {
        if let Some(definedness) = &mut self.definedness {
            definedness.mark(start, end, true);
        }
    }

    /// Says that bytes were written, all of their bits.
    pub fn make_defined(&mut self, address: u32, size: u32) {
        if let Some(definedness) = &mut self.definedness {
            definedness.mark(address, address.saturating_add(size), false);
        }
    }

    /// Says that bytes were copied, those of the source as they were before.
    pub fn copy_definedness(&mut self, to: u32, from: u32, size: u32) {
        let shared = self.layout.shares && self.place(to).space() == Space::SHARED;
        match &mut self.definedness {
            Some(definedness) if shared => definedness.mark(to, to.saturating_add(size), false),
            Some(definedness) => definedness.copy(to, from, size),
            None => {}
        }
    }
}
