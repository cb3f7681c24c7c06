//! The 8-puzzle: 9!/2 = 181,440 arrangements can be reached; the farthest are 31 moves away.

use steam_model::Heuristic;

use super::{Act, Action, Hand, Play, Toy};

pub struct Tiles {
    pub start: [u32; 9],
}

const SOLVED: [u32; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

impl Tiles {
    fn target(gap: usize, direction: u32) -> Option<usize> {
        match direction {
            0 if gap >= 3 => Some(gap - 3),
            1 if !gap.is_multiple_of(3) => Some(gap - 1),
            2 if gap % 3 != 2 => Some(gap + 1),
            3 if gap < 6 => Some(gap + 3),
            _ => None,
        }
    }
}

fn gap_of(state: &[u32]) -> usize {
    state.iter().position(|tile| *tile == 0).unwrap_or(0)
}

impl Toy for Tiles {
    fn initial(&self) -> Vec<u32> {
        self.start.to_vec()
    }

    fn actions(&self, state: &[u32]) -> Vec<Action> {
        let gap = gap_of(state);
        (0..4)
            .filter(|&direction| Self::target(gap, direction).is_some())
            .map(|direction| (0, direction))
            .collect()
    }

    fn act(&self, state: &mut Vec<u32>, (_, direction): Action) -> Act {
        let gap = gap_of(state);
        if let Some(target) = Self::target(gap, direction) {
            state.swap(gap, target);
        }
        Act::Done
    }

    fn error(&self, state: &[u32]) -> Option<u32> {
        (state[..] == SOLVED).then_some(0)
    }
}

/// The sum of the tiles' distances from their places: admissible.
pub struct Manhattan;

impl Heuristic<Play<Tiles>> for Manhattan {
    type Path = ();
    const FOLLOWS_PATH: bool = false;

    fn maximum(&self) -> i64 {
        0
    }

    fn preference(&self, _: &Play<Tiles>, _: &mut Hand, state: &Vec<u32>, _: &()) -> i64 {
        let distance = |place: usize, tile: usize| {
            (place % 3).abs_diff(tile % 3) + (place / 3).abs_diff(tile / 3)
        };
        let tiles = state.iter().enumerate().filter(|(_, tile)| **tile != 0);
        -(tiles.map(|(place, &tile)| distance(place, tile as usize)).sum::<usize>() as i64)
    }

    fn extend(&self, _: &Play<Tiles>, _: &(), _: &Vec<u32>, _: Action) {}
}
