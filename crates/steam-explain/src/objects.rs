//! What synchronisation objects are called that are no variables with a fixed place: those on the heap by the
//! member as which they were used and by where their block was allocated, those on a stack by the local variable.

use std::collections::BTreeMap;

use steam_linux::kernel::Pending;
use steam_program::{Event, Program, Worker};
use steam_state::{Place, Space, Table, ThreadId};
use steam_sync::{Address, Operation};

use crate::names::Names;
use crate::owned::{Bytes, owned};
use crate::places::users_place;
use crate::retrace::Traced;

/// An object, as a thread uses it.
struct Used {
    thread: ThreadId,
    /// The member of a type by which it was used.
    member: Option<String>,
}

/// The names of the objects of a way to a state, as far as they are not those of variables. The first worker made
/// the steps, and makes no more of them; the second one only looks.
pub(crate) fn names(
    program: &Program,
    (worker, looker): (&mut Worker, &mut Worker),
    steps: &[Traced],
    state: &Table,
) -> BTreeMap<Address, String> {
    let known = Names { image: program.image(), source: program.atomics() };
    let mut names = BTreeMap::new();
    for (address, used) in used(program, steps, state) {
        let place = Place::from_number(address).unwrap_or(Space::FIRST.at(0));
        if place.space() == Space::SHARED || known.variable(place.address()).is_some() {
            continue;
        }
        let bytes = Bytes { thread: used.thread, address: place.address(), size: 1 };
        let block = program.block_at(worker, state, used.thread, place.address());
        let site = block.and_then(|block| block.allocated).map(|site| users_place(&site.stack));
        let site = site.filter(|site| site.line.is_some()).map(|site| site.line_position());
        let name = match (used.member, site) {
            (Some(member), Some(site)) => {
                Some(format!("{member} ({:#010x}, allocated at {site})", place.address()))
            }
            (None, Some(site)) => Some(format!("{:#010x} (allocated at {site})", place.address())),
            (_, None) => owned(program, looker, state, bytes).map(|owned| owned.name),
        };
        names.extend(name.map(|name| (address, name)));
    }
    names
}

/// A name of an object on the heap without where that was allocated.
pub(crate) fn briefly(name: &str) -> String {
    match name.split_once(", allocated at ") {
        Some((before, _)) => format!("{before})"),
        None => name.split_once(" (allocated at ").map_or(name, |(before, _)| before).to_owned(),
    }
}

/// The objects that were used on the way, and those for which threads wait at its end.
fn used(program: &Program, steps: &[Traced], state: &Table) -> BTreeMap<Address, Used> {
    let mut used = BTreeMap::new();
    let mut note = |operation: &Operation, thread, caller: Option<u32>| {
        let [first, second] = operation.objects();
        let member = || caller.and_then(|caller| program.atomics().argument(caller));
        for (address, member) in
            [first.map(|it| (it, member())), second.map(|it| (it, None))].into_iter().flatten()
        {
            let known: &mut Used = used.entry(address).or_insert(Used { thread, member: None });
            known.member = known.member.take().or(member);
        }
    };
    for event in steps.iter().flat_map(|step| &step.events) {
        if let Event::Synchronised { operation, thread, callers, .. } = event {
            note(operation, *thread, callers.first().copied());
        }
    }
    for view in program.view(state) {
        if let Some(Pending::Sync { operation, .. }) = program.pending(state, view.thread) {
            note(operation, view.thread, None);
        }
    }
    used
}
