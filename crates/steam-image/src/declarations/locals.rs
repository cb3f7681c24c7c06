//! The local variables and parameters of a function at one instruction, read on demand.

use std::sync::Arc;

use gimli::{
    AttributeValue, DW_AT_const_value, DW_AT_frame_base, DW_AT_location, DW_AT_name, DW_AT_type,
};

use super::entries::{Budget, Entry, Position};
use super::places::{Address, Place, Surroundings, address, constant, place};
use super::types::{TypeId, Types};
use super::{Declared, Function};
use crate::debug::Reader;
use crate::unwind::{Activation, Unwinder};

/// A local variable or a parameter at one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Its type.
    pub type_id: TypeId,
    /// Where it is at that instruction.
    pub place: Place,
    /// The function that declares it, which may be inlined into the one that runs.
    pub function: Arc<str>,
}

impl Declared {
    /// Returns the local variables that the source shows at the instruction at `pc`, those of the
    /// innermost block first. A variable of an inner block hides those of the same name after it.
    pub fn locals(&self, pc: u32, unwinder: &Unwinder) -> Vec<Local> {
        let found = self.function_at(pc).and_then(|function| {
            let attempt = || Reading::new(self, function, pc, unwinder)?.locals();
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).ok().flatten()
        });
        let mut found = found.unwrap_or_default();
        // Inner blocks come later in the file.
        found.reverse();
        found.sort_by_key(|&(depth, _)| std::cmp::Reverse(depth));
        found.into_iter().map(|(_, local)| local).collect()
    }
}

/// One question.
struct Reading<'a> {
    declared: &'a Declared,
    unit: usize,
    position: Position,
    pc: u32,
    frame_base: Option<Address>,
    frame_address: Option<Address>,
    budget: Budget,
}

impl<'a> Reading<'a> {
    fn new(
        declared: &'a Declared,
        function: &Function,
        pc: u32,
        unwinder: &Unwinder,
    ) -> Option<Reading<'a>> {
        let position = function.position?;
        let (unit, entry) = declared.units.entry(position)?;
        let here = Activation { eip: pc, exact: true, ..Activation::default() };
        let frame_address = unwinder.rule(&here).and_then(|rule| rule.frame_address());
        let budget = Budget::default();
        let mut reading =
            Reading { declared, unit, position, pc, frame_base: None, frame_address, budget };
        let base = entry.attr_value(DW_AT_frame_base).and_then(|value| reading.expression(value));
        reading.frame_base = base.and_then(|base| address(&base, &reading.around(&|_| None)));
        Some(reading)
    }

    /// All variables in blocks around the instruction, with the depths of their blocks.
    fn locals(&self) -> Option<Vec<(isize, Local)>> {
        let mut found = Vec::new();
        let mut functions: Vec<(isize, Arc<str>)> = Vec::new();
        self.declared.units.visit_function(self.position, |entry| {
            let depth = entry.depth();
            functions.retain(|&(opened, _)| opened < depth);
            match entry.tag() {
                gimli::DW_TAG_subprogram if depth == 0 => functions.push((0, self.name(entry))),
                // The others do not contain the instruction.
                gimli::DW_TAG_lexical_block if self.contains(entry) => {}
                gimli::DW_TAG_inlined_subroutine if self.contains(entry) => {
                    functions.push((depth, self.name(entry)));
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    let function = functions.last().map(|(_, name)| Arc::clone(name));
                    let local = self.local(entry, function.unwrap_or_default());
                    found.extend(local.map(|local| (depth, local)));
                }
                // Types and functions within a function have parts of their own.
                _ => return false,
            }
            true
        })?;
        Some(found)
    }

    fn name(&self, entry: &Entry) -> Arc<str> {
        let units = &self.declared.units;
        let name = units.first(self.unit, entry, |unit, entry| {
            units.text(unit, entry, DW_AT_name, &self.budget)
        });
        Arc::from(name.unwrap_or_default())
    }

    fn contains(&self, entry: &Entry) -> bool {
        let probe = self.pc.wrapping_sub(self.declared.base);
        let ranges = self.declared.units.ranges(self.unit, entry, &self.budget);
        // gcc leaves out the ranges of blocks that are the whole function.
        ranges.is_empty() || ranges.iter().any(|&(start, end)| (start..end).contains(&probe))
    }

    fn local(&self, entry: &Entry, function: Arc<str>) -> Option<Local> {
        let units = &self.declared.units;
        let name = self.name(entry);
        if name.is_empty() {
            return None;
        }
        let type_id = units
            .first(self.unit, entry, |unit, entry| units.refers(unit, entry, DW_AT_type))
            .and_then(|position| self.declared.ids.get(&position).copied());
        let place = units.first(self.unit, entry, |unit, entry| self.place(unit, entry));
        Some(Local {
            name: name.to_string(),
            type_id: type_id.unwrap_or(Types::VOID),
            place: place.unwrap_or(Place::OptimisedAway),
            function,
        })
    }

    fn place(&self, unit: usize, entry: &Entry) -> Option<Place> {
        let home = &self.declared.units.units[unit];
        let dwarf = &self.declared.units.dwarf;
        if let Some(value) = entry.attr_value(DW_AT_location) {
            let expression = self.expression(value)?;
            let around = &|index| dwarf.address(home, index).ok();
            return Some(place(&expression, &self.around(around)));
        }
        constant(&entry.attr_value(DW_AT_const_value)?)
    }

    /// The expression that holds at the instruction: the only one, or that of a list.
    fn expression(&self, value: AttributeValue<Reader>) -> Option<gimli::Expression<Reader>> {
        if let Some(expression) = value.exprloc_value() {
            return Some(expression);
        }
        let home = &self.declared.units.units[self.unit];
        let mut list = self.declared.units.dwarf.attr_locations(home, value).ok()??;
        let probe = u64::from(self.pc.wrapping_sub(self.declared.base));
        while self.budget.step() {
            let entry = list.next().ok()??;
            if (entry.range.begin..entry.range.end).contains(&probe) {
                return Some(entry.data);
            }
        }
        None
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
            frame_address: self.frame_address,
        }
    }
}
