//! The course of a phase in time: where the level of its rate changes, and what the changes mean.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The course of fewer windows than this is not told.
pub const LEAST_WINDOWS: usize = 64;
/// Levels that differ by no more than this share of the larger one are one level.
pub const SAME_LEVEL: f64 = 0.10;
/// A level below this share of the steady one is a dip.
pub const DIP: f64 = 0.80;
/// What a further segment costs, in variances of the noise times ln n: see [`segments`].
const PENALTY: f64 = 3.0;
/// How alike neighbouring windows are taken to be before it is known: rather too much than too little.
const FIRST_AUTOCORRELATION: f64 = 0.7;

/// What a phase did over its windows. The windows are numbered from 0, all of one length of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// What came before the steady part, slower (cold caches) or faster (a cache that fills); none where it began steady.
    pub warm_up: Option<Level>,
    /// The steady part, from the warm-up's end to the last window. Its mean is the steady level, dips left out.
    pub steady: Level,
    /// Windows in the steady part whose segment is at the steady level; few of many mean that nothing was steady.
    pub at_level_windows: u64,
    /// Where the steady part fell below 80 % of its level, in order. One that reaches the last window did not recover.
    pub dips: Vec<Level>,
}

/// A run of windows and its level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The first of them.
    pub first_window: u64,
    /// How many.
    pub windows: u64,
    /// Their mean, in the unit of the values (operations per second).
    pub mean: f64,
}

impl Level {
    fn of(values: &[f64], windows: &Range<usize>) -> Self {
        Level {
            first_window: windows.start as u64,
            windows: windows.len() as u64,
            mean: mean(&values[windows.clone()]),
        }
    }
}

impl Course {
    /// Windows before the steady part; 0 where there is no warm-up.
    pub fn warm_up_windows(&self) -> u64 {
        self.steady.first_window
    }
}

/// The course of a phase whose windows had the rates `values`, or `None` below 64 windows.
///
/// The steady level is the median of the segments' levels, each counted once a window, then the mean of all windows in
/// segments within 10 % of it. The warm-up are the segments at the start that differ from it by more than 10 %, as far as
/// they end in the first half and none falls below 80 % behind one that did not: that is a stall. Dips are segments after it below 80 %; neighbouring ones are one dip.
pub fn course(values: &[f64]) -> Option<Course> {
    if values.len() < LEAST_WINDOWS {
        return None;
    }
    let segments = segments(values);
    let level = steady_level(values, &segments);
    let steady = |segment: &Range<usize>| difference(mean(&values[segment.clone()]), level) <= SAME_LEVEL;
    let dips_at = |segment: &Range<usize>| mean(&values[segment.clone()]) < DIP * level;
    let stalls = |index: usize| index > 0 && dips_at(&segments[index]) && !dips_at(&segments[index - 1]);
    let warms =
        |(index, s): &(usize, &Range<usize>)| s.end <= values.len() / 2 && !steady(s) && !stalls(*index);
    let warm = segments.iter().enumerate().take_while(warms).count();
    let first = segments[..warm].last().map_or(0, |s| s.end);
    let mut dips: Vec<Range<usize>> = Vec::new();
    for segment in segments[warm..].iter().filter(|s| dips_at(s)) {
        match dips.last_mut() {
            Some(dip) if dip.end == segment.start => dip.end = segment.end,
            _ => dips.push(segment.clone()),
        }
    }
    Some(Course {
        warm_up: (first > 0).then(|| Level::of(values, &(0..first))),
        steady: Level { mean: level, ..Level::of(values, &(first..values.len())) },
        at_level_windows: segments[warm..].iter().filter(|s| steady(s)).map(|s| s.len() as u64).sum(),
        dips: dips.iter().map(|dip| Level::of(values, dip)).collect(),
    })
}

/// The level that most of the time is spent at: see [`course`].
fn steady_level(values: &[f64], segments: &[Range<usize>]) -> f64 {
    let mut levels: Vec<f64> =
        segments.iter().flat_map(|s| std::iter::repeat_n(mean(&values[s.clone()]), s.len())).collect();
    let middle = median(&mut levels);
    // Levels stand in order now, the middle is among those that are near it.
    let near = |s: &&Range<usize>| difference(mean(&values[(*s).clone()]), middle) <= SAME_LEVEL;
    let windows: Vec<f64> = segments.iter().filter(near).flat_map(|s| &values[s.clone()]).copied().collect();
    mean(&windows)
}

