//! Watching accesses: which of them are steps of their own, and what a search learns from them.
//!
//! While a search runs a thread, an access to a *shared* word ([`Sharing`]) ends its step: the
//! access is refused, [`Watch::take_visible`] says which one it was, and the
//! instruction has done nothing. To do it later, the search *grants* it and lets the instruction
//! run again. An instruction with several such accesses (`addl $1, counter` reads and writes,
//! `pusha` writes eight words) does one in each of several runs: what earlier runs have done is kept
//! in a [`Partial`]; what they have read is answered from there, and what they have written is not
//! written again. Instructions that lock the bus are done as a whole.

mod flow;
mod originals;
mod sweeping;

use flow::Flow;
pub use flow::Moved;
pub use originals::Stray;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::sync::Arc;

use steam_state::{
    Access, Asked, KEPT, Layout, Part, Passage, Place, Policy, RegionKind, Space, ThreadId, page_of,
};

use crate::memory::{Judged, Turn};
use crate::sharing::{Discipline, Epoch, Held, Sharing, Under, Visitor, in_handlers};

/// How accesses are watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Not at all.
    #[default]
    Off,
    /// They are noted, and those to shared words are steps of their own.
    Shared,
    /// They are noted, and none is a step of its own: the thread is within an atomic block.
    Atomic,
    /// Every access is a step of its own, and nothing is noted.
    Every,
    /// The same for memory that processes have in common; what lies elsewhere is not watched.
    Common,
    /// The same, and what lies elsewhere is watched as for [`Mode::Shared`].
    CommonAndShared,
    /// Nothing is noted, and writes to words that a property observes are steps of their
    /// own: no other thread can interfere.
    Observed,
    /// The same within an atomic block.
    ObservedAtomic,
}

impl Mode {
    /// The mode within an atomic block.
    #[must_use]
    pub fn atomic(self) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::Observed | Self::ObservedAtomic => Self::ObservedAtomic,
            _ => Self::Atomic,
        }
    }

    /// Whether it is noted who touches what.
    pub fn notes(self) -> bool {
        !matches!(self, Self::Off | Self::Observed | Self::ObservedAtomic)
    }

    /// Whether single accesses to words that count are steps of their own, and calls that make such
    /// accesses may become steps.
    pub fn learns_calls(self) -> bool {
        matches!(self, Self::Shared | Self::CommonAndShared | Self::Observed)
    }
}

/// What an instruction has done in steps of its own that are over, in order.
pub type Partial = Vec<Part>;

/// What the next instruction may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Grant {
    /// Nothing that is a step of its own.
    #[default]
    Nothing,
    /// The next access beyond those that are over.
    One,
    /// Everything.
    All,
}

/// Which accesses are kept of something that is one step as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// None.
    #[default]
    Nothing,
    /// Those to shared words.
    Shared,
    /// All, where nothing is learned about words: each access of others is a step.
    All,
}

/// How a running thread is watched.
#[derive(Debug, Default)]
pub struct Watch {
    /// What the search has learned.
    sharing: Arc<Sharing>,
    /// Who runs, and under which rules.
    turn: Turn,
    /// The thread's number in its process.
    local: ThreadId,
    /// What the locking discipline asks of the thread, where it is checked.
    judged: Judged,
    /// What the instruction that runs may do, and has done.
    instruction: Instruction,
    /// What was met in the step.
    found: Found,
    /// Which accesses of the step are kept.
    kept: Kept,
    /// What is known of pointers into the heap.
    flow: Flow,
}

/// An instruction that runs, perhaps not for the first time.
#[derive(Debug, Default)]
struct Instruction {
    grant: Grant,
    /// How many accesses of this run of it were steps of their own.
    position: usize,
    /// What earlier runs of it have done.
    partial: Partial,
    /// The access at which it was refused.
    visible: Option<Access>,
}

