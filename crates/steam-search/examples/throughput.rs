//! Measures the loop of searches: steps per second, memory per state, and what a second worker
//! brings.
//!
//! `cargo run --release -p steam-search --example throughput [PHILOSOPHERS] [NANOSECONDS]`
//!
//! The model is philosophers who loop, in three forms: with one slot for each; as a program would
//! have them, with 128 slots of which a step changes three (a thread, a page of its stack, a
//! lock); and this with steps that also compute for about the given time, as those of a real
//! machine would. Counts are known (3^n - 1 states) and checked. Resident memory is the greatest
//! so far, so it tells something about the first form only.

use std::hint::black_box;
use std::time::{Duration, Instant};

use steam_model::{
    Blind, Change, Delta, Model, NoReduction, Observer, Property, Step, StepOf, Visited,
};
use steam_search::{Config, Control, Order, Problem, explore_in};
use steam_store::TreeStore;

const MOST: usize = 20;

/// Where each philosopher is in the loop: take left, take right, put left, put right.
type Places = [u8; MOST];

struct Philosophers {
    count: usize,
    /// The slots of a vector, a power of two.
    width: u32,
    /// Slots for each philosopher: 1, or 3 with a page and a fork.
    parts: usize,
    /// Rounds of idle computation in each step.
    rounds: u64,
}

impl Philosophers {
    /// Slots in bit-reversed order, so that neighbours lie in different halves of the tree.
    fn slot(&self, philosopher: usize, part: usize) -> u32 {
        ((philosopher * self.parts + part) as u32).reverse_bits() >> (32 - self.width.ilog2())
    }

    /// Whose place a slot is, if it is one's.
    fn place_of(&self, slot: u32) -> Option<usize> {
        // Reversing bits is its own inverse.
        let number = (slot.reverse_bits() >> (32 - self.width.ilog2())) as usize;
        number.is_multiple_of(self.parts).then_some(number / self.parts)
    }

    /// The component of the fork to the left of a philosopher: free, his, his neighbour's.
    fn fork(&self, places: &Places, philosopher: usize) -> u32 {
        let neighbour = places[(philosopher + self.count - 1) % self.count];
        match (places[philosopher], neighbour) {
            (1 | 2, _) => 2,
            (_, 2 | 3) => 3,
            _ => 1,
        }
    }

    fn is_blocked(&self, places: &Places, philosopher: usize) -> bool {
        let left = places[(philosopher + self.count - 1) % self.count];
        let right = places[(philosopher + 1) % self.count];
        match places[philosopher] {
            0 => left == 2 || left == 3,
            1 => right == 1 || right == 2,
            _ => false,
        }
    }

    fn compute(&self) {
        let mut word = 1u64;
        for _ in 0..self.rounds {
            word = black_box(word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}

impl Model for Philosophers {
    type State = Places;
    type Action = u32;
    type Event = ();
    type Violation = ();
    type Unknown = ();
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut ()) -> Places {
        [0; MOST]
    }

    fn describe(&self, places: &Places, vector: &mut Vec<u32>) {
        vector.resize(self.width as usize, 7);
        for philosopher in 0..self.count {
            let place = u32::from(places[philosopher]) + 1;
            let parts = [place, place + 4, self.fork(places, philosopher)];
            for (part, id) in parts.into_iter().enumerate().take(self.parts) {
                vector[self.slot(philosopher, part) as usize] = id;
            }
        }
    }

    fn patch(&self, _: &mut (), base: &Places, changes: &[Change]) -> Places {
        let mut places = *base;
        for change in changes {
            if let Some(philosopher) = self.place_of(change.slot) {
                places[philosopher] = (change.new - 1) as u8;
            }
        }
        places
    }

    fn enabled(&self, _: &mut (), places: &Places, actions: &mut Vec<u32>) {
        let able = |philosopher: &u32| !self.is_blocked(places, *philosopher as usize);
        actions.extend((0..self.count as u32).filter(able));
    }

    fn step<O: Observer<()>>(
        &self,
        _: &mut (),
        places: &Places,
        philosopher: u32,
        delta: &mut Delta,
        _: &mut O,
    ) -> StepOf<Self> {
        self.compute();
        let mut next = *places;
        let philosopher = philosopher as usize;
        let place = &mut next[philosopher];
        let old = u32::from(*place) + 1;
        *place = (*place + 1) % 4;
        let new = u32::from(*place) + 1;
        delta.record(self.slot(philosopher, 0), old, new);
        if self.parts > 1 {
            delta.record(self.slot(philosopher, 1), old + 4, new + 4);
            let taken = if old % 2 == 1 { philosopher } else { (philosopher + 1) % self.count };
            let (before, after) = (self.fork(places, taken), self.fork(&next, taken));
            delta.record(self.slot(taken, 2), before, after);
        }
        Step::Next
    }

    fn process(&self, philosopher: u32) -> u32 {
        philosopher
    }
}

/// Something can always happen.
struct Deadlock;

impl Property<Philosophers> for Deadlock {
    fn check(
        &self,
        model: &Philosophers,
        _: &mut (),
        places: &Places,
        _: Option<u32>,
        tell: &mut dyn FnMut(()),
    ) {
        if (0..model.count).all(|philosopher| model.is_blocked(places, philosopher)) {
            tell(());
        }
    }
}

/// Rounds of computation that take about so long on this machine.
fn calibrate(wanted: Duration) -> u64 {
    let sample = Philosophers { count: 1, width: 2, parts: 1, rounds: 1_000_000 };
    let start = Instant::now();
    sample.compute();
    let picoseconds = start.elapsed().as_nanos().max(1) as u64 / 1000;
    wanted.as_nanos() as u64 * 1000 / picoseconds.max(1)
}

/// Seconds of processor time that this process took so far, all its threads together.
fn processor_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = status.split(' ').filter_map(|field| field.parse().ok()).collect();
    // The name (in brackets) and the state are no numbers: user time is number 12, system 13.
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / 100.0
}

/// The greatest resident memory of this process so far, in bytes.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let count = arguments.next().unwrap_or(12).clamp(2, MOST as u64) as usize;
    let busy = Duration::from_nanos(arguments.next().unwrap_or(2000));
    let narrow = (count as u32).next_power_of_two();
    let forms =
        [("narrow", narrow, 1, 0), ("wide", 128, 3, 0), ("wide and busy", 128, 3, calibrate(busy))];
    for (form, width, parts, rounds) in forms {
        let model = Philosophers { count, width, parts, rounds };
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            for jobs in [1, 2] {
                let problem = Problem {
                    model: &model,
                    heuristic: &Blind,
                    property: &Deadlock,
                    reduction: &NoReduction,
                };
                let config = Config { all: true, jobs, ..Config::default() };
                let (start, processor) = (Instant::now(), processor_seconds());
                let store = TreeStore::default();
                let outcome = explore_in(order, &problem, &store, &config, &mut Control::default());
                let counts = outcome.statistics;
                assert_eq!(counts.states, 3u64.pow(count as u32) - 1);
                let million = counts.transitions as f64 / 1e6;
                println!(
                    "{form}, {order:?}, {jobs} workers: {} states, {} steps, {:.2} M steps/s, \
                     {:.2} M per processor second; bytes per state: {:.1} in the store, {:.1} \
                     with links, {:.1} resident",
                    counts.states,
                    counts.transitions,
                    million / start.elapsed().as_secs_f64(),
                    million / (processor_seconds() - processor),
                    store.bytes() as f64 / counts.states as f64,
                    counts.bytes as f64 / counts.states as f64,
                    peak_resident() as f64 / counts.states as f64,
                );
            }
        }
    }
}
