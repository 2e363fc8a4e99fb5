//! Rates of phases with their intervals: a row a phase, a mark an entry.

use crate::archive::Summary;
use crate::namespace::phase::Phase;
use crate::report::chart::frame::{Frame, BELOW};
use crate::report::chart::marks::{legend, legend_height, line, mark, text, width, Side};
use crate::report::chart::picture::{Area, Failure, Picture, FAINT, GRID, INK};
use crate::report::chart::scale::{drawable, rate, Scale};
use crate::report::entries::Entry;
use crate::report::plain::shortened;
use crate::result::units;

/// Width, half pixels.
const WIDTH: i32 = 1500;
/// Height of a mark's line.
const LINE: i32 = 34;
/// More entries than this are not drawn in one chart.
pub const MOST_ENTRIES: usize = 8;

/// A rate of an entry: mean, and the ends of its interval where there is one.
type Point = (usize, f64, Option<(f64, f64)>);

/// The chart of the first entries; `None` where no rate is known.
pub fn picture(entries: &[Entry]) -> Option<Picture> {
    let entries = &entries[..entries.len().min(MOST_ENTRIES)];
    let rows = rows(entries);
    let names: Vec<(String, usize)> = match entries {
        [_] => Vec::new(),
        several => several.iter().enumerate().map(|(i, e)| (shortened(&e.name, 40), i)).collect(),
    };
    let points = || rows.iter().flat_map(|(_, points)| points);
    let largest = reach(points().map(|(_, mean, interval)| (*mean, *interval)))?;
    // An interval may reach to 0, which a logarithmic axis does not.
    let means = points().map(|point| point.1).filter(|mean| *mean > 0.0);
    let smallest = means.min_by(f64::total_cmp).unwrap_or(largest);
    let across = Scale::fitting(smallest, largest, rate);
    let left = rows.iter().map(|(phase, _)| width(phase.label())).max().unwrap_or(0) + 24;
    let top = legend_height(&names, WIDTH - 20) + 10;
    let lines: i32 = rows.iter().map(|(_, points)| height(points)).sum();
    let frame = Frame { edges: (left, top, WIDTH - 150, top + lines), across, up: None };
    let surely = if points().any(|point| point.2.is_some()) { " with 95 % intervals" } else { "" };
    let each = if entries.len() > 1 { ", each record with a mark of its own" } else { "" };
    let title = format!("Rates{surely}{each}");
    let size = (WIDTH.unsigned_abs(), (top + lines + BELOW).unsigned_abs());
    Picture::new(size, title, words(&rows, entries), |area| {
        let linear = if frame.across.is_logarithmic() { ", logarithmic" } else { "" };
        frame.draw(area, &format!("operations per second{linear}"))?;
        legend(area, &names, (0, 0), WIDTH - 20)?;
        let mut y = top;
        for (phase, points) in &rows {
            text(area, phase.label(), (left - 18, y + height(points) / 2), Side::Left, INK)?;
            row(area, &frame, points, y)?;
            y += height(points);
            line(area, vec![(left, y), (frame.edges.2, y)], GRID, 1)?;
        }
        Ok(())
    })
}

/// The marks of a phase with their intervals, from the height `top` on.
fn row(area: &Area, frame: &Frame, points: &[Point], top: i32) -> Result<(), Failure> {
    let mut y = top + 8 + LINE / 2;
    for (series, mean, interval) in points {
        if let Some((low, high)) = interval {
            let ends = [*low, *high].map(|end| (end, frame.x(end)));
            let [(_, low), (_, high)] = ends;
            line(area, vec![(low, y), (high, y)], INK, 3)?;
            // What reaches beyond the axis has no end there.
            for (end, x) in ends {
                if frame.across.holds(end) {
                    line(area, vec![(x, y - 8), (x, y + 8)], INK, 3)?;
                }
            }
        }
        mark(area, *series, (frame.x(*mean), y), 9)?;
        let end = frame.x(interval.map_or(*mean, |(_, high)| high.max(*mean)));
        text(area, &units::rate(*mean), (end + 18, y), Side::Right, FAINT)?;
        y += LINE;
    }
    Ok(())
}

fn height(points: &[Point]) -> i32 {
    16 + LINE * i32::try_from(points.len()).unwrap_or(0)
}

/// The phases with a rate, and the rates of the entries that have one.
fn rows(entries: &[Entry]) -> Vec<(Phase, Vec<Point>)> {
    let points = |phase: Phase| {
        let all = entries.iter().enumerate();
        all.filter_map(|(series, e)| {
            let (mean, interval) = known(e.result.of(phase)?.rate_per_s.as_ref()?)?;
            Some((series, mean, interval))
        })
        .collect::<Vec<Point>>()
    };
    Phase::ALL
        .into_iter()
        .map(|phase| (phase, points(phase)))
        .filter(|(_, points)| !points.is_empty())
        .collect()
}

/// How far an axis goes for these means and intervals: to the ends of the intervals, but to no more than twice the largest
/// mean. The interval of two iterations may be many times its mean, and would leave no room for anything else.
pub fn reach(points: impl Iterator<Item = (f64, Option<(f64, f64)>)>) -> Option<f64> {
    let points: Vec<_> = points.collect();
    let mean = points.iter().map(|(mean, _)| *mean).max_by(f64::total_cmp)?;
    let ends = points.iter().filter_map(|(_, interval)| Some(interval.as_ref()?.1));
    Some(ends.fold(mean, f64::max).min(2.0 * mean))
}

/// The mean and the interval of a rate, where they can be drawn.
pub fn known(summary: &Summary) -> Option<(f64, Option<(f64, f64)>)> {
    let mean = summary.mean.or(summary.median).filter(|mean| drawable(*mean))?;
    let interval = summary.interval.map(|i| (i.low, i.high));
    Some((mean, interval.filter(|(low, high)| drawable(*low) && drawable(*high) && low <= high)))
}

fn words(rows: &[(Phase, Vec<Point>)], entries: &[Entry]) -> String {
    let said = |(series, mean, interval): &Point| {
        let within = interval
            .map(|(low, high)| format!(" (95 % interval {} to {})", units::rate(low), units::rate(high)));
        let whose = if entries.len() > 1 {
            format!("{} ", shortened(&entries[*series].name, 40))
        } else {
            String::new()
        };
        format!("{whose}{}{}", units::rate(*mean), within.unwrap_or_default())
    };
    let rows = rows.iter().map(|(phase, points)| {
        format!("{}: {}", phase.label(), points.iter().map(said).collect::<Vec<_>>().join(", "))
    });
    rows.collect::<Vec<_>>().join("; ") + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_reaches_no_further_than_twice_the_largest_mean() {
        assert_eq!(reach([(10.0, Some((8.0, 12.0))), (5.0, None)].into_iter()), Some(12.0));
        assert_eq!(reach([(10.0, Some((0.0, 90.0)))].into_iter()), Some(20.0));
        assert_eq!(reach(std::iter::empty()), None);
    }

    #[test]
    fn what_cannot_be_drawn_is_not_known() {
        let summary = |mean| Summary { mean: Some(mean), ..Summary::default() };
        assert_eq!(known(&summary(5.0)), Some((5.0, None)));
        assert_eq!(
            (known(&summary(1e300)), known(&summary(-1.0)), known(&Summary::default())),
            (None, None, None)
        );
    }
}