/// What was met in a step.
#[derive(Debug, Default)]
struct Found {
    /// Whether a shared word was touched within something that is one step as a whole.
    touched: bool,
    /// Whether what was lent was touched where others are at it.
    stray: Cell<Option<Stray>>,
    /// The first access to what another thread has claimed, within something that is one step as a whole.
    trespass: Option<Access>,
}

/// Accesses of a step that are kept.
#[derive(Debug, Default)]
struct Kept {
    /// Which ones, of something that is one step as a whole.
    what: Keep,
    /// Those that were; adjacent ones are one.
    footprint: Vec<Access>,
    /// Whether accesses that are no steps are kept beside, where several threads touch the page.
    keeps_beside: bool,
    /// Those that were.
    beside: Vec<Access>,
    /// The accesses to shared words that were made, each with who made it, where the locking discipline
    /// judges executions.
    made: Vec<(Access, ThreadId)>,
}

impl Watch {
    /// No thread is watched yet; what is learned goes to `sharing`.
    pub fn new(sharing: Arc<Sharing>) -> Self {
        Self { sharing, ..Self::default() }
    }

    /// Accesses are those of a thread from now on. Whether other pages have to be looked at.
    pub(crate) fn begin_turn(&mut self, layout: &Layout, turn: Turn) -> bool {
        let mut other = self.follow(layout, turn.thread, turn.mode);
        other |= !Arc::ptr_eq(&self.turn.ownership, &turn.ownership)
            && self.turn.ownership != turn.ownership;
        other |= self.turn.origins != turn.origins;
        other |= self.turn.interrupted != turn.interrupted;
        self.turn = turn;
        other
    }

    /// Says what the locking discipline asks of the watched thread.
    pub fn judge(&mut self, judged: Judged) {
        self.judged = judged;
    }

    /// Says which locks the watched thread holds.
    pub fn set_held(&mut self, held: Held) {
        self.judged.held = held;
    }

    /// Says where the watched thread stands among those that the first thread creates.
    pub fn set_epoch(&mut self, epoch: Epoch) {
        self.turn.epoch = Some(epoch);
    }

    /// From now on accesses are those of a thread, watched as the mode says. The first thread of a
    /// process is number 1 within it. Whether other pages have to be looked at.
    pub(crate) fn follow(&mut self, layout: &Layout, thread: ThreadId, mode: Mode) -> bool {
        let local = local(layout.space(), thread);
        let tags = |mode| (!matches!(mode, Mode::Shared | Mode::Atomic)).then_some(mode);
        let same_thread = self.local == local;
        let other = !same_thread || tags(self.turn.mode) != tags(mode);
        if !same_thread {
            self.turn.epoch = None;
        }
        self.local = local;
        (self.turn.thread, self.turn.mode) = (thread, mode);
        other
    }

    /// Whether the watched thread initialises what it touches.
    fn is_fresh(&self, place: Place, size: u32) -> bool {
        let (start, last) = (place.address(), place.address().saturating_add(size - 1));
        place.space() != Space::SHARED
            && self.judged.fresh.iter().any(|&(from, to)| from <= start && last <= to)
    }

    /// Takes the first access to what another thread has claimed, within something that is one step as
    /// a whole.
    pub fn take_trespass(&mut self) -> Option<Access> {
        self.found.trespass.take()
    }

    /// Whether the watched thread has claimed all bytes of an access to one page, so that no other thread
    /// can observe when it is made.
    fn is_own(&self, place: Place, size: u32) -> bool {
        let Turn { ownership, secluded, thread, .. } = &self.turn;
        let (start, last) = (place.address(), place.address().saturating_add(size - 1));
        *secluded
            && !ownership.is_empty()
            && place.space() != Space::SHARED
            && ownership.cover(start, last, *thread)
    }

