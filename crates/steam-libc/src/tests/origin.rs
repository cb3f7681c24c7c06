//! Which functions of real programs are modelled.

use steam_image::{Image, SymbolKind};

use super::compile;
use crate::origin::Origin;

const CALLS: &str = "#include <stdlib.h>\n#include <string.h>\n\
    int main(int c, char **v) { char *p = malloc(c); strcpy(p, v[0]); memset(p, 0, strlen(p));\n\
    char *q = strchr(v[0], '/'); free(p); return q ? strcmp(q, v[0]) : memcmp(v[0], v[1], 2); }\n";

/// The names of the modelled functions that a symbol of the program stands for.
fn modelled(image: &Image, symbol: &str) -> Vec<&'static str> {
    let found = Origin::new(image).modelled();
    let functions = image.symbols.find(symbol).filter(|s| s.kind == SymbolKind::Function);
    functions.filter_map(|symbol| found.get(&symbol.address).map(|row| row.name)).collect()
}

#[test]
fn the_library_s_functions_are_modelled_and_their_selectors_are_not() {
    let image = compile("library", CALLS, &["-g", "-fno-builtin"]);
    let origin = Origin::new(&image);
    assert!(origin.notes().is_empty());
    for name in ["malloc", "__libc_malloc", "strlen"] {
        assert_eq!(modelled(&image, name).len(), 1, "{name}");
    }
    assert_eq!(modelled(&image, "__strcpy_sse2"), ["strcpy"]);
    assert_eq!(modelled(&image, "__memset_sse2_rep"), ["memset"]);
    let found = origin.modelled();
    let selectors = image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Ifunc);
    for selector in selectors {
        assert!(!found.contains_key(&selector.address), "{}", selector.name);
    }
    let variables = origin.variables();
    assert!(variables.errno.is_some() && variables.lower_case.is_some());
}

#[test]
fn the_program_s_own_functions_are_left_alone() {
    let own = "unsigned strlen(const char *s) { unsigned n = 0; while (s[n]) n++; return n; }\n\
        static char *strcpy(char *a, const char *b) { return a; }\n\
        int main(int c, char **v) { strcpy(v[0], v[0]); return strlen(v[0]); }\n";
    let image = compile("own", own, &["-g", "-fno-builtin"]);
    assert!(modelled(&image, "strlen").is_empty());
    assert!(modelled(&image, "strcpy").is_empty());
}

#[test]
fn an_allocator_of_the_program_is_left_alone_as_a_whole() {
    let own = "static char pool[1 << 20]; static unsigned used;\n\
        void *malloc(unsigned n) { void *p = pool + used; used += (n + 15) & ~15; return p; }\n\
        void free(void *p) {}\n\
        void *calloc(unsigned a, unsigned b) { return malloc(a * b); }\n\
        void *realloc(void *p, unsigned n) { return malloc(n); }\n\
        int main(void) { return *(char *)malloc(4); }\n";
    for flags in KINDS {
        let image = compile("pool", own, flags);
        for name in ["malloc", "free", "calloc", "realloc"] {
            assert!(modelled(&image, name).is_empty(), "{name}");
        }
        assert_eq!(Origin::new(&image).notes().len(), 1);
    }
}

#[test]
fn a_stripped_program_says_that_its_heap_is_not_checked() {
    let image = compile("stripped", CALLS, &["-s"]);
    let origin = Origin::new(&image);
    assert!(origin.modelled().is_empty());
    assert_eq!(origin.notes().len(), 1);
}

/// The two kinds of static programs, with and without source lines.
const KINDS: [&[&str]; 4] = [
    &["-fno-builtin"],
    &["-fno-builtin", "-g"],
    &["-fno-builtin", "-static-pie"],
    &["-fno-builtin", "-static-pie", "-g"],
];

#[test]
fn ordinary_programs_are_modelled_in_every_kind() {
    for (number, flags) in KINDS.iter().enumerate() {
        let image = compile(&format!("ordinary{number}"), CALLS, flags);
        for name in ["malloc", "free", "realloc", "calloc", "strlen", "__memcmp_ia32"] {
            assert_eq!(modelled(&image, name).len(), 1, "{name} {flags:?}");
        }
        assert!(Origin::new(&image).notes().is_empty(), "{flags:?}");
    }
}

#[test]
fn static_functions_with_the_library_s_names_are_left_alone() {
    let own = "int puts(const char *);\n\
        static int malloc(int n) { return n + 1; }\n\
        static int free(int n) { return n + 2; }\n\
        static int strlen(const int *a) { int n = 0; while (a[n] != -1) n++; return n; }\n\
        int (*volatile functions[])() = { malloc, free, strlen };\n\
        int main(void) { return functions[0](1) + puts(\"\"); }\n";
    for (number, flags) in KINDS.iter().enumerate() {
        let image = compile(&format!("static{number}"), own, flags);
        let found = Origin::new(&image).modelled();
        let main = image.symbols.find("main").next().expect("main").address;
        for name in ["malloc", "free", "strlen"] {
            // The program's functions lie right before `main`, the library's far behind it.
            let near = |address: u32| address < main && main - address < 200;
            let (own, library): (Vec<u32>, Vec<u32>) =
                image.symbols.find(name).map(|symbol| symbol.address).partition(|&a| near(a));
            assert_eq!((own.len(), library.len()), (1, 1), "{name} {flags:?}");
            assert!(!found.contains_key(&own[0]), "{name} {flags:?}");
            assert!(found.contains_key(&library[0]), "{name} {flags:?}");
        }
    }
}

#[test]
fn a_local_function_with_a_reserved_name_is_the_program_s() {
    let own = "static int __free(int n) { return n + 1; }\n\
        int (*volatile function)(int) = __free;\n\
        int main(void) { return function(1); }\n";
    // Without lines, position-independent programs give no way to tell.
    for flags in [KINDS[0], KINDS[1], KINDS[3]] {
        let image = compile("reserved", own, flags);
        let found = Origin::new(&image).modelled();
        let local = image.symbols.find("__free").find(|symbol| !symbol.global).expect("it");
        assert!(!found.contains_key(&local.address), "{flags:?}");
    }
}
