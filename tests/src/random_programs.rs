//! Small random pthread programs in C, on which every way to search must agree with the plainest.
//!
//! Many programs share one file, because compiling is what costs time: the program of seed 7 runs
//! with the argument 7. A seed gives the same program for ever. What a run did is its exit status, a
//! hash of all shared cells and of what the threads read; an `assert` may fail, and many programs
//! can deadlock. No loop is endless, nothing is undefined but the data races, and no object is
//! misused. Programs are so small that a search by single instructions ends in a moment.

mod cells;
mod dice;
mod program;
mod statements;

use std::fmt::Write;
use std::ops::Range;

/// The flags to compile the file with, next to an optimisation level. Code for a fixed address has
/// fewer instructions, and so fewer states.
pub const FLAGS: [&str; 5] = ["-m32", "-static", "-fno-pie", "-pthread", "-g"];

/// The text of one C file with the programs of these seeds.
pub fn source(seeds: Range<u64>) -> String {
    let mut text = String::from(PRELUDE);
    let mut cases = String::new();
    for seed in seeds {
        text.push_str(&program::text(seed));
        // Writing to a string cannot fail.
        let _ = writeln!(cases, "    case {seed}:\n        program_{seed}();\n        break;");
    }
    let _ = write!(text, "{MAIN_HEAD}{cases}{MAIN_TAIL}");
    text
}

/// What all programs share. Only one of them runs in a process. Nothing is `static`, so that no
/// compiler complains of what a set of programs happens not to use.
const PRELUDE: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int plain[2];
volatile int careful[2];
volatile signed char bytes[2];
long long wide;
int *heap;
int flag;
pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t meeting;
sem_t tokens;
pthread_t grandchild;

/* The whole run in one number. */
void finish(const int *local, unsigned read)
{
    unsigned hash = read;
    hash = hash * 31 + plain[0];
    hash = hash * 31 + plain[1];
    hash = hash * 31 + careful[0];
    hash = hash * 31 + careful[1];
    hash = hash * 31 + bytes[0];
    hash = hash * 31 + bytes[1];
    hash = hash * 31 + (unsigned)wide;
    hash = hash * 31 + (unsigned)(wide >> 32);
    hash = hash * 31 + *heap;
    hash = hash * 31 + local[0];
    hash = hash * 31 + local[1];
    _exit(hash % 251);
}

"#;

const MAIN_HEAD: &str = r"int main(int argc, char **argv)
{
    heap = calloc(1, sizeof *heap);
    pthread_barrier_init(&meeting, NULL, 2);
    sem_init(&tokens, 0, 0);
    switch (argc > 1 ? atoi(argv[1]) : -1) {
";

const MAIN_TAIL: &str = "    }
    return 255;
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program_for_ever() {
        assert_eq!(source(0..20), source(0..20));
        let alone = program::text(7);
        assert!(source(0..20).contains(&alone));
        assert_ne!(program::text(8).replace('8', "7"), alone);
    }

    /// A generator that has stopped making one of these would test less than it says.
    #[test]
    fn every_kind_of_statement_turns_up() {
        let text: String = (0..400).map(program::text).collect();
        for kind in [
            "pthread_mutex_lock",
            "pthread_mutex_trylock",
            "pthread_cond_wait",
            "pthread_cond_signal",
            "pthread_cond_broadcast",
            "pthread_rwlock_rdlock",
            "pthread_rwlock_wrlock",
            "pthread_barrier_wait",
            "sem_wait",
            "sem_trywait",
            "sem_post",
            "__atomic_fetch_add",
            "__atomic_exchange_n",
            "__atomic_compare_exchange_n",
            "&grandchild",
            "*own",
            "*heap",
            "plain[1] +=",
            "careful[0] =",
            "bytes[1]",
            "wide",
            "assert(",
            "if (",
            "sched_yield",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }
}
