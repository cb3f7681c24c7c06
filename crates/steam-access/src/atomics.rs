//! Which accesses of a program are atomic: the one door to this crate.
//!
//! A load or a store of an atomic object is an ordinary `mov` on i386. What tells it from others is
//! the type of the object: of the variable at the address, or of the member that the instruction
//! accesses by a pointer; or the function of the C++ library that was inlined there. Nothing is read
//! before the first question, and a function is followed at the first question about one of its
//! instructions.
//!
//! Accesses by `__atomic_load_n` and the like to objects that are not declared atomic are the same
//! instructions as plain ones, and debug information does not mention them; the text of the source does
//! (`source.rs`). Where it cannot be read, or says too little, or other instructions access the same
//! object with a `lock` prefix, the answer is that it is not known; else they count as plain.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use steam_image::{Declared, Function, Image, Local, TypeId};

use crate::context::Context;
use crate::flow::{Followed, follow};
use crate::heads::Heads;
use crate::list::{List, Unmatched};
use crate::locked::Locked;
use crate::objects::Objects;
use crate::operand::{Access, Operand};
use crate::parts::{Part, Parts};
use crate::source::Sources;
use crate::value::{Base, Value};

/// What an access is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is atomic.
    Atomic(Reason),
    /// It is not.
    Plain,
    /// The program does not say.
    Undecided(Doubt),
}

/// Why an access is atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A variable or a part of one is declared atomic.
    Object,
    /// The instruction accesses memory as an object that is declared atomic.
    Type,
    /// It is part of an atomic operation of the C++ library.
    Operation,
    /// The program writes it as inline assembly: it is meant to be one.
    Assembly,
    /// The user said so: the number of the entry in the list.
    Listed(usize),
}

/// Why it is not known whether an access is atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Its code has no debug information: a library's.
    Library,
    /// Debug information does not say what lies there.
    NoType,
    /// Debug information of C programs does not mention `_Atomic` before DWARF 5 (`-gdwarf-5`).
    OldDebugInformation,
    /// The object is not declared atomic, but the instruction at this address accesses it with a
    /// `lock` prefix: it may be that all accesses are meant to be atomic (`__atomic_load_n`).
    LockedElsewhere(u32),
    /// The object is not declared atomic, and the text of the source, as far as it can be read, does not
    /// tell whether this is an atomic operation of the compiler (`__atomic_load_n`).
    MayBeBuiltin,
}

/// Where the code of an instruction comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From a source that debug information describes.
    Source,
    /// From code without debug information: the C library, and what else was linked as it was.
    Library,
}

/// What is known of the accesses of one program; it may be asked from several threads.
pub struct Atomics {
    image: Arc<Image>,
    list: List,
    objects: OnceLock<Objects>,
    locked: OnceLock<Locked>,
    heads: OnceLock<Heads>,
    sources: Sources,
    /// The functions that were followed, by their entries.
    followed: RwLock<HashMap<u32, Arc<Followed>>>,
}

impl std::fmt::Debug for Atomics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Atomics").field("image", &self.image.name).finish_non_exhaustive()
    }
}

impl Atomics {
    /// For a program; nothing is read yet.
    pub fn new(image: &Arc<Image>) -> Atomics {
        Atomics::made(image, List::default())
    }

    /// For a program and the names of variables, members and functions whose accesses the user
    /// declares to be atomic. The second part reports names that match nothing.
    pub fn with_list(image: &Arc<Image>, names: &[String]) -> (Atomics, Vec<Unmatched>) {
        let (list, unmatched) = List::new(image, names);
        (Atomics::made(image, list), unmatched)
    }

    fn made(image: &Arc<Image>, list: List) -> Atomics {
        Atomics {
            image: Arc::clone(image),
            list,
            objects: OnceLock::new(),
            locked: OnceLock::new(),
            heads: OnceLock::new(),
            sources: Sources::default(),
            followed: RwLock::new(HashMap::new()),
        }
    }

