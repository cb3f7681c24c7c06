//! A field with walls; the far corner is wanted.

use steam_model::Heuristic;

use super::{Act, Action, Hand, Play, Toy};

pub struct Grid {
    pub side: u32,
    pub walls: Vec<bool>,
}

impl Grid {
    /// A field with about a third of its cells walled, and both corners free.
    pub fn random(side: u32, seed: u64) -> Self {
        let mut numbers = steam_search::walk::Numbers::new(seed);
        let mut walls: Vec<bool> = (0..side * side).map(|_| numbers.below(3) == 0).collect();
        walls[0] = false;
        walls[(side * side - 1) as usize] = false;
        Self { side, walls }
    }

    fn target(&self, state: &[u32], direction: u32) -> Option<(u32, u32)> {
        let (x, y) = (state[0], state[1]);
        let (x, y) = match direction {
            0 => (x.checked_sub(1)?, y),
            1 => (x, y.checked_sub(1)?),
            2 => (x + 1, y),
            _ => (x, y + 1),
        };
        let inside = x < self.side && y < self.side;
        (inside && !self.walls[(y * self.side + x) as usize]).then_some((x, y))
    }
}

impl Toy for Grid {
    fn initial(&self) -> Vec<u32> {
        vec![0, 0]
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        (0..4)
            .filter(|&direction| self.target(state, direction).is_some())
            .map(|direction| (0, direction))
            .collect()
    }

    fn act(&self, state: &mut Vec<u32>, (_, direction): Action) -> Act {
        if let Some((x, y)) = self.target(state, direction) {
            *state = vec![x, y];
        }
        Act::Done
    }

    fn error(&self, state: &[u32]) -> Option<u32> {
        (state == [self.side - 1, self.side - 1]).then_some(7)
    }
}

/// The distance that is left without walls: admissible.
pub struct Beeline;

impl Heuristic<Play<Grid>> for Beeline {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        0
    }

    fn preference(&self, grid: &Play<Grid>, _: &mut Hand, state: &Vec<u32>, _: &()) -> i64 {
        i64::from(state[0]) + i64::from(state[1]) - 2 * i64::from(grid.0.side - 1)
    }

    fn extend(&self, _: &Play<Grid>, _: &(), _: &Vec<u32>, _: Action) {}
}
