//! The memory of the program that functions touch through their arguments, where nothing records how:
//! synchronisation is done by us, and what deals with threads runs as the library's own affair. One
//! row each.

/// Memory that an argument points to; a null pointer points to none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Which argument, counted from 0.
    pub position: u32,
    /// How many bytes are touched.
    pub size: Size,
    /// Whether they are written.
    pub write: bool,
    /// Whether they are touched only if the thread that is the first argument has ended.
    pub if_ended: bool,
}

/// How many bytes a function touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// As many.
    Bytes(u32),
    /// As many as the argument at this position says.
    Of(u32),
    /// A text with its end, of at most so many bytes.
    Text(u32),
}

const fn reads(position: u32, size: Size) -> Argument {
    Argument { position, size, write: false, if_ended: false }
}

const fn writes(position: u32, size: Size) -> Argument {
    Argument { position, size, write: true, if_ended: false }
}

const WORD: Size = Size::Bytes(4);
/// A time of two words, and one of the functions for 64 bits.
const TIME: Size = Size::Bytes(8);
const LONG_TIME: Size = Size::Bytes(12);
/// The attributes of a thread.
const ATTRIBUTES: Size = Size::Bytes(36);
/// The longest name of a thread, with its end.
const NAME: u32 = 16;

const TIME_SECOND: &[Argument] = &[reads(1, TIME)];
const TIME_THIRD: &[Argument] = &[reads(2, TIME)];
const LONG_TIME_SECOND: &[Argument] = &[reads(1, LONG_TIME)];
const LONG_TIME_THIRD: &[Argument] = &[reads(2, LONG_TIME)];

/// All of them.
static ROWS: &[(&str, &[Argument])] = &[
    ("pthread_create", &[writes(0, WORD), reads(1, ATTRIBUTES)]),
    ("pthread_join", &[writes(1, WORD)]),
    ("thrd_join", &[writes(1, WORD)]),
    ("pthread_tryjoin_np", &[Argument { if_ended: true, ..writes(1, WORD) }]),
    ("pthread_timedjoin_np", &[writes(1, WORD), reads(2, TIME)]),
    ("pthread_clockjoin_np", &[writes(1, WORD), reads(3, TIME)]),
    ("pthread_setname_np", &[reads(1, Size::Text(NAME))]),
    ("pthread_getname_np", &[writes(1, Size::Bytes(NAME))]),
    ("pthread_getattr_np", &[writes(1, ATTRIBUTES)]),
    ("pthread_setschedparam", &[reads(2, WORD)]),
    ("pthread_getschedparam", &[writes(1, WORD), writes(2, WORD)]),
    ("pthread_setaffinity_np", &[reads(2, Size::Of(1))]),
    ("pthread_getaffinity_np", &[writes(2, Size::Of(1))]),
    ("pthread_getcpuclockid", &[writes(1, WORD)]),
    ("pthread_mutex_init", &[reads(1, WORD)]),
    ("pthread_cond_init", &[reads(1, WORD)]),
    ("pthread_barrier_init", &[reads(1, WORD)]),
    ("pthread_rwlock_init", &[reads(1, Size::Bytes(8))]),
    ("pthread_mutex_timedlock", TIME_SECOND),
    ("pthread_mutex_timedlock64", LONG_TIME_SECOND),
    ("pthread_mutex_clocklock", TIME_THIRD),
    ("pthread_mutex_clocklock64", LONG_TIME_THIRD),
    ("pthread_cond_timedwait", TIME_THIRD),
    ("pthread_cond_timedwait64", LONG_TIME_THIRD),
    ("pthread_cond_clockwait", &[reads(3, TIME)]),
    ("pthread_cond_clockwait64", &[reads(3, LONG_TIME)]),
    ("pthread_rwlock_timedrdlock", TIME_SECOND),
    ("pthread_rwlock_timedrdlock64", LONG_TIME_SECOND),
    ("pthread_rwlock_clockrdlock", TIME_THIRD),
    ("pthread_rwlock_clockrdlock64", LONG_TIME_THIRD),
    ("pthread_rwlock_timedwrlock", TIME_SECOND),
    ("pthread_rwlock_timedwrlock64", LONG_TIME_SECOND),
    ("pthread_rwlock_clockwrlock", TIME_THIRD),
    ("pthread_rwlock_clockwrlock64", LONG_TIME_THIRD),
    ("sem_timedwait", TIME_SECOND),
    ("sem_timedwait64", LONG_TIME_SECOND),
    ("sem_clockwait", TIME_THIRD),
    ("sem_clockwait64", LONG_TIME_THIRD),
    ("sem_getvalue", &[writes(1, WORD)]),
];

/// What the function with this name touches.
pub(super) fn arguments(name: &str) -> &'static [Argument] {
    let row = ROWS.iter().find(|(own, _)| *own == name);
    row.map_or(&[], |(_, arguments)| arguments)
}

/// Which argument of the function with this name points to the time at which its wait ends, and whether the
/// seconds of that have 64 bits.
pub(super) fn deadline(name: &str) -> Option<(u32, bool)> {
    let is_time = |it: &&Argument| !it.write && matches!(it.size, TIME | LONG_TIME);
    let argument = arguments(name).iter().find(is_time)?;
    Some((argument.position, argument.size == LONG_TIME))
}
