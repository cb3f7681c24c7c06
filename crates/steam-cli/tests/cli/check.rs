//! `steam check` and `steam replay`, on small programs whose errors are known.

use crate::place::{Place, Said, said};

/// Two threads that each add one without a lock: the sum is 1 or 2.
const LOST: &str = "\
#include <assert.h>
#include <pthread.h>
int glob;
static void *add(void *unused) { (void)unused;
  glob++;
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(glob == 2);
  return 0;
}
";

/// Two threads take two locks in opposite order.
const CROSSED: &str = "\
#include <pthread.h>
pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER, B = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) { (void)unused;
  pthread_mutex_lock(&A);
  pthread_mutex_lock(&B);
  pthread_mutex_unlock(&B);
  pthread_mutex_unlock(&A);
  return 0;
}
static void *two(void *unused) { (void)unused;
  pthread_mutex_lock(&B);
  pthread_mutex_lock(&A);
  pthread_mutex_unlock(&A);
  pthread_mutex_unlock(&B);
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

/// The sum of three threads under a lock is always three.
const COUNT: &str = "\
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *unused) { (void)unused;
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void)
{
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return sum;
}
";

/// Programs, compiled once for a test.
fn place(programs: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (name, source) in programs {
        place.write(&format!("{name}.c"), source);
        let answer = said(&mut place.steam(&["cc", &format!("{name}.c"), "-o", name]));
        assert_eq!(answer.status, 0, "{answer:?}");
    }
    place
}

fn steam(place: &Place, words: &str) -> Said {
    said(&mut place.steam(&words.split_whitespace().collect::<Vec<_>>()))
}

#[track_caller]
fn assert_has(answer: &Said, status: i32, parts: &[&str]) {
    assert_eq!(answer.status, status, "{answer:?}");
    for part in parts {
        assert!(answer.out.contains(part), "no `{part}` in\n{}", answer.out);
    }
}

#[test]
fn a_lost_update_is_found_and_reproduced() {
    let place = place(&[("lost", LOST)]);
    let answer = steam(&place, "lost");
    let parts = [
        "lost  i386 static glibc, 3 threads   dfs, lgc\n\nVIOLATION  assertion failed: glob == 2\n",
        "error[assert]: `glob == 2` is false\n",
        "thread 1: glob = 1",
        // The brace with which main begins.
        "Step 1: Thread 1 - Line 9 src-file: lost.c - main",
        "- Line 5 src-file: lost.c - add",
        "glob: 0 -> 1",
        "lost.c:15:3: error: assertion `glob == 2` is false (thread 1, step ",
        "next: steam replay lost.trail",
    ];
    assert_has(&answer, 1, &parts);
    let again = steam(&place, "replay lost.trail");
    assert_has(&again, 0, &["REPRODUCED  assertion failed: glob == 2\n", "glob: 0 -> 1"]);
}

#[test]
fn a_program_without_debug_information_is_checked() {
    let place = Place::new();
    place.write("lost.c", LOST);
    let compiled = said(&mut place.steam(&["cc", "lost.c", "-g0", "-o", "lost"]));
    assert_eq!(compiled.status, 0, "{compiled:?}");
    let answer = steam(&place, "lost");
    assert_has(&answer, 1, &["VIOLATION  assertion failed: glob == 2\n"]);
    let printed = steam(&place, "check lost --print glob");
    assert!(printed.status == 2 && printed.err.contains("compile with -g"), "{printed:?}");
}

