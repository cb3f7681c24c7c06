//! The table of modelled functions: one row each.

use super::call::{Answer, Call};
use super::{compare, copy, find, heap, wide};

/// What a modelled function works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// Heap blocks.
    Heap,
    /// Strings and bytes.
    Text,
    /// Strings in which upper and lower case are the same.
    Case,
}

/// One modelled function.
#[derive(Debug)]
pub(super) struct Row {
    /// Its plain name.
    pub(super) name: &'static str,
    /// What it works on.
    pub(super) family: Family,
    /// Does its work.
    pub(super) work: fn(&mut Call<'_>) -> Answer,
}

const fn heap(name: &'static str, work: fn(&mut Call<'_>) -> Answer) -> Row {
    Row { name, family: Family::Heap, work }
}

const fn text(name: &'static str, work: fn(&mut Call<'_>) -> Answer) -> Row {
    Row { name, family: Family::Text, work }
}

/// All modelled functions. What is not here runs as guest code: `strdup`, `strtok`, `strstr`,
/// `bcopy` and the checking variants such as `__memcpy_chk` call functions of this table or read
/// byte by byte; `index` and `bcmp` are other names for the same code;
/// `strspn`, `strcspn` and `strpbrk` read byte by byte; so does what a plain CPU gets for
/// `strcasecmp_l`.
static ROWS: [Row; 47] = [
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
    text("memcpy", copy::memmove),
    text("memmove", copy::memmove),
    text("mempcpy", copy::mempcpy),
    text("memccpy", copy::memccpy),
    text("memset", copy::memset),
    text("strcmp", compare::strcmp),
    text("strncmp", compare::strncmp),
    text("memcmp", compare::memcmp),
    Row { name: "strcasecmp", family: Family::Case, work: compare::strcasecmp },
    Row { name: "strncasecmp", family: Family::Case, work: compare::strncasecmp },
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
    ROWS.iter().find(|row| row.name == name)
}
