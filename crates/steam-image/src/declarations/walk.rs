//! One walk through all entries: types, functions, and variables that have one place for the whole
//! run.
//!
//! Types are numbered when they are first mentioned and filled in when they are met. Local
//! variables are left out; `locals.rs` reads those of one function on demand.

use std::collections::HashMap;
use std::sync::Arc;

use gimli::{
    DW_AT_artificial, DW_AT_const_value, DW_AT_declaration, DW_AT_external, DW_AT_linkage_name,
    DW_AT_location, DW_AT_name, DW_AT_type,
};

use super::entries::{Budget, Entry, Position, Units};
use super::places::{Address, Place, Surroundings, constant, place};
use super::shapes;
use super::types::{Signature, Type, TypeId, TypeKind, Types};
use super::{Function, Variable};
use crate::debug::NoLines;

/// So many types and parts of types, functions, parameters and variables are read.
const MOST: usize = 2 << 20;
/// Scopes whose names are longer do not grow any more.
const LONGEST_SCOPE: usize = 4096;

/// What the walk knows of the program.
pub(super) struct Walk<'a> {
    pub units: &'a Units,
    pub base: u32,
    pub thread_block: u32,
    pub found: Found,
    budget: Budget,
    /// How many types, parts, functions, parameters and variables were kept so far.
    kept: usize,
    scopes: Vec<Open>,
    /// The scope of declarations that others complete.
    declared_in: HashMap<Position, Arc<str>>,
    unit: usize,
    file: Arc<str>,
    cpp: bool,
    /// Whether the unit is one of Rust.
    rust: bool,
    openmp: bool,
}

/// What the walk has found.
pub(super) struct Found {
    pub types: Vec<Type>,
    pub ids: HashMap<Position, TypeId>,
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    /// The further dimensions of arrays.
    pub dimensions: Vec<(TypeId, Vec<Option<u32>>)>,
    /// Enumerations with the types that hold their values.
    pub underlying: Vec<(TypeId, TypeId)>,
}

/// An entry in which the walk is.
struct Open {
    depth: isize,
    inside: Inside,
    scope: Arc<str>,
    function: Option<Arc<str>>,
}

/// What an entry is, as far as its children matter to it.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Plain,
    Type(TypeId),
    Function(usize),
}

impl<'a> Walk<'a> {
    /// Reads all units.
    pub fn all(units: &'a Units, base: u32, thread_block: u32) -> Result<Found, NoLines> {
        let found = Found {
            types: Types::standard(),
            ids: HashMap::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            dimensions: Vec::new(),
            underlying: Vec::new(),
        };
        let mut walk = Walk {
            units,
            base,
            thread_block,
            found,
            budget: Budget::default(),
            kept: 0,
            scopes: Vec::new(),
            declared_in: HashMap::new(),
            unit: 0,
            file: Arc::from(""),
            cpp: false,
            rust: false,
            openmp: false,
        };
        for unit in 0..units.units.len() {
            walk.unit(unit)?;
        }
        Ok(walk.found)
    }

