//! Operations per window of time: a fixed number of windows, which become twice as wide whenever a phase outlasts them.

/// Most windows of a phase; one that outlasts them has this many or half of them.
pub const WINDOWS: usize = 512;
/// Width of a window at first, nanoseconds; others are 2^k times as wide.
pub const WIDTH_MIN_NS: u64 = 1_000_000;

/// The operations of one task in one phase, by the window in which they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    counts: Vec<u64>,
    doublings: u32,
    index: usize,
    counted: u64,
}

impl Timeline {
    /// Windows without operations.
    pub fn new() -> Self {
        Timeline { counts: vec![0; WINDOWS], doublings: 0, index: 0, counted: 0 }
    }

    /// Width of a window, nanoseconds.
    pub fn width_ns(&self) -> u64 {
        WIDTH_MIN_NS << self.doublings
    }

    /// How often the width was doubled.
    pub fn doublings(&self) -> u32 {
        self.doublings
    }

    /// End of the window that time has reached, nanoseconds after the start.
    pub fn end_ns(&self) -> u64 {
        (self.index as u64 + 1).saturating_mul(self.width_ns())
    }

    /// Goes on to the window that holds `now_ns`; `done` operations had ended before it began.
    pub fn advance(&mut self, now_ns: u64, done: u64) {
        self.close(done);
        while now_ns / self.width_ns() >= WINDOWS as u64 {
            self.double();
        }
        self.index = usize::try_from(now_ns / self.width_ns()).unwrap_or(WINDOWS - 1);
    }

    /// Counts what is done up to `done` in the window that time has reached.
    pub fn close(&mut self, done: u64) {
        self.counts[self.index] += done.saturating_sub(self.counted);
        self.counted = self.counted.max(done);
    }

    /// The counts, of windows that were doubled until they are `doublings` times doubled; an earlier end than
    /// [`WINDOWS`] is followed by nothing but zeros.
    pub fn doubled(&self, doublings: u32) -> Vec<u64> {
        let mut wider = self.clone();
        while wider.doublings < doublings {
            wider.double();
        }
        wider.counts
    }

    fn double(&mut self) {
        for i in 0..WINDOWS / 2 {
            self.counts[i] = self.counts[2 * i] + self.counts[2 * i + 1];
        }
        self.counts[WINDOWS / 2..].fill(0);
        self.index /= 2;
        self.doublings += 1;
    }
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the measured loop does with the ends of operations.
    fn timeline(ends_ns: &[u64]) -> Timeline {
        let mut timeline = Timeline::new();
        for (done, &now_ns) in (0u64..).zip(ends_ns) {
            if now_ns >= timeline.end_ns() {
                timeline.advance(now_ns, done);
            }
        }
        timeline.close(ends_ns.len() as u64);
        timeline
    }

    #[test]
    fn operations_count_where_they_end() {
        let ms = WIDTH_MIN_NS;
        let line = timeline(&[0, 10, ms - 1, ms, ms + 5, 7 * ms]);
        assert_eq!((line.width_ns(), &line.doubled(0)[..9]), (ms, &[3, 2, 0, 0, 0, 0, 0, 1, 0][..]));
    }

    #[test]
    fn a_long_phase_has_wider_windows() {
        let ms = WIDTH_MIN_NS;
        let line = timeline(&[0, ms, 3 * ms, 511 * ms, 512 * ms, 5000 * ms]);
        assert_eq!(line.doublings(), 4); // 5000 / 512 < 16
        let counts = line.doubled(4);
        assert_eq!((counts[0], counts[31], counts[32], counts[312]), (3, 1, 1, 1));
    }

    proptest! {
        #[test]
        fn windows_agree_with_the_ends(gaps in prop::collection::vec(0u64..9_000_000, 1..900), more in 0u32..3) {
            let ends: Vec<u64> = gaps.iter().scan(0, |now, gap| { *now += gap; Some(*now) }).collect();
            let line = timeline(&ends);
            let doublings = line.doublings() + more;
            let width = WIDTH_MIN_NS << doublings;
            let mut expected = vec![0; WINDOWS];
            ends.iter().for_each(|end| expected[usize::try_from(end / width).unwrap()] += 1);
            prop_assert_eq!(line.doubled(doublings), expected);
        }
    }
}
