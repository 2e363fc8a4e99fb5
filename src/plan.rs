//! What will happen: every default filled in, every conflict refused. Every task builds the same plan from the same
//! arguments and the few values that rank 0 draws for all.

pub mod check;
pub mod choices;
pub mod stonewall;

pub use choices::{Api, Chosen, Dialect, DummyOptions, Output, PosixOptions, Progress, RankDetails};

use crate::cli::Cli;
use crate::error::Error;
use crate::namespace::layout::Layout;
use crate::namespace::payload::Packet;
use crate::namespace::phase::{Kind, Phase};
use crate::namespace::tree::Tree;
use serde::{Deserialize, Serialize};

/// Values that must be the same on all tasks and that only one of them can choose: drawn by rank 0, then broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Seed of the random order where none was given.
    pub random_seed: u64,
    /// Number mixed into the data where none was given.
    pub data_offset: u64,
    /// What the stonewall file (`-x`) said, for a run that reads it.
    pub stonewall: Option<stonewall::Counts>,
    /// That it could not be read because there is none.
    pub no_stonewall_file: Option<String>,
}

/// How the tasks lie on the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// Tasks in all.
    pub tasks: u64,
    /// Nodes they run on.
    pub nodes: u64,
    /// Tasks on rank 0's node.
    pub tasks_on_first_node: u64,
    /// Ranks 0 … n−1 are on the first node, the next ones on another: neighbours share a node.
    pub in_blocks: bool,
}

/// A run, with every default resolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// How operations are made.
    pub api: Api,
    /// Options of the POSIX API.
    pub posix: PosixOptions,
    /// Options of the DUMMY API.
    pub dummy: DummyOptions,
    /// Test directories (`-d`), as given but for trailing slashes.
    pub directories: Vec<String>,
    /// Which kinds of operation.
    pub chosen: Chosen,
    /// A tree of its own for each task.
    pub unique: bool,
    /// The time to enter the unique directory counts.
    pub time_unique: bool,
    /// All tasks use the same files.
    pub shared_file: bool,
    /// Rank 0 makes and removes all items.
    pub collective: bool,
    /// Files are created with mknod.
    pub mknod: bool,
    /// Branching factor of the tree.
    pub branch: u64,
    /// Depth of the tree.
    pub depth: u64,
    /// Only the leaves hold items.
    pub leaf_only: bool,
    /// Directories of one tree.
    pub tree_directories: u64,
    /// Items in each tree directory that holds items.
    pub items_per_directory: u64,
    /// Test directories in each iteration.
    pub test_directories: u64,
    /// Items of each kind per task, over all test directories.
    pub items_per_task: u64,
    /// Numbers of tasks for which the whole test runs.
    pub task_counts: Vec<u64>,
    /// Iterations for each number of tasks, at least.
    pub iterations: u64,
    /// Repeats until the 95 % interval of each item phase's rate reaches at most so many percent from its mean.
    pub until_ci_percent: Option<f64>,
    /// Iterations at most: more than `iterations` only with `until_ci_percent`.
    pub max_iterations: u64,
    /// Neighbour stride as given.
    pub neighbor_stride: u64,
    /// Ranks between neighbours: the stride, times the tasks of the first node where tasks are placed in blocks.
    pub rank_shift: u64,
    /// Barriers between phases.
    pub barriers: bool,
    /// Seed of the random item order.
    pub random_seed: Option<u64>,
    /// Seconds until the stonewall, 0 for none.
    pub stonewall_s: u64,
    /// The stonewall file.
    pub stonewall_file: Option<String>,
    /// What the stonewall file said.
    #[serde(skip)]
    pub stonewall_counts: Option<stonewall::Counts>,
    /// Seconds of levelling up at most.
    pub wear_out_limit_s: Option<u64>,
    /// Seconds to sleep before each part.
    pub pre_delay_s: u64,
    /// Sync at the end of each phase.
    pub sync_phases: bool,
    /// Caches of the kernel are dropped before each stat and read phase.
    pub drop_caches: bool,
    /// Command before each phase.
    pub before_phase: Option<String>,
    /// Command after each phase.
    pub after_phase: Option<String>,
    /// Failed operations that end the run.
    pub max_errors: Option<u64>,
    /// The first warning ends the run.
    pub warnings_as_errors: bool,
    /// Bytes written into each file.
    pub write_bytes: u64,
    /// Bytes read from each file.
    pub read_bytes: u64,
    /// Data read are verified.
    pub verify_read: bool,
    /// Data written are read back and verified.
    pub verify_write: bool,
    /// Each file is fsynced after writing.
    pub fsync: bool,
    /// Kind of data, by its long name.
    pub packet: &'static str,
    /// Number mixed into the data.
    pub data_offset: u64,
    /// What is printed and written.
    pub output: Output,
}

