//! The frame of a chart: two axes with their ticks and the grid.

use crate::report::chart::marks::{line, text, Side, FONT};
use crate::report::chart::picture::{Area, Failure, FAINT, GRID};
use crate::report::chart::scale::Scale;

/// Where a chart's values lie, half pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Left, top, right and bottom edge of the plane.
    pub edges: (i32, i32, i32, i32),
    /// The axis below.
    pub across: Scale,
    /// The axis on the left; rows have none.
    pub up: Option<Scale>,
}

impl Frame {
    /// Where a value of the axis below lies.
    pub fn x(&self, value: f64) -> i32 {
        between(self.edges.0, self.edges.2, self.across.place(value))
    }

    /// Where a value of the axis on the left lies.
    pub fn y(&self, value: f64) -> i32 {
        between(self.edges.3, self.edges.1, self.up.as_ref().map_or(0.0, |up| up.place(value)))
    }

    /// Draws the grid, the ticks, and what the axis below is.
    ///
    /// # Errors
    /// Those of plotters.
    pub fn draw(&self, area: &Area, across_is: &str) -> Result<(), Failure> {
        let (left, top, right, bottom) = self.edges;
        for (value, label) in &self.across.ticks {
            let x = self.x(*value);
            line(area, vec![(x, top), (x, bottom)], GRID, 2)?;
            text(area, label, (x, bottom + 8 + FONT / 2), Side::Over, FAINT)?;
        }
        for (value, label) in self.up.iter().flat_map(|up| &up.ticks) {
            let y = self.y(*value);
            line(area, vec![(left, y), (right, y)], GRID, 2)?;
            text(area, label, (left - 12, y), Side::Left, FAINT)?;
        }
        line(area, vec![(left, bottom), (right, bottom)], FAINT, 2)?;
        text(area, across_is, (right, bottom + 18 + FONT + FONT / 2), Side::Left, FAINT)
    }
}

/// Room below a frame for ticks and the axis' name.
pub const BELOW: i32 = 2 * FONT + 28;

#[allow(clippy::cast_possible_truncation)] // shares are 0 … 1, edges a few thousand
fn between(from: i32, to: i32, share: f64) -> i32 {
    from + (f64::from(to - from) * share).round() as i32
}