/// Where the level of `values` changes: segments in order which together cover `0..values.len()`.
///
/// Optimal partitioning: of all ways to cut the series, the one with the least Σ cost(segment) + penalty · segments, found
/// exactly in n²/2 steps.
/// - Jackson et al., "An algorithm for optimal partitioning of data on an interval", IEEE Signal Process. Lett. 12 (2005)
///   105–108. PELT prunes the same search: Killick, Fearnhead & Eckley, J. Am. Stat. Assoc. 107 (2012) 1590–1598.
/// - The cost is the squared error of a segment round its level, its noise a first-order autoregression: `Sums::cost`. So
///   slow noise is not taken for changes of level.
/// - The penalty is 3 · σ² · ln n, with σ² the variance of what is new in each window's noise. Yao, "Estimating the number
///   of change-points via Schwarz' criterion", Stat. Probab. Lett. 6 (1988) 181–189, has the form. The factor 3 is set by
///   simulation: no more than 2 of 100 series without a change may show one.
///
/// Autocorrelation and noise are not known without the segments: the first search takes φ = 0.7, the second what the first
/// one's segments show. Then neighbours whose levels differ by no more than 10 % are merged, the most alike first.
///
/// A segment may be a single window: a stall to zero of one window in 500 is found where it stands out of the noise (at
/// 256 windows, by 5.8 deviations).
pub fn segments(values: &[f64]) -> Vec<Range<usize>> {
    let spread = difference_variance(values);
    if spread <= 0.0 {
        return std::iter::once(0..values.len()).filter(|all| !all.is_empty()).collect();
    }
    let penalty = |variance: f64| PENALTY * variance * (values.len() as f64).ln();
    let first = Sums::of(values, FIRST_AUTOCORRELATION);
    let rough = partition(&first, penalty(spread * (1.0 + FIRST_AUTOCORRELATION)));
    let phi = autocorrelation(values, &rough).min(FIRST_AUTOCORRELATION);
    let sums = Sums::of(values, phi);
    let rest: f64 =
        rough.iter().map(|s| sums.cost(s)).sum::<f64>() / (values.len() - rough.len()).max(1) as f64;
    merged(values, partition(&sums, penalty(rest.max(spread * (1.0 + phi)))))
}

/// Half the variance of the step from a window to the next, which changes of level hardly touch: s²/2, with s = 1.4826 times
/// the median of |v(i+1) − v(i)|. For a first-order autoregression of variance σ² it is σ²(1 − φ), and (1 + φ) times as much
/// is the variance of what is new in each window.
///
/// Sources: von Neumann et al., "The mean square successive difference", Ann. Math. Stat. 12 (1941) 153–162; Hampel, "The
/// influence curve and its role in robust estimation", J. Am. Stat. Assoc. 69 (1974) 383–393. Where more than half of the
/// steps are 0, s² is their mean square instead.
fn difference_variance(values: &[f64]) -> f64 {
    let mut steps: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let middle = median(&mut steps);
    if middle > 0.0 {
        (1.4826 * middle).powi(2) / 2.0
    } else {
        mean(&steps.iter().map(|step| step * step).collect::<Vec<_>>()) / 2.0
    }
}

/// How alike neighbouring windows of a segment are, 0 to 1: the autocorrelation r of what segments leave, with Kendall's
/// correction (1954) for each segment's own mean, (1 + 3r) · segments / n.
fn autocorrelation(values: &[f64], segments: &[Range<usize>]) -> f64 {
    let (mut squares, mut products) = (0.0, 0.0);
    for segment in segments {
        let level = mean(&values[segment.clone()]);
        let rest: Vec<f64> = values[segment.clone()].iter().map(|value| value - level).collect();
        squares += rest.iter().map(|d| d * d).sum::<f64>();
        products += rest.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
    }
    let r = if squares > 0.0 { products / squares } else { 0.0 };
    (r + (1.0 + 3.0 * r) * segments.len() as f64 / values.len() as f64).clamp(0.0, 1.0)
}

