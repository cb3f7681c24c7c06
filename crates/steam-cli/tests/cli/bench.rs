//! `steam bench`, on suites that are built in and on a suite of one's own.

use crate::place::{Place, said};

/// Threads that each count under one lock; the second one forgets to unlock.
const STUCK: &str = "\
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) { (void)unused;
  pthread_mutex_lock(&lock);
  return 0;
}
int main(void)
{
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
";

#[test]
fn a_suite_that_is_built_in() {
    let place = Place::new();
    let words = ["bench", "quick", "--model", "philo", "--algo", "bf", "--heur", "pl2"];
    let exports = ["--export", "md,csv,json,svg,png", "--dir", "out"];
    let done = said(&mut place.steam(&[&words[..], &exports[..]].concat()));
    assert_eq!(done.status, 0, "{done:?}");
    let text = done.out;
    assert!(text.contains("\nphilo\nmethod  c     s   l"), "{text}");
    assert!(text.contains("\nbf/pl2  lgc  32  34 "), "{text}");
    assert!(text.contains("pl2 is the best, on philo: holds"), "{text}");
    assert!(done.err.contains("[1/1] philo bf/pl2 lgc: s 32"), "{}", done.err);
    for name in
        ["quick.md", "quick.csv", "quick.json", "quick-philo-lgc.svg", "quick-philo-lgc.png"]
    {
        assert!(place.file("out").join(name).exists(), "{name}");
    }
    assert!(place.leftovers().is_empty(), "{:?}", place.leftovers());
    let same = said(&mut place.steam(&["bench", "compare", "out/quick.json", "out/quick.json"]));
    assert_eq!((same.status, same.out.lines().count()), (0, 1), "{same:?}");
    let json = std::fs::read_to_string(place.file("out/quick.json")).unwrap();
    place.write("worse.json", json.replace("\"length\": 34", "\"length\": 99"));
    let worse = said(&mut place.steam(&["bench", "compare", "out/quick.json", "worse.json"]));
    assert_eq!(worse.status, 1, "{worse:?}");
    assert!(worse.out.starts_with("worse   bf/pl2 lgc philo: length 34 -> 99 (+191 %)\n"));
}

#[test]
fn a_suite_of_ones_own() {
    let place = Place::new();
    place.write("stuck.c", STUCK);
    place.write(
        "own.toml",
        "title = 'Own'\nalgorithms = ['bfs', 'dfs']\ncompaction = ['lgc', 'line']\n\
         [limits]\ntime = '1m'\nmemory = '900M'\n\
         [[models]]\nname = 'stuck'\nsources = ['stuck.c']\nscale = 'define'\nerror = 'deadlock'\n\
         maximum = { from = 1, to = 3 }\n",
    );
    let done = said(&mut place.steam(&["bench", "own.toml", "--jobs", "2"]));
    assert_eq!(done.status, 0, "{done:?}");
    // One thread alone is not stuck, so that the smallest scale already fails.
    assert!(done.out.contains("\nbfs     lgc   -"), "{}", done.out);
    let suite = std::fs::read_to_string(place.file("own.toml")).unwrap();
    place.write("own.toml", suite.replace("from = 1", "from = 2"));
    let done = said(&mut place.steam(&["bench", "own.toml", "--atomic", "lgc"]));
    assert!(done.out.contains("\nbfs     lgc  3 "), "{}", done.out);
    assert!(!done.out.contains("line"), "{}", done.out);
}

#[test]
fn trouble_is_told() {
    let place = Place::new();
    place.write("wrong.c", "int main(void) { return nothing; }\n");
    let words = ["bench", "wrong.c", "--algo", "bfs", "--scale", "2..3"];
    let done = said(&mut place.steam(&words));
    assert_eq!(done.status, 2, "{done:?}");
    assert!(done.err.contains("model wrong: the compiler failed"), "{}", done.err);
    place.write("bad.toml", "title = 'x'\nalgorithms = 'bfs'\n");
    let done = said(&mut place.steam(&["bench", "bad.toml"]));
    assert_eq!(done.status, 2, "{done:?}");
    assert!(done.err.contains("bad.toml: TOML parse error at line 2"), "{}", done.err);
    let done = said(&mut place.steam(&["bench", "compare", "bad.toml", "bad.toml"]));
    assert!(done.err.contains("this is no run of `steam bench --export json`"), "{}", done.err);
}
