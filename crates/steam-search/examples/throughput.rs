//! Measures the loop of searches: steps per second, memory per state, and what a second worker
//! brings.
//!
//! `cargo run --release -p steam-search --example throughput [PHILOSOPHERS] [NANOSECONDS]`
//!
//! The model is philosophers who loop; a step also computes for about the given time, as a step of
//! a real machine would. Counts are known (3^n - 1 states) and checked.

use std::hint::black_box;
use std::time::{Duration, Instant};

use steam_model::{Blind, Change, Delta, Model, NoReduction, Observer, Property, Step, StepOf};
use steam_search::{Config, Control, Order, Problem, explore_in};
use steam_store::TreeStore;

const MOST: usize = 20;

/// Where each philosopher is in the loop: take left, take right, put left, put right.
type Places = [u8; MOST];

struct Philosophers {
    count: usize,
    /// Rounds of idle computation in each step.
    rounds: u64,
}

impl Philosophers {
    /// Slots in bit-reversed order, so that neighbours lie in different halves of the tree.
    fn slot(&self, philosopher: usize) -> u32 {
        let bits = self.count.next_power_of_two().ilog2();
        (philosopher as u32).reverse_bits() >> (32 - bits)
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
        vector.resize(self.count.next_power_of_two(), 0);
        for (philosopher, &place) in places[..self.count].iter().enumerate() {
            vector[self.slot(philosopher) as usize] = u32::from(place) + 1;
        }
    }

    fn patch(&self, _: &mut (), base: &Places, changes: &[Change]) -> Places {
        let mut places = *base;
        let bits = self.count.next_power_of_two().ilog2();
        for change in changes {
            // Reversing bits is its own inverse.
            let philosopher = change.slot.reverse_bits() >> (32 - bits);
            places[philosopher as usize] = (change.new - 1) as u8;
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
        let place = &mut next[philosopher as usize];
        let old = u32::from(*place) + 1;
        *place = (*place + 1) % 4;
        delta.record(self.slot(philosopher as usize), old, u32::from(*place) + 1);
        Step::Next(next)
    }

    fn agent(&self, philosopher: u32) -> u32 {
        philosopher
    }
}

/// Something can always happen.
struct Deadlock;

impl Property<Philosophers> for Deadlock {
    fn check(&self, _: &Philosophers, _: &Places, enabled: &[u32]) -> Option<()> {
        enabled.is_empty().then_some(())
    }
}

/// Rounds of computation that take about so long on this machine.
fn calibrate(wanted: Duration) -> u64 {
    let sample = Philosophers { count: 1, rounds: 1_000_000 };
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

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let count = arguments.next().unwrap_or(12).clamp(2, MOST as u64) as usize;
    let busy = Duration::from_nanos(arguments.next().unwrap_or(2000));
    for (work, rounds) in [("cheap steps", 0), ("busy steps", calibrate(busy))] {
        let model = Philosophers { count, rounds };
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
                    "{work}, {order:?}, {jobs} workers: {} states, {} steps, {:.2} M steps/s, \
                     {:.2} M per processor second, {:.1} bytes per state with links",
                    counts.states,
                    counts.transitions,
                    million / start.elapsed().as_secs_f64(),
                    million / (processor_seconds() - processor),
                    counts.bytes as f64 / counts.states as f64,
                );
            }
        }
    }
}
