//! Programs for other checkers: their functions, by whatever file they are mentioned.

use crate::place::{Place, said};

/// An increment that is one step, by its name alone.
const ATOMIC: &str = "\
#include <assert.h>
#include <pthread.h>
int sum;
static void __VERIFIER_atomic_add(int amount) { sum += amount; }
static void *work(void *unused) { (void)unused;
  __VERIFIER_atomic_add(1);
  return 0;
}
int main(void)
{
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  __VERIFIER_atomic_add(1);
  pthread_join(a, 0);
  assert(sum == 2);
  return 0;
}
";

#[test]
fn functions_that_are_one_step_are_not_inlined() {
    let place = Place::new();
    place.write("p.c", ATOMIC);
    for level in ["-O0", "-O1", "-O2", "-O3 -finline-functions"] {
        let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", level]));
        assert_eq!(told.status, 0, "{level}: {told:?}");
    }
    // Nor if they say that they always are.
    let inline =
        ATOMIC.replace("static void __V", "static inline __attribute__((always_inline)) void __V");
    place.write("p.c", &inline);
    for level in ["-O0", "-O1", "-O2"] {
        let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", level]));
        assert_eq!(told.status, 0, "{level}: {told:?}");
    }
    // Where that cannot be helped, the user is warned of what was lost, and where.
    place.write("p.c", inline.replace("always_inline", "__always_inline__"));
    let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", "-O1"]));
    assert_eq!(told.status, 1, "{told:?}");
    let note = "has inlined `__VERIFIER_atomic_add` (p.c:13), `__VERIFIER_atomic_add` (p.c:6)";
    assert!(told.out.contains(note), "{}", told.out);
}

#[test]
fn names_that_the_preprocessor_puts_together_are_names() {
    let place = Place::new();
    for (macros, name) in [
        ("#define STEP(x) __VERIFIER_atomic_##x", "STEP(add)"),
        ("#define STEP(x) __VERIFIER_##atomic_##x", "STEP(add)"),
        (
            "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n#define STEP CAT(__VERIFIER_, atomic_add)",
            "STEP",
        ),
    ] {
        let source = ATOMIC.replace("__VERIFIER_atomic_add", name);
        place.write("p.c", format!("{macros}\n{source}"));
        for level in ["-O1", "-O2"] {
            let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", level]));
            assert_eq!(told.status, 0, "{macros} {level}: {told:?}");
        }
    }
}

/// Programs for CBMC, ESBMC and KLEE; each is right for WRONG 0, and for WRONG 1 it is not.
const OTHERS: [&str; 3] = [
    "int main(void) { int b = nondet_bool(); __CPROVER_assume(b); __CPROVER_assert(b, \"b\");\n\
     __CPROVER_atomic_begin(); __CPROVER_atomic_end(); __CPROVER_assert(!WRONG, \"wrong\"); return 0; }\n",
    "#include <pthread.h>\n\
     void __ESBMC_assume(_Bool); void __ESBMC_assert(_Bool, const char *);\n\
     void __ESBMC_atomic_begin(void); void __ESBMC_atomic_end(void); _Bool nondet_bool(void);\n\
     int x;\n\
     void *work(void *p) { __ESBMC_atomic_begin(); x++; __ESBMC_atomic_end(); return p; }\n\
     int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); work(0); pthread_join(a, 0);\n\
     _Bool b = nondet_bool(); __ESBMC_assume(b);\n\
     __ESBMC_assert(b && x == 2 - WRONG, \"both\"); return 0; }\n",
    "#include <assert.h>\n#include <stddef.h>\n\
     void klee_assume(unsigned long); int klee_range(int, int, const char *);\n\
     void klee_make_symbolic(void *, size_t, const char *);\n\
     int main(void) { char c; klee_make_symbolic(&c, 1, \"c\"); klee_assume(c > 0 & c < 4);\n\
     assert(c >= 1 && c <= 3); int r = klee_range(-2, 3, \"r\"); assert(r >= -2 && r < 3 - WRONG);\n\
     return 0; }\n",
];

#[test]
fn functions_of_other_checkers_mean_what_they_mean_there() {
    let place = Place::new();
    for source in OTHERS {
        place.write("p.c", source);
        for (flags, status) in [("-w -DWRONG=0", 0), ("-w -DWRONG=1", 1)] {
            let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", flags]));
            assert_eq!(told.status, status, "{source}{flags}: {told:?}");
        }
    }
}

