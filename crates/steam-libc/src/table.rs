//! The table of modelled functions: one row each.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::call::{Answer, LibraryCall};
use super::search;
use super::synchronisation::Synchronisation;
use super::{compare, copy, find, heap, heap_figures, wide};

/// What a modelled function works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// Heap blocks.
    Heap,
    /// Strings and bytes.
    Text,
    /// Strings in which upper and lower case are the same.
    Case,
    /// Threads and what they synchronise with, and files; only in a search.
    Search,
    /// A function of the program that asks to be one step.
    Program,
}

/// How a modelled function is done.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// By us.
    Model(fn(&mut LibraryCall<'_>) -> Answer),
    /// It is an operation on a synchronisation object.
    Sync(Synchronisation),
    /// By the guest's own code, as an atomic block.
    AtomicBlock,
    /// By the guest's own code, at once and unseen: what it does under its own locks is the same for
    /// all threads, whichever comes first.
    Unseen,
    /// By us where the image says how a function is unwound, else like [`Work::Unseen`].
    Frame,
    /// By the guest's own code, as one step, for a function that creates a thread: other threads need not see when.
    Create,
    /// The same, once the thread that it waits for has ended.
    Join,
    /// By the guest's own code, which goes on elsewhere, maybe outside of the atomic block.
    Leap,
    /// By the guest's own code, in as many steps as it takes: others may ask the thread to end before it looks.
    CancellationPoint,
    /// By the guest's own code: the thread says whether it may be cancelled anywhere.
    CancellationType,
    /// By the guest's own code, which never returns: what others do meanwhile does not matter.
    Last,
    /// By the guest's own code, in as many steps as it takes, though it is called when a thread
    /// ends: it calls functions of the program.
    Destructors,
    /// By the guest's own code, as one step, for a function that looks into another thread.
    Foreign {
        /// Whether it sees if the thread has ended.
        observes_end: bool,
    },
}

/// One modelled function.
#[derive(Debug)]
pub struct Row {
    /// Its plain name.
    pub name: &'static str,
    /// What it works on.
    pub(super) family: Family,
    /// Does its work.
    pub work: Work,
}

/// What a call of a modelled function is about, as far as its arguments say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// A new block of so many bytes, in the product of so many arguments.
    NewBlock {
        /// How many arguments there are.
        factors: u32,
    },
    /// The block that is freed.
    FreedBlock,
    /// What its arguments point to.
    Pointees,
    /// More than that.
    More,
}

impl Row {
    /// What a call is about.
    pub fn about(&self) -> About {
        match (self.family, self.name) {
            (Family::Heap, "malloc") => About::NewBlock { factors: 1 },
            (Family::Heap, "calloc") => About::NewBlock { factors: 2 },
            (Family::Heap, "free" | "cfree") => About::FreedBlock,
            (Family::Text | Family::Case, _) => About::Pointees,
            _ => About::More,
        }
    }

    /// Whether it returns to its caller, if at all, and treats registers as every function does: it reads none, gives
    /// back those that callers keep, and throws nothing. Only what is done by us is known that well.
    pub fn is_plain(&self) -> bool {
        match self.work {
            Work::Sync(_) => true,
            Work::Model(_) => matches!(self.family, Family::Heap | Family::Text | Family::Case),
            _ => false,
        }
    }

    /// Whether it gives memory out or takes it back, and does nothing to what is in it.
    pub fn manages_memory(&self) -> bool {
        self.family == Family::Heap && !self.name.starts_with("realloc")
    }
}

type Model = fn(&mut LibraryCall<'_>) -> Answer;

const fn heap(name: &'static str, work: Model) -> Row {
    Row { name, family: Family::Heap, work: Work::Model(work) }
}

const fn text(name: &'static str, work: Model) -> Row {
    Row { name, family: Family::Text, work: Work::Model(work) }
}

const fn case(name: &'static str, work: Model) -> Row {
    Row { name, family: Family::Case, work: Work::Model(work) }
}

/// All modelled functions. What is not here runs as guest code: `strdup`, `strtok`, `strstr`,
/// `bcopy` and the checking variants such as `__memcpy_chk` call functions of this table or read
/// byte by byte; `index` and `bcmp` are other names for the same code;
/// `strspn`, `strcspn` and `strpbrk` read byte by byte; so does what a plain CPU gets for
/// `strcasecmp_l`.
static ROWS: [Row; 51] = [
    heap("malloc", heap::malloc),
    heap("calloc", heap::calloc),
    heap("realloc", heap::realloc),
    heap("reallocarray", heap::reallocarray),
    heap("free", heap::free),
    heap("cfree", heap::free),
    heap("memalign", heap::memalign),
    heap("aligned_alloc", heap::aligned_alloc),
    heap("posix_memalign", heap::posix_memalign),
    heap("valloc", heap::valloc),
    heap("pvalloc", heap::pvalloc),
    heap("malloc_usable_size", heap::malloc_usable_size),
    heap("mallinfo", heap_figures::mallinfo),
    heap("mallinfo2", heap_figures::mallinfo),
    heap("malloc_stats", heap_figures::in_words),
    heap("malloc_info", heap_figures::in_words),
    text("strlen", find::strlen),
    text("strnlen", find::strnlen),
    text("strchr", find::strchr),
    text("strchrnul", find::strchrnul),
    text("strrchr", find::strrchr),
    text("memchr", find::memchr),
    text("memrchr", find::memrchr),
    text("rawmemchr", find::rawmemchr),
    text("strcpy", copy::strcpy),
    text("stpcpy", copy::stpcpy),
    text("strncpy", copy::strncpy),
    text("stpncpy", copy::stpncpy),
    text("strlcpy", copy::strlcpy),
    text("strcat", copy::strcat),
    text("strncat", copy::strncat),
    text("memcpy", copy::memcpy),
    text("memmove", copy::memmove),
    text("mempcpy", copy::mempcpy),
    text("memccpy", copy::memccpy),
    text("memset", copy::memset),
    text("strcmp", compare::strcmp),
    text("strncmp", compare::strncmp),
    text("memcmp", compare::memcmp),
    case("strcasecmp", compare::strcasecmp),
    case("strncasecmp", compare::strncasecmp),
    text("wcslen", wide::wcslen),
    text("wcsnlen", wide::wcsnlen),
    text("wcscpy", wide::wcscpy),
    text("wcschr", wide::wcschr),
    text("wcsrchr", wide::wcsrchr),
    text("wcscmp", wide::wcscmp),
    text("wcsncmp", wide::wcsncmp),
    text("wmemset", wide::wmemset),
    text("wmemcmp", wide::wmemcmp),
    text("wmemchr", wide::wmemchr),
];

/// The row of a plain name.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| ROWS.iter().chain(search::ROWS).map(|row| (row.name, row)).collect());
    BY_NAME.get(name).copied().or_else(|| search::program_function(name))
}
