//! The loop of all searches with an open list.
//!
//! A round takes nodes from the list, expands them, and merges what arrived: links, costs,
//! errors, new nodes. One worker takes one node at a time. Several workers take a *batch*, whose
//! size depends only on how far the search is, expand it in parallel on the shared store, and
//! leave the merging to one of them, who goes through the arrivals in the order of the batch. So
//! what is found does not depend on who was faster or on how many workers there are; and as a
//! queue gives its nodes in the same order whether one by one or in batches, and so does a beam
//! whose batches end with its levels, breadth-first search and beam search give the same outcome as
//! with one worker, counts and trail included. The other orders visit the same states in another
//! order.

use steam_model::{Heuristic, Model, Property, Reduction, Visited};

use crate::config::{Config, Control};
use crate::expand::Problem;
use crate::frontiers::{AStar, Beam, BestFirst, Queue, Stack};
use crate::outcome::OutcomeOf;
use crate::search::{FrontierOf, Search};

/// Which state is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last one reached, among siblings the one by the highest action.
    DepthFirst,
    /// The first one reached: shortest trails.
    BreadthFirst,
    /// The one that looks nearest to an error.
    BestFirst,
    /// The one with the smallest cost plus estimate; shortest trails if the heuristic is
    /// admissible and the weight is 100.
    AStar {
        /// Percent by which the estimate counts.
        weight: u32,
    },
    /// Level by level, and of each level only those that look nearest to an error: errors may be
    /// missed, and then the search ends with a limit.
    Beam {
        /// The number of states of a level that are expanded, at least one.
        width: u32,
    },
}

/// Explores a problem in the given order. The store has to be empty.
pub fn explore_in<M, V, H, P, R>(
    order: Order,
    problem: &Problem<'_, M, H, P, R>,
    store: &V,
    config: &Config,
    control: &mut Control<'_>,
) -> OutcomeOf<M>
where
    M: Model,
    V: Visited,
    H: Heuristic<M>,
    P: Property<M> + ?Sized,
    R: Reduction<M> + ?Sized,
{
    let frontier: FrontierOf<'_, M, V, H> = match order {
        Order::DepthFirst => Box::new(Stack::default()),
        Order::BreadthFirst => Box::new(Queue::default()),
        Order::BestFirst => Box::new(BestFirst::default()),
        Order::AStar { weight } => Box::new(AStar::with_weight(weight)),
        Order::Beam { width } => Box::new(Beam::with_width(width)),
    };
    let mut search = Search::new(problem, store, frontier, config, control);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(config.jobs);
    let end = match (config.jobs > 1).then(|| pool.build()) {
        // Inside the pool, so that handing out a batch needs no waking of a first thread.
        Some(Ok(pool)) => pool.install(|| search.run()),
        // No threads to be had: the batches are the same, one worker does them all.
        Some(Err(_)) | None => search.run(),
    };
    search.into_outcome(end)
}
