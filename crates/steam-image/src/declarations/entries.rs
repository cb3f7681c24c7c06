//! The units of debug information and their entries: names, references and ranges, each within
//! limits.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use gimli::{
    Attribute, AttributeValue, DW_AT_abstract_origin, DW_AT_high_pc, DW_AT_low_pc, DW_AT_ranges,
    DW_AT_signature, DW_AT_specification, DebuggingInformationEntry, Dwarf, Reader as _, Unit,
    UnitOffset, UnitType,
};

use crate::debug::{NoLines, Reader};

/// All names together may have this many letters: hostile entries share one long name.
const NAME_LETTERS: usize = 128 << 20;
/// What a name that cannot be read counts: it may have been searched for its end.
const UNREADABLE_NAME: usize = 1 << 20;
/// Names of this length are none.
const LONGEST_NAME: usize = 4096;
/// Through so many other entries a name is searched.
const LONGEST_CHAIN: usize = 8;
/// Steps through lists of ranges and locations for one question about a function.
const LIST_STEPS: u32 = 1 << 20;
/// So many entries of one function are looked at.
const ENTRIES: usize = 1 << 18;
/// So many units are read; each takes some memory.
const UNITS: usize = 1 << 16;

/// An entry.
pub(super) type Entry = DebuggingInformationEntry<Reader>;

/// Where an entry lies: its offset in the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Position(pub usize);

/// All units.
pub(super) struct Units {
    pub dwarf: Arc<Dwarf<Reader>>,
    /// By ascending position.
    pub units: Vec<Unit<Reader>>,
    signatures: HashMap<u64, Position>,
}

/// What one question may still take.
pub(super) struct Budget {
    letters: Cell<usize>,
    steps: Cell<u32>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { letters: Cell::new(NAME_LETTERS), steps: Cell::new(LIST_STEPS) }
    }
}

impl Budget {
    /// Says whether names have taken too much.
    pub fn exhausted(&self) -> bool {
        self.letters.get() == 0
    }

    /// Takes some letters of names; false where all are taken.
    pub fn letters(&self, count: usize) -> bool {
        self.letters.set(self.letters.get().saturating_sub(count));
        self.letters.get() > 0
    }

    /// Takes one step through a list; false where all are taken.
    pub fn step(&self) -> bool {
        self.steps.set(self.steps.get().saturating_sub(1));
        self.steps.get() > 0
    }
}

impl Units {
    /// Goes through the parts of a function, outer ones first; `visit` says whether the parts of a part are the
    /// function's too. None where it cannot be read.
    pub fn visit_function(
        &self,
        position: Position,
        mut visit: impl FnMut(&Entry) -> bool,
    ) -> Option<()> {
        let (unit, offset) = self.locate(position)?;
        let mut entries = self.units[unit].entries_raw(Some(offset)).ok()?;
        let mut entry = Entry::null();
        let mut begun = false;
        // The depth of a part whose own parts are not the function's.
        let mut outside = None;
        for _ in 0..ENTRIES {
            if entries.is_empty() || (!entries.read_entry(&mut entry).ok()? && entry.depth() <= 1) {
                break;
            }
            let depth = entry.depth();
            // What stands beside the function is another one.
            if depth == 0 && begun {
                break;
            }
            if entry.is_null() || outside.is_some_and(|outside| depth > outside) {
                continue;
            }
            begun = true;
            outside = (!visit(&entry)).then_some(depth);
        }
        Some(())
    }

