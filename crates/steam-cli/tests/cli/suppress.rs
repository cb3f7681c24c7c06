//! Errors that the user leaves out by the names of reports: `--suppress`, and names for races.

use crate::place::{Place, Said, said};

/// Races on a variable, on a part of a local variable, and on a block of the heap, each in a function of its own
/// that the compiler inlines; then a write past the end of a block.
const RACES: &str = "\
#include <pthread.h>
#include <stdlib.h>
struct box { int x, y; };
struct all { struct box *local; int *block; };
int sum;
static inline void global(void) { sum++; }
static inline void local(struct box *box) { box->y++; }
static inline void heap(int *block) { block[1]++; }
static void *work(void *given) { struct all *all = given;
  global();
  local(all->local);
  heap(all->block);
  return 0;
}
int main(void)
{
  pthread_t a;
  struct box q = {0, 0};
  int *block = malloc(8);
  block[1] = 0;
  struct all all = {&q, block};
  pthread_create(&a, 0, work, &all);
  work(&all);
  pthread_join(a, 0);
#ifdef BAD
  block[BAD] = 1;
#endif
  return q.x;
}
";

fn check(words: &[&str], suppressions: &str) -> Said {
    let place = Place::new();
    place.write("p.c", RACES);
    place.write("known", suppressions);
    let words = [&["check", "--no-times", "p.c", "--all"], words].concat();
    said(&mut place.steam(&words))
}

#[test]
fn what_a_report_suggests_leaves_it_out() {
    let flags = ["--cflags", "-O1 -DBAD=2", "--suppress", "known"];
    let mut known = String::new();
    for _ in 0..4 {
        let told = check(&flags, &known);
        let lines = told.out.lines().filter_map(|line| line.split("to leave it out: `").nth(1));
        let entries: Vec<&str> = lines.filter_map(|line| line.split('`').next()).collect();
        if entries.is_empty() {
            assert_eq!(told.status, 0, "{known}{told:?}");
            let verdict = "suppressed; not explored what comes after heap-out-of-bounds at p.c:26";
            assert!(told.out.contains(verdict), "{}", told.out);
            assert!(told.out.contains("errors suppressed by "), "{}", told.out);
            return;
        }
        assert_eq!(told.status, 1, "{told:?}");
        for entry in entries {
            assert!(!known.contains(&format!("{entry}\n")), "{entry} did not help: {}", told.out);
            known += &format!("{entry}\n");
        }
    }
    panic!("there is no end of it: {known}");
}

#[test]
fn entries_are_patterns_of_the_names_that_reports_print() {
    for entries in [
        "race:sum\nrace:main::q.y\nrace:heap block of p.c:19\n",
        "race:global\nrace:local\nrace:heap  # inlined\n",
        "race:p.c:6\nrace:p.c:7\nrace:p.c:8\n",
        "race:*\n",
        "*:p.c\n",
        "# by the function around\n\nrace:work\n",
    ] {
        let told = check(&["--cflags", "-O1", "--suppress", "known"], entries);
        assert_eq!(told.status, 0, "{entries}{told:?}");
        assert!(
            told.out.contains("NO ERROR FOUND (complete, 3 errors suppressed)"),
            "{}",
            told.out
        );
    }
    let told = check(&["--suppress", "known"], "race:su\nmemory:sum\nrace:main::*\n");
    assert_eq!(told.status, 1, "{told:?}");
    assert!(
        told.out.contains("data race on `sum`") && !told.out.contains("main::q"),
        "{}",
        told.out
    );
    assert!(told.out.contains("no error was met for `race:su`, `memory:sum`"), "{}", told.out);
}

#[test]
fn races_are_intended_by_the_names_that_reports_print() {
    let names = ["sum", "main::q.y", "heap block of p.c:19"];
    for option in ["--intended-race", "--atomic-var"] {
        let words: Vec<&str> = names.iter().flat_map(|name| [option, name]).collect();
        let told = check(&words, "");
        assert_eq!(told.status, 0, "{told:?}");
        assert!(
            !told.out.contains("not met") && !told.out.contains("no error was met"),
            "{told:?}"
        );
        assert!(!told.out.contains("no race was met"), "{told:?}");
        let told = check(&[option, "s*m", option, "local", option, "heap", "--cflags", "-O1"], "");
        assert_eq!(told.status, 0, "{told:?}");
    }
}

