//! By how much one number differs from another, how well that is known, and how likely it is chance.

use crate::analysis::metric::Known;
use crate::analysis::permutation;
use crate::result::interval::{quantile, Estimate, Method, CONFIDENCE};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// How p was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Welch's t over iterations.
    Welch,
    /// A permutation test over iterations.
    Permutation,
    /// Welch's t where a rate of one iteration is known from its windows: it does not know how iterations differ.
    Windows,
}

/// The difference of a new value to a base, as shares of the base.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// New ÷ base.
    pub ratio: f64,
    /// New ÷ base − 1.
    pub share: f64,
    /// Lower end of its 95 % interval; absent where it is not known how well the values are known.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// How likely such a difference, or a larger one, is by chance alone.
    pub p: Option<f64>,
    /// The same, corrected for the number of phases (Holm).
    pub p_corrected: Option<f64>,
    /// How p was found.
    pub test: Option<Test>,
    /// Iterations on either side that would tell, from what is known now; absent where it is told, or nothing is known.
    pub iterations_needed: Option<u64>,
}

impl Difference {
    /// Of two values in one of `phases` phases. `None` where the base is not above 0.
    ///
    /// The interval is that of the difference of two means by Welch's t, over the base:
    /// (new − base ± t·√(v₁ + v₂)) ÷ base, with v the variances of the means and
    /// (v₁ + v₂)² ÷ (v₁²/f₁ + v₂²/f₂) degrees of freedom.
    ///
    /// Source: Welch, "The generalization of 'Student's' problem when several different population variances are involved",
    /// Biometrika 34 (1947) 28–35.
    ///
    /// p is the permutation test's where there are values enough: where the smallest p that it can give is small enough for
    /// the strictest step of Holm's correction.
    pub fn of(base: &Known, new: &Known, phases: usize) -> Option<Self> {
        if base.value <= 0.0 {
            return None;
        }
        let ratio = new.value / base.value;
        let mut difference = Difference {
            ratio,
            share: ratio - 1.0,
            low: None,
            high: None,
            p: None,
            p_corrected: None,
            test: None,
            iterations_needed: None,
        };
        let (Some(a), Some(b)) = (base.estimate, new.estimate) else { return Some(difference) };
        // Of latencies the value is that of all iterations together, not their mean: the interval goes round the value.
        let (a, b) = (a.scaled_to(base.value), b.scaled_to(new.value));
        let Some((error, freedom)) = welch(&a, &b) else { return Some(difference) };
        let half = quantile(freedom, CONFIDENCE)? * error / base.value;
        (difference.low, difference.high) = (Some(difference.share - half), Some(difference.share + half));
        difference.p = two_sided((b.mean - a.mean) / error, freedom);
        let of_windows = [a, b].iter().any(|e| e.method == Method::BlockBootstrap);
        difference.test = Some(if of_windows { Test::Windows } else { Test::Welch });
        if 2.0 / permutation::ways(base.values.len(), new.values.len()) <= significant_for(phases) {
            difference.p = permutation::p_value(&base.values, &new.values);
            difference.test = Some(Test::Permutation);
        }
        Some(difference)
    }
}

/// The level that p of the clearest of `phases` phases must reach: Bonferroni's, where Holm begins.
#[allow(clippy::cast_precision_loss)] // phases
fn significant_for(phases: usize) -> f64 {
    (1.0 - CONFIDENCE) / phases.max(1) as f64
}

/// Standard error and degrees of freedom of the difference of two means. `None` where neither varies.
fn welch(a: &Estimate, b: &Estimate) -> Option<(f64, f64)> {
    let (v, w) = (a.variance, b.variance);
    let freedom = (v + w).powi(2) / (v * v / a.freedom + w * w / b.freedom);
    (v + w > 0.0 && freedom.is_finite() && freedom > 0.0).then(|| ((v + w).sqrt(), freedom))
}

fn two_sided(t: f64, freedom: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    t.is_finite().then(|| 2.0 * student.sf(t.abs()))
}

/// Corrects the p of several differences for their number, where they have one: the k-th smallest of m is multiplied by
/// m − k + 1, never to less than the one before, never above 1. Then the chance that any of them is taken for real without
/// being so is at most the level.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979) 65–70.
#[allow(clippy::cast_precision_loss)] // phases
pub fn correct(differences: &mut [&mut Difference]) {
    let mut order: Vec<usize> = (0..differences.len()).filter(|&i| differences[i].p.is_some()).collect();
    order.sort_by(|&i, &j| differences[i].p.unwrap_or(1.0).total_cmp(&differences[j].p.unwrap_or(1.0)));
    let mut least = 0.0f64;
    for (place, &index) in order.iter().enumerate() {
        let p = differences[index].p.unwrap_or(1.0);
        least = least.max((order.len() - place) as f64 * p).min(1.0);
        differences[index].p_corrected = Some(least);
    }
}

/// Iterations more than these are not asked for.
const MOST_ITERATIONS: u64 = 1000;
/// Standard errors that four of five values lie above: the normal distribution's 20th percentile.
const POWER: f64 = 0.8416;

