//! From the names that linkers know to the functions that people call.
//!
//! `strlen` may also be `__strlen`, `__GI_strlen`, `__libc_strlen`, or one of glibc's variants for
//! a kind of CPU: `__strlen_ia32`, `__strlen_sse2_bsf`. These other names are reserved for the C
//! library: a program's own function cannot have them.

use super::table::{self, Row};

/// What the library puts before a name, the longest first.
const PREFIXES: [&str; 4] = ["__GI___", "__GI_", "__libc_", "__"];

/// What the library puts behind a name that has a prefix.
const SUFFIXES: [&str; 24] = [
    "_ia32",
    "_i386",
    "_i486",
    "_i586",
    "_i686",
    "_sse2",
    "_sse2_bsf",
    "_sse2_rep",
    "_sse2_unaligned",
    "_sse2_unaligned_erms",
    "_sse2_no_bsf",
    "_ssse3",
    "_ssse3_rep",
    "_ssse3_back",
    "_sse4",
    "_sse4_1",
    "_sse4_2",
    "_sse42",
    "_avx2",
    "_avx_unaligned",
    "_evex",
    "_erms",
    "_generic",
    // musl: `__libc_malloc_impl`.
    "_impl",
];

/// A name, understood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    /// The function that it names.
    pub(super) row: &'static Row,
    /// Whether it is one of the library's own names, which no program may use.
    pub(super) reserved: bool,
}

/// The modelled function behind a symbol's name.
pub(super) fn understand(name: &str) -> Option<Name> {
    if let Some(row) = table::row(name) {
        return Some(Name { row, reserved: false });
    }
    let rest = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let bare = |suffix: &&str| rest.strip_suffix(*suffix).and_then(table::row);
    let row = table::row(rest).or_else(|| SUFFIXES.iter().find_map(bare))?;
    Some(Name { row, reserved: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(name: &str) -> Option<(&'static str, bool)> {
        understand(name).map(|name| (name.row.name, name.reserved))
    }

    #[test]
    fn variants_name_the_plain_function() {
        assert_eq!(base("strlen"), Some(("strlen", false)));
        assert_eq!(base("__strlen_sse2_bsf"), Some(("strlen", true)));
        assert_eq!(base("__memcpy_ssse3_rep"), Some(("memcpy", true)));
        assert_eq!(base("__memset_sse2_rep"), Some(("memset", true)));
        assert_eq!(base("__libc_memalign"), Some(("memalign", true)));
        assert_eq!(base("__libc_malloc_impl"), Some(("malloc", true)));
        assert_eq!(base("__GI___mempcpy"), Some(("mempcpy", true)));
        assert_eq!(base("__wcslen_ia32"), Some(("wcslen", true)));
    }

    #[test]
    fn other_functions_stay_guest_code() {
        for name in [
            "__memcpy_chk",
            "memcpy_chk",
            "strlen_sse2",
            "my_strlen",
            "_int_malloc",
            "__minimal_malloc",
            "__strcasecmp_l_nonascii",
            "strlen.constprop.0",
            "__memcpy_chk_sse2_unaligned",
            "",
            "__",
        ] {
            assert_eq!(base(name), None, "{name}");
        }
    }
}
