//! What is learned of a program beside which words its threads share.
//!
//! A fact is split by who asks for it. Each is learned in one refinement iteration and counts from the next one on, for
//! good. Facts can be written and read, so that a trail's search makes the same steps when it is repeated.

use steam_state::{Place, Space};

use crate::sharing::Origin;

/// Something that was learned, other than that a word is shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// Asked for at each access to memory.
    Memory(MemoryFact),
    /// Asked for at each use of a synchronisation object.
    Object(ObjectFact),
    /// Asked for at each operation that is done as a whole.
    Operation(OperationFact),
    /// Asked for wherever something others do may come in between.
    Others(OthersFact),
    /// Asked for by who decides how states are searched.
    Search(SearchFact),
}

/// What was learned of bytes of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryFact {
    /// A property looks at this word in every state: each write to it is a step.
    ObservedWord(Place),
    /// A thread claims these bytes for itself: whoever touches them without a claim of its own does that in a step of
    /// its own.
    Claimed {
        /// Where they begin.
        start: Place,
        /// How many they are.
        size: u32,
    },
    /// A pointer to this place was formed from something else than a pointer to its block: who can reach the block is
    /// not known.
    Hidden(Place),
    /// A thread looks at this word of the first thread's stack, which is another one's: what it points to is in reach.
    Reached(Place),
    /// The program says that these bytes are accessed atomically.
    Atomic {
        /// Where they begin.
        start: Place,
        /// How many they are.
        size: u32,
    },
    /// The memory of a process with several threads is copied, whatever they are at: what the copy looks at counts as
    /// looked at by the thread that makes it.
    Copied {
        /// The space that has the copy.
        to: Space,
        /// What it is a copy of.
        from: Origin,
    },
}

/// What was learned of a synchronisation object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectFact {
    /// A thread looks whether the object is free, without waiting for it.
    Observed(Place),
    /// The same, while others use it.
    Tried(Place),
    /// A handler of a signal uses the object: it may come before or after what the thread that it interrupts does to it.
    UsedByHandler(Place),
}

/// What was learned of an operation that is done as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperationFact {
    /// The function that is called at this address touches a shared word.
    Call(u32),
    /// The system call with this number touches a shared word.
    SystemCall(u32),
    /// At this address the program failed, in the middle of what counted as invisible: others may come before it, and it
    /// may not fail then.
    Failure(u32),
}

/// What was learned that some thread or process does, at any time, as far as others know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OthersFact {
    /// A thread looks whether another one has ended, without waiting for it.
    ObservesThreadEnd,
    /// A process looks whether another one has ended, without waiting for that one.
    ObservesProcessEnd,
    /// A process ends another one, whatever its threads are at: what is left in memory that processes share may be
    /// anything that they had written by then.
    EndsProcess,
    /// A thread sends signals to others, or looks for those that come when a child ends: it matters when a thread blocks
    /// signals or begins to sleep.
    SendsSignals,
    /// A handler changes what its process has beside memory: it may come before or after any call of the thread that it
    /// interrupts.
    ChangesInHandler,
    /// A handler does not return to what it has interrupted, because its thread ends or jumps elsewhere: what the thread
    /// holds then stays held, and what it was about to do is not done.
    AbandonsInHandler,
    /// Handlers of signals may run beside other threads: what a thread has for itself, its handler may have, too.
    RunsHandlers,
    /// Threads are cancelled: it matters where they allow it.
    CancelsThreads,
    /// The clock is read more than once: it matters when time passes.
    ReadsClock,
    /// A semaphore comes near the largest value: adding to it may fail.
    FillsSemaphore,
    /// A thread takes away what others stand before a call for, such as a descriptor: it matters whether they have begun
    /// to wait.
    Withdraws,
    /// A thread that others join is detached, maybe by itself: it matters whether they have begun to wait.
    DetachesJoined,
    /// The program asks for something of the past, by a number, that is kept only where it does.
    AsksForPast(u8),
}

