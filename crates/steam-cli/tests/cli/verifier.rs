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
    // Who compiles it without us is told what was lost.
    let inline =
        ATOMIC.replace("static void __V", "static inline __attribute__((always_inline)) void __V");
    place.write("p.c", inline);
    let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--cflags", "-O1"]));
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("has inlined `__VERIFIER_atomic_add`"), "{}", told.out);
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
