//! A comparison as text, Markdown, JSON.

use crate::analysis::comparison::{Cell, Column, Comparison, Row};
use crate::analysis::condition::Tried;
use crate::analysis::difference::{Difference, Test};
use crate::analysis::verdict::Verdict;
use crate::report::grid::Grid;
use crate::report::plain::{counted, literal, plain};
use crate::result::units::rate;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// Name and version of the JSON.
pub const SCHEMA: &str = "mdtest-rs-comparison/1";

/// The comparisons and conditions as a screen, with colours if they are wanted.
pub fn text(comparisons: &[Comparison], tried: &[Tried], coloured: bool) -> String {
    let mut out = String::new();
    for (index, comparison) in comparisons.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out += &heading(comparison, plain).map_or(String::new(), |line| line + "\n");
        out += &columns(comparison, plain);
        let grid = grid(comparison, plain, |best| best + " *");
        let lines = grid.text();
        if comparison.columns.len() == 2 && coloured {
            for (line, style) in
                lines.lines().zip(std::iter::once(Style::new().underline()).chain(styles(comparison)))
            {
                out += &format!("{style}{line}{style:#}\n");
            }
        } else {
            out += &lines;
        }
        out += &legend(comparison, comparison.columns.len() == 2).map_or(String::new(), |line| line + "\n");
    }
    for line in conditions(tried) {
        out += &(plain(&line) + "\n");
    }
    out
}

/// The same as Markdown.
pub fn markdown(comparisons: &[Comparison], tried: &[Tried]) -> String {
    let mut out = String::new();
    for comparison in comparisons {
        out += &format!("## {}\n\n", heading(comparison, literal).unwrap_or("Comparison".to_string()));
        let list = columns(comparison, literal);
        out += &list.lines().map(|line| format!("- {}\n", line.trim())).collect::<String>();
        out += if list.is_empty() { "" } else { "\n" };
        out += &(grid(comparison, literal, |best| format!("**{best}**")).markdown() + "\n");
        out += &legend(comparison, comparison.columns.len() == 2)
            .map_or(String::new(), |line| line.replace('*', "bold") + "\n\n");
    }
    out + &conditions(tried).iter().map(|line| format!("- {}\n", literal(line))).collect::<String>()
}

/// The same as JSON.
pub fn json(comparisons: &[Comparison], tried: &[Tried]) -> String {
    #[derive(Serialize)]
    struct All<'a> {
        schema: &'static str,
        comparisons: &'a [Comparison],
        conditions: &'a [Tried],
    }
    let all = All { schema: SCHEMA, comparisons, conditions: tried };
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

