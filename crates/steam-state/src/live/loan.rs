//! Memory that was lent: what is written here is written there, too.
//!
//! The borrower works on a copy, and at the end of each of its steps the lender gets the bytes that differ from what
//! they were at its beginning. What others do to the lender's memory meanwhile is not seen here, so that the copy is
//! as good as the original only where they touch other words (`Stray`).

use super::LiveMemory;
use crate::intern::Component;
use crate::page::PAGE_SIZE;
use crate::place::{PageNumber, Space};
use crate::policy::Policy;
use crate::slots::Key;

impl<P: Policy> LiveMemory<P> {
    /// Says whose memory it is, if it was lent.
    pub fn set_lender(&mut self, lender: Option<Space>) {
        self.layout.lender = lender;
    }

    /// Whether the lender got something back since this was asked last.
    pub fn take_gave_back(&mut self) -> bool {
        std::mem::take(&mut self.gave_back)
    }

    /// Gives the lender what was written to a page, if there is one.
    pub(super) fn give_back(
        &mut self,
        page: PageNumber,
        after: u32,
        put: &mut dyn FnMut(Key, Component),
    ) {
        let Some(lender) = self.layout.lender.filter(|_| page.space() == self.layout.space) else {
            return;
        };
        let before = self.frame_of(page);
        let theirs = lender.page(page.index());
        let id = self.page_id(theirs);
        let mut old = [0; PAGE_SIZE];
        self.stores.pages.read(id, &mut old);
        let mut new = old;
        let written = self.frame_bytes(before).iter().zip(self.frame_bytes(after));
        for (byte, (_, after)) in new.iter_mut().zip(written).filter(|(_, (was, is))| was != is) {
            *byte = *after;
        }
        let new = self.stores.pages.intern(id, &old, &new);
        if new != id {
            put(Key::Page(theirs), new);
            self.gave_back = true;
        }
    }
}