    /// Says whether volatile objects count as atomic, as in kernels and in code older than C11.
    #[must_use]
    pub fn with_volatile(mut self, atomic: bool) -> Atomics {
        self.sources.volatile = atomic;
        self
    }

    /// Says whether an instruction is one of a source that is known.
    pub fn origin(&self, eip: u32) -> Origin {
        match self.declared().and_then(|declared| declared.function_at(eip)) {
            Some(_) => Origin::Source,
            None => Origin::Library,
        }
    }

    /// Says what the access of the instruction at `eip` to `size` bytes at `address` is. That
    /// instructions with a `lock` prefix are atomic is known to the processor, and not told here.
    pub fn decide(&self, eip: u32, address: u32, size: u32) -> Verdict {
        if let Some(entry) = self.list.code(eip).or_else(|| self.list.bytes(address, size)) {
            return Verdict::Atomic(Reason::Listed(entry));
        }
        if self.origin(eip) == Origin::Library {
            return Verdict::Undecided(Doubt::Library);
        }
        let operand = self.operand(eip);
        let access = operand.map_or(Access::Open, |operand| operand.access);
        match access {
            Access::Operation => return Verdict::Atomic(Reason::Operation),
            Access::AtomicType => return Verdict::Atomic(Reason::Type),
            Access::Assembly => return Verdict::Atomic(Reason::Assembly),
            Access::Never => return Verdict::Plain,
            Access::Plain | Access::ByAddress | Access::Open => {}
        }
        let plain = match self.part(address, size) {
            Some(Part::Atomic) if self.is_of_whole(eip, address, size) => return Verdict::Plain,
            Some(Part::Atomic) => return Verdict::Atomic(Reason::Object),
            Some(Part::Plain) => true,
            Some(Part::Open | Part::Outside) => false,
            None => access == Access::Plain,
        };
        match operand.and_then(|operand| self.locked_elsewhere(&operand, address)) {
            _ if !self.mentions_atomic(eip) => Verdict::Undecided(Doubt::OldDebugInformation),
            Some(at) => Verdict::Undecided(Doubt::LockedElsewhere(at)),
            None if operand.is_some_and(|operand| operand.may_be_builtin) => {
                Verdict::Undecided(Doubt::MayBeBuiltin)
            }
            None if plain => Verdict::Plain,
            None => Verdict::Undecided(Doubt::NoType),
        }
    }

    /// Says whether the byte at an address belongs to a variable, or to a part of one, that is
    /// declared atomic.
    pub fn is_atomic_object(&self, address: u32) -> bool {
        self.list.bytes(address, 1).is_some() || self.part(address, 1) == Some(Part::Atomic)
    }

    /// Says whether the access of an instruction is atomic wherever it goes: by the type by which
    /// it accesses memory, or as part of an atomic operation.
    pub fn is_atomic_code(&self, eip: u32) -> bool {
        let atomic = |operand: Operand| {
            matches!(operand.access, Access::Operation | Access::AtomicType | Access::Assembly)
        };
        self.list.code(eip).is_some() || self.operand(eip).is_some_and(atomic)
    }

    /// Says whether the byte at an address belongs to a variable that holds data of the program, and nothing
    /// that a library takes care of, such as a lock.
    pub fn is_data(&self, address: u32) -> bool {
        let found = || {
            let within = self.objects()?.at(address)?;
            Some(self.parts()?.is_data(within.type_id(), within.at))
        };
        found().unwrap_or(false)
    }

    /// Returns what the source calls some bytes: `count`, `box.count`, `table[3].next`.
    pub fn name(&self, address: u32, size: u32) -> Option<String> {
        let within = self.objects()?.at(address)?;
        let types = self.declared()?.types();
        Some(crate::cells::name(types, within.variable, within.at, size))
    }

    /// Returns what the source calls some bytes of a thread's own variables, by their offset from
    /// the thread's base.
    pub fn own_name(&self, offset: u32, size: u32) -> Option<String> {
        let within = self.objects()?.of_thread(offset)?;
        let types = self.declared()?.types();
        Some(crate::cells::name(types, within.variable, within.at, size))
    }

