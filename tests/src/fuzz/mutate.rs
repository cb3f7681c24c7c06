//! Damages seeds: a few changes each, decided by a number.

use super::Seed;

/// The largest input that is made.
const LARGEST: usize = 1 << 20;
/// How often a piece is repeated at most, to see what nests or piles up.
const REPEATED: usize = 4000;

/// Numbers that sit at the borders of checks.
const EXTREME: [u32; 14] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0xfff,
    0x1000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xc000_0000,
    0xffff_f000,
    0xffff_ffff,
];

/// A small generator (xorshift64*): the same start gives the same numbers.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(start: u64) -> Self {
        let mut random =
            Self(start.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed_5eed_5eed_5eed | 1);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// A number below `limit`; 0 if that is 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A number from 1 to `1 << most`; small ones are as likely as large ones.
    fn few(&mut self, most: usize) -> usize {
        let limit = 1 << self.below(most + 1);
        1 + self.below(limit)
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// One of the seeds with a few changes.
pub(super) fn mutated(seeds: &[Seed], words: &[&str], random: &mut Random) -> Vec<u8> {
    let seed = random.pick(seeds);
    let mut bytes = seed.bytes.clone();
    let changes = random.few(3);
    for _ in 0..changes {
        if seed.parts.is_empty() {
            change(&mut bytes, seeds, words, random);
        } else {
            let part = random.pick(&seed.parts).clone();
            overwrite(&mut bytes[part], random);
        }
    }
    bytes.truncate(LARGEST);
    bytes
}

/// Changes bytes in place.
fn overwrite(bytes: &mut [u8], random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next() as u8,
        2 => bytes[at] = bytes[at].wrapping_add(if random.below(2) == 0 { 1 } else { 0xff }),
        _ => {
            let value = random.pick(&EXTREME).to_le_bytes();
            let size = [1, 2, 4][random.below(3)].min(bytes.len() - at);
            bytes[at..at + size].copy_from_slice(&value[..size]);
        }
    }
}

/// Changes, adds or removes something.
fn change(bytes: &mut Vec<u8>, seeds: &[Seed], words: &[&str], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = at + random.below((bytes.len() - at).min(40) + 1);
    match random.below(9) {
        0 | 1 => overwrite(bytes, random),
        2 => drop(bytes.drain(at..end)),
        3 => bytes.truncate(at),
        4 if !words.is_empty() => {
            let word = random.pick(words).as_bytes().to_vec();
            bytes.splice(at..end, word);
        }
        5 if !words.is_empty() => {
            let word = random.pick(words).as_bytes().to_vec();
            bytes.splice(at..at, word);
        }
        6 => {
            let piece = bytes[at..end].to_vec();
            let count = random.few(REPEATED.ilog2() as usize);
            bytes.splice(at..at, piece.repeat(count));
        }
        7 => {
            let other = &random.pick(seeds).bytes;
            let from = random.below(other.len() + 1);
            let to = from + random.below((other.len() - from).min(200) + 1);
            bytes.splice(at..end, other[from..to].to_vec());
        }
        _ => {
            let text = random.pick(&EXTREME).to_string().into_bytes();
            bytes.splice(at..end, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_input_and_parts_keep_the_rest() {
        let text = b"an input that is right".to_vec();
        let part = Seed { bytes: text.clone(), parts: vec![3..6, 6..8] };
        let seeds = [part];
        let mut different = 0;
        for start in 0..200 {
            let [one, two] = [0, 1].map(|_| mutated(&seeds, &["word"], &mut Random::new(start)));
            assert_eq!(one, two);
            assert_eq!((&one[..3], &one[8..]), (&text[..3], &text[8..]));
            different += usize::from(one != text);
        }
        assert!(different > 150, "{different}");
        let whole = [Seed::whole(text)];
        let sizes = (0..200).map(|start| mutated(&whole, &["word"], &mut Random::new(start)).len());
        assert!(sizes.collect::<std::collections::BTreeSet<_>>().len() > 20);
    }
}
