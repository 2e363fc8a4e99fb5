//! Rates over numbers of nodes or tasks: a chart a phase, a line for each number of tasks on a node.

use crate::namespace::phase::Phase;
use crate::report::chart::frame::{Frame, BELOW};
use crate::report::chart::marks::{colour, legend, legend_height, line, mark, text, Side, FONT};
use crate::report::chart::picture::{Area, Failure, Picture, INK};
use crate::report::chart::rates::{known, reach};
use crate::report::chart::scale::{rate, Scale};
use crate::report::entries::Group;
use crate::report::plain::counted;
use crate::result::units;

/// Width and height of a plane, half pixels.
const WIDTH: i32 = 1040;
const PLANE: i32 = 360;
const LEFT: i32 = 130;
/// Room for the phase's name, where a picture has several.
const NAME: i32 = FONT + 20;

/// What the entries' sizes are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Across {
    /// Nodes; the lines are of equal tasks on a node.
    Nodes,
    /// Tasks, where nodes are not known or do not differ: one line.
    Tasks,
}

/// A size, the rate there, and the ends of its interval.
pub type Point = (u64, f64, Option<(f64, f64)>);
/// A line: its name, and its points by size.
pub type Curve = (String, Vec<Point>);

/// What the group's sizes are counted in.
pub fn across(group: &Group) -> Across {
    let nodes: Option<Vec<u64>> = group.entries.iter().map(|e| e.tasks_per_node().and(e.nodes())).collect();
    match nodes {
        Some(nodes) if nodes.iter().any(|n| *n != nodes[0]) => Across::Nodes,
        _ => Across::Tasks,
    }
}

/// The lines of a phase; empty where nothing is known.
pub fn curves(group: &Group, phase: Phase) -> Vec<Curve> {
    let across = across(group);
    let mut curves: Vec<(u64, Curve)> = Vec::new();
    for entry in &group.entries {
        let size = if across == Across::Nodes { entry.nodes() } else { entry.tasks() };
        let summary = entry.result.of(phase).and_then(|s| s.rate_per_s.as_ref());
        let (Some(size), Some((mean, interval))) = (size, summary.and_then(known)) else { continue };
        let each = if across == Across::Nodes { entry.tasks_per_node().unwrap_or(0) } else { 0 };
        let point = (size, mean, interval);
        match curves.iter_mut().find(|(tasks, _)| *tasks == each) {
            Some((_, curve)) => curve.1.push(point),
            None => {
                let name = if each > 0 { format!("{} a node", counted(each, "task")) } else { String::new() };
                curves.push((each, (name, vec![point])));
            }
        }
    }
    curves.sort_by_key(|(each, _)| *each);
    curves.iter_mut().for_each(|(_, curve)| curve.1.sort_by_key(|point| point.0));
    curves.into_iter().map(|(_, curve)| curve).collect()
}

/// The phases that have a line of two points at least.
pub fn phases(group: &Group) -> Vec<Phase> {
    let scales = |phase: &Phase| curves(group, *phase).iter().any(|(_, points)| points.len() > 1);
    Phase::ALL.into_iter().filter(scales).collect()
}

/// The chart of a phase; `None` where nothing is known.
pub fn picture(group: &Group, phase: Phase) -> Option<Picture> {
    let curves = curves(group, phase);
    let panel = Panel::of(&curves, across(group), phase, 0)?;
    let size = (WIDTH.unsigned_abs(), panel.height().unsigned_abs());
    Picture::new(size, panel.title(), words(&curves, panel.across), |area| panel.draw(area, &curves))
}

