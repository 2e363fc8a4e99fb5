//! Operations over the time of one phase, with its warm-up, its dips, and when the first task was done.

use crate::namespace::phase::Phase;
use crate::report::chart::frame::{Frame, BELOW};
use crate::report::chart::marks::{colour, line, text, Side, FONT};
use crate::report::chart::picture::{Area, Failure, Picture, ALARM, FAINT, INK, SHADE};
use crate::report::chart::scale::{drawable, rate, time_s, Scale};
use crate::result::course::Level;
use crate::result::timeline::PhaseTimeline;
use crate::result::units;
use plotters::prelude::*;

/// Width and height of the plane, half pixels.
const WIDTH: i32 = 1040;
const PLANE: i32 = 330;
const LEFT: i32 = 130;
const TOP: i32 = FONT + 34;
/// Phases with fewer windows have no course worth a chart.
pub const LEAST_WINDOWS: usize = 20;
/// Columns of a chart: of more windows the smallest and the largest of each column are drawn, so that no dip is lost.
const COLUMNS: usize = 200;
/// Dips that are drawn.
const MOST_DIPS: usize = 50;

/// The chart of a phase; `None` where it was too short.
pub fn picture(phase: Phase, timeline: &PhaseTimeline) -> Option<Picture> {
    if timeline.operations.len() < LEAST_WINDOWS || !sound(timeline) {
        return None;
    }
    let rates = rates(timeline);
    let points = thinned(&rates, timeline.window_s, COLUMNS);
    let largest = points.iter().map(|point| point.1).max_by(f64::total_cmp)?;
    let end_s = timeline.window_s * rates.len() as f64;
    let frame = Frame {
        edges: (LEFT, TOP, WIDTH - 50, TOP + PLANE),
        across: Scale::from_zero(end_s, time_s),
        up: Some(Scale::from_zero(largest, rate)),
    };
    let size = (WIDTH.unsigned_abs(), (TOP + PLANE + BELOW).unsigned_abs());
    let title = format!("{}: operations per second over time", phase.label());
    Picture::new(size, title, words(timeline), |area| {
        let since =
            if timeline.aligned { "time since the first task began" } else { "time since each task began" };
        frame.draw(area, since)?;
        shades(area, &frame, timeline)?;
        let places = points.iter().map(|(s, per_s)| (frame.x(*s), frame.y(*per_s))).collect();
        area.draw(&PathElement::new::<Vec<_>, _>(places, colour(0).stroke_width(3)))?;
        let x = frame.x(timeline.first_done_s);
        line(area, vec![(x, TOP - 8), (x, TOP + PLANE)], INK, 2)?;
        let side = if x > WIDTH / 2 { Side::Left } else { Side::Right };
        text(area, "first task done", (x, FONT / 2 + 8), side, FAINT)
    })
}

fn sound(timeline: &PhaseTimeline) -> bool {
    let times = [timeline.window_s, timeline.first_done_s, timeline.last_done_s];
    times.into_iter().all(drawable) && timeline.window_s > 0.0
}

/// Operations per second in each window; the last one counts over the part of it that was used, and is left out where
/// that is less than half.
fn rates(timeline: &PhaseTimeline) -> Vec<f64> {
    let mut rates: Vec<f64> = timeline.operations.iter().map(|&n| n as f64 / timeline.window_s).collect();
    let whole = rates.len().saturating_sub(1);
    let used = timeline.last_done_s / timeline.window_s - whole as f64;
    if let Some(last) = rates.last_mut() {
        if (0.5..1.0).contains(&used) {
            *last /= used;
        } else if (0.0..0.5).contains(&used) {
            rates.truncate(whole);
        }
    }
    rates
}

/// The middles of the windows in seconds and their rates; of many windows the smallest and the largest of each of
/// `columns` columns, in the order of time.
pub fn thinned(rates: &[f64], window_s: f64, columns: usize) -> Vec<(f64, f64)> {
    let point = |index: usize| ((index as f64 + 0.5) * window_s, rates[index]);
    if rates.len() <= 2 * columns {
        return (0..rates.len()).map(point).collect();
    }
    let column = |c: usize| {
        let (from, to) = (c * rates.len() / columns, (c + 1) * rates.len() / columns);
        let least = (from..to).min_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap_or(from);
        let most = (from..to).max_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap_or(from);
        [least.min(most), least.max(most)].map(point)
    };
    (0..columns).flat_map(column).collect()
}

