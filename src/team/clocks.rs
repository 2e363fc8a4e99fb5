//! How the monotonic clocks of the nodes stand against each other.
//!
//! Rank 0 asks the first task of each other node for the time, some times over. Of the answer with the shortest round
//! trip it is taken that it was given in the middle: it can be wrong by half of that trip (Cristian, "Probabilistic clock
//! synchronization", Distributed Computing 3, 1989). Tasks of one node have one clock.

use crate::backend::posix::monotonic_ns;
use crate::team::Team;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

/// Questions to each node: the first ones find paths cold.
const ROUNDS: usize = 10;

/// This task's clock beside rank 0's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What has to be added to this node's clock to have rank 0's, nanoseconds, modulo 2^64.
    pub offset_ns: u64,
    /// By how much that is wrong at most, nanoseconds; the largest of all nodes.
    pub error_ns: u64,
}

impl Comparison {
    /// Rank 0's time at a reading of this node's clock.
    pub fn common_ns(&self, here_ns: u64) -> u64 {
        here_ns.wrapping_add(self.offset_ns)
    }
}

/// A question and its answer: rank 0's clock before and after, the other's between.
#[derive(Clone, Copy, Debug)]
struct RoundTrip {
    sent_ns: u64,
    answered_ns: u64,
    received_ns: u64,
}

/// The offset and the error of the shortest of some round trips.
fn shortest(trips: &[RoundTrip]) -> Option<(u64, u64)> {
    let trip = |t: &RoundTrip| t.received_ns.saturating_sub(t.sent_ns);
    let best = trips.iter().min_by_key(|t| trip(t))?;
    let half = trip(best) / 2;
    Some((best.sent_ns.wrapping_add(half).wrapping_sub(best.answered_ns), half.max(1)))
}

/// Compares the clocks of all nodes with rank 0's. Collective.
pub fn compare(team: &Team) -> Comparison {
    if team.nodes() == 1 {
        return Comparison::default();
    }
    let mut offset_and_error = [0, 0];
    if let Some(leaders) = &team.leaders {
        offset_and_error = if leaders.rank() == 0 { ask(leaders) } else { answer(leaders) };
    }
    team.waiting.broadcast(&team.on_node, 0, &mut offset_and_error[..]);
    let [offset_ns, error_ns] = offset_and_error;
    let mut largest = [error_ns];
    team.max(&mut largest);
    Comparison { offset_ns, error_ns: largest[0] }
}

/// Rank 0's part; its own offset and error.
fn ask(leaders: &SimpleCommunicator) -> [u64; 2] {
    for node in 1..leaders.size() {
        let other = leaders.process_at_rank(node);
        let trips: Vec<RoundTrip> = (0..ROUNDS)
            .map(|_| {
                let sent_ns = monotonic_ns();
                other.send(&sent_ns);
                let (answered_ns, _) = other.receive::<u64>();
                RoundTrip { sent_ns, answered_ns, received_ns: monotonic_ns() }
            })
            .collect();
        let (offset_ns, error_ns) = shortest(&trips).unwrap_or_default();
        other.send(&[offset_ns, error_ns][..]);
    }
    [0, 0]
}

/// Another node's part; its offset and error.
fn answer(leaders: &SimpleCommunicator) -> [u64; 2] {
    let root = leaders.process_at_rank(0);
    for _ in 0..ROUNDS {
        let _: (u64, _) = root.receive();
        root.send(&monotonic_ns());
    }
    let mut told = [0, 0];
    root.receive_into(&mut told[..]);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_round_trip_counts() {
        let trip = |sent_ns, answered_ns, received_ns| RoundTrip { sent_ns, answered_ns, received_ns };
        // The other clock is 1000 behind; the first answer was slow on its way back.
        let trips = [trip(5_000, 4_010, 5_400), trip(6_000, 5_010, 6_020), trip(7_000, 6_020, 7_050)];
        let (offset_ns, error_ns) = shortest(&trips).unwrap();
        assert_eq!((offset_ns, error_ns), (1_000, 10));
        let ahead = shortest(&[trip(5_000, 9_005, 5_010)]).unwrap();
        assert_eq!(Comparison { offset_ns: ahead.0, error_ns: ahead.1 }.common_ns(9_005), 5_005);
        assert_eq!(shortest(&[]), None);
    }
}