    /// Notes an access within something that is one step as a whole, if another thread has claimed what
    /// it touches.
    fn note_trespass(&mut self, access: Access) {
        let Turn { ownership, thread, .. } = &self.turn;
        if ownership.is_empty() || access.place.space() == Space::SHARED {
            return;
        }
        let last = access.address.saturating_add(access.size - 1);
        if ownership.other(access.address, last, *thread).is_some() {
            self.found.trespass.get_or_insert(access);
        }
    }

    /// The locks under which the watched thread touches what it touches. A handler may come in the
    /// middle of what its thread does under a lock: to it, the lock is none.
    fn held_now(&self) -> Held {
        if self.turn.interrupted.is_some() { Held::NOTHING } else { self.judged.held }
    }

    /// Who touches what the watched thread touches in a space. What processes share is theirs in
    /// any order. A handler may run at any time in the middle of what its thread does: it counts as
    /// another one.
    fn visitor(&self, space: Space) -> Visitor {
        let handlers = self.turn.interrupted.map_or(0, |(count, _)| count);
        if space == Space::SHARED {
            return in_handlers(self.turn.thread, handlers).into();
        }
        let thread = in_handlers(self.local, handlers);
        let epoch = self.turn.epoch.filter(|_| handlers == 0);
        epoch.map_or(thread.into(), |epoch| Visitor { thread, epoch })
    }

    /// The same by a number that is the same in all executions, where that is known.
    fn who(&self, space: Space) -> ThreadId {
        let known = self.turn.interrupted.is_none() && space != Space::SHARED;
        match self.judged.who {
            who if known && who != 0 => ThreadId(who),
            _ => self.visitor(space).thread,
        }
    }

    /// Keeps an access that is made, if the locking discipline judges executions.
    fn keep_made(&mut self, access: Access) {
        if self.turn.mode.notes() && self.sharing.discipline() == Discipline::Plain {
            let who = self.who(access.place.space());
            self.kept.made.push((access, who));
        }
    }

    /// Takes the accesses to shared words that were made since this was asked last, each with who made it,
    /// if the locking discipline judges executions.
    pub fn take_made(&mut self) -> Vec<(Access, ThreadId)> {
        std::mem::take(&mut self.kept.made)
    }

    /// How accesses are watched.
    pub fn mode(&self) -> Mode {
        self.turn.mode
    }

    /// Says what the next instruction may do.
    pub fn grant(&mut self, grant: Grant) {
        self.instruction.grant = grant;
        self.instruction.position = 0;
    }

    /// The instruction, or one iteration of it, is over: the next one has no grant.
    #[inline(always)]
    pub fn instruction_over(&mut self) {
        if self.is_on() {
            self.instruction.grant = Grant::Nothing;
            self.instruction.position = 0;
            self.instruction.partial.clear();
        }
    }

    /// Takes the access at which the instruction was refused.
    pub fn take_visible(&mut self) -> Option<Access> {
        self.instruction.visible.take()
    }

    /// What the instruction has done so far.
    pub fn partial(&self) -> &Partial {
        &self.instruction.partial
    }

    /// Sets what the next instruction has done so far.
    pub fn set_partial(&mut self, partial: &Partial) {
        self.instruction.partial.clone_from(partial);
    }

    /// Whether a shared word was touched since this was asked last.
    pub fn take_touched(&mut self) -> bool {
        std::mem::take(&mut self.found.touched)
    }

    /// Says which accesses are kept from now on of what is one step as a whole, and forgets those that
    /// were kept.
    pub fn keep_footprint(&mut self, keep: Keep) {
        self.kept.what = keep;
        self.kept.footprint.clear();
    }

    /// The accesses that were kept.
    pub fn footprint(&self) -> &[Access] {
        &self.kept.footprint
    }

    /// Says whether accesses that are no steps are kept from now on, as far as they are to pages that
    /// several threads touch, and forgets those that were kept.
    pub fn keep_beside(&mut self, keeps: bool) {
        self.kept.keeps_beside = keeps;
        self.kept.beside.clear();
    }

    /// The accesses that were no steps.
    pub fn beside(&self) -> &[Access] {
        &self.kept.beside
    }

