//! SHA-256 (FIPS 180-4), which names programs and errors.
//!
//! The constants are the first 32 bits of the fractional parts of roots of primes; they are
//! computed in integers rather than listed, and the tests compare whole digests.

use std::fmt::Write;

/// The digest of some bytes in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let primes = primes();
    let mut state: [u32; 8] = std::array::from_fn(|index| square_root(primes[index]));
    let constants: [u32; 64] = std::array::from_fn(|index| cube_root(primes[index]));
    let mut blocks = bytes.chunks_exact(64);
    for block in &mut blocks {
        compress(&mut state, block, &constants);
    }
    for block in padded(blocks.remainder(), bytes.len()).chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    state.iter().fold(String::with_capacity(64), |mut text, word| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{word:08x}");
        text
    })
}

/// The last bytes, a one bit, zeros, and the length of all in bits.
fn padded(rest: &[u8], length: usize) -> Vec<u8> {
    let mut block = rest.to_vec();
    block.push(0x80);
    while block.len() % 64 != 56 {
        block.push(0);
    }
    block.extend((length as u64).wrapping_mul(8).to_be_bytes());
    block
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
    for at in 16..64 {
        let (a, b) = (words[at - 15], words[at - 2]);
        let small = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let large = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        words[at] = [words[at - 16], small, words[at - 7], large].into_iter().fold(0, wrap);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (&constant, &word) in constants.iter().zip(&words) {
        let mixed = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = [h, mixed, e & f ^ !e & g, constant, word].into_iter().fold(0, wrap);
        let mixed = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = mixed.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (sum, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(word);
    }
}

fn wrap(sum: u32, word: u32) -> u32 {
    sum.wrapping_add(word)
}

fn primes() -> Vec<u64> {
    (2u64..).filter(|n| (2..*n).all(|divisor| n % divisor != 0)).take(64).collect()
}

/// The fractional part of a square root, times 2^32: the root of `n << 64`, cut to 32 bits.
fn square_root(n: u64) -> u32 {
    largest(|root| root * root <= u128::from(n) << 64)
}

/// The fractional part of a cube root, times 2^32: the cube root of `n << 96`, cut to 32 bits.
fn cube_root(n: u64) -> u32 {
    largest(|root| root * root * root <= u128::from(n) << 96)
}

/// The low 32 bits of the largest number below 2^37 that fits.
fn largest(fits: impl Fn(u128) -> bool) -> u32 {
    let mut root = 0u128;
    for bit in (0..37).rev() {
        if fits(root | 1 << bit) {
            root |= 1 << bit;
        }
    }
    root as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests are those of coreutils' `sha256sum`.
    #[test]
    fn digests_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        for (bytes, digest) in [
            (&b""[..], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            assert_eq!(sha256(bytes), digest);
        }
    }
}