fn heading(comparison: &Comparison, escape: fn(&str) -> String) -> Option<String> {
    let tasks = comparison.tasks.map(|n| counted(n, "task"));
    let parts: Vec<String> = comparison.workload.as_deref().map(escape).into_iter().chain(tasks).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Which records these are, and what differs.
fn columns(comparison: &Comparison, escape: fn(&str) -> String) -> String {
    let two = comparison.columns.len() == 2;
    let mut out = String::new();
    for (place, column) in comparison.columns.iter().enumerate() {
        let role = match (two, place) {
            (true, 0) => "base: ",
            (true, _) => "new:  ",
            _ if column.differs.is_empty() && column.notes.is_empty() => continue,
            _ => "",
        };
        out += &format!("{role}{}{}\n", escape(&column.name), iterations(column));
        for (lead, list) in [("differs in", &column.differs), ("note:", &column.notes)] {
            for d in list {
                out += &format!(
                    "      {lead} {}: {} against {}\n",
                    escape(&d.what),
                    escape(&d.base),
                    escape(&d.new)
                );
            }
        }
    }
    out
}

fn iterations(column: &Column) -> String {
    match column.iterations {
        None => String::new(),
        Some(1) => " (1 iteration)".to_string(),
        Some(n) => format!(" ({n} iterations)"),
    }
}

fn grid(comparison: &Comparison, escape: fn(&str) -> String, best: fn(String) -> String) -> Grid {
    if comparison.columns.len() == 2 {
        return pair(comparison);
    }
    let names = comparison.columns.iter().map(|c| escape(&c.name));
    let row = |row: &Row| {
        let cells = row.cells.iter().map(|cell| one_of_many(cell, best));
        std::iter::once(row.phase.label().to_string()).chain(cells).collect()
    };
    Grid {
        header: std::iter::once("Operation".to_string()).chain(names).collect(),
        rows: comparison.rows.iter().map(row).collect(),
        words: vec![0],
    }
}

fn one_of_many(cell: &Cell, best: fn(String) -> String) -> String {
    let Some(value) = cell.rate_per_s else { return "-".to_string() };
    let number = cell.printed.clone().unwrap_or_else(|| format!("{value:.3}"));
    let number = if cell.best { best(number) } else { number };
    let mut lines = vec![number];
    if let Some(difference) = &cell.rate {
        lines.push(ratio(difference));
    }
    match &cell.verdict {
        None | Some(Verdict::Single | Verdict::Noisy { .. }) => {}
        Some(verdict) => lines.push(verdict.word().to_string()),
    }
    if cell.failed > 0 {
        lines.push(format!("{} failed", cell.failed));
    }
    lines.join("\n")
}

/// `×1.10`.
pub fn ratio(difference: &Difference) -> String {
    match difference.ratio {
        r if r >= 99.5 => format!("×{r:.0}"),
        r if r < 0.01 => format!("×{r:.4}"),
        r => format!("×{r:.2}"),
    }
}

/// Two records: base, new, difference, latencies, verdict.
fn pair(comparison: &Comparison) -> Grid {
    let head = ["phase", "base", "new", "ratio", "difference", "95 %", "p50", "p99", "verdict"];
    let shown = |cell: &Cell| cell.rate_per_s.map_or("-".to_string(), rate);
    let row = |row: &Row| {
        let (base, new) = (&row.cells[0], &row.cells[1]);
        let of = |d: &Option<Difference>| d.as_ref().map_or("-".to_string(), ratio);
        let mut words = new.verdict.map_or("not in both".to_string(), |v| v.words());
        if new.rate.as_ref().is_some_and(|d| d.test == Some(Test::Windows)) {
            words = format!("~ {words}");
        }
        if base.failed > 0 || new.failed > 0 {
            words += &format!("; {} and {} failed", base.failed, new.failed);
        }
        vec![
            row.phase.id().replace("directory", "dir"),
            shown(base),
            shown(new),
            of(&new.rate),
            new.rate.as_ref().map_or("-".to_string(), |d| signed(d.share)),
            new.rate.as_ref().map_or("-".to_string(), interval),
            of(&new.p50),
            of(&new.p99),
            words,
        ]
    };
    Grid {
        header: head.map(String::from).to_vec(),
        rows: comparison.rows.iter().map(row).collect(),
        words: vec![0, 8],
    }
}

/// A share with its sign: `+10 %`.
pub fn signed(share: f64) -> String {
    if share.abs() < 0.0995 {
        format!("{:+.1} %", 100.0 * share)
    } else {
        format!("{:+.0} %", 100.0 * share)
    }
}

/// Its interval: `+7.0 … +13 %`, with a `~` where it is of windows; a dash for none.
pub fn interval(difference: &Difference) -> String {
    let (Some(low), Some(high)) = (difference.low, difference.high) else { return "-".to_string() };
    let mark = if difference.test == Some(Test::Windows) { "~ " } else { "" };
    let end = |share: f64| signed(share).trim_end_matches(" %").to_string();
    format!("{mark}{} … {}", end(low), signed(high))
}

fn styles(comparison: &Comparison) -> impl Iterator<Item = Style> + '_ {
    comparison.rows.iter().map(|row| match row.cells[1].verdict {
        Some(Verdict::Faster { .. }) => AnsiColor::Green.on_default(),
        Some(Verdict::Slower { .. }) => AnsiColor::Red.on_default(),
        Some(Verdict::Noisy { .. }) => AnsiColor::Yellow.on_default(),
        _ => Style::new(),
    })
}

/// What the numbers are, with verdicts or without.
pub fn legend(comparison: &Comparison, verdicts: bool) -> Option<String> {
    if !verdicts {
        return Some("× is the rate over the first column's; * is the best of its row; faster, slower and same where it can be told".to_string());
    }
    let later = || comparison.rows.iter().flat_map(|row| row.cells.iter().skip(1));
    let tests: Vec<Test> = later().filter_map(|cell| cell.rate?.test).collect();
    let family = comparison.rows.iter().filter(|row| row.cells.iter().any(|c| c.rate.is_some())).count();
    let mut ways = Vec::new();
    for (test, words) in [
        (Test::Welch, "Welch's t over iterations"),
        (Test::Permutation, "a permutation test over iterations"),
        (
            Test::Windows,
            "Welch's t over the windows of one iteration (~), which does not know how iterations differ",
        ),
    ] {
        if tests.contains(&test) {
            ways.push(words);
        }
    }
    (!ways.is_empty()).then(|| {
        format!(
            "Verdicts on rates by {}, corrected for {family} phases (Holm); p50 and p99 as ratios.",
            ways.join(", ")
        )
    })
}

/// A line for each condition, and one for each place where it is met.
fn conditions(tried: &[Tried]) -> Vec<String> {
    let mut lines = Vec::new();
    for t in tried {
        let state = if t.met.is_empty() { "not met" } else { "MET" };
        lines.push(format!("--fail-if '{}': {state}", t.condition));
        lines.extend(t.met.iter().map(|line| format!("  {line}")));
    }
    lines
}
