//! How runs end: errors that nobody looks for, threads that run on and on, waits that may end by chance,
//! loops that wait; with a store and without.

use crate::place::{Place, Said, said};

fn check(place: &Place, arguments: &[&str]) -> Said {
    said(&mut place.steam(&[&["check", "--no-times"], arguments].concat()))
}

/// The lines that tell the verdicts of claims.
fn verdicts(said: &Said) -> Vec<&str> {
    let words = ["holds  ", "violated  ", "unknown  "];
    said.out.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).collect()
}

/// A program with a thread that does `does` before it is done.
fn before_done(does: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         int done, *nowhere; volatile int work;\n\
         static void *run(void *unused)\n{{\n  {does}\n  done = 1;\n  return unused;\n}}\n\
         int main(void)\n{{\n  pthread_t a;\n  pthread_create(&a, 0, run, 0);\n\
         pthread_join(a, 0);\n  return 0;\n}}\n"
    )
}

/// A run that comes to an error ends there: what was to come does not come.
#[test]
fn an_error_ends_the_run_that_it_is_on() {
    for does in ["assert(done == 7);", "*nowhere = 1;", "abort();", "free(&done);", "for (;;);"] {
        let place = Place::new();
        place.write("fails.c", before_done(does));
        for find in ["usual", "deadlock"] {
            let told = check(&place, &["fails.c", "--ltl", "F done", "--find", find]);
            assert_eq!((told.status, verdicts(&told)), (1, vec!["violated  F done"]), "{told:?}");
            let trails = ["fails.trail", "fails-2.trail"];
            let trails = if find == "usual" { &trails[..] } else { &trails[..1] };
            for trail in trails {
                let replayed = said(&mut place.steam(&["replay", trail, "-q"]));
                assert_eq!(replayed.status, 0, "{does} {trail}: {replayed:?}");
            }
        }
        let told = check(&place, &["fails.c", "--ltl", "G !done", "--find", "deadlock"]);
        if does.starts_with("free") {
            // A real program may go on after a bad free, and the claim is about what it does then.
            assert_eq!(told.status, 3, "{told:?}");
            assert!(verdicts(&told)[0].starts_with("unknown   G !done"), "{told:?}");
        } else {
            assert_eq!((told.status, verdicts(&told)), (0, vec!["holds     G !done"]), "{told:?}");
        }
    }
}

/// After an error that is looked for a safety claim may be broken by the same step.
#[test]
fn an_error_does_not_hide_that_its_step_broke_a_claim() {
    let place = Place::new();
    place.write(
        "alone.c",
        "#include <assert.h>\nint x;\nint main(void)\n{\n  x = 1;\n  assert(!x);\n}\n",
    );
    for all in [&[][..], &["--all"]] {
        let told = check(&place, &[&["alone.c", "--invariant", "x == 0"], all].concat());
        assert_eq!((told.status, verdicts(&told)), (1, vec!["violated  x == 0"]), "{told:?}");
    }
}

/// A thread that runs on and on hides nothing of what the others do.
#[test]
fn others_go_on_beside_a_thread_that_does_not_end() {
    let text = |loops: &str, right: i32| {
        format!(
            "#include <pthread.h>\n#include <assert.h>\nvolatile int work; int x;\n\
             static void *runs(void *unused) {{ {loops} return unused; }}\n\
             static void *looks(void *unused) {{ assert(x == {right}); return unused; }}\n\
             int main(void)\n{{\n  pthread_t a, b;\n  pthread_create(&a, 0, runs, 0);\n\
             pthread_create(&b, 0, looks, 0);\n  pthread_join(b, 0);\n  return 0;\n}}\n"
        )
    };
    let find = ["--find", "assert,deadlock", "--divergence", "5000000"];
    for (loops, right, status) in [
        ("for (;;) work++;", 1, 1),
        ("for (;;) work++;", 0, 3),
        ("for (;;) ;", 1, 1),
        ("for (;;) ;", 0, 0),
    ] {
        let place = Place::new();
        place.write("beside.c", text(loops, right));
        let told = check(&place, &[&["beside.c"], &find[..]].concat());
        assert_eq!(told.status, status, "{loops} {right}: {}{}", told.out, told.err);
        assert_eq!(
            told.out.contains("(complete for --find assert,deadlock)"),
            status == 0,
            "{}",
            told.out
        );
    }
}

