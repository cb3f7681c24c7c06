//! The results of operations against those of the real library, three threads taking turns.
//!
//! A random script is performed by the crate first. What would block or be a misuse is left out:
//! the real library would hang or be damaged. That an operation would block is still seen through
//! its timed and `try` forms.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use steam_sync::{
    Address, BarrierCall, Call, ConditionCall, Done, Faults, Health, MutexCall, MutexKind,
    MutexType, Object, Objects, Operation, Patience, ReadWriteCall, SemaphoreCall, SpinCall,
    Thread, VALUE_LIMIT, Wait, choices, owner_ended, perform,
};

/// A small deterministic source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as u32 % bound
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }
}

/// The script so far, what it must print, and the state that it has reached.
struct Script {
    objects: BTreeMap<Address, Object>,
    /// The number of the thread that serves at each place; an ended thread gets a successor.
    threads: [u32; 3],
    input: String,
    expected: Vec<(String, i32)>,
}

const PATIENCES: [Patience; 3] = [Patience::Endless, Patience::Timed, Patience::Never];

fn attributes(object: u32) -> MutexType {
    let kinds = [MutexKind::Normal, MutexKind::Recursive, MutexKind::ErrorChecking];
    MutexType { kind: kinds[object as usize % 3], robust: object >= 3, marked: false }
}

fn suffix(patience: Patience) -> [&'static str; 2] {
    match patience {
        Patience::Endless => ["", "lock"],
        Patience::Timed => ["timed", "timed"],
        Patience::Never => ["try", "try"],
    }
}

/// An operation, and how the driver is asked for it: its name, object and value.
fn draw(numbers: &mut Numbers) -> (Operation, String, u32, u32) {
    let patience = numbers.of(&PATIENCES);
    let [prefix, lock] = suffix(patience);
    let object = numbers.below(6);
    let few = object % 2;
    let mutex = attributes(object);
    let value = numbers.of(&[0, 1, 2, VALUE_LIMIT, VALUE_LIMIT + 1]);
    let (family, object, call, name): (u32, u32, Call, String) = match numbers.below(24) {
        0..=4 => (0, object, MutexCall::Lock(mutex, patience).into(), format!("m.{lock}")),
        5..=7 => (0, object, MutexCall::Unlock(mutex).into(), "m.unlock".into()),
        8 => (0, object, MutexCall::Consistent(mutex).into(), "m.consistent".into()),
        9 => (0, object, MutexCall::Destroy.into(), "m.destroy".into()),
        10 | 11 => {
            let wait = Wait { mutex: object.into(), attributes: mutex, timed: true };
            (1, object, ConditionCall::Wait(wait).into(), "c.wait".into())
        }
        12 => (1, object, ConditionCall::Signal.into(), "c.signal".into()),
        13 => (2, few, ReadWriteCall::Read(patience).into(), format!("rw.{prefix}read")),
        14 => (2, few, ReadWriteCall::Write(patience).into(), format!("rw.{prefix}write")),
        15 | 16 => (2, few, ReadWriteCall::Unlock.into(), "rw.unlock".into()),
        17 => (3, few, SpinCall::Try.into(), "s.try".into()),
        18 => (3, few, SpinCall::Unlock.into(), "s.unlock".into()),
        19 => (5, few, SemaphoreCall::Initialise(value).into(), "sem.new".into()),
        20 => {
            let name = if patience == Patience::Endless { "wait" } else { prefix };
            (5, few, SemaphoreCall::Wait(patience).into(), format!("sem.{name}"))
        }
        21 => (5, few, SemaphoreCall::Post.into(), "sem.post".into()),
        22 => (5, few, SemaphoreCall::Value.into(), "sem.value".into()),
        _ if numbers.below(2) == 0 => (4, few, BarrierCall::Wait.into(), "b.wait".into()),
        _ => (4, few, BarrierCall::Initialise(value).into(), "b.new".into()),
    };
    (Operation::new((family * 16 + object).into(), call), name, object, value)
}

impl Script {
    fn new() -> Self {
        let (input, expected) = (String::new(), Vec::new());
        Self { objects: BTreeMap::new(), threads: [1, 2, 3], input, expected }
    }

