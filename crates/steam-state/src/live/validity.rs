//! The validity bits of heap bytes: one for each byte, in pages of their own after the guest's.

use super::{LiveMemory, ONES, PAGE, VALIDITY, ZEROS};
use crate::page::page_of;
use crate::policy::Policy;

/// So many bytes of the heap have their bits in one page.
const COVERED: u32 = 8 * PAGE;

impl<P: Policy> LiveMemory<P> {
    /// Says which heap bytes belong to live blocks.
    pub fn set_valid(&mut self, start: u32, end: u32, valid: bool) {
        let mut at = start;
        while at < end {
            let page = page_of(at);
            if at.is_multiple_of(COVERED) && end - at >= COVERED {
                let bits = self.number(VALIDITY | (page >> 3));
                self.set_constant(bits, if valid { ONES } else { ZEROS });
                at += COVERED;
                continue;
            }
            let stop = end.min((at & !0xfff).saturating_add(PAGE));
            let base = self.dirty_frame(VALIDITY | (page >> 3)) + (page & 7) * 512;
            set_bits(
                &mut self.frames[base as usize..base as usize + 512],
                (at & 0xfff) as usize,
                (stop - (at & !0xfff)) as usize,
                valid,
            );
            at = stop;
        }
        // One validity page covers eight pages, and copying it moves the bits of all of them.
        let pages = (page_of(start) & !7)..=(page_of(end.max(start + 1) - 1) | 7);
        if end - start >= COVERED {
            self.flush();
        } else {
            pages.for_each(|page| self.flush_page(page));
        }
    }

    /// Whether all bytes of `start..end` belong to live heap blocks.
    pub fn is_valid(&mut self, start: u32, end: u32) -> bool {
        (start..end).all(|at| {
            let page = page_of(at);
            let base = self.frame(VALIDITY | (page >> 3)) + (page & 7) * 512;
            let offset = at & 0xfff;
            self.frames[(base + offset / 8) as usize] >> (offset % 8) & 1 == 1
        })
    }
}

fn set_bits(bits: &mut [u8], start: usize, end: usize, value: bool) {
    let mut at = start;
    while at < end {
        if at.is_multiple_of(8) && end - at >= 8 {
            let whole = (end - at) / 8;
            bits[at / 8..at / 8 + whole].fill(if value { 0xff } else { 0 });
            at += whole * 8;
        } else {
            let mask = 1 << (at % 8);
            if value {
                bits[at / 8] |= mask;
            } else {
                bits[at / 8] &= !mask;
            }
            at += 1;
        }
    }
}
