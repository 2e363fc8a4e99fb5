//! Waiting for other tasks where there are more of them than processors.
//!
//! MPICH and its kin wait by spinning, so that on an oversubscribed node a barrier takes as many time slices as tasks
//! stand before the last one: milliseconds. There, and only there, collectives are begun without blocking and tested
//! between two yields. Open MPI yields by itself.

use mpi::collective::SystemOperation;
use mpi::datatype::{Buffer, BufferMut};
use mpi::request::{scope, Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Equivalence, Root};

/// How a task waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// In the MPI library.
    Blocking,
    /// Letting other tasks run.
    Yielding,
}

impl Waiting {
    /// The better way for `tasks` tasks on this node.
    pub fn for_tasks_on_node(tasks: u64) -> Self {
        let cpus = std::thread::available_parallelism().map_or(u64::MAX, |n| n.get() as u64);
        if tasks > cpus && !super::is_open_mpi() {
            Waiting::Yielding
        } else {
            Waiting::Blocking
        }
    }

    /// MPI_Barrier.
    pub fn barrier(self, comm: &SimpleCommunicator) {
        match self {
            Waiting::Blocking => comm.barrier(),
            Waiting::Yielding => finish(comm.immediate_barrier()),
        }
    }

    /// MPI_Allreduce.
    pub fn all_reduce<B: Buffer + BufferMut + ?Sized>(
        self,
        comm: &SimpleCommunicator,
        own: &B,
        all: &mut B,
        operation: SystemOperation,
    ) {
        match self {
            Waiting::Blocking => comm.all_reduce_into(own, all, operation),
            Waiting::Yielding => scope(|s| finish(comm.immediate_all_reduce_into(s, own, all, operation))),
        }
    }

    /// MPI_Reduce to rank 0, where the sums take the place of the values.
    pub fn sum_to_root(self, comm: &SimpleCommunicator, values: &mut [u64]) {
        let (root, sum) = (comm.process_at_rank(0), SystemOperation::sum());
        let own = values.to_vec();
        match (self, comm.rank() == 0) {
            (Waiting::Blocking, true) => root.reduce_into_root(&own[..], values, sum),
            (Waiting::Blocking, false) => root.reduce_into(&own[..], sum),
            (Waiting::Yielding, true) => {
                scope(|s| finish(root.immediate_reduce_into_root(s, &own[..], values, sum)))
            }
            (Waiting::Yielding, false) => scope(|s| finish(root.immediate_reduce_into(s, &own[..], sum))),
        }
    }

    /// MPI_Gather to rank 0 of as many values from every task; `None` elsewhere.
    pub fn gather<T: Equivalence + Clone + Default>(
        self,
        comm: &SimpleCommunicator,
        values: &[T],
    ) -> Option<Vec<T>> {
        let (root, tasks) = (comm.process_at_rank(0), usize::try_from(comm.size()).unwrap_or_default());
        if comm.rank() > 0 {
            match self {
                Waiting::Blocking => root.gather_into(values),
                Waiting::Yielding => scope(|s| finish(root.immediate_gather_into(s, values))),
            }
            return None;
        }
        let mut all = vec![T::default(); values.len() * tasks];
        match self {
            Waiting::Blocking => root.gather_into_root(values, &mut all[..]),
            Waiting::Yielding => {
                scope(|s| finish(root.immediate_gather_into_root(s, values, &mut all[..])));
            }
        }
        Some(all)
    }

    /// MPI_Bcast from `rank`.
    pub fn broadcast<B: BufferMut + ?Sized>(
        self,
        comm: &SimpleCommunicator,
        rank: mpi::Rank,
        buffer: &mut B,
    ) {
        let root = comm.process_at_rank(rank);
        match self {
            Waiting::Blocking => root.broadcast_into(buffer),
            Waiting::Yielding => scope(|s| finish(root.immediate_broadcast_into(s, buffer))),
        }
    }
}

fn finish<'a, D: ?Sized, S: Scope<'a>>(mut request: Request<'a, D, S>) {
    while let Err(unfinished) = request.test() {
        request = unfinished;
        std::thread::yield_now();
    }
}
