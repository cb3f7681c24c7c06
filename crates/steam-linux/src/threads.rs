//! The threads of all processes: frozen ones as the state holds them, and those that changed.

use std::sync::Arc;

use steam_state::{Component, Context, Interner, Key, Recorder, Space, Table, ThreadId};
use steam_sync::Address;
use steam_visibility::Partial;

use crate::kernel::{AtomicBlock, OpenOperation, Pending, ThreadRecord};
use crate::parts::{Kind, Parts};
use crate::stores::{Floats, GuestStores};

/// A thread in a frozen state.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThreadState {
    /// eax ecx edx ebx esp ebp esi edi, and eip.
    pub registers: [u32; 9],
    /// The flags register.
    pub eflags: u32,
    /// The segment selectors es cs ss ds fs gs.
    pub selectors: [u16; 6],
    /// What fs and gs add to an address.
    pub bases: [u32; 2],
    /// Its floating point registers.
    pub floats: Component,
    /// What the kernel keeps for it.
    pub record: Component,
    /// What it does next.
    pub pending: Pending,
    /// What it runs as a whole.
    pub atomic_block: AtomicBlock,
    /// What its next instruction has done in earlier steps.
    pub partial: Partial,
    /// How many locks it holds.
    pub locks: u32,
    /// Where they are, ascending, where that is recorded; what has become of one since, the lock says.
    pub held: Vec<Address>,
    /// The blocks that it has allocated and that it initialises still, where that is recorded: first and last byte.
    pub fresh: Vec<(u32, u32)>,
    /// The operations that it is in, where that is recorded: the last one was begun last.
    pub operations: Vec<OpenOperation>,
    /// The address space of its process.
    pub space: Space,
}

/// A thread that was touched.
#[derive(Clone, Debug)]
pub struct LiveThread {
    /// Its registers; those of the thread on the CPU are there.
    pub context: Context,
    /// What the kernel keeps for it.
    pub record: ThreadRecord,
    /// What it does next.
    pub pending: Pending,
    /// What it runs as a whole.
    pub atomic_block: AtomicBlock,
    /// What its next instruction has done in earlier steps.
    pub partial: Partial,
    /// How many locks it holds.
    pub locks: u32,
    /// Where they are, ascending, where that is recorded; what has become of one since, the lock says.
    pub held: Vec<Address>,
    /// The blocks that it has allocated and that it initialises still, where that is recorded: first and last byte.
    pub fresh: Vec<(u32, u32)>,
    /// The operations that it is in, where that is recorded: the last one was begun last.
    pub operations: Vec<OpenOperation>,
    /// The address space of its process.
    pub space: Space,
    /// The components of floats and record that it was thawed from.
    origin: Option<(Component, Component)>,
}

/// All threads.
#[derive(Debug)]
pub struct Threads(Parts<LiveThread>);

impl Kind for LiveThread {
    type Number = ThreadId;
    type Frozen = ThreadState;
    /// `None` for one that ended.
    type Live = Option<Self>;

    fn key(thread: ThreadId) -> Key {
        Key::Thread(thread)
    }

    fn store(stores: &GuestStores) -> &Interner<ThreadState> {
        &stores.threads
    }

    fn thaw(id: Component, stores: &GuestStores) -> Option<Self> {
        (id != Component(0)).then(|| Self::thawed(stores.threads.get(id), stores))
    }

    fn freeze(live: Option<Self>, stores: &GuestStores) -> Component {
        live.map_or(Component(0), |live| live.intern(stores))
    }
}

impl LiveThread {
    fn thawed(frozen: &ThreadState, stores: &GuestStores) -> Self {
        let floats = stores.floats.get(frozen.floats);
        let mut gpr = [0; 8];
        gpr.copy_from_slice(&frozen.registers[..8]);
        Self {
            context: Context {
                gpr,
                eip: frozen.registers[8],
                eflags: frozen.eflags,
                selectors: frozen.selectors,
                fs_base: frozen.bases[0],
                gs_base: frozen.bases[1],
                x87: floats.x87.clone(),
                simd: floats.simd.clone(),
            },
            record: stores.records.get(frozen.record).clone(),
            pending: frozen.pending.clone(),
            atomic_block: frozen.atomic_block,
            partial: frozen.partial.clone(),
            locks: frozen.locks,
            held: frozen.held.clone(),
            fresh: frozen.fresh.clone(),
            operations: frozen.operations.clone(),
            space: frozen.space,
            origin: Some((frozen.floats, frozen.record)),
        }
    }

    fn intern(self, stores: &GuestStores) -> Component {
        let Self { context, record, pending, atomic_block, partial, .. } = self;
        let Self { locks, held, fresh, operations, space, origin, .. } = self;
        let floats = origin.map(|(id, _)| id).filter(|&id| {
            let known = stores.floats.get(id);
            known.x87 == context.x87 && known.simd == context.simd
        });
        let floats = floats.unwrap_or_else(|| {
            stores.floats.intern(Floats { x87: context.x87, simd: context.simd })
        });
        let known = origin.map(|(_, id)| id).filter(|&id| *stores.records.get(id) == record);
        let record = known.unwrap_or_else(|| stores.records.intern(record));
        let mut registers = [0; 9];
        registers[..8].copy_from_slice(&context.gpr);
        registers[8] = context.eip;
        stores.threads.intern(ThreadState {
            registers,
            eflags: context.eflags,
            selectors: context.selectors,
            bases: [context.fs_base, context.gs_base],
            floats,
            record,
            pending,
            atomic_block,
            partial,
            locks,
            held,
            fresh,
            operations,
            space,
        })
    }
}

