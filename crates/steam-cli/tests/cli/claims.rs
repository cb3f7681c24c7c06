//! `--invariant`, `--ltl`, `--ltl-file`, `--automaton`, `--fair`: verdicts, trails, replays, refusals.

use std::path::{Path, PathBuf};

use crate::place::{Place, Said, said};

/// One thread that writes the same words again and again.
const ALONE: &str = "\
int x, y, row[2];
int *p;
struct pair { int a, b; } pair;
static int limit = 3;
_Thread_local int own = 1;
int main(void)
{
  x = 1;
  x = 2;
  x = 3;
  p = &y;
  y = 7;
  p = &x;
  *p = 5;
  return 0;
}
";

/// Two threads, a lock, and a number that both write under it.
const LOCKED: &str = "\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
static void *add(void *unused) { (void)unused;
  pthread_mutex_lock(&m);
  sum++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

fn check(place: &Place, arguments: &[&str]) -> Said {
    said(&mut place.steam(&[&["check", "--no-times"], arguments].concat()))
}

/// The lines that tell the verdicts of claims.
fn verdicts(said: &Said) -> Vec<&str> {
    let words = ["holds  ", "violated  ", "unknown  "];
    said.out.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).collect()
}

#[test]
fn an_invariant_is_broken_where_one_value_lasts_for_one_write() {
    let place = Place::new();
    place.write("alone.c", ALONE);
    let broken = check(&place, &["alone.c", "--invariant", "x != 2"]);
    assert_eq!(broken.status, 1, "{broken:?}");
    assert!(broken.out.contains("VIOLATION  invariant `x != 2` is false\n"), "{}", broken.out);
    assert!(broken.out.contains("error[invariant]: `x != 2` is false\n"), "{}", broken.out);
    assert!(broken.out.contains("x: 1 -> 2, x != 2: true -> false\n"), "{}", broken.out);
    assert_eq!(verdicts(&broken), ["violated  x != 2"]);
    let replayed = said(&mut place.steam(&["replay", "alone.trail", "-q"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let holds = check(&place, &["alone.c", "--invariant", "x < limit + 3"]);
    assert_eq!((holds.status, verdicts(&holds)), (0, vec!["holds     x < limit + 3"]));
    for algorithm in ["bfs", "stateless", "id", "random"] {
        let broken = check(&place, &["alone.c", "--invariant", "x != 2", "--algo", algorithm]);
        assert_eq!(broken.status, 1, "{algorithm}: {broken:?}");
    }
}

#[test]
fn each_formula_has_its_own_verdict() {
    let place = Place::new();
    place.write("alone.c", ALONE);
    place.write("more.ltl", "# about the end\nF G x == 3\n\nF x == 5  # some time\n");
    let told = check(
        &place,
        &[
            "alone.c",
            "--ltl",
            "G x != 3",
            "--ltl",
            "G (x == 1 -> F x == 3)",
            "--ltl-file",
            "more.ltl",
        ],
    );
    assert_eq!(told.status, 1, "{told:?}");
    assert_eq!(
        verdicts(&told),
        [
            "violated  G x != 3",
            "holds     G (x == 1 -> F x == 3)",
            "violated  F G x == 3",
            "holds     F x == 5"
        ]
    );
    assert!(told.out.contains("--- nothing more happens ---"), "{}", told.out);
    for trail in ["alone.trail", "alone-2.trail"] {
        let replayed = said(&mut place.steam(&["replay", trail, "-q"]));
        assert_eq!(replayed.status, 0, "{replayed:?}");
    }
    let json = check(&place, &["alone.c", "--ltl", "F x == 9", "--format", "json"]);
    let claim =
        r#""claims":[{"kind":"ltl","claim":"F x == 9","verdict":"violated","reason":null}]"#;
    assert!(json.out.contains(claim), "{}", json.out);
}

#[test]
fn what_a_pointer_leads_to_is_looked_at_wherever_it_points() {
    let place = Place::new();
    place.write("alone.c", ALONE);
    let told = check(&place, &["alone.c", "--invariant", "!p || *p != 7"]);
    assert_eq!(told.status, 1, "{told:?}");
    let told = check(&place, &["alone.c", "--invariant", "!p || *p < 8"]);
    assert_eq!(told.status, 0, "{told:?}");
    let unknown = check(&place, &["alone.c", "--ltl", "G *p < 8"]);
    assert_eq!(unknown.status, 3, "{unknown:?}");
    assert!(
        unknown.out.contains("UNKNOWN (`*p < 8` has no value in some state"),
        "{}",
        unknown.out
    );
}

#[test]
fn an_automaton_is_one_of_wrong_runs() {
    let place = Place::new();
    place.write("alone.c", ALONE);
    let automaton = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"x == 3\"\nacc-name: Buchi\n\
        Acceptance: 1 Inf(0)\nproperties: stutter-invariant\n--BODY--\nState: 0\n[t] 0\n[0] 1\n\
        State: 1 {0}\n[t] 1\n--END--\n";
    place.write("seen.hoa", automaton);
    let told = check(&place, &["alone.c", "--automaton", "seen.hoa"]);
    assert_eq!((told.status, verdicts(&told)), (1, vec!["violated  seen.hoa"]), "{told:?}");
    let replayed = said(&mut place.steam(&["replay", "alone.trail", "-q"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    place.write("counts.hoa", automaton.replace("properties: stutter-invariant\n", ""));
    let refused = check(&place, &["alone.c", "--automaton", "counts.hoa"]);
    assert!(refused.status == 2 && refused.err.contains("--atomic line"), "{refused:?}");
}

/// The first process ends, and its child goes on to write to what they share.
const ORPHAN: &str = "\
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
atomic_int *shared;
int last;
int main(void)
{
  shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    shared[0] = 1;
    shared[0] = 2;
    _exit(0);
  }
  last = 1;
  return 0;
}
";

#[test]
fn variables_of_the_first_process_are_there_when_it_has_ended() {
    let place = Place::new();
    place.write("orphan.c", ORPHAN);
    for (formula, status) in [
        ("F last", 0),
        ("F G last", 0),
        ("F {shared && shared[0] == 2}", 0),
        ("F {shared && shared[0] == 3}", 1),
        ("G {!shared || shared[0] != 2}", 1),
        ("G ({shared && shared[0] == 1} -> F {shared && shared[0] == 2})", 0),
        ("G ({shared && shared[0] == 2} -> alive(1))", 1),
    ] {
        let told_of_threads = formula.contains("alive");
        for algorithm in ["dfs", "bfs", "stateless"] {
            if told_of_threads && algorithm == "stateless" {
                // What is independent is not known there.
                continue;
            }
            let told = check(&place, &["orphan.c", "--ltl", formula, "--algo", algorithm]);
            assert_eq!(told.status, status, "{algorithm} {formula}: {}{}", told.out, told.err);
        }
    }
}

/// Another program has other variables at the same addresses, so that an invariant was said to be broken by
/// what it did there. The same file again is the same program.
#[test]
fn variables_are_those_of_the_program_that_is_checked() {
    let place = Place::new();
    let other = "int filled[4000];\nint main(void)\n{\n  for (int i = 0; i < 4000; i++)\n    filled[i] = 7;\n}\n";
    place.write("other.c", other);
    let own = "#include <unistd.h>\nint x[64];\nint main(int count, char **words)\n{\n  x[5] = count;\n  \
               if (count > 1)\n    execl(words[1], \"again\", (char *)0);\n}\n";
    place.write("own.c", own);
    let built = said(&mut place.steam(&["cc", "other.c", "-o", "other"]));
    assert_eq!(built.status, 0, "{built:?}");
    let told = check(&place, &["own.c", "--invariant", "x[5] < 3", "--", "./other"]);
    assert!(told.status == 3, "{told:?}");
    assert!(told.out.contains("the first process runs another program there"), "{told:?}");
    let told = check(&place, &["own.c", "--invariant", "x[5] < 3", "--", "/proc/self/exe"]);
    assert_eq!(told.status, 0, "{told:?}");
}

#[test]
fn what_threads_hold_and_wait_for_can_be_said() {
    let place = Place::new();
    place.write("locked.c", LOCKED);
    for (formula, status) in [
        ("G !(holds(2, &m) && holds(3, &m))", 0),
        ("G !holds(2, &m)", 1),
        ("G (sum == 1 -> F sum == 2)", 0),
        ("G (blocked(2) -> F !blocked(2))", 0),
        ("G !blocked(2)", 1),
        ("F alive(3)", 0),
        ("F G !alive(1)", 0),
        ("G !(alive(2) && alive(3))", 1),
        ("G !(enabled(2) && blocked(2))", 0),
    ] {
        let told = check(&place, &["locked.c", "--ltl", formula, "--find", "deadlock"]);
        assert_eq!(told.status, status, "{formula}: {}{}", told.out, told.err);
    }
    let told = check(&place, &["locked.c", "--termination"]);
    assert_eq!((told.status, verdicts(&told)), (0, vec!["holds     F ended()"]), "{told:?}");
    let told = check(&place, &["locked.c", "--invariant", "!(holds(2, &m) && blocked(2))"]);
    assert_eq!(told.status, 0, "{told:?}");
    let told = check(&place, &["locked.c", "--ltl", "G !holds(2, &sum)"]);
    let note = "what is at the address in `holds(2, &sum)` as a lock: it holds nowhere";
    assert!(told.status == 0 && told.out.contains(note), "{told:?}");
    let never = ["locked.c", "--ltl", "G !(blocked(9) && holds(2, &m))", "--ltl", "G !alive(4)"];
    let told = check(&place, &never);
    for (atom, is_told) in [("blocked(9)", true), ("alive(4)", true), ("holds(2, &m)", false)] {
        let note = format!("the thread in `{atom}` is never there, so that it holds nowhere");
        assert!(told.status == 0 && told.out.contains(&note) == is_told, "{atom}: {told:?}");
    }
    let print = ["--print", "holds(2, &m)", "--print", "sum", "--print", "alive(2)"];
    let told = check(&place, &[&["locked.c", "--invariant", "sum < 2"], &print[..]].concat());
    assert!(
        told.out.contains("at the start: holds(2, &m) is false, alive(2) is false"),
        "{told:?}"
    );
    assert!(told.out.contains("holds(2, &m): false -> true"), "{told:?}");
    let replayed = ["replay", "locked.trail", "--print", "holds(3, &m)"];
    let replayed = said(&mut place.steam(&replayed));
    assert!(replayed.out.contains("holds(3, &m): false -> true"), "{replayed:?}");
    let line = "G !(thread(2) at locked.c:6 && thread(3) at locked.c:6)";
    let told = check(&place, &["locked.c", "--ltl", line, "--atomic", "line", "-q"]);
    assert_eq!(told.status, 0, "{told:?}");
    let told = check(&place, &["locked.c", "--ltl", "G !in(2, add)", "--atomic", "line", "-q"]);
    assert_eq!(told.status, 1, "{told:?}");
}

#[test]
fn what_is_not_understood_is_refused() {
    let place = Place::new();
    place.write("alone.c", ALONE);
    place.write("empty.ltl", "# nothing\n");
    place.write("wrong.ltl", "# some\nF x == 1\nG (x\n");
    for (arguments, part) in [
        (&["--invariant", "z == 1"][..], "there is no variable `z`"),
        (&["--invariant", "limt == 1"], "nearest: limit"),
        (&["--invariant", "pair"], "no condition"),
        (&["--invariant", "row[2] == 0"], "there is no element 2 of 2"),
        (&["--ltl", "G row"], "it is an array"),
        (&["--invariant", "x =="], "--invariant is not understood"),
        (&["--ltl", "G ("], "the formula is not understood"),
        (&["--ltl", "G X x == 1"], "counts steps by X"),
        (&["--ltl", "G !in(main)"], "use --atomic line"),
        (&["--ltl", "G !in(mian)"], "no function `mian`; nearest: main"),
        (&["--ltl", "F thread(1) at alone.c:900"], "line 900 of `alone.c` has no code"),
        (&["--ltl", "F blocked(0)"], "named by its number"),
        (&["--ltl", "F G x == 1", "--algo", "random"], "use --algo dfs"),
        (&["--ltl", "F G x == 1", "--preemptions", "2"], "leave out the bound"),
        (&["--ltl", "F G x == 1", "--store", "hash128"], "use another store"),
        (&["--ltl-file", "empty.ltl"], "has no formula in it"),
        (&["--ltl-file", "none.ltl"], "cannot read none.ltl"),
        (&["--ltl-file", "wrong.ltl"], "wrong.ltl:3: the formula is not understood"),
        (&["--ltl", "F G x == 1", "--store", "bitstate"], "use another store"),
        (&["--invariant", "own == 0"], "it is thread-local"),
        (&["--fair", "weak"], "--fair says which runs count"),
        (&["--print", "z"], "there is no variable `z`"),
    ] {
        let refused = check(&place, &[&["alone.c"], arguments].concat());
        assert_eq!(refused.status, 2, "{arguments:?}: {refused:?}");
        assert!(refused.err.contains(part), "{arguments:?}: {}", refused.err);
    }
    let told = check(&place, &["alone.c", "--invariant", "row[x] == 0"]);
    assert!(told.status == 3 && told.out.contains("an index outside of its array"), "{told:?}");
}

/// An atomic object of C++ stands for its value, of whatever type that is.
#[test]
fn an_atomic_object_is_its_value() {
    let place = Place::new();
    place.write(
        "atomics.cc",
        "#include <atomic>\n#include <thread>\nstd::atomic<int> number{0};\nstd::atomic<bool> flag{false};\n\
         std::atomic<int *> pointer{nullptr};\nstd::atomic<unsigned char> small{250};\n\
         int main()\n{\n  std::thread t([] { number = 3; flag = true; });\n  small++;\n  t.join();\n}\n",
    );
    for (invariant, status) in [
        ("number == 0 || number == 3", 0),
        ("number < 3", 1),
        ("!flag || number == 3", 0),
        ("!flag", 1),
        ("!pointer", 0),
        ("small != 251", 1),
    ] {
        let told = check(&place, &["atomics.cc", "--invariant", invariant]);
        assert_eq!(told.status, status, "{invariant}: {}{}", told.out, told.err);
    }
}

/// A loop that waits ends if others get their turn; without that it may go on for ever.
#[test]
fn whether_a_program_ends_depends_on_who_gets_a_turn() {
    let place = Place::new();
    place.write(
        "waits.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int go;\n\
         static void *set(void *unused) { go = 1; return unused; }\n\
         int main(void)\n{\n  pthread_t a;\n  pthread_create(&a, 0, set, 0);\n  while (!go)\n    ;\n\
         pthread_join(a, 0);\n  return 0;\n}\n",
    );
    for (fair, status) in [("none", 1), ("weak", 0), ("strong", 0)] {
        let told = check(&place, &["waits.c", "--termination", "--fair", fair]);
        assert_eq!(told.status, status, "{fair}: {}", told.out);
        assert_eq!(told.out.contains("--- cycle (repeats) ---"), status == 1, "{}", told.out);
        if status == 1 {
            let replayed = said(&mut place.steam(&["replay", "waits.trail", "-q"]));
            assert_eq!(replayed.status, 0, "{replayed:?}");
        }
    }
}

/// What the other thread does under the lock is its own affair: still it has the lock meanwhile.
#[test]
fn a_lock_that_others_take_can_be_missed_for_ever() {
    let place = Place::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/temporal/lock.c");
    for (fair, status) in [("none", 1), ("weak", 1), ("strong", 0)] {
        let told = check(&place, &[sample, "--ltl", "G F inside[0]", "--fair", fair]);
        assert_eq!(told.status, status, "{fair}: {}", told.out);
    }
    let told = check(&place, &[sample, "--find", "livelock"]);
    assert_eq!(told.status, 1, "{told:?}");
}

/// Two threads that hand a number to and fro get on if somebody says where.
#[test]
fn a_line_can_be_progress() {
    let place = Place::new();
    place.write(
        "turns.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int turn, done;\n\
         static void *other(void *unused) {\n  for (;;) {\n    while (turn != 1)\n      ;\n\
             turn = 0;\n  }\n  return unused;\n}\n\
         int main(void)\n{\n  pthread_t a;\n  pthread_create(&a, 0, other, 0);\n  for (;;) {\n\
             while (turn != 0)\n      ;\n    turn = 1;\n  }\n}\n",
    );
    let cycles = check(&place, &["turns.c", "--find", "livelock"]);
    assert!(cycles.status == 1 && cycles.out.contains("LIVELOCK"), "{cycles:?}");
    let gets_on = check(&place, &["turns.c", "--find", "livelock", "--progress-line", "turns.c:8"]);
    assert_eq!(gets_on.status, 0, "{gets_on:?}");
    let elsewhere =
        check(&place, &["turns.c", "--find", "livelock", "--progress-line", "turns.c:15"]);
    assert_eq!(elsewhere.status, 1, "{elsewhere:?}");
    let replayed = said(&mut place.steam(&["replay", "turns.trail", "-q"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let refused = check(&place, &["turns.c", "--progress-line", "turns.c:1"]);
    assert!(
        refused.status == 2 && refused.err.contains("nearest lines with code: 4"),
        "{refused:?}"
    );
    let refused = check(&place, &["turns.c", "--progress-line", "turns.c"]);
    assert!(refused.status == 2 && refused.err.contains("a file and a line"), "{refused:?}");
}

/// A thread that loops without effect is an error of its own, and its runs count all the same: once they
/// were left where the error was found, and `F ended()` held of a program that never ends.
#[test]
fn runs_of_a_thread_that_goes_round_count() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/temporal/circling.c");
    for more in [&[][..], &["--all"], &["--algo", "bfs"], &["--find", "assert"]] {
        for fair in ["none", "weak", "strong"] {
            let options = [&[sample, "--termination", "--fair", fair], more].concat();
            let told = check(&Place::new(), &options);
            assert_eq!(verdicts(&told), ["violated  F ended()"], "{options:?} {told:?}");
            assert_eq!(told.status, 1);
            let found = ["VIOLATION  divergence", "HANG  "].iter().any(|it| told.out.contains(it));
            assert_eq!(found, more != ["--find", "assert"]);
        }
    }
}

/// The programs of `samples/temporal` say themselves what holds of them.
#[test]
fn the_samples_say_what_holds_of_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/temporal");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut counts = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for fair in ["none", "weak", "strong"] {
            let mut arguments = vec![file.to_str().unwrap(), "--fair", fair, "--find", "deadlock"];
            let mut expected = Vec::new();
            for line in text.lines() {
                let formula = line.strip_prefix("// ltl: ");
                let invariant = line.strip_prefix("// invariant: ").filter(|_| fair == "weak");
                let Some((verdict, rest)) = formula.or(invariant).and_then(|it| it.split_once(' '))
                else {
                    continue;
                };
                let claim = match formula {
                    Some(_) => rest.strip_prefix(fair).map(str::trim),
                    None => Some(rest),
                };
                let Some(claim) = claim else { continue };
                arguments.extend([if formula.is_some() { "--ltl" } else { "--invariant" }, claim]);
                expected.push(format!("{verdict:<8}  {claim}"));
                *(if verdict == "holds" { &mut counts.0 } else { &mut counts.1 }) += 1;
            }
            if expected.is_empty() {
                continue;
            }
            let told = check(&Place::new(), &arguments);
            expected.sort();
            let mut found: Vec<String> = verdicts(&told).into_iter().map(str::to_owned).collect();
            found.sort();
            assert_eq!(found, expected, "{}: {}{}", file.display(), told.out, told.err);
        }
    }
    assert!(counts.0 >= 10 && counts.1 >= 8, "{counts:?}");
}

/// What stands in a template or in a namespace without a name is named as C++ does it.
#[test]
fn members_of_templates_and_nameless_namespaces_are_named() {
    let place = Place::new();
    place.write(
        "named.cc",
        "namespace app {\nnamespace { int hidden = 4; }\n\
         template<class T> struct Box { static T value; };\ntemplate<class T> T Box<T>::value = 3;\n}\n\
         int main() { return app::hidden + app::Box<int>::value + app::Box<char>::value - 10; }\n",
    );
    for claim in ["app::hidden == 4", "hidden == 4", "app::Box<int>::value == 3"] {
        let told =
            said(&mut place.steam(&["check", "--no-times", "named.cc", "--invariant", claim]));
        assert_eq!(told.status, 0, "{claim}: {told:?}");
        let formula = format!("G {claim}");
        let told = said(&mut place.steam(&["check", "--no-times", "named.cc", "--ltl", &formula]));
        assert_eq!(told.status, 0, "{formula}: {told:?}");
    }
    let told = said(&mut place.steam(&["check", "named.cc", "--invariant", "app::value == 3"]));
    assert!(told.err.contains("app::Box<"), "{told:?}");
}

/// What a child of `vfork` writes is in the memory of its parent at once.
#[test]
fn a_claim_is_about_what_a_child_of_vfork_writes() {
    let text = |thread: &str| {
        format!(
            "#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
             volatile int x;\n\
             static void *returns(void *unused) {{ return unused; }}\n\
             int main(void) {{ pthread_t thread; {thread}\n\
               pid_t child = vfork();\n\
               if (child == 0) {{ x = 1; x = 2; _exit(0); }}\n\
               waitpid(child, 0, 0); return x != 2; }}\n"
        )
    };
    let place = Place::new();
    place.write("alone.c", text("(void)returns;"));
    place.write("beside.c", text("pthread_create(&thread, 0, returns, 0);"));
    let ways = [&["--algo", "dfs"], &["--algo", "stateless"], &["--atomic", "instr"]];
    for (program, ways) in [("alone.c", &ways[..]), ("beside.c", &ways[..2])] {
        for way in ways {
            let told = check(&place, &[&[program, "--ltl", "G x != 1"], &way[..]].concat());
            assert_eq!((told.status, verdicts(&told)), (1, vec!["violated  G x != 1"]), "{told:?}");
            let told = check(&place, &[&[program, "--ltl", "F x == 2"], &way[..]].concat());
            assert_eq!((told.status, verdicts(&told)), (0, vec!["holds     F x == 2"]), "{told:?}");
        }
    }
}
