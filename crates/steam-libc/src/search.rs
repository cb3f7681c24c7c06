//! The functions that a search looks at as single operations: one row each.
//!
//! Synchronisation is done by us. What runs as the guest's own code, but as one step, is what locks
//! something of its own inside: the functions of stdio, and those that create, join or look into
//! threads.

use steam_image::{Image, SymbolKind, demangle};

use super::call::{Answer, LibraryCall, Stop};
use super::synchronisation::{self as sync, Style, Synchronisation, nothing};
use super::table::{Family, Row, Work};
use steam_sync::Operation;

type Decode = fn(&mut LibraryCall<'_>) -> Result<Operation, Stop>;

const fn number(name: &'static str, decode: Decode) -> Row {
    finished(name, decode, nothing)
}

const fn finished(
    name: &'static str,
    decode: Decode,
    finish: fn(&mut LibraryCall<'_>) -> Result<(), Stop>,
) -> Row {
    let synchronisation = Synchronisation { decode, style: Style::Number, finish };
    Row { name, family: Family::Search, work: Work::Sync(synchronisation) }
}

const fn errno(name: &'static str, decode: Decode) -> Row {
    finished_errno(name, decode, nothing)
}

const fn guest(name: &'static str, work: Work) -> Row {
    Row { name, family: Family::Search, work }
}

const fn whole(name: &'static str) -> Row {
    guest(name, Work::AtomicBlock)
}

const fn foreign(name: &'static str, observes_end: bool) -> Row {
    guest(name, Work::Foreign { observes_end })
}

const fn finished_errno(
    name: &'static str,
    decode: Decode,
    finish: fn(&mut LibraryCall<'_>) -> Result<(), Stop>,
) -> Row {
    let synchronisation = Synchronisation { decode, style: Style::Errno, finish };
    Row { name, family: Family::Search, work: Work::Sync(synchronisation) }
}

/// All of them.
pub(super) static ROWS: &[Row] = &[
    finished("pthread_mutex_init", sync::mutex_initialise, sync::write_mutex),
    finished("pthread_mutex_destroy", sync::mutex_destroy, sync::write_destroyed),
    finished("pthread_mutex_lock", sync::mutex_lock, sync::check_mutex),
    finished("pthread_mutex_trylock", sync::mutex_try_lock, sync::check_mutex),
    finished("pthread_mutex_timedlock", sync::mutex_timed_lock, sync::check_mutex),
    finished("pthread_mutex_timedlock64", sync::mutex_timed_lock, sync::check_mutex),
    finished("pthread_mutex_clocklock", sync::mutex_timed_lock, sync::check_mutex),
    finished("pthread_mutex_clocklock64", sync::mutex_timed_lock, sync::check_mutex),
    finished("pthread_mutex_unlock", sync::mutex_unlock, sync::check_mutex),
    finished("pthread_mutex_consistent", sync::mutex_consistent, sync::check_mutex),
    finished("pthread_cond_init", sync::condition_initialise, sync::write_condition),
    number("pthread_cond_destroy", sync::condition_destroy),
    number("pthread_cond_wait", sync::condition_wait),
    number("pthread_cond_timedwait", sync::condition_timed_wait),
    number("pthread_cond_timedwait64", sync::condition_timed_wait),
    number("pthread_cond_clockwait", sync::condition_timed_wait),
    number("pthread_cond_clockwait64", sync::condition_timed_wait),
    number("pthread_cond_signal", sync::condition_signal),
    number("pthread_cond_broadcast", sync::condition_broadcast),
    finished("pthread_rwlock_init", sync::rwlock_initialise, sync::write_read_write),
    number("pthread_rwlock_destroy", sync::rwlock_destroy),
    number("pthread_rwlock_rdlock", sync::rwlock_read),
    number("pthread_rwlock_tryrdlock", sync::rwlock_try_read),
    number("pthread_rwlock_timedrdlock", sync::rwlock_timed_read),
    number("pthread_rwlock_timedrdlock64", sync::rwlock_timed_read),
    number("pthread_rwlock_clockrdlock", sync::rwlock_timed_read),
    number("pthread_rwlock_clockrdlock64", sync::rwlock_timed_read),
    number("pthread_rwlock_wrlock", sync::rwlock_write),
    number("pthread_rwlock_trywrlock", sync::rwlock_try_write),
    number("pthread_rwlock_timedwrlock", sync::rwlock_timed_write),
    number("pthread_rwlock_timedwrlock64", sync::rwlock_timed_write),
    number("pthread_rwlock_clockwrlock", sync::rwlock_timed_write),
    number("pthread_rwlock_clockwrlock64", sync::rwlock_timed_write),
    number("pthread_rwlock_unlock", sync::rwlock_unlock),
    finished("pthread_barrier_init", sync::barrier_initialise, sync::write_barrier),
    number("pthread_barrier_destroy", sync::barrier_destroy),
    number("pthread_barrier_wait", sync::barrier_wait),
    finished("pthread_spin_init", sync::spin_initialise, sync::write_spin),
    number("pthread_spin_destroy", sync::spin_destroy),
    number("pthread_spin_lock", sync::spin_lock),
    number("pthread_spin_trylock", sync::spin_try_lock),
    finished("pthread_spin_unlock", sync::spin_unlock, sync::write_spin),
    finished_errno("sem_init", sync::semaphore_initialise, sync::write_semaphore),
    errno("sem_destroy", sync::semaphore_destroy),
    errno("sem_wait", sync::semaphore_wait),
    errno("sem_trywait", sync::semaphore_try_wait),
    errno("sem_timedwait", sync::semaphore_timed_wait),
    errno("sem_timedwait64", sync::semaphore_timed_wait),
    errno("sem_clockwait", sync::semaphore_timed_wait),
    errno("sem_clockwait64", sync::semaphore_timed_wait),
    finished_errno("sem_post", sync::semaphore_post, sync::mark_semaphore),
    errno("sem_getvalue", sync::semaphore_value),
    guest("pthread_create", Work::Create),
    guest("pthread_join", Work::Join),
    guest("thrd_join", Work::Join),
    guest("__call_tls_dtors", Work::Destructors),
    guest("__nptl_deallocate_tsd", Work::Destructors),
    guest("__pthread_tsd_run_dtors", Work::Destructors),
    foreign("pthread_detach", true),
    foreign("pthread_cancel", true),
    guest("pthread_testcancel", Work::CancellationPoint),
    guest("pthread_setcanceltype", Work::CancellationType),
    foreign("pthread_kill", true),
    foreign("pthread_sigqueue", true),
    foreign("pthread_tryjoin_np", true),
    foreign("pthread_timedjoin_np", true),
    foreign("pthread_clockjoin_np", true),
    foreign("pthread_setname_np", true),
    foreign("pthread_getname_np", true),
    foreign("pthread_getattr_np", true),
    foreign("pthread_setschedparam", true),
    foreign("pthread_getschedparam", true),
    foreign("pthread_setaffinity_np", true),
    foreign("pthread_getaffinity_np", true),
    foreign("pthread_getcpuclockid", true),
    guest("longjmp", Work::Leap),
    guest("siglongjmp", Work::Leap),
    guest("__longjmp", Work::Leap),
    guest("__longjmp_chk", Work::Leap),
    guest("__libc_siglongjmp", Work::Leap),
    guest("_Unwind_Find_FDE", Work::Frame),
    // The first thread that ends by `pthread_exit` fills a table, which is the same for all.
    guest("uw_init_context_1", Work::Unseen),
    guest("__deregister_frame_info", Work::Model(keep_frames)),
    guest("__deregister_frame_info_bases", Work::Model(keep_frames)),
    guest("__assert_fail", Work::Last),
    guest("__assert_perror_fail", Work::Last),
    guest("__assert", Work::Last),
    guest("abort", Work::Last),
    guest("__stack_chk_fail", Work::Last),
    guest("__chk_fail", Work::Last),
    guest("__fortify_fail", Work::Last),
    whole("sem_open"),
    whole("sem_close"),
    whole("sem_unlink"),
    whole("atexit"),
    whole("__cxa_atexit"),
    whole("at_quick_exit"),
    whole("dl_iterate_phdr"),
    whole("rand"),
    whole("srand"),
    whole("random"),
    whole("srandom"),
    whole("printf"),
    whole("fprintf"),
    whole("dprintf"),
    whole("vprintf"),
    whole("vfprintf"),
    whole("vdprintf"),
    whole("__printf_chk"),
    whole("__fprintf_chk"),
    whole("__vprintf_chk"),
    whole("__vfprintf_chk"),
    whole("__dprintf_chk"),
    whole("puts"),
    whole("fputs"),
    whole("putchar"),
    whole("putc"),
    whole("fputc"),
    whole("putchar_unlocked"),
    whole("putc_unlocked"),
    whole("fputs_unlocked"),
    whole("fwrite_unlocked"),
    whole("fwrite"),
    whole("fread"),
    whole("fgets"),
    whole("fgetc"),
    whole("getc"),
    whole("getchar"),
    whole("ungetc"),
    whole("getline"),
    whole("getdelim"),
    whole("scanf"),
    whole("fscanf"),
    whole("vscanf"),
    whole("vfscanf"),
    whole("__isoc99_scanf"),
    whole("__isoc99_fscanf"),
    whole("__isoc99_vscanf"),
    whole("__isoc99_vfscanf"),
    whole("__isoc23_scanf"),
    whole("__isoc23_fscanf"),
    whole("perror"),
    whole("fopen"),
    whole("fopen64"),
    whole("fdopen"),
    whole("freopen"),
    whole("fclose"),
    whole("fflush"),
    whole("fseek"),
    whole("fseeko"),
    whole("fseeko64"),
    whole("ftell"),
    whole("ftello"),
    whole("ftello64"),
    whole("rewind"),
    whole("setvbuf"),
    whole("setbuf"),
    whole("feof"),
    whole("ferror"),
    whole("clearerr"),
    whole("fileno"),
    whole("fputwc"),
    whole("putwc"),
    whole("putwchar"),
    whole("fputws"),
    whole("fgetwc"),
    whole("getwc"),
    whole("fwprintf"),
    whole("wprintf"),
    whole("vfwprintf"),
    whole("vwprintf"),
];

/// At the end of a static program its start-up code takes the unwinder's tables away, and a thread
/// that calls `pthread_exit` then aborts. No such code is in the dynamic program that people mean:
/// the tables stay.
fn keep_frames(_: &mut LibraryCall<'_>) -> Answer {
    Ok(0)
}

/// What begins the name of a function that is one step because the program says so.
const ATOMIC: &str = "__VERIFIER_atomic_";

static PROGRAM_FUNCTION: Row =
    Row { name: ATOMIC, family: Family::Program, work: Work::AtomicBlock };

/// The row of a function that is one step because its name says so.
pub(super) fn program_function(name: &str) -> Option<&'static Row> {
    let plain = if name.contains(ATOMIC) { unmangled(name) } else { return None };
    let rest = plain.strip_prefix(ATOMIC)?;
    (!matches!(rest, "begin" | "end")).then_some(&PROGRAM_FUNCTION)
}

/// The last name of a function of C++, without its type, the scopes around it and its parameters.
fn unmangled(name: &str) -> String {
    let full = demangle(name).replace("(anonymous namespace)", "{anonymous}");
    let full = full.split(" [clone").next().unwrap_or(&full);
    let mut depth = 0i32;
    let opens = |(_, letter): &(usize, char)| {
        depth += i32::from(*letter == ')') - i32::from(*letter == '(');
        depth == 0
    };
    let parameters = full.ends_with(')').then(|| full.char_indices().rev().find(opens)).flatten();
    let before = parameters.map_or(full, |(at, _)| &full[..at]);
    let mut depth = 0i32;
    let begins = |(_, letter): &(usize, char)| {
        depth += i32::from(matches!(letter, ')' | '>')) - i32::from(matches!(letter, '(' | '<'));
        depth == 0 && matches!(letter, ':' | ' ')
    };
    let scope = before.char_indices().rev().find(begins);
    scope.map_or(before, |(at, _)| &before[at + 1..]).to_owned()
}

/// Says whether a function is one step because its name says so.
pub fn is_one_step(name: &str) -> bool {
    program_function(name).is_some()
}

/// Functions of the library that only keep its own books about threads: which stacks are cached,
/// how many threads there are. They are called when a thread ends, under locks of their own.
const BOOKKEEPING: &[&str] = &[
    "start_thread",
    "__nptl_deallocate_stack",
    "__nptl_free_tcb",
    "__nptl_free_stacks",
    "__nptl_stack_list_add",
    "__nptl_stack_list_del",
    "__libc_thread_freeres",
    "__malloc_arena_thread_freeres",
    "__arena_thread_freeres",
    "__libc_early_init",
    "__nptl_main",
];

/// Functions of one object file are not farther apart than this.
const NEIGHBOURHOOD: u32 = 0x2000;

/// Where the library's bookkeeping functions lie, ascending.
pub(super) fn bookkeeping(image: &Image) -> Vec<(u32, u32)> {
    let functions = |name| image.symbols.find(name).filter(|it| it.kind == SymbolKind::Function);
    let Some(create) = functions("pthread_create").next() else { return Vec::new() };
    let is_own = |name: &str, address: u32| {
        let file = image.lines.frames(address).last().and_then(|frame| frame.file.clone());
        // Not a name that C reserves: the library's own is in the object file of its neighbour.
        let near = name.starts_with("__") || address.abs_diff(create.address) < NEIGHBOURHOOD;
        near && file.is_none()
    };
    let code = |name: &&'static str| {
        let own = functions(name).filter(|it| is_own(name, it.address));
        own.map(|it| (it.address, it.address + it.size)).collect::<Vec<_>>()
    };
    let mut ranges: Vec<(u32, u32)> = BOOKKEEPING.iter().flat_map(code).collect();
    ranges.sort_unstable();
    ranges.dedup();
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_one_step() {
        for (name, expected) in [
            ("__VERIFIER_atomic_add", true),
            ("__VERIFIER_atomic_add.constprop.0", true),
            ("_Z21__VERIFIER_atomic_addi", true),
            ("_ZN1a1b21__VERIFIER_atomic_addEi", true),
            ("_ZN12_GLOBAL__N_121__VERIFIER_atomic_addEi", true),
            ("_ZN12_GLOBAL__N_11C19__VERIFIER_atomic_tIiEEvT_", true),
            ("_ZZ21__VERIFIER_atomic_addiENKUlvE_clEv", false),
            ("_Z3useP23__VERIFIER_atomic_thing", false),
            ("__VERIFIER_atomic_begin", false),
            ("__VERIFIER_atomic_end", false),
            ("add", false),
        ] {
            assert_eq!(is_one_step(name), expected, "{name}: {}", unmangled(name));
        }
    }
}