/// Iterations on either side after which a difference like this would be told four times in five: found to be real at the level
/// of the clearest of `phases` phases, or found to lie within `same_within`. `None` where even 1,000 would not do, or the
/// spread is not known. `iterations` are those on either side now.
#[allow(clippy::cast_precision_loss)] // iterations
pub fn iterations_needed(
    (base, new): (&Known, &Known),
    (base_iterations, new_iterations): (usize, usize),
    phases: usize,
    same_within: f64,
) -> Option<u64> {
    let (a, b) = (base.estimate?, new.estimate?);
    let share = (new.value / base.value - 1.0).abs();
    let one = |e: &Estimate, n: usize, value: f64| e.scaled_to(value).variance * n.max(1) as f64;
    let variance =
        (one(&a, base_iterations, base.value) + one(&b, new_iterations, new.value)) / base.value.powi(2);
    let tells = |n: u64| {
        let error = (variance / n as f64).sqrt();
        // Half an interval, and what the difference may turn out to be nearer to the limit.
        let reach = |confidence: f64| {
            quantile(2.0 * (n as f64 - 1.0), confidence).map_or(f64::INFINITY, |t| (t + POWER) * error)
        };
        reach(1.0 - significant_for(phases)) < share || reach(CONFIDENCE) < same_within - share
    };
    // The more iterations, the more is told: the first is found by halving.
    let (mut short, mut enough) = (1, MOST_ITERATIONS);
    if !tells(enough) {
        return None;
    }
    while enough - short > 1 {
        let middle = u64::midpoint(short, enough);
        if tells(middle) {
            enough = middle;
        } else {
            short = middle;
        }
    }
    Some(enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(values: &[f64]) -> Known {
        let value = values.iter().sum::<f64>() / values.len() as f64;
        Known { value, values: values.to_vec(), estimate: Estimate::of_iterations(values) }
    }

    fn close(one: Option<f64>, other: f64) {
        assert!((one.unwrap() - other).abs() < 5e-5, "{one:?} is not {other}");
    }

    #[test]
    fn welchs_test_is_that_of_the_textbooks() {
        // R: t.test(c(30.02, 29.99, 30.11, 29.97, 30.01, 29.99), c(29.89, 29.93, 29.72, 29.98, 30.02, 29.98)):
        // t = 1.9590, df = 7.0306, p = 0.09077, interval −0.01957 … 0.20957.
        let one = known(&[29.89, 29.93, 29.72, 29.98, 30.02, 29.98]);
        let other = known(&[30.02, 29.99, 30.11, 29.97, 30.01, 29.99]);
        let d = Difference::of(&one, &other, 1000).unwrap();
        assert_eq!(d.test, Some(Test::Welch));
        close(d.p, 0.09077);
        close(d.low.map(|low| low * one.value), -0.01957);
        close(d.high.map(|high| high * one.value), 0.20957);
    }

    #[test]
    fn enough_values_are_permuted() {
        let (one, other) = (known(&[1.0, 1.1, 1.2, 1.3]), known(&[2.0, 2.1, 2.2, 2.3]));
        let d = Difference::of(&one, &other, 1).unwrap();
        assert_eq!(d.test, Some(Test::Permutation));
        close(d.p, 2.0 / 70.0);
        assert_eq!(Difference::of(&one, &other, 10).unwrap().test, Some(Test::Welch));
    }

    #[test]
    fn single_values_have_a_ratio_and_no_more() {
        let d = Difference::of(&known(&[100.0]), &known(&[110.0]), 1).unwrap();
        close(Some(d.ratio), 1.1);
        assert_eq!((d.low, d.p, d.test), (None, None, None));
        assert_eq!(Difference::of(&known(&[0.0]), &known(&[1.0]), 1), None);
        let equal = Difference::of(&known(&[5.0, 5.0]), &known(&[5.0, 5.0]), 1).unwrap();
        assert_eq!((equal.share, equal.p), (0.0, None));
    }

    #[test]
    fn holms_correction_is_that_of_the_textbooks() {
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") = 0.03 0.06 0.06 0.02
        let d = |p| Difference { p, ..Difference::of(&known(&[1.0]), &known(&[1.0]), 1).unwrap() };
        let mut all = [d(Some(0.01)), d(Some(0.04)), d(None), d(Some(0.03)), d(Some(0.005))];
        correct(&mut all.iter_mut().collect::<Vec<_>>());
        [0.03, 0.06, 0.06, 0.02]
            .into_iter()
            .zip([0, 1, 3, 4])
            .for_each(|(p, i)| close(all[i].p_corrected, p));
        assert_eq!(all[2].p_corrected, None);
    }

    #[test]
    fn the_iterations_needed_fall_with_the_difference_and_rise_with_the_noise() {
        let needed = |spread: f64, new: f64| {
            let of = |mean: f64| known(&[mean - spread, mean + spread]);
            iterations_needed((&of(100.0), &of(new)), (2, 2), 1, 0.05)
        };
        let (small, large, noisy) = (needed(2.0, 103.0), needed(2.0, 120.0), needed(8.0, 103.0));
        assert!(large < small && small < noisy, "{large:?} {small:?} {noisy:?}");
        assert_eq!(needed(500.0, 100.0), None);
    }
}
