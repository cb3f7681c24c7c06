//! Accesses to many pages at once, such as unmapping: what is noted of them costs as much as was ever
//! looked at there, not as much as there is.

use steam_state::{Access, Layout};

use super::{Mode, Watch};
use crate::memory::Turn;
use crate::sharing::Sweep;

impl Watch {
    /// The last of the pages from `page` on that `start..end` covers and that can be noted at once, without a
    /// look at each: nothing is asked of them that is not the same for all. `page` itself if there are none.
    pub(super) fn last_of_sweep(&self, layout: &Layout, page: u32, start: u32, end: u32) -> u32 {
        let Turn { mode, ownership, origins, .. } = &self.turn;
        let sharing = &self.sharing;
        let alike = match mode {
            Mode::Shared | Mode::Atomic => true,
            Mode::Every => !sharing.judges_words(),
            // They ask where a page lies, or who looks at its words.
            Mode::Off
            | Mode::Common
            | Mode::CommonAndShared
            | Mode::Observed
            | Mode::ObservedAtomic => false,
        };
        let address = page << 12;
        if !alike
            || !ownership.is_empty()
            || origins.is_some()
            || address < start
            || !sharing.sweeps(end - start)
        {
            return page;
        }
        let region = layout.regions().find(address).map(|(_, region)| region);
        let plain = region.filter(|region| region.kind.owner().is_none());
        // The first page that is not covered as a whole.
        let covered = plain.map_or(0, |region| region.end.min(end)) >> 12;
        covered.saturating_sub(1).max(page)
    }

    /// Notes that all words of pages of one mapping are touched ([`Watch::last_of_sweep`]).
    pub(super) fn sweep(
        &mut self,
        layout: &Layout,
        first: u32,
        last: u32,
        write: bool,
        parts: &mut Vec<(Access, bool)>,
    ) {
        let every = self.turn.mode == Mode::Every;
        // All of them lie in one mapping.
        let kind = layout.kind(first << 12);
        let place = kind.place(layout.space(), first << 12);
        let distance = place.address().wrapping_sub(first << 12);
        let (space, from) = (place.space(), place.page());
        let visitor = self.visitor(space);
        let words = every || self.keeps_all();
        let sweep = Sweep { visitor, write, pages: !every, words };
        for swept in self.sharing.sweep(space, from, from + (last - first), sweep) {
            let place = space.at(swept.first << 12);
            let address = place.address().wrapping_sub(distance);
            let size = (swept.last - swept.first + 1) << 12;
            let access = Access { address, size, write, place };
            if swept.closely {
                parts.push((access, swept.visible));
            }
        }
    }
}
