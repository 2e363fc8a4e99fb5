//! What went on inside phases: tails, dips, warm-ups, single slow operations.

use super::{item_phases, outcomes, About, Finding, LASTING_S};
use crate::measure::clock::seconds;
use crate::namespace::phase::Phase;
use crate::result::course::Level;
use crate::result::outcome::PhaseOutcome;
use crate::result::record::TaskCount;
use crate::result::timeline::PhaseTimeline;
use crate::result::units::{percent, rate, time_ns};

/// A tail is told from this share on.
const TAIL: f64 = 0.2;
/// A single operation is told that took so many times the median …
const SLOW_OPERATION: f64 = 100.0;
/// … and this share of its phase.
const SLOW_OPERATION_SHARE: f64 = 0.1;

/// What it is about, its weight and its sentence.
type Told = (About, f64, String);

/// Of each phase the weightiest tail, dip, warm-up and slow operation; no tails of phases whose slow tasks are told.
pub fn findings(result: &TaskCount, told: &[Phase]) -> Vec<Finding> {
    item_phases(result).flat_map(|phase| of_phase(result, phase, told.contains(&phase))).collect()
}

fn of_phase(result: &TaskCount, phase: Phase, told: bool) -> Vec<Finding> {
    let lasting: Vec<(&PhaseOutcome, &PhaseTimeline)> = outcomes(result, phase)
        .filter_map(|p| Some((p, p.timeline.as_ref().filter(|t| t.last_done_s >= LASTING_S)?)))
        .collect();
    let several = result.iterations.len() > 1;
    let kinds: [fn(&PhaseOutcome, &PhaseTimeline) -> Option<Told>; 4] = [tail, dips, warm_up, slow_operation];
    kinds
        .into_iter()
        .filter_map(|kind| {
            let each = result.iterations.iter().filter_map(|i| {
                let (p, t) =
                    lasting.iter().find(|(p, _)| i.phase(phase).is_some_and(|own| std::ptr::eq(own, *p)))?;
                Some((i.iteration, kind(p, t)?))
            });
            let (number, (about, weight, text)) =
                each.max_by(|(_, (_, a, _)), (_, (_, b, _))| a.total_cmp(b))?;
            let place = if several { format!(" (iteration {})", number + 1) } else { String::new() };
            Some(Finding { about, phase, weight, text: format!("{}{place}: {text}", phase.label()) })
        })
        .filter(|finding| !(told && finding.about == About::Tail))
        .collect()
}

fn tail(p: &PhaseOutcome, t: &PhaseTimeline) -> Option<Told> {
    let rate_then = t.rate_while_all_worked_per_s.filter(|_| t.tail_share >= TAIL)?;
    let working = p.tasks.as_ref().map_or(0, |tasks| tasks.working);
    (working > 1).then(|| {
        // Where all were slow until the first was done, their rate says nothing of what the tail took.
        let before = match rate_then > p.true_rate_per_s {
            true => format!("; while all worked it was {}", rate(rate_then)),
            false => String::new(),
        };
        let text = format!(
            "for the last {} of its time only some tasks were working{before}",
            percent(t.tail_share)
        );
        (About::Tail, 0.8 * t.tail_share, text)
    })
}

fn dips(_: &PhaseOutcome, t: &PhaseTimeline) -> Option<Told> {
    let course = t.course.as_ref()?;
    let steady = course.steady.mean;
    let deepest = course.dips.iter().min_by(|a, b| a.mean.total_cmp(&b.mean))?;
    #[allow(clippy::cast_precision_loss)]
    let lost = |dip: &Level| (steady - dip.mean) * dip.windows as f64;
    #[allow(clippy::cast_precision_loss)]
    let weight = course.dips.iter().map(lost).sum::<f64>() / (steady * course.steady.windows as f64);
    let (from, to) = span_s(deepest, t.window_s);
    let times = match course.dips.len() {
        1 => "fell once".to_string(),
        n => format!("fell {n} times, deepest"),
    };
    let text =
        format!("{times}, from {from:.1} s to {to:.1} s, to {} of {}", rate(deepest.mean), rate(steady));
    Some((About::Dip, weight.clamp(0.0, 1.0), text))
}

fn warm_up(_: &PhaseOutcome, t: &PhaseTimeline) -> Option<Told> {
    let course = t.course.as_ref()?;
    let warm = course.warm_up.as_ref()?;
    let (_, until) = span_s(warm, t.window_s);
    let (before, after) = (rate(warm.mean), rate(course.steady.mean));
    #[allow(clippy::cast_precision_loss)]
    let share = warm.windows as f64 / (warm.windows + course.steady.windows) as f64;
    let change = (1.0 - warm.mean / course.steady.mean).abs().min(1.0);
    let text = if warm.mean < course.steady.mean {
        format!("warmed up for {until:.1} s at {before}, then {after}")
    } else {
        format!("began with {before} for {until:.1} s, then {after}")
    };
    Some((About::WarmUp, share * change, text))
}

fn slow_operation(p: &PhaseOutcome, t: &PhaseTimeline) -> Option<Told> {
    let latency = p.latency.as_ref()?;
    let (n, slowest) = (latency.numbers, &latency.slowest);
    #[allow(clippy::cast_precision_loss)]
    let ratio = n.max_ns as f64 / n.p50_ns.max(1) as f64;
    let share = seconds(n.max_ns) / t.last_done_s;
    (ratio >= SLOW_OPERATION && share >= SLOW_OPERATION_SHARE).then(|| {
        let text = format!(
            "its slowest operation took {}, the median {}: {} (rank {} on {})",
            time_ns(n.max_ns),
            time_ns(n.p50_ns),
            slowest.path,
            slowest.task.rank,
            slowest.task.host
        );
        (About::SlowOperation, 0.5 * share.min(1.0), text)
    })
}

/// From when to when, seconds after the start of the phase.
#[allow(clippy::cast_precision_loss)]
fn span_s(level: &Level, window_s: f64) -> (f64, f64) {
    let from = level.first_window as f64 * window_s;
    (from, from + level.windows as f64 * window_s)
}
