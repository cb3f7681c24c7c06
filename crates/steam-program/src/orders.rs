//! The order of memory that the source gives an atomic store, where the compiler has not looked at it.
//!
//! Without optimisation `std::atomic<int>::store(1, std::memory_order_relaxed)` takes the order as an argument, and
//! the compiler, which does not know its value, locks the bus: on this machine the store is a sequential one, and in
//! the program that people mean it is not. The debug information says where the argument lies.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use steam_image::{Activation, Address, CALL_FRAME, Declared, Place, TypeId, TypeKind};
use steam_state::{Reading, Table};

use super::races::Side;
use super::{Program, Worker};

/// The name of the type of such arguments, in C and C++.
const ORDER: &str = "memory_order";
/// Sequential consistency, the strongest one.
const STRONGEST: u32 = 5;
/// Parts of the names of operations that read as well: these lock the bus whatever their order is.
const EXCHANGES: [&str; 3] = ["exchange", "test_and_set", "swap"];
/// The most typedefs that are followed from a name to its type.
const MOST_TYPEDEFS: usize = 16;

/// Where instructions that exchange find their order, as far as they were met.
#[derive(Default)]
pub(super) struct Orders(RwLock<HashMap<u32, Option<Address>>>);

impl Program {
    /// Whether a store that locks the bus is weaker than that by its source.
    pub(super) fn is_weaker(&self, worker: &mut Worker, state: &Table, side: Side) -> bool {
        if !side.access.write || !side.locked || side.whole {
            return false;
        }
        // As strong as it looks: the source says nothing else.
        let Some(place) = self.place_of_order(side.eip) else { return false };
        let order = self.address_in_frame(worker, state, side, place);
        let order = order.and_then(|at| self.word_of(worker, state, side, at));
        order.is_some_and(|order| order < STRONGEST)
    }

    /// Where the order of the store by an instruction lies, if it is an argument.
    fn place_of_order(&self, eip: u32) -> Option<Address> {
        let known = self.orders.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&eip) {
            return *found;
        }
        drop(known);
        let found = self.find_order(eip);
        self.orders.0.write().unwrap_or_else(PoisonError::into_inner).insert(eip, found);
        found
    }

    fn find_order(&self, eip: u32) -> Option<Address> {
        let segment = self.image.segment_at(eip)?;
        let code = segment.data.get((eip - segment.address) as usize..)?;
        if !vm_isa::decode(code, eip)?.op.exchanges_memory() {
            return None;
        }
        let declared = self.image.declarations.get().ok()?;
        let function = declared.function_at(eip)?;
        let body = declared.body(function);
        let contains =
            |ranges: &[(u32, u32)]| ranges.iter().any(|&(from, to)| (from..to).contains(&eip));
        // Inner calls come later.
        let innermost = body.inlined.iter().rposition(|call| contains(&call.ranges));
        let name = innermost.map_or(&function.name, |call| &body.inlined[call].name);
        if EXCHANGES.iter().any(|part| name.contains(part)) {
            return None;
        }
        let own = body.variables.iter().filter(|variable| variable.inlined == innermost);
        let mut places = own.filter(|it| is_order(declared, it.type_id)).flat_map(|it| &it.places);
        places.find_map(|(from, to, place)| match place {
            Place::Memory(address) if (*from..*to).contains(&eip) => Some(*address),
            _ => None,
        })
    }

    /// The address of a variable of the function that a thread is in.
    fn address_in_frame(
        &self,
        worker: &mut Worker,
        state: &Table,
        side: Side,
        place: Address,
    ) -> Option<u32> {
        let registers = &self.frozen(Reading::unrecorded(state), side.thread)?.state.registers;
        let mut gpr = [0; 8];
        gpr.copy_from_slice(registers.get(..8)?);
        let mut address = |place: Address, frame: Option<u32>| match place {
            Address::Fixed(address) => Some(address),
            Address::Register { register: CALL_FRAME, offset } => Some(frame?.wrapping_add(offset)),
            Address::Register { register, offset } => {
                Some(gpr.get(usize::from(register))?.wrapping_add(offset))
            }
            Address::Loaded { register, offset, then } => {
                let at = gpr.get(usize::from(register))?.wrapping_add(offset);
                Some(self.word_of(worker, state, side, at)?.wrapping_add(then))
            }
        };
        let activation = Activation { gpr, eip: side.eip, exact: true };
        let rule = self.image.unwinder.rule(&activation)?;
        let frame = rule.frame_address().and_then(|frame| address(frame, None));
        address(place, frame)
    }

    /// The word at an address of a thread's process.
    fn word_of(&self, worker: &mut Worker, state: &Table, side: Side, at: u32) -> Option<u32> {
        let space = self.space_of(state, side.thread)?;
        let mut bytes = [0; 4];
        let read = self.read_memory(worker, state, space, at, &mut bytes);
        read.then_some(u32::from_le_bytes(bytes))
    }
}

/// Whether a type is that of orders of memory.
fn is_order(declared: &Declared, id: TypeId) -> bool {
    let types = declared.types();
    let mut id = id;
    for _ in 0..MOST_TYPEDEFS {
        let found = types.get(id);
        if found.name.as_deref() == Some(ORDER) {
            return true;
        }
        id = match found.kind {
            TypeKind::Typedef(next)
            | TypeKind::Qualified(_, next)
            | TypeKind::Declared(_, Some(next)) => next,
            _ => return false,
        };
    }
    false
}
