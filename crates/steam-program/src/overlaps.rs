//! Which of many accesses touch the bytes that another one touches, found without comparing all pairs.
//!
//! What runs as a whole may touch a byte at a time: two such threads have hundreds of millions of pairs of
//! accesses, of which few meet. So accesses are ordered by where they begin, those of about the same size
//! together: one that meets another begins at most its own size before it.

use std::collections::BTreeMap;

use ahash::{HashSet, RandomState};
use steam_state::Access;

/// Accesses that can be asked for those that meet another one.
pub(super) struct Overlaps {
    /// By the binary logarithm of their sizes: where each begins, and its number, ascending.
    by_size: BTreeMap<u32, Vec<(u64, u32)>>,
}

impl Overlaps {
    /// Accesses, numbered in their order. Those that came before are left out.
    pub(super) fn of(accesses: impl Iterator<Item = Access>) -> Self {
        let mut known = HashSet::with_hasher(RandomState::with_seeds(1, 6, 1, 8));
        let mut by_size: BTreeMap<u32, Vec<(u64, u32)>> = BTreeMap::new();
        for (number, access) in (0..).zip(accesses) {
            if known.insert(access) {
                let alike = by_size.entry(access.size.max(1).ilog2()).or_default();
                alike.push((access.place.number(), number));
            }
        }
        by_size.values_mut().for_each(|alike| alike.sort_unstable());
        Self { by_size }
    }

    /// The numbers of those that may meet an access, ascending: all that do, and few beside.
    pub(super) fn near(&self, access: Access) -> Vec<u32> {
        let start = access.place.number();
        let end = start + u64::from(access.size);
        let mut found = Vec::new();
        for (size, alike) in &self.by_size {
            let lowest = start.saturating_sub(1 << (size + 1));
            let first = alike.partition_point(|(begin, _)| *begin < lowest);
            let rest = alike[first..].iter().take_while(|(begin, _)| *begin < end);
            found.extend(rest.map(|(_, number)| *number));
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steam_state::Space;

    #[test]
    fn finds_what_comparing_all_pairs_finds() {
        let mut seed = 5u32;
        let mut random = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % bound
        };
        let mut access = || {
            let (address, size) =
                (0x1000 + random(400), [0, 1, 2, 3, 4, 8, 60][random(7) as usize]);
            Access { address, size, write: random(2) == 0, place: Space::FIRST.at(address) }
        };
        let accesses: Vec<Access> = (0..300).map(|_| access()).collect();
        let overlaps = Overlaps::of(accesses.iter().copied());
        for _ in 0..500 {
            let one = access();
            let near = overlaps.near(one).into_iter().map(|number| accesses[number as usize]);
            let found: Vec<Access> = near.filter(|it| it.overlaps(one)).collect();
            let mut wanted: Vec<Access> = Vec::new();
            for &it in accesses.iter().filter(|access| access.overlaps(one)) {
                if !wanted.contains(&it) {
                    wanted.push(it);
                }
            }
            assert_eq!(found, wanted);
        }
    }
}
