//! A view of the progress as text: for the bar, as a line, as JSON.

use crate::namespace::phase::Phase;
use indicatif::HumanCount;
use serde::Serialize;

/// How far a phase is, over all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The phase.
    pub phase: Phase,
    /// The iteration, counted from 1.
    pub iteration: u64,
    /// Iterations at most.
    pub iterations: u64,
    /// Tasks that take part.
    pub tasks: u64,
    /// Items done.
    pub done: u64,
    /// Items to do; with a stonewall, at most.
    pub items: u64,
    /// Done and rate are rank 0's own times the tasks.
    pub estimate: bool,
    /// Items a second since the phase is watched.
    pub rate_per_s: f64,
    /// The time left.
    pub left: Left,
}

/// How long a phase will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Left {
    /// So many seconds.
    Seconds(f64),
    /// Nothing has been done that could tell.
    Unknown,
    /// The stonewall is reached, all tasks make as many items as the one that has most.
    LevellingUp,
    /// Rank 0 is at its last item; others, or a sync or command behind the phase, are not.
    Finishing,
}

impl Left {
    fn text(self) -> String {
        match self {
            Left::Seconds(seconds) => format!("{} left", clock(seconds)),
            Left::Unknown => "-:-- left".to_string(),
            Left::LevellingUp => "levelling".to_string(),
            Left::Finishing => "finishing".to_string(),
        }
    }
}

#[derive(Serialize)]
struct Line {
    progress: Progress,
}

#[derive(Serialize)]
struct Progress {
    phase: Phase,
    iteration: u64,
    iterations: u64,
    done: u64,
    items: u64,
    estimate: bool,
    tasks: u64,
    rate_per_s: f64,
    seconds_left: Option<f64>,
}

impl View {
    /// What stands before and behind the bar, in `columns` together with it: the more narrow, the less.
    pub fn around_bar(&self, columns: usize) -> (String, String) {
        let (phase, left, percent) = (name(self.phase), self.left.text(), self.percent());
        let before = format!("{phase}  {}/{}", self.iteration, self.iterations);
        // As wide as it will become: a bar that changes its own width looks as if it went back.
        let width = HumanCount(self.items).to_string().len() + self.mark().len();
        let done = format!("{}{}", self.mark(), HumanCount(self.done));
        let counts = format!("{done:>width$} of {}", HumanCount(self.items));
        let choices = [
            (before.clone(), format!("{percent:>3} %  {counts}  {}  {left}", self.rate())),
            (before, format!("{percent:>3} %  {}  {left}", self.rate())),
            (phase.clone(), format!("{percent:>3} %  {left}")),
        ];
        let fits = |(before, behind): &(String, String)| {
            before.chars().count() + behind.chars().count() + AROUND + BAR_AT_LEAST <= columns
        };
        let found = choices.into_iter().find(fits);
        found.unwrap_or((phase, format!("{percent} %")))
    }

    /// A line for readers.
    pub fn line(&self) -> String {
        format!(
            "{} iteration {}/{}: {} ({} %), {}, {}",
            name(self.phase),
            self.iteration,
            self.iterations,
            self.counts(),
            self.percent(),
            self.rate(),
            self.left.text()
        )
    }

    /// A line for programs.
    pub fn json(&self) -> String {
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        let progress = Progress {
            phase: self.phase,
            iteration: self.iteration,
            iterations: self.iterations,
            done: self.done,
            items: self.items,
            estimate: self.estimate,
            tasks: self.tasks,
            rate_per_s: tenth(self.rate_per_s),
            seconds_left: match self.left {
                Left::Seconds(seconds) => Some(tenth(seconds)),
                Left::Unknown | Left::LevellingUp | Left::Finishing => None,
            },
        };
        serde_json::to_string(&Line { progress }).unwrap_or_default()
    }

    fn percent(&self) -> u64 {
        let (done, items) = (u128::from(self.done), u128::from(self.items));
        u64::try_from((done * 100).checked_div(items).unwrap_or(100)).unwrap_or(100)
    }

    fn mark(&self) -> &'static str {
        if self.estimate {
            "~"
        } else {
            ""
        }
    }

    fn counts(&self) -> String {
        format!("{}{} of {}", self.mark(), HumanCount(self.done), HumanCount(self.items))
    }

    fn rate(&self) -> String {
        let (value, unit) = match self.rate_per_s {
            rate if rate < 999.95 => (rate, ""),
            rate if rate < 999_950.0 => (rate / 1e3, "k"),
            rate => (rate / 1e6, "M"),
        };
        format!("{}{value:.1} {unit}/s", self.mark())
    }
}

