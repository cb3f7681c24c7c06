//! Memory that is a copy of that of a process whose other threads were at it: what is looked at here counts
//! as looked at there (`sharing::copies` says why).

use std::sync::Arc;

use steam_state::{Layout, Place, RegionKind, ThreadId, page_of};

use super::Watch;
use crate::sharing::{Origin, Under, Visitor};

/// Memory that was lent is touched where others are at it, so that its copy does not stand for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stray {
    /// Where they are found to be in this iteration: in the next one it is known.
    New,
    /// In this word, where they are known to be.
    Known(u32),
}

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
    /// The same of the first thread, and the copy stands for what was lent: arguments and environment are there.
    ForeignFirstStack,
}

impl Original {
    fn of(kind: RegionKind, origin: Origin) -> Self {
        match (kind.owner(), origin.by) {
            (None, _) => match kind {
                RegionKind::Former { first: true } if origin.lent => Self::ForeignFirstStack,
                RegionKind::Former { .. } => Self::ForeignStack,
                _ => Self::Anything,
            },
            (Some(ThreadId::FIRST), by) if by != Origin::UNKNOWN && origin.handlers > 0 => {
                Self::InterruptedStack
            }
            (Some(ThreadId::FIRST), ThreadId::FIRST) => Self::FirstStack,
            (Some(ThreadId::FIRST), by) if by != Origin::UNKNOWN => Self::OwnStack,
            // Of a thread of the copy, where there may have been another one's.
            (Some(_), _) => Self::ForeignStack,
        }
    }
}

impl Watch {
    /// Says what the memory is a copy of, if that was copied while others were at it.
    /// Whether other pages have to be looked at.
    pub(crate) fn set_origins(&mut self, origins: Option<Arc<[Origin]>>) -> bool {
        let other = self.turn.origins != origins;
        self.turn.origins = origins;
        other
    }