/// Running sums, so that the cost of any segment takes a few steps.
struct Sums {
    /// Autocorrelation of the noise.
    phi: f64,
    /// The values less their median, so that little is lost in the sums.
    centred: Vec<f64>,
    /// Sums of the first 0, 1, 2, … of them,
    plain: Vec<f64>,
    /// of their squares,
    squares: Vec<f64>,
    /// and of their products with the one before.
    products: Vec<f64>,
}

impl Sums {
    fn of(values: &[f64], phi: f64) -> Self {
        let origin = median(&mut values.to_vec());
        let centred: Vec<f64> = values.iter().map(|value| value - origin).collect();
        let running = |terms: &mut dyn Iterator<Item = f64>| {
            let mut sums = vec![0.0];
            sums.extend(terms.scan(0.0, |sum, term| {
                *sum += term;
                Some(*sum)
            }));
            sums
        };
        let before = std::iter::once(&0.0).chain(&centred);
        Sums {
            phi,
            plain: running(&mut centred.iter().copied()),
            squares: running(&mut centred.iter().map(|y| y * y)),
            products: running(&mut centred.iter().zip(before).map(|(y, before)| y * before)),
            centred,
        }
    }

    /// The least squared error of a segment y(1) … y(m) round a level μ, over all μ:
    /// (1 − φ²)(y(1) − μ)² + Σ (y(i) − μ − φ(y(i−1) − μ))², which is A − 2Bμ + Cμ² and least at μ = B/C.
    ///
    /// Source: the likelihood of a Gaussian first-order autoregression that begins anew in each segment, as in Davis, Lee &
    /// Rodriguez-Yam, "Structural break estimation for nonstationary time series models", J. Am. Stat. Assoc. 101 (2006)
    /// 223–239. With φ = 0 it is the squared error round the mean.
    fn cost(&self, segment: &Range<usize>) -> f64 {
        let Range { start, end } = *segment;
        let (phi, first, lead) = (self.phi, self.centred[start], 1.0 - self.phi * self.phi);
        let over = |sums: &[f64], start: usize, end: usize| sums[end] - sums[start];
        let a = lead * first * first + over(&self.squares, start + 1, end)
            - 2.0 * phi * over(&self.products, start + 1, end)
            + phi * phi * over(&self.squares, start, end - 1);
        let b = lead * first
            + (1.0 - phi) * (over(&self.plain, start + 1, end) - phi * over(&self.plain, start, end - 1));
        let c = lead + (end - start - 1) as f64 * (1.0 - phi).powi(2);
        a - b * b / c
    }
}

/// The cut into segments with the least cost, where each segment costs the `penalty` besides.
fn partition(sums: &Sums, penalty: f64) -> Vec<Range<usize>> {
    let n = sums.centred.len();
    // For each end: the least cost of all windows before it, and where its last segment starts.
    let mut best = vec![(0.0, 0)];
    for end in 1..=n {
        let mut least = (f64::INFINITY, 0);
        for (start, (before, _)) in best.iter().enumerate() {
            let cost = before + sums.cost(&(start..end)) + penalty;
            if cost < least.0 {
                least = (cost, start);
            }
        }
        best.push(least);
    }
    let mut segments = Vec::new();
    let mut end = n;
    while end > 0 {
        let start = best[end].1;
        segments.push(start..end);
        end = start;
    }
    segments.reverse();
    segments
}

/// `segments`, of which those side by side that are at one level are made one, the most alike first.
fn merged(values: &[f64], mut segments: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let apart =
        |pair: &[Range<usize>]| difference(mean(&values[pair[0].clone()]), mean(&values[pair[1].clone()]));
    loop {
        let nearest = segments.windows(2).map(apart).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        match nearest {
            Some((i, difference)) if difference <= SAME_LEVEL => {
                segments[i].end = segments[i + 1].end;
                segments.remove(i + 1);
            }
            _ => return segments,
        }
    }
}

/// How far two levels differ, as a share of the larger one.
fn difference(a: f64, b: f64) -> f64 {
    let larger = a.abs().max(b.abs());
    if larger > 0.0 {
        (a - b).abs() / larger
    } else {
        0.0
    }
}

/// The mean; 0 where there are no values.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The median, the upper one of two; 0 where there are no values. Puts the values in order.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests;
