//! Conditions on comparisons: `file-create.rate < -5%`.

use crate::analysis::comparison::{Cell, Comparison};
use crate::analysis::difference::Difference;
use crate::namespace::phase::Phase;
use serde::Serialize;

/// A condition, as it was typed and as it is meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As typed.
    pub text: String,
    /// The phase; any where none.
    phase: Option<Phase>,
    asks: Asks,
}

#[derive(Clone, Debug, PartialEq)]
enum Asks {
    /// Whether a difference lies beyond a share of the base.
    Difference { of: Number, end: End, relation: Relation, share: f64 },
    /// Whether the verdict is this word.
    Verdict(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Rate,
    TrueRate,
    P50,
    P99,
}

/// Of an interval, or the middle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Low,
    Middle,
    High,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Relation {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// What came of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The condition as typed.
    pub condition: String,
    /// Where it is met, or cannot be judged: a line for each phase and record. Empty where it is nowhere met.
    pub met: Vec<String>,
}

const ALLOWED: &str =
    "allowed is PHASE.METRIC OP VALUE%, such as file-create.rate < -5%, or PHASE.verdict = slower";
const VERDICTS: [&str; 4] = ["faster", "slower", "same", "noisy"];

impl Condition {
    /// From what was typed.
    ///
    /// # Errors
    /// What is allowed, where it is something else.
    pub fn parse(text: &str) -> Result<Self, String> {
        let place = text.find(['<', '>', '=']).ok_or(ALLOWED)?;
        let (left, right) = text.split_at(place);
        let signs = right.len() - right.trim_start_matches(['<', '>', '=']).len();
        let (sign, value) = right.split_at(signs);
        let (phase, metric) = left.trim().split_once('.').ok_or(ALLOWED)?;
        let phase = phase_named(phase)?;
        let asks = if metric == "verdict" {
            let word = VERDICTS.into_iter().find(|word| *word == value.trim());
            let word = word.ok_or_else(|| format!("allowed verdicts are {}", VERDICTS.join(", ")))?;
            if !["=", "=="].contains(&sign) {
                return Err("a verdict is asked for by =".to_string());
            }
            Asks::Verdict(word)
        } else {
            let (of, end) = number_named(metric)?;
            Asks::Difference { of, end, relation: relation(sign)?, share: share(value)? }
        };
        Ok(Condition { text: text.trim().to_string(), phase, asks })
    }

    /// Looks at every record of `comparisons` but the first of each.
    pub fn try_on(&self, comparisons: &[Comparison]) -> Tried {
        let met: Vec<String> = comparisons.iter().flat_map(|c| self.met_in(c)).collect();
        Tried { condition: self.text.clone(), met }
    }

    fn met_in(&self, comparison: &Comparison) -> Vec<String> {
        let mut met = Vec::new();
        for (column, heading) in comparison.columns.iter().enumerate().skip(1) {
            let rows = comparison.rows.iter().filter(|row| self.phase.is_none_or(|phase| phase == row.phase));
            // Of any phase only those are looked at that both did.
            let rows: Vec<_> =
                rows.filter(|row| self.phase.is_some() || row.cells[column].rate.is_some()).collect();
            if rows.is_empty() {
                let phase = self.phase.map_or("no phase", Phase::id);
                met.push(format!(
                    "{}: cannot be judged, since both records did {phase} nowhere",
                    heading.name
                ));
            }
            for row in rows {
                if let Some(what) = self.met_by(&row.cells[column]) {
                    met.push(format!("{}: {} {what}", heading.name, row.phase.id()));
                }
            }
        }
        met
    }

