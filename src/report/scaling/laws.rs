//! The Universal Scalability Law of a table, a row a fit, and what it says of the peak.

use super::{point, right, tasks};
use crate::analysis::scaling::usl::{Peak, Usl, LEAST_NUMBERS};
use crate::analysis::scaling::{Fit, Over, Table};
use crate::result::units::{percent, rate};

/// A law whose residuals are larger, as a root of their mean square, does not describe what was measured.
const POOR: f64 = 0.1;

/// The heads of [`rows`].
pub const HEADS: [&str; 8] = ["over", "points", "λ", "σ", "κ", "residuals", "largest", "peak"];

/// A row a fit that there are points enough for.
pub fn rows(table: &Table) -> Vec<Vec<String>> {
    table.fits().iter().filter_map(|fit| Some(row(fit, &fit.law?))).collect()
}

/// The laws of `table`, which is called `name`; a sentence where there are too few points. Nothing for a single point.
pub(super) fn text(name: &str, table: &Table) -> String {
    if table.cells.len() < 2 {
        return String::new();
    }
    let fits = table.fits();
    let laws: Vec<(&Fit, Usl)> = fits.iter().filter_map(|fit| Some((fit, fit.law?))).collect();
    let title = format!("\n{name}, Universal Scalability Law");
    if laws.is_empty() {
        let numbers = fits.iter().map(|fit| fit.numbers).max().unwrap_or_default();
        return match numbers {
            n if n < LEAST_NUMBERS => {
                format!("{title}: {n} different numbers of tasks are too few, {LEAST_NUMBERS} are needed.\n")
            }
            _ => format!("{title}: it does not fit.\n"),
        };
    }
    let mut rows = vec![HEADS.map(String::from).to_vec()];
    rows.extend(laws.iter().map(|(fit, law)| row(fit, law)));
    let mut out = format!("{title}: X(N) = λN / (1 + σ(N−1) + κN(N−1))\n{}", right(&rows));
    if laws.iter().any(|(_, law)| law.rms_residual > POOR) {
        out += &format!(
            "Where residuals are above {} the law does not describe what was measured.\n",
            percent(POOR)
        );
    }
    if laws.iter().any(|(_, law)| matches!(law.peak(), Peak::At { extrapolated: true, .. })) {
        out += "A peak with ~ is extrapolated: it is beyond twice the largest number measured.\n";
    }
    let highest = table.cells.iter().max_by(|a, b| a.whole_rate_per_s.total_cmp(&b.whole_rate_per_s));
    if let Some(best) = highest {
        out +=
            &format!("The highest rate measured is {}, with {}.\n", rate(best.whole_rate_per_s), point(best));
    }
    out
}

fn row(fit: &Fit, law: &Usl) -> Vec<String> {
    let over = match fit.over {
        Over::Tasks => "tasks".to_string(),
        Over::Clients { tasks_per_client } => format!("clients x {}", tasks(tasks_per_client)),
    };
    let signed = if law.largest_residual < 0.0 { "−" } else { "+" };
    vec![
        over,
        law.points.to_string(),
        rate(law.lambda_per_s),
        parameter(law.sigma),
        parameter(law.kappa),
        percent(law.rms_residual),
        format!("{signed}{}", percent(law.largest_residual.abs())),
        peak(law),
    ]
}

fn peak(law: &Usl) -> String {
    match law.peak() {
        Peak::None { limit_per_s: None } => "no peak".to_string(),
        Peak::None { limit_per_s: Some(limit) } => format!("no peak, below {}", rate(limit)),
        Peak::One => "at 1".to_string(),
        Peak::At { n, rate_per_s, extrapolated } => {
            let decimals = usize::from(n < 9.95);
            format!("{}{} at {n:.decimals$}", if extrapolated { "~" } else { "" }, rate(rate_per_s))
        }
    }
}

/// Three significant digits, by powers of ten where it is small.
fn parameter(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v >= 0.001 => format!("{v:.4}"),
        v => format!("{v:.2e}"),
    }
}