/// All phases in one picture, two beside each other; `None` where there are none.
pub fn pictures(group: &Group) -> Option<Picture> {
    let across = across(group);
    let of = |phase: Phase| {
        let curves = curves(group, phase);
        Some((Panel::of(&curves, across, phase, NAME)?, curves))
    };
    let panels: Vec<(Panel, Vec<Curve>)> = phases(group).into_iter().filter_map(of).collect();
    let height = panels.iter().map(|(panel, _)| panel.height()).max()?;
    let words: Vec<String> = panels
        .iter()
        .map(|(panel, curves)| format!("{}: {}", panel.phase.label(), words(curves, across)))
        .collect();
    let columns = panels.len().min(2);
    let rows = panels.len().div_ceil(2);
    let many = |n: usize| u32::try_from(n).unwrap_or(1);
    let size = (WIDTH.unsigned_abs() * many(columns), height.unsigned_abs() * many(rows));
    Picture::new(size, "Rates over sizes".to_string(), words.join(" "), |area| {
        for (part, (panel, curves)) in area.split_evenly((rows, columns)).iter().zip(&panels) {
            text(part, panel.phase.label(), (0, FONT / 2 + 2), Side::Right, INK)?;
            panel.draw(part, curves)?;
        }
        Ok(())
    })
}

/// The layout of a chart.
struct Panel {
    phase: Phase,
    across: Across,
    names: Vec<(String, usize)>,
    head: i32,
    frame: Frame,
}

impl Panel {
    /// `head` half pixels from the upper edge on.
    fn of(curves: &[Curve], across: Across, phase: Phase, head: i32) -> Option<Panel> {
        let points = || curves.iter().flat_map(|(_, points)| points);
        let (least, most) = (points().map(|p| p.0).min()?, points().map(|p| p.0).max()?);
        let high = reach(points().map(|point| (point.1, point.2)))?;
        let names = curves.iter().enumerate().map(|(i, curve)| (curve.0.clone(), i));
        let names: Vec<_> = names.filter(|(name, _)| !name.is_empty()).collect();
        let top = head + legend_height(&names, WIDTH - 20) + 14;
        let frame = Frame {
            edges: (LEFT, top, WIDTH - 50, top + PLANE),
            across: Scale::doubling(least, most),
            up: Some(Scale::from_zero(high, rate)),
        };
        Some(Panel { phase, across, names, head, frame })
    }

    fn height(&self) -> i32 {
        self.frame.edges.3 + BELOW + 20
    }

    fn title(&self) -> String {
        let what = if self.across == Across::Nodes { "nodes" } else { "tasks" };
        format!("{}: operations per second over {what}", self.phase.label())
    }

    fn draw(&self, area: &Area, curves: &[Curve]) -> Result<(), Failure> {
        let frame = &self.frame;
        frame.draw(area, if self.across == Across::Nodes { "nodes" } else { "tasks" })?;
        legend(area, &self.names, (0, self.head), WIDTH - 20)?;
        for (series, (_, points)) in curves.iter().enumerate() {
            let places: Vec<_> =
                points.iter().map(|(n, mean, _)| (frame.x(*n as f64), frame.y(*mean))).collect();
            for ((x, _), (_, _, interval)) in places.iter().zip(points) {
                if let Some((low, high)) = interval {
                    line(area, vec![(*x, frame.y(*low)), (*x, frame.y(*high))], INK, 2)?;
                }
            }
            let through = means(points).into_iter().map(|(n, mean)| (frame.x(n), frame.y(mean)));
            line(area, through.collect(), colour(series), 4)?;
            places.into_iter().try_for_each(|place| mark(area, series, place, 9))?;
        }
        Ok(())
    }
}

/// The mean rate at each size, where several runs were of one size.
fn means(points: &[Point]) -> Vec<(f64, f64)> {
    let of_one_size = points.chunk_by(|a, b| a.0 == b.0);
    of_one_size.map(|at| (at[0].0 as f64, at.iter().map(|p| p.1).sum::<f64>() / at.len() as f64)).collect()
}

fn words(curves: &[Curve], across: Across) -> String {
    let noun = if across == Across::Nodes { "node" } else { "task" };
    let curve = |(name, points): &Curve| {
        let said = |(n, mean, _): &Point| format!("{} at {}", units::rate(*mean), counted(*n, noun));
        let points = points.iter().map(said).collect::<Vec<_>>().join(", ");
        if name.is_empty() {
            points
        } else {
            format!("with {name} {points}")
        }
    };
    curves.iter().map(curve).collect::<Vec<_>>().join("; ") + "."
}