    fn unit(&mut self, unit: usize) -> Result<(), NoLines> {
        self.unit = unit;
        self.scopes.clear();
        let units = self.units;
        let Ok(mut entries) = units.units[unit].entries_raw(None) else { return Ok(()) };
        let mut entry = Entry::null();
        while !entries.is_empty() {
            match entries.read_entry(&mut entry) {
                Ok(true) => self.entry(&entry),
                Ok(false) => {}
                Err(_) => return Ok(()),
            }
            if self.kept > MOST || self.budget.exhausted() {
                let what = "the debug information declares too much".to_owned();
                return Err(NoLines::TooLarge { what });
            }
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) {
        while self.scopes.last().is_some_and(|open| open.depth >= entry.depth()) {
            self.scopes.pop();
        }
        let inside = match entry.tag() {
            gimli::DW_TAG_compile_unit | gimli::DW_TAG_partial_unit | gimli::DW_TAG_type_unit => {
                self.file = Arc::from(self.name(entry).unwrap_or_default());
                self.cpp = shapes::language_is_cpp(entry);
                self.rust = shapes::language_is_rust(entry);
                let producer = gimli::DW_AT_producer;
                let producer = self.units.text(self.unit, entry, producer, &self.budget);
                self.openmp = shapes::knows_openmp(&producer.unwrap_or_default());
                Inside::Plain
            }
            gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine => {
                Inside::Function(self.function(entry))
            }
            gimli::DW_TAG_variable => {
                self.variable(entry);
                Inside::Plain
            }
            gimli::DW_TAG_member if is_static(entry) => {
                self.variable(entry);
                Inside::Plain
            }
            gimli::DW_TAG_formal_parameter => {
                self.parameter(entry);
                Inside::Plain
            }
            gimli::DW_TAG_namespace | gimli::DW_TAG_lexical_block => Inside::Plain,
            _ => match self.shape(entry) {
                Some(id) => Inside::Type(id),
                None => Inside::Plain,
            },
        };
        if entry.has_children() {
            self.open(entry, inside);
        }
    }

    fn open(&mut self, entry: &Entry, inside: Inside) {
        let outer = self.scope();
        let scope = match (entry.tag(), inside) {
            (gimli::DW_TAG_namespace, _) => {
                let name = self.name(entry).unwrap_or_else(|| "(anonymous namespace)".to_owned());
                self.joined(&outer, &name)
            }
            (_, Inside::Type(id)) => {
                let around = &self.found.types[id.index()];
                match around.name.as_deref() {
                    Some(name) => self.joined(&around.scope, name),
                    None => outer,
                }
            }
            _ => outer,
        };
        let function = match inside {
            Inside::Function(index) => Some(Arc::clone(&self.found.functions[index].name)),
            _ => self.scopes.last().and_then(|open| open.function.clone()),
        };
        self.scopes.push(Open { depth: entry.depth(), inside, scope, function });
    }

    /// A scope within another.
    fn joined(&self, outer: &str, name: &str) -> Arc<str> {
        let scope: Arc<str> = match outer {
            "" => Arc::from(name),
            // Whoever nests deeper has no names in mind.
            outer if outer.len() > LONGEST_SCOPE => Arc::from(outer),
            outer => Arc::from(format!("{outer}::{name}")),
        };
        self.budget.letters(scope.len());
        scope
    }

    fn scope(&self) -> Arc<str> {
        self.scopes.last().map_or_else(|| Arc::from(""), |open| Arc::clone(&open.scope))
    }

    fn name(&self, entry: &Entry) -> Option<String> {
        self.units.text(self.unit, entry, DW_AT_name, &self.budget)
    }

    /// The name of an entry, or of one that it completes or repeats.
    fn found_name(&self, entry: &Entry) -> Option<String> {
        self.units.first(self.unit, entry, |unit, entry| {
            self.units.text(unit, entry, DW_AT_name, &self.budget)
        })
    }

    /// The type of an entry, or of one that it completes or repeats.
    fn found_type(&mut self, entry: &Entry) -> TypeId {
        let units = self.units;
        let position =
            units.first(self.unit, entry, |unit, entry| units.refers(unit, entry, DW_AT_type));
        position.map_or(Types::VOID, |position| self.id(position))
    }

    /// The scope of a declaration that this entry completes, or else the scope around it.
    fn found_scope(&mut self, entry: &Entry) -> Arc<str> {
        let origin = self.units.origin(self.unit, entry);
        let known = origin.and_then(|origin| self.declared_in.get(&origin)).cloned();
        let scope = known.unwrap_or_else(|| self.scope());
        if !scope.is_empty()
            && let Some(position) = self.units.position(self.unit, entry.offset())
        {
            self.declared_in.insert(position, Arc::clone(&scope));
        }
        scope
    }

    /// The number of the type at a position.
    fn id(&mut self, position: Position) -> TypeId {
        let (types, kept) = (&mut self.found.types, &mut self.kept);
        *self.found.ids.entry(position).or_insert_with(|| {
            *kept += 1;
            let kind = TypeKind::Other("a type that is not described");
            types.push(Type::unnamed(kind, None));
            Types::id(types.len() - 1)
        })
    }

    fn function(&mut self, entry: &Entry) -> usize {
        let scope = self.found_scope(entry);
        let name = self.found_name(entry).unwrap_or_default();
        let inlined = entry.tag() == gimli::DW_TAG_inlined_subroutine;
        let mut ranges = match inlined {
            true => Vec::new(),
            false => self.units.ranges(self.unit, entry, &Budget::default()),
        };
        for (start, end) in &mut ranges {
            *start = start.wrapping_add(self.base);
            *end = end.wrapping_add(self.base);
        }
        let signature =
            Signature { result: self.found_type(entry), parameters: Vec::new(), variadic: false };
        let kind = TypeKind::Function(signature);
        self.found.types.push(Type::unnamed(kind, None));
        self.kept += 1;
        self.found.functions.push(Function {
            name: Arc::from(name),
            scope,
            file: Arc::clone(&self.file),
            type_id: Types::id(self.found.types.len() - 1),
            ranges,
            mentions_atomic: self.cpp
                || self.rust
                || self.units.units[self.unit].encoding().version >= 5,
            openmp: self.openmp,
            position: self.units.position(self.unit, entry.offset()),
        });
        self.found.functions.len() - 1
    }

    /// A parameter of a function or of a function type.
    fn parameter(&mut self, entry: &Entry) {
        let Some(open) = self.scopes.last() else { return };
        let id = match open.inside {
            Inside::Function(index) => self.found.functions[index].type_id,
            Inside::Type(id) => id,
            Inside::Plain => return,
        };
        let parameter = self.found_type(entry);
        if let TypeKind::Function(signature) = &mut self.found.types[id.index()].kind {
            signature.parameters.push(parameter);
            self.kept += 1;
        }
    }

    /// A variable; locals that change their place with the run are left out.
    fn variable(&mut self, entry: &Entry) {
        let function = self.scopes.last().and_then(|open| open.function.clone());
        let place = self.place(entry);
        let fixed = match &place {
            Some(Place::Memory(Address::Fixed(_)) | Place::Bytes(_)) => true,
            Some(Place::Memory(Address::Register { register, .. })) => {
                *register == super::places::THREAD_BASE
            }
            _ => false,
        };
        // What a function's constants are is reported with its locals.
        let constant = entry.attr(DW_AT_location).is_none();
        if function.is_some() && (!fixed || constant) {
            return;
        }
        let scope = self.found_scope(entry);
        let declaration =
            entry.attr(DW_AT_declaration).is_some() || entry.tag() == gimli::DW_TAG_member;
        let external = self
            .units
            .first(self.unit, entry, |_, entry| entry.attr(DW_AT_external).map(|_| ()))
            .is_some();
        let Some(name) = self.found_name(entry) else { return };
        let symbol = self.units.text(self.unit, entry, DW_AT_linkage_name, &self.budget);
        let type_id = self.found_type(entry);
        self.kept += 1;
        self.found.variables.push(Variable {
            name: Arc::from(name),
            scope,
            function,
            file: Arc::clone(&self.file),
            type_id,
            place: place.unwrap_or(Place::OptimisedAway),
            declaration,
            external,
            symbol: symbol.map(Arc::from),
        });
    }

    fn place(&self, entry: &Entry) -> Option<Place> {
        let unit = &self.units.units[self.unit];
        if let Some(value) = entry.attr_value(DW_AT_location) {
            // A list of places is one for a local variable.
            let expression = value.exprloc_value()?;
            let dwarf = &self.units.dwarf;
            let around = Surroundings {
                encoding: unit.encoding(),
                base: self.base,
                indexed: &|index| dwarf.address(unit, index).ok(),
                thread_block: self.thread_block,
                frame_base: None,
                frame_address: None,
            };
            return Some(place(&expression, &around));
        }
        constant(&entry.attr_value(DW_AT_const_value)?)
    }

    /// A type, or a part of the type around it.
    fn shape(&mut self, entry: &Entry) -> Option<TypeId> {
        let parent = match self.scopes.last()?.inside {
            Inside::Type(id) => Some(id),
            Inside::Function(index) => Some(self.found.functions[index].type_id),
            Inside::Plain => None,
        };
        let target = match self.units.refers(self.unit, entry, DW_AT_type) {
            Some(position) => self.id(position),
            None => Types::VOID,
        };
        let definition = self.signature_target(entry);
        let Some(kind) = shapes::kind(entry, target, definition, self.cpp) else {
            let name = self.name(entry);
            let encoding = self.units.units[self.unit].encoding();
            if let (Some(part), Some(parent)) =
                (shapes::part(entry, encoding, target, name), parent)
            {
                part.attach(&mut self.found, parent);
                self.kept += 1;
            }
            return None;
        };
        let position = self.units.position(self.unit, entry.offset())?;
        let id = self.id(position);
        if matches!(kind, TypeKind::Enum(_)) && target != Types::VOID {
            self.found.underlying.push((id, target));
        }
        let scope = self.found_scope(entry);
        let (name, size) = (self.name(entry), shapes::size(entry));
        self.found.types[id.index()] =
            Type { name, scope, size, kind, artificial: entry.attr(DW_AT_artificial).is_some() };
        Some(id)
    }

    /// For a declaration that names its definition by signature: that definition.
    fn signature_target(&mut self, entry: &Entry) -> Option<TypeId> {
        let position = self.units.refers(self.unit, entry, gimli::DW_AT_signature)?;
        Some(self.id(position))
    }
}

fn is_static(entry: &Entry) -> bool {
    entry.attr(DW_AT_external).is_some() || entry.attr(DW_AT_declaration).is_some()
}