/// A plan, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What the user should know before the numbers; `--warningAsErrors` makes the first one end the run.
    pub warnings: Vec<String>,
}

impl Plan {
    /// Resolves `cli` for `placement.tasks` tasks.
    ///
    /// # Errors
    /// [`Error::Refused`] with one line that names the option, the value and what is allowed.
    pub fn resolve(cli: &Cli, drawn: &Drawn, placement: &Placement) -> Result<Planned, Error> {
        let chosen = Chosen::of(cli);
        check::combinations(cli, &chosen)?;
        let directories = directories(cli);
        check::directories(cli, &directories, placement.tasks)?;
        let (layout, mut warnings) = check::layout(cli, &chosen)?;
        check::counts(cli, &layout, placement.tasks)?;
        check::path_lengths(cli, &chosen, &layout, &directories, placement.tasks)?;
        warnings.extend(drawn.no_stonewall_file.clone());
        if chosen.read && chosen.files && cli.read_bytes == 0 {
            warnings.push("-e is 0: the read phase opens and closes files only".to_string());
        }
        let plan = assemble(cli, drawn, placement, chosen, directories, &layout)?;
        if let (true, Some(warning)) = (plan.warnings_as_errors, warnings.first()) {
            return Err(Error::Refused(format!("--warningAsErrors: {warning}")));
        }
        Ok(Planned { plan, warnings })
    }

    /// How the items of one task lie.
    pub fn layout(&self) -> Layout {
        #[allow(clippy::expect_used)] // Plan::resolve refuses a tree that cannot be counted
        let tree = Tree::new(self.branch, self.depth).expect("a planned tree can be counted");
        Layout {
            tree,
            items_per_directory: self.items_per_directory,
            leaf_only: self.leaf_only,
            test_directories: self.test_directories,
        }
    }

    /// Kind of data written.
    pub fn packet(&self) -> Packet {
        Packet::from_name(self.packet).unwrap_or(Packet::Timestamp)
    }

    /// The phases of one kind of item that the run does, in order.
    pub fn phases(&self, kind: Kind) -> Vec<Phase> {
        Phase::ALL.into_iter().filter(|p| p.kind() == Some(kind) && self.does(*p)).collect()
    }

    /// Whether the run does `phase`.
    pub fn does(&self, phase: Phase) -> bool {
        let c = &self.chosen;
        match phase {
            Phase::DirectoryCreate => c.directories && c.create,
            Phase::DirectoryStat => c.directories && c.stat,
            Phase::DirectoryRead => c.directories && c.read,
            Phase::DirectoryRename => c.directories && c.rename,
            Phase::DirectoryRemove => c.directories && c.remove,
            Phase::FileCreate => c.files && c.create,
            Phase::FileStat => c.files && c.stat,
            Phase::FileRead => c.files && c.read,
            Phase::FileRemove => c.files && c.remove,
            Phase::TreeCreate => c.create,
            Phase::TreeRemove => c.remove,
        }
    }