    /// Returns what the source calls some bytes of a local variable: `main::box.count`.
    pub fn local_name(&self, local: &Local, at: u32, size: u32) -> Option<String> {
        Some(crate::cells::local(self.declared()?.types(), local, at, size))
    }

    /// Returns what the source calls the member that an instruction accesses by a pointer:
    /// `node.next`.
    pub fn member(&self, eip: u32) -> Option<String> {
        let (id, at) = self.operand(eip)?.member()?;
        crate::cells::member(self.declared()?.types(), id, at)
    }

    /// Returns what the source calls the member whose address is the first argument of a call, by the address
    /// after the call: `node.lock`.
    pub fn argument(&self, behind: u32) -> Option<String> {
        let declared = self.declared()?;
        let function = declared.function_at(behind.checked_sub(1)?)?;
        match *self.followed(function)?.arguments.get(&behind)? {
            Value { base: Base::Object(id, _), add, step: 0 } => {
                crate::cells::member(declared.types(), id, u32::try_from(add).ok()?)
            }
            _ => None,
        }
    }

    fn declared(&self) -> Option<&Declared> {
        self.image.declarations.get().ok()
    }

    fn mentions_atomic(&self, eip: u32) -> bool {
        let declared = self.declared();
        let function = declared.and_then(|declared| declared.function_at(eip));
        function.is_some_and(|function| function.mentions_atomic)
    }

    fn objects(&self) -> Option<&Objects> {
        let declared = self.declared()?;
        Some(self.objects.get_or_init(|| Objects::new(declared, &self.image.symbols)))
    }

    fn parts(&self) -> Option<Parts<'_>> {
        let volatile = self.sources.volatile;
        Some(Parts { types: self.declared()?.types(), listed: &self.list.members, volatile })
    }

    /// What the bytes at an address are by the variable that lies there, if one does.
    fn part(&self, address: u32, size: u32) -> Option<Part> {
        let within = self.objects()?.at(address)?;
        Some(self.parts()?.at(within.type_id(), within.at, size))
    }

    /// Whether an atomic part of a variable is accessed together with the rest of it, or initialised.
    fn is_of_whole(&self, eip: u32, address: u32, size: u32) -> bool {
        let found = || {
            let within = self.objects()?.at(address)?;
            let name =
                crate::cells::name(self.declared()?.types(), within.variable, within.at, size);
            let part = name.rsplit('.').next()?.split('[').next()?;
            let whole = &*within.variable.name;
            Some(self.sources.is_of_whole(&self.image, eip, whole, part))
        };
        found().unwrap_or(false)
    }

    fn operand(&self, eip: u32) -> Option<Operand> {
        let function = self.declared()?.function_at(eip)?;
        self.followed(function)?.operands.get(&eip).copied()
    }

    fn followed(&self, function: &Function) -> Option<Arc<Followed>> {
        let entry = function.ranges.first()?.0;
        let known = self.followed.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&entry) {
            return Some(Arc::clone(found));
        }
        drop(known);
        let declared = self.declared()?;
        let context = Context {
            image: &self.image,
            declared,
            heads: self.heads.get_or_init(|| Heads::new(declared.types())),
            sources: &self.sources,
            objects: self.objects()?,
            parts: self.parts()?,
            locals: &self.list.locals,
        };
        let found = Arc::new(follow(&context, function));
        let mut known = self.followed.write().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(known.entry(entry).or_insert(found)))
    }

    /// An instruction with a `lock` prefix that accesses the same object, if this access may be
    /// meant as atomic too.
    fn locked_elsewhere(&self, operand: &Operand, address: u32) -> Option<u32> {
        if !operand.moves() {
            return None;
        }
        let declared = self.declared()?;
        let locked = self
            .locked
            .get_or_init(|| Locked::new(&self.image, declared, |function| self.followed(function)));
        let member = |(id, at): (TypeId, u32)| locked.member(declared.types(), id, at);
        locked.address(address).or_else(|| operand.member().and_then(member))
    }
}
