//! Rates that are not known well.

use super::{item_phases, About, Finding};
use crate::result::interval::Method;
use crate::result::record::TaskCount;
use crate::result::units::{percent, rate};

/// Told from this half width of the interval on, as a share of the mean.
const WIDE: f64 = 0.2;

/// The phase whose interval is widest, where that is wide.
pub fn findings(result: &TaskCount) -> Option<Finding> {
    let wide = item_phases(result).filter_map(|phase| {
        let summary = result.of(phase)?.true_rate_per_s;
        let interval = summary.interval.filter(|_| summary.min > 0.0)?;
        (interval.method == Method::StudentT).then(|| (phase, summary.mean, interval.relative_half_width()))
    });
    let (phase, mean, width) = wide.filter(|(.., w)| *w >= WIDE).max_by(|a, b| a.2.total_cmp(&b.2))?;
    let text = format!(
        "{} is known only to ± {} after {} iterations (mean {}): --until-ci repeats until it is known better",
        phase.label(),
        percent(width.min(9.99)),
        result.iterations.len(),
        rate(mean)
    );
    Some(Finding { about: About::Spread, phase, weight: 0.3 * width.min(1.0), text })
}
