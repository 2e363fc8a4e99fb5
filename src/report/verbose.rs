//! What `-v` adds to mdtest's text, in the form of mdtest's own lines: `V-<level>: Rank   0 Line     0 …` (no line
//! numbers of ours would mean anything to their readers).

use crate::namespace::phase::Phase;
use crate::plan::Plan;
use crate::result::outcome::Iteration;

fn line(level: u64, text: &str) -> String {
    format!("V-{level}: Rank   0 Line     0 {text}\n")
}

fn flag(on: bool) -> &'static str {
    if on {
        "True"
    } else {
        "False"
    }
}

/// Level 1: the plan, under mdtest's names.
pub fn plan(plan: &Plan) -> String {
    let c = &plan.chosen;
    let api = if plan.api == crate::plan::Api::Dummy { "DUMMY" } else { "POSIX" };
    let counts =
        (plan.task_counts.first().copied().unwrap_or(0), plan.task_counts.last().copied().unwrap_or(0));
    [
        ("api", api.to_string()),
        ("barriers", flag(plan.barriers).to_string()),
        ("collective_creates", flag(plan.collective).to_string()),
        ("create_only", flag(c.create).to_string()),
        ("dirpath(s)", plan.directories.join(" ")),
        ("dirs_only", flag(c.directories).to_string()),
        ("read_bytes", plan.read_bytes.to_string()),
        ("read_only", flag(c.read).to_string()),
        ("first", counts.0.to_string()),
        ("files_only", flag(c.files).to_string()),
        ("iterations", plan.iterations.to_string()),
        ("items_per_dir", plan.items_per_directory.to_string()),
        ("last", counts.1.to_string()),
        ("leaf_only", flag(plan.leaf_only).to_string()),
        ("items", plan.items_per_task.to_string()),
        ("nstride", plan.neighbor_stride.to_string()),
        ("rank_shift", plan.rank_shift.to_string()),
        ("pre_delay", plan.pre_delay_s.to_string()),
        ("remove_only", flag(c.remove).to_string()),
        ("random_seed", plan.random_seed.unwrap_or(0).to_string()),
        ("shared_file", flag(plan.shared_file).to_string()),
        ("time_unique_dir_overhead", flag(plan.time_unique).to_string()),
        ("stone_wall_timer_seconds", plan.stonewall_s.to_string()),
        ("stat_only", flag(c.stat).to_string()),
        ("unique_dir_per_task", flag(plan.unique).to_string()),
        ("write_bytes", plan.write_bytes.to_string()),
        ("sync_file", flag(plan.fsync).to_string()),
        ("call_sync", flag(plan.sync_phases).to_string()),
        ("branch_factor", plan.branch.to_string()),
        ("depth", plan.depth.to_string()),
        ("make_node", flag(plan.mknod).to_string()),
        ("data_offset", plan.data_offset.to_string()),
    ]
    .iter()
    .map(|(name, value)| line(1, &format!("{name:<24}: {value}")))
    .collect()
}

/// What the levels up to the plan's say of an iteration; `places` are the directories of rank 0's phases.
pub fn iteration(plan: &Plan, iteration: &Iteration, places: &[(Phase, String)]) -> String {
    let mut out = line(1, &format!("main: * iteration {} *", iteration.iteration + 1));
    if plan.output.verbosity >= 2 {
        for directory in &plan.directories {
            for t in 0..plan.test_directories {
                let name = crate::namespace::path::test_directory(directory, iteration.iteration, t);
                out += &line(2, &format!("main: test directory '{name}'"));
            }
        }
    }
    if plan.output.verbosity >= 3 {
        for (phase, place) in places {
            out += &line(3, &format!("main: {} path is '{place}'", phase.label()));
        }
    }
    for p in &iteration.phases {
        let label = p.phase.label();
        out +=
            &line(1, &format!("   {label:<18}: {:14.3} sec, {:14.3} ops/sec", p.rated_seconds, p.rate_per_s));
    }
    out
}
