//! Who touched which page and which word of all address spaces: a tree that is only as fine as a thread
//! has looked.
//!
//! A space consists of parts, a part of pages, a page of words. Each level has cells that stand for all
//! that lies below, as long as everything below was touched in the same way: a system call that unmaps
//! 512 MiB which is not used touches 128 parts and no page. Where a thread touches less than a whole,
//! the level below is made, and begins as what stood for it.
//!
//! Invariant: a cell that stands for others changes only under [`Tree::refining`], and so does what it
//! stands for when it is made; no visit to a whole gets lost between the two.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::cell::{Cell, Visitor};
use steam_state::{Place, Space};

/// Words of a page.
const WORDS: usize = 1024;
/// Pages of a part.
const FAN: usize = 1024;
/// Parts of a space.
const PARTS: usize = (1 << 20) / FAN;

/// What stands for each of several pages: its cell, and that of each of its words.
#[derive(Default)]
struct Whole {
    page: Cell,
    word: Cell,
}

impl Whole {
    fn copy(&self) -> Self {
        Self { page: self.page.copy(), word: self.word.copy() }
    }

    fn begin_iteration(&self, any: bool) {
        self.page.begin_iteration(any);
        self.word.begin_iteration(any);
    }

    /// Visits all that this stands for, and its words where they have cells of their own.
    fn touch(&self, words: &[Cell], sweep: Sweep) -> Touch {
        let Sweep { visitor, write, .. } = sweep;
        let tracked = sweep.pages && self.page.is_marked();
        let mut touch = Touch { closely: tracked || sweep.words, visible: false, new: false };
        if sweep.pages && !tracked {
            touch.new |= self.page.touch(visitor.thread.into(), write);
        }
        if !touch.closely {
            return touch;
        }
        let own = std::slice::from_ref(&self.word);
        for cell in if words.is_empty() { own } else { words } {
            let (visible, new) = cell.visit(visitor, write);
            touch.visible |= visible;
            touch.new |= new;
        }
        touch
    }
}

/// What a visit to a whole found.
struct Touch {
    /// Whether words were visited.
    closely: bool,
    /// Whether others can observe one of them.
    visible: bool,
    /// Whether something is shared or tracked from the next iteration on that was not.
    new: bool,
}

#[derive(Default)]
struct Part {
    whole: Whole,
    pages: OnceLock<Box<[Page]>>,
}

struct Page {
    whole: Whole,
    words: OnceLock<Box<[Cell]>>,
}

/// How whole pages are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// Who does it.
    pub visitor: Visitor,
    /// Whether it writes.
    pub write: bool,
    /// Whether it counts as a visit to each page.
    pub pages: bool,
    /// Whether words are visited where pages are not tracked, too.
    pub words: bool,
}

/// Pages of which a sweep found the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swept {
    /// The first of them.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// Whether their words were visited.
    pub closely: bool,
    /// Whether one of these can be observed by others.
    pub visible: bool,
}

/// Shared words that follow each other and have the same writer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// The first of them.
    pub(super) start: Place,
    /// How many they are.
    pub(super) count: u32,
    /// The only thread that writes them, if there is but one.
    pub(super) writer: Option<u32>,
}

/// What was learned of all address spaces.
pub(super) struct Tree {
    spaces: Box<[OnceLock<Box<[Part]>>]>,
    /// Held while a whole is changed or taken apart.
    refining: Mutex<()>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            spaces: (0..Space::COUNT).map(|_| OnceLock::new()).collect(),
            refining: Mutex::new(()),
        }
    }
}

impl Tree {
    fn part(&self, space: Space, number: usize) -> &Part {
        let parts = self.spaces[space.number() as usize]
            .get_or_init(|| (0..PARTS).map(|_| Part::default()).collect());
        &parts[number]
    }

