//! Errors that the user leaves out by the names of reports: `--suppress`, and names for races.

use crate::place::{Place, Said, said};

/// Races on a variable, on a part of a local variable, and on a block of the heap, each in a function of its own
/// that the compiler inlines; then a write behind the end of a block.
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
        let told = check(&[option, "s*m", option, "local", option, "heap", "--cflags", "-O1"], "");
        assert_eq!(told.status, 0, "{told:?}");
    }
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
