//! /proc/self/mountstats of the NFS client: a paragraph a mount, with a line for each operation of the protocol.

/// Requests of all operations on the mount at `mount_point`.
pub fn requests(mountstats: &str, mount_point: &str) -> Option<u64> {
    let place = format!(" mounted on {} with fstype nfs", escaped(mount_point));
    let mut lines = mountstats.lines().skip_while(|l| !(l.starts_with("device ") && l.contains(&place)));
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with("device "));
    let mut operations = own.skip_while(|line| line.trim() != "per-op statistics");
    operations.next()?;
    // OPERATION: requests transmissions timeouts …
    Some(operations.filter_map(|line| line.split_once(": ")?.1.split(' ').next()?.parse::<u64>().ok()).sum())
}

/// A path as the kernel writes it there.
fn escaped(path: &str) -> String {
    path.replace('\\', "\\134").replace(' ', "\\040").replace('\t', "\\011").replace('\n', "\\012")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTSTATS: &str = "\
device rootfs mounted on / with fstype rootfs
device srv:/home mounted on /home with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2
\tage:\t3600
\tbytes:\t1 2 3
\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)
\txprt:\ttcp 0 0 1 0 11 500 500 0 500 0 2 0 0
\tper-op statistics
\t        NULL: 1 1 0 44 24 0 0 0 0
\t     GETATTR: 900 901 0 1 2 3 4 5 0
device srv:/my scratch mounted on /mnt/my\\040scratch with fstype nfs statvers=1.1
\tper-op statistics
\t      LOOKUP: 40 40 0 1 2 3 4 5 0
\t      ACCESS: 2 2 0 1 2 3 4 5 0
device tmpfs mounted on /home/x with fstype tmpfs
";

    #[test]
    fn the_operations_of_one_mount_are_summed() {
        assert_eq!(requests(MOUNTSTATS, "/home"), Some(901));
        assert_eq!(requests(MOUNTSTATS, "/mnt/my scratch"), Some(42));
        assert_eq!(requests(MOUNTSTATS, "/home/x"), None);
        assert_eq!(requests("", "/home"), None);
    }
}
