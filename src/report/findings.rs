//! The screen of findings: a row a phase, then a few sentences; 80 columns.
//!
//! Its rates are the true ones: mdtest's own count one tree of many under -u, and under -S each task's share as if all removed.

use crate::namespace::phase::Phase;
use crate::report::plain;
use crate::result::findings::{About, Finding};
use crate::result::interval::Method;
use crate::result::outcome::PhaseOutcome;
use crate::result::record::TaskCount;
use crate::result::statistics::PhaseSummary;
use crate::result::units::{percent, rate, time_ns};
use anstyle::{AnsiColor, Style};
use comfy_table::{presets::NOTHING, CellAlignment, ContentArrangement, Table};

/// Columns of the screen.
const WIDTH: usize = 80;
/// Sentences at most.
const SENTENCES: usize = 5;
/// Columns of the name of a slow task or node.
const NAME: usize = 14;
/// Tails below this share are not worth a number.
const TAIL: f64 = 0.005;
/// Of phases that are over sooner, seconds, it says nothing how tasks compare.
const LASTING_S: f64 = 0.001;

/// The screen for one number of tasks, with colours if they are wanted.
pub fn screen(result: &TaskCount, coloured: bool) -> String {
    let rows: Vec<&PhaseSummary> = result.statistics.iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    let paint = |style: Style, text: &str| {
        if coloured && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    };
    let bold = Style::new().bold();
    let mut out = paint(bold, &title(result)) + "\n";
    for (index, line) in table(result, &rows).lines().enumerate() {
        let failed = index > 0 && rows.get(index - 1).is_some_and(|s| failures(result, s.phase) > 0);
        let style = match (index, failed) {
            (0, _) => Style::new().underline(),
            (_, true) => AnsiColor::Red.on_default(),
            _ => Style::new(),
        };
        out += &(paint(style, line.trim_end()) + "\n");
    }
    if rows.iter().any(|s| method(s) == Some(Method::BlockBootstrap)) {
        out += "~ of the one iteration's windows, by block bootstrap; ± over iterations\n";
    }
    for finding in result.findings.iter().take(SENTENCES) {
        out += &(paint(colour(finding), &sentence(finding)) + "\n");
    }
    match result.findings.len().saturating_sub(SENTENCES) {
        0 => {}
        more => out += &format!("  {more} more in the record (--json)\n"),
    }
    out
}

fn title(result: &TaskCount) -> String {
    let iterations = result.iterations.len();
    let plural = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!("Findings: {}, {}", plural(result.tasks, "task"), plural(iterations as u64, "iteration"))
}