/// The program of the StEAM paper, with the steps of the paper's trail: two of each thread, the third
/// one first. What main does before is two steps here as there: up to the atomic block, and that.
#[test]
fn the_program_of_the_paper_has_its_trail() {
    let place = Place::new();
    for (name, text) in [
        ("glob.c", include_str!("../../../../samples/glob/glob.c")),
        ("MyThread.cc", include_str!("../../../../samples/glob/MyThread.cc")),
        ("MyThread.h", include_str!("../../../../samples/glob/MyThread.h")),
    ] {
        place.write(name, text);
    }
    let mixed = steam(&place, "check glob.c MyThread.cc");
    assert!(mixed.status == 2 && mixed.err.contains("`--cc g++` compiles all as C++"), "{mixed:?}");
    let answer = steam(&place, "check --cc g++ --cflags -O0 glob.c MyThread.cc --algo bfs");
    let trail = [
        "Step 1: Thread 1 - Line 18 src-file: glob.c - main",
        "Step 2: Thread 1 - Line 10 src-file: glob.c - initThreads",
        "Step 3: Thread 3 - Line 16 src-file: MyThread.cc - MyThread::run",
        "Step 4: Thread 3 - Line 16 src-file: MyThread.cc - MyThread::run",
        "Step 5: Thread 2 - Line 16 src-file: MyThread.cc - MyThread::run",
        "Step 6: Thread 2 - Line 16 src-file: MyThread.cc - MyThread::run",
        "Step 7: Thread 1 - Line 20 src-file: glob.c - main",
    ];
    assert_has(&answer, 1, &trail);
    assert!(!answer.out.contains("Step 8"), "{}", answer.out);
}

#[test]
fn a_deadlock_names_its_cycle_and_where_locks_were_taken() {
    let place = place(&[("crossed", CROSSED)]);
    let answer = steam(&place, "check crossed");
    let parts = [
        "DEADLOCK   2 of 3 threads wait for each other\n",
        "  thread 2 holds A (taken crossed.c:4) waits for B (crossed.c:5)\n",
        "  thread 3 holds B (taken crossed.c:11) waits for A (crossed.c:12)\n",
        "  thread 1 waits for thread 2 (pthread_join, crossed.c:22)\n",
    ];
    assert_has(&answer, 1, &parts);
    assert_has(&steam(&place, "replay -q crossed.trail"), 0, &["REPRODUCED  2 of 3 threads"]);
    // What is not looked for is no error.
    let answer = steam(&place, "check --find assert,memory crossed");
    assert_has(&answer, 0, &["NO ERROR FOUND (complete for --find assert,memory)"]);
}

const HEAP_LOCK: &str = "\
#include <pthread.h>
#include <stdlib.h>
struct box { int n; pthread_mutex_t lock; };
int main(void)
{
  struct box *box = malloc(sizeof *box);
  pthread_mutex_init(&box->lock, 0);
  pthread_mutex_lock(&box->lock);
  pthread_mutex_lock(&box->lock);
  return 0;
}
";

#[test]
fn a_lock_on_the_heap_is_called_by_its_member_and_its_block() {
    let place = place(&[("heap", HEAP_LOCK)]);
    let parts = ["  thread 1 holds box.lock (0x6", ", allocated at heap.c:6) (taken heap.c:8)"];
    assert_has(&steam(&place, "check heap"), 1, &parts);
}

#[test]
fn a_right_program_is_explored_to_its_end_by_every_number_of_workers() {
    let place = place(&[("count", COUNT)]);
    let one = steam(&place, "check --no-times count");
    assert_has(&one, 0, &["NO ERROR FOUND (complete)\n", "the program can end with status 3\n"]);
    assert!(!place.file("count.trail").exists());
    let two = steam(&place, "check --no-times --jobs 2 count");
    assert_has(&two, 0, &[]);
    let counts = |answer: &Said| {
        let line = answer.out.lines().find(|line| line.contains(" states, ")).map(str::to_owned);
        let words = line.unwrap_or_default();
        words.split(", depth").next().unwrap_or_default().to_owned()
    };
    assert!(counts(&one).contains("transitions"));
    assert_eq!(counts(&one), counts(&two));
    let answer = steam(&place, "check --exit-status -q count");
    assert_has(&answer, 1, &["VIOLATION  exit-status: the program ended with status 3"]);
}

