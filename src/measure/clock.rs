//! The monotonic clock.

use crate::backend::posix::monotonic_ns;
use crate::backend::ticks;
use std::sync::OnceLock;

/// Counts nanoseconds from its own start, on the monotonic clock of the node. Readings of tasks on different nodes have
/// nothing to do with each other until the nodes' clocks have been compared.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start_ns: u64,
    ticks: Option<Ticks>,
}

/// The processor's counter as a clock: ticks at the start, and nanoseconds of 2^32 ticks.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    start: u64,
    ns_of_2_32: u64,
}

/// The same moment on the counter and on the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    ticks: u64,
    ns: u64,
}

/// When this process first asked for the time: against it the counter's pace is measured, which costs no waiting.
static ORIGIN: OnceLock<Option<Moment>> = OnceLock::new();

/// From so long after the origin the counter's pace is known to 10^-5, nanoseconds.
const PACE_NS: u64 = 10_000_000;

impl Clock {
    /// Starts counting.
    pub fn start() -> Self {
        let origin = *ORIGIN.get_or_init(|| ticks::are_even().then(moment));
        let ticks = origin.and_then(|origin| pace(origin, moment()));
        Clock { start_ns: monotonic_ns(), ticks: ticks.map(|t| Ticks { start: ticks::now(), ..t }) }
    }

    /// Nanoseconds since the start; 584 years fit.
    pub fn elapsed_ns(&self) -> u64 {
        monotonic_ns() - self.start_ns
    }

    /// The same by the processor's counter, where that can be had: cheap, and no more than 10^-5 from it.
    #[inline]
    pub fn quick_ns(&self) -> u64 {
        match self.ticks {
            Some(t) => scaled(ticks::now().wrapping_sub(t.start), t.ns_of_2_32),
            None => self.elapsed_ns(),
        }
    }

    /// The start, nanoseconds of the node's monotonic clock.
    pub fn start_ns(&self) -> u64 {
        self.start_ns
    }
}

/// Both clocks at once: the closest of some pairs, for a task may lose its processor between the two.
fn moment() -> Moment {
    let read = || {
        let (before, ns, after) = (ticks::now(), monotonic_ns(), ticks::now());
        (
            after.wrapping_sub(before),
            Moment { ticks: before.wrapping_add(after.wrapping_sub(before) / 2), ns },
        )
    };
    let closest = (0..5).map(|_| read()).min_by_key(|(apart, _)| *apart);
    closest.unwrap_or_else(read).1
}

/// The counter's pace between two moments, where they are far enough from each other to tell.
fn pace(origin: Moment, now: Moment) -> Option<Ticks> {
    let (ns, ticks) = (now.ns.checked_sub(origin.ns)?, now.ticks.checked_sub(origin.ticks)?);
    let ns_of_2_32 = (u128::from(ns) << 32).checked_div(u128::from(ticks))?;
    let ns_of_2_32 = u64::try_from(ns_of_2_32).ok()?;
    (ns >= PACE_NS).then_some(Ticks { start: now.ticks, ns_of_2_32 })
}

#[inline]
fn scaled(ticks: u64, ns_of_2_32: u64) -> u64 {
    #[allow(clippy::cast_possible_truncation)] // 584 years of nanoseconds fit
    let ns = ((u128::from(ticks) * u128::from(ns_of_2_32)) >> 32) as u64;
    ns
}

/// Nanoseconds in a second.
pub const NS_PER_S: f64 = 1e9;

/// Nanoseconds as seconds.
#[allow(clippy::cast_precision_loss)] // 2^53 ns are 104 days
pub fn seconds(ns: u64) -> f64 {
    ns as f64 / NS_PER_S
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_what_the_clock_says() {
        let at = |ticks, ns| Moment { ticks, ns };
        let three_ghz = pace(at(1_000, 500), at(30_001_000, 10_000_500)).unwrap();
        assert!(scaled(3_000_000_000, three_ghz.ns_of_2_32).abs_diff(1_000_000_000) <= 1);
        assert!(pace(at(0, 0), at(29_000_000, 9_999_999)).is_none(), "too soon");
        assert!(pace(at(5, 0), at(4, 20_000_000)).is_none() && pace(at(5, 0), at(5, 20_000_000)).is_none());
    }

    #[test]
    fn both_readings_go_on_together() {
        let first = Clock::start();
        std::thread::sleep(std::time::Duration::from_millis(12));
        for clock in [first, Clock::start()] {
            let (before, quick, after) = (clock.elapsed_ns(), clock.quick_ns(), clock.elapsed_ns());
            let slack = 2_000 + after / 10_000;
            assert!(before <= quick + slack && quick <= after + slack, "{before} {quick} {after}");
        }
    }
}
