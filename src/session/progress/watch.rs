//! From readings of the meter to what is shown: rate and time left, by the display's own clock.

use super::text::{Left, View};
use crate::measure::meter::Reading;
use std::time::Duration;

/// A phase that has been seen for a shorter time is not shown.
const WORTH_SHOWING: Duration = Duration::from_millis(300);

/// The first look at a phase.
#[derive(Clone, Copy, Debug)]
struct First {
    generation: u64,
    at: Duration,
    done: u64,
    /// When it was seen at its last item: from there on the rate stays.
    last_item_at: Option<Duration>,
}

/// Keeps in mind since when it has seen the phase that runs.
#[derive(Debug)]
pub struct Watch {
    iterations: u64,
    first: Option<First>,
}

impl Watch {
    /// Of a run of at most `iterations`.
    pub fn new(iterations: u64) -> Self {
        Watch { iterations, first: None }
    }

    /// What is to be shown at `now`, counted from any moment before.
    pub fn look(&mut self, reading: Option<Reading>, now: Duration) -> Option<View> {
        let Some(reading) = reading else {
            self.first = None;
            return None;
        };
        let (generation, done) = (reading.generation, reading.done);
        let known = self.first.filter(|first| first.generation == generation);
        let mut first = known.unwrap_or(First { generation, at: now, done, last_item_at: None });
        if done >= reading.work.items {
            first.last_item_at.get_or_insert(now);
        }
        self.first = Some(first);
        let seen = now.saturating_sub(first.at);
        (seen >= WORTH_SHOWING).then(|| view(&reading, first, seen, self.iterations))
    }
}

#[allow(clippy::cast_precision_loss)] // estimates
fn view(reading: &Reading, first: First, seen: Duration, iterations: u64) -> View {
    let work = &reading.work;
    // What failed behind a test of its own may count beyond the items.
    let done = reading.done.min(work.items);
    let worked = first.last_item_at.map_or(seen, |last| last.saturating_sub(first.at));
    let progressed = done.saturating_sub(first.done) as f64;
    let own_rate = if worked.is_zero() { 0.0 } else { progressed / worked.as_secs_f64() };
    let to_go = work.items - done;
    let by_items_s = (own_rate > 0.0).then(|| to_go as f64 / own_rate);
    let to_wall_s = work.wall_ns.map(|ns| ns as f64 / 1e9 - seen.as_secs_f64());
    let left = match (by_items_s, to_wall_s) {
        _ if to_go == 0 => Left::Finishing,
        (_, Some(wall)) if wall <= 0.0 => Left::LevellingUp,
        (Some(items), Some(wall)) => Left::Seconds(items.min(wall)),
        (None, Some(seconds)) | (Some(seconds), None) => Left::Seconds(seconds),
        (None, None) => Left::Unknown,
    };
    View {
        phase: work.phase,
        iteration: work.iteration + 1,
        iterations: iterations.max(work.iteration + 1),
        tasks: work.tasks,
        done: done.saturating_mul(work.stands_for),
        items: work.items.saturating_mul(work.stands_for),
        estimate: work.stands_for > 1,
        rate_per_s: own_rate * work.stands_for as f64,
        left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::meter::Work;
    use crate::namespace::phase::Phase;

    fn reading(generation: u64, done: u64, wall_ns: Option<u64>) -> Option<Reading> {
        let phase = Phase::FileCreate;
        let work = Work { phase, iteration: 1, tasks: 4, items: 1000, stands_for: 4, wall_ns };
        Some(Reading { generation, work, done })
    }

    fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn short_phases_are_not_shown() {
        let mut watch = Watch::new(3);
        assert_eq!(watch.look(None, at(0)), None);
        assert_eq!(watch.look(reading(1, 10, None), at(100)), None);
        assert_eq!(watch.look(reading(1, 20, None), at(350)), None);
        assert_eq!(watch.look(reading(3, 10, None), at(500)), None, "another phase");
        assert_eq!(watch.look(None, at(600)), None);
        assert_eq!(watch.look(reading(3, 10, None), at(900)), None);
    }

    #[test]
    fn rank_0_stands_for_all_tasks() {
        let mut watch = Watch::new(3);
        watch.look(reading(1, 50, None), at(1000));
        let view = watch.look(reading(1, 250, None), at(3000)).unwrap();
        assert_eq!((view.done, view.items, view.tasks, view.estimate), (1000, 4000, 4, true));
        assert_eq!((view.iteration, view.iterations), (2, 3));
        assert!((view.rate_per_s - 400.0).abs() < 1e-9);
        assert_eq!(view.left, Left::Seconds(7.5));
    }

    #[test]
    fn time_left_ends_at_the_wall_or_with_the_items() {
        let left = |done, wall_s: u64, ms| {
            let mut watch = Watch::new(2);
            watch.look(reading(1, 0, Some(wall_s * 1_000_000_000)), at(0));
            watch.look(reading(1, done, Some(wall_s * 1_000_000_000)), at(ms)).unwrap().left
        };
        assert_eq!(left(500, 5, 1000), Left::Seconds(1.0));
        assert_eq!(left(100, 5, 1000), Left::Seconds(4.0));
        assert_eq!(left(0, 5, 1000), Left::Seconds(4.0));
        assert_eq!(left(100, 5, 5000), Left::LevellingUp);
        assert_eq!(left(1000, 5, 9000), Left::Finishing);
        let mut watch = Watch::new(2);
        watch.look(reading(1, 0, None), at(0));
        assert_eq!(watch.look(reading(1, 0, None), at(400)).unwrap().left, Left::Unknown);
    }

    #[test]
    fn behind_the_last_item_the_rate_stays() {
        let mut watch = Watch::new(2);
        watch.look(reading(1, 0, None), at(0));
        let last = watch.look(reading(1, 1000, None), at(500)).unwrap();
        assert!((last.rate_per_s - 8000.0).abs() < 1e-9);
        let later = watch.look(reading(1, 1004, None), at(9000)).unwrap();
        assert_eq!(later, last, "nor are there more items than there are");
        watch.look(reading(3, 1000, None), at(9500));
        let late = watch.look(reading(3, 1000, None), at(9900)).unwrap();
        assert_eq!((late.rate_per_s, late.left), (0.0, Left::Finishing), "it was over before it was seen");
    }
}
