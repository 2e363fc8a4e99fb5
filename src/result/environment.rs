//! Where a run took place. What is not known is absent.

use serde::{Deserialize, Serialize};
use std::fs;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Tasks that run on it.
    pub tasks: u64,
    /// Release of the kernel.
    pub kernel: Option<String>,
    /// Model of the first processor.
    pub cpu_model: Option<String>,
    /// Processors of the node (those of /proc/cpuinfo), whatever this task is bound to.
    pub cpus: Option<u64>,
}

impl Host {
    /// This node, on which `tasks` tasks run.
    pub fn here(name: String, tasks: u64) -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").ok();
        let model = |text: &str| {
            let line = text.lines().find(|l| l.starts_with("model name"))?.to_string();
            line.split_once(':').map(|(_, model)| model.trim().to_string())
        };
        Host {
            name,
            tasks,
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|t| t.trim().to_string()),
            cpu_model: info.as_deref().and_then(model),
            cpus: info.map(|text| text.lines().filter(|l| l.starts_with("processor")).count() as u64),
        }
    }
}

/// The file system that a test directory lies on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestDirectory {
    /// The directory as given.
    pub path: String,
    /// Type of the file system: ext4, tmpfs, fuse.juicefs …
    pub fs_type: Option<String>,
    /// What is mounted: a device, a server, a volume.
    pub source: Option<String>,
    /// Where.
    pub mount_point: Option<String>,
    /// Options of the mount and of the file system.
    pub mount_options: Option<String>,
    /// Size, bytes.
    pub size_bytes: u64,
    /// Free, bytes.
    pub free_bytes: u64,
    /// Inodes, 0 where the file system does not say.
    pub inodes: u64,
    /// Free inodes.
    pub free_inodes: u64,
}

impl TestDirectory {
    /// Whether a server answers, or a program in user space: the file system is none that this node's kernel keeps alone.
    pub fn is_remote(&self) -> bool {
        const TYPES: [&str; 18] = [
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "lustre",
            "ceph",
            "gpfs",
            "beegfs",
            "beegfs_nodev",
            "glusterfs",
            "9p",
            "afs",
            "pvfs2",
            "orangefs",
            "virtiofs",
            "wekafs",
            "panfs",
            "fuse",
        ];
        self.fs_type.as_deref().is_some_and(|t| t.starts_with("fuse.") || TYPES.contains(&t))
    }
}

/// A mount, as a line of /proc/self/mountinfo tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mount {
    /// Type of the file system.
    pub fs_type: String,
    /// What is mounted.
    pub source: String,
    /// Where.
    pub mount_point: String,
    /// Options of the mount, then those of the file system.
    pub options: String,
}

/// The mount that `path` lies on: the one with the longest mount point above it, the last of equals.
pub fn mount_of(path: &str, mountinfo: &str) -> Option<Mount> {
    let path = std::path::Path::new(path);
    mountinfo
        .lines()
        .filter_map(parse_mount)
        .filter(|m| path.starts_with(&m.mount_point))
        .max_by_key(|m| m.mount_point.len())
}

/// Fields of proc(5): id, parent, device, root, mount point, options, optional fields, a dash, type, source, options.
fn parse_mount(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let right: Vec<&str> = right.split(' ').collect();
    let (point, mount_options) = (left.get(4)?, left.get(5)?);
    let (fs_type, source) = (right.first()?, right.get(1)?);
    let fs_options = right.get(2).copied().unwrap_or_default();
    Some(Mount {
        fs_type: (*fs_type).to_string(),
        source: unescape(source),
        mount_point: unescape(point),
        options: format!("{mount_options};{fs_options}"),
    })
}

/// Undoes the kernel's `\040` and its like.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let octal = (byte == b'\\')
            .then(|| tail.get(..3))
            .flatten()
            .and_then(|d| std::str::from_utf8(d).ok())
            .and_then(|d| u8::from_str_radix(d, 8).ok());
        match octal {
            Some(code) => {
                bytes.push(code);
                rest = &tail[3..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The date and time, with the offset from UTC (RFC 3339).
pub fn now() -> chrono::DateTime<chrono::Local> {
    chrono::Local::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOUNTS: &str = "\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
30 22 0:26 / /dev/shm rw - tmpfs tmpfs rw,size=1k
31 22 0:27 / /mnt/my\\040jfs rw,nosuid shared:7 master:2 - fuse.juicefs JuiceFS:vol rw,user_id=0
32 22 0:28 / /mnt rw - nfs4 server:/export rw";

    #[test]
    fn the_mount_with_the_longest_point_counts() {
        for (path, fs_type) in [
            ("/", "ext4"),
            ("/dev/shm/x", "tmpfs"),
            ("/dev/shmx", "ext4"),
            ("/mnt/my jfs/a", "fuse.juicefs"),
            ("/mnt/other", "nfs4"),
        ] {
            assert_eq!(mount_of(path, MOUNTS).unwrap().fs_type, fs_type, "{path}");
        }
        let jfs = mount_of("/mnt/my jfs", MOUNTS).unwrap();
        assert_eq!((jfs.source.as_str(), jfs.options.as_str()), ("JuiceFS:vol", "rw,nosuid;rw,user_id=0"));
    }

    #[test]
    fn a_host_knows_its_kernel() {
        let host = Host::here("n".to_string(), 2);
        assert!(host.kernel.is_some() && host.cpus.is_some());
    }

    proptest! {
        #[test]
        fn no_mount_table_panics(text in "(?s).*", path in "/.*") {
            let _ = mount_of(&path, &text);
        }
    }
}