    /// Reads the headers of all units.
    pub fn read(dwarf: Arc<Dwarf<Reader>>) -> Result<Units, NoLines> {
        let mut units = Vec::new();
        let mut signatures = HashMap::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            if units.len() == UNITS {
                let what = "the debug information has too many units".to_owned();
                return Err(NoLines::TooLarge { what });
            }
            let kind = header.type_();
            let Ok(unit) = dwarf.unit(header) else { continue };
            if let UnitType::Type { type_signature, type_offset } = kind
                && let Some(start) = start(&unit)
            {
                signatures.insert(type_signature.0, Position(start.saturating_add(type_offset.0)));
            }
            units.push(unit);
        }
        Ok(Units { dwarf, units, signatures })
    }

    /// Returns where an entry of a unit lies.
    pub fn position(&self, unit: usize, offset: UnitOffset) -> Option<Position> {
        Some(Position(start(&self.units[unit])?.checked_add(offset.0)?))
    }

    /// Returns the unit with an entry, and where in it that lies.
    pub fn locate(&self, position: Position) -> Option<(usize, UnitOffset)> {
        let after = self.units.partition_point(|unit| start(unit) <= Some(position.0));
        let unit = after.checked_sub(1)?;
        Some((unit, UnitOffset(position.0 - start(&self.units[unit])?)))
    }

    /// Reads the entry at a position.
    pub fn entry(&self, position: Position) -> Option<(usize, Entry)> {
        let (unit, offset) = self.locate(position)?;
        Some((unit, self.units[unit].entry(offset).ok()?))
    }

    /// Returns where an attribute points to.
    pub fn reference(&self, unit: usize, attribute: &Attribute<Reader>) -> Option<Position> {
        match attribute.value() {
            AttributeValue::UnitRef(offset) => self.position(unit, offset),
            AttributeValue::DebugInfoRef(offset) => Some(Position(offset.0)),
            AttributeValue::DebugTypesRef(signature) => self.signatures.get(&signature.0).copied(),
            _ => None,
        }
    }

    /// Returns where an entry's attribute points to.
    pub fn refers(&self, unit: usize, entry: &Entry, name: gimli::DwAt) -> Option<Position> {
        self.reference(unit, entry.attr(name)?)
    }

    /// Returns the entry that this one completes or repeats.
    pub fn origin(&self, unit: usize, entry: &Entry) -> Option<Position> {
        [DW_AT_specification, DW_AT_abstract_origin, DW_AT_signature]
            .iter()
            .find_map(|&name| self.refers(unit, entry, name))
    }

    /// Returns the text of an attribute.
    pub fn text(
        &self,
        unit: usize,
        entry: &Entry,
        name: gimli::DwAt,
        budget: &Budget,
    ) -> Option<String> {
        let value = entry.attr(name)?.value();
        let Ok(text) = self.dwarf.attr_string(&self.units[unit], value) else {
            budget.letters(UNREADABLE_NAME);
            return None;
        };
        let length = text.len();
        if !budget.letters(length) || length == 0 || length > LONGEST_NAME {
            return None;
        }
        Some(text.to_string_lossy().ok()?.into_owned())
    }

    /// Asks an entry and then those that it completes or repeats, until one answers.
    pub fn first<T>(
        &self,
        unit: usize,
        entry: &Entry,
        mut ask: impl FnMut(usize, &Entry) -> Option<T>,
    ) -> Option<T> {
        if let Some(answer) = ask(unit, entry) {
            return Some(answer);
        }
        let mut next = self.origin(unit, entry);
        for _ in 0..LONGEST_CHAIN {
            let (unit, entry) = self.entry(next?)?;
            if let Some(answer) = ask(unit, &entry) {
                return Some(answer);
            }
            next = self.origin(unit, &entry);
        }
        None
    }

    /// Returns the addresses of a function or block, as they are in the file: start and end.
    pub fn ranges(&self, unit: usize, entry: &Entry, budget: &Budget) -> Vec<(u32, u32)> {
        let home = &self.units[unit];
        let mut ranges = Vec::new();
        let mut add = |start: u64, end: u64| {
            if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end))
                && start < end
            {
                ranges.push((start, end));
            }
        };
        if let Some(list) = entry.attr_value(DW_AT_ranges) {
            let Ok(Some(mut list)) = self.dwarf.attr_ranges(home, list) else { return ranges };
            while budget.step()
                && let Ok(Some(range)) = list.next()
            {
                add(range.begin, range.end);
            }
            return ranges;
        }
        let address = |value| self.dwarf.attr_address(home, value).ok().flatten();
        let Some(start) = entry.attr_value(DW_AT_low_pc).and_then(address) else { return ranges };
        let Some(high) = entry.attr_value(DW_AT_high_pc) else { return ranges };
        let end = match high.udata_value() {
            Some(size) => start.checked_add(size),
            None => address(high),
        };
        add(start, end.unwrap_or(0));
        ranges
    }
}

fn start(unit: &Unit<Reader>) -> Option<usize> {
    Some(unit.header.debug_info_offset()?.0)
}
