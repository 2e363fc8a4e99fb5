//! Marks of series, which differ in shape as well as in colour, texts, and the legend.

use crate::namespace::phase::Phase;
use crate::report::chart::picture::{Area, Failure, INK, SERIES};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Height of text, half pixels.
pub const FONT: i32 = 23;
/// plotters writes a font's size divided by this.
const FONT_SCALE: f64 = 1.24;
/// Height of a row of the legend.
const LEGEND_ROW: i32 = 40;

/// The series of a phase: the same operation looks the same in every chart.
pub fn series_of(phase: Phase) -> usize {
    match phase {
        Phase::DirectoryCreate | Phase::FileCreate | Phase::TreeCreate => 0,
        Phase::DirectoryRemove | Phase::FileRemove | Phase::TreeRemove => 1,
        Phase::DirectoryStat | Phase::FileStat => 2,
        Phase::DirectoryRead | Phase::FileRead => 3,
        Phase::DirectoryRename => 4,
    }
}

/// The colour of a series.
pub fn colour(series: usize) -> RGBColor {
    SERIES[series % SERIES.len()]
}

/// The mark of a series at `(x, y)`, `r` half pixels from its middle to its edge.
///
/// # Errors
/// Those of plotters.
pub fn mark(area: &Area, series: usize, (x, y): (i32, i32), r: i32) -> Result<(), Failure> {
    let fill = colour(series).filled();
    let polygon = |points: Vec<(i32, i32)>| area.draw(&Polygon::new(points, fill));
    // Where there are more series than colours, shapes come with other colours.
    match (series + series / SERIES.len()) % SERIES.len() {
        0 => area.draw(&Circle::new((x, y), r, fill)),
        1 => polygon(vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]),
        2 => polygon(vec![(x, y - r - 1), (x + r + 1, y + r), (x - r - 1, y + r)]),
        3 => polygon(vec![(x, y - r - 3), (x + r + 3, y), (x, y + r + 3), (x - r - 3, y)]),
        4 => polygon(vec![(x, y + r + 1), (x - r - 1, y - r), (x + r + 1, y - r)]),
        _ => area.draw(&Circle::new((x, y), r, colour(series).stroke_width(4))),
    }
}

/// A line through `points`, half pixels.
///
/// # Errors
/// Those of plotters.
pub fn line(area: &Area, points: Vec<(i32, i32)>, colour: RGBColor, width: u32) -> Result<(), Failure> {
    area.draw(&PathElement::new(points, colour.stroke_width(width)))
}

/// Where a text stands to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Begins at it.
    Right,
    /// Ends at it.
    Left,
    /// Is centred on it.
    Over,
}

/// A text with its middle at the height `y`.
///
/// # Errors
/// Those of plotters.
pub fn text(area: &Area, text: &str, at: (i32, i32), side: Side, colour: RGBColor) -> Result<(), Failure> {
    let horizontal = match side {
        Side::Right => HPos::Left,
        Side::Left => HPos::Right,
        Side::Over => HPos::Center,
    };
    let style = TextStyle::from(("sans-serif", f64::from(FONT) * FONT_SCALE).into_font());
    let style = style.color(&colour).pos(Pos::new(horizontal, VPos::Center));
    area.draw(&Text::new(text.to_string(), at, style))
}

/// About how wide a text is, half pixels.
pub fn width(text: &str) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 100).min(1000) * FONT * 56 / 100
}

/// The height of the legend for `names` in so much width.
pub fn legend_height(names: &[(String, usize)], within: i32) -> i32 {
    places(names, within).last().map_or(0, |(_, y)| y + LEGEND_ROW)
}

/// The legend: a stroke and a mark of each series with its name, from `corner` on, in rows.
///
/// # Errors
/// Those of plotters.
pub fn legend(
    area: &Area,
    names: &[(String, usize)],
    corner: (i32, i32),
    within: i32,
) -> Result<(), Failure> {
    for ((name, series), (x, y)) in names.iter().zip(places(names, within)) {
        let (x, y) = (x + corner.0, y + corner.1 + LEGEND_ROW / 2);
        line(area, vec![(x, y), (x + 54, y)], colour(*series), 4)?;
        mark(area, *series, (x + 27, y), 7)?;
        text(area, name, (x + 66, y), Side::Right, INK)?;
    }
    Ok(())
}

fn places(names: &[(String, usize)], within: i32) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (0, 0);
    let place = |(name, _): &(String, usize)| {
        let wide = 66 + width(name) + 36;
        if x > 0 && x + wide > within {
            (x, y) = (0, y + LEGEND_ROW);
        }
        let here = (x, y);
        x += wide;
        here
    };
    names.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_breaks_into_rows() {
        let names = |count: usize| vec![("File creation".to_string(), 0); count];
        assert_eq!(legend_height(&[], 1000), 0);
        assert_eq!(legend_height(&names(3), 1000), LEGEND_ROW);
        assert_eq!(legend_height(&names(5), 1000), 2 * LEGEND_ROW);
    }
}
