//! Small random programs in C, of threads or of processes, on which every way to search must agree with
//! the plainest, and such without an end, for temporal formulas.
//!
//! Many programs share one file, because compiling is what costs time: the program of seed 7 runs
//! with the argument 7. A seed gives the same program for ever. What a run did is its exit status, a
//! hash of all shared cells and of what the threads read; an `assert` may fail, and many programs
//! can deadlock. No loop is endless but those of `looping`, `spinning` and `counting`, nothing is undefined but the data races, and no object is
//! misused. Programs are so small that a search by single instructions ends in a moment.

mod allocating_program;
mod cells;
mod counting_program;
mod dice;
mod handing_program;
mod looping;
mod process_program;
mod process_statements;
mod program;
mod signal_program;
mod spinning_program;
mod statements;
mod text;
mod timed_program;
mod unwritten;

use std::fmt::Write;
use std::ops::Range;

/// The flags to compile the file with, next to an optimisation level. Code for a fixed address has
/// fewer instructions, and so fewer states.
pub const FLAGS: [&str; 5] = ["-m32", "-static", "-fno-pie", "-pthread", "-g"];

/// What the programs are made of. Each has seeds of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Threads of one process.
    Threads,
    /// Processes, now and then with a thread.
    Processes,
    /// Two threads and a signal handler.
    Signals,
    /// Two threads that wait with limits of time and read the clock.
    Timed,
    /// Threads that wait in loops, some of them in vain.
    Spinning,
    /// Two threads that wait in loops and count meanwhile.
    Counting,
    /// Two threads that allocate, hand over and free blocks of all sizes.
    Allocating,
    /// Two threads that hand nodes of the heap to each other, openly and hidden.
    Handing,
    /// One thread that uses values, some of which were never written.
    Unwritten,
    /// Threads, most of which have no end, over variables with few values.
    Looping,
}

impl Family {
    /// A name for files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Processes => "processes",
            Self::Signals => "signals",
            Self::Timed => "timed",
            Self::Spinning => "spinning",
            Self::Counting => "counting",
            Self::Allocating => "allocating",
            Self::Handing => "handing",
            Self::Unwritten => "unwritten",
            Self::Looping => "looping",
        }
    }

    /// Whether a program may free what another thread looks at.
    pub fn frees_while_others_look(self, seed: u64) -> bool {
        self == Self::Handing && handing_program::text(seed).contains("free(n);")
    }

    fn prelude(self) -> String {
        match self {
            Self::Threads => PRELUDE.to_owned(),
            Self::Processes => include_str!("random_programs/processes.c").to_owned(),
            Self::Signals => [PRELUDE, signal_program::PRELUDE].concat(),
            Self::Timed => [PRELUDE, timed_program::PRELUDE].concat(),
            Self::Spinning | Self::Counting => spinning_program::PRELUDE.to_owned(),
            Self::Allocating => [PRELUDE, allocating_program::PRELUDE].concat(),
            Self::Handing => [PRELUDE, handing_program::PRELUDE].concat(),
            Self::Unwritten => unwritten::PRELUDE.to_owned(),
            Self::Looping => looping::PRELUDE.to_owned(),
        }
    }

    fn set_up(self) -> &'static str {
        match self {
            Self::Threads | Self::Signals | Self::Timed | Self::Allocating | Self::Handing => {
                SET_UP
            }
            Self::Spinning | Self::Counting | Self::Unwritten => "",
            Self::Processes => "    set_up();\n",
            Self::Looping => "    sem_init(&token, 0, 1);\n",
        }
    }

    fn text(self, seed: u64) -> String {
        match self {
            Self::Threads => program::text(seed),
            Self::Processes => process_program::text(seed),
            Self::Signals => signal_program::text(seed),
            Self::Timed => timed_program::text(seed),
            Self::Spinning => spinning_program::text(seed),
            Self::Counting => counting_program::text(seed),
            Self::Allocating => allocating_program::text(seed),
            Self::Handing => handing_program::text(seed),
            Self::Unwritten => unwritten::text(seed),
            Self::Looping => looping::text(seed),
        }
    }
}

/// The text of one C file with the programs of these seeds.
pub fn source(family: Family, seeds: Range<u64>) -> String {
    let mut text = family.prelude();
    let mut cases = String::new();
    for seed in seeds {
        text.push_str(&family.text(seed));
        // Writing to a string cannot fail.
        let _ = writeln!(cases, "    case {seed}:\n        program_{seed}();\n        break;");
    }
    let _ = write!(text, "{MAIN_HEAD}{}{SWITCH}{cases}{MAIN_TAIL}", family.set_up());
    text
}

/// What all programs of threads share. Only one of them runs in a process. Nothing is `static`, so that no
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
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;
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

const MAIN_HEAD: &str = "int main(int argc, char **argv)\n{\n";

const SET_UP: &str = r"    heap = calloc(1, sizeof *heap);
    pthread_barrier_init(&meeting, NULL, 2);
    sem_init(&tokens, 0, 0);
";

const SWITCH: &str = "    switch (argc > 1 ? atoi(argv[1]) : -1) {\n";

