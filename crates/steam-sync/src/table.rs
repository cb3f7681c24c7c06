//! A table of objects with the words of tests: who does what, and what comes of it.

use std::collections::BTreeMap;

use crate::{
    Address, Call, Done, Faults, Misuse, Object, Objects, Operation, SyncChoice, Thread, choices,
    enabled,
};

/// Objects under test.
#[derive(Default)]
pub(crate) struct Table(pub(crate) BTreeMap<Address, Object>);

impl Table {
    /// The choices that a thread has, with spurious wake-ups.
    pub(crate) fn choices(
        &self,
        thread: u32,
        address: Address,
        call: impl Into<Call>,
    ) -> Vec<SyncChoice> {
        let operation = Operation::new(address, call);
        let mut list = Vec::new();
        let faults = Faults { spurious_wakeups: true };
        choices(&operation, Thread(thread), &self.0, &faults, &mut list);
        let faultless = list.iter().any(|&choice| choice != SyncChoice::Spurious);
        assert_eq!(enabled(&operation, Thread(thread), &self.0), faultless);
        list
    }

    /// Performs a choice.
    pub(crate) fn choose(
        &mut self,
        choice: SyncChoice,
        thread: u32,
        address: Address,
        call: impl Into<Call>,
    ) -> Result<Done, Misuse> {
        crate::perform(&Operation::new(address, call), choice, Thread(thread), &mut self.0)
    }

    /// Performs the first choice and gives the result that it returns.
    pub(crate) fn result(&mut self, thread: u32, address: Address, call: impl Into<Call>) -> i32 {
        let call = call.into();
        let first = *self.choices(thread, address, call).first().expect("not blocked");
        match self.choose(first, thread, address, call) {
            Ok(Done::Returns(result)) => result,
            other => panic!("it should return: {other:?}"),
        }
    }

    /// Performs what is a misuse, and gives its name and its text.
    pub(crate) fn misuse(
        &mut self,
        thread: u32,
        address: Address,
        call: impl Into<Call>,
    ) -> (&'static str, String) {
        let before = self.0.clone();
        let misuse = self.choose(SyncChoice::USUAL, thread, address, call).expect_err("a misuse");
        assert_eq!(before, self.0, "a misuse changes nothing");
        (misuse.name(), misuse.to_string())
    }

    /// Who a thread waits for.
    pub(crate) fn blockers(
        &self,
        thread: u32,
        address: Address,
        call: impl Into<Call>,
    ) -> Vec<u32> {
        let operation = Operation::new(address, call);
        operation.blocks_on(Thread(thread), &self.0).iter().map(|thread| thread.0).collect()
    }

    /// Who holds an object.
    pub(crate) fn holders(&self, address: Address) -> Vec<u32> {
        Objects::get(&self.0, address).holders().iter().map(|thread| thread.0).collect()
    }

    /// Whether nothing is left to say about any object.
    pub(crate) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }
}
