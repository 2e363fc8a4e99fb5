//! The Lustre client's own statistics: a folder for each metadata and object target, in whose file `stats` the line
//! `req_waittime` counts requests.

use std::fs;
use std::path::Path;

/// Kinds of targets: metadata, objects.
const KINDS: [&str; 2] = ["mdc", "osc"];

/// Requests to all targets of the file system `name`; `folder` is /proc/fs/lustre. `None` where no target says.
pub fn requests(folder: &Path, name: &str) -> Option<u64> {
    let prefix = format!("{name}-");
    let targets = KINDS.iter().filter_map(|kind| fs::read_dir(folder.join(kind)).ok()).flatten().flatten();
    let own = targets.filter(|target| target.file_name().to_string_lossy().starts_with(&prefix));
    let counts: Vec<u64> =
        own.filter_map(|target| waits(&fs::read_to_string(target.path().join("stats")).ok()?)).collect();
    (!counts.is_empty()).then(|| counts.iter().sum())
}

/// `req_waittime  1234 samples [usec] …`; a target that was never asked has no such line.
fn waits(stats: &str) -> Option<u64> {
    let line = stats.lines().find(|line| line.starts_with("req_waittime"));
    line.map_or(Some(0), |line| line.split_whitespace().nth(1)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_of_one_file_system_are_summed() {
        let proc = tempfile::tempdir().unwrap();
        let target = |kind: &str, name: &str, text: &str| {
            let folder = proc.path().join(kind).join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("stats"), text).unwrap();
        };
        let stats = "snapshot_time  1 secs.nsecs\nreq_waittime  40 samples [usec] 60 900 9000 1\nreq_active 3 samples\n";
        target("mdc", "scratch-MDT0000-mdc-ffff8800", stats);
        target("mdc", "other-MDT0000-mdc-ffff8800", stats);
        target("osc", "scratch-OST0000-osc-ffff8800", "snapshot_time 1 secs.nsecs\n");
        target("osc", "scratch-OST0001-osc-ffff8800", &stats.replace("40", "2"));
        assert_eq!(requests(proc.path(), "scratch"), Some(42));
        assert_eq!(requests(proc.path(), "nowhere"), None);
    }
}