    /// Keeps an access of something that is one step as a whole, if that is wanted.
    fn leave_footprint(&mut self, access: Access) {
        if self.kept.what != Keep::Nothing {
            leave(&mut self.kept.footprint, access);
        }
    }

    /// Keeps an access that is no step, if that is wanted.
    fn leave_beside(&mut self, layout: &Layout, address: u32, size: u32, write: bool) {
        if !self.kept.keeps_beside {
            return;
        }
        // What lies on two pages may lie in two places.
        let first = size.min(0x1000 - (address & 0xfff));
        for (address, size) in [(address, first), (address.wrapping_add(first), size - first)] {
            if size > 0 {
                let place = layout.place(address);
                leave(&mut self.kept.beside, Access { address, size, write, place });
            }
        }
    }

    /// What the search has learned.
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// Notes an access that is not done here; `left` is what its footprint is.
    fn note_and_leave(
        &mut self,
        layout: &Layout,
        start: u32,
        end: u32,
        write: bool,
        left: impl Fn(Access) -> Access,
    ) {
        let every = self.turn.mode == Mode::Every && self.kept.what == Keep::All;
        for (access, touched) in self.noted(layout, start, end, write, false) {
            self.found.touched |= touched;
            self.leave_beside(layout, access.address, access.size, write);
            if touched || every || self.keeps_all() {
                self.leave_footprint(left(access));
            }
        }
    }

    /// Notes an access that the next step will make, with what the thread holds now; returns the parts
    /// of it that others can observe.
    pub fn note_ahead(
        &mut self,
        layout: &Layout,
        start: u32,
        end: u32,
        write: bool,
    ) -> Vec<Access> {
        let noted = self.noted(layout, start, end, write, true);
        for &(access, _) in noted.iter().filter(|(_, touched)| *touched) {
            self.keep_made(access);
        }
        let common = |access: &Access| access.place.space() == Space::SHARED;
        let mode = self.turn.mode;
        let counts = |(access, touched): (Access, bool)| {
            let each = match mode {
                Mode::Every => true,
                Mode::Common | Mode::CommonAndShared => common(&access),
                _ => false,
            };
            (touched || each).then_some(access)
        };
        noted.into_iter().filter_map(counts).collect()
    }

    /// Notes an access that is not done here, part by part; whether each part touches a word of which
    /// others can observe it.
    fn noted(
        &mut self,
        layout: &Layout,
        start: u32,
        end: u32,
        write: bool,
        access: bool,
    ) -> Vec<(Access, bool)> {
        let mut parts = Vec::new();
        if !self.is_on() || start >= end || self.is_unpublished(layout, start, end - start) {
            return parts;
        }
        let mut page = page_of(start);
        while page <= page_of(end - 1) {
            let last = if access { page } else { self.last_of_sweep(layout, page, start, end) };
            if last > page {
                self.sweep(layout, page, last, write, &mut parts);
            } else {
                self.note_page(layout, page, (start, end), write, access, &mut parts);
            }
            page = last + 1;
        }
        parts
    }

    /// Notes what an access to `start..end` does to one page.
    fn note_page(
        &mut self,
        layout: &Layout,
        page: u32,
        (start, end): (u32, u32),
        write: bool,
        access: bool,
        parts: &mut Vec<(Access, bool)>,
    ) {
        let from = start.max(page << 12);
        let size = (end - 1).min(page << 12 | 0xfff) - from + 1;
        let kind = layout.kind(from);
        let place = kind.place(layout.space(), from);
        if self.is_watched(layout, place, kind, write) {
            let owner = kind.owner().map_or(0, |thread| thread.0);
            self.note_trespass(Access { address: from, size, write, place });
            let touched = self.visit(layout, place, size, owner, write, access)
                && (self.is_observed(layout, place, size, write)
                    || !self.has_alone(layout, from, size));
            parts.push((Access { address: from, size, write, place }, touched));
        }
    }

