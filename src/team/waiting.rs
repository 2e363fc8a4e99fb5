//! Waiting for other tasks where there are more of them than processors.
//!
//! MPICH and its kin wait by spinning, so that on an oversubscribed node a barrier takes as many time slices as tasks
//! stand before the last one: milliseconds. There, and only there, collectives are begun without blocking and tested
//! between two yields. Open MPI yields by itself.

use mpi::collective::SystemOperation;
use mpi::datatype::{Buffer, BufferMut};
use mpi::request::{scope, Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};

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