/// A thread may be cancelled between any two instructions, or where it calls what may wait.
#[test]
fn a_thread_may_be_cancelled_anywhere() {
    let text = |kind: &str| {
        format!(
            "#include <pthread.h>\nstatic void *run(void *unused)\n{{\n  \
             pthread_setcanceltype({kind}, 0);\n  return unused;\n}}\n\
             int main(void)\n{{\n  pthread_t a;\n  pthread_create(&a, 0, run, 0);\n\
             pthread_cancel(a);\n  pthread_join(a, 0);\n  return 0;\n}}\n"
        )
    };
    let place = Place::new();
    place.write("anywhere.c", text("PTHREAD_CANCEL_ASYNCHRONOUS"));
    place.write("deferred.c", text("PTHREAD_CANCEL_DEFERRED"));
    for source in ["anywhere.c", "deferred.c"] {
        let told = check(&place, &[source]);
        assert!(told.status == 0 && told.out.contains("(complete)"), "{told:?}");
    }
}

/// That a wait may end without a signal does not mean that it does.
#[test]
fn a_wait_that_may_end_by_chance_is_a_deadlock_all_the_same() {
    let text = |waits: &str| {
        format!(
            "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint ready, got;\n\
             static void *run(void *unused)\n{{\n  pthread_mutex_lock(&m);\n\
             {waits} pthread_cond_wait(&c, &m);\n  got = 1;\n  pthread_mutex_unlock(&m);\n\
             return unused;\n}}\n\
             int main(void)\n{{\n  pthread_t a;\n  pthread_create(&a, 0, run, 0);\n\
             pthread_mutex_lock(&m);\n  ready = 1;\n  pthread_cond_signal(&c);\n\
             pthread_mutex_unlock(&m);\n  pthread_join(a, 0);\n  return 0;\n}}\n"
        )
    };
    let place = Place::new();
    place.write("lost.c", text(""));
    place.write("kept.c", text("while (!ready)"));
    for algorithm in ["dfs", "stateless"] {
        let told = check(&place, &["lost.c", "--spurious", "--algo", algorithm]);
        assert!(told.status == 1 && told.out.contains("DEADLOCK"), "{algorithm}: {told:?}");
    }
    let find = ["--find", "assert", "--spurious", "--ltl", "F got"];
    let told = check(&place, &[&["lost.c"], &find[..]].concat());
    assert_eq!((told.status, verdicts(&told)), (1, vec!["violated  F got"]), "{told:?}");
    let replayed = said(&mut place.steam(&["replay", "lost.trail", "-q"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
    let told = check(&place, &["kept.c", "--spurious", "--fair", "strong", "--ltl", "F got"]);
    assert_eq!((told.status, verdicts(&told)), (0, vec!["holds     F got"]), "{told:?}");
}

/// A few random runs do not decide that nobody writes what a loop waits for.
#[test]
fn a_loop_that_waits_is_no_divergence() {
    let text = |between: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <unistd.h>\n\
             atomic_int go; int done;\n\
             static void *waits(void *unused) {{ while (!go); done = 1; return unused; }}\n\
             int main(void)\n{{\n  pthread_t a;\n  pthread_create(&a, 0, waits, 0);\n\
             {between} go = 1;\n  pthread_join(a, 0);\n  return 0;\n}}\n"
        )
    };
    for between in ["", "sleep(1);", "for (int i = 0; i < 3; i++) sleep(1);"] {
        let place = Place::new();
        place.write("waits.c", text(between));
        for arguments in [&["--atomic", "lgc"][..], &["--atomic", "line"], &["--ltl", "F done"]] {
            let told = check(&place, &[&["waits.c"], arguments].concat());
            assert_eq!(told.status, 0, "{between} {arguments:?}: {}{}", told.out, told.err);
        }
    }
    let place = Place::new();
    place.write("endless.c", text("for (;;);"));
    let told = check(&place, &["endless.c"]);
    assert!(told.status == 1 && told.out.contains("HANG  "), "{told:?}");
}

/// Each claim has its own verdict, whatever is unknown of others, and other searches come to an end.
#[test]
fn claims_do_not_spoil_each_other() {
    let place = Place::new();
    place.write(
        "two.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int turn; int *p, x;\n\
         static void *other(void *unused) {\n  for (;;) { turn = 1; turn = 0; }\n  return unused;\n}\n\
         int main(void)\n{\n  pthread_t a;\n  pthread_create(&a, 0, other, 0);\n  x = 1;\n\
         pthread_join(a, 0);\n}\n",
    );
    let claims = ["--ltl", "G *p == 0", "--ltl", "G x == 0", "--ltl", "G turn < 2"];
    let told = check(&place, &[&["two.c", "--find", "deadlock"], &claims[..]].concat());
    let expected = ["unknown   G *p == 0", "violated  G x == 0", "holds     G turn < 2"];
    assert!(told.status == 1 && verdicts(&told).len() == 3, "{told:?}");
    for (line, start) in verdicts(&told).iter().zip(expected) {
        assert!(line.starts_with(start), "{line}: {told:?}");
    }
    let told = check(&place, &["two.c", "--find", "livelock", "--invariant", "x < 2"]);
    assert_eq!((told.status, verdicts(&told)), (1, vec!["holds     x < 2"]), "{told:?}");
}

/// Functions that stand in one line, and those of templates, are seen.
#[test]
fn a_call_within_a_line_is_seen() {
    let place = Place::new();
    place.write(
        "line.cc",
        "#include <thread>\nint x;\n\
         static void f() { x = 1; } static void g() { f(); }\n\
         struct K { template<class T> T id(T t) { return t; } } k;\n\
         int main() {\n  std::thread t([] {\n    g();\n    k.id(3);\n  });\n  t.join();\n}\n",
    );
    for atom in ["in(f)", "in(g)", "in(2, f)", "in(id)", "in(K::id<int>)"] {
        let formula = format!("G !{atom}");
        let told = check(&place, &["line.cc", "--atomic", "line", "--ltl", &formula, "-q"]);
        assert_eq!(told.status, 1, "{atom}: {told:?}");
    }
}

/// What comes before `main` is not looked at.
#[test]
fn the_first_state_is_that_in_which_main_begins() {
    let place = Place::new();
    place.write(
        "early.cc",
        "#include <thread>\nint five() { return 5; }\nint x = five();\n\
         int main() { std::thread t([] { x++; }); t.join(); }\n",
    );
    for formula in ["x == 5", "G x >= 5", "x == 5 U x == 6"] {
        let told = check(&place, &["early.cc", "--ltl", formula]);
        assert_eq!(told.status, 0, "{formula}: {told:?}");
    }
}

/// Without a store formulas of every kind are followed along executions.
#[test]
fn formulas_are_followed_along_executions() {
    let place = Place::new();
    place.write("ends.c", before_done("work = 1;"));
    place.write("fails.c", before_done("assert(done == 7);"));
    place.write(
        "waits.c",
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <sched.h>\natomic_int go; int done;\n\
         static void *set(void *unused) { go = 1; return unused; }\n\
         int main(void)\n{\n  pthread_t a;\n  pthread_create(&a, 0, set, 0);\n\
         while (!go) sched_yield();\n  done = 1;\n  pthread_join(a, 0);\n  return 0;\n}\n",
    );
    place.write(
        "round.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x; int done;\n\
         static void *turns(void *unused) { for (;;) { x = 1; x = 0; } return unused; }\n\
         int main(void)\n{\n  pthread_t a;\n  pthread_create(&a, 0, turns, 0);\n\
         pthread_join(a, 0);\n  return 0;\n}\n",
    );
    let stateless = ["--algo", "stateless"];
    for (program, claim, more, verdict) in [
        ("ends.c", "F done", &[][..], "holds     "),
        ("ends.c", "F done", &["--fair", "none"], "holds     "),
        ("ends.c", "G (work == 1 -> F work == 0)", &[], "violated  "),
        ("ends.c", "F G done", &["--fair", "none"], "holds     "),
        ("ends.c", "G F !done", &["--fair", "none"], "violated  "),
        ("fails.c", "F done", &["--find", "deadlock"], "violated  "),
        ("waits.c", "F done", &[], "unknown   "),
        ("waits.c", "F done", &["--fair", "none", "--depth", "30"], "unknown   "),
        ("round.c", "F done", &[], "violated  "),
        ("round.c", "F done", &["--fair", "none", "--depth", "20"], "unknown   "),
    ] {
        let told = check(&place, &[&[program, "--ltl", claim], &stateless[..], more].concat());
        let [line] = verdicts(&told)[..] else { panic!("{program} {claim}: {told:?}") };
        assert!(line.starts_with(&format!("{verdict}{claim}")), "{program} {more:?}: {told:?}");
        if verdict == "violated  " {
            let trail = program.replace(".c", ".trail");
            let replayed = said(&mut place.steam(&["replay", &trail, "-q"]));
            assert_eq!(replayed.status, 0, "{program} {claim}: {replayed:?}");
        }
    }
    let refused = check(
        &place,
        &[&["ends.c", "--ltl", "F done", "--fair", "strong"], &stateless[..]].concat(),
    );
    assert!(refused.status == 2 && refused.err.contains("--fair weak"), "{refused:?}");
}

/// A limit of time counts within one step, however long that would take.
#[test]
fn a_long_step_is_given_up_when_the_time_is_over() {
    let place = Place::new();
    place.write("long.c", before_done("for (;;) work++;"));
    for algorithm in ["dfs", "stateless"] {
        let limits = ["--timeout", "300ms", "--divergence", "1000000000000"];
        let told = check(&place, &[&["long.c", "--algo", algorithm], &limits[..]].concat());
        assert_eq!(told.status, 3, "{told:?}");
        assert!(told.out.contains("UNKNOWN (time limit 0.30 s"), "{told:?}");
    }
}

/// A thread that was stopped has done what it did before, and what it does later is not made up.
#[test]
fn a_step_that_was_cut_short_is_no_cycle() {
    let place = Place::new();
    let thread = |does: &str| {
        format!(
            "#include <pthread.h>\nint x, y; volatile int work;\n\
             static void *run(void *unused) {{ {does} return unused; }}\n\
             int main(void)\n{{\n  pthread_t a;\n  pthread_create(&a, 0, run, 0);\n  x = 1;\n\
             pthread_join(a, 0);\n  return 0;\n}}\n"
        )
    };
    let count = "for (int i = 0; i < 30000; i++) work++;";
    place.write(
        "alone.c",
        format!("int x; volatile int work; int main(void) {{ {count} x = 1; }}\n"),
    );
    place.write("write.c", thread("y = 1; for (;;);"));
    place.write("round.c", thread("for (;;);"));
    let later = thread(&format!("{count} y = 1;"));
    place.write("left.c", later.replace("x = 1;", "for (;;) x = !x;"));
    place.write("later.c", later);
    let short = ["--divergence", "20000", "--find", "assert", "--ltl"];
    for (program, claim, verdict) in [
        ("alone.c", "F x", "unknown   "),
        ("alone.c", "G x < 2", "unknown   "),
        ("write.c", "F y", "holds     "),
        ("write.c", "G !y", "violated  "),
        ("write.c", "F ended()", "violated  "),
        ("round.c", "F x", "holds     "),
        ("round.c", "G !x", "violated  "),
        ("later.c", "F y", "unknown   "),
        ("later.c", "F x", "unknown   "),
        ("later.c", "G !x", "violated  "),
    ] {
        // By single accesses counting takes many steps, and none of them is long.
        let by_access = ["--atomic", if program < "m" { "lgc" } else { "instr" }];
        for more in [&by_access[..], &["--pilots", "none"], &["--fair", "strong"]] {
            let told = check(&place, &[&[program], &short[..], &[claim], more].concat());
            let [line] = verdicts(&told)[..] else { panic!("{program} {claim}: {told:?}") };
            assert!(line.starts_with(&format!("{verdict}{claim}")), "{program} {more:?}: {told:?}");
        }
    }
    // Whoever is left out for ever comes to nothing, and that is a run if it need not be fair.
    for (fair, verdict) in [("none", "violated  F y"), ("weak", "unknown   F y (")] {
        let told = check(&place, &[&["left.c"], &short[..], &["F y", "--fair", fair]].concat());
        let [line] = verdicts(&told)[..] else { panic!("{fair}: {told:?}") };
        assert!(line.starts_with(verdict), "{fair}: {told:?}");
    }
    let usual = check(&place, &["alone.c", "--ltl", "F x"]);
    assert_eq!((usual.status, verdicts(&usual)), (0, vec!["holds     F x"]), "{usual:?}");
}

/// How long a step may take is a limit of ours: it is an error of the program only where the user sets it.
#[test]
fn a_long_step_is_an_error_only_beyond_a_limit_that_was_typed() {
    let place = Place::new();
    let text = |loops: &str| {
        format!(
            "#include <assert.h>\nvolatile int work;\nint main(void)\n{{\n    {loops}\n    \
             assert(work < 0);\n    return 0;\n}}\n"
        )
    };
    place.write("ends.c", text("for (int i = 0; i < 30000000; i++) work++;"));
    place.write("repeats.c", text("for (;;) ;"));
    place.write("right.c", text("for (int i = 0; i < 30; i++) work++;").replace("< 0", "== 30"));
    let typed = &["--divergence", "20000000"][..];
    for (program, more, status, words) in [
        ("ends.c", &[][..], 3, "ends.c:5"),
        ("ends.c", &["--find", "divergence"][..], 3, "was not seen to repeat"),
        ("ends.c", typed, 1, "VIOLATION  divergence"),
        ("ends.c", &["--divergence", "1000000000"], 1, "assertion failed"),
        ("repeats.c", &[], 1, "VIOLATION  divergence"),
        ("repeats.c", typed, 1, "VIOLATION  divergence"),
        ("right.c", &[], 0, "NO ERROR FOUND"),
        ("right.c", typed, 0, "NO ERROR FOUND"),
    ] {
        let told = check(&place, &[&[program, "--cflags", "-O0"], more].concat());
        assert_eq!(told.status, status, "{program} {more:?}: {told:?}");
        assert!(told.out.contains(words), "{program} {more:?}: {told:?}");
        assert!(status != 3 || told.out.contains("UNKNOWN"), "{told:?}");
    }
}

/// What loops forever is known after a few steps, and random runs do not wait for it.
#[test]
fn an_endless_loop_is_seen_at_once() {
    let place = Place::new();
    place.write("loop.c", "int x; int main(void) { for (;;); x = 1; }\n");
    for pilots in ["tell", "learn", "none"] {
        let told =
            check(&place, &["loop.c", "--ltl", "G !x", "--pilots", pilots, "--timeout", "60s"]);
        assert_eq!((told.status, verdicts(&told)), (1, vec!["holds     G !x"]), "{told:?}");
        assert!(told.out.contains("divergence"), "{told:?}");
    }
}
