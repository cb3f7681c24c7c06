//! Two jugs of 3 and 5 litres; exactly 4 litres are wanted. The shortest way has 6 steps.

use super::{Act, Action, Toy};

pub struct Jugs;

const SIZES: [u32; 2] = [3, 5];

impl Toy for Jugs {
    fn initial(&self) -> Vec<u32> {
        vec![0, 0]
    }

    fn actions(&self, _: &[u32]) -> Vec<Action> {
        (0..2).flat_map(|jug| (0..3).map(move |what| (jug, what))).collect()
    }

    fn act(&self, state: &mut Vec<u32>, (jug, what): Action) -> Act {
        let (jug, other) = (jug as usize, 1 - jug as usize);
        match what {
            0 => state[jug] = SIZES[jug],
            1 => state[jug] = 0,
            _ => {
                let poured = state[jug].min(SIZES[other] - state[other]);
                state[jug] -= poured;
                state[other] += poured;
            }
        }
        Act::Done
    }

    fn error(&self, state: &[u32]) -> Option<u32> {
        (state[1] == 4).then_some(4)
    }
}
