//! Files and directories in memory.

use std::collections::HashMap;

/// The root's inode.
pub const ROOT: u64 = 1;
/// Inodes that are given out begin here: below are the cookies of `.` and `..` in a listing.
const FIRST: u64 = 3;

/// What a call comes to, or its errno.
pub type Done<T> = Result<T, i32>;

/// A file or a directory.
#[derive(Debug)]
pub struct Node {
    /// Type and permissions.
    pub mode: u32,
    /// Its owner, user and group.
    pub owner: (u32, u32),
    /// What is in it.
    pub content: Content,
    name: String,
    /// The directory that it is in; `None` once it is removed, and for the root.
    parent: Option<u64>,
    /// Answers that told the kernel of it and are not taken back.
    known: u64,
}

#[derive(Debug)]
pub enum Content {
    File(Vec<u8>),
    Directory(HashMap<String, u64>),
}

impl Node {
    fn new(mode: u32, owner: (u32, u32), name: &str, parent: Option<u64>) -> Self {
        let content = if mode & libc::S_IFMT == libc::S_IFDIR {
            Content::Directory(HashMap::new())
        } else {
            Content::File(Vec::new())
        };
        Node { mode, owner, content, name: name.to_string(), parent, known: 0 }
    }

    pub fn is_directory(&self) -> bool {
        matches!(self.content, Content::Directory(_))
    }

    pub fn bytes(&self) -> u64 {
        match &self.content {
            Content::File(data) => data.len() as u64,
            Content::Directory(_) => 4096,
        }
    }

    fn children(&self) -> Done<&HashMap<String, u64>> {
        match &self.content {
            Content::Directory(children) => Ok(children),
            Content::File(_) => Err(libc::ENOTDIR),
        }
    }

    fn children_mut(&mut self) -> Done<&mut HashMap<String, u64>> {
        match &mut self.content {
            Content::Directory(children) => Ok(children),
            Content::File(_) => Err(libc::ENOTDIR),
        }
    }

    /// The bytes of a file.
    pub fn data(&mut self) -> Done<&mut Vec<u8>> {
        match &mut self.content {
            Content::File(data) => Ok(data),
            Content::Directory(_) => Err(libc::EISDIR),
        }
    }
}

/// All of them by inode.
#[derive(Debug)]
pub struct Tree {
    nodes: HashMap<u64, Node>,
    next: u64,
}

impl Default for Tree {
    /// An empty root.
    fn default() -> Self {
        let root = Node::new(libc::S_IFDIR | 0o755, (0, 0), "", None);
        Tree { nodes: HashMap::from([(ROOT, root)]), next: FIRST }
    }
}

impl Tree {
    pub fn node(&self, inode: u64) -> Done<&Node> {
        self.nodes.get(&inode).ok_or(libc::ENOENT)
    }

    pub fn node_mut(&mut self, inode: u64) -> Done<&mut Node> {
        self.nodes.get_mut(&inode).ok_or(libc::ENOENT)
    }

    /// The path below the mount point, without a slash in front; of what is removed, the name it had.
    pub fn path(&self, inode: u64) -> String {
        match self.node(inode) {
            Ok(Node { parent: Some(parent), name, .. }) => self.path_in(*parent, name),
            Ok(Node { name, .. }) => name.clone(),
            Err(_) => String::new(),
        }
    }

    /// The path of `name` in a directory.
    pub fn path_in(&self, directory: u64, name: &str) -> String {
        match self.path(directory) {
            above if above.is_empty() => name.to_string(),
            above => format!("{above}/{name}"),
        }
    }

    /// Finds `name` in a directory, and counts that the kernel knows of it.
    pub fn lookup(&mut self, directory: u64, name: &str) -> Done<u64> {
        let inode = self.find(directory, name)?;
        self.node_mut(inode)?.known += 1;
        Ok(inode)
    }

    fn find(&self, directory: u64, name: &str) -> Done<u64> {
        self.node(directory)?.children()?.get(name).copied().ok_or(libc::ENOENT)
    }

