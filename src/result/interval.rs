//! How sure a mean is: 95 % confidence intervals of rates over iterations and over the windows of one phase.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

/// The share of intervals that hold the true mean, over many runs.
pub const CONFIDENCE: f64 = 0.95;
/// Fewer windows than this say too little about how windows hang together.
pub const LEAST_WINDOWS: usize = 20;
/// A block is at most this part of the series, so that there are at least as many blocks: four leave 3 degrees of freedom.
const FEWEST_BLOCKS: usize = 4;
/// Autocorrelation above this is taken for this: closer to 1 the formulas have no finite value.
const MOST_AUTOCORRELATION: f64 = 0.9;

/// A confidence interval of a mean, in the unit of the values (operations per second).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end; never below 0, as a rate is not.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How it was found.
    pub method: Method,
}

/// How an interval was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Student's t over independent values.
    StudentT,
    /// Circular block bootstrap over windows that follow each other.
    BlockBootstrap,
}

/// A mean and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean, in the unit of the values.
    pub mean: f64,
    /// Variance of the mean: the square of its standard error.
    pub variance: f64,
    /// Degrees of freedom that the variance was estimated with.
    pub freedom: f64,
    /// How it was found.
    pub method: Method,
}

impl Estimate {
    /// Over iterations, or `None` for fewer than two: the variance is s²/n, with s the deviation of the sample and n − 1
    /// degrees of freedom.
    ///
    /// Source: Student, "The probable error of a mean", Biometrika 6 (1908) 1–25. Iterations are taken for independent and
    /// about normal.
    pub fn of_iterations(values: &[f64]) -> Option<Self> {
        (values.len() > 1).then(|| {
            Self::of_moments(values.len() as f64, Statistics::mean(values), Statistics::std_dev(values))
        })
    }

    /// The same from the number of iterations, at least 2, their mean and deviation.
    pub fn of_moments(n: f64, mean: f64, std_dev: f64) -> Self {
        Estimate { mean, variance: std_dev * std_dev / n, freedom: n - 1.0, method: Method::StudentT }
    }

    /// Over the windows of one phase, or `None` for fewer than 20 windows.
    ///
    /// Neighbouring windows are alike (caches, journals, a busy server), so that n windows say less than n independent values.
    /// The circular block bootstrap draws whole blocks of b windows from the series joined to a ring. Drawn for ever, the
    /// mean of k = n/b blocks has a variance that can be written down, `block_variance`, so that nothing is drawn at random.
    /// - Blocks: Künsch, "The jackknife and the bootstrap for general stationary observations", Ann. Statist. 17 (1989)
    ///   1217–1241.
    /// - Ring: Politis & Romano, "A circular block-resampling procedure for stationary data", in LePage & Billard (eds),
    ///   Exploring the Limits of Bootstrap, Wiley 1992, 263–270.
    /// - Length: `block_windows`, from `autocorrelation`.
    ///
    /// Two corrections: n/(n − b), since block sums are taken round the sample's own mean (for b = 1 it is the familiar
    /// n/(n − 1)), and `seen_share`, since a block does not see what reaches over its ends. Student's t with k − 1 degrees
    /// of freedom allows for few blocks.
    ///
    /// Windows that swing (a high one follows a low one) are taken for independent: the interval is then too wide.
    pub fn of_windows(rates: &[f64]) -> Option<Self> {
        if rates.len() < LEAST_WINDOWS {
            return None;
        }
        let mean = Statistics::mean(rates);
        let deviations: Vec<f64> = rates.iter().map(|rate| rate - mean).collect();
        let phi = autocorrelation(&deviations);
        let block = block_windows(rates.len(), phi);
        let (n, b) = (rates.len() as f64, block as f64);
        let variance = block_variance(&deviations, block) * n / (n - b) / seen_share(phi, b);
        Some(Estimate { mean, variance, freedom: n / b - 1.0, method: Method::BlockBootstrap })
    }

    /// As well known in proportion, with another mean.
    #[must_use]
    pub fn scaled_to(self, mean: f64) -> Self {
        let factor = if self.mean > 0.0 { mean / self.mean } else { 0.0 };
        Estimate { mean, variance: self.variance * factor * factor, ..self }
    }