    /// Notes that the word of an object is looked at that processes have in common, wherever the
    /// thread sees it.
    pub fn note_common_object(&mut self, layout: &Layout, place: Place) {
        if self.is_on() && self.is_watched(layout, place, RegionKind::Shared(0), false) {
            self.found.touched |= self.visit(layout, place, 4, 0, false, false);
        }
    }

    /// Notes that a thread uses something that stands for one word, such as a heap arena.
    pub fn note_word(&mut self, layout: &Layout, word: u32, thread: ThreadId, write: bool) {
        let thread = local(layout.space(), thread);
        let own = thread == self.local;
        let visitor = if own { self.visitor(layout.space()) } else { thread.into() };
        for (origin, original) in self.originals(RegionKind::Mapped) {
            self.visit_original(origin.space.at(word), origin, original, write);
        }
        let word = layout.space().at(word);
        self.found.touched |= self.sharing.visit_word(word, visitor, write);
    }

    /// The same for something that all processes have in common.
    pub fn note_common_word(&mut self, word: u32, write: bool) {
        let visitor = self.visitor(Space::SHARED);
        let word = Space::SHARED.at(word);
        self.found.touched |= self.sharing.visit_word(word, visitor, write);
    }

    /// Notes that a system call of the watched thread touches memory that processes share, from
    /// `start` to `end` there, by another way than a mapping.
    pub fn note_common_bytes(&mut self, start: u32, end: u32, write: bool) {
        let visitor = self.visitor(Space::SHARED);
        let sharing = &self.sharing;
        for word in (start & !3..end).step_by(4).map(|word| Space::SHARED.at(word)) {
            if sharing.visit_page(word, visitor.thread, write) {
                self.found.touched |= sharing.visit_word(word, visitor, write);
            }
        }
    }

    /// Whether a page's accesses must be looked at one by one. A visit to it is noted.
    fn is_watched(&self, layout: &Layout, page: Place, kind: RegionKind, write: bool) -> bool {
        let visitor = self.visitor(page.space()).thread;
        let original = self.visit_original_page(page, kind, write);
        let sharing = &self.sharing;
        let learned = match (self.turn.mode, kind.owner()) {
            (Mode::Off, _) => false,
            (Mode::Every, None) if sharing.judges_words() => {
                sharing.visit_page(page, visitor, write);
                true
            }
            (Mode::Every, _) => true,
            (Mode::Common, _) => {
                page.space() == Space::SHARED || self.may_be_observed(layout, page)
            }
            (Mode::Observed | Mode::ObservedAtomic, _) => self.may_be_observed(layout, page),
            (_, Some(owner)) if owner.0 == self.local.0 => {
                self.turn.interrupted.is_some() || sharing.is_tracked(page)
            }
            (_, Some(_)) => true,
            (Mode::CommonAndShared, None) if page.space() == Space::SHARED => {
                sharing.visit_page(page, visitor, write);
                true
            }
            (_, None) => sharing.visit_page(page, visitor, write),
        };
        learned || original || self.keeps_all() || self.may_be_claimed(page)
    }

    /// Whether bytes of a page may be claimed by a thread of this process.
    fn may_be_claimed(&self, page: Place) -> bool {
        let (ownership, start) = (&self.turn.ownership, page.address() & !0xfff);
        self.is_on() && !ownership.is_empty() && ownership.touch(start, start | 0xfff)
    }

    /// Whether what is one step as a whole runs, and all its accesses are kept.
    fn keeps_all(&self) -> bool {
        self.turn.mode == Mode::Atomic && self.kept.what == Keep::All
    }

    /// Whether a property may observe words of a page.
    fn may_be_observed(&self, layout: &Layout, page: Place) -> bool {
        let sharing = &self.sharing;
        sharing.observes() && layout.with_lenders(page).any(|page| sharing.is_tracked(page))
    }

