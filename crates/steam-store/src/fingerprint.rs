//! A 128-bit hash of a vector that is kept up to date change by change.
//!
//! It is the sum, modulo 2^128, of a mixed word for each used slot: a change subtracts the old
//! word and adds the new one. A sum and not an exclusive or, so that equal terms do not cancel.

use steam_model::Change;

use crate::table::mix;

/// The hash of one vector; the empty vector's is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(pub(crate) u128);

impl Fingerprint {
    /// The hash of the vector after the changes.
    pub(crate) fn after(self, changes: &[Change]) -> Self {
        let sum = changes.iter().fold(self.0, |sum, change| {
            sum.wrapping_sub(term(change.slot, change.old))
                .wrapping_add(term(change.slot, change.new))
        });
        Self(sum)
    }

    /// The two halves.
    pub(crate) fn words(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// The hash with these halves.
    pub(crate) fn from_words([high, low]: [u64; 2]) -> Self {
        Self((u128::from(high) << 64) | u128::from(low))
    }
}

fn term(slot: u32, component: u32) -> u128 {
    if component == 0 {
        return 0;
    }
    let word = (u64::from(slot) << 32) | u64::from(component);
    let high = mix(word ^ 0x9e37_79b9_7f4a_7c15);
    let low = mix(mix(word.wrapping_add(0x2545_f491_4f6c_dd1d)));
    (u128::from(high) << 64) | u128::from(low)
}