    /// What the memory is a copy of, with how what a mapping of some kind was there is looked at.
    pub(super) fn originals(
        &self,
        kind: RegionKind,
    ) -> impl Iterator<Item = (Origin, Original)> + '_ {
        let counts = self.turn.mode.notes() && !matches!(kind, RegionKind::Shared(_));
        let origins = self.turn.origins.iter().filter(move |_| counts);
        origins
            .flat_map(|origins| origins.iter())
            .map(move |&origin| (origin, Original::of(kind, origin)))
    }

    /// Notes a visit to a page in what the memory is a copy of; whether accesses there must be looked at
    /// one by one.
    pub(super) fn visit_original_page(&self, page: Place, kind: RegionKind, write: bool) -> bool {
        let mut tracked = false;
        for (origin, original) in self.originals(kind) {
            let place = origin.space.at(page.address());
            let sharing = &self.sharing;
            let looked_at = match original {
                Original::Anything => {
                    sharing.visit_page(place, origin.visitor().thread, write && origin.lent)
                }
                Original::FirstStack => sharing.is_tracked(place),
                Original::OwnStack => origin.lent && sharing.is_tracked(place),
                Original::InterruptedStack
                | Original::ForeignStack
                | Original::ForeignFirstStack => true,
            };
            let learns = origin.lent && !sharing.is_given();
            if learns && !looked_at && sharing.will_be_tracked(place) {
                self.note_stray(Stray::New);
            }
            tracked |= looked_at;
        }
        tracked
    }

    /// Notes an access in what the memory is a copy of; all of its bytes lie in one page. Whether it goes no
    /// further: what was lent is touched where others are known to be at it.
    pub(super) fn visit_originals(
        &self,
        layout: &Layout,
        place: Place,
        size: u32,
        write: bool,
    ) -> bool {
        if self.turn.origins.is_none() || place.space() != layout.space() {
            return false;
        }
        let address = place.address();
        let kind = layout.kind(address);
        for (origin, original) in self.originals(kind) {
            for word in (address & !3..=address + (size - 1)).step_by(4) {
                self.visit_original(origin.space.at(word), origin, original, write);
            }
        }
        self.strays()
    }

    fn strays(&self) -> bool {
        matches!(self.found.stray.get(), Some(Stray::Known(_)))
    }

    pub(super) fn visit_original(
        &self,
        word: Place,
        origin: Origin,
        original: Original,
        write: bool,
    ) {
        // The frames of the handler that made the copy, and of what it calls, are its own.
        let own_frame =
            |(handlers, esp): (u32, u32)| handlers >= origin.handlers && word.address() < esp;
        let sharing = &self.sharing;
        if origin.lent && self.is_apart(word.address()) {
            return;
        }
        let visible = match original {
            Original::OwnStack if !origin.lent => return,
            Original::OwnStack => sharing.is_shared(word),
            Original::InterruptedStack if !self.turn.interrupted.is_some_and(own_frame) => {
                sharing.visit_foreign(word)
            }
            Original::Anything | Original::FirstStack | Original::InterruptedStack => {
                sharing.visit_original(word, self.borrower(origin), write && origin.lent)
            }
            Original::ForeignStack => sharing.visit_foreign(word),
            Original::ForeignFirstStack => {
                let visitor = self.borrower(origin);
                sharing.visit_first_stack(word, visitor, write, Under::NOTHING)
            }
        };
        let given = sharing.is_given();
        if !origin.lent {
            return;
        }
        if visible || given && sharing.will_be_shared(word) {
            self.note_stray(Stray::Known(word.address()));
        } else if !given && (sharing.will_be_shared(word) || sharing.will_be_tracked(word)) {
            self.note_stray(Stray::New);
        }
    }

    /// Who looks at the original when the copy looks. Who was lent it stands where the lender stands.
    fn borrower(&self, origin: Origin) -> Visitor {
        let visitor = origin.visitor();
        let known = origin.lent && visitor.thread == origin.by && origin.by != ThreadId::FIRST;
        let epoch = self.turn.lent_at.filter(|_| known);
        Visitor { epoch: epoch.unwrap_or(visitor.epoch), ..visitor }
    }

    fn note_stray(&self, stray: Stray) {
        if !self.strays() {
            self.found.stray.set(Some(stray));
        }
    }

    /// Notes that what was lent is used before it is known what others do to it.
    pub fn note_new_loan(&self) {
        self.note_stray(Stray::New);
    }

    /// Whether what was lent was touched where others are at it, since this was asked last.
    pub fn take_stray(&self) -> Option<Stray> {
        self.found.stray.take()
    }

    /// Says where the stack pointer of the running thread is, before something touches memory for it.
    pub fn set_stack_pointer(&mut self, esp: u32) {
        self.turn.esp = esp;
    }

    /// Whether an address lies in what the running thread has on a stack that was made for it, so that no other thread
    /// knows of it.
    fn is_apart(&self, address: u32) -> bool {
        /// How far an instruction reaches below the stack pointer that it moves.
        const PUSHED: u32 = 64;
        let low = self.turn.esp.saturating_sub(PUSHED);
        self.turn.apart.is_some_and(|end| (low..end).contains(&address))
    }

    /// What the memory is a copy of, if that was copied while others were at it.
    pub fn origins(&self) -> &[Origin] {
        self.turn.origins.as_deref().unwrap_or_default()
    }

    /// Notes that something in what the memory is a copy of is looked at, by another way than an access.
    pub fn look_at_originals(&self, layout: &Layout, place: Place, size: u32) {
        if place.space() != layout.space() {
            return;
        }
        let last = place.address().saturating_add(size.max(1) - 1);
        for page in page_of(place.address())..=page_of(last) {
            let from = place.address().max(page << 12);
            let kind = layout.kind(from);
            if self.visit_original_page(layout.space().at(from), kind, false) {
                let size = last.min(page << 12 | 0xfff) - from + 1;
                self.visit_originals(layout, place.space().at(from), size, false);
            }
        }
    }
}
