//! Data races and orders of locks as `steam check` reports them, and what the user says of them.

use crate::place::{Place, Said, said};

/// Two threads add in the plain way, and main looks whether anything got lost.
const PLAIN: &str = "\
#include <assert.h>
#include <pthread.h>
int sum;
static void *add(void *unused) { (void)unused;
  int old = sum;
  sum = old + 1;
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 2);
  return 0;
}
";

/// Two locks in both orders, one after the other.
const ORDERS: &str = "\
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
sem_t done;
static void *one(void *unused) { (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  sem_post(&done);
  return 0;
}
static void *two(void *unused) { (void)unused;
  sem_wait(&done);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void)
{
  pthread_t first, second;
  sem_init(&done, 0, 0);
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
";

fn check(source: &str, words: &[&str]) -> Said {
    let place = Place::new();
    place.write("p.c", source);
    said(&mut place.steam(&[&["check", "--no-times", "p.c"], words].concat()))
}

#[test]
fn an_error_and_the_race_on_its_way_name_each_other() {
    let told = check(PLAIN, &[]);
    assert_eq!(told.status, 1, "{told:?}");
    for part in [
        "VIOLATION  assertion failed: sum == 2\n",
        "note: this run goes over a data race on `sum` (4 bytes) at p.c:6 and p.c:5\n",
        "RACE       data race on `sum` (4 bytes)\n",
        "note: a run over it ends with: assertion failed: sum == 2 (p.c:16)\n",
        "thread 2 created here (step 1)",
    ] {
        assert!(told.out.contains(part), "{part} in {}", told.out);
    }
}

#[test]
fn what_the_user_says_of_races_counts() {
    for words in [&["--atomic-var", "sum"][..], &["--intended-race", "sum"]] {
        let told = check(PLAIN, words);
        assert_eq!(told.status, 1, "the assertion still fails: {told:?}");
        assert!(!told.out.contains("RACE"), "{words:?}: {}", told.out);
    }
    let told = check(PLAIN, &["--intended-race", "sum", "--find", "race"]);
    assert_eq!(told.status, 0, "{told:?}");
    assert!(told.out.contains("intended races were met: `sum`"), "{}", told.out);
    for option in ["--atomic-var", "--intended-race"] {
        let told = check(PLAIN, &[option, "some"]);
        assert_eq!(told.status, 2, "{told:?}");
        assert!(told.err.contains(option) && told.err.contains("some"), "{}", told.err);
    }
}

#[test]
fn locks_in_different_orders_are_a_note() {
    for words in [&[][..], &["--algo", "stateless"]] {
        let told = check(ORDERS, words);
        assert_eq!(told.status, 0, "{told:?}");
        let note = "note: locks are taken in different orders: thread 2 takes `b` at p.c:7 while it \
                    holds `a`, thread 3 takes `a` at p.c:16 while it holds `b`;";
        assert!(told.out.contains(note), "{}", told.out);
    }
    let together = ORDERS.replace("  sem_wait(&done);\n", "");
    let told = check(&together, &[]);
    assert!(
        told.out.contains("DEADLOCK") && !told.out.contains("different orders"),
        "{}",
        told.out
    );
}

/// Accesses as volatile objects: by the type of the variable, and by a cast in a macro.
const VOLATILE: &str = "\
#include <pthread.h>
#define ONCE(x) (*(volatile __typeof__(x) *)&(x))
static volatile int stop;
static int flag;
static void *work(void *unused) { (void)unused;
  stop = 1;
  ONCE(flag) = 1;
  return 0;
}
int main(void)
{
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  int sum = stop;
  sum += ONCE(flag);
  pthread_join(a, 0);
  return sum > 2;
}
";

#[test]
fn volatile_objects_are_atomic_where_the_user_says_so() {
    for level in ["-O0", "-O1", "-O2"] {
        let told = check(VOLATILE, &["--all", "--cflags", level]);
        assert_eq!(told.status, 1, "{told:?}");
        assert!(told.out.contains("race on `stop`") && told.out.contains("race on `flag`"));
        let told = check(VOLATILE, &["--volatile", "atomic", "--cflags", level]);
        assert_eq!(told.status, 0, "{told:?}");
        // A plain access beside it is a race.
        let one = VOLATILE.replace("  sum += ONCE(flag);", "  sum += flag;");
        let told = check(&one, &["--volatile", "atomic", "--cflags", level]);
        assert_eq!(told.status, 1, "{told:?}");
        assert!(told.out.contains("race on `flag`") && !told.out.contains("race on `stop`"));
    }
}

/// Two threads allocate blocks that fit into no heap of a thread's own.
const BEYOND: &str = "\
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) {
  char *volatile block = malloc(17 << 20);
  block[5] = 1;
  free(block);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
";

/// Such blocks come from a common heap: who is given which bytes depends on the order, and is no race.
#[test]
fn two_threads_that_allocate_much_are_in_no_race() {
    let told = check(BEYOND, &["--no-uninitialised"]);
    assert_eq!(told.status, 0, "{told:?}");
}

/// Two threads, of which one writes by a cast to volatile; BODY is what the other one does.
const ONCE: &str = "\
#include <pthread.h>
#define ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define LOAD(x) __extension__ ({ __asm__ volatile(\"\" ::: \"memory\"); ONCE(x); })
struct node { int a; struct node *next; };
static int x, y, arr[2], r;
static struct node one, two, *gp = &one;
static int *p = &x;
static __attribute__((noinline)) int load(volatile int *from) { return *from; }
static inline int once(const int *from) { return *(const volatile int *)from; }
static __attribute__((noinline)) int first(void)
{
  return ONCE(x);
}
static void *work(void *unused) {
  ONCE(x) = 1;
  ONCE(gp) = &two;
  ONCE(arr[1]) = 1;
  *(volatile int *)&one.a = 2;
  return unused;
}
int main(void)
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  BODY
  pthread_join(thread, 0);
  return r == 77 || load(&y) == 77;
}
";

#[test]
fn a_cast_to_volatile_is_found_wherever_the_compiler_puts_its_access() {
    for level in ["-O0", "-O1", "-O2"] {
        let judge = |body: &str, more: &[&str]| {
            let words = [&["--find", "race", "--cflags", level], more].concat();
            check(&ONCE.replace("BODY", body), &words)
        };
        for body in [
            "int v = ONCE(x); r = v;",
            "int v =\n    ONCE(x) + 1; r = v;",
            "r = LOAD(x);",
            "if (ONCE(x) == 3) r = 1;",
            "r = load(&x) + once(&x) + first();",
            "r = ONCE(arr[1]) + ONCE(*p);",
            "struct node *n = ONCE(gp); r = n == 0;",
            "struct node *n = LOAD(gp); r = ONCE(n->a);",
            "volatile int *v = &x; r = *v;",
            "ONCE(x) = y; r = *(volatile char *)&x;",
        ] {
            let told = judge(body, &["--volatile", "atomic"]);
            assert_eq!(told.status, 0, "{level} {body}: {}", told.out);
            let told = judge(body, &[]);
            assert_eq!(told.status, 1, "{level} {body}: {}", told.out);
            assert!(told.out.contains("--volatile atomic says so"), "{level} {body}: {}", told.out);
        }
        for body in [
            "r = ONCE(x) + x;",
            "ONCE(x) = x + 1;",
            "r = ONCE(gp->a);",
            "r = x; ONCE(y) = r;",
            "int *q = &x; r = *q + ONCE(y);",
            "int *from = &x; r = *from + load(&y) + once(&y);",
            "r = arr[ONCE(y) + 1];",
            "r = ONCE(arr[x & 1]);",
        ] {
            let told = judge(body, &["--volatile", "atomic"]);
            assert_eq!(told.status, 1, "{level} {body}: {}", told.out);
            assert!(!told.out.contains("--volatile atomic"), "{level} {body}: {}", told.out);
        }
    }
}

/// The same in C++.
const CONST_CAST: &str = "\
#include <pthread.h>
static int x; static bool set; static int arr[4];
template <class T> static T load(const T &v) { return *const_cast<const volatile T *>(&v); }
template <class T> static void store(T &v, T n) { *const_cast<volatile T *>(&v) = n; }
static void *work(void *p) { store(x, 1); store(set, true); const_cast<volatile int &>(arr[1]) = 2; return p; }
int main()
{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int r = load(x) + *const_cast<volatile bool *>(&set);
  r += const_cast<volatile int &>(arr[1]);
  if (*static_cast<volatile int *>(&x)) r++;
  pthread_join(thread, 0);
  return r == 99;
}
";

#[test]
fn casts_of_cpp_are_found_too() {
    let place = Place::new();
    for level in ["-O0", "-O1", "-O2"] {
        for (plain, status) in [(false, 0), (true, 1)] {
            let line = "*const_cast<volatile bool *>(&set)";
            let source =
                if plain { CONST_CAST.replace(line, "set") } else { CONST_CAST.to_owned() };
            place.write("p.cc", source);
            let words = ["check", "p.cc", "--volatile", "atomic", "--cflags", level];
            let told = said(&mut place.steam(&words));
            assert_eq!(told.status, status, "{level}: {told:?}");
        }
    }
}

#[test]
fn which_intended_races_were_met_is_said_of_locals_and_members_too() {
    let source = PLAIN
        .replace("int sum;", "struct box { int sum; }; struct box *box;")
        .replace("int old = sum;", "int old = box->sum;")
        .replace("  sum = old + 1;", "  box->sum = old + 1;")
        .replace("pthread_t a, b;", "pthread_t a, b; struct box own = {0}; box = &own;")
        .replace("assert(sum == 2);", "return own.sum == 9;");
    for name in ["box.sum", "struct box.sum"] {
        let told = check(&source, &["--intended-race", name]);
        assert_eq!(told.status, 0, "{told:?}");
        assert!(told.out.contains(&format!("intended races were met: `{name}`")), "{}", told.out);
    }
    // Others come to it by pointers; the report calls it by its own name.
    for option in ["--intended-race", "--atomic-var"] {
        let told = check(&source, &[option, "main::own.sum"]);
        assert_eq!(told.status, 0, "{told:?}");
    }
}
