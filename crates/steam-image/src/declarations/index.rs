//! From names and addresses to what is declared.

use std::collections::BTreeMap;

use super::types::{Type, TypeId, TypeKind, Types};
use super::walk::Found;
use super::{Declared, Function, Variable};

/// Where each name occurs.
pub(super) struct Names {
    variables: BTreeMap<String, Vec<u32>>,
    functions: BTreeMap<String, Vec<u32>>,
    types: BTreeMap<String, Vec<TypeId>>,
    constants: BTreeMap<String, Vec<(TypeId, i64)>>,
    /// Start and end of functions with their indices, by ascending start.
    ranges: Vec<(u32, u32, u32)>,
}

impl Names {
    /// Sorts what the walk has found.
    pub(super) fn new(found: &Found) -> Names {
        let mut names = Names {
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            types: BTreeMap::new(),
            constants: BTreeMap::new(),
            ranges: Vec::new(),
        };
        for (index, variable) in found.variables.iter().enumerate() {
            names.variables.entry(variable.name.to_string()).or_default().push(index as u32);
        }
        for (index, function) in found.functions.iter().enumerate() {
            if function.ranges.is_empty() {
                continue;
            }
            names.functions.entry(function.name.to_string()).or_default().push(index as u32);
            let ranges = function.ranges.iter().map(|&(start, end)| (start, end, index as u32));
            names.ranges.extend(ranges);
        }
        for (index, named) in found.types.iter().enumerate() {
            names.add_type(Types::id(index), named);
        }
        names.ranges.sort_unstable();
        names
    }

    fn add_type(&mut self, id: TypeId, named: &Type) {
        if let TypeKind::Enum(enumeration) = &named.kind {
            for (name, value) in &enumeration.constants {
                self.constants.entry(name.clone()).or_default().push((id, *value));
            }
        }
        let complete = !matches!(named.kind, TypeKind::Declared(..));
        if let (Some(name), true) = (&named.name, complete) {
            self.types.entry(name.clone()).or_default().push(id);
        }
    }
}

impl Declared {
    /// Returns all types.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// Yields the variables called `name`, in whatever scope.
    pub fn variables(&self, name: &str) -> impl Iterator<Item = &Variable> {
        let found = self.names.variables.get(name).into_iter().flatten();
        found.map(|&index| &self.variables[index as usize])
    }

    /// Yields the functions called `name` that have code, in whatever scope.
    pub fn functions(&self, name: &str) -> impl Iterator<Item = &Function> {
        let found = self.names.functions.get(name).into_iter().flatten();
        found.map(|&index| &self.functions[index as usize])
    }

    /// Yields the types called `name` that are defined, in whatever scope.
    pub fn types_named(&self, name: &str) -> impl Iterator<Item = TypeId> {
        self.names.types.get(name).into_iter().flatten().copied()
    }

    /// Yields the constants of enumerations called `name`: their types and values.
    pub fn constants(&self, name: &str) -> impl Iterator<Item = (TypeId, i64)> {
        self.names.constants.get(name).into_iter().flatten().copied()
    }

    /// Yields the names of all variables, functions and constants, each kind sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let Names { variables, functions, constants, .. } = &self.names;
        let names = variables.keys().chain(functions.keys()).chain(constants.keys());
        names.map(String::as_str)
    }

    /// Yields the names of all types, sorted.
    pub fn type_names(&self) -> impl Iterator<Item = &str> {
        self.names.types.keys().map(String::as_str)
    }

    /// Yields all variables, in the order of the file.
    pub fn all_variables(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter()
    }

    /// Yields all functions, in the order of the file.
    pub fn all_functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter()
    }

    /// Returns the function whose instructions contain the one at `pc`.
    pub fn function_at(&self, pc: u32) -> Option<&Function> {
        let ranges = &self.names.ranges;
        let after = ranges.partition_point(|&(start, _, _)| start <= pc);
        let &(_, end, index) = ranges[..after].last()?;
        (pc < end).then(|| &self.functions[index as usize])
    }
}
