//! Memory that is a copy of that of a process whose other threads were at it: what is looked at here counts
//! as looked at there (`sharing::copies` says why).

use std::sync::Arc;

use super::LiveMemory;
use crate::context::ThreadId;
use crate::page::page_of;
use crate::place::Place;
use crate::region::RegionKind;
use crate::sharing::Origin;

/// What a page of a copy was in the original.
#[derive(Clone, Copy)]
pub(super) enum Original {
    /// Memory that all threads may touch.
    Anything,
    /// The stack of the first thread, which made the copy: others may touch it too, and are looked at there.
    FirstStack,
    /// The stack of another thread, which made the copy: who else touches it does that in steps.
    OwnStack,
    /// The stack of the thread that made the copy in a handler: what it interrupted is there, too.
    InterruptedStack,
    /// The stack of a thread that did not make the copy: its own accesses are not looked at.
    ForeignStack,
}

impl Original {
    fn of(kind: RegionKind, origin: Origin) -> Self {
        match (kind.owner(), origin.by) {
            (None, _) if kind == RegionKind::Former => Self::ForeignStack,
            (None, _) => Self::Anything,
            (Some(ThreadId::FIRST), by) if by != Origin::ANYBODY && origin.handlers > 0 => {
                Self::InterruptedStack
            }
            (Some(ThreadId::FIRST), ThreadId::FIRST) => Self::FirstStack,
            (Some(ThreadId::FIRST), by) if by != Origin::ANYBODY => Self::OwnStack,
            // Of a thread of the copy, where there may have been another one's.
            (Some(_), _) => Self::ForeignStack,
        }
    }
}

impl LiveMemory {
    /// Says what the memory is a copy of, if that was copied while others were at it.
    pub fn set_origins(&mut self, origins: Option<Arc<[Origin]>>) {
        if self.watch.origins != origins {
            self.watch.origins = origins;
            // Other pages have to be looked at.
            self.flush();
        }
    }

    /// What the memory is a copy of, with how what a mapping of some kind was there is looked at.
    pub(super) fn originals(
        &self,
        kind: RegionKind,
    ) -> impl Iterator<Item = (Origin, Original)> + '_ {
        let counts = self.watch.mode.notes() && !matches!(kind, RegionKind::Shared(_));
        let origins = self.watch.origins.iter().filter(move |_| counts);
        origins.flat_map(|it| it.iter()).map(move |&origin| (origin, Original::of(kind, origin)))
    }

    /// Notes a visit to a page in what the memory is a copy of; whether accesses there must be looked at
    /// one by one.
    pub(super) fn visit_original_page(&self, page: Place, kind: RegionKind) -> bool {
        let mut tracked = false;
        for (origin, original) in self.originals(kind) {
            let place = origin.space.at(page.address());
            let sharing = &self.stores.sharing;
            tracked |= match original {
                Original::Anything => sharing.visit_page(place, origin.visitor().thread, false),
                Original::FirstStack => sharing.is_tracked(place),
                Original::OwnStack => false,
                Original::InterruptedStack | Original::ForeignStack => true,
            };
        }
        tracked
    }

    /// Notes an access in what the memory is a copy of; all of its bytes lie in one page.
    pub(super) fn visit_originals(&self, place: Place, size: u32) {
        if self.watch.origins.is_none() || place.space() != self.space {
            return;
        }
        let address = place.address();
        let kind = self.regions.find(address).map_or(RegionKind::Mapped, |(_, it)| it.kind);
        for (origin, original) in self.originals(kind) {
            for word in (address & !3..=address + (size - 1)).step_by(4) {
                self.visit_original(origin.space.at(word), origin, original);
            }
        }
    }

    pub(super) fn visit_original(&self, word: Place, origin: Origin, original: Original) {
        // The frames of the handler that made the copy, and of what it calls, are its own.
        let own_frame =
            |(handlers, esp): (u32, u32)| handlers >= origin.handlers && word.address() < esp;
        match original {
            Original::OwnStack => {}
            Original::InterruptedStack if self.watch.interrupted.is_some_and(own_frame) => {
                self.stores.sharing.visit_original(word, origin);
            }
            Original::Anything | Original::FirstStack => {
                self.stores.sharing.visit_original(word, origin);
            }
            Original::InterruptedStack | Original::ForeignStack => {
                self.stores.sharing.visit_foreign(word);
            }
        }
    }

    /// What the memory is a copy of, if that was copied while others were at it.
    pub fn origins(&self) -> &[Origin] {
        self.watch.origins.as_deref().unwrap_or_default()
    }

    /// Notes that something in what the memory is a copy of is looked at, by another way than an access.
    pub fn look_at_originals(&self, place: Place, size: u32) {
        if place.space() != self.space {
            return;
        }
        let last = place.address().saturating_add(size.max(1) - 1);
        for page in page_of(place.address())..=page_of(last) {
            let from = place.address().max(page << 12);
            let kind = self.regions.find(from).map_or(RegionKind::Mapped, |(_, it)| it.kind);
            if self.visit_original_page(self.space.at(from), kind) {
                self.visit_originals(
                    place.space().at(from),
                    last.min(page << 12 | 0xfff) - from + 1,
                );
            }
        }
    }
}
