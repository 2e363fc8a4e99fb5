//! What file system clients count themselves: requests that left this node. One reader a file.

pub mod lustre;
pub mod nfs;

use std::path::Path;

/// A mount whose client counts its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// NFS, by its mount point.
    Nfs(String),
    /// Lustre, by the name of its file system.
    Lustre(String),
}

impl Client {
    /// The client of a mount, by the type, the source and the mount point of the file system; `None` where it has no
    /// counters that are known here.
    pub fn of(fs_type: &str, source: &str, mount_point: &str) -> Option<Self> {
        match fs_type {
            "nfs" | "nfs4" => Some(Client::Nfs(mount_point.to_string())),
            "lustre" => {
                let name = source.rsplit('/').next().filter(|name| !name.is_empty())?;
                Some(Client::Lustre(name.to_string()))
            }
            _ => None,
        }
    }

    /// Requests so far, since the mount; `None` where they cannot be read. `proc` is /proc.
    pub fn requests(&self, proc: &Path) -> Option<u64> {
        match self {
            Client::Nfs(mount_point) => {
                nfs::requests(&std::fs::read_to_string(proc.join("self/mountstats")).ok()?, mount_point)
            }
            Client::Lustre(name) => lustre::requests(&proc.join("fs/lustre"), name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_known_by_the_type_of_their_file_system() {
        assert_eq!(Client::of("nfs4", "srv:/x", "/mnt/x"), Some(Client::Nfs("/mnt/x".to_string())));
        let lustre = Client::of("lustre", "10.0.0.1@tcp:/scratch", "/lus");
        assert_eq!(lustre, Some(Client::Lustre("scratch".to_string())));
        assert_eq!(Client::of("ext4", "/dev/vda", "/"), None);
        assert_eq!(Client::of("lustre", "mgs@tcp:/", "/lus"), None);
    }

    #[test]
    fn what_is_not_there_is_not_known() {
        let nowhere = Path::new("/no/such/proc");
        assert_eq!(Client::Nfs("/".to_string()).requests(nowhere), None);
        assert_eq!(Client::Lustre("a".to_string()).requests(nowhere), None);
    }
}
