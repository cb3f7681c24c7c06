//! `steam simulate` by scripts: the sessions that a person would have.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::{Place, Said, said};
use crate::readme::{ROOT, stable};

/// Runs a command with text as its standard input.
fn fed(command: &mut Command, text: &str) -> Said {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who refuses the command line reads nothing.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    Said {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn simulate(place: &Place, words: &str, commands: &[&str]) -> Said {
    let words: Vec<&str> = ["simulate"].into_iter().chain(words.split_whitespace()).collect();
    fed(&mut place.steam(&words), &(commands.join("\n") + "\n"))
}

fn steam(place: &Place, words: &str) -> Said {
    said(&mut place.steam(&words.split_whitespace().collect::<Vec<_>>()))
}

/// A place with a sample, compiled.
fn sample(name: &str, source: &str) -> Place {
    let place = Place::new();
    place.write(&format!("{name}.c"), source);
    let compiled = steam(&place, &format!("cc {name}.c -o {name}"));
    assert_eq!(compiled.status, 0, "{compiled:?}");
    place
}

fn philosophers() -> Place {
    sample("deadlock", include_str!("../../../../samples/philosophers/deadlock.c"))
}

#[track_caller]
fn assert_has(answer: &Said, status: i32, parts: &[&str]) {
    assert_eq!(answer.status, status, "{answer:?}");
    let mut rest = answer.out.as_str();
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("no `{part}` in\n{}", answer.out));
        rest = &rest[at + part.len()..];
    }
}

/// By hand into the deadlock, back, and another way to the end. Each thread takes its left fork.
#[test]
fn into_the_deadlock_and_past_it() {
    let place = philosophers();
    let commands = [
        "v",
        "t 2",
        "v",
        "t 3",
        "v",
        "info threads",
        "choices",
        "t 4",
        "v",
        "save dead.trail",
        "back",
        "t 3",
        "v",
        "info locks",
        "diff",
        "c",
    ];
    let answer = simulate(&place, "deadlock -- 3", &commands);
    assert_has(
        &answer,
        0,
        &[
            "thread 1 main, after step 0: main at deadlock.c:24\n",
            "(steam) v\nStep 1: Thread 1 - Line 24 src-file: deadlock.c - main",
            "(steam) t 2\nthread 2 dine, after step 1: dine at deadlock.c:16, next: \
             pthread_mutex_lock(forks[0])\n16          pthread_mutex_lock(left);\n",
            "(steam) info threads\n",
            "  1  main  main at deadlock.c:38  waits for thread 2\n",
            "  2  dine  dine at deadlock.c:17  waits for forks[1], holds forks[0]\n",
            "* 3  dine  dine at deadlock.c:17  ready, holds forks[1]\n",
            "(steam) choices\n* 1  thread 3  deadlock.c:17  pthread_mutex_lock(forks[2])\n",
            "  2  thread 4  deadlock.c:16  pthread_mutex_lock(forks[2])\n",
            "  -  thread 1  deadlock.c:38  waits for thread 2\n",
            "DEADLOCK   3 of 4 threads wait for each other\n",
            "  thread 2 holds forks[0] (taken deadlock.c:16) waits for forks[1] (deadlock.c:17)\n",
            "error[deadlock]: 3 of 4 threads wait for each other\n",
            "4 steps are in dead.trail    next: steam replay dead.trail\n",
            "(steam) back\nthread 4 dine, after step 3: dine at deadlock.c:16, next: \
             pthread_mutex_lock(forks[2])\n",
            "thread 3 ends\n",
            "(steam) info locks\nforks[0] held by thread 2, taken deadlock.c:16\n",
            "(steam) diff\n",
            "thread 3: deadlock.c:17 ready, holds forks[1] -> deadlock.c:17 finished\n",
            "the program ended with status 0\n",
        ],
    );
    let replayed = steam(&place, "replay -q dead.trail");
    assert_has(&replayed, 0, &["REPRODUCED  3 of 4 threads wait for each other\n"]);
}

