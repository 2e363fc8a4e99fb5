//! When operations were done, over all tasks on a common start.

use crate::result::compact::compact;
use crate::result::course::{course, Course};
use crate::result::interval::Interval;
use serde::{Deserialize, Serialize, Serializer};

/// Windows may be shifted against each other only where the clocks are known to a share of a window.
pub const ALIGNED_BELOW: u64 = 10;
/// Change points are looked for in phases that last so long, seconds, and have an operation a window.
const COURSE_FROM_S: f64 = 1.0;

/// The course of a phase in time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseTimeline {
    /// Width of a window, seconds: 0.001 × 2^k.
    pub window_s: f64,
    /// Time counts from the start of the earliest task; where the clocks of the nodes are not known to a tenth of a
    /// window, from the start of each.
    pub aligned: bool,
    /// Operations that succeeded in each window, over all tasks, up to the last that did.
    #[serde(serialize_with = "on_one_line")]
    pub operations: Vec<u64>,
    /// When the first task was done, seconds.
    pub first_done_s: f64,
    /// When the last was.
    pub last_done_s: f64,
    /// Operations per second while all tasks were working: in the windows before the first was done; absent where that
    /// was in the first window.
    pub rate_while_all_worked_per_s: Option<f64>,
    /// The share of the time in which some tasks were done already: 1 − first ÷ last.
    pub tail_share: f64,
    /// 95 % interval of the mean rate over those windows; absent where they are few.
    pub interval: Option<Interval>,
    /// Warm-up, steady part and dips among those windows, where the phase lasts long enough.
    pub course: Option<Course>,
}

fn on_one_line<S: Serializer>(list: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    compact(&list, serializer)
}

impl PhaseTimeline {
    /// From the operations in windows of `window_s`, and when the first and the last task were done.
    pub fn of(window_s: f64, aligned: bool, mut operations: Vec<u64>, done_s: (f64, f64)) -> Self {
        let used = operations.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
        operations.truncate(used);
        let (first_done_s, last_done_s) = done_s;
        let rates = rates_until(&operations, window_s, first_done_s);
        let whole = rates.len();
        #[allow(clippy::cast_precision_loss)]
        let mean = (whole > 0).then(|| rates.iter().sum::<f64>() / whole as f64);
        let long = first_done_s >= COURSE_FROM_S && mean.is_some_and(|mean| mean * window_s >= 1.0);
        PhaseTimeline {
            window_s,
            aligned,
            operations,
            first_done_s,
            last_done_s,
            rate_while_all_worked_per_s: mean,
            tail_share: if last_done_s > 0.0 { 1.0 - first_done_s / last_done_s } else { 0.0 },
            interval: Interval::of_windows(&rates),
            course: if long { course(&rates) } else { None },
        }
    }
}

impl PhaseTimeline {
    /// Operations per second in the windows before the first task was done.
    pub fn rates_while_all_worked(&self) -> Vec<f64> {
        rates_until(&self.operations, self.window_s, self.first_done_s)
    }
}

/// Rates in the windows that lie wholly before `first_done_s`.
fn rates_until(operations: &[u64], window_s: f64, first_done_s: f64) -> Vec<f64> {
    // A width that is none, in a record that is none of ours, gives no windows.
    let windows = if window_s > 0.0 { (first_done_s / window_s).max(0.0) } else { 0.0 };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most some thousand windows
    let whole = (windows as usize).min(operations.len());
    #[allow(clippy::cast_precision_loss)]
    operations[..whole].iter().map(|&n| n as f64 / window_s).collect()
}

/// Adds the windows of a task to those of all, `shift` windows later. What lies behind the last one counts in it.
pub fn add_shifted(all: &mut [u64], task: &[u64], shift: usize) {
    let Some(last) = all.len().checked_sub(1) else { return };
    for (index, count) in task.iter().enumerate().filter(|(_, count)| **count > 0) {
        all[(index + shift).min(last)] += count;
    }
}

/// By how many windows of `width_ns` a task's are shifted that began `late_ns` after the earliest: to the nearest.
pub fn shift(late_ns: u64, width_ns: u64) -> usize {
    usize::try_from((late_ns + width_ns / 2) / width_ns).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_begins_when_the_first_task_is_done() {
        let t = PhaseTimeline::of(0.5, true, vec![10, 12, 6, 2, 0, 0], (1.2, 2.0));
        assert_eq!(t.operations, [10, 12, 6, 2]);
        assert_eq!(t.rate_while_all_worked_per_s, Some(22.0));
        assert!((t.tail_share - 0.4).abs() < 1e-12);
        assert_eq!((t.interval, t.course), (None, None));
    }

    #[test]
    fn a_phase_within_one_window_tells_no_rate() {
        let t = PhaseTimeline::of(0.001, true, vec![5], (0.0004, 0.0006));
        assert_eq!(t.rate_while_all_worked_per_s, None);
        let nothing = PhaseTimeline::of(0.001, true, vec![0], (0.0, 0.0));
        assert!(nothing.operations.is_empty() && nothing.tail_share == 0.0);
    }

    #[test]
    fn tasks_are_shifted_to_the_nearest_window() {
        assert_eq!([0, 4, 5, 14, 15].map(|late| shift(late, 10)), [0, 0, 1, 1, 2]);
        let mut all = [0; 4];
        add_shifted(&mut all, &[1, 2, 3], 0);
        add_shifted(&mut all, &[1, 2, 3], 2);
        assert_eq!(all, [1, 2, 4, 5]);
        add_shifted(&mut [], &[1], 0);
    }
}