#[test]
fn limits_end_in_an_answer() {
    let place = place(&[("count", COUNT)]);
    for (words, verdict) in [
        ("--max-states 3", "UNKNOWN (limit of 3 states)\n"),
        ("--timeout 1ms", "UNKNOWN (time limit "),
        ("--memory 1", "UNKNOWN (memory limit 1 B"),
        ("--depth 2", "NO ERROR FOUND (bounded: depth 2)\n"),
        ("--algo beam --width 1", "NO ERROR FOUND (bounded: width 1)\n"),
        ("--algo random --runs 5", "NO ERROR FOUND (bounded: 5 schedules)\n"),
    ] {
        let answer = steam(&place, &format!("check -q {words} count"));
        assert_has(&answer, 3, &[verdict]);
    }
}

#[test]
fn the_same_check_prints_the_same_bytes() {
    let place = place(&[("lost", LOST)]);
    for words in ["check --no-times lost", "check --no-times --format json lost"] {
        let first = steam(&place, words);
        let trail = std::fs::read(place.file("lost.trail")).unwrap();
        let second = steam(&place, words);
        assert_eq!((first.out, first.status), (second.out, second.status), "{words}");
        assert_eq!(trail, std::fs::read(place.file("lost.trail")).unwrap());
    }
}

#[test]
fn reports_for_editors_and_programs() {
    let place = place(&[("lost", LOST)]);
    let answer = steam(&place, "check --format short lost");
    let line = "lost.c:15:3: error: assertion `glob == 2` is false (thread 1, step ";
    assert!(answer.status == 1 && answer.out.starts_with(line), "{}", answer.out);
    // One line for each error: the races that it comes from stand beside it.
    let races = answer.out.lines().skip(1);
    assert!(races.clone().count() > 0 && races.clone().all(|it| it.ends_with("[steam::race]")));
    let answer = steam(&place, "check --format json -o report.json lost");
    assert_eq!((answer.status, answer.out.as_str()), (1, ""));
    let text = std::fs::read_to_string(place.file("report.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["verdict"]["result"], "violation");
    assert_eq!(json["violations"][0]["location"]["line"], 15);
    assert_eq!(json["trail"]["file"], "lost.trail");
    let steps = json["trail"]["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["changes"][0]["expr"] == "glob"));
    assert_eq!(json["violations"][0]["step"], steps.len());
}

#[test]
fn a_trail_of_another_program_is_refused() {
    let place = place(&[("lost", LOST), ("crossed", CROSSED)]);
    assert_eq!(steam(&place, "check -q lost").status, 1);
    let answer = steam(&place, "replay -q lost.trail --program crossed");
    assert_has(&answer, 3, &["DIVERGED  at step 1: the program changed since the trail was made"]);
    let answer = steam(&place, "replay -q lost.trail --program crossed --loose");
    assert_has(
        &answer,
        3,
        &["DIVERGED  at step 1: thread 1 was at lost.c:9, now it is at crossed.c:18"],
    );
    // A trail that was changed is followed up to the change.
    let text = std::fs::read_to_string(place.file("lost.trail")).unwrap();
    place.write("lost.trail", text.replace("\n2 2 ", "\n2 9 ").replace("\n2 3 ", "\n2 9 "));
    let answer = steam(&place, "replay -q lost.trail");
    assert_has(&answer, 3, &["DIVERGED  at step 2: thread 9 cannot take this step"]);
}

/// Runs itself, under its own name and as the kernel calls it.
const AGAIN: &str = r#"#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char name[256] = "";
    int status;
    if (argc > 1)
        return 7;
    assert(readlink("/proc/self/exe", name, 255) > 0 && strstr(name, "again"));
    const char *names[] = { argv[0], name, "/proc/self/exe" };
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            execl(names[i], names[i], "once more", (char *)0);
            _exit(1);
        }
        wait(&status);
        assert(WEXITSTATUS(status) == 7);
    }
    return 0;
}
"#;