    /// Whether an access writes to a word that a property observes; all of its bytes lie
    /// in one page.
    fn is_observed(&self, layout: &Layout, place: Place, size: u32, write: bool) -> bool {
        let sharing = &self.sharing;
        let mut words = (place.address() & !3..=place.address() + (size - 1)).step_by(4);
        let is_observed = |word| layout.with_lenders(word).any(|it| sharing.is_observed(it));
        write && sharing.observes() && words.any(|word| is_observed(place.space().at(word)))
    }

    /// Notes an access to a watched page of a thread's stack, or of none (0), all of whose bytes lie
    /// there; whether one of its words is shared.
    fn visit(
        &self,
        layout: &Layout,
        place: Place,
        size: u32,
        owner: u32,
        write: bool,
        access: bool,
    ) -> bool {
        const FIRST: u32 = ThreadId::FIRST.0;
        let strays = self.visit_originals(layout, place, size, write);
        let visitor = self.visitor(place.space());
        let access = access && !self.is_fresh(place, size);
        let under = Under { held: self.held_now(), access, who: Some(self.who(place.space())) };
        let sharing = &self.sharing;
        let (address, own) = (place.address(), self.local.0);
        let words = (address & !3..=address + (size - 1)).step_by(4);
        let mut shared = strays || self.is_observed(layout, place, size, write);
        match self.turn.mode {
            Mode::Observed | Mode::ObservedAtomic => return shared,
            Mode::Common if place.space() != Space::SHARED => return shared,
            _ if self.is_own(place, size) => return shared,
            _ if place.space() == Space::FIRST && self.is_unpublished(layout, address, size) => {
                return shared;
            }
            _ => shared |= sharing.is_claimed(place, size),
        }
        for word in words.map(|word| place.space().at(word)) {
            shared |= match owner {
                0 => sharing.visit_word_under(word, visitor, write, under),
                owner if owner == own && self.is_of_interrupted(word) => {
                    sharing.visit_foreign(word)
                }
                FIRST if visitor.thread == ThreadId::FIRST => {
                    sharing.visit_word_under(word, visitor, write, under)
                }
                owner if owner == own => sharing.is_shared(word),
                FIRST => sharing.visit_first_stack(word, visitor, write, under),
                _ => sharing.visit_foreign(word),
            };
        }
        shared
    }

    /// Whether a handler runs, and a word of its thread's stack belongs to what it interrupted.
    fn is_of_interrupted(&self, word: Place) -> bool {
        self.turn.interrupted.is_some_and(|(_, esp)| word.address() >= esp)
    }

    /// Notes an access; whether one of its words is shared, so that it is a step of its own.
    fn is_visible(
        &mut self,
        layout: &Layout,
        (address, size, write): (u32, u32, bool),
        asked: &[Asked],
    ) -> bool {
        let last = address.wrapping_add(size - 1);
        let is_common =
            || [address, last].iter().any(|&at| layout.place(at).space() == Space::SHARED);
        let mut shared = match self.turn.mode {
            // Every access is a step, and yet it is asked what a lock protects, or what a copy shows.
            Mode::Every if self.sharing.judges_words() || self.turn.origins.is_some() => true,
            Mode::Every => return true,
            Mode::Common if is_common() => return true,
            Mode::CommonAndShared => is_common(),
            Mode::Off | Mode::Shared | Mode::Atomic => false,
            Mode::Common | Mode::Observed | Mode::ObservedAtomic => false,
        };
        let is_observed = asked
            .iter()
            .any(|part| self.is_observed(layout, layout.place(part.address), part.size, write));
        for part in asked {
            let place = layout.place(part.address);
            shared |= self.visit(layout, place, part.size, part.owner, write, true);
        }
        if shared && self.turn.mode == Mode::Atomic {
            self.note_touched(address);
        }
        shared && (is_observed || !self.has_alone(layout, address, size))
    }