/// What `check` recorded is followed, left and taken up again.
#[test]
fn along_a_trail_and_off_it() {
    let place = philosophers();
    let checked = steam(&place, "check deadlock --algo bfs --trail x.trail -q -- 2");
    assert_eq!(checked.status, 1, "{checked:?}");
    let commands = [
        "schedule",
        "goto 2",
        "choices",
        "t 2",
        "v",
        "schedule",
        "save y.trail",
        "load x.trail",
        "c",
        "c",
        "rc",
    ];
    let answer = simulate(&place, "x.trail", &commands);
    assert_has(
        &answer,
        2,
        &[
            "3 steps are recorded: `c` and `goto N` follow them\n",
            "(steam) schedule\n=> you are here\nStep 1: thread 1   (recorded)\n",
            "(steam) goto 2\nStep 1: Thread 1",
            "(recorded)\n",
            "(steam) v\nStep 3: Thread 2 - Line 17",
            "(steam) schedule\nStep 1",
            "=> you are here\n(steam) save y.trail\n3 steps are in y.trail",
            "(steam) load x.trail\n3 steps are recorded",
            "DEADLOCK   2 of 3 threads wait for each other\n",
            "(steam) c\nerror: thread 3 waits for forks[0], held by thread 2",
            "(steam) rc\nthis is the start: nothing is before it\n",
        ],
    );
    assert_has(&steam(&place, "replay -q y.trail"), 0, &["REPRODUCED  nothing is wrong"]);
}

/// `explore` finds the lost update from where the user stands, and its way becomes the schedule.
#[test]
fn a_search_from_here() {
    let place = sample("plain", include_str!("../../../../samples/lost_update/plain.c"));
    let commands = [
        "info locals",
        "v",
        "t 2",
        "v",
        "explore --algo bfs",
        "schedule",
        "c",
        "p count",
        "bt",
        "save lost.trail",
        "goto 2",
        "t 2",
        "v",
        "explore",
        "explore --no-such",
        "explore --ltl 'G count < 3'",
    ];
    let answer = simulate(&place, "plain", &commands);
    assert_has(
        &answer,
        2,
        &[
            " = <not there yet: `s` goes to the first line>\n",
            "Step 2: Thread 2 - Line 13 src-file: plain.c - work      reads count = 0\n",
            "VIOLATION  assertion failed: count == 2\n",
            "the path there is recorded, ",
            "(steam) schedule\nStep 1",
            "=> you are here\nStep 3: thread ",
            "(steam) c\nStep 3",
            "VIOLATION  assertion failed: count == 2\n",
            "(steam) p count\ncount = 1\n",
            "main at plain.c:24\n",
            "steps are in lost.trail",
            "(steam) goto 2\n",
            "(steam) v\nStep 3: Thread 2 - Line 13 src-file: plain.c - work      \
             thread 2 ends, count: 0 -> 1\n",
            "(steam) explore\nNO ERROR FOUND (complete) from here\n",
            "(steam) explore --no-such\nerror: unexpected argument '--no-such' found",
            "error: explore looks for errors alone, and --ltl claims something of whole runs",
        ],
    );
    let replayed = steam(&place, "replay -q lost.trail");
    assert_has(&replayed, 0, &["REPRODUCED  assertion failed: count == 2\n"]);
}

/// A toss has one choice for each value.
#[test]
fn tosses_are_chosen() {
    let place = Place::new();
    place.write("coins.c", include_str!("../../../../samples/requests/coins.c"));
    let commands = [
        "v",
        "v",
        "choices",
        "choose 2",
        "v",
        "choose 3",
        "display sum",
        "v",
        "choose 1",
        "v",
        "quit",
        "v",
    ];
    let answer = simulate(&place, "coins.c", &commands);
    assert_has(
        &answer,
        2,
        &[
            "error: thread 1 can go on in several ways: `choices` lists them",
            "* 2  thread 1  coins.c:11  steam_toss(2) gives 1\n",
            "chosen: steam_toss(2) gives 2\n",
            "(steam) display sum\n1: sum = 2\n",
            "1: sum = 7\n",
            "VIOLATION  assertion failed: sum != 8\n",
        ],
    );
    assert!(answer.out.ends_with("(steam) quit\n"), "{}", answer.out);
}

#[test]
fn what_cannot_be_simulated_is_said() {
    let place = Place::new();
    place.write("bad.trail", "steam-trail 2\n");
    for (words, message) in [
        ("nothing", "No such file"),
        ("bad.trail", "version 1, which is all that this steam reads"),
        ("--tui nothing", "--tui needs a terminal"),
        ("--all nothing", "--all is for steam check"),
    ] {
        let answer = simulate(&place, words, &[]);
        assert!(answer.status == 2 && answer.err.contains(message), "{words}: {answer:?}");
    }
}

/// Two threads count without a lock, the first one twice.
const FINER: &str = "\
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void pass(void) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); }
static void *one(void *unused) { (void)unused;
  pass();
  count++;
  pass();
  count++;
  return 0;
}
static void *two(void *unused) { (void)unused;
  pass();
  count++;
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 3);
  return 0;
}
";

