//! What there is to show of one record.

use crate::archive::{Record, TaskCount};
use crate::namespace::phase::{Kind, Phase};
use crate::report::chart::strip::{strip, Marks, Strip};
use crate::report::chart::{course, latency, rates, strip};
use crate::report::entries::entries;
use crate::report::page::parts::{figure, heading, pairs, sentences, table};
use crate::report::plain::{counted, plain};
use crate::report::tables;
use crate::report::tables::slow::shown;
use crate::result::latency::Latencies;
use maud::{html, Markup};

/// Records of which the parts are open; of more, each is unfolded by its reader.
const MOST_OPEN: usize = 3;
/// Findings that are shown at once.
const MOST_FINDINGS: usize = 12;

/// Rows of slow nodes and tasks that are shown at once.
const MOST_SLOW: usize = 24;

/// The record number `index` of so many.
pub fn article(record: &Record, index: usize, of: usize) -> Markup {
    let id = format!("r{index}");
    html! {
        article id=(id) aria-label=(super::name(record, index)) {
            @if of > 1 {
                h2 { (super::name(record, index)) }
                details open[of <= MOST_OPEN] { summary { "Details of this record" } (body(record, &id)) }
            } @else {
                (body(record, &id))
            }
        }
    }
}

fn body(record: &Record, id: &str) -> Markup {
    let level = 3;
    let plan = tables::facts::plan(record);
    let warnings: Vec<String> = record.warnings.iter().map(|w| plain(w)).collect();
    html! {
        div.facts {
            section { (heading(level, "What was run")) (pairs(&tables::facts::run(record))) }
            section { (heading(level, "On what")) (pairs(&tables::facts::place(record))) }
        }
        @if !plan.is_empty() { details { summary { "Options of the run" } (pairs(&plan)) } }
        @if !warnings.is_empty() {
            section { (heading(level, "Warnings")) (sentences(&warnings)) }
        }
        @for (index, result) in record.results.iter().enumerate() {
            (one_count(record, result, &format!("{id}t{index}"), record.results.len() > 1))
        }
    }
}

/// The results for one number of tasks.
fn one_count(record: &Record, result: &TaskCount, id: &str, several: bool) -> Markup {
    let level = if several { 4 } else { 3 };
    let entry = entries(std::slice::from_ref(record)).into_iter().find(|e| std::ptr::eq(e.result, result));
    html! {
        section {
            @if several {
                h3 { (result.tasks.map_or("Unknown number of tasks".to_string(), |n| counted(n, "task"))) }
            }
            (findings(result, level))
            (heading(level, "Rates"))
            (table(&tables::rates::table(result)))
            @if let Some(picture) = entry.as_ref().and_then(|e| rates::picture(std::slice::from_ref(e))) {
                (figure(&picture, &format!("{id}-rates")))
            }
            (latencies(result, id, level))
            (courses(result, id, level))
            (strips(result, id, level))
            (errors(result, level))
        }
    }
}

fn findings(result: &TaskCount, level: u8) -> Markup {
    let all: Vec<String> = result.findings.iter().map(|f| plain(&f.text) + ".").collect();
    let (first, more) = all.split_at(all.len().min(MOST_FINDINGS));
    html! {
        @if !first.is_empty() {
            (heading(level, "Findings"))
            (sentences(first))
            @if !more.is_empty() {
                details { summary { (counted(more.len() as u64, "more finding")) } (sentences(more)) }
            }
        }
    }
}

fn latencies(result: &TaskCount, id: &str, level: u8) -> Markup {
    let known = |phase: Phase| Some((phase, result.of(phase)?.latency.as_ref()?));
    let phases: Vec<(Phase, &Latencies)> = result.phases().filter_map(known).collect();
    let kinds = [Some(Kind::Directory), Some(Kind::File), None];
    let pictures: Vec<_> = kinds.into_iter().filter_map(|kind| latency::picture(&phases, kind)).collect();
    html! {
        @if !pictures.is_empty() {
            (heading(level, "Latencies"))
            p.note { "The share of operations that took no longer than a time. Marks stand at the medians." }
            div.charts {
                @for (index, picture) in pictures.iter().enumerate() {
                    (figure(picture, &format!("{id}-latency{index}")))
                }
            }
        }
    }
}

fn courses(result: &TaskCount, id: &str, level: u8) -> Markup {
    let chart = |phase: Phase| {
        let timeline = shown(result, phase)?.timeline.as_ref()?;
        Some((phase, course::picture(phase, timeline)?))
    };
    let pictures: Vec<_> = result.phases().filter_map(chart).collect();
    html! {
        @if !pictures.is_empty() {
            (heading(level, "Operations over time"))
            @if result.iterations.len() > 1 { p.note { "Of the last iteration." } }
            div.charts {
                @for (phase, picture) in &pictures {
                    (figure(picture, &format!("{id}-course-{}", phase.id())))
                }
            }
        }
    }
}

fn strips(result: &TaskCount, id: &str, level: u8) -> Markup {
    let of = |what: Marks| -> Vec<Strip> {
        result.phases().filter_map(|phase| strip(shown(result, phase)?, what)).collect()
    };
    // A single node has nothing to be compared to.
    let several = |strips: &Vec<Strip>| strips.iter().any(|s| s.marks.len() > 1);
    let nodes = Some(of(Marks::Nodes)).filter(several).and_then(|s| strip::picture(&s, Marks::Nodes));
    let tasks = Some(of(Marks::Tasks)).filter(several).and_then(|s| strip::picture(&s, Marks::Tasks));
    let spread = tables::slow::spread(result);
    html! {
        @if !spread.rows.is_empty() {
            (heading(level, "Tasks and nodes"))
            p.note {
                @if result.iterations.len() > 1 { "Of the last iteration. " }
                @if nodes.is_some() || tasks.is_some() {
                    "A band reaches from the shortest to the longest task, a stroke stands where tasks are slow from on. "
                    "Diamonds with names are slow."
                }
            }
            @if let Some(picture) = nodes { (figure(&picture, &format!("{id}-nodes"))) }
            @if let Some(picture) = tasks { (figure(&picture, &format!("{id}-tasks"))) }
            (slow(result))
            (table(&spread))
        }
    }
}

/// The slow ones, folded where they are many.
fn slow(result: &TaskCount) -> Markup {
    let slow = tables::slow::table(result);
    html! {
        @if slow.rows.len() > MOST_SLOW {
            details { summary { (slow.caption) } (table(&slow)) }
        } @else {
            (table(&slow))
        }
    }
}

fn errors(result: &TaskCount, level: u8) -> Markup {
    let errors = tables::errors::table(result);
    html! {
        @if !errors.rows.is_empty() { (heading(level, "Errors")) (table(&errors)) }
    }
}
