//! Axes: from values to places, and where the ticks are.

use crate::result::units;

/// Decades that get a tick each; of more, every second or third does.
const MOST_DECADES: i32 = 8;
/// Values outside are not drawn: they are no measurements, and would break the arithmetic.
const DRAWABLE: std::ops::RangeInclusive<f64> = 0.0..=1e18;

/// An axis from one value to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Values with their labels, in order.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// From 0 to a round number not below `largest`, with four to six ticks.
    pub fn from_zero(largest: f64, label: fn(f64) -> String) -> Self {
        let largest = if drawable(largest) && largest > 0.0 { largest } else { 1.0 };
        let magnitude = 10f64.powf(largest.log10().floor());
        let steps = [0.2, 0.25, 0.5, 1.0, 2.0, 2.5].map(|step| step * magnitude);
        let step = steps.into_iter().find(|step| (largest / step).ceil() <= 5.0).unwrap_or(2.5 * magnitude);
        let count = (largest / step).ceil().max(1.0);
        let ticks = (0..=5).map(f64::from).filter(|&i| i <= count).map(|i| (i * step, label(i * step)));
        Scale { low: 0.0, high: count * step, logarithmic: false, ticks: ticks.collect() }
    }

    /// Logarithmic, from the decade below `smallest` to that above `largest`; within two decades 2 and 5 have ticks too.
    pub fn logarithmic(smallest: f64, largest: f64, label: fn(f64) -> String) -> Self {
        let sound = |value: f64| if drawable(value) && value > 0.0 { value.max(1e-18) } else { 1.0 };
        let (smallest, largest) = (sound(smallest), sound(largest).max(sound(smallest)));
        #[allow(clippy::cast_possible_truncation)] // from −18 to 18
        let (first, last) = (smallest.log10().floor() as i32, largest.log10().ceil() as i32);
        let fine = |decade: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade));
        let few = last - first <= 2;
        let low = fine(first).into_iter().rfind(|&v| few && v <= smallest).unwrap_or(10f64.powi(first));
        let high = fine(last - 1).into_iter().find(|&v| few && v >= largest && v > low);
        let high = high.unwrap_or(10f64.powi(last.max(first + 1)));
        let every = (last - first) / MOST_DECADES + 1;
        let ticks = (first..=last.max(first + 1)).step_by(usize::try_from(every).unwrap_or(1));
        let ticks = ticks.flat_map(|decade| fine(decade).into_iter().take(if few { 3 } else { 1 }));
        let inside = |v: &f64| (low * 0.999..=high * 1.001).contains(v);
        let ticks = ticks.filter(inside).map(|v| (v, label(v))).collect();
        Scale { low, high, logarithmic: true, ticks }
    }

    /// Logarithmic, for rates or times that may be of one size or of many: linear from 0 within two decades.
    pub fn fitting(smallest: f64, largest: f64, label: fn(f64) -> String) -> Self {
        if smallest > 0.0 && largest / smallest > 100.0 {
            Scale::logarithmic(smallest, largest, label)
        } else {
            Scale::from_zero(largest, label)
        }
    }

    /// Logarithmic to the base of 2, for numbers of nodes or tasks, with a tick at each power, or every second or third.
    pub fn doubling(smallest: u64, largest: u64) -> Self {
        let (first, last) = (smallest.max(1).ilog2(), largest.max(1).ilog2());
        let last = if largest.max(1).is_power_of_two() { last } else { last + 1 }.min(63);
        let last = last.max(first + 1).min(63);
        let every = (last - first) / 8 + 1;
        let ticks = (first..=last).step_by(usize::try_from(every).unwrap_or(1));
        let ticks =
            ticks.map(|power| (2f64.powi(i32::try_from(power).unwrap_or(0)), (1u64 << power).to_string()));
        Scale {
            low: (1u64 << first) as f64,
            high: (1u64 << last) as f64,
            logarithmic: true,
            ticks: ticks.collect(),
        }
    }

    /// Shares from 0 to 1, as percent.
    pub fn shares() -> Self {
        let ticks = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0];
        let ticks = ticks.map(|share| (share, format!("{:.0} %", 100.0 * share))).to_vec();
        Scale { low: 0.0, high: 1.0, logarithmic: false, ticks }
    }

    /// Where `value` lies, 0 at the low end and 1 at the high one; what is outside lies at the end.
    pub fn place(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value.max(self.low) / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Whether `value` lies on the axis.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether the axis is logarithmic.
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }
}

/// Whether `value` can be a measurement: finite, not negative, not absurd.
pub fn drawable(value: f64) -> bool {
    DRAWABLE.contains(&value)
}

/// A rate as a tick has it: `20 k/s`.
pub fn rate(per_s: f64) -> String {
    if per_s == 0.0 {
        return "0".to_string();
    }
    round(&units::rate(per_s))
}

/// A time in nanoseconds as a tick has it: `10 µs`.
pub fn time_ns(ns: f64) -> String {
    round(&units::time(ns))
}

/// A time in seconds as a tick has it.
pub fn time_s(s: f64) -> String {
    if s == 0.0 {
        return "0".to_string();
    }
    if s >= 1000.0 {
        return format!("{s:.0} s");
    }
    round(&units::time(s * 1e9))
}

/// A multiple as a tick has it: `1.5×`.
pub fn multiple(times: f64) -> String {
    round(&format!("{times:.2} ×")).replace(' ', "")
}

/// Without zeros behind the point.
fn round(text: &str) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(&Scale::from_zero(29_140.0, rate)), ["0", "10 k/s", "20 k/s", "30 k/s"]);
        assert_eq!(labels(&Scale::from_zero(9.0, time_s)), ["0", "2 s", "4 s", "6 s", "8 s", "10 s"]);
        assert_eq!(
            labels(&Scale::logarithmic(1_300.0, 45_000_000.0, time_ns)),
            ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]
        );
        assert_eq!(
            labels(&Scale::logarithmic(300.0, 4_000.0, time_ns)),
            ["200 ns", "500 ns", "1 µs", "2 µs", "5 µs"]
        );
        assert_eq!(labels(&Scale::doubling(1, 12)), ["1", "2", "4", "8", "16"]);
    }

    #[test]
    fn places_are_shares_of_the_axis() {
        let scale = Scale::logarithmic(1.0, 10_000.0, rate);
        assert!((scale.place(100.0) - 0.5).abs() < 1e-12);
        assert_eq!((scale.place(0.0), scale.place(1e9)), (0.0, 1.0));
        assert!((Scale::from_zero(10.0, rate).place(5.0) - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn any_values_have_an_axis(a in any::<f64>(), b in any::<f64>(), n in any::<u64>(), m in any::<u64>()) {
            for scale in [Scale::from_zero(a, rate), Scale::logarithmic(a, b, time_ns), Scale::fitting(a, b, rate), Scale::doubling(n, m)] {
                prop_assert!((1..=12).contains(&scale.ticks.len()), "{:?}", scale);
                for value in [a, b, 0.0] {
                    prop_assert!((0.0..=1.0).contains(&scale.place(value)), "{:?}", scale);
                }
            }
        }
    }
}