impl Threads {
    /// The threads of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table, recorder: Recorder) -> Self {
        Self(Parts::new(stores, table, recorder))
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.0.attach(table);
    }

    /// Interns the threads that changed, and says which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        self.0.freeze(put);
    }

    fn stores(&self) -> &GuestStores {
        self.0.stores()
    }

    /// What a look at a thread tells, as it is now or as the frozen state has it.
    fn look<'a, T>(
        &'a self,
        thread: ThreadId,
        live: impl FnOnce(&'a LiveThread) -> T,
        frozen: impl FnOnce(&'a ThreadState) -> T,
    ) -> Option<T> {
        match self.0.changed().get(&thread) {
            Some(known) => known.as_ref().map(live),
            None => self.0.frozen(thread).map(frozen),
        }
    }

    /// A thread, to be changed.
    pub fn live(&mut self, thread: ThreadId) -> Option<&mut LiveThread> {
        // That a thread is not there changes nothing.
        if !self.0.changed().contains_key(&thread) {
            self.0.frozen(thread)?;
        }
        self.0.live(thread).as_mut()
    }

    /// The record of a thread.
    pub fn get(&self, thread: ThreadId) -> Option<&ThreadRecord> {
        self.look(thread, |live| &live.record, |frozen| self.stores().records.get(frozen.record))
    }

    /// The record of a thread, to be changed.
    pub fn get_mut(&mut self, thread: ThreadId) -> Option<&mut ThreadRecord> {
        self.live(thread).map(|live| &mut live.record)
    }

    /// What a thread does next.
    pub fn pending(&self, thread: ThreadId) -> Option<&Pending> {
        self.look(thread, |live| &live.pending, |frozen| &frozen.pending)
    }

    /// The address space of a thread's process.
    pub fn space(&self, thread: ThreadId) -> Option<Space> {
        self.look(thread, |live| live.space, |frozen| frozen.space)
    }

    /// The numbers of all threads, ascending.
    pub fn numbers(&self) -> Vec<ThreadId> {
        let mut numbers: Vec<ThreadId> = self.stores().state.slots.threads(self.0.notes());
        for &thread in self.0.changed().keys() {
            // Most of them are known: few are new.
            if let Err(place) = numbers.binary_search(&thread) {
                numbers.insert(place, thread);
            }
        }
        numbers.retain(|&thread| self.get(thread).is_some());
        numbers
    }

    /// All threads, by number.
    pub fn iter(&self) -> impl Iterator<Item = (ThreadId, &ThreadRecord)> + '_ {
        let record = |thread| self.get(thread).expect("a thread that is listed is there");
        self.numbers().into_iter().map(move |thread| (thread, record(thread)))
    }

    /// The threads of one process, by number.
    pub fn of(&self, space: Space) -> impl Iterator<Item = (ThreadId, &ThreadRecord)> + '_ {
        self.iter().filter(move |(thread, _)| self.space(*thread) == Some(space))
    }

    /// The first thread after `thread`, round the end, for which `wanted` holds; `thread` itself
    /// is tried last.
    pub fn next(
        &self,
        thread: ThreadId,
        wanted: impl Fn(ThreadId, &ThreadRecord) -> bool,
    ) -> Option<ThreadId> {
        let numbers = self.numbers();
        let behind = numbers.partition_point(|&number| number <= thread);
        let mut order = numbers[behind..].iter().chain(&numbers[..behind]).copied();
        let record = |thread| self.get(thread).expect("a thread that is listed is there");
        order.find(|&thread| wanted(thread, record(thread)))
    }

    /// Whether a process has other threads than one. Most often a look at one of them is enough.
    pub fn has_others(&self, space: Space, thread: ThreadId) -> bool {
        let is_other = |&other: &ThreadId| other != thread && self.space(other) == Some(space);
        is_other(&space.leader()) || self.numbers().iter().any(is_other)
    }

    /// How many threads there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers().len()
    }

    /// Whether there are fewer; without counting them where no number is that high.
    pub fn are_fewer_than(&self, limit: u32) -> bool {
        let known = self.stores().state.slots.highest_thread();
        let changed = self.0.changed().last_key_value().map_or(0, |(thread, _)| thread.0);
        known.max(changed) < limit || (self.len() as u64) < u64::from(limit)
    }

    /// Adds a thread to a process.
    pub fn insert(
        &mut self,
        thread: ThreadId,
        space: Space,
        record: ThreadRecord,
        context: Context,
    ) {
        let live = LiveThread {
            context,
            record,
            pending: Pending::Continue,
            atomic_block: AtomicBlock::None,
            partial: Partial::new(),
            locks: 0,
            held: Vec::new(),
            fresh: Vec::new(),
            operations: Vec::new(),
            space,
            origin: None,
        };
        self.0.set(thread, Some(live));
    }

    /// Removes a thread that ended.
    pub fn remove(&mut self, thread: ThreadId) {
        if self.0.frozen(thread).is_some() {
            self.0.set(thread, None);
        } else {
            // It was created since: nothing is left of it.
            self.0.reset(thread);
        }
    }

    /// Stores the registers of a thread that leaves the CPU. Of one that has ended none are kept.
    pub fn set_context(&mut self, thread: ThreadId, context: Context) {
        if let Some(live) = self.live(thread) {
            live.context = context;
        }
    }
}
