//! Which accesses of a function are made as volatile objects by a cast (`ACCESS_ONCE`, `const_cast<volatile T *>`).
//!
//! The text of the statement says what is accessed so, by its last name (`volatile_text.rs`); an instruction is the
//! access that is meant if it accesses what has that name, in that direction, and nothing else in the statement
//! does. Where the name leads to another one, as a parameter or a pointer does, it is the only access that can be
//! meant; where several can, none is taken: a plain access that counts as atomic would hide a race.

use std::collections::{BTreeMap, HashMap};

use steam_image::{Placed, Qualifier, TypeId, TypeKind};

use crate::cells;
use crate::context::Context;
use crate::operand::{Access, Operand};
use crate::operations::same_place;
use crate::source::{Place, Sources};
use crate::value::Base;
use crate::volatile_text::{Accesses, Direction, Named};

/// The most typedefs that are followed from a name to its type.
const MOST_TYPEDEFS: usize = 32;

/// Line and column.
type Begins = (usize, usize);

/// The number of an inlined call, if the instructions belong to one.
type Call = Option<usize>;

/// The instructions of a statement: its file, where it begins, and which copy of it.
type Group = (String, Begins, Call);

/// What a statement says.
struct Said {
    accesses: Accesses,
    /// Whether it is a whole function.
    function: bool,
}

/// The accesses of one statement, or of one copy of it that was inlined.
struct Scene<'a> {
    said: &'a Accesses,
    /// Whether the statement is a whole function.
    function: bool,
    instructions: Vec<u32>,
}

/// Says which accesses are made as volatile objects by a cast, among those of one function, where that counts as
/// atomic.
pub(crate) fn settle(
    context: &Context<'_>,
    variables: &[Placed],
    operands: &mut HashMap<u32, Operand>,
) {
    if !context.sources.volatile {
        return;
    }
    // What each place of the line table says, and where its statement begins.
    let mut said: BTreeMap<(Place, Call), Option<(Begins, Said)>> = BTreeMap::new();
    let mut groups: BTreeMap<Group, (Place, Vec<u32>)> = BTreeMap::new();
    for (&eip, operand) in operands.iter().filter(|(_, operand)| can_be(operand)) {
        let Some(place) = Sources::place(context.image, eip) else { continue };
        let inlined = operand.inlined;
        let found = said
            .entry((place.clone(), inlined))
            .or_insert_with(|| read(context, variables, &place, inlined));
        if let Some((begins, _)) = found {
            let group = (place.0.clone(), *begins, inlined);
            groups.entry(group).or_insert((place, Vec::new())).1.push(eip);
        }
    }
    for ((_, _, inlined), (place, mut instructions)) in groups {
        let Some(Some((_, said))) = said.get(&(place, inlined)) else { continue };
        instructions.sort_unstable();
        let scene = Scene { said: &said.accesses, function: said.function, instructions };
        for eip in scene.volatiles(context, variables, operands) {
            if let Some(operand) = operands.get_mut(&eip) {
                operand.access = Access::Operation;
            }
        }
    }
}

/// What the statement around a place says, if it accesses a volatile object.
fn read(
    context: &Context<'_>,
    variables: &[Placed],
    place: &Place,
    inlined: Call,
) -> Option<(Begins, Said)> {
    // Of several with one name, in blocks of the function, it is not known which one is meant.
    let is_pointer = |name: &str| {
        let mut own = variables
            .iter()
            .filter(|variable| variable.inlined == inlined && *variable.name == *name);
        let points = |it: &Placed| points_to_volatile(context, it.type_id);
        own.next().is_some_and(points) && own.all(points)
    };
    let statement = context.sources.statement(place)?;
    let accesses = Accesses::of(&statement.text, is_pointer);
    let said = Said { function: statement.function, accesses };
    (!said.accesses.casts.is_empty()).then_some((statement.begins, said))
}

/// Whether a variable of a type points to volatile objects.
fn points_to_volatile(context: &Context<'_>, id: TypeId) -> bool {
    let types = context.parts.types;
    let (TypeKind::Pointer(target) | TypeKind::Reference(target)) = types.kind(id) else {
        return false;
    };
    let mut id = *target;
    for _ in 0..MOST_TYPEDEFS {
        id = match types.get(id).kind {
            TypeKind::Qualified(Qualifier::Volatile, _) => return true,
            TypeKind::Typedef(next)
            | TypeKind::Qualified(_, next)
            | TypeKind::Declared(_, Some(next)) => next,
            _ => return false,
        };
    }
    false
}

