//! Loops that wait and count meanwhile: what only counts is no part of a state.
//!
//! A thread that tries for a lock and counts its turns would make a new state by each of them. Where its code shows that a
//! register decides nothing but how long it pauses, yields or sleeps ([`vm_isa::counters`]), the register is zero in states in which
//! the thread stands before an access, like one that is overwritten before it is read. So the thread is seen to come back to where it
//! was.
//!
//! That a thread sleeps must leave no trace then. It does where a thread looks at the clock, where a handler or a timer may come while
//! it sleeps, and where the time is none, which is an error code.

use std::sync::Arc;

use ahash::{HashMap, RandomState};
use steam_image::Image;
use steam_visibility::OthersFact;
use vm_isa::counters::{Counters, Sleep, Surroundings, counters_at};

use super::Program;
use super::step::Worker;

/// Functions of the library that do nothing but sleep, by the two names that the library has for each.
const SLEEPS: [([&str; 2], Sleep); 3] = [
    (["sched_yield", "__sched_yield"], Sleep::Yield),
    (["sleep", "__sleep"], Sleep::Number),
    (["nanosleep", "__nanosleep"], Sleep::Time),
];
/// One that has a single name in the library, so that a program may have one of its own.
const USLEEP: &str = "usleep";
/// With one of these it may matter whether a thread sleeps.
const LOOK_AT_SLEEP: [OthersFact; 2] = [OthersFact::RunsHandlers, OthersFact::SendsSignals];
/// With this one, calls may return to code that only tables know.
const THROWS: &str = "__gxx_personality_v0";
/// The nanoseconds of a time are fewer.
const SECOND: u32 = 1_000_000_000;

/// What is known by address, and nothing yet.
pub(super) fn known<K, V>() -> HashMap<K, V> {
    HashMap::with_hasher(RandomState::with_seeds(1, 9, 1, 9))
}

/// What is known of the code of a program.
pub(super) struct Counting {
    sleeps: HashMap<u32, Sleep>,
    throws: bool,
}

impl Counting {
    pub(super) fn new(image: &Image) -> Self {
        let address = |name: &str| image.symbols.find(name).next().map(|symbol| symbol.address);
        let mut sleeps = known();
        for (names, sleep) in SLEEPS {
            let [one, other] = names.map(address);
            sleeps.extend(one.filter(|_| one == other).map(|address| (address, sleep)));
        }
        // The library has no source lines, and the program has.
        let is_known = |address: u32| !image.lines.frames(address).is_empty();
        let of_library = |at: &u32| !is_known(*at) && address("main").is_some_and(is_known);
        let usleep = address(USLEEP).filter(of_library);
        sleeps.extend(usleep.map(|address| (address, Sleep::Number)));
        Self { sleeps, throws: address(THROWS).is_some() }
    }
}

/// The program's code.
struct Code<'a> {
    image: &'a Image,
    counting: &'a Counting,
    sleeps: bool,
}

impl Surroundings for Code<'_> {
    fn fetch(&self, address: u32) -> Option<([u8; 15], usize)> {
        let segment = self.image.segment_at(address)?;
        if segment.write || !segment.execute {
            return None;
        }
        let rest = segment.data.get((address - segment.address) as usize..)?;
        let mut bytes = [0; 15];
        let length = rest.len().min(bytes.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        (length > 0).then_some((bytes, length))
    }

    fn sleep(&self, function: u32) -> Option<Sleep> {
        let sleep = self.counting.sleeps.get(&function).copied();
        sleep.filter(|sleep| self.sleeps || *sleep == Sleep::Yield)
    }

    fn calls_throw(&self) -> bool {
        self.counting.throws
    }
}

impl Worker {
    /// The thread on the CPU stands before an access: what only counts there is zero.
    pub(super) fn drop_counters(&mut self, program: &Program) {
        let machine = &self.machine;
        let looks = program.observed.is_some() || !program.options.progress.is_empty();
        let other =
            !Arc::ptr_eq(&machine.image, &program.image) || machine.cpu.memory.has_changing_code();
        let sharing = &machine.stores.sharing;
        // A thread that is cancelled where it sleeps goes to code that only tables know.
        let cancelled = sharing.knows(OthersFact::CancelsThreads);
        if looks || other || cancelled || sharing.keeps_counters() {
            return;
        }
        let eip = machine.cpu.eip;
        let process = &machine.system.process;
        let sleeps = !program.knows_clock()
            && !process.has_own_handlers()
            && !process.has_timer()
            && !LOOK_AT_SLEEP.into_iter().any(|fact| sharing.knows(fact));
        let mut counters = self.counters_at(program, eip, sleeps);
        if counters.pointers != 0 && !self.point_to_times(counters.pointers) {
            counters = self.counters_at(program, eip, false);
        }
        for (number, register) in self.machine.cpu.gpr.iter_mut().enumerate().take(8) {
            if counters.registers >> number & 1 != 0 {
                *register = 0;
            }
        }
    }

    /// What only counts at an address; `sleeps` says whether sleeping leaves no trace.
    fn counters_at(&mut self, program: &Program, address: u32, sleeps: bool) -> Counters {
        let code = Code { image: &program.image, counting: &program.counting, sleeps };
        *self.counters.entry((address, sleeps)).or_insert_with(|| counters_at(address, &code))
    }

    /// Whether registers point to times that are some, on the thread's own stack.
    fn point_to_times(&mut self, registers: u8) -> bool {
        let pointers = (0..8).filter(|number| registers >> number & 1 != 0);
        pointers.map(|number| self.machine.cpu.gpr[number]).collect::<Vec<u32>>().into_iter().all(
            |address| {
                let (_, end) = self.machine.cpu.memory.stack();
                let esp = self.machine.cpu.gpr[steam_state::Context::ESP];
                let own = address >= esp && address.checked_add(8).is_some_and(|it| it <= end);
                own && self.word_at(address) >> 31 == 0 && self.word_at(address + 4) < SECOND
            },
        )
    }
}