    fn pages<'a>(&self, part: &'a Part) -> &'a [Page] {
        part.pages.get_or_init(|| {
            let _refining = self.refining.lock().unwrap_or_else(PoisonError::into_inner);
            let page = |_| Page { whole: part.whole.copy(), words: OnceLock::new() };
            (0..FAN).map(page).collect()
        })
    }

    fn words<'a>(&self, page: &'a Page) -> &'a [Cell] {
        page.words.get_or_init(|| {
            let _refining = self.refining.lock().unwrap_or_else(PoisonError::into_inner);
            (0..WORDS).map(|_| page.whole.word.copy()).collect()
        })
    }

    fn page(&self, place: Place) -> &Page {
        let page = place.page() as usize;
        &self.pages(self.part(place.space(), page / FAN))[page % FAN]
    }

    /// The cell of a page of its own, to be changed.
    pub(super) fn page_cell(&self, place: Place) -> &Cell {
        &self.page(place).whole.page
    }

    /// The cell of a word of its own, to be changed.
    pub(super) fn word_cell(&self, place: Place) -> &Cell {
        &self.words(self.page(place))[word_of(place)]
    }

    /// The cell that stands for a page, to be looked at.
    pub(super) fn known_page(&self, place: Place) -> &Cell {
        let page = place.page() as usize;
        let part = self.part(place.space(), page / FAN);
        part.pages.get().map_or(&part.whole.page, |pages| &pages[page % FAN].whole.page)
    }

    /// The cell that stands for a word, to be looked at.
    pub(super) fn known_word(&self, place: Place) -> &Cell {
        let page = place.page() as usize;
        let part = self.part(place.space(), page / FAN);
        // Nothing is known of its single pages: what holds for the part holds for each word.
        let Some(pages) = part.pages.get() else { return &part.whole.word };
        let page = &pages[page % FAN];
        page.words.get().map_or(&page.whole.word, |words| &words[word_of(place)])
    }

    /// What was found counts.
    pub(super) fn begin_iteration(&self, any: bool) {
        for part in self.spaces.iter().filter_map(OnceLock::get).flatten() {
            part.whole.begin_iteration(any);
            for page in part.pages.get().into_iter().flatten() {
                page.whole.begin_iteration(any);
                page.words.get().into_iter().flatten().for_each(|word| word.begin_iteration(any));
            }
        }
    }

    /// A thread touches all words of the pages `first..=last` of a space; what it found, by pages, and
    /// whether something is shared or tracked from the next iteration on that was not.
    pub(super) fn sweep(
        &self,
        space: Space,
        first: u32,
        last: u32,
        sweep: Sweep,
    ) -> (Vec<Swept>, bool) {
        let mut found: Vec<Swept> = Vec::new();
        let mut grew = false;
        self.for_each_whole(space, first, last, |whole, words, first, last| {
            let Touch { closely, visible, new } = whole.touch(words, sweep);
            grew |= new;
            match found.last_mut() {
                Some(part) if (part.closely, part.visible) == (closely, visible) => {
                    part.last = last
                }
                _ => found.push(Swept { first, last, closely, visible }),
            }
        });
        (found, grew)
    }

    /// Lets all words of the pages `first..=last` count as shared from the next iteration on.
    pub(super) fn mark_written_by(&self, space: Space, first: u32, last: u32, writer: u32) {
        self.for_each_whole(space, first, last, |whole, words, _, _| {
            whole.page.mark();
            whole.word.mark_written_by(writer);
            words.iter().for_each(|word| word.mark_written_by(writer));
        });
    }

    /// Does something to what stands for pages among `first..=last`, and to its words where there are
    /// any of their own; it is returned for which pages that is.
    fn for_each_whole(
        &self,
        space: Space,
        first: u32,
        last: u32,
        mut deed: impl FnMut(&Whole, &[Cell], u32, u32),
    ) {
        let fan = FAN as u32;
        for number in first / fan..=last / fan {
            let part = self.part(space, number as usize);
            let (start, end) = (number * fan, number * fan + (fan - 1));
            let (from, to) = (first.max(start), last.min(end));
            if (from, to) != (start, end) {
                // Some of its pages are touched and others are not. No lock is held here.
                self.pages(part);
            }
            let _refining = self.refining.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(pages) = part.pages.get() else {
                deed(&part.whole, &[], from, to);
                continue;
            };
            for page in from..=to {
                let Page { whole, words } = &pages[(page - start) as usize];
                deed(whole, words.get().map_or(&[], |words| &words[..]), page, page);
            }
        }
    }

    /// The shared words, ascending.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut add = |start: Place, count: usize, cell: &Cell| {
            if !cell.is_marked() {
                return;
            }
            let run = Run { start, count: count as u32, writer: cell.writer() };
            match runs.last_mut() {
                Some(last) if last.is_followed_by(&run) => last.count += run.count,
                _ => runs.push(run),
            }
        };
        let spaces = (0..).map(Space::numbered).zip(&self.spaces);
        let known = spaces.filter_map(|(space, parts)| Some((space, parts.get()?)));
        for (space, number, part) in known
            .flat_map(|(space, parts)| parts.iter().enumerate().map(move |(n, it)| (space, n, it)))
        {
            let Some(pages) = part.pages.get() else {
                add(space.at(((number * FAN) as u32) << 12), FAN * WORDS, &part.whole.word);
                continue;
            };
            for (offset, page) in pages.iter().enumerate() {
                let address = ((number * FAN + offset) as u32) << 12;
                let Some(words) = page.words.get() else {
                    add(space.at(address), WORDS, &page.whole.word);
                    continue;
                };
                for (word, cell) in words.iter().enumerate() {
                    add(space.at(address + 4 * word as u32), 1, cell);
                }
            }
        }
        runs
    }
}

