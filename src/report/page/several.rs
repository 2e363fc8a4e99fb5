//! Several records: beside each other, and over numbers of nodes and tasks.

use crate::report::chart::{rates, scaling};
use crate::report::entries::Group;
use crate::report::page::parts::{figure, table};
use crate::report::plain::plain;
use crate::report::tables;
use maud::{html, Markup};

/// The sections of group number `index` of so many.
pub fn sections(group: &Group, index: usize, of: usize) -> Markup {
    let name = |what: &str| match group.workload {
        Some(workload) if of > 1 => format!("{what}: {}", plain(workload)),
        _ if of > 1 => format!("{what}: no workload named"),
        _ => what.to_string(),
    };
    html! {
        @if group.is_comparison() { section { h2 { (name("Comparison")) } (comparison(group, index)) } }
        @if group.is_sweep() { section { h2 { (name("Scaling")) } (scale(group, index)) } }
    }
}

fn comparison(group: &Group, index: usize) -> Markup {
    html! {
        (table(&tables::comparison::table(group)))
        @for differences in &tables::verdicts::tables(group) { (table(differences)) }
        @if let Some(picture) = rates::picture(&group.entries) { (figure(&picture, &format!("g{index}-rates"))) }
        @if group.entries.len() > rates::MOST_ENTRIES {
            p.note { "The chart shows the first " (rates::MOST_ENTRIES) "." }
        }
    }
}

fn scale(group: &Group, index: usize) -> Markup {
    let phases = scaling::phases(group);
    html! {
        p.note { "Upright strokes are 95 % intervals of the means." }
        div.charts {
            @for phase in &phases {
                @if let Some(picture) = scaling::picture(group, *phase) {
                    (figure(&picture, &format!("g{index}-scaling-{}", phase.id())))
                }
            }
        }
        @for of_sizes in &tables::scaling::tables(group, &phases) { (table(of_sizes)) }
        @let laws = tables::laws::table(group);
        @if !laws.rows.is_empty() { (table(&laws)) }
    }
}