#[test]
fn a_program_that_was_compiled_finds_itself() {
    let place = Place::new();
    place.write("again.c", AGAIN);
    assert_has(&steam(&place, "check again.c"), 0, &["2 processes", "NO ERROR FOUND"]);
    assert_has(&steam(&place, "run again.c"), 0, &[]);
}

#[test]
fn sources_are_compiled_and_their_trails_replayed() {
    let place = Place::new();
    place.write("lost.c", LOST);
    assert_has(&steam(&place, "check -q lost.c"), 1, &["VIOLATION  assertion failed: glob == 2"]);
    assert_has(&steam(&place, "replay -q lost.trail"), 0, &["REPRODUCED"]);
    assert!(place.leftovers().is_empty());
}

#[test]
fn an_error_of_memory_tells_the_story_of_its_block() {
    let source = "\
#include <stdlib.h>
int main(void)
{
  int *p = malloc(8);
  free(p);
  return *p;
}
";
    let place = place(&[("after", source)]);
    let parts = [
        "VIOLATION  heap-use-after-free: ",
        "block of 8 bytes",
        "allocated by thread 1\n    at main (after.c:4)\n",
        "freed by thread 1\n    at main (after.c:5)\n",
        "after.c:6:",
    ];
    assert_has(&steam(&place, "check after"), 1, &parts);
}

#[test]
fn programs_of_the_competition_find_their_functions() {
    let source = "\
extern int __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void)
{
  int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
  __VERIFIER_assume(a != b);
  if (a > b)
    reach_error();
  return a;
}
";
    let place = Place::new();
    place.write("toss.c", source);
    let answer = steam(&place, "check toss.c");
    assert_has(&answer, 1, &["VIOLATION  assertion failed: reach_error()", "toss.c:9:"]);
    assert_has(&steam(&place, "replay -q toss.trail"), 0, &["REPRODUCED"]);
}

#[test]
fn copies_race_by_single_accesses_too() {
    let source = "\
#include <pthread.h>
#include <string.h>
static char buffer[16];
static void *fill(void *unused) { memset(buffer, 1, 9); return unused; }
int main(void)
{
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  memset(buffer + 8, 2, 8);
  pthread_join(thread, NULL);
  return 0;
}
";
    let place = Place::new();
    place.write("fill.c", source);
    for options in ["", "--atomic instr", "--algo stateless"] {
        let answer = steam(&place, &format!("check {options} --cflags -fno-builtin fill.c"));
        assert_has(&answer, 1, &["RACE       data race on `buffer", "fill.c:4", "fill.c:9"]);
    }
}

#[test]
fn of_too_many_values_some_are_tried() {
    let source = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int any = __VERIFIER_nondet_int();
  if (any < WANTED)
    reach_error();
  return 0;
}
";
    let place = Place::new();
    place.write("negative.c", source.replace("WANTED", "-7"));
    let answer = steam(&place, "check negative.c");
    assert_has(&answer, 1, &["VIOLATION  assertion failed: reach_error()", "negative.c:7:"]);
    assert_has(&steam(&place, "replay -q negative.trail"), 0, &["REPRODUCED"]);
    place.write("none.c", source.replace("any < WANTED", "any == 12345"));
    let said = "UNKNOWN (a choice among 4294967296 values, of which a few were tried at none.c:5)";
    assert_has(&steam(&place, "check none.c"), 3, &[said]);
}

