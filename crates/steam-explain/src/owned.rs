//! What the memory of one thread is called, which others reach by pointers: local variables, and
//! those that each thread has for itself.

use steam_image::{Activation, Declared, Image, Place, THREAD_BASE, Wanted};
use steam_program::{Glimpse, Program, Worker};
use steam_state::{Table, ThreadId};

/// A variable of one thread.
pub(crate) struct Owned {
    /// What the source calls the bytes: `main::i`, `table[2]`.
    pub name: String,
    /// The thread.
    pub owner: ThreadId,
    /// Whether it lies on the thread's stack.
    pub on_stack: bool,
}

/// Some bytes of the memory of a thread's process.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    pub thread: ThreadId,
    pub address: u32,
    pub size: u32,
}

/// Finds the variable of a thread that has the bytes.
pub(crate) fn owned(
    program: &Program,
    worker: &mut Worker,
    state: &Table,
    bytes: Bytes,
) -> Option<Owned> {
    if let Some(owner) = program.stack_owner(worker, state, bytes.thread, bytes.address) {
        let glimpse = program.glimpse(worker, state, owner)?;
        if let Some(name) = local(program, glimpse, bytes) {
            return Some(Owned { name, owner, on_stack: true });
        }
    }
    // The library puts the variables that a thread has for itself above its stack, in one piece of memory with it.
    let space = program.space_of(state, bytes.thread)?;
    let mates = program.view(state).into_iter().map(|view| view.thread);
    let mates = mates.filter(|&mate| program.space_of(state, mate) == Some(space));
    mates.collect::<Vec<_>>().into_iter().find_map(|owner| {
        let base = program.glimpse(worker, state, owner)?.thread_base();
        let name = program.atomics().own_name(bytes.address.wrapping_sub(base), bytes.size)?;
        Some(Owned { name, owner, on_stack: false })
    })
}

/// The local variable that has the bytes, of a function that the thread is in.
fn local(program: &Program, mut glimpse: Glimpse<'_>, bytes: Bytes) -> Option<String> {
    let image = program.image();
    let declared = image.declarations.get().ok()?;
    let calls = glimpse.activations();
    calls
        .into_iter()
        .find_map(|call| local_of(program, (image, declared), &call, &mut glimpse, bytes))
}

fn local_of(
    program: &Program,
    (image, declared): (&Image, &Declared),
    call: &Activation,
    glimpse: &mut Glimpse<'_>,
    bytes: Bytes,
) -> Option<String> {
    let base = glimpse.thread_base();
    let mut give = |wanted| match wanted {
        Wanted::Register(THREAD_BASE) => Ok(base),
        Wanted::Register(number) => call.gpr.get(usize::from(number)).copied().ok_or(()),
        Wanted::Word(address) => {
            let mut word = [0; 4];
            let is_read = glimpse.read(address, &mut word);
            is_read.then_some(u32::from_le_bytes(word)).ok_or(())
        }
    };
    declared.locals(call.probe(), &image.unwinder).iter().find_map(|local| {
        let Place::Memory(address) = local.place else { return None };
        let at = bytes.address.wrapping_sub(address.resolve(&mut give).ok()?);
        let size = declared.types().size(local.type_id)?;
        let within = at.checked_add(bytes.size).is_some_and(|end| end <= size);
        within.then(|| program.atomics().local_name(local, at, bytes.size))?
    })
}