/// A local variable is known to the program and to reports: where one of the two meets it, the entry was met.
#[test]
fn a_race_on_a_local_variable_is_met_where_it_is_intended() {
    let place = Place::new();
    place.write(
        "p.c",
        "#include <pthread.h>\nstatic void *work(void *p) { ++*(int *)p; return 0; }\n\
         int main(void) { int x = 0, y = 0; pthread_t t; pthread_create(&t, 0, work, &x); x++;\n\
         pthread_join(t, 0); return x + y < 0; }\n",
    );
    let words = ["check", "p.c", "--cflags", "-O0", "--intended-race"];
    let told = said(&mut place.steam(&[&words[..], &["main::x"]].concat()));
    assert!(
        told.status == 0 && told.out.contains("intended races were met: `main::x`"),
        "{told:?}"
    );
    assert!(!told.out.contains("not met") && !told.out.contains("no error was met"), "{told:?}");
    let told = said(&mut place.steam(&[&words[..], &["main::y"]].concat()));
    assert!(told.status == 1 && told.out.contains("no race was met on"), "{told:?}");
    let told =
        said(&mut place.steam(&["check", "p.c", "--cflags", "-O0", "--atomic-var", "main::x"]));
    assert!(told.status == 0 && !told.out.contains("no error was met"), "{told:?}");
}

#[test]
fn a_file_that_is_none_is_the_users_mistake() {
    let told = check(&["--suppress", "known"], "race:sum\nsum\n");
    assert_eq!(told.status, 2, "{told:?}");
    assert!(told.err.contains("known: line 2: `sum` is no entry"), "{}", told.err);
    for file in ["absent", "."] {
        let told = check(&["--suppress", file], "");
        assert_eq!(told.status, 2, "{told:?}");
        assert!(told.err.contains(&format!("--suppress {file}")), "{}", told.err);
    }
}

/// Errors of one step each, with the names by which reports call them.
const SINGLE: [(&str, &str, &[&str]); 6] = [
    (
        "#include <stdlib.h>\nint main(void) { char *p = malloc(9);\nfree(p);\nreturn *(volatile char *)p; }\n",
        "memory",
        &["use-after-free:p.c:4"],
    ),
    (
        "#include <stdlib.h>\nint main(void) { char *p = malloc(9);\nfree(p);\nfree(p); return 0; }\n",
        "memory",
        &["double-free:p.c:4"],
    ),
    (
        "#include <stdlib.h>\nint main(void) { int *p = malloc(8);\nif (p[1]) exit(0);\nreturn 0; }\n",
        "memory",
        &["uninitialised:p.c:3", "memory:main"],
    ),
    ("int main(void) { return 3; }\n", "exit", &["exit-status:main"]),
    (
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         int main(void) { pthread_mutex_lock(&m); return 0; }\n",
        "lock-kept",
        &["lock-kept:m"],
    ),
    (
        "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         int main(void) { pthread_mutex_unlock(&m); return 0; }\n",
        "misuse",
        &["bad-unlock:p.c:3", "bad-unlock:m", "misuse:m"],
    ),
];

#[test]
fn the_entry_of_a_single_error_leaves_it_out() {
    for (source, find, entries) in SINGLE {
        let place = Place::new();
        place.write("p.c", source);
        let told = said(&mut place.steam(&["check", "--no-times", "p.c", "--find", find]));
        assert_eq!(told.status, 1, "{source}{told:?}");
        let printed = format!("to leave it out: `{}`", entries[0]);
        assert!(told.out.contains(&printed), "{printed} {}", told.out);
        for entry in entries {
            place.write("known", *entry);
            let words = ["check", "--no-times", "p.c", "--find", find, "--suppress", "known"];
            let told = said(&mut place.steam(&words));
            assert_eq!(told.status, 0, "{entry} {told:?}");
            assert!(told.out.contains("1 error suppressed"), "{entry} {}", told.out);
            assert!(!told.out.contains("no error was met"), "{entry} {}", told.out);
        }
    }
}

