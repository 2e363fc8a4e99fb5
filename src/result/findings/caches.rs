//! Whether a cache or the harness was measured instead of the file system.

use super::{item_phases, outcomes, About, Finding, Setting};
use crate::namespace::phase::Phase;
use crate::result::record::TaskCount;
use crate::result::units::{percent, time};

/// No server answers sooner, nanoseconds: a round trip over the fastest networks takes 2 µs, through FUSE as much, and
/// the server has to look something up.
const SERVER_NS: u64 = 5_000;
/// A cache is told where this share of the operations was quicker …
const QUICK: f64 = 0.1;
/// … or where the clients sent less than this many requests an operation.
const REQUESTS: f64 = 0.01;
/// The harness is told where it took more than this share of an operation.
const HARNESS: f64 = 0.05;

/// Phases answered by caches, and whether the harness shows.
pub fn findings(result: &TaskCount, setting: &Setting) -> Vec<Finding> {
    let mut found: Vec<Finding> = item_phases(result)
        .filter(|p| p.looks())
        .filter_map(|phase| cache(result, phase, setting.remote))
        .collect();
    found.extend(harness(result, setting));
    found
}

fn cache(result: &TaskCount, phase: Phase, remote: bool) -> Option<Finding> {
    const HINT: &str = "-N or --drop-caches asks the servers";
    let latency = result.of(phase)?.latency.as_ref()?;
    let label = phase.label();
    let sent: Option<u64> = outcomes(result, phase).map(|p| p.client_requests).sum();
    #[allow(clippy::cast_precision_loss)]
    let per_operation = sent.map(|sent| (sent, sent as f64 / latency.numbers.count.max(1) as f64));
    if let Some((sent, _)) = per_operation.filter(|(_, each)| *each < REQUESTS) {
        let text = format!(
            "{label} was answered by the clients' caches: they sent {sent} requests for {} operations; {HINT}",
            latency.numbers.count
        );
        return Some(Finding { about: About::Cache, phase, weight: 0.95, text });
    }
    let quick = latency.buckets.share_below(SERVER_NS);
    (remote && quick >= QUICK).then(|| {
        let text = format!(
            "{label} was answered by a cache: {} of its operations took less than 5 µs, sooner than a server can; {HINT}",
            percent(quick)
        );
        Finding { about: About::Cache, phase, weight: 0.9 * quick, text }
    })
}

fn harness(result: &TaskCount, setting: &Setting) -> Option<Finding> {
    let cost_ns = setting.harness_ns.mean;
    let shares = item_phases(result)
        .filter_map(|phase| Some((phase, result.of(phase)?.latency.as_ref()?.numbers.mean_ns)))
        .map(|(phase, mean_ns)| (phase, mean_ns, cost_ns / mean_ns.max(1.0)))
        .filter(|(.., share)| *share > HARNESS);
    let mut shares: Vec<(Phase, f64, f64)> = shares.collect();
    shares.sort_by(|a, b| b.2.total_cmp(&a.2));
    let &(phase, mean_ns, share) = shares.first()?;
    let more = match shares.len() {
        1 => String::new(),
        2 => ", and above 5 % of another phase".to_string(),
        n => format!(", and above 5 % of {} other phases", n - 1),
    };
    let text = format!(
        "mdtest-rs itself took {} of {} ({} of {} an operation){more}",
        percent(share.min(1.0)),
        phase.label(),
        time(cost_ns),
        time(mean_ns)
    );
    Some(Finding { about: About::Harness, phase, weight: 0.6 * share.min(1.0), text })
}
