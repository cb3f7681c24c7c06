//! Threads that loop forever: which of them are a hang, in every order of search, and what their reports name.

use crate::place::{Place, Said, said};

const THREADS: &str = "\
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
";

const MAIN: &str = "\
int main(void)
{
  pthread_t x, y;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, w, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
";

const ORDERS: [&[&str]; 7] = [
    &[],
    &["--algo", "bfs"],
    &["--jobs", "2"],
    &["--algo", "stateless"],
    &["--algo", "random", "--runs", "50"],
    &["--algo", "pct", "--runs", "50"],
    &["--atomic", "instr"],
];

fn check(source: &str, words: &[&str]) -> Said {
    let place = Place::new();
    place.write("p.c", source);
    let words = [&["check", "--no-times", "p.c", "--timeout", "20s"], words].concat();
    said(&mut place.steam(&words))
}

fn threads(functions: &str) -> String {
    format!("{THREADS}{functions}{MAIN}")
}

#[test]
fn two_loops_over_words_that_nobody_writes_are_one_hang() {
    let loops = "static volatile int p, q;
static void *a(void *x) { while (!p) ; return x; }
static void *w(void *x) { while (!q) ; return x; }
";
    let behind_locks = "static volatile int p, q;
static void *a(void *x) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); while (!p) ; return x; }
static void *w(void *x) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); while (!q) ; return x; }
";
    for functions in [loops, behind_locks] {
        for order in ORDERS {
            let told = check(&threads(functions), order);
            assert_eq!(told.status, 1, "{order:?} {told:?}");
            for text in [
                "\nHANG       thread 2 and thread 3 loop forever, and all others wait\n",
                "  thread 2 loops forever at p.c:10, where p == 0\n",
                "  thread 3 loops forever at p.c:11, where q == 0\n",
            ] {
                assert!(told.out.contains(text), "{order:?} {text}: {}", told.out);
            }
        }
    }
    let place = Place::new();
    place.write("p.c", threads(behind_locks));
    for order in ["dfs", "stateless", "random"] {
        said(&mut place.steam(&["check", "p.c", "--algo", order, "--trail", "t"]));
        let told = said(&mut place.steam(&["replay", "t"]));
        assert_eq!(told.status, 0, "{told:?}");
        assert!(told.out.contains("REPRODUCED"), "{}", told.out);
    }
}

#[test]
fn one_loop_is_a_hang_where_all_others_wait_and_a_divergence_beside_others() {
    let waits = "static volatile int p;
static void *a(void *x) { while (!p) ; return x; }
static void *w(void *x) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return x; }
";
    let acts = "static volatile int p;
static void *a(void *x) { while (!p) ; return x; }
static void *w(void *x) { for (;;) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } }
";
    for order in ORDERS {
        let told = check(&threads(waits), order);
        let hang = "\nHANG       thread 2 loops forever, and all others wait\n";
        assert!(told.status == 1 && told.out.contains(hang), "{order:?} {told:?}");
        let told = check(&threads(acts), order);
        // Single executions do not know that no thread writes the word; and there each access is progress.
        let known = !order.contains(&"--runs") && !order.contains(&"instr");
        assert_eq!(told.status == 1, known, "{order:?} {told:?}");
        assert_eq!(told.out.contains("divergence"), known, "{order:?} {}", told.out);
        assert!(!told.out.contains("HANG"), "{order:?} {}", told.out);
    }
}

/// It was called a hang that named no thread.
#[test]
fn a_thread_that_takes_and_releases_a_lock_forever_is_no_hang() {
    let functions = "static void *a(void *x) { return x; }
static void *w(void *x) { for (;;) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } }
";
    for order in ORDERS {
        let told = check(&threads(functions), order);
        assert!(told.out.contains("NO ERROR FOUND"), "{order:?} {told:?}");
    }
}

