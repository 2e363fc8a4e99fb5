//! A drawing with its words: within a page, or as a file.

use plotters::coord::Shift;
use plotters::prelude::*;

/// What charts are drawn on. Units are half a pixel of a page.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Why a chart could not be drawn.
pub type Failure =
    DrawingAreaErrorKind<<SVGBackend<'static> as plotters::backend::DrawingBackend>::ErrorType>;

/// Text and important lines.
pub const INK: RGBColor = RGBColor(0x1a, 0x1d, 0x21);
/// Axes' labels, less important lines.
pub const FAINT: RGBColor = RGBColor(0x5b, 0x63, 0x6c);
/// Grid.
pub const GRID: RGBColor = RGBColor(0xdd, 0xe1, 0xe6);
/// Shade of a time that is not the steady one.
pub const SHADE: RGBColor = RGBColor(0x8a, 0x93, 0x9d);
/// Shade of a dip, and what is slow.
pub const ALARM: RGBColor = RGBColor(0xd4, 0x5d, 0x01);
/// Series: Okabe & Ito, "Color Universal Design" (2008), without the two that are too light on white.
pub const SERIES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x10, 0x10, 0x10),
];
/// Dashes of the series' lines, so that nobody needs colours: lengths of strokes and gaps, none for a whole line.
const DASHES: [&str; 6] = ["", "18 8", "5 6", "22 7 5 7", "34 8", "12 5 4 5 4 5"];

/// A chart and what it shows in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What it is.
    pub title: String,
    /// Its main numbers, in words.
    pub description: String,
    /// Width, half pixels.
    pub width: u32,
    height: u32,
    drawing: String,
}

impl Picture {
    /// Draws it; `None` where that fails.
    pub fn new(
        size: (u32, u32),
        title: String,
        description: String,
        paint: impl FnOnce(&Area) -> Result<(), Failure>,
    ) -> Option<Self> {
        let mut drawing = String::new();
        {
            let area = SVGBackend::with_string(&mut drawing, size).into_drawing_area();
            paint(&area).ok()?;
            area.present().ok()?;
        }
        Some(Picture { title, description, width: size.0, height: size.1, drawing: with_dashes(&drawing) })
    }

    /// As a part of a page: colours are the page's, sizes give way. `id` begins the ids of title and description.
    pub fn within_page(&self, id: &str) -> String {
        let names =
            [("--ink", INK), ("--faint", FAINT), ("--grid", GRID), ("--shade", SHADE), ("--alarm", ALARM)];
        let mut drawing = self.with_words(id);
        let series = SERIES.iter().enumerate().map(|(index, colour)| (format!("--s{index}"), *colour));
        let names = names.into_iter().map(|(name, colour)| (name.to_string(), colour));
        for (name, colour) in names.chain(series) {
            drawing = drawing.replace(&hexadecimal(colour), &format!("\"var({name})\""));
        }
        drawing
    }

    /// As a file: with its own colours on white, with a margin.
    pub fn alone(&self) -> String {
        const MARGIN: u32 = 40;
        let (width, height) = (self.width + 2 * MARGIN, self.height + 2 * MARGIN);
        let drawn = format!("viewBox=\"0 0 {} {}\"", self.width, self.height);
        let sized = format!(
            "width=\"{}\" height=\"{}\" viewBox=\"-{MARGIN} -{MARGIN} {width} {height}\"",
            width / 2,
            height / 2
        );
        let end = "</desc>\n";
        let paper = format!(
            "{end}<rect x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
        );
        self.with_words("chart").replacen(&drawn, &sized, 1).replacen(end, &paper, 1)
    }

    /// The drawing with title and description, and a view box in place of a size.
    fn with_words(&self, id: &str) -> String {
        let Some((head, body)) = self.drawing.split_once(">\n") else { return String::new() };
        let view = head.split_once("viewBox=").map_or("", |(_, rest)| rest);
        let (title, description) = (escaped(&self.title), escaped(&self.description));
        format!(
            "<svg role=\"img\" aria-labelledby=\"{id}-t {id}-d\" viewBox={view}>\n\
             <title id=\"{id}-t\">{title}</title>\n<desc id=\"{id}-d\">{description}</desc>\n{body}"
        )
    }
}

/// The attribute's value that plotters writes for a colour, with its quotes; in texts quotes are escaped.
fn hexadecimal(colour: RGBColor) -> String {
    format!("\"#{:02X}{:02X}{:02X}\"", colour.0, colour.1, colour.2)
}

/// The lines of each series with its dashes.
fn with_dashes(drawing: &str) -> String {
    let dashed = |line: &str| {
        let series = SERIES.iter().zip(DASHES).find(|(colour, dashes)| {
            !dashes.is_empty() && line.contains(&format!("stroke={}", hexadecimal(**colour)))
        });
        match series {
            Some((_, dashes)) if line.starts_with("<polyline") => {
                line.replacen("<polyline", &format!("<polyline stroke-dasharray=\"{dashes}\""), 1)
            }
            _ => line.to_string(),
        }
    };
    drawing.lines().map(|line| dashed(line) + "\n").collect()
}

/// Text for XML.
fn escaped(text: &str) -> String {
    let text = crate::report::plain::plain(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Picture {
        Picture::new((100, 50), "A & <b>".into(), "one".into(), |area| {
            area.draw(&PathElement::new(vec![(0, 0), (100, 50)], SERIES[1].stroke_width(4)))?;
            area.draw(&Text::new("\"#D55E00\" <i>", (0, 0), ("sans-serif", 20).into_font()))
        })
        .unwrap()
    }

    #[test]
    fn a_page_gets_its_colours_and_words() {
        let svg = line().within_page("x");
        assert!(
            svg.starts_with("<svg role=\"img\" aria-labelledby=\"x-t x-d\" viewBox=\"0 0 100 50\" xmlns="),
            "{svg}"
        );
        assert!(
            svg.contains("<title id=\"x-t\">A &amp; &lt;b&gt;</title>\n<desc id=\"x-d\">one</desc>"),
            "{svg}"
        );
        assert!(
            svg.contains("<polyline stroke-dasharray=\"18 8\"") && svg.contains("stroke=\"var(--s1)\""),
            "{svg}"
        );
        assert!(svg.contains("&quot;#D55E00&quot; &lt;i&gt;") && svg.trim_end().ends_with("</svg>"), "{svg}");
    }

    #[test]
    fn a_file_has_colours_of_its_own() {
        let svg = line().alone();
        assert!(svg.contains(" width=\"90\" height=\"65\" viewBox=\"-40 -40 180 130\""), "{svg}");
        assert!(
            svg.contains("#FFFFFF") && svg.contains("stroke=\"#D55E00\"") && !svg.contains("var("),
            "{svg}"
        );
    }

    #[test]
    fn colours_differ_so_that_each_can_be_told() {
        let mut all: Vec<String> =
            [INK, FAINT, GRID, SHADE, ALARM].iter().chain(&SERIES).map(|c| hexadecimal(*c)).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 11);
    }
}