    /// How an access is done of which it is known whether it is visible.
    fn pass(
        &mut self,
        layout: &Layout,
        (address, size, write): (u32, u32, bool),
        visible: bool,
    ) -> Passage {
        let whole = matches!(self.turn.mode, Mode::Atomic | Mode::ObservedAtomic);
        if whole {
            self.note_trespass(Access { address, size, write, place: layout.place(address) });
        }
        if visible && whole || self.keeps_all() {
            self.found.touched |= visible;
            let access = Access { address, size, write, place: layout.place(address) };
            self.leave_footprint(access);
            if visible {
                self.keep_made(access);
            }
            return Passage::Free;
        }
        if !visible {
            self.leave_beside(layout, address, size, write);
            return Passage::Free;
        }
        let access = Access { address, size, write, place: layout.place(address) };
        let position = self.instruction.position;
        self.instruction.position += 1;
        match self.instruction.grant {
            Grant::All => {
                self.keep_made(access);
                Passage::Free
            }
            _ if position < self.instruction.partial.len() => {
                Passage::Earlier(self.instruction.partial[position])
            }
            Grant::One => {
                self.keep_made(access);
                let keeps = write || size <= KEPT as u32;
                self.instruction.grant = if keeps { Grant::Nothing } else { Grant::All };
                if keeps { Passage::Kept } else { Passage::Free }
            }
            Grant::Nothing => {
                self.instruction.visible = Some(access);
                Passage::Refused
            }
        }
    }
}

impl Policy for Watch {
    #[inline(always)]
    fn is_on(&self) -> bool {
        self.turn.mode != Mode::Off
    }

    fn asks_about(&self, layout: &Layout, page: Place, kind: RegionKind, write: bool) -> bool {
        self.is_watched(layout, page, kind, write)
    }

    fn decide(
        &mut self,
        layout: &Layout,
        (address, size, write): (u32, u32, bool),
        asked: &[Asked],
        esp: u32,
    ) -> Passage {
        self.turn.esp = esp;
        let visible = self.is_visible(layout, (address, size, write), asked);
        self.pass(layout, (address, size, write), visible)
    }

    fn keep(&mut self, part: Part) {
        self.instruction.partial.push(part);
    }

    fn instruction_restarts(&mut self) {
        self.instruction.position = 0;
    }

    fn note_loaded(&mut self, address: u32, value: u32) {
        self.note_moved_in(address, value);
    }

    fn note_stored(&mut self, layout: &Layout, address: u32, value: u32, stack: (u32, u32)) {
        self.note_moved_out(layout, address, value, stack);
    }

    fn note_overwritten(&mut self, address: u32, size: u32) {
        self.note_moved_over(address, size);
    }

    fn note(&mut self, layout: &Layout, start: u32, end: u32, write: bool) {
        if !self.is_allocation(start, end) {
            self.note_and_leave(layout, start, end, write, |access| access);
        }
    }

    /// Another process has its own mapping of what they share and keeps it: what is left of this is at no place where
    /// that one could be in a race with it.
    fn note_mapping(&mut self, layout: &Layout, start: u32, end: u32) {
        let space = layout.space();
        self.note_and_leave(layout, start, end, true, |access| Access {
            place: space.at(access.address),
            ..access
        });
    }
}

/// The number of a thread within its process.
pub(crate) fn local(space: Space, thread: ThreadId) -> ThreadId {
    if thread == space.leader() { ThreadId::FIRST } else { thread }
}

/// Adds an access to a footprint, to the last one where they meet.
fn leave(footprint: &mut Vec<Access>, access: Access) {
    let start = access.place.number();
    if let Some(last) = footprint.last_mut()
        && last.write == access.write
        && last.place.number() <= start
    {
        let end = last.place.number() + u64::from(last.size);
        if start <= end {
            let reach = end.max(start + u64::from(access.size));
            last.size = (reach - last.place.number()) as u32;
            return;
        }
    }
    footprint.push(access);
}
