//! The permutation test of two groups of values.

use statrs::statistics::Statistics;

/// More ways than this to divide the values are not gone through, but drawn from.
const MOST_WAYS: f64 = 200_000.0;
/// Ways that are drawn then.
const DRAWN: u32 = 20_000;
/// What the draws start from: the same values give the same p.
const SEED: u64 = 0x6d64_7465_7374;

/// Ways to divide `n + m` values into groups of `n` and `m`.
#[allow(clippy::cast_precision_loss)] // numbers of iterations
pub fn ways(n: usize, m: usize) -> f64 {
    (1..=n.min(m)).fold(1.0, |ways, k| ways * (n + m + 1 - k) as f64 / k as f64)
}

/// The share of all ways to divide the values into groups of these sizes whose Welch's t is at least as far from 0 as that
/// of the groups there are: p, two-sided. `None` for fewer than two values in a group.
///
/// Where values only differ by chance every way is equally likely, whatever their distribution; with Welch's t for the
/// measure it also holds, for many values, where the groups differ in their deviation.
/// - Fisher, The Design of Experiments (1935), § 21; Pitman, J. R. Stat. Soc. Suppl. 4 (1937) 119–130.
/// - Janssen, "Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem",
///   Stat. Probab. Lett. 36 (1997) 9–21.
/// - With more than 200,000 ways 20,000 are drawn, and p is (1 + as far) ÷ (1 + drawn): Davison & Hinkley, Bootstrap
///   Methods and their Application (1997), § 4.3.
pub fn p_value(one: &[f64], other: &[f64]) -> Option<f64> {
    if one.len() < 2 || other.len() < 2 {
        return None;
    }
    let all: Vec<f64> = one.iter().chain(other).copied().collect();
    let middle = Statistics::mean(&all);
    let all: Vec<f64> = all.into_iter().map(|value| value - middle).collect();
    let (n, total) = (one.len(), Sums::of(&all));
    let distance = |group: Sums| group.distance(&total.without(&group));
    let seen = distance(Sums::of(&all[..n]));
    // Rounding must not part what is equal but for the order of sums.
    let as_far = |group: Sums| f64::from(u8::from(distance(group) >= seen * (1.0 - 1e-9)));
    let (mut far, mut ways) = (0.0, 0.0);
    if self::ways(n, other.len()) > MOST_WAYS {
        let mut draws = Draws(SEED);
        let mut pool = all;
        (far, ways) = (1.0, 1.0);
        for _ in 0..DRAWN {
            draws.shuffle(&mut pool);
            (far, ways) = (far + as_far(Sums::of(&pool[..n])), ways + 1.0);
        }
    } else {
        each_choice(all.len(), n, &mut |chosen| {
            let group = chosen.iter().fold(Sums::default(), |sums, &i| sums.with(all[i]));
            (far, ways) = (far + as_far(group), ways + 1.0);
        });
    }
    Some(far / ways)
}

/// Sums over a group of values, taken from the mean of all so that little is lost.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn of(values: &[f64]) -> Self {
        values.iter().fold(Sums::default(), |sums, &value| sums.with(value))
    }

    fn with(self, value: f64) -> Self {
        Sums { n: self.n + 1.0, sum: self.sum + value, squares: self.squares + value * value }
    }

    fn without(&self, part: &Sums) -> Self {
        Sums { n: self.n - part.n, sum: self.sum - part.sum, squares: self.squares - part.squares }
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    /// Square of the mean's standard error.
    fn variance_of_mean(&self) -> f64 {
        (self.squares - self.sum * self.mean()).max(0.0) / (self.n - 1.0) / self.n
    }

    /// |Welch's t|; infinite for different means without deviation, 0 for equal ones.
    fn distance(&self, other: &Sums) -> f64 {
        let difference = (self.mean() - other.mean()).abs();
        let error = (self.variance_of_mean() + other.variance_of_mean()).sqrt();
        match (difference > 0.0, error > 0.0) {
            (false, _) => 0.0,
            (true, false) => f64::INFINITY,
            (true, true) => difference / error,
        }
    }
}

/// Every way to choose `k` of 0 … n−1, in order.
fn each_choice(n: usize, k: usize, found: &mut impl FnMut(&[usize])) {
    let mut chosen: Vec<usize> = (0..k).collect();
    loop {
        found(&chosen);
        // The last that can go up by one does; those behind it follow.
        let Some(place) = (0..k).rfind(|&i| chosen[i] < n - k + i) else { return };
        chosen[place] += 1;
        for i in place + 1..k {
            chosen[i] = chosen[i - 1] + 1;
        }
    }
}

/// Pseudo-random numbers: SplitMix64 (Steele, Lea & Flood 2014).
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let bits = z ^ (z >> 31);
        usize::try_from((u128::from(bits) * n as u128) >> 64).unwrap_or(0)
    }

    /// Every order equally likely (Durstenfeld 1964).
    fn shuffle(&mut self, values: &mut [f64]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_gone_through_once() {
        let mut seen = std::collections::BTreeSet::new();
        each_choice(7, 3, &mut |chosen| assert!(seen.insert(chosen.to_vec())));
        assert_eq!((seen.len(), ways(4, 3)), (35, 35.0));
        assert_eq!([ways(5, 5), ways(6, 6), ways(10, 10), ways(1, 4)], [252.0, 924.0, 184_756.0, 5.0]);
    }

    #[test]
    fn groups_apart_are_as_unlikely_as_can_be() {
        let p = p_value(&[1.0, 1.1, 0.9, 1.05], &[2.0, 2.1, 1.9, 2.07]).unwrap();
        assert!((p - 2.0 / 70.0).abs() < 1e-12, "{p}");
        assert_eq!(p_value(&[1.0, 1.0], &[1.0, 1.0]), Some(1.0));
        assert_eq!(p_value(&[1.0], &[2.0, 3.0]), None);
    }

    #[test]
    fn many_ways_are_drawn_from() {
        let (one, other): (Vec<f64>, Vec<f64>) = (0..15).map(|i| (f64::from(i), f64::from(i) + 8.0)).unzip();
        let drawn = p_value(&one, &other).unwrap();
        assert!(drawn < 0.001 && drawn > 0.0, "{drawn}");
        assert!(p_value(&one, &one).unwrap() > 0.99);
    }
}
