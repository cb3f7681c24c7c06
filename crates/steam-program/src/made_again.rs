//! Objects that are about to be initialised: whether they are already, and whether the library refuses.

use steam_libc::NewMutex;
use steam_linux::objects::place_of;
use steam_sync::{Address, BarrierCall, Call, MutexCall, Object, Objects, Operation};

use super::Program;
use super::step::Worker;

impl Worker {
    /// The thread on the CPU is about to do an operation: whether that initialises a mutex with attributes
    /// that the library refuses. What is initialised a second time is noted.
    pub(super) fn refuses_attributes(&mut self, program: &Program, operation: &Operation) -> bool {
        let made_before = match operation.call {
            Call::Mutex(MutexCall::Initialise) => {
                let about = self
                    .machine
                    .unwatched(|machine| machine.in_model(|models, call| models.new_mutex(call)));
                match about {
                    Some(NewMutex { refused: true, .. }) => return true,
                    about => about.is_some_and(|it| it.made_before),
                }
            }
            Call::Barrier(BarrierCall::Initialise(_)) => {
                let object = self.machine.system.objects.get(operation.address);
                matches!(object, Object::Barrier(_))
            }
            _ => false,
        };
        if made_before && !self.is_on_stack(operation.address) {
            self.remark(program, &program.remarks.made_again);
        }
        false
    }

    /// Whether an object lies where objects come and go without being destroyed.
    fn is_on_stack(&self, object: Address) -> bool {
        let (address, memory) = (place_of(object).address(), &self.machine.cpu.memory);
        let (low, high) = memory.stack();
        let region = memory.regions().find(address).map(|(_, region)| region.kind);
        (low..high).contains(&address) || region.is_some_and(|kind| kind.owner().is_some())
    }
}
