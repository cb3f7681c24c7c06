//! After the walk: what could not be known before all entries were read.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Variable;
use super::places::{Address, Place};
use super::shapes::Part;
use super::types::{Encoding, Keyword, Type, TypeId, TypeKind, Types};
use super::walk::Found;
use crate::symbols::{SymbolKind, Symbols};

impl Part {
    /// Adds a part to the type around it; a part at the wrong place is left out.
    pub(super) fn attach(self, found: &mut Found, around: TypeId) {
        match (self, &mut found.types[around.index()].kind) {
            (Part::Member(member), TypeKind::Aggregate(aggregate)) => {
                aggregate.members.push(member);
            }
            (Part::Constant(name, value), TypeKind::Enum(enumeration)) => {
                enumeration.constants.push((name, value));
            }
            (Part::Variadic, TypeKind::Function(signature)) => signature.variadic = true,
            (Part::Dimension(count), TypeKind::Array(..)) => match found.dimensions.last_mut() {
                Some((id, counts)) if *id == around => counts.push(count),
                _ => found.dimensions.push((around, vec![count])),
            },
            _ => {}
        }
    }
}

/// Completes types and variables.
pub(super) fn finish(found: &mut Found, symbols: &Symbols) {
    nest_arrays(found);
    sign_enumerations(found);
    complete_declarations(&mut found.types);
    found.variables = variables(std::mem::take(&mut found.variables), symbols);
}

/// An array of several dimensions is an array of arrays.
fn nest_arrays(found: &mut Found) {
    for (id, counts) in std::mem::take(&mut found.dimensions) {
        let TypeKind::Array(mut element, _) = found.types[id.index()].kind else { continue };
        for &count in counts[1..].iter().rev() {
            let kind = TypeKind::Array(element, count);
            found.types.push(Type::unnamed(kind, None));
            element = Types::id(found.types.len() - 1);
        }
        found.types[id.index()].kind = TypeKind::Array(element, counts[0]);
    }
}

/// An enumeration has the sign of the type under it, or of its constants.
fn sign_enumerations(found: &mut Found) {
    let underlying: HashMap<TypeId, TypeId> = found.underlying.iter().copied().collect();
    for index in 0..found.types.len() {
        let TypeKind::Enum(enumeration) = &found.types[index].kind else { continue };
        let by_type =
            underlying.get(&Types::id(index)).and_then(|target| is_signed(&found.types, *target));
        let by_constants = enumeration.constants.iter().any(|&(_, value)| value < 0);
        if let TypeKind::Enum(enumeration) = &mut found.types[index].kind {
            enumeration.signed = by_type.unwrap_or(by_constants);
        }
    }
}

fn is_signed(types: &[Type], id: TypeId) -> Option<bool> {
    let mut id = id;
    for _ in 0..8 {
        id = match &types.get(id.index())?.kind {
            TypeKind::Typedef(next) | TypeKind::Qualified(_, next) => *next,
            TypeKind::Base(encoding) => {
                return Some(matches!(encoding, Encoding::Signed | Encoding::SignedCharacter));
            }
            _ => return None,
        };
    }
    None
}

/// Finds, by name, the definitions of what some units only declare.
fn complete_declarations(types: &mut [Type]) {
    let mut defined: HashMap<(bool, Arc<str>, String), TypeId> = HashMap::new();
    for (index, found) in types.iter().enumerate() {
        let enumeration = matches!(found.kind, TypeKind::Enum(_));
        if !enumeration && !matches!(found.kind, TypeKind::Aggregate(_)) {
            continue;
        }
        if let Some(name) = &found.name {
            let key = (enumeration, Arc::clone(&found.scope), name.clone());
            defined.entry(key).or_insert(Types::id(index));
        }
    }
    for found in types {
        if let (TypeKind::Declared(keyword, None), Some(name)) = (&found.kind, &found.name) {
            let keyword = *keyword;
            let key = (keyword == Keyword::Enum, Arc::clone(&found.scope), name.clone());
            found.kind = TypeKind::Declared(keyword, defined.get(&key).copied());
        }
    }
}

/// Leaves out declarations of what is defined elsewhere, and copies: a static variable of an
/// inlined function is described again and again. What is declared here and defined in code
/// without debug information lies where its symbol says.
fn variables(all: Vec<Variable>, symbols: &Symbols) -> Vec<Variable> {
    let key = |it: &Variable| (Arc::clone(&it.scope), Arc::clone(&it.name));
    let here = |it: &Variable| it.place != Place::OptimisedAway;
    let defined: BTreeSet<_> =
        all.iter().filter(|it| !it.declaration && here(it)).map(key).collect();
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for mut variable in all {
        if (variable.declaration || variable.external)
            && !here(&variable)
            && variable.function.is_none()
        {
            if defined.contains(&key(&variable)) {
                continue;
            }
            let name = variable.symbol.as_ref().unwrap_or(&variable.name);
            let object = symbols.find(name).find(|symbol| symbol.kind == SymbolKind::Object);
            match object {
                Some(symbol) => variable.place = Place::Memory(Address::Fixed(symbol.address)),
                None if variable.declaration => continue,
                None => {}
            }
        }
        let once = match &variable.place {
            Place::Memory(Address::Fixed(address)) => Some(*address),
            _ => None,
        };
        let identity =
            (key(&variable), variable.function.clone(), once, Arc::clone(&variable.file));
        let again = match once {
            // At the same address it is the same one, whichever unit tells.
            Some(address) => !seen.insert((key(&variable), None, Some(address), Arc::from(""))),
            None => !seen.insert(identity),
        };
        if !again {
            kept.push(variable);
        }
    }
    kept
}
