//! What a verdict is about: hangs, paths that end at errors outside of `--find`, kinds, stores, the memory model.

use crate::place::{Place, Said, said};

/// Who resets the flag waits forever, if it was set before.
const SPIN: &str = "\
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int flag;
static void *a(void *p) { flag = 1; return p; }
static void *w(void *p) { flag = 0; while (!flag) ; return p; }
int main(void)
{
  pthread_t x, y;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, w, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
";

/// Main unlocks what it does not hold; then two threads race.
const CUT: &str = "\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *w(void *p) { n++; return p; }
int main(void)
{
  pthread_t x, y;
  pthread_mutex_unlock(&m);
  pthread_create(&x, 0, w, 0);
  pthread_create(&y, 0, w, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
";

/// A store that releases is seen while it is done.
const RELEASE: &str = "\
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int flag;
static void *a(void *p) { atomic_store_explicit(&flag, 1, ORDER); return p; }
int main(void)
{
  pthread_t x;
  pthread_create(&x, 0, a, 0);
  int seen = flag;
  pthread_join(x, 0);
  return seen * 0;
}
";

fn check(source: &str, words: &[&str]) -> Said {
    let place = Place::new();
    place.write("p.c", source);
    let words = [&["check", "--no-times", "p.c"], words].concat();
    said(&mut place.steam(&words))
}

#[test]
fn a_loop_that_nobody_ends_is_a_hang_in_every_order() {
    let orders: [&[&str]; 9] = [
        &[],
        &["--algo", "bfs", "--jobs", "2"],
        &["--algo", "astar"],
        &["--algo", "stateless"],
        &["--algo", "stateless", "--por", "persistent"],
        &["--algo", "random"],
        &["--algo", "pct"],
        &["--preemptions", "2"],
        &["--atomic", "instr"],
    ];
    for order in orders {
        let told = check(SPIN, order);
        assert_eq!(told.status, 1, "{order:?} {told:?}");
        assert!(told.out.contains("\nHANG       thread 3 loops forever"), "{order:?} {}", told.out);
    }
    let told = check(SPIN, &[]).out;
    for text in [
        "  thread 3 loops forever at p.c:5, where flag == 0\n",
        "  thread 1 waits for thread 3 (pthread_join, p.c:12)\n",
        "thread 2, which wrote it at p.c:4 (step 2), has ended\n",
        "[steam::hang]",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
}

#[test]
fn the_trail_of_a_hang_is_reproduced() {
    let place = Place::new();
    place.write("p.c", SPIN);
    for order in ["dfs", "stateless"] {
        said(&mut place.steam(&["check", "p.c", "--algo", order, "--trail", "t"]));
        let told = said(&mut place.steam(&["replay", "t"]));
        assert_eq!(told.status, 0, "{told:?}");
        assert!(told.out.contains("REPRODUCED"), "{}", told.out);
    }
}

/// Two threads, each of which waits for the other one's store.
const DEAF: &str = "#include <pthread.h>
static _Atomic int x, y;
static void *one(void *p) { while (!x) ; y = 1; return p; }
static void *other(void *p) { while (!y) ; x = 1; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    return pthread_join(b, 0);
}
";

#[test]
fn a_path_cut_by_an_error_outside_of_find_is_not_explored() {
    let told = check(CUT, &["--find", "race"]);
    assert_eq!(told.status, 3, "{told:?}");
    let verdict = "UNKNOWN (paths end at an error that is not looked for";
    assert!(told.out.contains(verdict) && told.out.contains("p.c:8"), "{}", told.out);
    // The real program ends at a failed assertion: nothing comes after it.
    let ends = "#include <assert.h>\nint main(void) { assert(0); }\n";
    let told = check(ends, &["--find", "race"]);
    assert_eq!(told.status, 0, "{told:?}");
    // But its parent goes on.
    let child = "#include <assert.h>\n#include <unistd.h>\nint main(void) { assert(fork()); }\n";
    let told = check(child, &["--find", "race"]);
    assert_eq!(told.status, 3, "{told:?}");
    assert!(told.out.contains(verdict) && told.out.contains("p.c:3"), "{}", told.out);
    // A second free may find a block that was allocated meanwhile.
    let freed = "#include <stdlib.h>\nint main(void)\n{\n    char *a = malloc(9);\n    free(a);\n    \
                 char *b = malloc(9);\n    free(a);\n    return !b;\n}\n";
    let told = check(freed, &["--find", "race"]);
    assert_eq!(told.status, 3, "{told:?}");
    assert!(told.out.contains(verdict) && told.out.contains("p.c:7"), "{}", told.out);
}

#[test]
fn a_hang_in_which_no_thread_writes_is_looked_for() {
    let told = check(DEAF, &["--find", "hang"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("divergence"), "{}", told.out);
}

#[test]
fn the_verdict_names_an_unusual_scope() {
    let right = "int main(void) { return 0; }\n";
    for (words, verdict, status) in [
        (&[][..], "NO ERROR FOUND (complete)\n", 0),
        (&["--find", "exit"], "NO ERROR FOUND (complete for --find exit)\n", 0),
        (&["--find", "usual,exit"], "NO ERROR FOUND (complete)\n", 0),
        (&["--still-clock"], "NO ERROR FOUND (complete for --still-clock)\n", 0),
        (&["--store", "bitstate"], "NO ERROR FOUND (bitstate: states may be missed)\n", 3),
    ] {
        let told = check(right, words);
        assert_eq!(told.status, status, "{words:?} {told:?}");
        assert!(told.out.contains(verdict), "{words:?} {}", told.out);
    }
}

#[test]
fn the_memory_model_is_named_where_it_matters() {
    for (order, named) in [("memory_order_release", true), ("memory_order_seq_cst", false)] {
        let told = check(&RELEASE.replace("ORDER", order), &["--cflags", "-O1"]);
        assert_eq!(told.status, 0, "{told:?}");
        let note = "memory model: sequential consistency. `flag` (";
        assert_eq!(told.out.contains(note), named, "{order} {}", told.out);
    }
}
