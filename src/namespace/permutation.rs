//! A keyed order of 0 … n−1 in constant memory: every number exactly once.
//!
//! A balanced Feistel network permutes the 2^2h numbers of the smallest even width that holds n, and numbers beyond n
//! are walked along their cycle until they fall below it (J. Black, P. Rogaway, "Ciphers with Arbitrary Finite
//! Domains", CT-RSA 2002). The round function is the finaliser of SplitMix64 (S. Vigna, 2015). It mixes well enough
//! for a benchmark; it is no cipher.

/// A permutation of 0 … n−1.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    len: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

const ROUNDS: usize = 4;

impl Permutation {
    /// The permutation of 0 … `len`−1 that belongs to `key`.
    pub fn new(len: u64, key: u64) -> Self {
        let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
        let mut state = key;
        let keys = std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(state)
        });
        Permutation { len, half_bits: bits.div_ceil(2).max(1), keys }
    }

    /// The number at place `index` (below the length).
    pub fn at(&self, index: u64) -> u64 {
        debug_assert!(index < self.len);
        let mut x = self.shuffle(index);
        while x >= self.len {
            x = self.shuffle(x); // at most 4n numbers: fewer than four steps on average
        }
        x
    }

    fn shuffle(&self, x: u64) -> u64 {
        let mask = (1u64 << self.half_bits) - 1;
        let (mut left, mut right) = (x >> self.half_bits, x & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mix(right ^ key) & mask));
        }
        left << self.half_bits | right
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_exactly_once(len in 1u64..3000, key: u64) {
            let order = Permutation::new(len, key);
            let mut numbers: Vec<u64> = (0..len).map(|i| order.at(i)).collect();
            numbers.sort_unstable();
            prop_assert_eq!(numbers, (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    fn keys_give_different_orders() {
        let order = |key| (0..100).map(|i| Permutation::new(100, key).at(i)).collect::<Vec<_>>();
        assert_ne!(order(1), order(2));
        assert_ne!(order(1), (0..100).collect::<Vec<_>>());
        assert_eq!(order(1), order(1));
    }

    #[test]
    fn large_lengths_do_not_overflow() {
        for len in [1 << 40, u64::MAX, u64::MAX / 2 + 2] {
            assert!(Permutation::new(len, 7).at(len - 1) < len);
        }
    }

    /// Neighbours of the natural order do not stay neighbours: the mean step of a random order is about n/3.
    #[test]
    fn neighbours_are_scattered() {
        let (len, order) = (10_000u64, Permutation::new(10_000, 3));
        let steps: u64 = (1..len).map(|i| order.at(i).abs_diff(order.at(i - 1))).sum();
        let mean = steps / (len - 1);
        assert!((len / 4..len * 2 / 5).contains(&mean), "mean step {mean}");
    }
}
