//! Rates over numbers of clients (nodes) and of tasks on each.

use crate::namespace::phase::Phase;
use crate::report::chart::scaling::{across, Across};
use crate::report::entries::{Entry, Group};
use crate::report::plain::{count, counted};
use crate::report::tables::rates::mean;
use crate::report::tables::{of_numbers, of_text, Cell, Column, Table};

/// Where both numbers differ, a grid of them for each of these phases; else one table, a row a phase, a column a number.
pub fn tables(group: &Group, phases: &[Phase]) -> Vec<Table> {
    let nodes = sorted(group, |e| e.nodes());
    let each = sorted(group, |e| e.tasks_per_node());
    match across(group) {
        Across::Nodes if each.len() > 1 => {
            phases.iter().map(|phase| grid(group, *phase, &nodes, &each)).collect()
        }
        Across::Nodes => vec![phases_by(group, phases, &nodes, "node", |e| e.nodes())],
        Across::Tasks => vec![phases_by(group, phases, &sorted(group, |e| e.tasks()), "task", |e| e.tasks())],
    }
}

/// The different sizes of the entries, in order.
fn sorted(group: &Group, size: impl Fn(&Entry) -> Option<u64>) -> Vec<u64> {
    let mut sizes: Vec<u64> = group.entries.iter().filter_map(size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn phases_by(
    group: &Group,
    phases: &[Phase],
    sizes: &[u64],
    noun: &str,
    of: impl Fn(&Entry) -> Option<u64>,
) -> Table {
    let heads = sizes.iter().map(|size| of_numbers(counted(*size, noun)));
    let mut table = Table::new("Rates in operations per second", heads_behind("Phase", heads));
    for phase in phases {
        let at = |size: &u64| cell(group, *phase, |e| of(e) == Some(*size));
        table.rows.push(std::iter::once(Cell::text(phase.label())).chain(sizes.iter().map(at)).collect());
    }
    table
}

fn grid(group: &Group, phase: Phase, nodes: &[u64], each: &[u64]) -> Table {
    let caption = format!("{}: operations per second", phase.label());
    let heads = each.iter().map(|tasks| of_numbers(format!("{} a node", counted(*tasks, "task"))));
    let mut table = Table::new(caption, heads_behind("Nodes", heads));
    for n in nodes {
        let at =
            |tasks: &u64| cell(group, phase, |e| e.nodes() == Some(*n) && e.tasks_per_node() == Some(*tasks));
        let head = Cell::number(*n as f64, count(*n));
        table.rows.push(std::iter::once(head).chain(each.iter().map(at)).collect());
    }
    table
}

fn heads_behind(first: &str, heads: impl Iterator<Item = Column>) -> Vec<Column> {
    std::iter::once(of_text(first)).chain(heads).collect()
}

/// The rate of the first entry that is asked for.
fn cell(group: &Group, phase: Phase, asked: impl Fn(&Entry) -> bool) -> Cell {
    let entry = group.entries.iter().find(|e| asked(e));
    entry.map_or_else(Cell::unknown, |e| mean(e.result.of(phase).and_then(|s| s.rate_per_s.as_ref())))
}
