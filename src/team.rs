//! The tasks of a run: the only module that speaks MPI.
//!
//! Every method that says *collective* must be called by all tasks of the team. No task may leave such a section with
//! an error of its own: errors are kept, agreed on ([`Team::any`]) and left with together, since MPI waits for ever
//! for a task that does not come.

pub mod clocks;
pub mod launcher;
mod waiting;

use crate::error::{self, Error};
use mpi::collective::SystemOperation;
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::{Communicator, Destination, Equivalence, Root, Source};
use std::io::Write;
use waiting::Waiting;

/// Stands for no rank where the smallest rank is looked for. Not u64::MAX: MPICH 4.0 compares 64-bit numbers as signed
/// ones, so that what is compared has to keep its highest bit clear (or, all of it, set).
pub const NOBODY: u64 = i64::MAX.unsigned_abs();

/// All tasks, and the MPI library behind them.
pub struct World {
    /// Every task of the run.
    pub team: Team,
    _universe: Universe, // finalised last: fields drop in order
}

/// A group of tasks: ranks 0 … n−1 of the world.
pub struct Team {
    comm: SimpleCommunicator,
    rank: u64,
    tasks: u64,
    node: u64,
    nodes: u64,
    on_node: SimpleCommunicator,
    leaders: Option<SimpleCommunicator>,
    tasks_on_node: u64,
    waiting: Waiting,
}

impl World {
    /// Starts MPI.
    ///
    /// From here on a panic of any task aborts all of them with exit code 101, and says where.
    ///
    /// # Errors
    /// [`Error::Environment`] where MPI does not start, or the launcher belongs to another MPI.
    pub fn start() -> Result<Self, Error> {
        launcher::check_before_start()?;
        let universe =
            mpi::initialize().ok_or_else(|| Error::Environment("MPI is started already".to_string()))?;
        let comm = universe.world();
        if let Err(error) = launcher::check(unsigned(comm.size())) {
            drop(universe);
            return Err(error);
        }
        abort_on_panic();
        let team = Team::new(comm);
        Ok(World { team, _universe: universe })
    }
}

/// Aborts all tasks where this one panics: unwinding would end in MPI_Finalize, which waits for the others.
fn abort_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        let world = SimpleCommunicator::world();
        let place = panic.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let what = panic
            .payload()
            .downcast_ref::<&str>()
            .map(|s| (*s).to_string())
            .or_else(|| panic.payload().downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let (rank, host) = (world.rank(), processor_name());
        // The last words of a task; a stream that is closed must not make it panic again.
        let _ =
            writeln!(std::io::stderr(), "mdtest-rs: internal error: rank {rank} on {host}: {what}{place}");
        world.abort(error::INTERNAL);
    }));
}

/// MPI's name of this node.
pub fn processor_name() -> String {
    mpi::environment::processor_name().unwrap_or_else(|_| "unknown".to_string())
}

/// Whether the library is Open MPI or derived from it.
fn is_open_mpi() -> bool {
    library().0.contains("Open MPI")
}

/// The library (first line of what it says) and the version of the standard.
pub fn library() -> (String, String) {
    let library = mpi::environment::library_version().unwrap_or_default();
    let (major, minor) = mpi::environment::version();
    (crate::cli::options::first_line(&library), format!("{major}.{minor}"))
}

fn unsigned(rank: mpi::Rank) -> u64 {
    u64::try_from(rank).unwrap_or_default()
}

fn signed(rank: u64) -> mpi::Rank {
    mpi::Rank::try_from(rank).unwrap_or(mpi::Rank::MAX)
}

