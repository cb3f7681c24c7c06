//! Measures the tree store on a synthetic product model: bytes and time for each state.
//!
//! `cargo run --release -p steam-store --example bytes_per_state [THREADS] [LOCAL STATES]`
//!
//! There are T threads with L local states each; a step of a thread changes its registers, its
//! stack and one shared slot, in vectors of 128 slots. `spread` puts the threads' slots at
//! bit-reversed positions, `packed` side by side; as the store arranges slots itself, both cost the
//! same. Bytes of nodes are 8 for each node; those of the store count the index too, and the
//! resident ones are the process's, the open list included.

use std::thread;
use std::time::Instant;

use steam_model::{Delta, Insert, StateId, Visited};
use steam_store::TreeStore;

const SLOTS: u32 = 128;
const SHARED: u32 = 100;

/// How threads are laid out in the vector.
#[derive(Clone, Copy)]
struct Layout {
    threads: u32,
    local_states: u32,
    spread: bool,
}

impl Layout {
    /// The first of a thread's two slots.
    fn slot(self, thread: u32) -> u32 {
        if self.spread { (thread.reverse_bits() >> 25) & !1 } else { 2 * thread }
    }

    fn initial(self) -> Vec<u32> {
        let mut vector: Vec<u32> = (0..SLOTS).map(|slot| slot % 7 + 1).collect();
        for thread in 0..self.threads {
            let slot = self.slot(thread) as usize;
            (vector[slot], vector[slot + 1]) = (1000, 2000);
        }
        vector[SHARED as usize] = 1;
        vector
    }
}

/// What one worker found.
#[derive(Default)]
struct Part {
    new: Vec<StateId>,
    transitions: usize,
}

/// Expands states as a search does: each is rebuilt from the one before it.
fn expand(store: &TreeStore, layout: Layout, states: &[StateId]) -> Part {
    let (mut scratch, mut delta, mut part) = (store.scratch(), Delta::new(), Part::default());
    let (mut last, mut vector) = (None, Vec::new());
    for &id in states {
        store.difference(last, id, &mut delta);
        delta.apply(&mut vector);
        last = Some(id);
        for thread in 0..layout.threads {
            let slot = layout.slot(thread);
            let (registers, stack) = (vector[slot as usize], vector[slot as usize + 1]);
            if registers + 1 >= 1000 + layout.local_states {
                continue;
            }
            let shared = vector[SHARED as usize];
            delta.clear();
            delta.record(slot, registers, registers + 1);
            delta.record(slot + 1, stack, stack + 1);
            delta.record(SHARED, shared, shared + thread + 1);
            delta.normalise();
            part.transitions += 1;
            if let Ok(Insert::New(new)) = store.insert(&mut scratch, last, delta.changes()) {
                part.new.push(new);
            }
        }
    }
    part
}

fn explore(store: &TreeStore, layout: Layout, workers: usize) -> usize {
    let delta = Delta::from_empty(&layout.initial());
    let Ok(Insert::New(first)) = store.insert(&mut store.scratch(), None, delta.changes()) else {
        return 0;
    };
    let mut transitions = 0;
    let mut layer = vec![first];
    while !layer.is_empty() {
        let parts: Vec<Part> = thread::scope(|scope| {
            let chunk = layer.len().div_ceil(workers);
            let running: Vec<_> = layer
                .chunks(chunk)
                .map(|states| scope.spawn(move || expand(store, layout, states)))
                .collect();
            running.into_iter().filter_map(|part| part.join().ok()).collect()
        });
        layer.clear();
        for part in parts {
            transitions += part.transitions;
            layer.extend(part.new);
        }
    }
    transitions
}

fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0u64) * 4096
}

/// Seconds of processor time that this process took so far, all its threads together.
fn processor_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = status.split(' ').filter_map(|field| field.parse().ok()).collect();
    // The name (in brackets) and the state are no numbers: user time is number 12, system 13.
    (fields.get(11).unwrap_or(&0.0) + fields.get(12).unwrap_or(&0.0)) / 100.0
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let threads = arguments.next().unwrap_or(8).clamp(1, 50);
    let local_states = arguments.next().unwrap_or(6);
    for (name, spread) in [("spread", true), ("packed", false)] {
        let layout = Layout { threads, local_states, spread };
        for workers in [1, 2] {
            let resident = resident_bytes();
            let store = TreeStore::default();
            let (start, processor) = (Instant::now(), processor_seconds());
            let transitions = explore(&store, layout, workers);
            let million = transitions as f64 / 1e6;
            let states = store.len() as f64;
            println!(
                "{name}, {workers} workers: {states} states, {transitions} transitions, \
                 {:.2} M/s, {:.2} M per processor second; \
                 bytes per state: {:.2} nodes, {:.2} store, {:.2} resident",
                million / start.elapsed().as_secs_f64(),
                million / (processor_seconds() - processor),
                (store.inner_nodes() as f64 + states) * 8.0 / states,
                store.bytes() as f64 / states,
                resident_bytes().saturating_sub(resident) as f64 / states,
            );
        }
    }
}
