//! What `steam check` says of assumptions that never hold, of objects that are initialised again, and of
//! locks that are kept.

use crate::place::{Place, Said, said};

fn check(source: &str, options: &str) -> Said {
    let place = Place::new();
    place.write("guest.c", source);
    let words = format!("check {options} guest.c");
    said(&mut place.steam(&words.split_whitespace().collect::<Vec<_>>()))
}

fn assuming(condition: &str) -> String {
    format!(
        "#include <steam.h>\n\
         extern void __VERIFIER_assume(int);\n\
         int main(void)\n\
         {{\n\
         int x = steam_toss(3);\n\
         __VERIFIER_assume({condition});\n\
         steam_assume(x != 2);\n\
         return 0;\n\
         }}\n"
    )
}

#[test]
fn an_assumption_that_never_holds_is_named() {
    let vacuous = check(&assuming("x > 5"), "");
    assert_eq!(vacuous.status, 0, "{vacuous:?}");
    let note = "note: the assumption at guest.c:6 (steam_assume) held on no explored path";
    assert!(vacuous.out.contains(note), "{vacuous:?}");
    assert!(!vacuous.out.contains("guest.c:7"), "{vacuous:?}");
    let met = check(&assuming("x > 1"), "");
    assert_eq!(met.status, 0, "{met:?}");
    assert!(!met.out.contains("assumption"), "{met:?}");
}

#[test]
fn objects_that_are_initialised_again_are_noted() {
    let source = |between: &str| {
        format!(
            "#include <pthread.h>\n\
             static pthread_mutex_t mutex;\n\
             int main(void)\n\
             {{\n\
             pthread_mutex_init(&mutex, 0);\n\
             {between}\n\
             pthread_mutex_init(&mutex, 0);\n\
             return 0;\n\
             }}\n"
        )
    };
    let again = check(&source(""), "");
    assert_eq!(again.status, 0, "{again:?}");
    assert!(
        again.out.contains("initialised again (") && again.out.contains("guest.c:7)"),
        "{again:?}"
    );
    let right = check(&source("pthread_mutex_destroy(&mutex);"), "");
    assert_eq!(right.status, 0, "{right:?}");
    assert!(!right.out.contains("again"), "{right:?}");
}

#[test]
fn a_refused_join_waits_for_nothing() {
    let source = "#include <assert.h>\n\
         #include <pthread.h>\n\
         static int done;\n\
         static void *work(void *unused) { pthread_detach(pthread_self()); done = 1; return unused; }\n\
         int main(void)\n\
         {\n\
         pthread_t thread;\n\
         pthread_create(&thread, 0, work, 0);\n\
         pthread_join(thread, 0);\n\
         assert(done);\n\
         return 0;\n\
         }\n";
    let misuse = check(source, "");
    assert_eq!(misuse.status, 1, "{misuse:?}");
    assert!(misuse.out.contains("joins-detached"), "{misuse:?}");
    let behind = check(source, "--find assert");
    assert_eq!(behind.status, 1, "{behind:?}");
    assert!(behind.out.contains("assertion `done` is false"), "{behind:?}");
}

#[test]
fn kept_locks_are_found_on_request() {
    let source = |end: &str| {
        format!(
            "#include <pthread.h>\n\
             static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n\
             static void *work(void *unused) {{ pthread_mutex_lock(&mutex); {end} return unused; }}\n\
             int main(void)\n\
             {{\n\
             pthread_t thread;\n\
             pthread_create(&thread, 0, work, 0);\n\
             return pthread_join(thread, 0);\n\
             }}\n"
        )
    };
    let kept = source("");
    let found = check(&kept, "--find lock-kept");
    assert_eq!(found.status, 1, "{found:?}");
    assert!(found.out.contains("lock-kept: the thread ends while it holds `mutex`"), "{found:?}");
    assert_eq!(check(&kept, "").status, 0);
    assert_eq!(check(&source("pthread_mutex_unlock(&mutex);"), "--find usual,lock-kept").status, 0);
}
