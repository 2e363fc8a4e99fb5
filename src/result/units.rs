//! Numbers as people read them: three significant digits and a unit.

/// Operations per second: `29.1 k/s`.
pub fn rate(per_s: f64) -> String {
    let (value, unit) = match per_s {
        r if r >= 1e9 => (r / 1e9, " G/s"),
        r if r >= 1e6 => (r / 1e6, " M/s"),
        r if r >= 1e3 => (r / 1e3, " k/s"),
        r => (r, "/s"),
    };
    three_digits(value) + unit
}

/// A time in nanoseconds: `1.23 ms`.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        t if t >= 1e9 => (t / 1e9, " s"),
        t if t >= 1e6 => (t / 1e6, " ms"),
        t if t >= 1e3 => (t / 1e3, " µs"),
        t => return format!("{t:.0} ns"),
    };
    three_digits(value) + unit
}

/// A time in nanoseconds that is a whole number of them.
#[allow(clippy::cast_precision_loss)] // three digits are shown
pub fn time_ns(ns: u64) -> String {
    time(ns as f64)
}

/// A share as percent, with a decimal below 10: `3.1 %`, `34 %`.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}

fn three_digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        let rates = [0.0, 1.5, 999.4, 29_140.0, 405_006.0, 12.0e6, 3e9].map(rate);
        assert_eq!(rates, ["0.00/s", "1.50/s", "999/s", "29.1 k/s", "405 k/s", "12.0 M/s", "3.00 G/s"]);
        let times = [0, 870, 1_234, 99_960, 45_000_000, 2_100_000_000].map(time_ns);
        assert_eq!(times, ["0 ns", "870 ns", "1.23 µs", "100 µs", "45.0 ms", "2.10 s"]);
        assert_eq!([0.031, 0.34, 0.0999, 1.0].map(percent), ["3.1 %", "34 %", "10 %", "100 %"]);
    }
}
