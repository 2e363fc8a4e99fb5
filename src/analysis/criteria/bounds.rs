//! A number of a phase and the bounds on it.

use crate::analysis::metric::Metric;
use crate::result::units;
use serde::Serialize;
use toml::Value;

/// A number of a phase that bounds are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Mean rate, operations per second.
    Rate,
    /// Lower end of the rate's 95 % interval.
    RateLow,
    /// The true rate.
    TrueRate,
    /// Latencies, nanoseconds.
    P50,
    /// 90th percentile.
    P90,
    /// 99th percentile.
    P99,
    /// 99.9th percentile.
    P99_9,
    /// The slowest operation.
    Max,
    /// Failed operations.
    Errors,
    /// Failed operations as a share of those begun.
    ErrorShare,
    /// Longest time of a task over the median, in the worst iteration.
    Imbalance,
    /// Half the width of the rate's 95 % interval, as a share of it.
    Interval,
}

/// What kind of value a measure has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    PerSecond,
    Nanoseconds,
    Count,
    Share,
    Ratio,
}

/// Bounds on a number. A number beyond `min`, `max` or `fair` is not accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bounds {
    /// At least.
    pub min: Option<f64>,
    /// At most.
    pub max: Option<f64>,
    /// From here on it is good: upwards for rates, downwards for all else.
    pub good: Option<f64>,
    /// From here on it is fair, and what is not even that is poor.
    pub fair: Option<f64>,
}

/// How a number stands to its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// Within `good`.
    Good,
    /// Within `fair`.
    Fair,
    /// Within `min` and `max`, where there are no ranges.
    Passed,
    /// Outside `fair`.
    Poor,
    /// Outside `min` or `max`.
    Failed,
    /// Not known: the record does not tell.
    Unknown,
}

impl Grade {
    /// Whether it is accepted.
    pub fn accepted(self) -> bool {
        matches!(self, Grade::Good | Grade::Fair | Grade::Passed)
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Fair => "fair",
            Grade::Passed => "passed",
            Grade::Poor => "poor",
            Grade::Failed => "failed",
            Grade::Unknown => "unknown",
        }
    }
}

impl Measure {
    const ALL: [(&'static str, Measure); 12] = [
        ("rate", Measure::Rate),
        ("rate-low", Measure::RateLow),
        ("true-rate", Measure::TrueRate),
        ("p50", Measure::P50),
        ("p90", Measure::P90),
        ("p99", Measure::P99),
        ("p99.9", Measure::P99_9),
        ("max", Measure::Max),
        ("errors", Measure::Errors),
        ("error-share", Measure::ErrorShare),
        ("imbalance", Measure::Imbalance),
        ("interval", Measure::Interval),
    ];

    /// Its key in the file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, m)| *m == self).map_or("", |(name, _)| name)
    }

    /// What it is of a phase, where it is a number that comparisons know too.
    pub fn metric(self) -> Option<Metric> {
        Metric::NAMES.into_iter().find(|(name, _)| *name == self.name()).map(|(_, metric)| metric)
    }

    fn unit(self) -> Unit {
        match self {
            Measure::Rate | Measure::RateLow | Measure::TrueRate => Unit::PerSecond,
            Measure::P50 | Measure::P90 | Measure::P99 | Measure::P99_9 | Measure::Max => Unit::Nanoseconds,
            Measure::Errors => Unit::Count,
            Measure::ErrorShare | Measure::Interval => Unit::Share,
            Measure::Imbalance => Unit::Ratio,
        }
    }

    /// Whether more is better.
    fn grows(self) -> bool {
        self.unit() == Unit::PerSecond
    }

    /// A value as people read it.
    pub fn shown(self, value: f64) -> String {
        match self.unit() {
            Unit::PerSecond => units::rate(value),
            Unit::Nanoseconds => units::time(value),
            Unit::Count => format!("{value:.0}"),
            Unit::Share if value > 0.0 && value < 0.0005 => format!("{:.4} %", 100.0 * value),
            Unit::Share => units::percent(value),
            Unit::Ratio => format!("×{value:.2}"),
        }
    }

