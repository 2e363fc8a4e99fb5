//! What the numbers of a run come to, in sentences, the weightiest first.

mod caches;
mod course;
mod slow;
mod spread;

use crate::namespace::phase::Phase;
use crate::result::outcome::{PhaseOutcome, Spread};
use crate::result::record::TaskCount;
use serde::Serialize;

/// Of phases that are over sooner nothing is said that rests on how tasks compare, seconds: on a busy node a task may
/// wait so long for a processor.
const LASTING_S: f64 = 0.05;

/// A sentence about a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What it is about.
    pub about: About,
    /// The phase, or the one where it shows most.
    pub phase: Phase,
    /// How much it matters: about the share of the rate or of the trust in it that is at stake, 0 … 1.
    pub weight: f64,
    /// The sentence.
    pub text: String,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// A node that is slower than others.
    SlowNode,
    /// Tasks that are slower than others.
    SlowTasks,
    /// Time in which only some tasks were working.
    Tail,
    /// Operations that a client's cache answered.
    Cache,
    /// The cost of the measuring itself.
    Harness,
    /// A time in which the rate was lower.
    Dip,
    /// A rate that took time to be reached.
    WarmUp,
    /// A single operation that took long.
    SlowOperation,
    /// A rate that is not known well.
    Spread,
}

/// What findings rest on beside the results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// What the harness costs an operation, nanoseconds, over tasks.
    pub harness_ns: Spread,
    /// Whether a server answers: the file system is one of a network or of user space.
    pub remote: bool,
}

/// What there is to say of the results for one number of tasks, the weightiest first.
pub fn findings(result: &TaskCount, setting: &Setting) -> Vec<Finding> {
    let mut found = slow::findings(result);
    let slow = |p: &PhaseOutcome| p.tasks.as_ref().is_some_and(|t| t.slow > 0);
    // Where slow tasks are named, the tail is theirs.
    let told: Vec<Phase> =
        item_phases(result).filter(|&phase| !found.is_empty() && outcomes(result, phase).any(slow)).collect();
    found.extend(course::findings(result, &told));
    found.extend(caches::findings(result, setting));
    found.extend(spread::findings(result));
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let common = [
        (About::Tail, "so it was in"),
        (About::Cache, "the same holds for"),
        (About::SlowOperation, "slow ones were in"),
    ];
    common.into_iter().fold(found, |found, (about, words)| together(found, about, words))
}

/// One sentence about what several phases have in common: that of the weightiest, with the names of the others.
fn together(found: Vec<Finding>, about: About, words: &str) -> Vec<Finding> {
    let phases: Vec<&str> = found.iter().filter(|f| f.about == about).map(|f| f.phase.label()).collect();
    let more = match phases[..] {
        [] | [_] => String::new(),
        [_, one] => format!("; {words} {one}"),
        [_, one, other] => format!("; {words} {one} and {other}"),
        [_, one, ref others @ ..] => format!("; {words} {one} and {} other phases", others.len()),
    };
    let mut first = true;
    let kept = found.into_iter().filter_map(|mut finding| {
        if finding.about == about {
            finding.text = std::mem::take(&mut first).then(|| finding.text + &more)?;
        }
        Some(finding)
    });
    kept.collect()
}

/// What came of a phase in each iteration that did it.
fn outcomes(result: &TaskCount, phase: Phase) -> impl Iterator<Item = &PhaseOutcome> {
    result.iterations.iter().filter_map(move |i| i.phase(phase))
}

/// The phases on items that ran.
fn item_phases(result: &TaskCount) -> impl Iterator<Item = Phase> + '_ {
    result.statistics.iter().map(|s| s.phase).filter(|p| p.kind().is_some())
}

/// The middle of some values, of an even number the lower one.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests;
