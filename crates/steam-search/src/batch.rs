//! Expands a batch of nodes on all threads of the current pool.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use steam_model::{Heuristic, Model, Property, Reduction, Visited};

use crate::expand::{Arrival, Batch, Equipment, Harvest, NodeOf, Reached};

/// Which arrivals end a search at once.
#[derive(Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) at_violation: bool,
    pub(crate) at_unknown: bool,
}

impl Ending {
    fn applies<M: Model, V: Visited, P>(self, model: &M, reached: &Reached<M, V, P>) -> bool {
        match &reached.arrival {
            Arrival::State { discovery, .. } => {
                let mut errors = discovery.iter().flat_map(|it| &it.errors);
                self.at_violation && errors.any(|error| model.is_fatal(error))
            }
            Arrival::Violation(error) => self.at_violation && model.is_fatal(error),
            Arrival::Unknown(unknown) => self.at_unknown && model.ends_search(unknown),
        }
    }
}

/// Expands the nodes; the harvests are in their order. Nodes after one whose arrivals end the
/// search may be left out, and so may any once there is no time left.
pub(crate) fn expand<M, V, H, P, R>(
    batch: &Batch<'_, M, V, H, P, R>,
    nodes: &mut [NodeOf<M, V, H>],
    crew: &[Mutex<Equipment<M, V, R::Notes>>],
    ending: Ending,
) -> Vec<Harvest<M, V, H::Path>>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: Reduction<M> + ?Sized,
{
    let last = AtomicUsize::new(usize::MAX);
    let size = (nodes.len() / (32 * crew.len())).clamp(1, 32);
    let expand_chunk = |(number, chunk): (usize, &mut [NodeOf<M, V, H>])| {
        let member = rayon::current_thread_index().unwrap_or(0);
        let mut equipment = crew[member].lock().unwrap_or_else(PoisonError::into_inner);
        let mut harvest = Harvest { first: number * size, ..Harvest::new() };
        for (position, node) in (number * size..).zip(chunk) {
            if harvest.late || position > last.load(Ordering::Relaxed) {
                break;
            }
            let before = harvest.reached.len();
            batch.expand(&mut equipment, node, &mut harvest);
            let model = batch.problem.model;
            if harvest.reached[before..].iter().any(|reached| ending.applies(model, reached)) {
                last.fetch_min(position, Ordering::Relaxed);
            }
        }
        harvest
    };
    nodes.par_chunks_mut(size).enumerate().map(expand_chunk).collect()
}