    /// The rows of the summary table, in order: phases that did not run print zeros, those of a kind that was left
    /// out do not stand there.
    pub fn rows(&self) -> Vec<Phase> {
        let shown = |p: &Phase| match p.kind() {
            Some(Kind::Directory) => self.chosen.directories && *p != Phase::DirectoryRead,
            Some(Kind::File) => self.chosen.files,
            None => true,
        };
        Phase::ALL.into_iter().filter(shown).collect()
    }

    /// Bytes of the file that a read is verified against: what was written, or where this run does not say, what is
    /// read.
    pub fn file_bytes(&self) -> u64 {
        if self.write_bytes > 0 {
            self.write_bytes
        } else {
            self.read_bytes
        }
    }

    /// Trees that `tasks` tasks make in each iteration, over all test directories.
    pub fn trees(&self, tasks: u64) -> u64 {
        self.test_directories * if self.unique { tasks } else { 1 }
    }
}

fn directories(cli: &Cli) -> Vec<String> {
    let plain = |path: &str| match path.trim_end_matches('/') {
        "" if path.starts_with('/') => "/".to_string(),
        trimmed => trimmed.to_string(),
    };
    cli.directories.split('@').map(plain).collect()
}

fn assemble(
    cli: &Cli,
    drawn: &Drawn,
    placement: &Placement,
    chosen: Chosen,
    directories: Vec<String>,
    layout: &Layout,
) -> Result<Plan, Error> {
    Ok(Plan {
        api: check::api(&cli.api)?,
        posix: PosixOptions { odirect: cli.posix_odirect, rangelocks: cli.posix_rangelocks },
        dummy: DummyOptions {
            create_us: cli.dummy_create_us,
            close_us: cli.dummy_close_us,
            sync_us: cli.dummy_sync_us,
            xfer_us: cli.dummy_xfer_us,
            only_rank0: cli.dummy_only_rank0,
        },
        directories,
        chosen,
        unique: cli.unique,
        time_unique: cli.time_unique,
        shared_file: cli.shared_file,
        collective: cli.collective,
        mknod: cli.mknod,
        branch: cli.branch,
        depth: cli.depth,
        leaf_only: cli.leaf_only,
        tree_directories: layout.tree.directories(),
        items_per_directory: layout.items_per_directory,
        test_directories: layout.test_directories,
        items_per_task: layout.items(),
        task_counts: check::task_counts(cli, placement.tasks)?,
        iterations: check::iterations_at_least(cli),
        #[allow(clippy::cast_precision_loss)] // up to 10,000
        until_ci_percent: cli.until_ci.map(|hundredths| hundredths as f64 / 100.0),
        max_iterations: check::iterations_at_most(cli)?,
        neighbor_stride: cli.neighbor_stride,
        rank_shift: if placement.nodes > 1 && placement.in_blocks {
            cli.neighbor_stride.saturating_mul(placement.tasks_on_first_node)
        } else {
            cli.neighbor_stride
        },
        barriers: !cli.no_barriers,
        random_seed: cli.random_order.then(|| cli.random_seed.unwrap_or(drawn.random_seed)),
        stonewall_s: cli.stonewall_s,
        stonewall_file: cli.stonewall_file.clone(),
        stonewall_counts: drawn.stonewall.clone(),
        wear_out_limit_s: cli.wear_out_limit_s,
        pre_delay_s: cli.pre_delay_s,
        sync_phases: cli.sync_phases,
        drop_caches: cli.drop_caches,
        before_phase: cli.before_phase.clone(),
        after_phase: cli.after_phase.clone(),
        max_errors: if cli.warnings_as_errors { Some(1) } else { cli.max_errors },
        warnings_as_errors: cli.warnings_as_errors,
        write_bytes: cli.write_bytes,
        read_bytes: cli.read_bytes,
        verify_read: cli.verify_read,
        verify_write: cli.verify_write,
        fsync: cli.fsync,
        packet: check::packet(&cli.packet)?.name(),
        data_offset: cli.data_offset.unwrap_or(drawn.data_offset),
        output: Output::of(cli),
    })
}

#[cfg(test)]
mod tests;
