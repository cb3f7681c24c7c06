//! What the states of one search share: the interned parts of which a guest's state is made.

use std::sync::Arc;

use steam_state::{Interner, Stores};
use steam_sync::Object;
use steam_visibility::Sharing;
use vm_isa::simd::Simd;
use vm_isa::x87::X87;

use crate::execution::Images;
use crate::kernel::{Channel, Kernel, ProcessEnvironment, ThreadRecord};
use crate::marks::Mark;
use crate::threads::ThreadState;

/// The floating point registers of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Floats {
    /// The floating point stack.
    pub x87: X87,
    /// The SSE registers.
    pub simd: Simd,
}

/// The stores of one search over a guest, shared by all its workers.
#[derive(Debug)]
pub struct GuestStores {
    /// Memory, heap and slots.
    pub state: Arc<Stores>,
    /// What was learned of what threads have in common.
    pub sharing: Arc<Sharing>,
    /// What all processes share.
    pub kernels: Interner<Arc<Kernel>>,
    /// What belongs to a process.
    pub processes: Interner<Arc<ProcessEnvironment>>,
    /// Threads.
    pub threads: Interner<ThreadState>,
    /// What the kernel keeps for threads.
    pub records: Interner<ThreadRecord>,
    /// Floating point registers.
    pub floats: Interner<Floats>,
    /// Synchronisation objects.
    pub objects: Interner<Object>,
    /// Channels between processes.
    pub channels: Interner<Channel>,
    /// What the plain locking discipline remembers of words.
    pub marks: Interner<Mark>,
    /// Programs that processes went over to.
    pub images: Images,
}

impl Default for GuestStores {
    fn default() -> Self {
        Self::new(Arc::new(Stores::default()))
    }
}

impl GuestStores {
    /// Stores around those of memory and heap.
    pub fn new(state: Arc<Stores>) -> Self {
        Self {
            state,
            sharing: Arc::default(),
            kernels: Interner::new(Arc::default()),
            processes: Interner::new(Arc::default()),
            threads: Interner::new(ThreadState::default()),
            records: Interner::new(ThreadRecord::default()),
            floats: Interner::new(Floats::default()),
            objects: Interner::new(Object::default()),
            channels: Interner::new(Channel::default()),
            marks: Interner::new(Mark::default()),
            images: Images::default(),
        }
    }

    /// About how many bytes the components take.
    pub fn bytes(&self) -> u64 {
        let own = self.kernels.bytes()
            + self.processes.bytes()
            + self.threads.bytes()
            + self.records.bytes()
            + self.floats.bytes()
            + self.objects.bytes()
            + self.channels.bytes()
            + self.marks.bytes();
        own as u64 + self.state.bytes()
    }
}
