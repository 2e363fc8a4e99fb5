//! What the harness itself costs: the measured loop, run against nothing.

use crate::backend::dummy::Dummy;
use crate::backend::Backend;
use crate::bench::walk::{Fault, Walk};
use crate::namespace::order::Run;
use crate::namespace::path::{ItemPath, Owner, Site};
use crate::namespace::phase::Kind;
use crate::namespace::tree::Tree;
use crate::plan::DummyOptions;
use std::hint::black_box;

/// Batches, of which the quickest counts: others were disturbed.
const BATCHES: usize = 7;
/// Operations of a batch.
const OPERATIONS: u64 = 2_000;

/// Nanoseconds that the loop takes an operation on this task, with the path, the clock and the counts, but no system
/// call. Takes about a millisecond.
pub fn cost_ns() -> f64 {
    let Some(tree) = Tree::new(1, 0) else { return 0.0 };
    let nothing = DummyOptions { create_us: 0, close_us: 0, sync_us: 0, xfer_us: 0, only_rank0: false };
    let mut fs = Dummy::new(&nothing, 0);
    let site = Site { root: "./out", iteration: 0, tree_rank: None };
    let mut path = ItemPath::new(&site, Kind::File, Owner::Rank(0));
    path.enter(&tree, 0, 0);
    let batch = |_| {
        let mut walk = Walk::new(None, None, None);
        walk.start();
        let run = Run { directory: 0, first: 0, count: OPERATIONS };
        let _ = walk.run(run, &mut path, &mut |path, _| Fault::of("stat", fs.stat(black_box(path))));
        walk.clock.elapsed_ns()
    };
    let quickest_ns = (0..BATCHES).map(batch).min().unwrap_or(0);
    crate::bench::phase::as_f64(quickest_ns) / crate::bench::phase::as_f64(OPERATIONS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_loop_costs_something() {
        assert!(super::cost_ns() > 0.0);
    }
}