fn table(result: &TaskCount, rows: &[&PhaseSummary]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["phase", "rate", "95 %", "p50", "p99", "max", "tail", "slowest", "errors"]);
    for summary in rows {
        table.add_row(row(result, summary));
    }
    let last = table.column_count().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, u16::from(index < last)));
        if (1..=6).contains(&index) || index == last {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

fn row(result: &TaskCount, summary: &PhaseSummary) -> [String; 9] {
    let numbers = summary.latency.as_ref().map(|l| l.numbers);
    let latency = |of: fn(&crate::result::latency::LatencyNumbers) -> u64| {
        numbers.as_ref().map_or("-".to_string(), |n| tight(&time_ns(of(n))))
    };
    let failed = failures(result, summary.phase);
    [
        summary.phase.id().replace("directory", "dir"),
        tight(&rate(summary.true_rate_per_s.mean)),
        half_width(summary),
        latency(|n| n.p50_ns),
        latency(|n| n.p99_ns),
        latency(|n| n.max_ns),
        tail(result, summary.phase),
        slowest(result, summary.phase),
        if failed > 0 { failed.to_string() } else { "-".to_string() },
    ]
}

/// Without the blank before the unit: columns are few.
fn tight(text: &str) -> String {
    text.replace(' ', "")
}

fn method(summary: &PhaseSummary) -> Option<Method> {
    summary.true_rate_per_s.interval.map(|interval| interval.method)
}

fn half_width(summary: &PhaseSummary) -> String {
    let Some(interval) = summary.true_rate_per_s.interval else { return "-".to_string() };
    let sign = if interval.method == Method::BlockBootstrap { "~" } else { "±" };
    match interval.relative_half_width() {
        wide if wide >= 1.0 => format!("{sign}>100%"),
        width => sign.to_string() + &tight(&percent(width)),
    }
}

fn outcomes(result: &TaskCount, phase: Phase) -> impl Iterator<Item = &PhaseOutcome> {
    result.iterations.iter().filter_map(move |i| i.phase(phase))
}

fn failures(result: &TaskCount, phase: Phase) -> u64 {
    outcomes(result, phase).map(|p| p.items.failed).sum()
}

/// The middle of the iterations' tails.
fn tail(result: &TaskCount, phase: Phase) -> String {
    let timelines = outcomes(result, phase).filter_map(|p| p.timeline.as_ref());
    let timelines = timelines.filter(|t| t.last_done_s >= LASTING_S);
    let mut shares: Vec<f64> = timelines.map(|t| t.tail_share).collect();
    shares.sort_by(f64::total_cmp);
    match shares.get(shares.len() / 2) {
        Some(share) if *share >= TAIL => tight(&percent(*share)),
        _ => "-".to_string(),
    }
}

/// The slowest node or else task of the iteration where it was slowest, if it was slow at all.
fn slowest(result: &TaskCount, phase: Phase) -> String {
    let slow = outcomes(result, phase).filter_map(|p| {
        let tasks = p.tasks.as_ref().filter(|t| t.slow > 0 && t.median_s > 0.0 && t.max_s >= LASTING_S)?;
        let node = p.nodes.iter().filter(|n| n.rate_without_per_s.is_some());
        let node = node.max_by(|a, b| a.mean_s.total_cmp(&b.mean_s));
        Some(match node {
            Some(node) => (node.mean_s / tasks.median_s, node.host.clone()),
            None => (tasks.max_over_median, format!("rank {}", tasks.slowest.rank)),
        })
    });
    slow.max_by(|a, b| a.0.total_cmp(&b.0)).map_or("-".to_string(), |(ratio, name)| {
        let ratio = if ratio < 99.95 { format!("{ratio:.1}") } else { ">99".to_string() };
        format!("{} ×{ratio}", shortened(&name))
    })
}

fn shortened(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !c.is_control()).collect();
    if plain.chars().count() <= NAME - 4 {
        plain
    } else {
        plain.chars().take(NAME - 5).chain(['…']).collect()
    }
}

fn colour(finding: &Finding) -> Style {
    match finding.about {
        About::SlowNode | About::SlowTasks | About::Tail | About::Dip | About::SlowOperation => {
            AnsiColor::Yellow.on_default()
        }
        About::Cache | About::Harness => AnsiColor::Magenta.on_default(),
        About::WarmUp | About::Spread => Style::new(),
    }
}

/// A sentence with its full stop, broken at blanks, without what would play with a terminal.
fn sentence(finding: &Finding) -> String {
    let plain = plain::plain(&finding.text);
    let mut lines = vec![String::from("-")];
    let mut width = 1;
    for word in words(&(plain + ".")) {
        let long = word.chars().count();
        if width + 1 + long > WIDTH && width > 2 {
            lines.push(String::from(" "));
            width = 1;
        }
        if let Some(line) = lines.last_mut() {
            *line += " ";
            *line += &word;
        }
        width += 1 + long;
    }
    lines.join("\n")
}

/// Words, numbers with their units.
fn words(text: &str) -> Vec<String> {
    const UNITS: [&str; 8] = ["ns", "µs", "ms", "s", "k/s", "M/s", "G/s", "%"];
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if UNITS.contains(&word.trim_end_matches(['.', ',', ';', ':', ')'])) => {
                *last += " ";
                *last += word;
            }
            _ => words.push(word.to_string()),
        }
    }
    words
}

#[cfg(test)]
mod tests;