    /// The grade of `value`.
    pub fn grade(self, value: Option<f64>, bounds: &Bounds) -> Grade {
        let Some(value) = value.filter(|v| !v.is_nan()) else { return Grade::Unknown };
        let within = |limit: f64| if self.grows() { value >= limit } else { value <= limit };
        if bounds.min.is_some_and(|min| value < min) || bounds.max.is_some_and(|max| value > max) {
            return Grade::Failed;
        }
        match (bounds.good.map(within), bounds.fair.map(within)) {
            (Some(true), _) => Grade::Good,
            (_, Some(true)) => Grade::Fair,
            (_, Some(false)) => Grade::Poor,
            // Beyond good, and nothing says from where on it is poor: min and max did not mind.
            (Some(false), None) => Grade::Fair,
            (None, None) => Grade::Passed,
        }
    }

    /// The bounds as people read them.
    pub fn wanted(self, bounds: &Bounds) -> String {
        let sign = if self.grows() { "≥" } else { "≤" };
        let part = |words: &str, limit: Option<f64>| limit.map(|v| format!("{words} {}", self.shown(v)));
        let parts = [
            part("≥", bounds.min),
            part("≤", bounds.max),
            part(&format!("good {sign}"), bounds.good),
            part(&format!("fair {sign}"), bounds.fair),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn parse_value(self, value: &Value) -> Result<f64, String> {
        match (self.unit(), value) {
            (Unit::Nanoseconds, Value::String(text)) => time_ns(text),
            (Unit::Nanoseconds, _) => None,
            (Unit::Share, Value::String(text)) => {
                text.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok()).map(|n| n / 100.0)
            }
            (Unit::Share, _) | (_, Value::String(_)) => None,
            (_, value) => number(value),
        }
        .filter(|v| v.is_finite() && *v >= 0.0)
        .ok_or_else(|| format!("'{}' is not allowed: allowed is {}", plain(value), self.allowed()))
    }

    fn allowed(self) -> &'static str {
        match self.unit() {
            Unit::PerSecond => "a number of operations per second, such as 12000",
            Unit::Nanoseconds => "a time with its unit, such as \"5ms\", \"800us\", \"1.5s\" or \"300ns\"",
            Unit::Count => "a number, 0 or more",
            Unit::Share => "a percentage, such as \"5%\"",
            Unit::Ratio => "a ratio, such as 1.5",
        }
    }
}

impl Bounds {
    /// The bounds of a key: `rate = 100` (at least; of all but rates at most) or `{ min, max, good, fair }`.
    ///
    /// # Errors
    /// What is allowed.
    pub fn parse(key: &str, value: &Value) -> Result<(Measure, Bounds), String> {
        let names = Measure::ALL.map(|(name, _)| name).join(", ");
        let (_, measure) = Measure::ALL
            .into_iter()
            .find(|(name, _)| *name == key)
            .ok_or_else(|| format!("it is not known: allowed are {names}"))?;
        let mut bounds = Bounds::default();
        let Value::Table(table) = value else {
            let limit = Some(measure.parse_value(value)?);
            return Ok((
                measure,
                if measure.grows() {
                    Bounds { min: limit, ..bounds }
                } else {
                    Bounds { max: limit, ..bounds }
                },
            ));
        };
        for (name, value) in table {
            let limit = Some(measure.parse_value(value).map_err(|e| format!("{name} = {e}"))?);
            match name.as_str() {
                "min" => bounds.min = limit,
                "max" => bounds.max = limit,
                "good" => bounds.good = limit,
                "fair" => bounds.fair = limit,
                _ => return Err(format!("{name} is not known: allowed are min, max, good, fair")),
            }
        }
        bounds.check(measure)?;
        Ok((measure, bounds))
    }

    fn check(&self, measure: Measure) -> Result<(), String> {
        if *self == Bounds::default() {
            return Err("there is no bound: allowed are min, max, good, fair".to_string());
        }
        if self.min.zip(self.max).is_some_and(|(min, max)| min > max) {
            return Err("min is above max: nothing is allowed".to_string());
        }
        let wrong = |(good, fair): (f64, f64)| if measure.grows() { good < fair } else { good > fair };
        if self.good.zip(self.fair).is_some_and(wrong) {
            return Err(if measure.grows() {
                "good is below fair: allowed is good at or above fair".to_string()
            } else {
                "good is above fair: allowed is good at or below fair".to_string()
            });
        }
        Ok(())
    }

