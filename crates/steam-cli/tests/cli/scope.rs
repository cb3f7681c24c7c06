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

/// On one path more memory is asked for than our layout has; the other one has an error, or none.
const LIMIT: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <steam.h>
static int x;
static void *set(void *p) { x = WRITTEN; return p; }
int main(void)
{
  pthread_t t;
  if (!malloc(steam_toss(1) ? 0x70000000 : 16))
    return 0;
  pthread_create(&t, 0, set, 0);
  pthread_join(t, 0);
  assert(x == 0);
}
";

#[test]
fn a_limit_of_ours_hides_no_error_on_another_path() {
    for order in [&["--algo", "dfs"], &["--algo", "bfs"], &["--algo", "stateless"]] {
        let told = check(&LIMIT.replace("WRITTEN", "1"), order);
        assert_eq!(told.status, 1, "{order:?}: {}", told.out);
        assert!(told.out.contains("assertion failed"), "{order:?}: {}", told.out);
        let told = check(&LIMIT.replace("WRITTEN", "0"), order);
        assert_eq!(told.status, 3, "{order:?}: {}", told.out);
        assert!(told.out.contains("a heap that is full at 1.3 GiB"), "{order:?}: {}", told.out);
    }
}

#[test]
fn a_hang_in_which_no_thread_writes_is_looked_for() {
    let told = check(DEAF, &["--find", "hang"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("HANG       thread 2 and thread 3 loop forever"), "{}", told.out);
}

#[test]
fn the_verdict_names_an_unusual_scope() {
    let right = "int main(void) { return 0; }\n";
    for (words, verdict, status) in [
        (&[][..], "NO ERROR FOUND (complete)\n", 0),
        (&["--find", "exit"], "NO ERROR FOUND (complete for --find exit)\n", 0),
        (&["--find", "usual,exit"], "NO ERROR FOUND (complete)\n", 0),
        (&["--still-clock"], "NO ERROR FOUND (complete for --still-clock)\n", 0),
        (&["--no-uninitialised"], "NO ERROR FOUND (complete for --no-uninitialised)\n", 0),
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

#[test]
fn the_note_on_the_memory_model_names_all_variables() {
    const STORES: &str = "\
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int x, y;
static void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&y, memory_order_relaxed); return p; }
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
";
    for (words, told_of) in [
        (&[][..], "are written while others access them"),
        (&["--find", "assert"], "are shared and written without a lock"),
    ] {
        let told = check(STORES, words);
        assert_eq!(told.status, 0, "{told:?}");
        let note = format!("consistency. `x` (p.c:4), `y` (p.c:10) {told_of}");
        assert!(told.out.contains(&note), "{words:?} {}", told.out);
    }
    let locked = "\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *w(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); return 0; }
";
    let told = check(locked, &["--find", "assert"]);
    assert!(!told.out.contains("memory model"), "{}", told.out);
}

#[test]
fn atomics_of_the_cpp_library_are_stores_too() {
    const STORES: &str = "\
#include <atomic>
#include <thread>
std::atomic<int> x;
int main()
{
  std::thread a([] { x.store(1, std::memory_order_release); });
  int seen = x.load(std::memory_order_acquire);
  a.join();
  return seen * 0;
}
";
    let place = Place::new();
    place.write("p.cc", STORES);
    let told = said(&mut place.steam(&["check", "--no-times", "p.cc", "--cflags", "-O1"]));
    assert_eq!(told.status, 0, "{told:?}");
    assert!(told.out.contains("memory model: sequential consistency. `x` ("), "{}", told.out);
}

#[test]
fn who_only_tries_a_lock_does_not_hold_it() {
    let source = "\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *keep(void *p) { pthread_mutex_lock(&m); return p; }
static void *seek(void *p) { while (pthread_mutex_trylock(&m)) ; return p; }
int main(void)
{
  pthread_t x, y;
  pthread_create(&x, 0, keep, 0);
  pthread_create(&y, 0, seek, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
";
    let told = check(source, &["--find", "hang"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("m held by thread 2"), "{}", told.out);
    assert!(!told.out.contains("thread 3 holds m"), "{}", told.out);
    assert!(!told.out.contains("m held by thread 3"), "{}", told.out);
}

/// Without optimisation the order is an argument, and the store locks the bus.
#[test]
fn weaker_orders_are_named_without_optimisation_too() {
    const ORDERS: &str = "\
#include <atomic>
#include <pthread.h>
std::atomic<int> x{0}; std::atomic<int *> p{nullptr}; int plain;
static void put(std::atomic<int> &to, std::memory_order order) { to.store(1, order); }
static void *work(void *given) { STORES; return given; }
int main()
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int got = x.load() + (p.load() != nullptr) + std::atomic_ref<int>(plain).load();
  pthread_join(thread, 0);
  return got == 99;
}
";
    let place = Place::new();
    let weak = "x.store(1, std::memory_order_relaxed)";
    for (stores, named) in [
        (weak, true),
        ("p.store(&plain, std::memory_order_release)", true),
        ("std::atomic_store_explicit(&x, 1, std::memory_order_release)", true),
        ("std::atomic_ref<int>(plain).store(1, std::memory_order_relaxed)", true),
        ("put(x, std::memory_order_relaxed)", true),
        ("put(x, std::memory_order_seq_cst)", false),
        ("x.store(1); x = 2; p = &plain; x.fetch_add(1); x.exchange(3)", false),
    ] {
        place.write("p.cc", ORDERS.replace("STORES", stores));
        for level in ["-O0", "-O1"] {
            let flags = format!("-std=c++20 {level}");
            let told = said(&mut place.steam(&["check", "p.cc", "--cflags", &flags]));
            assert_eq!(told.status, 0, "{stores} {level}: {told:?}");
            let note = "memory model: sequential consistency";
            assert_eq!(told.out.contains(note), named, "{stores} {level}: {}", told.out);
        }
    }
}

/// Waits that end without a wake-up are explored on request alone; the verdict on a program that waits says so.
#[test]
fn a_verdict_says_that_waits_do_not_end_by_themselves() {
    let place = Place::new();
    let condition = "#include <pthread.h>\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int set;\n\
        static void *run(void *unused) { pthread_mutex_lock(&m); set = 1; pthread_cond_signal(&c);\n\
        pthread_mutex_unlock(&m); return unused; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_lock(&m);\n\
        while (!set)\n\
        pthread_cond_wait(&c, &m);\n\
        pthread_mutex_unlock(&m); return pthread_join(t, 0); }\n";
    let futex = "#include <linux/futex.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <sys/syscall.h>\n\
        #include <unistd.h>\natomic_int set;\n\
        static void *run(void *unused) { set = 1; syscall(SYS_futex, &set, FUTEX_WAKE, 1, 0, 0, 0);\n\
        return unused; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); while (!set)\n\
        syscall(SYS_futex, &set, FUTEX_WAIT, 0, 0, 0, 0);\n\
        return pthread_join(t, 0); }\n";
    let neither = "#include <pthread.h>\n#include <semaphore.h>\nsem_t s;\n\
        static void *run(void *unused) { sem_post(&s); return unused; }\n\
        int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, run, 0); sem_wait(&s);\n\
        return pthread_join(t, 0); }\n";
    for (text, line) in [(condition, Some(7)), (futex, Some(10)), (neither, None)] {
        place.write("p.c", text);
        for algorithm in ["dfs", "stateless"] {
            let told = said(&mut place.steam(&["check", "p.c", "--algo", algorithm]));
            let waits = told.out.lines().find(|it| it.starts_with("note: waits ("));
            let wanted = line.map(|it| format!("p.c:{it}) end by a wake-up"));
            assert_eq!(told.status, 0, "{told:?}");
            assert_eq!(waits.is_some(), line.is_some(), "{told:?}");
            assert!(
                wanted.is_none_or(|it| waits.is_some_and(|note| note.contains(&it))),
                "{told:?}"
            );
            let asked =
                said(&mut place.steam(&["check", "p.c", "--algo", algorithm, "--spurious"]));
            assert!(asked.status == 0 && !asked.out.contains("note: waits ("), "{asked:?}");
        }
    }
}

/// Where there is no debug information the note names the function, whatever the interface is.
#[test]
fn waits_are_noted_without_debug_information() {
    let place = Place::new();
    let c = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        pthread_cond_t c = PTHREAD_COND_INITIALIZER; int set;\n\
        static void *run(void *unused) { pthread_mutex_lock(&m); set = 1; pthread_cond_signal(&c);\n\
        pthread_mutex_unlock(&m); return unused; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_lock(&m);\n\
        if (!set) pthread_cond_wait(&c, &m);\n\
        pthread_mutex_unlock(&m); return pthread_join(t, 0); }\n";
    let c11 = "#include <threads.h>\nmtx_t m; cnd_t c; int set;\n\
        static int run(void *unused) { mtx_lock(&m); set = 1; cnd_signal(&c); return mtx_unlock(&m); }\n\
        int main(void) { thrd_t t; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, run, 0);\n\
        mtx_lock(&m); if (!set) cnd_wait(&c, &m); mtx_unlock(&m); return thrd_join(t, 0); }\n";
    let cpp = "#include <condition_variable>\n#include <mutex>\n#include <thread>\n\
        std::mutex m; std::condition_variable c; bool set;\n\
        int main() { std::thread t([] { std::lock_guard<std::mutex> it(m); set = true; c.notify_one(); });\n\
        { std::unique_lock<std::mutex> it(m); if (!set) c.wait(it); } t.join(); }\n";
    for (name, text) in [("p.c", c), ("q.c", c11), ("r.cc", cpp)] {
        place.write(name, text);
        for flags in ["-g", "-g0", "-g0 -s"] {
            let told = said(&mut place.steam(&["check", name, "--cflags", flags]));
            let note = told.out.lines().find(|it| it.starts_with("note: waits ("));
            let note = note.unwrap_or_else(|| panic!("{name} {flags}: {told:?}"));
            let words = if flags == "-g" { name } else { "(" };
            assert!(told.status == 0 && note.contains(words), "{name} {flags}: {told:?}");
        }
    }
}

/// A join waits at a futex of the library, which looks again: that is no wait of the program.
#[test]
fn no_join_is_noted_as_a_wait() {
    let place = Place::new();
    place.write(
        "p.c",
        "#include <pthread.h>\n\
         static void *run(void *unused) { pthread_detach(pthread_self()); return unused; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return pthread_join(t, 0) * 0; }\n",
    );
    let told = said(&mut place.steam(&["check", "p.c", "--find", "assert,deadlock"]));
    assert!(told.status == 0 && !told.out.contains("note: waits ("), "{told:?}");
}
