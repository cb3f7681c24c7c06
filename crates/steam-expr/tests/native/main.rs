//! Expressions over globals: the compiler's own evaluation against ours, from the same ELF.
//!
//! Each program prints the size and the value of each expression; ours reads the initial data of
//! its file. Nothing is run but the native program.

#[path = "../chance/mod.rs"]
mod chance;
#[path = "../../../steam-image/tests/compiler/mod.rs"]
mod compiler;
#[path = "../initial/mod.rs"]
mod initial;
mod oracle;
mod random;

use oracle::compare;

/// Two lists of expressions, one a line.
const C: &str = include_str!("c.txt");
const CPP: &str = include_str!("cpp.txt");

const C_SOURCE: (&str, &str) = ("globals.c", include_str!("globals.c"));
const CPP_SOURCE: (&str, &str) = ("globals.cc", include_str!("globals.cc"));
const SSE: &str = "-msse2 -mfpmath=sse -w -static";

#[track_caller]
fn check(command: &str, source: (&str, &str), list: &str, output: &str) {
    let expressions: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    compare(command, source, &expressions, output);
}

#[test]
fn values_of_c_are_those_of_gcc() {
    check(&format!("gcc -m32 -g {SSE}"), C_SOURCE, C, "n_c_o0");
    check(&format!("gcc -m32 -g -O2 {SSE}"), C_SOURCE, C, "n_c_o2");
    check(&format!("gcc -m32 -gdwarf-4 {SSE}"), C_SOURCE, C, "n_c_dwarf4");
    check(&format!("gcc -m32 -gdwarf-3 -gstrict-dwarf {SSE}"), C_SOURCE, C, "n_c_dwarf3");
    check(&format!("gcc -m32 -gdwarf-2 -gstrict-dwarf {SSE}"), C_SOURCE, C, "n_c_dwarf2");
}

#[test]
fn values_of_cpp_are_those_of_gcc() {
    check(&format!("g++ -m32 -g {SSE}"), CPP_SOURCE, CPP, "n_cc_o0");
    check(&format!("g++ -m32 -g -O2 {SSE}"), CPP_SOURCE, CPP, "n_cc_o2");
    check(&format!("g++ -m32 -gdwarf-4 {SSE}"), CPP_SOURCE, CPP, "n_cc_dwarf4");
    check(&format!("g++ -m32 -g -fdebug-types-section {SSE}"), CPP_SOURCE, CPP, "n_cc_types");
}

#[test]
fn values_are_those_of_clang() {
    if compiler::installed("clang") {
        check(&format!("clang -m32 -g {SSE}"), C_SOURCE, C, "n_c_clang");
        // Where `int` overflows, as in `us * us`, clang computes what it likes unless a flag says otherwise.
        check(&format!("clang -m32 -g -O2 -fwrapv {SSE}"), C_SOURCE, C, "n_c_clang_o2");
        // Only gcc adds to the address of a function, which is how the oracle prints one.
        let list = CPP.replace("\nos.call\n", "\n");
        // Its definition of a static member comes before the class, which is not known by then.
        let list = list.replace("\nouter::base::counter\n", "\n");
        check(&format!("clang++ -std=c++17 -m32 -gdwarf-4 {SSE}"), CPP_SOURCE, &list, "n_cc_clang");
    }
}
