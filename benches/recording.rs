//! What recording costs an operation: `cargo bench --bench recording [-- ROUNDS]`.
//!
//! Method. `Walk::one`, the place of the measured loop that counts, reads the clock, puts the latency into its bucket and
//! looks for the end of a window, is called a million times with an operation that does nothing; beside it, in turns, the
//! same loop only counts. The figure is the difference of the two, nanoseconds an operation: the median over the rounds
//! (15), with the smallest and the largest.
//!
//! Mark: 30 ns. A median above it fails the bench. Under `cargo test` a short round only shows that the bench works.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss)]

use mdtest_rs::bench::walk::Walk;
use mdtest_rs::namespace::path::CPathBuf;
use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

const MARK_NS: f64 = 30.0;

fn main() -> ExitCode {
    let whole = std::env::args().any(|w| w == "--bench");
    let wanted = std::env::args().skip(1).find_map(|w| w.parse().ok());
    let rounds: usize = wanted.unwrap_or(if whole { 15 } else { 1 }).max(1);
    let operations: u64 = if whole { 1_000_000 } else { 1_000 };
    drop(Walk::new(None, None, None)); // from here on the pace of the counter is measured
    std::thread::sleep(std::time::Duration::from_millis(20));
    let each = |start: Instant| start.elapsed().as_nanos() as f64 / operations as f64;
    let path = CPathBuf::new("/mnt/test-dir.0-0/mdtest_tree.0/file.mdtest.0.12345").unwrap();
    let mut figures: Vec<f64> = (0..rounds)
        .map(|_| {
            let mut count = 0u64;
            let start = Instant::now();
            for _ in 0..operations {
                count += 1;
                black_box((path.as_c(), &mut count));
            }
            let bare_ns = each(start);
            let mut walk = Walk::new(None, None, None);
            walk.start();
            let start = Instant::now();
            for _ in 0..operations {
                let _ = walk.one(black_box(path.as_c()), || Ok(()));
            }
            let recorded_ns = each(start);
            assert_eq!((count, walk.done()), (operations, operations));
            recorded_ns - bare_ns
        })
        .collect();
    figures.sort_by(f64::total_cmp);
    let median = figures[figures.len() / 2];
    let verdict = if median <= MARK_NS { "reached" } else { "missed" };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "Recording an operation: {median:.1} ns ({:.1} … {:.1})   mark {MARK_NS} {verdict}",
        figures[0],
        figures[figures.len() - 1]
    );
    ExitCode::from(u8::from(whole && median > MARK_NS))
}