/// What was learned of the search itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchFact {
    /// A loop without visible operations is endless: nothing more can be learned about it.
    Endless,
    /// A thread was given up that had run for long without visible operations: it may come to one.
    NeedsLongRuns,
    /// A property looks in every state at what the threads hold and wait for.
    ObservesThreads,
    /// It is judged whether what the program calls one operation is such.
    JudgesOperations,
}

/// The facts that are named by a word alone, and these words.
const NAMES: &[(Fact, &str)] = &[
    (Fact::Others(OthersFact::ObservesThreadEnd), "end"),
    (Fact::Others(OthersFact::ObservesProcessEnd), "process-end"),
    (Fact::Others(OthersFact::EndsProcess), "cut"),
    (Fact::Others(OthersFact::SendsSignals), "signal"),
    (Fact::Others(OthersFact::ChangesInHandler), "handler-changes"),
    (Fact::Others(OthersFact::AbandonsInHandler), "abandoned"),
    (Fact::Others(OthersFact::RunsHandlers), "handlers"),
    (Fact::Others(OthersFact::CancelsThreads), "cancelled"),
    (Fact::Others(OthersFact::ReadsClock), "clock"),
    (Fact::Others(OthersFact::FillsSemaphore), "large-semaphore"),
    (Fact::Others(OthersFact::Withdraws), "withdrawn"),
    (Fact::Others(OthersFact::DetachesJoined), "detached"),
    (Fact::Search(SearchFact::Endless), "divergence"),
    (Fact::Search(SearchFact::NeedsLongRuns), "patience"),
    (Fact::Search(SearchFact::ObservesThreads), "told-threads"),
    (Fact::Search(SearchFact::JudgesOperations), "operations"),
];

impl Fact {
    /// The fact as text, such as `call:8049742`.
    pub(crate) fn write(&self) -> String {
        match self {
            Self::Memory(MemoryFact::ObservedWord(place)) => format!("told:{place:x}"),
            Self::Memory(MemoryFact::Claimed { start, size }) => {
                format!("claimed:{start:x}+{size}")
            }
            Self::Memory(MemoryFact::Hidden(place)) => format!("hidden:{place:x}"),
            Self::Memory(MemoryFact::Reached(place)) => format!("reached:{place:x}"),
            Self::Memory(MemoryFact::Atomic { start, size }) => format!("atomic:{start:x}+{size}"),
            Self::Memory(MemoryFact::Copied { to, from }) => format!("copied:{}", from.write(*to)),
            Self::Object(ObjectFact::Observed(place)) => format!("observed:{place:x}"),
            Self::Object(ObjectFact::Tried(place)) => format!("tried:{place:x}"),
            Self::Object(ObjectFact::UsedByHandler(place)) => format!("handled:{place:x}"),
            Self::Operation(OperationFact::Call(address)) => format!("call:{address:x}"),
            Self::Operation(OperationFact::SystemCall(number)) => format!("system:{number:x}"),
            Self::Operation(OperationFact::Failure(address)) => format!("failure:{address:x}"),
            Self::Others(OthersFact::AsksForPast(what)) => format!("asked:{what:x}"),
            Self::Others(_) | Self::Search(_) => {
                let named = NAMES.iter().find(|(fact, _)| fact == self);
                named.expect("a fact without a value has a name").1.to_owned()
            }
        }
    }

