//! A difference in words.

use crate::analysis::difference::Difference;
use crate::result::interval::CONFIDENCE;
use crate::result::units::percent;
use serde::Serialize;

/// What a difference comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// The rate is higher, hardly by chance.
    Faster {
        /// By so much of the base.
        by: f64,
    },
    /// The rate is lower, hardly by chance.
    Slower {
        /// By so much of the base.
        by: f64,
    },
    /// The difference, whether there is one or not, is small.
    Same {
        /// At most so much of the base, with 95 % confidence.
        within: f64,
    },
    /// It may be none, and it may be one that matters.
    Noisy {
        /// Half the width of its interval.
        half_width: f64,
        /// Iterations on either side that would tell.
        iterations_needed: Option<u64>,
    },
    /// How well the rates are known is not known: single values.
    Single,
}

impl Verdict {
    /// On `difference`; what lies within `same_within` (a share of the base) with 95 % confidence is the same, however well
    /// it is known.
    pub fn of(difference: &Difference, same_within: f64) -> Self {
        let (Some(low), Some(high)) = (difference.low, difference.high) else {
            // Without any spread on either side, equal is equal.
            return if difference.share == 0.0 { Verdict::Same { within: 0.0 } } else { Verdict::Single };
        };
        let within = low.abs().max(high.abs());
        let real = difference.p_corrected.or(difference.p).is_some_and(|p| p < 1.0 - CONFIDENCE);
        match (within <= same_within, real, difference.share > 0.0) {
            (true, ..) => Verdict::Same { within },
            (false, true, true) => Verdict::Faster { by: difference.share },
            (false, true, false) => Verdict::Slower { by: -difference.share },
            (false, false, _) => Verdict::Noisy {
                half_width: (high - low) / 2.0,
                iterations_needed: difference.iterations_needed,
            },
        }
    }

    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Faster { .. } => "faster",
            Verdict::Slower { .. } => "slower",
            Verdict::Same { .. } => "same",
            Verdict::Noisy { .. } => "noisy",
            Verdict::Single => "single",
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Verdict::Faster { by } => format!("faster by {}", percent(*by)),
            Verdict::Slower { by } => format!("slower by {}", percent(*by)),
            Verdict::Same { within } if *within == 0.0 => "the same".to_string(),
            Verdict::Same { within } => format!("same within {}", percent(*within)),
            Verdict::Noisy { iterations_needed: Some(n), .. } => {
                format!("too noisy to tell: {n} iterations would")
            }
            Verdict::Noisy { half_width, iterations_needed: None } => {
                format!("too noisy to tell (± {})", percent(*half_width))
            }
            Verdict::Single => "one value each: repeat (-i 5) to tell".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(share: f64, ends: Option<(f64, f64)>, p: f64) -> Verdict {
        let difference = Difference {
            ratio: 1.0 + share,
            share,
            low: ends.map(|e| e.0),
            high: ends.map(|e| e.1),
            p: ends.map(|_| p),
            p_corrected: ends.map(|_| p),
            test: None,
            iterations_needed: Some(9),
        };
        Verdict::of(&difference, 0.05)
    }

    #[test]
    fn the_verdict_is_words() {
        for (share, ends, p, words) in [
            (0.12, Some((0.08, 0.16)), 0.001, "faster by 12 %"),
            (-0.12, Some((-0.16, -0.08)), 0.001, "slower by 12 %"),
            (0.01, Some((-0.02, 0.04)), 0.4, "same within 4.0 %"),
            (0.01, Some((0.005, 0.015)), 0.001, "same within 1.5 %"),
            (0.03, Some((-0.05, 0.11)), 0.4, "too noisy to tell: 9 iterations would"),
            (0.12, Some((0.01, 0.23)), 0.06, "too noisy to tell: 9 iterations would"),
            (0.12, None, 0.0, "one value each: repeat (-i 5) to tell"),
            (0.0, None, 0.0, "the same"),
        ] {
            assert_eq!(verdict(share, ends, p).words(), words);
        }
    }
}