    /// Makes a file or a directory, and counts that the kernel knows of it.
    pub fn make(&mut self, directory: u64, name: &str, mode: u32, owner: (u32, u32)) -> Done<u64> {
        if self.find(directory, name).is_ok() {
            return Err(libc::EEXIST);
        }
        let inode = self.next;
        self.node_mut(directory)?.children_mut()?.insert(name.to_string(), inode);
        self.nodes.insert(inode, Node { known: 1, ..Node::new(mode, owner, name, Some(directory)) });
        self.next += 1;
        Ok(inode)
    }

    /// Removes a file, or an empty directory.
    pub fn remove(&mut self, directory: u64, name: &str, is_directory: bool) -> Done<()> {
        let inode = self.find(directory, name)?;
        match (&self.node(inode)?.content, is_directory) {
            (Content::Directory(_), false) => return Err(libc::EISDIR),
            (Content::File(_), true) => return Err(libc::ENOTDIR),
            (Content::Directory(children), true) if !children.is_empty() => return Err(libc::ENOTEMPTY),
            _ => {}
        }
        self.node_mut(directory)?.children_mut()?.remove(name);
        self.node_mut(inode)?.parent = None;
        self.forget(inode, 0);
        Ok(())
    }

    /// Gives what is called `from` the name `to`, in place of what has that.
    pub fn rename(&mut self, from: (u64, &str), to: (u64, &str), replace: bool) -> Done<()> {
        let inode = self.find(from.0, from.1)?;
        match self.find(to.0, to.1) {
            Ok(same) if same == inode => return Ok(()),
            Ok(_) if !replace => return Err(libc::EEXIST),
            Ok(_) => self.remove(to.0, to.1, self.node(inode)?.is_directory())?,
            Err(libc::ENOENT) => {}
            Err(errno) => return Err(errno),
        }
        self.node_mut(to.0)?.children_mut()?.insert(to.1.to_string(), inode);
        self.node_mut(from.0)?.children_mut()?.remove(from.1);
        let node = self.node_mut(inode)?;
        (node.parent, node.name) = (Some(to.0), to.1.to_string());
        Ok(())
    }

    /// The kernel takes back `count` answers. What is removed lives until it has taken back all.
    pub fn forget(&mut self, inode: u64, count: u64) {
        let Some(node) = self.nodes.get_mut(&inode) else { return };
        node.known = node.known.saturating_sub(count);
        if node.known == 0 && node.parent.is_none() && inode != ROOT {
            self.nodes.remove(&inode);
        }
    }

    /// What is in a directory behind the place `cookie`: cookie, inode and name of each, the cookies ascending.
    pub fn list(&self, directory: u64, cookie: u64) -> Done<Vec<(u64, u64, String)>> {
        let node = self.node(directory)?;
        let above = node.parent.unwrap_or(ROOT);
        let mut all = vec![(1, directory, ".".to_string()), (2, above, "..".to_string())];
        all.extend(node.children()?.iter().map(|(name, &inode)| (inode, inode, name.clone())));
        all.retain(|entry| entry.0 > cookie);
        all.sort();
        Ok(all)
    }
}

#[test]
fn what_is_removed_lives_while_the_kernel_knows_of_it() {
    let mut tree = Tree::default();
    let directory = tree.make(ROOT, "d", libc::S_IFDIR, (0, 0)).unwrap();
    let file = tree.make(directory, "f", libc::S_IFREG, (0, 0)).unwrap();
    assert_eq!(tree.path(file), "d/f");
    assert_eq!(tree.remove(ROOT, "d", true), Err(libc::ENOTEMPTY));
    tree.rename((directory, "f"), (ROOT, "g"), true).unwrap();
    assert_eq!((tree.lookup(ROOT, "g"), tree.path(file)), (Ok(file), "g".to_string()));
    assert_eq!(tree.list(ROOT, 2).unwrap().len(), 2);
    tree.remove(ROOT, "g", false).unwrap();
    tree.node_mut(file).unwrap().data().unwrap().push(1);
    tree.forget(file, 2);
    assert_eq!(tree.node(file).map(|_| ()), Err(libc::ENOENT));
    tree.remove(ROOT, "d", true).unwrap();
}