const MAIN_TAIL: &str = "    }
    return 255;
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program_for_ever() {
        use Family::{
            Allocating, Handing, Looping, Processes, Signals, Spinning, Threads, Timed, Unwritten,
        };
        let threads = [Threads, Processes, Signals, Timed, Spinning, Allocating, Handing, Looping];
        for family in threads.into_iter().chain([Unwritten]) {
            assert_eq!(source(family, 0..20), source(family, 0..20));
            let alone = family.text(7);
            assert!(source(family, 0..20).contains(&alone));
            assert_ne!(family.text(8).replace('8', "7"), alone);
        }
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
            "pthread_mutex_lock(&guard)",
            "pthread_rwlock_rdlock(&shelf)",
            "pthread_rwlock_wrlock(&shelf)",
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

    #[test]
    fn every_kind_of_signal_turns_up() {
        let text: String = (0..400).map(signal_program::text).collect();
        for kind in [
            "pthread_kill(started, SIGUSR1)",
            "pthread_kill(starter, SIGUSR1)",
            "raise(SIGUSR1)",
            "kill(getpid(), SIGUSR1)",
            "mask(SIG_BLOCK)",
            "SA_RESTART",
            "pthread_cond_wait",
            "sem_wait",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_kind_of_wait_with_a_limit_turns_up() {
        let text: String = (0..400).map(timed_program::text).collect();
        for kind in [
            "read = read * 3 + PASSED;",
            "REST(2);",
            "for (int i = 0; i < 2; i++) {",
            "i < 2 && PASSED < 2",
            "{began + 1, 0}",
            "{began + PASSED + 1, 0}",
            "sem_timedwait",
            "pthread_mutex_timedlock",
            "pthread_cond_timedwait",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_kind_of_loop_that_waits_turns_up() {
        let text: String = (0..400).map(spinning_program::text).collect();
        for kind in [
            "while (a != 1)",
            "while (b == 0)",
            "&c, &old",
            "    sched_yield();",
            "__builtin_ia32_pause",
            "    c = 1;",
            "__atomic_exchange_n(&lock",
            "lock = 0;",
            "while (pthread_mutex_trylock(&locks[1]))",
            "pthread_mutex_lock(&locks[0])",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_kind_of_block_turns_up() {
        let text: String = (0..400).map(allocating_program::text).collect();
        for kind in [
            "malloc(200000)",
            "calloc(600000, 1)",
            "realloc(block, 140001)",
            "*(more[i] = malloc(140000))",
            "__atomic_exchange_n(&handed[1], block",
            "block[599999] =",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_way_to_hand_over_a_node_turns_up() {
        let text: String = (0..400).map(handing_program::text).collect();
        for kind in [
            "n = node(",
            "slot[1] = n;",
            "n = __atomic_exchange_n(&slot[0], NULL",
            "n = n->next;",
            "other->next = n;",
            "free(n);",
            "own[1] = (int)(uintptr_t)n;",
            "coded = (uintptr_t)n ^ MASK;",
            "n = (struct node *)(coded ^ MASK);",
            "memcpy(raw + 1, &n",
            "memcpy(&n, raw + 1",
            "send(ends[1]",
            "recv(ends[0]",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_kind_of_use_turns_up() {
        let text: String = (0..400).map(unwritten::text).collect();
        for kind in [
            "if (x == 1) total++; /* USE",
            "> 2) total++; /* USE",
            "if (other->large == 0) total += 2; /* USE",
            "& 3]; /* USE",
            "< 0) total++; /* USE",
            "calloc(8, 1)",
            "realloc(h, 32)",
            "memcpy(h + 0, s + 0, 8)",
            "x &= zero",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
        let marked = (0..400).filter(|seed| unwritten::text(*seed).contains("USE")).count();
        assert!((40..360).contains(&marked), "{marked} of 400 programs use what was never written");
    }

    #[test]
    fn every_kind_of_statement_without_an_end_turns_up() {
        let text: String = (0..400).map(looping::text).collect();
        for kind in [
            "for (;;) {",
            "while (a != 1)",
            "while (b == ",
            "if (c == ",
            "a = !a",
            "b = c;",
            "__atomic_exchange_n(&",
            "pthread_mutex_lock(&locks[1])",
            "pthread_mutex_trylock(&locks[0])",
            "pthread_cond_wait",
            "pthread_cond_signal",
            "sem_wait",
            "sched_yield",
            "_exit(1);",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }

    #[test]
    fn every_kind_of_statement_of_processes_turns_up() {
        let text: String = (0..400).map(process_program::text).collect();
        for kind in [
            "change(0, -1, 0)",
            "change(3, -1, SEM_UNDO)",
            "change(2, 0, 0)",
            "IPC_NOWAIT",
            "change_two(0, -1, 3, -1)",
            "GETVAL",
            "SETVAL",
            "put(2,",
            "get(-2, 0)",
            "get(1, IPC_NOWAIT)",
            "say(0",
            "hear(0, 2)",
            "hear(1",
            "hear_in_common",
            "ended_in_common",
            "close(pipes[0][1])",
            "close(pipes[1][0])",
            "pthread_mutex_lock(&common->locks[1])",
            "pthread_mutex_trylock",
            "pthread_cond_wait",
            "sem_wait",
            "sem_trywait",
            "VS_toss",
            "_exit(31)",
            "common->bytes[1]",
            "copied",
            "*kept",
            "*own",
            "__atomic_fetch_add(&common->plain[0]",
            "pthread_create",
            "ended(child_1, 0, child_1)",
            "ended(-1, 0, child_2)",
            "WNOHANG",
            "grandchild",
            "kill(",
        ] {
            assert!(text.contains(kind), "no {kind} in 400 programs");
        }
    }
}
