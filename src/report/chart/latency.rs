//! Latencies of the phases on one kind of item: the share of operations that took no longer, over a logarithmic time.

use crate::namespace::phase::{Kind, Phase};
use crate::report::chart::frame::{Frame, BELOW};
use crate::report::chart::marks::{colour, legend, legend_height, line, mark, series_of};
use crate::report::chart::picture::Picture;
use crate::report::chart::scale::{time_ns, Scale};
use crate::result::latency::Latencies;
use crate::result::units;

/// Width and height of the plane, half pixels.
const WIDTH: i32 = 1040;
const PLANE: i32 = 430;
/// Room on the left for percents.
const LEFT: i32 = 90;
/// Points of a curve at most: more cannot be told apart.
const MOST_POINTS: usize = 300;

/// The chart of the phases on `kind` (none: trees) that have latencies; `None` where none has.
pub fn picture(phases: &[(Phase, &Latencies)], kind: Option<Kind>) -> Option<Picture> {
    let has =
        |(phase, latencies): &&(Phase, &Latencies)| phase.kind() == kind && latencies.buckets.total() > 0;
    let phases: Vec<&(Phase, &Latencies)> = phases.iter().filter(has).collect();
    let curves: Vec<(usize, Vec<(f64, f64)>)> = phases
        .iter()
        .map(|(phase, latencies)| (series_of(*phase), curve(&latencies.buckets.pairs(), MOST_POINTS)))
        .collect();
    let times = || curves.iter().flat_map(|(_, points)| points).map(|point| point.0);
    let (smallest, largest) = (times().min_by(f64::total_cmp)?, times().max_by(f64::total_cmp)?);
    let names: Vec<(String, usize)> =
        phases.iter().map(|(phase, _)| (operation(*phase), series_of(*phase))).collect();
    let top = legend_height(&names, WIDTH - 20) + 20;
    let across = Scale::logarithmic(smallest, largest, time_ns);
    let frame = Frame { edges: (LEFT, top, WIDTH - 50, top + PLANE), across, up: Some(Scale::shares()) };
    let size = (WIDTH.unsigned_abs(), (top + PLANE + BELOW).unsigned_abs());
    let what = match kind {
        Some(Kind::Directory) => "directories",
        Some(Kind::File) => "files",
        None => "trees",
    };
    let words: Vec<String> = phases.iter().map(|(phase, latencies)| words(*phase, latencies)).collect();
    Picture::new(size, format!("Latencies of operations on {what}"), words.join("; ") + ".", |area| {
        frame.draw(area, "time of an operation, logarithmic")?;
        legend(area, &names, (0, 0), WIDTH - 20)?;
        for (series, points) in &curves {
            let places: Vec<_> = points.iter().map(|(ns, share)| (frame.x(*ns), frame.y(*share))).collect();
            line(area, steps(&places), colour(*series), 4)?;
            let median = points.iter().position(|(_, share)| *share >= 0.5).unwrap_or(0);
            mark(area, *series, places[median], 8)?;
        }
        Ok(())
    })
}

/// The same with a corner between points that are far apart: between two times that were measured the share does not grow.
fn steps(places: &[(i32, i32)]) -> Vec<(i32, i32)> {
    const FAR: i32 = 6;
    let corner = |pair: &[(i32, i32)]| (pair[1].0 - pair[0].0 > FAR).then_some((pair[1].0, pair[0].1));
    let first = places.first().copied();
    first
        .into_iter()
        .chain(places.windows(2).flat_map(|pair| corner(pair).into_iter().chain([pair[1]])))
        .collect()
}

/// What a phase does, without on what: the chart is of one kind of item.
fn operation(phase: Phase) -> String {
    phase.label().split_once(' ').map_or(phase.label(), |(_, operation)| operation).to_string()
}

fn words(phase: Phase, latencies: &Latencies) -> String {
    let numbers = latencies.numbers;
    let [p50, p99, max] = [numbers.p50_ns, numbers.p99_ns, numbers.max_ns].map(units::time_ns);
    format!("{}: half within {p50}, 99 % within {p99}, the longest {max}", phase.label())
}

/// The curve of these pairs of a bucket's smallest time and its count: times in nanoseconds, and the share of all that
/// took no longer than their bucket, beginning with 0; no more than `most` points, those where the share grows most.
pub fn curve(pairs: &[(u64, u64)], most: usize) -> Vec<(f64, f64)> {
    let all: f64 = pairs.iter().map(|(_, count)| *count as f64).sum();
    let mut below = 0.0;
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(pairs.len() + 1);
    for (ns, count) in pairs {
        let ns = (*ns).max(1) as f64;
        if points.is_empty() {
            points.push((ns, 0.0));
        }
        below += *count as f64;
        points.push((ns, (below / all).min(1.0)));
    }
    thinned(points, most)
}

/// Points of a rising curve that are needed to draw it: none that is nearer than a `most`-th of its share and of its
/// width (logarithmic) to the one before, but the last.
fn thinned(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else { return points };
    if points.len() <= most {
        return points;
    }
    // A path from corner to corner has at most twice as many steps as a side.
    let step = 2.0 / most as f64;
    let wide = (last.0 / first.0).ln().max(f64::MIN_POSITIVE);
    let mut kept = vec![first];
    let mut before = first;
    for point in &points[1..points.len() - 1] {
        if (point.1 - before.1) + (point.0 / before.0).ln() / wide >= step {
            kept.push(*point);
            before = *point;
        }
    }
    kept.push(last);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_to_the_whole() {
        assert_eq!(
            curve(&[(100, 1), (200, 2), (400, 1)], 300),
            [(100.0, 0.0), (100.0, 0.25), (200.0, 0.75), (400.0, 1.0)]
        );
        assert!(curve(&[], 300).is_empty());
    }

    #[test]
    fn a_long_curve_is_thinned_evenly() {
        let pairs: Vec<(u64, u64)> = (0..7000).map(|i| (100 + i * i, 1 + i % 7)).collect();
        let points = curve(&pairs, 300);
        assert!((100..=302).contains(&points.len()), "{}", points.len());
        assert_eq!((points[0].1, points[points.len() - 1].1), (0.0, 1.0));
        let far = points.windows(2).map(|pair| pair[1].1 - pair[0].1).fold(0.0, f64::max);
        assert!(far < 0.02, "{far}");
    }

    #[test]
    fn the_words_have_the_numbers() {
        let latencies = crate::result::samples::latencies(800, 20_000_000);
        let picture = picture(&[(Phase::FileStat, &latencies)], Some(Kind::File)).unwrap();
        assert!(picture.description.contains("File stat: half within 8"), "{}", picture.description);
        assert!(picture.description.contains("the longest 20.0 ms"), "{}", picture.description);
        assert_eq!(super::picture(&[(Phase::FileStat, &latencies)], None), None);
    }
}