/// A thread that waits was followed for up to a hundred million instructions.
#[test]
fn random_runs_see_at_once_that_a_thread_waits() {
    for (declared, waits) in [
        ("_Atomic int flag", "while (!flag) sched_yield()"),
        ("_Atomic int flag", "while (!flag) usleep(10)"),
        ("_Atomic int flag; static int get(void) { return flag; }", "while (!get()) "),
        ("volatile int flag", "while (!flag) "),
    ] {
        let functions = format!(
            "static {declared};
static void *a(void *x) {{ flag = 1; return x; }}
static void *w(void *x) {{ flag = 0; {waits}; return x; }}
"
        );
        for algorithm in ["random", "pct"] {
            let words = ["--algo", algorithm, "--timeout", "10s", "--find", "hang"];
            let told = check(&threads(&functions), &words);
            assert_eq!(told.status, 1, "{algorithm} {waits} {told:?}");
            assert!(told.out.contains("HANG       thread 3 loops"), "{waits} {}", told.out);
        }
    }
}

#[test]
fn a_thread_that_runs_for_long_and_ends_is_no_hang() {
    // Longer than until others get a chance, and than until it is given up for a round.
    let computes = "static _Atomic int flag; static int sum;
static void *a(void *x) { int n = 0; for (int i = 0; i < 2500000; i++) n ^= n * 3 + i; sum = n; flag = 1; return x; }
static void *w(void *x) { while (!flag) sched_yield(); return x; }
";
    let counts = "static volatile int p;
static void *a(void *x) { for (volatile int i = 0; i < 9000 && !p; i++) ; return x; }
static void *w(void *x) { for (int i = 0; i < 100000 && !p; i++) ; return x; }
";
    for functions in [computes, counts] {
        for order in &ORDERS[..4] {
            let told = check(&threads(functions), order);
            assert_eq!(told.status, 0, "{order:?} {told:?}");
            assert!(told.out.contains("NO ERROR FOUND (complete)"), "{order:?} {}", told.out);
        }
        let told = check(&threads(functions), &["--algo", "random", "--runs", "2"]);
        assert!(told.out.contains("NO ERROR FOUND (bounded"), "{told:?}");
    }
}

#[test]
fn what_is_awaited_behind_a_pointer_is_named() {
    let by_pointer = |block: &str| {
        format!(
            "{THREADS}struct s {{ int n; _Atomic int ready; }};
static void *a(void *x) {{ struct s *p = x; p->ready = 1; return x; }}
static void *w(void *x) {{ struct s *p = x; p->ready = 0; while (!p->ready) ; return x; }}
int main(void)
{{
  {block}
  pthread_t x, y;
  pthread_create(&x, 0, a, p);
  pthread_create(&y, 0, w, p);
  pthread_join(x, 0);
  pthread_join(y, 0);
}}
"
        )
    };
    let heap = by_pointer("struct s *p = calloc(1, sizeof *p);");
    let local = by_pointer("struct s t = {0}; struct s *p = &t;");
    let processes = format!(
        "{THREADS}struct pair {{ int n; _Atomic int first, second; }};
int main(void)
{{
  struct pair *p = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {{
    while (!p->second) ;
    p->first = 1;
    _exit(0);
  }}
  while (!p->first) ;
  p->second = 1;
  wait(0);
}}
"
    );
    for order in ORDERS {
        for (source, texts) in [
            (
                &heap,
                &["loops forever at p.c:11, where s.ready in the heap block of p.c:14 == 0\n"][..],
            ),
            (&local, &["loops forever at p.c:11, where main::t.ready == 0\n"]),
            (
                &processes,
                &[
                    "process 1 and process 2 loop forever",
                    "process 1 loops forever at p.c:18, where pair.first (shared memory at 0x",
                    "process 2 loops forever at p.c:14, where pair.second (shared memory at 0x",
                ],
            ),
        ] {
            let told = check(source, order);
            assert_eq!(told.status, 1, "{order:?} {told:?}");
            for text in texts {
                assert!(told.out.contains(text), "{order:?} {text}: {}", told.out);
            }
        }
    }
}