#[test]
fn a_copy_of_the_binary_needs_nothing_beside_it() {
    let place = Place::new();
    let copy = place.file("bin/steam");
    std::fs::create_dir(place.file("bin")).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_steam"), &copy).unwrap();
    place.write(
        "p.c",
        "#include <assert.h>\n#include <steam.h>\nvoid __VERIFIER_assume(int);\n\
         int main(void) { int n = VS_toss(3); __VERIFIER_assume(n > 1); assert(n != 3); return 0; }\n",
    );
    let mut command = place.command(&copy);
    let told = said(command.args(["check", "--no-times", "p.c", "--trail", "t"]));
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("n != 3"), "{}", told.out);
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
    // The program is the same when it is built again.
    let told = said(place.command(&copy).args(["replay", "t"]));
    assert!(told.out.contains("REPRODUCED"), "{told:?}");
    place.write("p.c", "#include <steam.h>\nint main(void) { return wrong; }\n");
    let told = said(place.command(&copy).args(["check", "p.c"]));
    assert_eq!(told.status, 2, "{told:?}");
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
}

/// Who is interrupted while a compiler runs cleans up.
#[test]
fn nothing_is_left_behind_by_an_interruption() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};
    let place = Place::new();
    let slow = place.write("slow", "#!/bin/sh\ntouch started\nsleep 2\nexit 1\n");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).unwrap();
    place.write("p.c", "int main(void) { return 0; }\n");
    let mut command = place.steam(&["check", "p.c", "--cc", "./slow"]);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !place.file("started").exists() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
}

#[test]
fn functions_of_cpp_are_one_step_too() {
    let place = Place::new();
    let add = "static void __VERIFIER_atomic_add(int amount) { sum += amount; }";
    assert!(ATOMIC.contains(add));
    for (other, call) in [
        (add.to_owned(), "__VERIFIER_atomic_add"),
        (add.replace("static", "extern \"C\""), "__VERIFIER_atomic_add"),
        (add.replace("static", ""), "__VERIFIER_atomic_add"),
        (format!("namespace a {{ namespace b {{ {add} }} }}"), "a::b::__VERIFIER_atomic_add"),
        (format!("namespace {{ {} }}", add.replace("static", "")), "__VERIFIER_atomic_add"),
        (
            format!(
                "namespace {{ struct c {{ template <class T> {} }}; }}",
                add.replace("int", "T")
            ),
            "c::__VERIFIER_atomic_add",
        ),
    ] {
        let source = ATOMIC.replace(add, "OTHER").replace("__VERIFIER_atomic_add", call);
        place.write("p.cc", source.replace("OTHER", &other));
        let told = said(&mut place.steam(&["check", "--no-times", "p.cc", "--cflags", "-O1"]));
        assert_eq!(told.status, 0, "{other}: {told:?}");
    }
}

#[test]
fn functions_that_a_header_mentions_are_there() {
    let place = Place::new();
    place.write(
        "include/checker.h",
        "void __VERIFIER_loop_bound(int); void __VERIFIER_spin_start(void);\n\
         void __VERIFIER_spin_end(int); unsigned long long __VERIFIER_nondet_u64(void);\n\
         void __VERIFIER_assert(int);\n\
         #define BOUND(n) __VERIFIER_loop_bound(n)\n#define SPIN __VERIFIER_spin_start()\n\
         #define DONE(x) __VERIFIER_spin_end(x)\n#define CHECK(x) __VERIFIER_assert(x)\n",
    );
    place.write(
        "p.c",
        "#include <checker.h>\nint main(void) { BOUND(3); SPIN; DONE(0); CHECK(1); return 0; }\n",
    );
    let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", "-Iinclude"]));
    assert_eq!(told.status, 0, "{told:?}");
}

#[test]
fn a_program_is_known_by_its_first_bytes() {
    let place = Place::new();
    place.write("p.c", "int main(void) { return 0; }\n");
    let told = said(&mut place.steam(&["cc", "p.c", "-o", "program.c"]));
    assert_eq!(told.status, 0, "{told:?}");
    let told = said(&mut place.steam(&["check", "--no-times", "program.c"]));
    assert_eq!((told.status, told.out.contains("NO ERROR FOUND")), (0, true), "{told:?}");
    // Whatever else is no text goes to no compiler either.
    place.write("noise.c", [0u8; 3000]);
    let told = said(&mut place.steam(&["check", "noise.c"]));
    assert_eq!(told.status, 2, "{told:?}");
    assert!(told.err.len() < 1000, "{}", told.err);
}