/// A schedule that was made when it was not known that `count` is shared: a search learns it, and
/// the way to the error is reported in finer steps from its start on.
#[test]
fn a_search_may_make_finer_steps() {
    let place = sample("finer", FINER);
    simulate(&place, "finer", &["save known.trail"]);
    let known = std::fs::read_to_string(place.file("known.trail")).unwrap();
    let unknown: Vec<&str> = known.lines().filter(|line| !line.starts_with("set shared")).collect();
    assert!(unknown.len() < known.lines().count(), "{known}");
    place.write("unknown.trail", unknown.join("\n"));
    let commands = ["v", "t 2", "v", "explore", "schedule", "c", "save found.trail"];
    let answer = simulate(&place, "unknown.trail", &commands);
    assert_has(
        &answer,
        0,
        &[
            "Step 2: Thread 2 - Line 5 src-file: finer.c - pass",
            "VIOLATION  assertion failed: count == 3\n",
            "(steam) schedule\nStep 1",
            "reads count = 0\n",
            "count: 0 -> 1\n=> you are here\n",
            "VIOLATION  assertion failed: count == 3\n",
        ],
    );
    let replayed = steam(&place, "replay -q found.trail");
    assert_has(&replayed, 0, &["REPRODUCED  assertion failed: count == 3\n"]);
}

/// The session in docs/simulate.md is a real one.
#[test]
fn the_documented_session_is_what_is_printed() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/simulate.md")).unwrap();
    let (_, rest) = text.split_once("```\n$ steam ").expect("a session");
    let (run, _) = rest.split_once("```\n").expect("its end");
    let (words, shown) = run.split_once('\n').unwrap();
    let commands = shown.lines().filter_map(|line| line.strip_prefix("(steam) "));
    let commands: String = commands.map(|command| format!("{command}\n")).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let answer = fed(Place::new().steam(&words).current_dir(ROOT), &commands);
    assert_eq!(stable(shown), stable(&answer.out), "docs/simulate.md is old: run it again");
}

/// Two processes that have a variable each.
const TWO: &str = "\
#include <sys/wait.h>
#include <unistd.h>
int value, ends[2];
int main(void)
{
  char byte;
  pipe(ends);
  if (fork() == 0) {
    value = 5;
    write(ends[1], &value, 1);
    _exit(0);
  }
  read(ends[0], &byte, 1);
  value = 7;
  close(ends[0]);
  wait(0);
  return 0;
}
";

/// A process has the name that trails give it, and a watched variable is that of its process.
#[test]
fn processes_have_names_and_variables_of_their_own() {
    let place = sample("two", TWO);
    let commands = ["v", "choices", "t 1", "watch value", "t 2", "p value", "v", "t 1", "c"];
    let answer = simulate(&place, "two", &commands);
    let parts = [
        "process 2  two.c:10  write (room in a pipe)",
        "  -  process 1  two.c:13  waits for bytes in a pipe (descriptor 3), whose writing end is \
         open in process 1 as 4 and process 2 as 4\n",
        "Watchpoint 1: value = 0\n",
        "(steam) p value\nvalue = 5\n",
        "Watchpoint 1: value\nOld value = 0\nNew value = 7\n",
    ];
    assert_has(&answer, 0, &parts);
}

/// Memory that is lent is known by what a trail says, and to who goes by hand.
#[test]
fn lent_memory_is_replayed_and_walked_through() {
    let place =
        sample("lent", include_str!("../../../../tests/soundness/lent_beside_a_neighbour.c"));
    let checked = steam(&place, "check lent");
    assert_has(&checked, 1, &["assertion failed: first == 'a'", "vfork(), creates process 4"]);
    assert_has(&steam(&place, "replay lent.trail"), 0, &["REPRODUCED", "first == 'a'"]);
    let walked = simulate(&place, "lent", &["c"]);
    assert_has(&walked, 0, &["creates process 4", "the program ended with status 0"]);
    let place =
        sample("lent", include_str!("../../../../tests/soundness/lent_and_read_elsewhere.c"));
    let word = "a child of vfork touches `seen`, as they do";
    assert_has(&steam(&place, "check lent"), 3, &["UNKNOWN", word]);
    assert_has(&steam(&place, "replay lent.trail"), 0, &["REPRODUCED", word]);
    assert_has(&simulate(&place, "lent", &["c"]), 0, &[word]);
}
