//! `pl2`: many locks held, and blocked threads in large groups.
//!
//! p = L² + G(blocked) + G(alive), where L is the number of locks that are held and G the weight
//! of groups (see `groups`). The paper's "blocked and alive" is read as both kinds of groups;
//! while no thread begins or ends, the second is constant.

use steam_model::{Heuristic, Threads};

use crate::groups::Groups;
use crate::table::Bounds;

/// Prefers states in which many locks are held and neighbouring threads are blocked; at most
/// Lmax² + 2 n³.
#[derive(Clone, Copy, Debug)]
pub struct PreferLocks {
    bounds: Bounds,
}

impl PreferLocks {
    /// The heuristic for programs within the bounds.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds }
    }
}

impl<M: Threads> Heuristic<M> for PreferLocks {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        let (threads, locks) = (i64::from(self.bounds.threads), i64::from(self.bounds.locks));
        locks.saturating_pow(2).saturating_add(threads.saturating_pow(3).saturating_mul(2))
    }

    fn preference(&self, model: &M, _: &mut M::Worker, state: &M::State, (): &()) -> i64 {
        let (mut blocked, mut alive) = (Groups::default(), Groups::default());
        let mut locks = 0i64;
        model.threads(state, &mut |thread| {
            locks += i64::from(thread.locks);
            if thread.blocked {
                blocked.add(thread.number);
            }
            if thread.alive {
                alive.add(thread.number);
            }
        });
        locks.saturating_pow(2).saturating_add(blocked.weight()).saturating_add(alive.weight())
    }

    fn extend(&self, _: &M, (): &(), _: &M::State, _: M::Action) {}
}
