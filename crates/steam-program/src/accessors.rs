//! What is known of the instructions that touch shared memory: whose they are, on which line, and
//! whether they are atomic.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError, RwLock};

use steam_access::{Doubt, Reason, Verdict};
use steam_image::{Image, Symbol, SymbolKind};
use steam_report::located;
use steam_state::Access;

use super::{Program, atomic_objects};

/// An instruction that touches shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Accessor {
    /// Whether it was compiled from a source whose lines are known, or belongs to the library of C++,
    /// whose functions work on what the program gives them. The C library has data of its own, under
    /// locks of its own.
    pub(super) is_users: bool,
    /// Whether it is code of a library, as far as it is known: without lines, or of a header.
    pub(super) is_library: bool,
    /// A number for its source line; the same for all instructions of a line.
    pub(super) line: u32,
}

/// The instructions that were met.
#[derive(Default)]
pub(super) struct Accessors {
    known: RwLock<HashMap<u32, Accessor>>,
    /// Those of inline assembly that conflict with others.
    assembly: Mutex<BTreeSet<u32>>,
}

impl Accessors {
    /// Says which accesses count as atomic because the program writes them as inline assembly.
    pub(super) fn note_of_assembly(&self, image: &Image) -> Option<String> {
        let met = self.assembly.lock().unwrap_or_else(PoisonError::into_inner);
        let place = |&eip: &u32| located(image, eip).first().map(|it| it.line_position());
        let places: BTreeSet<String> = met.iter().filter_map(place).collect();
        let places: Vec<String> = places.into_iter().collect();
        (!places.is_empty()).then(|| {
            let places = places.join(", ");
            format!("accesses by inline assembly are taken for atomic ones, as intended: {places}")
        })
    }
}

/// Whether an access is atomic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atomicity {
    /// It is.
    Atomic,
    /// It is not.
    Plain,
    /// The source does not show by which type it is made, and nothing indicates an atomic one.
    Untyped,
    /// The source does not show it, and something indicates an atomic one: the same memory is accessed
    /// atomically elsewhere, or the text of the source cannot be read.
    Unknown,
    /// The debug information of C programs mentions `_Atomic` only in newer versions.
    Old,
}

/// The variables by which compilers know whether a static local is there already; they are looked at
/// by plain instructions.
const GUARD: &str = "_ZGV";

/// How the names of variables of the library of C++ begin.
const STANDARD: [&str; 3] = ["_ZSt", "_ZNSt", "_ZN9__gnu_cxx"];

/// How the names of variables begin that only their own source can name.
const UNNAMED: &str = "_ZN12_GLOBAL__N_1";

impl Program {
    /// Whether the access of an instruction without a lock is atomic.
    pub(super) fn atomicity(&self, eip: u32, access: Access) -> Atomicity {
        let (address, size) = (access.address, access.size);
        if self.data_symbol(address).is_some_and(|symbol| symbol.name.starts_with(GUARD)) {
            return Atomicity::Atomic;
        }
        let said = self.stores.sharing.is_atomic(access.place, size);
        if said && atomic_objects::is_one(access) {
            return Atomicity::Atomic;
        }
        match self.atomics.decide(eip, address, size) {
            Verdict::Atomic(Reason::Assembly) => {
                let mut met =
                    self.accessors.assembly.lock().unwrap_or_else(PoisonError::into_inner);
                met.insert(eip);
                Atomicity::Atomic
            }
            Verdict::Atomic(_) => Atomicity::Atomic,
            Verdict::Plain => Atomicity::Plain,
            Verdict::Undecided(Doubt::Library) if self.atomics.is_atomic_object(address) => {
                Atomicity::Atomic
            }
            Verdict::Undecided(Doubt::NoType | Doubt::Library) => Atomicity::Untyped,
            Verdict::Undecided(Doubt::OldDebugInformation) => Atomicity::Old,
            Verdict::Undecided(Doubt::LockedElsewhere(_) | Doubt::MayBeBuiltin) => {
                Atomicity::Unknown
            }
        }
    }

    /// Whether the variable at an address belongs to the library of C++, such as `std::cout`, or one that its
    /// own sources name in no namespace, such as the facets of the classic locale.
    pub(super) fn is_of_standard_library(&self, address: u32) -> bool {
        // What has no name is not known to be atomic, and its races are reported.
        let Some(symbol) = self.data_symbol(address) else { return false };
        let unnamed = || {
            symbol.name.starts_with(UNNAMED)
                && self.image.declarations.get().is_ok()
                && self.atomics.name(address, 1).is_none()
        };
        STANDARD.iter().any(|begin| symbol.name.starts_with(begin)) || unnamed()
    }

    /// The variable at an address, as the linker knows it.
    pub(super) fn data_symbol(&self, address: u32) -> Option<&Symbol> {
        let (symbol, _) = self.image.symbols.at(address)?;
        (symbol.kind == SymbolKind::Object).then_some(symbol)
    }

    /// What is known of the instruction at an address.
    pub(super) fn accessor(&self, eip: u32) -> Accessor {
        let known = self.accessors.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(accessor) = known.get(&eip) {
            return *accessor;
        }
        drop(known);
        let accessor = self.look_up(eip);
        self.accessors.known.write().unwrap_or_else(PoisonError::into_inner).insert(eip, accessor);
        accessor
    }

    fn look_up(&self, eip: u32) -> Accessor {
        let locations = located(&self.image, eip);
        let place = locations.iter().find(|location| location.is_users());
        let place = place.or_else(|| locations.iter().find(|location| location.has_line()));
        match place {
            Some(location) => {
                let mut hasher = DefaultHasher::new();
                (&location.file, location.line).hash(&mut hasher);
                let is_library = locations.first().is_none_or(|innermost| !innermost.is_users());
                Accessor { is_users: true, is_library, line: hasher.finish() as u32 }
            }
            None => {
                let symbol = self.image.symbols.at(eip);
                let mangled = symbol.is_some_and(|(symbol, _)| symbol.name.starts_with("_Z"));
                Accessor { is_users: mangled, is_library: true, line: eip }
            }
        }
    }
}
