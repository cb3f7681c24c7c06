//! An order of places in which each loop leads back somewhere: that of a depth-first search along the steps that were
//! seen, reversed from its ends. A loop of places that all lead forward would be one whose numbers all increase.

use std::collections::HashMap;

use super::places::Place;

/// Numbers the places. They are listed in an order of their own, so that what is said does not depend on when they were
/// seen; where a step leads to a place that is not listed, it ends there.
pub(super) fn numbers(listed: &[Place], next: impl Fn(Place) -> Vec<Place>) -> HashMap<Place, u32> {
    let mut entered: HashMap<Place, bool> = listed.iter().map(|place| (*place, false)).collect();
    let mut begun: HashMap<Place, bool> = listed.iter().map(|place| (*place, true)).collect();
    for place in listed {
        for after in next(*place).into_iter().filter(|after| after != place) {
            begun.insert(after, false);
        }
    }
    let roots = listed.iter().filter(|place| begun[*place]);
    let mut left: Vec<Place> = Vec::with_capacity(listed.len());
    for &root in roots.chain(listed) {
        if std::mem::replace(entered.get_mut(&root).expect("it is listed"), true) {
            continue;
        }
        let mut path = vec![(root, next(root), 0)];
        while let Some((place, after, tried)) = path.last_mut() {
            match after.get(*tried) {
                Some(&to) => {
                    *tried += 1;
                    if let Some(known) = entered.get_mut(&to)
                        && !std::mem::replace(known, true)
                    {
                        path.push((to, next(to), 0));
                    }
                }
                None => {
                    left.push(*place);
                    path.pop();
                }
            }
        }
    }
    left.into_iter().rev().zip(0..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_without_loops_leads_forward_and_each_loop_back_once() {
        // 3 to 5 to 4, and back from 4 to 5; 9 goes there, too.
        let next = |(_, at): Place| match at {
            3 | 9 => vec![(1, 5)],
            5 => vec![(1, 4)],
            4 => vec![(1, 5), (1, 100)],
            _ => Vec::new(),
        };
        let listed = [(1, 3), (1, 4), (1, 5), (1, 9)];
        let numbers = numbers(&listed, next);
        let forward = |one, other| numbers[&(1, one)] < numbers[&(1, other)];
        assert!(forward(3, 5) && forward(9, 5) && forward(5, 4));
        assert!(!forward(4, 5));
        assert_eq!(numbers.len(), 4);
    }
}