/// The blank and bracket before the bar, and those behind it.
const AROUND: usize = 4;
/// A bar of fewer columns says less than the percentage.
const BAR_AT_LEAST: usize = 5;

/// The name that the phase has in the record.
fn name(phase: Phase) -> String {
    let name = serde_json::to_value(phase).ok();
    name.and_then(|name| name.as_str().map(str::to_string)).unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
fn clock(seconds: f64) -> String {
    let all = seconds.ceil() as u64;
    match all / 3600 {
        0 => format!("{}:{:02}", all / 60, all % 60),
        1..=99 => format!("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60),
        hours => format!("{} d", hours.div_ceil(24)),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn view() -> View {
        View {
            phase: Phase::FileCreate,
            iteration: 2,
            iterations: 3,
            tasks: 4,
            done: 123_456,
            items: 300_000,
            estimate: true,
            rate_per_s: 29_123.44,
            left: Left::Seconds(11.2),
        }
    }

    #[test]
    fn the_line_around_the_bar() {
        let (before, behind) = view().around_bar(79);
        assert_eq!(before, "file-create  2/3");
        let few = View { done: 99, ..view() }.around_bar(79).1;
        assert_eq!(few, "  0 %       ~99 of 300,000  ~29.1 k/s  0:12 left");
        assert_eq!(behind, " 41 %  ~123,456 of 300,000  ~29.1 k/s  0:12 left");
    }

    #[test]
    fn a_narrow_terminal_shows_less_and_nothing_is_wider() {
        assert_eq!(view().around_bar(60).1, " 41 %  ~29.1 k/s  0:12 left");
        assert_eq!(view().around_bar(40), ("file-create".to_string(), " 41 %  0:12 left".to_string()));
        assert_eq!(view().around_bar(20), ("file-create".to_string(), "41 %".to_string()));
        let largest = View {
            phase: Phase::DirectoryRename,
            iteration: 10_000,
            iterations: 10_000,
            done: u64::MAX,
            items: u64::MAX,
            rate_per_s: 1e12,
            left: Left::Seconds(1e18),
            ..view()
        };
        for columns in 40..=79 {
            let (before, behind) = largest.around_bar(columns);
            assert!(before.len() + behind.len() + AROUND <= columns, "{columns}: {before} {behind}");
        }
    }

    #[test]
    fn a_line_for_readers() {
        let line = "file-create iteration 2/3: ~123,456 of 300,000 (41 %), ~29.1 k/s, 0:12 left";
        assert_eq!(view().line(), line);
        let alone = View { estimate: false, left: Left::Finishing, done: 300_000, ..view() };
        let line = "file-create iteration 2/3: 300,000 of 300,000 (100 %), 29.1 k/s, finishing";
        assert_eq!(alone.line(), line);
    }

    #[test]
    fn a_line_for_programs() {
        let line = "{\"progress\":{\"phase\":\"file-create\",\"iteration\":2,\"iterations\":3,\"done\":123456,\
                    \"items\":300000,\"estimate\":true,\"tasks\":4,\"rate_per_s\":29123.4,\"seconds_left\":11.2}}";
        assert_eq!(view().json(), line);
        assert!(View { left: Left::Unknown, ..view() }.json().contains("\"seconds_left\":null"));
    }

    #[test]
    fn rates_times_and_counts() {
        let rate = |rate_per_s| View { rate_per_s, estimate: false, ..view() }.rate();
        assert_eq!([0.0, 12.34, 999.96, 1e6].map(rate), ["0.0 /s", "12.3 /s", "1.0 k/s", "1.0 M/s"]);
        assert_eq!(
            [0.0, 0.2, 59.5, 3599.1, 359_999.0, 1e9].map(clock),
            ["0:00", "0:01", "1:00", "1:00:00", "99:59:59", "11575 d"]
        );
        assert_eq!(View { done: 0, items: 0, ..view() }.percent(), 100);
        assert_eq!(View { done: u64::MAX - 1, items: u64::MAX, ..view() }.percent(), 99);
    }
}
