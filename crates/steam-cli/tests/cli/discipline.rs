//! `steam check --mld`, on a program whose only writer reads its variable without the lock: that is no
//! race, but no discipline either.

use crate::place::{Place, said};

const OWN_READS: &str = "\
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, copy, seen;
static void *write(void *unused) { (void)unused;
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  copy = count;
  return 0;
}
static void *look(void *unused) { (void)unused;
  pthread_mutex_lock(&lock);
  seen = count;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, write, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

/// Each access holds the lock.
const GUARDED: &str = "\
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int first, second;
static void *move(void *unused)
{
  pthread_mutex_lock(&lock);
  first++;
  second--;
  first++;
  second--;
  assert(first + second == 0);
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void)
{
  pthread_t one, other;
  pthread_create(&one, 0, move, 0);
  pthread_create(&other, 0, move, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
";

/// Checks the program with more words; the exit status and what was said.
fn check(words: &[&str]) -> (i32, String) {
    let place = Place::new();
    place.write("own.c", OWN_READS);
    let words: Vec<&str> =
        ["check", "--no-times"].into_iter().chain(words.iter().copied()).collect();
    let said = said(&mut place.steam(&[&words[..], &["own.c"]].concat()));
    (said.status, said.out + &said.err)
}

#[test]
fn a_check_names_what_no_lock_protects() {
    assert_eq!(check(&[]).0, 0);
    let (status, text) = check(&["--mld", "check"]);
    assert_eq!(status, 1, "{text}");
    for part in [
        "DISCIPLINE  no lock protects `count`\n",
        "error[discipline]: no lock protects `count`\n",
        "thread 2 reads, holding no lock",
        "holding lock",
        "own.c:8:",
        "some accesses hold `lock`, but no lock is held at all of them",
        "[steam::discipline]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let (_, text) = check(&["--mld", "check", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["violations"][0]["kind"], "discipline");
    let accesses = json["violations"][0]["accesses"].as_array().unwrap();
    assert!(accesses.iter().any(|access| access["holds"][0] == "lock"), "{text}");
    assert!(accesses.iter().any(|access| access["holds"].as_array().unwrap().is_empty()));
}

#[test]
fn the_plain_one_is_told_in_the_same_words() {
    let (status, text) = check(&["--mld", "plain"]);
    assert_eq!(status, 1, "{text}");
    for part in ["DISCIPLINE  no lock protects `count`\n", "thread 2 reads, holding no lock"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn in_use_it_changes_no_verdict_and_names_what_violates_it() {
    let (status, text) = check(&["--mld", "use"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("no lock protects `count`") && text.contains("--mld check"), "{text}");
}

/// How many states a report says that there are.
fn states(text: &str) -> u64 {
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    json["stats"]["states"].as_u64().unwrap()
}

#[test]
fn a_search_that_stores_states_uses_it_by_itself_and_others_do_not() {
    let place = Place::new();
    place.write("bank.c", GUARDED);
    let count = |words: &[&str]| {
        let words = [&["check", "--no-times", "--format", "json"], words, &["bank.c"]].concat();
        let said = said(&mut place.steam(&words));
        assert_eq!(said.status, 0, "{words:?}: {}", said.out + &said.err);
        states(&said.out)
    };
    let (off, used) = (count(&["--mld", "off"]), count(&["--mld", "use"]));
    assert!(2 * used < off, "{used} states instead of {off}");
    for suits in [&[][..], &["--algo", "bfs"], &["--jobs", "2"]] {
        assert_eq!(count(suits), used, "{suits:?}");
    }
    // The place where a bounded search may switch is in the middle of a section, too.
    let bounded = &["--preemptions", "1"][..];
    assert_eq!(count(bounded), count(&[bounded, &["--mld", "off"]].concat()));
    assert!(count(bounded) > count(&[bounded, &["--mld", "use"]].concat()));
}

#[test]
fn by_itself_it_names_nothing_that_violates_it() {
    let (status, text) = check(&[]);
    assert!(status == 0 && !text.contains("no lock protects"), "{text}");
}

#[test]
fn it_needs_steps_that_are_learned() {
    for atomic in [&["--atomic", "instr"][..], &["--no-lgc"]] {
        for how in ["use", "plain"] {
            let (status, text) = check(&[atomic, &["--mld", how]].concat());
            assert!(status == 2 && text.contains("--atomic lgc alone"), "{text}");
        }
    }
}
