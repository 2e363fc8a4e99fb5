//! The verdict on each bound as text, Markdown, JSON.

use crate::analysis::criteria::bounds::Grade;
use crate::analysis::judgement::Line;
use crate::report::grid::Grid;
use crate::report::plain::{literal, plain};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// Name and version of the JSON.
pub const SCHEMA: &str = "mdtest-rs-check/1";

/// The lines as a screen, with colours if they are wanted.
pub fn text(lines: &[Line], coloured: bool) -> String {
    let mut out = String::new();
    let head = std::iter::once(Style::new().underline());
    let styles = head.chain(lines.iter().map(|line| style(line.grade)));
    for (line, style) in grid(lines, plain).text().lines().zip(styles) {
        out += &if coloured { format!("{style}{line}{style:#}\n") } else { format!("{line}\n") };
    }
    out + &summary(lines) + "\n"
}

/// The same as Markdown.
pub fn markdown(lines: &[Line]) -> String {
    format!("## {}\n\n{}", summary(lines), grid(lines, literal).markdown())
}

/// The same as JSON.
pub fn json(lines: &[Line]) -> String {
    #[derive(Serialize)]
    struct All<'a> {
        schema: &'static str,
        accepted: bool,
        lines: &'a [Line],
    }
    let all = All { schema: SCHEMA, accepted: lines.iter().all(|l| l.grade.accepted()), lines };
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

/// The whole in a sentence.
pub fn summary(lines: &[Line]) -> String {
    let count = |wanted: fn(Grade) -> bool| lines.iter().filter(|l| wanted(l.grade)).count();
    let (bad, unknown) = (count(|g| !g.accepted()), count(|g| g == Grade::Unknown));
    match (bad, unknown) {
        (0, _) => format!("Accepted: {} of {} bounds are kept", lines.len(), lines.len()),
        (_, 0) => format!("Not accepted: {bad} of {} bounds are not kept", lines.len()),
        _ => format!(
            "Not accepted: {} of {} bounds are not kept, {unknown} cannot be judged",
            bad - unknown,
            lines.len()
        ),
    }
}

fn grid(lines: &[Line], escape: fn(&str) -> String) -> Grid {
    let several = lines.iter().any(|l| l.record != lines[0].record || l.tasks != lines[0].tasks);
    let head = ["phase", "bound on", "found", "wanted", "verdict"];
    let row = |l: &Line| {
        let tasks = l.tasks.map_or(String::new(), |n| format!(", {n} tasks"));
        let record = several.then(|| escape(&l.record) + &tasks);
        let phase = l.phase.map_or("run".to_string(), |p| p.id().replace("directory", "dir"));
        let cells =
            [phase, escape(&l.measure), escape(&l.shown), escape(&l.wanted), l.grade.word().to_string()];
        record.into_iter().chain(cells).collect()
    };
    let name = several.then(|| "record".to_string());
    let found = if several { 3 } else { 2 };
    let header: Vec<String> = name.into_iter().chain(head.map(String::from)).collect();
    Grid {
        words: (0..header.len()).filter(|i| *i != found).collect(),
        header,
        rows: lines.iter().map(row).collect(),
    }
}

fn style(grade: Grade) -> Style {
    match grade {
        Grade::Good | Grade::Passed => AnsiColor::Green.on_default(),
        Grade::Fair => AnsiColor::Yellow.on_default(),
        Grade::Poor | Grade::Failed => AnsiColor::Red.on_default(),
        Grade::Unknown => AnsiColor::Magenta.on_default(),
    }
}
