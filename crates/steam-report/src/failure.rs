//! Why a function of the library could not do its work, as plain data.

use std::fmt;

use steam_state::{AccessError, Birth, Block};

/// Why a modelled function could not do its work. The CPU is as it was at the call: `eip` at the
/// function's first byte, the return address on top of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The function's plain name.
    pub function: &'static str,
    /// What went wrong.
    pub problem: FailureProblem,
}

/// What can go wrong in a modelled function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureProblem {
    /// It touched a byte that the program may not touch.
    Access(AccessError),
    /// The pointer to be freed is no start of a live block.
    Free {
        /// The pointer.
        address: u32,
        /// The live block that it points into, if any.
        inside: Option<Block>,
    },
    /// It frees a block in another way than the block was made.
    Mismatch {
        /// The block.
        block: Block,
        /// How it was made.
        made: Form,
        /// How it is freed.
        freed: Form,
    },
    /// It copies between blocks that overlap, which it must not.
    Overlap {
        /// Where it copies to.
        target: u32,
        /// Where it copies from.
        source: u32,
        /// How many bytes it writes.
        size: u32,
    },
    /// It misuses a synchronisation object.
    Misuse(steam_sync::Misuse),
    /// A limit of ours is reached, where Linux has none or a larger one.
    Limit(&'static str),
    /// It depends on bytes that were never written.
    Uninitialised {
        /// Where they come from.
        birth: Birth,
    },
    /// It is asked for something that is not modelled.
    NotModelled(&'static str),
}

/// By what a block is made or freed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `malloc` and its like, and `free`.
    Plain,
    /// `new` and `delete`.
    Single,
    /// `new[]` and `delete[]`.
    Array,
}

impl Form {
    /// What makes blocks so.
    pub fn maker(self) -> &'static str {
        match self {
            Self::Plain => "malloc",
            Self::Single => "new",
            Self::Array => "new[]",
        }
    }

    /// What frees them.
    pub fn freer(self) -> &'static str {
        match self {
            Self::Plain => "free",
            Self::Single => "delete",
            Self::Array => "delete[]",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.maker())
    }
}