    /// What [`Fact::write`] wrote.
    pub(crate) fn read(item: &str) -> Option<Self> {
        let Some((kind, value)) = item.split_once(':') else {
            return NAMES.iter().find(|(_, name)| *name == item).map(|(fact, _)| *fact);
        };
        let number = || u32::from_str_radix(value, 16).ok();
        Some(match kind {
            "told" => MemoryFact::ObservedWord(word(value)?).into(),
            "claimed" => {
                let (start, size) = piece(value)?;
                MemoryFact::Claimed { start, size }.into()
            }
            "atomic" => {
                let (start, size) = piece(value)?;
                MemoryFact::Atomic { start, size }.into()
            }
            "hidden" => MemoryFact::Hidden(place(value)?).into(),
            "reached" => MemoryFact::Reached(word(value)?).into(),
            "copied" => {
                let (to, from) = Origin::read(value)?;
                MemoryFact::Copied { to, from }.into()
            }
            "observed" => ObjectFact::Observed(place(value)?).into(),
            "tried" => ObjectFact::Tried(place(value)?).into(),
            "handled" => ObjectFact::UsedByHandler(place(value)?).into(),
            "call" => OperationFact::Call(number()?).into(),
            "system" => OperationFact::SystemCall(number()?).into(),
            "failure" => OperationFact::Failure(number()?).into(),
            "asked" => OthersFact::AsksForPast(u8::from_str_radix(value, 16).ok()?).into(),
            _ => return None,
        })
    }
}

/// Reads a place as it is written: the number of its space and its address, in one number.
pub(crate) fn place(text: &str) -> Option<Place> {
    Place::from_number(u64::from_str_radix(text, 16).ok()?)
}

/// Reads the place of a word.
pub(crate) fn word(text: &str) -> Option<Place> {
    place(text).filter(|place| place.address().is_multiple_of(4))
}

/// Reads a piece of memory: where it begins and, after a `+`, its size.
fn piece(text: &str) -> Option<(Place, u32)> {
    let (start, size) = text.split_once('+')?;
    let size = size.parse().ok().filter(|size| *size > 0)?;
    Some((place(start)?, size))
}

impl From<MemoryFact> for Fact {
    fn from(fact: MemoryFact) -> Self {
        Self::Memory(fact)
    }
}

impl From<ObjectFact> for Fact {
    fn from(fact: ObjectFact) -> Self {
        Self::Object(fact)
    }
}

impl From<OperationFact> for Fact {
    fn from(fact: OperationFact) -> Self {
        Self::Operation(fact)
    }
}

impl From<OthersFact> for Fact {
    fn from(fact: OthersFact) -> Self {
        Self::Others(fact)
    }
}

impl From<SearchFact> for Fact {
    fn from(fact: SearchFact) -> Self {
        Self::Search(fact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::ThreadId;

    #[test]
    fn a_fact_is_read_as_it_was_written() {
        let at = |address| Space::FIRST.at(address);
        let from = Origin { space: Space::FIRST, by: ThreadId(2), handlers: 0, lent: true };
        let mut facts: Vec<Fact> = NAMES.iter().map(|(fact, _)| *fact).collect();
        facts.extend::<[Fact; 13]>([
            MemoryFact::Hidden(at(0x6000_0017)).into(),
            MemoryFact::Reached(at(0xbfff_e010)).into(),
            MemoryFact::ObservedWord(at(0x804_a018)).into(),
            MemoryFact::Claimed { start: at(0x804_b00d), size: 6 }.into(),
            MemoryFact::Atomic { start: at(0x804_a010), size: 4 }.into(),
            MemoryFact::Copied { to: Space::numbered(2), from }.into(),
            ObjectFact::Observed(at(0x804_a010)).into(),
            ObjectFact::Tried(at(0x804_a010)).into(),
            ObjectFact::UsedByHandler(at(0x804_a010)).into(),
            OperationFact::Call(0x80_1234).into(),
            OperationFact::SystemCall(122).into(),
            OperationFact::Failure(0x80_5678).into(),
            OthersFact::AsksForPast(2).into(),
        ]);
        for fact in &facts {
            assert_eq!(Fact::read(&fact.write()), Some(*fact), "{}", fact.write());
        }
        let mut texts: Vec<String> = facts.iter().map(Fact::write).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), facts.len(), "each has a text of its own");
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        for wrong in [
            "call:x",
            "call",
            "end:1",
            "told:804a011",
            "claimed:804a010+0",
            "claimed:804a010",
            "copied:3",
            "hidden:x",
            "reached:804a011",
        ] {
            assert_eq!(Fact::read(wrong), None, "{wrong}");
        }
    }
}
