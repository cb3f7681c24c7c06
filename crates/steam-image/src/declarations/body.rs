//! The body of a function as a whole: what was inlined into it, and where its variables are at each
//! of its instructions, read on demand.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gimli::{
    AttributeValue, DW_AT_artificial, DW_AT_frame_base, DW_AT_location, DW_AT_name, DW_AT_type,
};

use super::entries::{Budget, Entry, Position};
use super::places::{Address, Place, Surroundings, address, place};
use super::types::{TypeId, Types};
use super::{Declared, Function};
use crate::debug::Reader;

/// Instead of DWARF's number of a register: the address of the stack frame, which is the stack
/// pointer before the call.
pub const CALL_FRAME: u8 = 255;

/// What debug information says of the instructions of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// The calls that were inlined, outer ones before those within them.
    pub inlined: Vec<Inlined>,
    /// Parameters and local variables that have a place at some instruction.
    pub variables: Vec<Placed>,
}

/// A call that was inlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inlined {
    /// The namespaces and classes around the function that was called.
    pub scope: Arc<str>,
    /// Its own name.
    pub name: Arc<str>,
    /// What it takes and returns.
    pub type_id: TypeId,
    /// Its instructions: start and end.
    pub ranges: Vec<(u32, u32)>,
    /// The inlined call around it, if there is one.
    pub outer: Option<usize>,
}

/// A parameter or local variable with its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Its name; that of a compiler's own variable may be empty.
    pub name: Arc<str>,
    /// Its type.
    pub type_id: TypeId,
    /// Whether the compiler made it, as `this`.
    pub artificial: bool,
    /// The inlined call to whose function it belongs; none for the function itself.
    pub inlined: Option<usize>,
    /// Places with the instructions at which they hold: start and end.
    pub places: Vec<(u32, u32, Place)>,
}

impl Declared {
    /// Reads the body of a function.
    pub fn body(&self, function: &Function) -> Body {
        let attempt = || Reading::new(self, function)?.body();
        catch_unwind(AssertUnwindSafe(attempt)).ok().flatten().unwrap_or_default()
    }

    /// Returns scope and name of a function as its first declaration has them: an entry that
    /// completes or repeats another one stands in another scope.
    pub fn home(&self, function: &Function) -> (Arc<str>, Arc<str>) {
        let end = function.position.and_then(|position| self.first_declaration(position));
        let first = end.unwrap_or(function);
        (Arc::clone(&first.scope), Arc::clone(&function.name))
    }

    /// The function at the end of the chain of entries that complete or repeat each other.
    fn first_declaration(&self, position: Position) -> Option<&Function> {
        let mut last = position;
        let (unit, entry) = self.units.entry(position)?;
        self.units.first(unit, &entry, |unit, entry| -> Option<()> {
            last = self.units.position(unit, entry.offset())?;
            None
        });
        let found = self.functions.binary_search_by_key(&Some(last), |function| function.position);
        found.ok().map(|index| &self.functions[index])
    }
}

/// One function that is read.
struct Reading<'a> {
    declared: &'a Declared,
    unit: usize,
    position: Position,
    whole: Vec<(u32, u32)>,
    frame_base: Option<Address>,
    budget: Budget,
}

/// A block in which the reading is.
struct Open {
    depth: isize,
    ranges: Vec<(u32, u32)>,
    inlined: Option<usize>,
}