/// Warm-up and dips as shades, the steady level as a line.
fn shades(area: &Area, frame: &Frame, timeline: &PhaseTimeline) -> Result<(), Failure> {
    let Some(course) = &timeline.course else { return Ok(()) };
    let times = |level: &Level| {
        let at = |window: u64| frame.x(window as f64 * timeline.window_s);
        (at(level.first_window), at(level.first_window.saturating_add(level.windows)))
    };
    let shade = |(from, to): (i32, i32), colour: RGBColor, part: f64| {
        area.draw(&Rectangle::new([(from, TOP), (to.max(from + 3), TOP + PLANE)], colour.mix(part).filled()))
    };
    if let Some(warm_up) = &course.warm_up {
        shade(times(warm_up), SHADE, 0.25)?;
        let (from, to) = times(warm_up);
        if to < frame.x(timeline.first_done_s) - 200 {
            text(area, "warm-up", (from + 6, FONT / 2 + 8), Side::Right, FAINT)?;
        }
    }
    for dip in course.dips.iter().take(MOST_DIPS) {
        shade(times(dip), ALARM, 0.22)?;
    }
    for dip in course.dips.iter().take(2) {
        text(area, "dip", (times(dip).0 + 4, TOP + PLANE - FONT), Side::Right, INK)?;
    }
    let steady = frame.y(course.steady.mean);
    line(area, vec![(times(&course.steady).0, steady), (frame.x(timeline.first_done_s), steady)], FAINT, 2)
}

fn words(timeline: &PhaseTimeline) -> String {
    let time = |s: f64| units::time(s * 1e9);
    let mut parts = Vec::new();
    if let Some(course) = &timeline.course {
        let seconds = |level: &Level| time(level.windows as f64 * timeline.window_s);
        if let Some(warm_up) = &course.warm_up {
            parts.push(format!("in the first {} {}", seconds(warm_up), units::rate(warm_up.mean)));
        }
        parts.push(format!("steady {}", units::rate(course.steady.mean)));
        let dip = |dip: &Level| {
            let from = time(dip.first_window as f64 * timeline.window_s);
            format!("a dip to {} from {from} on for {}", units::rate(dip.mean), seconds(dip))
        };
        parts.extend(course.dips.iter().take(5).map(dip));
        if course.dips.len() > 5 {
            parts.push(format!("{} more dips", course.dips.len() - 5));
        }
    } else if let Some(mean) = timeline.rate_while_all_worked_per_s {
        parts.push(format!("{} while all tasks worked", units::rate(mean)));
    }
    parts.push(format!("the first task was done after {}", time(timeline.first_done_s)));
    parts.push(format!("the last after {}", time(timeline.last_done_s)));
    parts.join(", ") + "."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::course::Course;

    fn timeline() -> PhaseTimeline {
        let mut operations = vec![1000; 1000];
        operations[700] = 0;
        let level = |first_window, windows, mean| Level { first_window, windows, mean };
        let course = Course {
            warm_up: Some(level(0, 100, 5_000.0)),
            steady: level(100, 890, 10_000.0),
            at_level_windows: 889,
            dips: vec![level(700, 1, 0.0)],
        };
        let timeline = PhaseTimeline::of(0.1, true, operations, (99.0, 99.96));
        PhaseTimeline { course: Some(course), ..timeline }
    }

    #[test]
    fn thinning_keeps_the_dip() {
        let rates = rates(&timeline());
        let points = thinned(&rates, 0.1, 100);
        assert_eq!(points.len(), 200);
        assert!(
            points.iter().any(|point| point.1 == 0.0) && points.windows(2).all(|pair| pair[0].0 <= pair[1].0)
        );
    }

    #[test]
    fn the_last_window_counts_over_its_part() {
        let of = |last_done_s| rates(&PhaseTimeline::of(1.0, true, vec![10, 10, 6], (1.0, last_done_s)));
        assert_eq!(of(2.6)[2].round(), 10.0);
        assert_eq!(of(2.1).len(), 2);
        assert_eq!(of(3.0).len(), 3);
    }

    #[test]
    fn the_words_tell_warm_up_and_dips() {
        let picture = picture(Phase::FileCreate, &timeline()).unwrap();
        let words = "in the first 10.0 s 5.00 k/s, steady 10.0 k/s, a dip to 0.00/s from 70.0 s on for 100 ms, the first task was done after 99.0 s";
        assert!(picture.description.starts_with(words), "{}", picture.description);
        let svg = picture.alone();
        assert!(
            svg.contains(">\nwarm-up\n<")
                && svg.contains(">\ndip\n<")
                && svg.contains(">\nfirst task done\n<")
        );
    }

    #[test]
    fn short_or_senseless_ones_have_no_chart() {
        let short = PhaseTimeline::of(0.1, true, vec![1; 19], (1.0, 1.9));
        assert_eq!(picture(Phase::FileStat, &short), None);
        assert_eq!(picture(Phase::FileStat, &PhaseTimeline { window_s: -1.0, ..timeline() }), None);
    }
}