    /// The interval round the mean: mean ± t · standard error.
    pub fn interval(&self) -> Option<Interval> {
        let half = quantile(self.freedom, CONFIDENCE)? * self.variance.sqrt();
        Some(Interval { low: (self.mean - half).max(0.0), high: self.mean + half, method: self.method })
    }
}

/// Student's t that a share `confidence` of values lies within, on both sides, with `freedom` degrees of freedom above 0.
pub fn quantile(freedom: f64, confidence: f64) -> Option<f64> {
    Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(f64::midpoint(1.0, confidence)))
}

impl Interval {
    /// The interval of the mean over iterations, or `None` for fewer than two: [`Estimate::of_iterations`].
    pub fn of_iterations(values: &[f64]) -> Option<Self> {
        Estimate::of_iterations(values)?.interval()
    }

    /// The interval of the mean over the windows of one phase, or `None` for fewer than 20: [`Estimate::of_windows`].
    pub fn of_windows(rates: &[f64]) -> Option<Self> {
        Estimate::of_windows(rates)?.interval()
    }

    /// Half the interval's width, as a share of its centre; infinite where the centre is not above 0. It is 1 where the
    /// lower end was raised to 0.
    pub fn relative_half_width(&self) -> f64 {
        let centre = f64::midpoint(self.low, self.high);
        if centre > 0.0 {
            (self.high - self.low) / 2.0 / centre
        } else {
            f64::INFINITY
        }
    }
}

/// How alike neighbouring windows are, φ from 0 (not at all) to 0.9: r = Σ d(i)·d(i+1) / Σ d(i)², with d the deviations from
/// the mean, plus (1 + 3r)/n, since r is too small by that much in short series.
///
/// Source of the correction: Kendall, "Note on bias in the estimation of autocorrelation", Biometrika 41 (1954) 403–404.
fn autocorrelation(deviations: &[f64]) -> f64 {
    let squares: f64 = deviations.iter().map(|d| d * d).sum();
    if squares <= 0.0 {
        return 0.0;
    }
    let r = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / squares;
    (r + (1.0 + 3.0 * r) / deviations.len() as f64).clamp(0.0, MOST_AUTOCORRELATION)
}

/// Windows a block has, of `n`: (√6·φ/(1 − φ²))^(2/3) · n^(1/3) rounded up, from 1 to n/4.
///
/// Source: Carlstein, "The use of subseries values for estimating the variance of a general statistic from a stationary
/// sequence", Ann. Statist. 14 (1986) 1171–1179: least squared error under a first-order autoregression, for blocks side by
/// side.
fn block_windows(n: usize, phi: f64) -> usize {
    let ideal = (6f64.sqrt() * phi / (1.0 - phi * phi)).powf(2.0 / 3.0) * (n as f64).cbrt();
    let most = n / FEWEST_BLOCKS;
    (1..most).find(|b| *b as f64 >= ideal).unwrap_or(most)
}

/// The variance of the bootstrapped mean, all n blocks of `block` windows equally likely: (1/(k·b²)) · (1/n) Σ S(i)², with
/// k = n/b and S(i) the sum of the deviations in the block that begins at i and goes on at the start past the end.
fn block_variance(deviations: &[f64], block: usize) -> f64 {
    let n = deviations.len();
    let mut sum: f64 = deviations[..block].iter().sum();
    let mut squares = 0.0;
    for i in 0..n {
        squares += sum * sum;
        sum += deviations[(i + block) % n] - deviations[i];
    }
    squares / (n * n * block) as f64
}

/// The share of the mean's variance that blocks of `b` windows see: 1 − 2φ(1 − φᵇ) / (b·(1 − φ²)).
///
/// It is the variance of a sum of b values of a first-order autoregression over what b values add to a long sum,
/// b·σ²·(1 + φ)/(1 − φ): the same model that the length of a block rests on (Box & Jenkins, Time Series Analysis, 1970).
fn seen_share(phi: f64, b: f64) -> f64 {
    1.0 - 2.0 * phi * (1.0 - phi.powf(b)) / (b * (1.0 - phi * phi))
}

#[cfg(test)]
mod tests;