impl<'a> Reading<'a> {
    fn new(declared: &'a Declared, function: &Function) -> Option<Reading<'a>> {
        let position = function.position?;
        let (unit, entry) = declared.units.entry(position)?;
        let whole = function.ranges.clone();
        let budget = Budget::default();
        let mut reading = Reading { declared, unit, position, whole, frame_base: None, budget };
        let base = entry.attr_value(DW_AT_frame_base).and_then(|value| value.exprloc_value());
        reading.frame_base = base.and_then(|base| address(&base, &reading.around(&|_| None)));
        Some(reading)
    }

    fn body(&self) -> Option<Body> {
        let mut body = Body::default();
        let mut open: Vec<Open> = Vec::new();
        self.declared.units.visit_function(self.position, |entry| {
            let depth = entry.depth();
            open.retain(|block| block.depth < depth);
            let around = open.last().and_then(|block| block.inlined);
            match entry.tag() {
                gimli::DW_TAG_subprogram if depth == 0 => {
                    open.push(Open { depth, ranges: self.whole.clone(), inlined: None });
                }
                gimli::DW_TAG_lexical_block => {
                    open.push(Open { depth, ranges: self.ranges(entry, &open), inlined: around });
                }
                gimli::DW_TAG_inlined_subroutine => {
                    let ranges = self.ranges(entry, &open);
                    body.inlined.push(self.inlined(entry, ranges.clone(), around));
                    let inlined = Some(body.inlined.len() - 1);
                    open.push(Open { depth, ranges, inlined });
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    // Without a function around it there is no such part.
                    let block = open.last();
                    body.variables.extend(block.and_then(|block| self.variable(entry, block)));
                }
                // Types and functions within a function have parts of their own.
                _ => return false,
            }
            true
        })?;
        Some(body)
    }

    /// The instructions of a block; gcc leaves them out where they are all of those around it.
    fn ranges(&self, entry: &Entry, open: &[Open]) -> Vec<(u32, u32)> {
        let base = self.declared.base;
        let mut ranges = self.declared.units.ranges(self.unit, entry, &self.budget);
        for (start, end) in &mut ranges {
            (*start, *end) = (start.wrapping_add(base), end.wrapping_add(base));
        }
        match open.last() {
            Some(around) if ranges.is_empty() => around.ranges.clone(),
            _ => ranges,
        }
    }

    fn inlined(&self, entry: &Entry, ranges: Vec<(u32, u32)>, outer: Option<usize>) -> Inlined {
        let position = self.declared.units.position(self.unit, entry.offset());
        match position.and_then(|position| self.declared.first_declaration(position)) {
            Some(first) => {
                let (scope, name) = (Arc::clone(&first.scope), Arc::clone(&first.name));
                Inlined { scope, name, type_id: first.type_id, ranges, outer }
            }
            None => {
                let (scope, name) = (Arc::from(""), Arc::from(""));
                Inlined { scope, name, type_id: Types::VOID, ranges, outer }
            }
        }
    }

    fn variable(&self, entry: &Entry, block: &Open) -> Option<Placed> {
        let units = &self.declared.units;
        let type_id = units
            .first(self.unit, entry, |unit, entry| units.refers(unit, entry, DW_AT_type))
            .and_then(|position| self.declared.ids.get(&position).copied())?;
        let artificial = units
            .first(self.unit, entry, |_, entry| entry.attr(DW_AT_artificial).map(|_| ()))
            .is_some();
        let name = units.first(self.unit, entry, |unit, entry| {
            units.text(unit, entry, DW_AT_name, &self.budget)
        });
        let places = self.places(entry.attr_value(DW_AT_location)?, block)?;
        let name = Arc::from(name.unwrap_or_default());
        Some(Placed { name, type_id, artificial, inlined: block.inlined, places })
    }

    fn places(
        &self,
        value: AttributeValue<Reader>,
        block: &Open,
    ) -> Option<Vec<(u32, u32, Place)>> {
        let dwarf = &self.declared.units.dwarf;
        let home = &self.declared.units.units[self.unit];
        let indexed = &|index| dwarf.address(home, index).ok();
        let around = self.around(indexed);
        if let Some(expression) = value.exprloc_value() {
            let here = place(&expression, &around);
            return Some(block.ranges.iter().map(|&(from, to)| (from, to, here.clone())).collect());
        }
        let mut list = dwarf.attr_locations(home, value).ok()??;
        let mut places = Vec::new();
        while self.budget.step()
            && let Ok(Some(found)) = list.next()
        {
            let bound = |address: u64| (address as u32).wrapping_add(self.declared.base);
            let (from, to) = (bound(found.range.begin), bound(found.range.end));
            places.push((from, to, place(&found.data, &around)));
        }
        Some(places)
    }

    fn around<'b>(
        &self,
        indexed: &'b dyn Fn(gimli::DebugAddrIndex) -> Option<u64>,
    ) -> Surroundings<'b> {
        Surroundings {
            encoding: self.declared.units.units[self.unit].encoding(),
            base: self.declared.base,
            indexed,
            thread_block: self.declared.thread_block,
            frame_base: self.frame_base,
            frame_address: Some(Address::Register { register: CALL_FRAME, offset: 0 }),
        }
    }
}
