//! What one thread of the CPU holds: its register file.

/// A thread's number: the first is 1, the others count in order of creation. The default is that of no thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that runs `main`.
    pub const FIRST: Self = Self(1);
}

/// The registers of a thread that is not running.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Context {
    /// eax ecx edx ebx esp ebp esi edi.
    pub gpr: [u32; 8],
    /// The next instruction.
    pub eip: u32,
    /// The flags register.
    pub eflags: u32,
    /// The segment selectors es cs ss ds fs gs.
    pub selectors: [u16; 6],
    /// What fs and gs add to an address.
    pub fs_base: u32,
    /// What fs and gs add to an address.
    pub gs_base: u32,
    /// The floating point stack, which the MMX registers share.
    pub x87: vm_isa::x87::X87,
    /// The SSE registers.
    pub simd: vm_isa::simd::Simd,
}

/// Positions in [`Context::gpr`].
impl Context {
    /// eax
    pub const EAX: usize = 0;
    /// ecx
    pub const ECX: usize = 1;
    /// edx
    pub const EDX: usize = 2;
    /// ebx
    pub const EBX: usize = 3;
    /// esp
    pub const ESP: usize = 4;
    /// ebp
    pub const EBP: usize = 5;
    /// esi
    pub const ESI: usize = 6;
    /// edi
    pub const EDI: usize = 7;
}
