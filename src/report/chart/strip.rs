//! Nodes or tasks of each phase on a strip: a mark each at its time over the median task's, the slow ones named.

use crate::archive::PhaseOutcome;
use crate::namespace::phase::Phase;
use crate::report::chart::frame::{Frame, BELOW};
use crate::report::chart::marks::{line, text, width, Side};
use crate::report::chart::picture::{Area, Failure, Picture, ALARM, FAINT, GRID, INK, SERIES};
use crate::report::chart::scale::{drawable, multiple, Scale};
use crate::report::plain::{count, counted, shortened};
use plotters::prelude::*;
use std::collections::BTreeMap;

const WIDTH: i32 = 1500;
/// Height of a phase's strip, half pixels.
const ROW: i32 = 60;
/// Marks of a strip; more are drawn as columns, each for those in its part of the axis.
const MOST_MARKS: usize = 150;
/// Width of a column, half pixels.
const COLUMN: i32 = 6;
/// Names at a strip, their letters but for a single name, and room for them, half pixels.
const MOST_NAMES: usize = 2;
const MOST_LETTERS: usize = 30;
const MOST_ROOM: i32 = 620;
/// Phases that are over sooner, seconds, say nothing of nodes and tasks.
const LASTING_S: f64 = 0.001;

/// What the marks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Nodes at the mean time of their tasks.
    Nodes,
    /// Tasks at their time.
    Tasks,
}

/// A strip: times over the median, and above what they are slow.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The phase.
    pub phase: Phase,
    /// Name, time over the median task's time, and whether it is slow; the slowest first.
    pub marks: Vec<(String, f64, bool)>,
    /// Shortest and longest task, over the median.
    pub ends: (f64, f64),
    /// Above this, over the median, a task is slow.
    pub slow_above: f64,
}

/// The strip of a phase; `None` where it is too short or nothing is known.
pub fn strip(outcome: &PhaseOutcome, what: Marks) -> Option<Strip> {
    let tasks = outcome.tasks.as_ref().filter(|t| t.median_s > 0.0 && t.max_s >= LASTING_S)?;
    let over = |s: f64| Some(s / tasks.median_s).filter(|ratio| drawable(*ratio));
    let mut marks: Vec<(String, f64, bool)> = match what {
        Marks::Nodes => {
            let working = outcome.nodes.iter().filter(|n| n.tasks > 0);
            let mark = working
                .map(|n| Some((shortened(&n.host, 20), over(n.mean_s)?, n.rate_without_per_s.is_some())));
            mark.flatten().collect()
        }
        Marks::Tasks => {
            let name = |rank: u64, host: &str| format!("rank {rank} on {}", shortened(host, 18));
            let mark = tasks.details.iter().map(|t| {
                Some((name(t.task.rank, &t.task.host), over(t.done_s)?, t.done_s > tasks.slow_above_s))
            });
            mark.flatten().collect()
        }
    };
    marks.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ends = (over(tasks.min_s)?, over(tasks.max_s)?);
    (!marks.is_empty()).then_some(Strip {
        phase: outcome.phase,
        marks,
        ends,
        slow_above: over(tasks.slow_above_s)?,
    })
}

/// The chart of these strips; `None` where there are none.
pub fn picture(strips: &[Strip], what: Marks) -> Option<Picture> {
    let times =
        || strips.iter().flat_map(|s| [s.ends.0, s.ends.1].into_iter().chain(s.marks.iter().map(|m| m.1)));
    let (smallest, largest) = (times().min_by(f64::total_cmp)?, times().max_by(f64::total_cmp)?);
    let across = if largest > 8.0 {
        Scale::logarithmic(smallest.max(0.01), largest, multiple)
    } else {
        Scale::from_zero(largest.max(1.3), multiple)
    };
    let left = strips.iter().map(|s| width(s.phase.label())).max().unwrap_or(0) + 24;
    let rows = i32::try_from(strips.len()).unwrap_or(0) * ROW;
    // Names stand on the right of the slowest mark, which may be at the right end.
    let room = strips.iter().map(|s| width(&names(s))).max().unwrap_or(0).min(MOST_ROOM) + 40;
    let frame = Frame { edges: (left, 10, WIDTH - room, 10 + rows), across, up: None };
    let title = match what {
        Marks::Nodes => "Nodes: mean time of their tasks, over the median task's",
        Marks::Tasks => "Tasks: their time, over the median task's",
    };
    let words: Vec<String> = strips.iter().map(|strip| words(strip, what)).collect();
    let size = (WIDTH.unsigned_abs(), (10 + rows + BELOW).unsigned_abs());
    Picture::new(size, title.to_string(), words.join("; ") + ".", |area| {
        frame.draw(area, "time ÷ median time of a task")?;
        let mut y = 10 + ROW / 2;
        for strip in strips {
            text(area, strip.phase.label(), (left - 18, y), Side::Left, INK)?;
            row(area, &frame, strip, y)?;
            y += ROW;
            line(area, vec![(left, y - ROW / 2), (frame.edges.2, y - ROW / 2)], GRID, 1)?;
        }
        Ok(())
    })
}

