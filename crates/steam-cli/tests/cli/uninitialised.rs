//! Values that were never written, in `steam check` and `steam replay`.

use crate::place::{Place, said};

/// Natively the block is the one that was freed, and still holds the 3.
const REUSED: &str = "\
#include <assert.h>
#include <stdlib.h>
int main(void)
{
  char *q = malloc(64);
  q[8] = 3;
  free(q);
  q = malloc(64);
  assert(q[8] != 3);
  return 0;
}
";

/// A thread reads what its creator has not set; all threads copy padding around, which is right.
const HANDED: &str = "\
#include <pthread.h>
#include <stdio.h>
struct job { char letter; int number; };
static struct job copy;
static void *work(void *given) {
  copy = *(struct job *)given;
  if (copy.letter == 'a')
    puts(\"a\");
  LOOK
  return 0;
}
int main(void)
{
  pthread_t thread;
  struct job job;
  job.letter = 'a';
  SET
  pthread_create(&thread, 0, work, &job);
  pthread_join(thread, 0);
  return 0;
}
";

/// The exit status of a check and what it said.
fn check(source: &str, words: &[&str]) -> (i32, String) {
    let place = Place::new();
    place.write("x.c", source);
    let words = [&["check", "--no-times", "x.c"], words].concat();
    let said = said(&mut place.steam(&words));
    (said.status, said.out)
}

#[test]
fn a_reused_block_is_found_where_memory_errors_are_looked_for() {
    for words in [&[][..], &["--algo", "bfs"], &["--algo", "random", "--runs", "2"], &["--all"]] {
        let (status, output) = check(REUSED, words);
        assert_eq!(status, 1, "{words:?} {output}");
        assert!(output.contains("x.c:9"), "{words:?} {output}");
        assert!(output.contains("byte 8 of a block of 64 bytes"), "{words:?} {output}");
        assert!(output.contains("at main (x.c:8)"), "{words:?} {output}");
    }
    for words in [&["--find", "assert"][..], &["--no-uninitialised"]] {
        let (status, output) = check(REUSED, words);
        assert_eq!(status, 0, "{words:?} {output}");
        assert!(!output.contains("(uninitialised)"), "{words:?} {output}");
    }
}

#[test]
fn a_trail_leads_to_the_use_again() {
    let place = Place::new();
    let wrong = HANDED.replace("LOOK", "if (copy.number) puts(\"b\");");
    place.write("x.c", wrong.replace("SET", ""));
    let checked = said(&mut place.steam(&["check", "x.c", "--trail", "x.trail"]));
    assert_eq!(checked.status, 1, "{}", checked.out);
    assert!(checked.out.contains("from a variable on the stack"), "{}", checked.out);
    let replayed = said(&mut place.steam(&["replay", "x.trail"]));
    assert_eq!(replayed.status, 0, "{}", replayed.out);
    assert!(replayed.out.contains("REPRODUCED  uninitialised"), "{}", replayed.out);
    assert!(replayed.out.contains("x.c:9"), "{}", replayed.out);
}

#[test]
fn a_replay_tells_of_uses_on_the_way_to_another_error() {
    let place = Place::new();
    let wrong = HANDED.replace("LOOK", "if (copy.number) puts(\"b\");").replace("SET", "");
    let ends = "pthread_join(thread, 0);\n  __builtin_trap();";
    place.write("x.c", wrong.replace("pthread_join(thread, 0);", ends));
    let words = ["check", "x.c", "--no-uninitialised", "--trail", "x.trail"];
    let checked = said(&mut place.steam(&words));
    assert!(checked.out.contains("illegal-instruction"), "{}", checked.out);
    let replayed = said(&mut place.steam(&["replay", "x.trail"]));
    assert!(replayed.out.contains("REPRODUCED  illegal-instruction"), "{}", replayed.out);
    assert!(replayed.out.contains("on the way, at x.c:9: a branch depends"), "{}", replayed.out);
}

#[test]
fn the_verdict_says_where_it_was_looked_for() {
    let right = HANDED.replace("LOOK", "").replace("SET", "job.number = 1;");
    for (words, note) in [(&[][..], true), (&["--no-uninitialised"], false)] {
        let (status, output) = check(&right, words);
        assert_eq!(status, 0, "{words:?} {output}");
        assert_eq!(
            output.contains("(uninitialised) were looked for on 1 execution"),
            note,
            "{output}"
        );
    }
    let (_, output) = check(&right, &["--format", "json"]);
    assert!(output.contains("were looked for on 1 execution"), "{output}");
    let (status, output) = check(&right, &["--algo", "random", "--runs", "5"]);
    assert_eq!(status, 3, "{output}");
    assert!(!output.contains("1 execution"), "{output}");
}