    /// What meets the condition in a cell, in words.
    fn met_by(&self, cell: &Cell) -> Option<String> {
        match &self.asks {
            Asks::Verdict(word) => match cell.verdict {
                None => Some("cannot be judged: it is not in both records".to_string()),
                Some(verdict) if verdict.word() == "single" => {
                    Some("cannot be judged: single values have no verdict".to_string())
                }
                Some(verdict) => (verdict.word() == *word).then(|| format!("is {}", verdict.words())),
            },
            Asks::Difference { of, end, relation, share } => {
                let found = of.in_cell(cell).and_then(|difference| end.of(difference));
                let Some(found) = found else {
                    return Some("cannot be judged: the difference is not known".to_string());
                };
                let holds = match relation {
                    Relation::Below => found < *share,
                    Relation::AtMost => found <= *share,
                    Relation::Above => found > *share,
                    Relation::AtLeast => found >= *share,
                };
                holds.then(|| format!("is at {:+.1} %", 100.0 * found))
            }
        }
    }
}

impl Number {
    fn in_cell(self, cell: &Cell) -> Option<&Difference> {
        match self {
            Number::Rate => cell.rate.as_ref(),
            Number::TrueRate => cell.true_rate.as_ref(),
            Number::P50 => cell.p50.as_ref(),
            Number::P99 => cell.p99.as_ref(),
        }
    }
}

impl End {
    fn of(self, difference: &Difference) -> Option<f64> {
        match self {
            End::Low => difference.low,
            End::Middle => Some(difference.share),
            End::High => difference.high,
        }
    }
}

/// The phase that `name` is the record's name of, or a short form of it; `None` for any.
///
/// # Errors
/// What is allowed.
pub fn phase_named(name: &str) -> Result<Option<Phase>, String> {
    let full = name.strip_prefix("dir-").map_or(name.to_string(), |rest| format!("directory-{rest}"));
    if full == "any" {
        return Ok(None);
    }
    let found = Phase::ALL.into_iter().find(|phase| phase.id() == full);
    found.map(Some).ok_or_else(|| {
        format!(
            "the phase '{name}' is not known: allowed are {} and any",
            Phase::ALL.map(Phase::id).join(", ")
        )
    })
}

fn number_named(metric: &str) -> Result<(Number, End), String> {
    let (name, end) = match metric.rsplit_once('.') {
        Some((name, "low")) => (name, End::Low),
        Some((name, "high")) => (name, End::High),
        _ => (metric, End::Middle),
    };
    let number = match name {
        "rate" => Number::Rate,
        "true-rate" => Number::TrueRate,
        "p50" => Number::P50,
        "p99" => Number::P99,
        _ => {
            return Err(format!(
                "'{metric}' is not known: allowed are rate, true-rate, p50 and p99, with .low or .high behind them, and verdict"
            ))
        }
    };
    Ok((number, end))
}

fn relation(sign: &str) -> Result<Relation, String> {
    match sign {
        "<" => Ok(Relation::Below),
        "<=" => Ok(Relation::AtMost),
        ">" => Ok(Relation::Above),
        ">=" => Ok(Relation::AtLeast),
        _ => Err(format!("'{sign}' is not known: allowed are <, <=, > and >=")),
    }
}

/// `-5%` is −0.05.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').map(str::trim_end);
    let value = number.and_then(|n| n.parse::<f64>().ok()).filter(|n| n.is_finite());
    value
        .map(|n| n / 100.0)
        .ok_or_else(|| format!("'{}' is no percentage: allowed is one such as -5%", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::{compare, made_up::record, Terms};
    use proptest::prelude::*;

    fn met(base: &[f64], new: &[f64], condition: &str) -> Vec<String> {
        let records = [
            record("old", &[(Phase::FileCreate, base), (Phase::FileStat, &[1.0])]),
            record("new", &[(Phase::FileCreate, new), (Phase::FileStat, &[1.0])]),
        ];
        let all = compare(&records.each_ref(), &Terms { force: false, same_within: 0.05 }).unwrap();
        Condition::parse(condition).unwrap().try_on(&all).met
    }

    #[test]
    fn a_condition_is_met_where_the_difference_is() {
        for (condition, count) in [
            ("file-create.rate < -5%", 1),
            (" file-create.rate<-5 % ", 1),
            ("file-create.rate < -20%", 0),
            ("file-create.rate >= -10%", 1),
            ("any.rate < -5%", 1),
            ("any.rate <= 0%", 2),
            ("file-create.rate.high < -5%", 1),
            ("file-create.rate.low < -11%", 0),
            ("file-create.verdict = slower", 1),
            ("file-create.verdict == faster", 0),
        ] {
            let found = met(&[100.0, 100.1, 99.9], &[90.0, 90.1, 89.9], condition);
            assert_eq!(found.len(), count, "{condition}: {found:?}");
        }
    }

    #[test]
    fn what_cannot_be_judged_is_met() {
        for condition in [
            "file-create.rate.low < -5%",
            "file-create.p99 > 5%",
            "file-create.verdict = slower",
            "dir-stat.rate < 0%",
        ] {
            let found = met(&[100.0], &[100.0], condition);
            let single = condition.contains("verdict");
            assert!(
                single == found.is_empty() || found[0].contains("cannot be judged"),
                "{condition}: {found:?}"
            );
        }
        assert_eq!(met(&[100.0], &[50.0], "file-create.verdict = slower").len(), 1);
    }

    #[test]
    fn odd_conditions_are_refused_with_what_is_allowed() {
        for text in
            ["", "x", "file-create.rate", "file-create < 5%", "file.rate < 5%", "file-create.rate < 5"]
                .into_iter()
                .chain([
                    "file-create.rate =< 5%",
                    "file-create.rate < NaN%",
                    "any.verdict = bad",
                    "any.verdict < same",
                ])
        {
            let error = Condition::parse(text).unwrap_err();
            assert!(error.contains("allowed") || error.contains('='), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_condition_panics(text in ".{0,40}", tail in "[a-z.<>=% 0-9-]{0,30}") {
            let _ = Condition::parse(&text);
            let _ = Condition::parse(&format!("any.{tail}"));
        }
    }
}