    fn line(&mut self, line: String, result: i32) {
        writeln!(self.input, "{line}").expect("a string takes any text");
        self.expected.push((line, result));
    }

    /// Performs an operation up to its return; nothing if it blocks or is a misuse.
    fn result(&mut self, mut operation: Operation, thread: Thread) -> Option<i32> {
        let before = self.objects.clone();
        let result = loop {
            let mut list = Vec::new();
            choices(&operation, thread, &self.objects, &Faults::default(), &mut list);
            let done = list
                .first()
                .and_then(|&choice| perform(&operation, choice, thread, &mut self.objects).ok());
            match done {
                Some(Done::Returns(result)) => return Some(result),
                Some(Done::Value(value)) => return Some(value as i32),
                Some(Done::Continues(next)) => operation = next,
                Some(Done::Blocked) | None => break None,
            }
        };
        self.objects = before;
        result
    }

    fn end_thread(&mut self, place: usize) {
        let addresses: Vec<Address> = self.objects.keys().copied().collect();
        let thread = Thread(self.threads[place]);
        owner_ended(thread, addresses, &mut self.objects);
        self.threads[place] += 3;
        self.line(format!("{place} end 0 0"), 0);
    }

    fn step(&mut self, numbers: &mut Numbers) {
        let place = numbers.below(3) as usize;
        let thread = Thread(self.threads[place]);
        if numbers.below(40) == 0 {
            return self.end_thread(place);
        }
        let (operation, name, object, value) = draw(numbers);
        if self.leaves_a_broken_mutex_locked(&operation) {
            return;
        }
        let Some(result) = self.result(operation, thread) else { return };
        self.line(format!("{place} {name} {object} {value}"), result);
        if name == "m.destroy" {
            let initialise = Operation::new(operation.address, MutexCall::Initialise);
            let result = self.result(initialise, thread).expect("nobody holds it");
            self.line(format!("{place} m.new {object} 0"), result);
        }
    }

    /// The one known deviation: the real `trylock` keeps a mutex that is not recoverable.
    fn leaves_a_broken_mutex_locked(&self, operation: &Operation) -> bool {
        let tries = matches!(operation.call, Call::Mutex(MutexCall::Lock(_, Patience::Never)));
        let object = Objects::get(&self.objects, operation.address);
        let broken =
            matches!(object, Object::Mutex(state) if state.health() == Health::NotRecoverable);
        tries && broken
    }
}

fn driver() -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let source = directory.join("glibc-driver.c");
    let program = directory.join("glibc-driver");
    fs::write(&source, include_str!("driver.c")).expect("the source of the driver");
    let status = Command::new("gcc")
        .args(["-m32", "-O1", "-static", "-pthread", "-o"])
        .args([&program, &source])
        .status()
        .unwrap_or_else(|error| panic!("gcc is needed: `make test` installs it ({error})"));
    assert!(status.success(), "`gcc -m32 -static` failed: `make test` installs its parts");
    program
}

fn run(program: &PathBuf, input: &str) -> Vec<i32> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the driver runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the driver ends");
    writer.join().expect("no panic").expect("the driver reads all");
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn results_are_those_of_the_real_library() {
    let program = driver();
    let mut results = BTreeMap::new();
    for seed in 0..8 {
        let (mut numbers, mut script) = (Numbers(seed), Script::new());
        while script.expected.len() < 1_000 {
            script.step(&mut numbers);
        }
        let printed = run(&program, &script.input);
        assert_eq!(printed.len(), script.expected.len(), "seed {seed}: the driver stopped");
        for (number, ((line, expected), printed)) in script.expected.iter().zip(printed).enumerate()
        {
            assert_eq!(*expected, printed, "seed {seed}, line {}: {line}", number + 1);
            *results.entry(printed).or_insert(0) += 1;
        }
    }
    println!("{results:?}");
    // EPERM, EAGAIN, EBUSY, EINVAL, EDEADLK, EOVERFLOW, ETIMEDOUT, EOWNERDEAD, ENOTRECOVERABLE.
    for number in [1, 11, 16, 22, 35, 75, 110, 130, 131] {
        assert!(results.get(&number).is_some_and(|&count| count > 3), "{number} in {results:?}");
    }
}