    /// Of a count of tasks, nodes or iterations: `12`, exactly, or `{ min, max }`.
    ///
    /// # Errors
    /// What is allowed.
    pub fn of_count(value: &Value) -> Result<Bounds, String> {
        let count = |value: &Value| {
            number(value).filter(|n| *n >= 0.0 && n.fract() == 0.0).ok_or_else(|| {
                format!("'{}' is not allowed: allowed is a number such as 12, or {{ min = 3 }}", plain(value))
            })
        };
        let Value::Table(table) = value else {
            let exactly = Some(count(value)?);
            return Ok(Bounds { min: exactly, max: exactly, ..Bounds::default() });
        };
        let mut bounds = Bounds::default();
        for (name, value) in table {
            match name.as_str() {
                "min" => bounds.min = Some(count(value)?),
                "max" => bounds.max = Some(count(value)?),
                _ => return Err(format!("{name} is not known: allowed are min, max")),
            }
        }
        bounds.check(Measure::Errors).map(|()| bounds)
    }
}

#[allow(clippy::cast_precision_loss)] // a bound
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(n) => Some(*n),
        _ => None,
    }
}

/// `5ms` in nanoseconds.
fn time_ns(text: &str) -> Option<f64> {
    let text = text.trim();
    let units = [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    units.into_iter().find_map(|(unit, ns)| Some(text.strip_suffix(unit)?.trim().parse::<f64>().ok()? * ns))
}

/// What stands in the file, on one line.
fn plain(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(line: &str) -> Result<(Measure, Bounds), String> {
        let table: toml::Table = line.parse().unwrap();
        let (key, value) = table.iter().next().unwrap();
        Bounds::parse(key, value)
    }

    #[test]
    fn a_value_alone_is_the_limit_on_the_bad_side() {
        assert_eq!(bounds("rate = 100").unwrap().1.min, Some(100.0));
        assert_eq!(bounds("p99 = \"1.5 ms\"").unwrap().1.max, Some(1.5e6));
        assert_eq!(bounds("interval = \"5%\"").unwrap().1.max, Some(0.05));
        assert_eq!(bounds("\"p99.9\" = \"2s\"").unwrap().0, Measure::P99_9);
    }

    #[test]
    fn ranges_grade() {
        let (measure, b) = bounds("rate = { good = 100, fair = 50 }").unwrap();
        let grades = [120.0, 100.0, 70.0, 20.0].map(|v| measure.grade(Some(v), &b));
        assert_eq!(grades, [Grade::Good, Grade::Good, Grade::Fair, Grade::Poor]);
        let (measure, b) = bounds("p99 = { good = \"1ms\", fair = \"2ms\", max = \"10ms\" }").unwrap();
        let grades = [0.5e6, 1.5e6, 5e6, 11e6].map(|v| measure.grade(Some(v), &b));
        assert_eq!(grades, [Grade::Good, Grade::Fair, Grade::Poor, Grade::Failed]);
        assert_eq!(measure.grade(None, &b), Grade::Unknown);
        assert_eq!(measure.wanted(&b), "≤ 10.0 ms, good ≤ 1.00 ms, fair ≤ 2.00 ms");
        let (measure, b) = bounds("rate = { min = 10, max = 90 }").unwrap();
        assert_eq!([5.0, 50.0, 95.0].map(|v| measure.grade(Some(v), &b).accepted()), [false, true, false]);
    }

    #[test]
    fn odd_bounds_are_refused() {
        for line in [
            "rate = {}",
            "rate = { min = 5, max = 4 }",
            "rate = { good = 1, fair = 2 }",
            "p50 = { good = \"2ms\", fair = \"1ms\" }",
            "p50 = 5",
            "p50 = \"5\"",
            "rate = -1",
            "rate = nan",
            "rate = \"5k\"",
            "errors = \"0\"",
            "interval = 5",
            "rate = { least = 1 }",
            "speed = 1",
        ] {
            assert!(bounds(line).is_err(), "{line}");
        }
    }
}