#[test]
fn locks_on_the_heap_are_called_by_their_member() {
    let source = "\
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t done;
struct account { int balance; pthread_mutex_t lock; } *one, *two;
static void move(struct account *from, struct account *to)
{
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance--;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}
static void *work(void *unused) { move(one, two); sem_post(&done); return unused; }
int main(void)
{
  one = calloc(1, sizeof *one);
  two = calloc(1, sizeof *two);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  LAST
  return 0;
}
";
    let place = Place::new();
    let last = "move(two, one); pthread_join(thread, NULL);";
    place.write("dead.c", source.replace("LAST", last));
    assert_has(&steam(&place, "check dead.c"), 1, &["pthread_mutex_lock(account.lock (0x"]);
    let last = "pthread_mutex_lock(&two->lock); one->balance++; \
                pthread_mutex_unlock(&two->lock); one->balance++; pthread_join(thread, NULL);";
    place.write("bare.c", source.replace("LAST", last));
    let holding = "thread 2 writes, holding account.lock (0x";
    assert_has(&steam(&place, "check --mld check bare.c"), 1, &[holding]);
    let last = "sem_wait(&done); move(two, one); pthread_join(thread, NULL);";
    place.write("orders.c", source.replace("LAST", last));
    let told = ["NO ERROR FOUND", "takes account.lock (0x", "while it holds account.lock (0x"];
    assert_has(&steam(&place, "check orders.c"), 0, &told);
}

#[test]
fn a_replay_shows_expressions() {
    let place = Place::new();
    place.write("lost.c", LOST);
    let found = said(&mut place.steam(&["check", "-q", "lost.c", "--trail", "lost.trail"]));
    assert_eq!(found.status, 1, "{found:?}");
    let words = ["replay", "lost.trail", "--print", "glob * 10", "--print", "glob"];
    let shown = said(&mut place.steam(&words));
    assert_eq!(shown.status, 0, "{shown:?}");
    assert!(shown.out.contains("note: glob * 10 = 0 at the start\n"), "{}", shown.out);
    assert!(shown.out.contains("glob * 10: 0 -> 10"), "{}", shown.out);
    assert!(shown.out.contains("glob: 0 -> 1"), "{}", shown.out);
    let wrong = said(&mut place.steam(&["replay", "lost.trail", "--print", "glop"]));
    assert_eq!(wrong.status, 2, "{wrong:?}");
    assert!(wrong.err.contains("glop\n^\nthere is no variable `glop`; nearest: glob"), "{wrong:?}");
}

#[test]
fn a_search_without_a_store_counts_executions() {
    let place = Place::new();
    place.write("count.c", COUNT);
    // Three threads that take one lock: 3! orders.
    for (por, executions) in [("source", "6 executions"), ("sleep", "6 executions")] {
        let words = ["check", "count.c", "--algo", "stateless", "--por", por, "--no-times"];
        let done = said(&mut place.steam(&words));
        assert_eq!(done.status, 0, "{done:?}");
        assert!(done.out.contains(&format!("\n{executions}, ")), "{por}: {}", done.out);
    }
    let refused = said(&mut place.steam(&["check", "count.c", "--por", "sleep"]));
    assert!(refused.err.contains("use --por stubborn, or --algo stateless"), "{refused:?}");
}

#[test]
fn stubborn_sets_leave_out_states_and_keep_the_verdict() {
    let place = Place::new();
    place.write("count.c", COUNT);
    let all = said(&mut place.steam(&["check", "count.c"]));
    let few = said(&mut place.steam(&["check", "count.c", "--por", "stubborn"]));
    assert_eq!((all.status, few.status), (0, 0), "{few:?}");
    let two =
        ["check", "count.c", "--por", "stubborn", "--no-times", "--algo", "bfs", "--jobs", "2"];
    let two = said(&mut place.steam(&two));
    assert_eq!(two.status, 0, "{two:?}");
}