fn row(area: &Area, frame: &Frame, strip: &Strip, y: i32) -> Result<(), Failure> {
    line(area, vec![(frame.x(strip.ends.0), y), (frame.x(strip.ends.1), y)], GRID, 6)?;
    let x = frame.x(strip.slow_above);
    if strip.slow_above <= strip.ends.1.max(1.3) * 1.5 {
        line(area, vec![(x, y - 22), (x, y + 22)], FAINT, 2)?;
    }
    let (slow, others): (Vec<_>, Vec<_>) = strip.marks.iter().partition(|mark| mark.2);
    if others.len() <= MOST_MARKS {
        for (index, (_, times, _)) in others.iter().enumerate() {
            // Marks at one place are moved up and down, so that each is seen.
            let aside = [0, -9, 9, -18, 18][index % 5];
            area.draw(&Circle::new((frame.x(*times), y + aside), 5, SERIES[0].mix(0.7).filled()))?;
        }
    } else {
        let places: Vec<i32> = others.iter().map(|mark| frame.x(mark.1)).collect();
        for (x, height) in columns(&places) {
            let high = pixels(3.0 + 21.0 * height);
            line(area, vec![(x, y - high), (x, y + high)], SERIES[0], COLUMN.unsigned_abs())?;
        }
    }
    let drawn = slow.len().min(MOST_MARKS);
    for (_, times, _) in slow.iter().take(drawn) {
        let (x, r) = (frame.x(*times), 10);
        area.draw(&Polygon::new(
            vec![(x, y - r - 3), (x + r + 3, y), (x, y + r + 3), (x - r - 3, y)],
            ALARM.filled(),
        ))?;
    }
    match slow.first() {
        Some(slowest) => text(area, &names(strip), (frame.x(slowest.1) + 22, y), Side::Right, INK),
        None => Ok(()),
    }
}

/// The names of the slowest, and how many more there are.
fn names(strip: &Strip) -> String {
    let slow: Vec<&str> = strip.marks.iter().filter(|mark| mark.2).map(|mark| mark.0.as_str()).collect();
    let letters = |names: &[&str]| names.iter().map(|name| name.chars().count()).sum::<usize>();
    let shown = (1..=MOST_NAMES.min(slow.len())).rfind(|n| *n == 1 || letters(&slow[..*n]) <= MOST_LETTERS);
    let names = slow[..shown.unwrap_or(0)].join(", ");
    match slow.len() - shown.unwrap_or(0) {
        0 => names,
        more => format!("{names} and {} more", count(more as u64)),
    }
}

/// Of places: the middles of columns that hold some, and for their height how many: √(count ÷ largest count).
fn columns(places: &[i32]) -> Vec<(i32, f64)> {
    let mut counts: BTreeMap<i32, u32> = BTreeMap::new();
    places.iter().for_each(|x| *counts.entry(x.div_euclid(COLUMN)).or_default() += 1);
    let most = counts.values().copied().max().unwrap_or(1);
    let height = |count: u32| (f64::from(count) / f64::from(most)).sqrt();
    counts.into_iter().map(|(column, count)| (column * COLUMN + COLUMN / 2, height(count))).collect()
}

#[allow(clippy::cast_possible_truncation)] // within the picture
fn pixels(value: f64) -> i32 {
    value.round() as i32
}

fn words(strip: &Strip, what: Marks) -> String {
    let noun = if what == Marks::Nodes { "node" } else { "task" };
    let slow: Vec<String> = strip
        .marks
        .iter()
        .filter(|mark| mark.2)
        .map(|(name, times, _)| format!("{name} at {times:.2} times the median"))
        .collect();
    let shown = counted(strip.marks.len() as u64, noun);
    let first = slow.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    match slow.len() {
        0 => format!("{}: {shown}, none slow", strip.phase.label()),
        1..=3 => format!("{}: {shown}, slow {first}", strip.phase.label()),
        n => format!("{}: {shown}, {n} slow: {first} and others", strip.phase.label()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_marks_become_columns() {
        let places: Vec<i32> = (0..7800).map(|i| 100 + i % 900).collect();
        assert_eq!(columns(&places).len(), 151);
        assert_eq!(columns(&[7, 7, 0, 1, 2, 3, 4, 5, 5, 5]), [(3, 1.0), (9, 0.5)]);
    }

    #[test]
    fn the_slow_ones_are_named() {
        let marks = (0..2000).map(|i| (format!("n{i}"), if i == 0 { 3.0 } else { 1.0 }, i == 0)).collect();
        let strip = Strip { phase: Phase::FileCreate, marks, ends: (0.9, 3.2), slow_above: 1.2 };
        let picture = picture(&[strip], Marks::Nodes).unwrap();
        assert_eq!(picture.description, "File creation: 2,000 nodes, slow n0 at 3.00 times the median.");
        let svg = picture.alone();
        assert!(svg.contains(">\nn0\n<") && svg.len() < 20_000, "{}", svg.len());
    }
}
