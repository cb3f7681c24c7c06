//! How an access to guest memory can go wrong.

/// What an access wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AccessKind {
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// Fetch an instruction.
    Execute,
}

/// Why an access was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Problem {
    /// Nothing is mapped there.
    Unmapped,
    /// The mapping does not allow this kind of access.
    Protected,
    /// The page lies past the end of the file that is mapped there.
    PastFileEnd,
    /// The byte belongs to no live heap block.
    Heap,
    /// The byte lies below the stack pointer of the running thread.
    BelowStackPointer,
    /// The byte belongs to the stack of a thread that has ended.
    EndedStack,
}

/// One refused access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct AccessError {
    /// Why it was refused.
    pub problem: Problem,
    /// What it wanted.
    pub kind: AccessKind,
    /// The first byte that was refused.
    pub byte: u32,
    /// Where the access began.
    pub address: u32,
    /// How many bytes it wanted.
    pub size: u32,
}

/// An access was not done; [`crate::LiveMemory::take_error`] says why. It carries nothing, so that
/// the results of the hot path stay in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault;