/// A thread that wants a lock while another one takes it again and again.
const HOG: &str = "\
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;
static void *hog(void *unused) { (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    sum++;
    sum++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
static void *look(void *unused) { (void)unused;
  pthread_mutex_lock(&lock); /* waits */
  pthread_mutex_unlock(&lock);
  return (void *)(long)sum;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, hog, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
";

#[test]
fn a_thread_that_waits_for_too_long_is_told_and_replayed() {
    let place = Place::new();
    place.write("hog.c", HOG);
    let start = ["check", "hog.c", "--algo", "stateless", "--find", "livelock", "--livelock"];
    let words = [&start[..], &["3", "--no-times"]].concat();
    let done = said(&mut place.steam(&words));
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.out.contains("\nLIVELOCK "), "{}", done.out);
    assert!(done.out.contains("waits for more than 3 states in a row"), "{}", done.out);
    let replayed = said(&mut place.steam(&["replay", "-q", "hog.trail"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let words = [&start[..], &["500", "-q"]].concat();
    let patient = said(&mut place.steam(&words));
    assert_eq!(patient.status, 0, "{patient:?}");
}

const POLITE: &str = "\
#include <pthread.h>
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *other(void *unused)
{
    both(&right, &left);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    both(&left, &right);
    pthread_join(thread, NULL);
    return 0;
}
";

const SERVER: &str = "\
#include <pthread.h>
#include \"steam.h\"
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int turn;
static void *serve(void *who)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        turn = (int)who;
        pthread_mutex_unlock(&lock);
        PROGRESS;
    }
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, (void *)1);
    serve((void *)0);
    return 0;
}
";

const FLAG: &str = "\
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
static void *set(void *unused)
{
    flag = VALUE;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!flag)
        ;
    return 0;
}
";

#[test]
fn cycles_without_progress_are_livelocks() {
    let place = Place::new();
    place.write("polite.c", POLITE);
    place.write("server.c", SERVER);
    place.write("flag.c", FLAG);
    let done = said(&mut place.steam(&["check", "polite.c", "--find", "usual,livelock"]));
    assert_eq!(done.status, 1, "{done:?}");
    let first = "LIVELOCK   thread 1 and thread 2 loop forever without making progress\n";
    assert!(done.out.contains(first), "{}", done.out);
    assert!(done.out.contains("\n--- cycle (repeats) ---\nStep "), "{}", done.out);
    let replayed = said(&mut place.steam(&["replay", "polite.trail"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    assert!(replayed.out.contains("\n--- cycle (repeats) ---\n"), "{}", replayed.out);
    // Without being asked for, nobody takes a loop for an error.
    assert_eq!(said(&mut place.steam(&["check", "polite.c", "-q"])).status, 0);
    for (program, flags, status) in [
        ("server.c", "-DPROGRESS=", 1),
        ("server.c", "-DPROGRESS=steam_progress()", 0),
        ("server.c", "-DPROGRESS=write(1,&lock,1) -include unistd.h", 0),
        // Whoever spins waits for one who gets his turn, or in vain.
        ("flag.c", "-DVALUE=1", 0),
        ("flag.c", "-DVALUE=0", 1),
    ] {
        let words = ["check", program, "--find", "livelock", "--cflags", flags, "-q"];
        let done = said(&mut place.steam(&words));
        assert_eq!(done.status, status, "{program} {flags}: {done:?}");
    }
}

/// Two threads that give each other the turn, and one that waits for a value.
const TURNS: &str = r"#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

sem_t ping, pong;
_Atomic int flag;

void *other(void *unused)
{
    for (;;) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return unused;
}

void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
#ifdef TURNS
    sem_init(&ping, 0, 1);
    pthread_create(&thread, NULL, other, NULL);
    for (;;) {
        sem_wait(&pong);
        sem_post(&ping);
    }
#else
    pthread_create(&thread, NULL, set, NULL);
    while (!flag)
        sched_yield();
    pthread_join(thread, NULL);
#endif
    return 0;
}
";

/// What exists only because the bound leaves out who could end it is no livelock.
#[test]
fn livelocks_are_found_within_bounds_on_switches() {
    let place = Place::new();
    place.write("turns.c", TURNS);
    for bound in ["--preemptions", "--delays"] {
        for (flags, status) in [("-DTURNS", 1), ("-DFLAG", 0)] {
            let words = ["check", "turns.c", "--find", "livelock", bound, "1", "--cflags", flags];
            let done = said(&mut place.steam(&words));
            let bounded = done.status == 3 && done.out.contains("bounded");
            assert!(done.status == status || status == 0 && bounded, "{bound} {flags}: {done:?}");
            assert_eq!(done.out.contains("LIVELOCK"), status == 1, "{bound} {flags}: {done:?}");
        }
    }
    let refused =
        said(&mut place.steam(&["check", "turns.c", "--ltl", "G F flag", "--delays", "1"]));
    assert!(refused.status == 2 && refused.err.contains("leave out the bound"), "{refused:?}");
}

/// A loop that waits for time to pass ends in the real world.
#[test]
fn a_loop_that_waits_for_the_time_stamp_counter_is_no_divergence() {
    let place = Place::new();
    place.write(
        "tick.c",
        "int main(void)\n{\n    unsigned long long start = __builtin_ia32_rdtsc();\n    \
         while (__builtin_ia32_rdtsc() - start < 100000)\n        ;\n    return 0;\n}\n",
    );
    let done = said(&mut place.steam(&["check", "tick.c"]));
    assert_eq!(done.status, 3, "{done:?}");
    assert!(done.out.contains("UNKNOWN (a loop that waits for the time stamp"), "{}", done.out);
    assert_eq!(said(&mut place.steam(&["run", "tick.c"])).status, 0);
}

#[test]
fn bounds_on_switches_are_told() {
    let place = Place::new();
    place.write("lost.c", LOST);
    for (option, most, line) in [
        (
            "--preemptions",
            "0",
            "NO ERROR FOUND (bounded: verified up to 0 preemptions for --find assert)",
        ),
        ("--delays", "0", "NO ERROR FOUND (bounded: verified up to 0 delays for --find assert)"),
        ("--preemptions", "1", "VIOLATION"),
        ("--delays", "1", "VIOLATION"),
    ] {
        for algo in ["dfs", "stateless"] {
            let words = ["check", "lost.c", "--find", "assert", option, most, "--algo", algo, "-q"];
            let done = said(&mut place.steam(&words));
            assert!(done.out.starts_with(line), "{algo} {option} {most}: {done:?}");
            assert_eq!(done.status, if line == "VIOLATION" { 1 } else { 3 });
        }
    }
}

#[test]
fn what_is_called_independent_can_be_audited() {
    let place = Place::new();
    place.write("crossed.c", CROSSED);
    let words = ["check", "crossed.c", "--audit-independence", "--no-times"];
    let done = said(&mut place.steam(&words));
    assert!(done.out.contains(" pairs of independent steps, met along"), "{}", done.out);
    assert!(!done.out.contains("\n0 pairs"), "{}", done.out);
}

/// A child waits for the end of a pipe whose writing end it has open itself.
const KEPT_OPEN: &str = "\
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void take(int signal) { (void)signal; }
int main(void)
{
  int ends[2];
  char byte;
  pipe(ends);
  signal(SIGUSR1, take);
  if (fork() == 0) {
    while (read(ends[0], &byte, 1) > 0)
      ;
    _exit(0);
  }
  kill(getpid() + 1, SIGUSR1);
  close(ends[0]);
  dup2(ends[1], 7);
  close(7);
  close(ends[1]);
  wait(0);
  return 0;
}
";

#[test]
fn system_calls_are_told_with_their_arguments() {
    let place = place(&[("kept", KEPT_OPEN)]);
    let parts = [
        "kill(process 2, SIGUSR1)",
        "takes SIGUSR1",
        "close(3)",
        "dup2(4, 7)",
        "process 2 waits for bytes in a pipe (descriptor 3), whose writing end is open in process 2 \
         as 4 (read, kept.c:12)",
    ];
    assert_has(&steam(&place, "kept --algo bfs"), 1, &parts);
}
