//! What `eventfd` makes: a number to which some add, and which others wait for and take.

/// The largest value.
const LARGEST: u64 = u64::MAX - 1;

/// A counter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Counter {
    value: u64,
    /// Whether it is taken one by one.
    singly: bool,
}

impl Counter {
    /// A counter with a value.
    pub fn new(value: u32, singly: bool) -> Self {
        Self { value: u64::from(value), singly }
    }

    /// Whether there is something to take.
    pub fn is_filled(&self) -> bool {
        self.value > 0
    }

    /// Whether so much can be added.
    pub fn has_room(&self, amount: u64) -> bool {
        amount <= LARGEST - self.value
    }

    /// Takes one, or all; there is something to take.
    pub fn take(&mut self) -> u64 {
        let taken = if self.singly { 1 } else { self.value };
        self.value -= taken;
        taken
    }

    /// Adds what there is room for.
    pub fn add(&mut self, amount: u64) {
        self.value += amount;
    }
}