impl Run {
    fn is_followed_by(&self, next: &Self) -> bool {
        let end = self.start.number() + 4 * u64::from(self.count);
        end == next.start.number()
            && self.start.space() == next.start.space()
            && self.writer == next.writer
    }

    /// The words of it.
    pub(super) fn words(self) -> impl Iterator<Item = Place> {
        let Self { start, count, .. } = self;
        (0..count).map(move |word| start.space().at(start.address() + 4 * word))
    }
}

/// The number of a word within its page.
fn word_of(place: Place) -> usize {
    (place.address() as usize >> 2) % WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::ThreadId;

    /// Random visits to words and to whole pages: the tree, and its naive twin, in which each page that is
    /// ever touched has words of its own from the beginning.
    #[test]
    fn a_whole_is_what_all_that_it_stands_for_would_be() {
        const PAGES: u32 = 3 * FAN as u32;
        let mut seed = 11u32;
        let mut below = |count: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % count
        };
        for _ in 0..20 {
            let (tree, naive) = (Tree::default(), Tree::default());
            let at = |page: u32, word: u32| Space::FIRST.at(page << 12 | word << 2);
            let looked_at = [0, 1, 5, 1023, 1024, 1025, 2047, 2048, 3071];
            looked_at.iter().for_each(|&page| _ = naive.word_cell(at(page, 0)));
            for step in 0..60 {
                let visitor = Visitor::from(ThreadId(1 + below(3)));
                let write = below(2) == 0;
                if below(3) == 0 {
                    let place = at(looked_at[below(9) as usize], below(4));
                    let visited =
                        [&tree, &naive].map(|tree| tree.word_cell(place).visit(visitor, write));
                    assert_eq!(visited[0], visited[1], "{place:?}");
                } else {
                    let first = below(PAGES);
                    let whole = below(2) == 0;
                    let first = if whole { first / FAN as u32 * FAN as u32 } else { first };
                    let last = first + if whole { FAN as u32 - 1 } else { below(PAGES - first) };
                    let words = below(2) == 0;
                    let sweep = Sweep { visitor, write, pages: below(2) == 0, words };
                    let visible = |tree: &Tree| {
                        let (swept, grew) = tree.sweep(Space::FIRST, first, last, sweep);
                        assert_eq!((swept[0].first, swept[swept.len() - 1].last), (first, last));
                        (swept, grew)
                    };
                    assert_eq!(visible(&tree), visible(&naive), "{first}..={last}");
                }
                if step % 20 == 19 {
                    [&tree, &naive].iter().for_each(|tree| tree.begin_iteration(false));
                    assert_eq!(tree.runs(), naive.runs());
                }
                for page in looked_at {
                    let known = |tree: &Tree| {
                        let cells = [tree.known_page(at(page, 0)), tree.known_word(at(page, 3))];
                        cells.map(|cell| (cell.is_marked(), cell.will_be_marked(), cell.writer()))
                    };
                    assert_eq!(known(&tree), known(&naive), "page {page}");
                }
            }
        }
    }

    #[test]
    fn what_nobody_touches_has_no_pages() {
        let tree = Tree::default();
        for thread in [2, 3, 2, 3] {
            let visitor = Visitor::from(ThreadId(thread));
            let sweep = Sweep { visitor, write: true, pages: true, words: false };
            tree.sweep(Space::FIRST, 0, 128 * FAN as u32 - 1, sweep);
            tree.begin_iteration(false);
        }
        let sweep = Sweep { visitor: ThreadId(2).into(), write: true, pages: true, words: false };
        let (swept, _) = tree.sweep(Space::FIRST, 0, 128 * FAN as u32 - 1, sweep);
        assert_eq!(swept.len(), 1, "{swept:?}");
        let parts = tree.spaces[0].get().unwrap();
        assert!(parts.iter().all(|part| part.pages.get().is_none()));
    }
}