#[test]
fn locks_and_variables_name_deadlocks_and_hangs() {
    const DEADLOCK: &str = "\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *take(pthread_mutex_t *one, pthread_mutex_t *other)
{
  pthread_mutex_lock(one); pthread_mutex_lock(other);
  pthread_mutex_unlock(other); pthread_mutex_unlock(one);
  return 0;
}
static void *w(void *p) { (void)p; return take(&n, &m); }
int main(void) { pthread_t x; pthread_create(&x, 0, w, 0); take(&m, &n); return 0; }
";
    const HANG: &str = "\
#include <pthread.h>
static _Atomic int flag;
static void *w(void *p) { flag = 1; return p; }
int main(void) { pthread_t x; pthread_create(&x, 0, w, 0); flag = 0; while (!flag) ; return 0; }
";
    for (source, find, entry) in [
        (DEADLOCK, "deadlock", "deadlock:m"),
        (DEADLOCK, "deadlock", "deadlock:n"),
        (HANG, "hang", "hang:flag"),
    ] {
        let place = Place::new();
        place.write("p.c", source);
        place.write("known", entry);
        let words = ["check", "--no-times", "p.c", "--find", find];
        assert_eq!(said(&mut place.steam(&words)).status, 1, "{entry}");
        let told = said(&mut place.steam(&[&words[..], &["--suppress", "known"]].concat()));
        assert!(!told.out.contains("no error was met"), "{entry} {}", told.out);
        assert!(told.out.contains("suppressed"), "{entry} {}", told.out);
    }
}

#[test]
fn a_kind_that_there_is_not_is_the_users_mistake() {
    let told = check(&["--suppress", "known"], "race:sum\nnokind:x\n");
    assert_eq!(told.status, 2, "{told:?}");
    assert!(told.err.contains("`nokind` is no kind of error in `nokind:x`"), "{}", told.err);
    assert!(told.err.contains("bad-unlock") && told.err.contains("memory"), "{}", told.err);
}

#[test]
fn elements_of_arrays_and_variables_of_threads_have_names() {
    const PARTS: &str = "\
#include <pthread.h>
static struct { int a, b[4]; } s[3];
static void *w(void *p) { static __thread int own; *(int **)p = &own; own = 3; s[1].b[2] = 1; return p; }
int main(void)
{
  static int *_Atomic given;
  int first;
  pthread_t x;
  given = &first;
  pthread_create(&x, 0, w, &given);
  *given = 4;
  s[1].b[2] = 2;
  pthread_join(x, 0);
  return 0;
}
";
    let place = Place::new();
    place.write("p.c", PARTS);
    let check = |names: &[&str]| {
        let names = names.iter().flat_map(|name| ["--intended-race", *name]);
        let words: Vec<&str> =
            ["check", "--no-times", "p.c", "--all"].into_iter().chain(names).collect();
        said(&mut place.steam(&words))
    };
    let told = check(&["main::given"]);
    assert!(told.out.contains("race on `w::own`"), "{}", told.out);
    assert!(told.out.contains("race on `s[1].b[2]`"), "{}", told.out);
    let told = check(&["main::given", "w::own", "s[1].b[2]"]);
    assert_eq!(told.status, 0, "{told:?}");
    let told = check(&["main::given", "w::own", "s[0].b[2]"]);
    assert_eq!(told.status, 1, "{told:?}");
    assert!(told.out.contains("no error was met for `race:s[0].b[2]`"), "{}", told.out);
}

/// Races on one line: on a block that the library has allocated, and on a local variable.
const LIBRARY_BLOCK: &str = "\
#include <thread>
#include <vector>
int main()
{
  std::vector<int> vec(3);
  int local = 0;
  auto work = [&] { vec[1]++; LOCAL; };
  std::thread t(work);
  work();
  t.join();
}
";

#[test]
fn a_block_that_a_library_has_allocated_is_known_by_the_line_that_called_it() {
    let place = Place::new();
    place.write("known", "race:heap block of p.cc:5\n");
    for (local, status) in [("(void)local", 0), ("local++", 1)] {
        place.write("p.cc", LIBRARY_BLOCK.replace("LOCAL", local));
        let words = ["check", "--no-times", "p.cc", "--suppress", "known"];
        let told = said(&mut place.steam(&words));
        assert_eq!(told.status, status, "{told:?}");
        assert!(told.out.contains("suppressed by `race:heap block of p.cc:5`"), "{}", told.out);
        assert_eq!(told.out.contains("race on `main::local`"), status == 1, "{}", told.out);
    }
}
