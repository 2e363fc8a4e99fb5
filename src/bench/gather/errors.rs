//! Counts of each kind of failure, with the first of each: that of the lowest rank that met it.

use crate::measure::errors::{Failure, KINDS};
use crate::measure::sample::Sample;
use crate::result::outcome::{ErrorCount, Task};
use crate::team::{Team, NOBODY};

/// The failures of a phase, at rank 0. Collective.
pub fn errors(team: &Team, sample: &Sample, task: &dyn Fn(u64) -> Task) -> Vec<ErrorCount> {
    let mut counts: Vec<u64> = (0..KINDS).map(|kind| sample.errors.of(kind)).collect();
    let mut firsts: Vec<u64> = counts.iter().map(|&n| if n > 0 { team.rank() } else { NOBODY }).collect();
    team.sum(&mut counts);
    team.min(&mut firsts);
    let met = counts.iter().zip(&firsts).enumerate().filter(|(_, (&count, _))| count > 0);
    met.filter_map(|(kind, (&count, &rank))| {
        let first = sample.errors.first(kind);
        let operation = team.text_to_root(rank, first.map_or("", |f| f.operation));
        let path = team.text_to_root(rank, first.map_or("", |f| &f.path));
        let failure = Failure::at(kind);
        Some(ErrorCount {
            kind: failure.name(),
            errno: failure.errno(),
            text: failure.text(),
            count,
            operation: operation?,
            path: path?,
            first: task(rank),
        })
    })
    .collect()
}