/// Whether an instruction can be a load or a store of a volatile object.
fn can_be(operand: &Operand) -> bool {
    let open = matches!(operand.access, Access::Plain | Access::ByAddress | Access::Open);
    open && !operand.whole && (operand.moves() || !operand.writes)
}

impl Scene<'_> {
    fn volatiles(
        &self,
        context: &Context<'_>,
        variables: &[Placed],
        operands: &HashMap<u32, Operand>,
    ) -> Vec<u32> {
        let name = |eip: &u32| last_name(context, variables, &operands[eip]);
        let names: Vec<(u32, Option<Named>)> =
            self.instructions.iter().map(|&eip| (eip, name(&eip))).collect();
        let mut found: Vec<u32> = names
            .iter()
            .filter(|(eip, name)| {
                name.as_ref().is_some_and(|name| self.is_named(name, operands[eip].writes))
            })
            .map(|(eip, _)| *eip)
            .collect();
        // Another pointer is followed: what has no name may be reached by that one.
        if self.function || self.said.follows {
            return found;
        }
        for writes in [false, true] {
            let is_met = |named: &Named| {
                names.iter().any(|(eip, name)| {
                    operands[eip].writes == writes && name.as_ref() == Some(named)
                })
            };
            let open = |(named, direction): &&(Option<Named>, Direction)| {
                direction.covers(writes) && !named.as_ref().is_some_and(is_met)
            };
            let casts = self.said.casts.iter().filter(open).count();
            let possible = names.iter().filter(|(eip, name)| {
                let operand = &operands[eip];
                operand.writes == writes && !operand.in_frame() && !self.mentions(name.as_ref())
            });
            let possible: Vec<u32> = possible.map(|(eip, _)| *eip).collect();
            // What lies at a fixed address is often the pointer by which the others come to theirs.
            let fixed = |eip: &&u32| operands[*eip].access == Access::ByAddress;
            let chosen: Vec<u32> = match possible.iter().all(|eip| fixed(&eip)) {
                true => possible,
                false => possible.into_iter().filter(|eip| !fixed(&eip)).collect(),
            };
            if distinct(operands, &chosen) <= casts {
                found.extend(chosen);
            }
        }
        found
    }

    /// Whether what has a name is accessed as a volatile object, and in no other way.
    fn is_named(&self, name: &Named, writes: bool) -> bool {
        let cast = |(named, direction): &(Option<Named>, Direction)| {
            named.as_ref() == Some(name) && direction.covers(writes)
        };
        let other = |(other, direction): &(String, Direction)| {
            *other == name.name && direction.covers(writes)
        };
        self.said.casts.iter().any(cast) && !self.said.others.iter().any(other)
    }

    /// Whether the statement mentions what has a name.
    fn mentions(&self, name: Option<&Named>) -> bool {
        let Some(name) = name else { return false };
        let cast = |(named, _): &(Option<Named>, Direction)| {
            named.as_ref().is_some_and(|named| named.name == name.name)
        };
        self.said.casts.iter().any(cast)
            || self.said.others.iter().any(|(other, _)| *other == name.name)
    }
}

/// How many different places some instructions access.
fn distinct(operands: &HashMap<u32, Operand>, instructions: &[u32]) -> usize {
    let mut places: Vec<&Operand> = Vec::new();
    for operand in instructions.iter().map(|eip| &operands[eip]) {
        if !places.iter().any(|other| same_place(operand, other)) {
            places.push(operand);
        }
    }
    places.len()
}

/// The last name on the way to what an instruction accesses.
fn last_name(context: &Context<'_>, variables: &[Placed], operand: &Operand) -> Option<Named> {
    let types = context.parts.types;
    let name = match operand.address.base {
        Base::Zero => {
            let within = context.objects.at(operand.address.add as u32)?;
            cells::name(types, within.variable, within.at, 1)
        }
        Base::Object(..) => {
            let (id, at) = operand.member()?;
            cells::member(types, id, at)?
        }
        Base::Frame | Base::Aligned => {
            let (number, at) = operand.variable?;
            // Who names a reference means what it refers to.
            let is_reference =
                |it: &&Placed| matches!(types.kind(it.type_id), TypeKind::Reference(_));
            let variable = variables.get(number).filter(|variable| !is_reference(variable))?;
            cells::within(types, &variable.name, variable.type_id, at)
        }
        _ => return None,
    };
    let last = name.rsplit(['.', ':']).next()?;
    let name = last.split('[').next()?.to_owned();
    Some(Named { element: last.contains('['), name })
}