impl Team {
    /// Collective.
    fn new(comm: SimpleCommunicator) -> Self {
        let (rank, tasks) = (unsigned(comm.rank()), unsigned(comm.size()));
        let on_node = comm.split_shared(comm.rank());
        let leads = on_node.rank() == 0;
        let color = if leads { Color::with_value(0) } else { Color::undefined() };
        let leaders = comm.split_by_color(color);
        // Leaders are ranked by their world rank: node 0 is rank 0's.
        let mut node_and_nodes =
            leaders.as_ref().map_or([0, 0], |l| [unsigned(l.rank()), unsigned(l.size())]);
        let tasks_on_node = unsigned(on_node.size());
        let waiting = Waiting::for_tasks_on_node(tasks_on_node);
        waiting.broadcast(&on_node, 0, &mut node_and_nodes[..]);
        let [node, nodes] = node_and_nodes;
        Team { comm, rank, tasks, node, nodes, on_node, leaders, tasks_on_node, waiting }
    }

    /// This task's rank.
    pub fn rank(&self) -> u64 {
        self.rank
    }

    /// Number of tasks.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// This task's node, counted from 0 in the order of their first ranks.
    pub fn node(&self) -> u64 {
        self.node
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Tasks on this task's node.
    pub fn tasks_on_node(&self) -> u64 {
        self.tasks_on_node
    }

    /// Whether this task is the first of its node.
    pub fn leads_node(&self) -> bool {
        self.leaders.is_some()
    }

    /// Whether this task is rank 0, which gathers and reports.
    pub fn is_root(&self) -> bool {
        self.rank == 0
    }

    /// The first `tasks` tasks as a team of their own; `None` on the others. Collective.
    pub fn part(&self, tasks: u64) -> Option<Team> {
        let color = if self.rank < tasks { Color::with_value(0) } else { Color::undefined() };
        self.comm.split_by_color(color).map(Team::new)
    }

    /// Waits for all tasks. Collective.
    pub fn barrier(&self) {
        self.waiting.barrier(&self.comm);
    }

    fn reduce<T: Equivalence + Clone>(&self, values: &mut [T], operation: SystemOperation) {
        let own = values.to_vec();
        self.waiting.all_reduce(&self.comm, &own[..], values, operation);
    }

    /// Replaces each value by its sum over tasks. Collective.
    pub fn sum<T: Equivalence + Clone>(&self, values: &mut [T]) {
        self.reduce(values, SystemOperation::sum());
    }

    /// Replaces each value by its largest over tasks. Collective.
    pub fn max<T: Equivalence + Clone>(&self, values: &mut [T]) {
        self.reduce(values, SystemOperation::max());
    }

    /// Replaces each value by its smallest over tasks. Collective.
    pub fn min<T: Equivalence + Clone>(&self, values: &mut [T]) {
        self.reduce(values, SystemOperation::min());
    }

    /// Whether `here` is true on any task. Collective.
    pub fn any(&self, here: bool) -> bool {
        let mut count = [u64::from(here)];
        self.max(&mut count);
        count[0] > 0
    }

    /// The message of the lowest rank that has one, on all tasks. Collective.
    pub fn first_message(&self, here: Option<&str>) -> Option<String> {
        let mut speaker = [if here.is_some() { self.rank } else { NOBODY }];
        self.min(&mut speaker);
        (speaker[0] != NOBODY).then(|| self.broadcast_from(speaker[0], here.unwrap_or_default()))
    }

    /// Rank 0's text, on all tasks. Collective.
    pub fn broadcast(&self, text: &str) -> String {
        self.broadcast_from(0, text)
    }

    fn broadcast_from(&self, rank: u64, text: &str) -> String {
        let mut bytes = if self.rank == rank { text.as_bytes().to_vec() } else { Vec::new() };
        let mut len = [bytes.len() as u64];
        self.waiting.broadcast(&self.comm, signed(rank), &mut len[..]);
        bytes.resize(usize::try_from(len[0]).unwrap_or_default(), 0);
        if !bytes.is_empty() {
            // An empty slice's address can be Open MPI's MPI_IN_PLACE.
            self.waiting.broadcast(&self.comm, signed(rank), &mut bytes[..]);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The values of all tasks one after another, at rank 0; `None` elsewhere. Every task brings as many. Collective.
    pub fn gather<T: Equivalence + Clone + Default>(&self, values: &[T]) -> Option<Vec<T>> {
        self.waiting.gather(&self.comm, values)
    }

    /// The values of all tasks of this node one after another, at its first task; `None` elsewhere. Every task brings as
    /// many, and at least one. Collective of the node.
    pub fn gather_on_node<T: Equivalence + Clone + Default>(&self, values: &[T]) -> Option<Vec<T>> {
        self.waiting.gather(&self.on_node, values)
    }

    /// The values of the first tasks of all nodes one after another, at rank 0; `None` elsewhere. Every node brings as
    /// many, and at least one. Collective of the nodes' first tasks; nothing on the others.
    pub fn gather_over_nodes<T: Equivalence + Clone + Default>(&self, values: &[T]) -> Option<Vec<T>> {
        self.waiting.gather(self.leaders.as_ref()?, values)
    }

    /// Replaces the values of this node's first task by the sums over the node's tasks; the others' stay. There is at
    /// least one. Collective of the node.
    pub fn sum_on_node(&self, values: &mut [u64]) {
        self.waiting.sum_to_root(&self.on_node, values);
    }

    /// Replaces rank 0's values by the sums over the first tasks of all nodes; the others' stay. There is at least one.
    /// Collective of the nodes' first tasks; nothing on the others.
    pub fn sum_over_nodes(&self, values: &mut [u64]) {
        if let Some(leaders) = &self.leaders {
            self.waiting.sum_to_root(leaders, values);
        }
    }

    /// Replaces every task's values by rank 0's. There is at least one. Collective.
    pub fn share(&self, values: &mut [u64]) {
        self.waiting.broadcast(&self.comm, 0, values);
    }

    /// A text of each node's first task, node after node, at rank 0; empty elsewhere. Collective.
    pub fn gather_of_nodes(&self, text: &str) -> Vec<String> {
        let Some(leaders) = &self.leaders else { return Vec::new() };
        let root = leaders.process_at_rank(0);
        let bytes = text.as_bytes();
        let count = mpi::Count::try_from(bytes.len()).unwrap_or(0);
        if leaders.rank() > 0 {
            root.gather_into(&count);
            root.gather_varcount_into(bytes);
            return Vec::new();
        }
        let mut counts = vec![0; usize::try_from(self.nodes).unwrap_or_default()];
        root.gather_into_root(&count, &mut counts[..]);
        let displacements: Vec<mpi::Count> =
            counts.iter().scan(0, |end, &n| Some(std::mem::replace(end, *end + n))).collect();
        let total = counts.iter().map(|&n| usize::try_from(n).unwrap_or_default()).sum();
        let mut all = vec![0u8; total];
        root.gather_varcount_into_root(
            bytes,
            &mut PartitionMut::new(&mut all[..], &counts[..], &displacements[..]),
        );
        let mut rest = &all[..];
        let mut texts = Vec::new();
        for n in counts {
            let (text, tail) = rest.split_at(usize::try_from(n).unwrap_or_default());
            texts.push(String::from_utf8_lossy(text).into_owned());
            rest = tail;
        }
        texts
    }

    /// The text of task `from`, at rank 0; `None` elsewhere. Called by those two at least.
    pub fn text_to_root(&self, from: u64, text: &str) -> Option<String> {
        match (self.is_root(), self.rank == from) {
            (true, true) => Some(text.to_string()),
            (true, false) => {
                let (bytes, _) = self.comm.process_at_rank(signed(from)).receive_vec::<u8>();
                Some(String::from_utf8_lossy(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).into_owned())
            }
            (false, true) => {
                self.comm.process_at_rank(0).send(format!("{text}\n").as_bytes()); // never empty
                None
            }
            (false, false) => None,
        }
    }
}
