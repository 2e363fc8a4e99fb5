//! Serves the kernel's requests from the tree in memory, as the rules have it.

use super::rules::{Fate, Operation};
use super::tree::{Done, Tree};
use super::Shared;
use fuser::{
    AccessFlags, BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, InitFlags, KernelConfig, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow,
    WriteFlags,
};
use std::any::Any;
use std::ffi::OsStr;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The kernel keeps neither names nor attributes: every request comes here.
const KEPT: Duration = Duration::ZERO;

/// An answer that may be an error.
trait Answer: Any + Send + Sized {
    fn fail(self, errno: i32);
}

macro_rules! answers {
    ($($reply:ty),*) => {$(
        impl Answer for $reply {
            fn fail(self, errno: i32) {
                self.error(Errno::from_i32(errno));
            }
        }
    )*};
}

answers!(
    ReplyAttr,
    ReplyCreate,
    ReplyData,
    ReplyDirectory,
    ReplyEmpty,
    ReplyEntry,
    ReplyOpen,
    ReplyStatfs,
    ReplyWrite
);

/// The file system that fuser mounts.
pub struct Served(pub Arc<Shared>);

impl Served {
    /// Lets the rules have their way with a request on a path that the tree tells; the answer that is still due, and
    /// what is to be done to the data. `None` where the request has its answer, or will have none.
    fn admit<A: Answer>(
        &self,
        operation: Operation,
        path: impl FnOnce(&Tree) -> String,
        answer: A,
    ) -> Option<(A, Fate)> {
        let path = path(&self.0.tree());
        let fate = self.0.rules().fate(operation, &path, Instant::now());
        if fate.delay > Duration::ZERO {
            std::thread::sleep(fate.delay);
        }
        if fate.hang {
            self.0.hold(Box::new(answer));
            return None;
        }
        if let Some(errno) = fate.fail {
            answer.fail(errno);
            return None;
        }
        Some((answer, fate))
    }

    /// The same for a request on an inode.
    fn on<A: Answer>(&self, operation: Operation, inode: INodeNo, answer: A) -> Option<(A, Fate)> {
        self.admit(operation, |tree| tree.path(inode.0), answer)
    }

    /// The same for a request on a name in a directory.
    fn in_directory<A: Answer>(
        &self,
        operation: Operation,
        directory: INodeNo,
        name: &OsStr,
        answer: A,
    ) -> Option<(A, Fate)> {
        self.admit(operation, |tree| tree.path_in(directory.0, &text(name)), answer)
    }

    /// Makes a file or a directory.
    fn make(&self, request: &Request, directory: INodeNo, name: &OsStr, mode: u32) -> Done<FileAttr> {
        let mut tree = self.0.tree();
        let inode = tree.make(directory.0, &text(name), mode, (request.uid(), request.gid()))?;
        attributes(&tree, inode)
    }

    fn make_entry(&self, request: &Request, directory: INodeNo, name: &OsStr, mode: u32, reply: ReplyEntry) {
        match self.make(request, directory, name, mode) {
            Ok(attr) => reply.entry(&KEPT, &attr, Generation(0)),
            Err(errno) => reply.fail(errno),
        }
    }
}

fn text(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

fn attributes(tree: &Tree, inode: u64) -> Done<FileAttr> {
    let node = tree.node(inode)?;
    Ok(FileAttr {
        ino: INodeNo(inode),
        size: node.bytes(),
        blocks: node.bytes().div_ceil(512),
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind: if node.is_directory() { FileType::Directory } else { FileType::RegularFile },
        perm: u16::try_from(node.mode & 0o7777).unwrap(),
        nlink: 1,
        uid: node.owner.0,
        gid: node.owner.1,
        rdev: 0,
        blksize: 4096,
        flags: 0,
    })
}

fn end(reply: ReplyEmpty, done: Done<()>) {
    match done {
        Ok(()) => reply.ok(),
        Err(errno) => reply.fail(errno),
    }
}

fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl Filesystem for Served {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        // Tasks look up names in one directory beside each other; an older kernel does without.
        let _ = config.add_capabilities(InitFlags::FUSE_PARALLEL_DIROPS);
        Ok(())
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let Some((reply, _)) = self.in_directory(Operation::Lookup, parent, name, reply) else { return };
        let mut tree = self.0.tree();
        match tree.lookup(parent.0, &text(name)).and_then(|inode| attributes(&tree, inode)) {
            Ok(attr) => reply.entry(&KEPT, &attr, Generation(0)),
            Err(errno) => reply.fail(errno),
        }
    }

    fn forget(&self, _: &Request, inode: INodeNo, count: u64) {
        self.0.tree().forget(inode.0, count);
    }

    fn getattr(&self, _: &Request, inode: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        let Some((reply, _)) = self.on(Operation::Stat, inode, reply) else { return };
        match attributes(&self.0.tree(), inode.0) {
            Ok(attr) => reply.attr(&KEPT, &attr),
            Err(errno) => reply.fail(errno),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        inode: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let Some((reply, _)) = self.on(Operation::SetAttributes, inode, reply) else { return };
        let mut tree = self.0.tree();
        let done = tree.node_mut(inode.0).and_then(|node| {
            if let Some(mode) = mode {
                node.mode = node.mode & libc::S_IFMT | mode & !libc::S_IFMT;
            }
            node.owner = (uid.unwrap_or(node.owner.0), gid.unwrap_or(node.owner.1));
            size.map_or(Ok(()), |size| node.data().map(|data| data.resize(place(size), 0)))
        });
        match done.and_then(|()| attributes(&tree, inode.0)) {
            Ok(attr) => reply.attr(&KEPT, &attr),
            Err(errno) => reply.fail(errno),
        }
    }

    fn mknod(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        let Some((reply, _)) = self.in_directory(Operation::Mknod, parent, name, reply) else { return };
        self.make_entry(request, parent, name, mode, reply);
    }

    fn mkdir(&self, request: &Request, parent: INodeNo, name: &OsStr, mode: u32, _: u32, reply: ReplyEntry) {
        let Some((reply, _)) = self.in_directory(Operation::Mkdir, parent, name, reply) else { return };
        self.make_entry(request, parent, name, mode | libc::S_IFDIR, reply);
    }

    fn create(
        &self,
        request: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: i32,
        reply: ReplyCreate,
    ) {
        let Some((reply, _)) = self.in_directory(Operation::Create, parent, name, reply) else { return };
        match self.make(request, parent, name, mode) {
            Ok(attr) => {
                reply.created(&KEPT, &attr, Generation(0), FileHandle(0), FopenFlags::FOPEN_DIRECT_IO)
            }
            Err(errno) => reply.fail(errno),
        }
    }

    /// Reads and writes go past the page cache, so that each comes here as it is made.
    fn open(&self, _: &Request, inode: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let Some((reply, _)) = self.on(Operation::Open, inode, reply) else { return };
        reply.opened(FileHandle(0), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let Some((reply, fate)) = self.on(Operation::Read, inode, reply) else { return };
        let mut tree = self.0.tree();
        let data = match tree.node_mut(inode.0).and_then(|node| node.data()) {
            Ok(data) => data,
            Err(errno) => return reply.fail(errno),
        };
        let first = place(offset).min(data.len());
        let bytes = place(size.into()).min(data.len() - first).min(fate.short.unwrap_or(usize::MAX));
        let mut part = data[first..first + bytes].to_vec();
        if fate.flip {
            part.iter_mut().take(1).for_each(|byte| *byte ^= 1);
        }
        reply.data(&part);
    }

    fn write(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        offset: u64,
        part: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let Some((reply, fate)) = self.on(Operation::Write, inode, reply) else { return };
        let mut tree = self.0.tree();
        let data = match tree.node_mut(inode.0).and_then(|node| node.data()) {
            Ok(data) => data,
            Err(errno) => return reply.fail(errno),
        };
        let bytes = part.len().min(fate.short.unwrap_or(usize::MAX));
        let first = place(offset);
        data.resize(data.len().max(first + bytes), 0);
        data[first..first + bytes].copy_from_slice(&part[..bytes]);
        if fate.flip && bytes > 0 {
            data[first] ^= 1;
        }
        reply.written(u32::try_from(bytes).unwrap());
    }

    fn flush(&self, _: &Request, inode: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        let Some((reply, _)) = self.on(Operation::Flush, inode, reply) else { return };
        reply.ok();
    }

    fn release(
        &self,
        _: &Request,
        inode: INodeNo,
        _: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        let Some((reply, _)) = self.on(Operation::Release, inode, reply) else { return };
        reply.ok();
    }

    fn fsync(&self, _: &Request, inode: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        let Some((reply, _)) = self.on(Operation::Fsync, inode, reply) else { return };
        reply.ok();
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let Some((reply, _)) = self.in_directory(Operation::Unlink, parent, name, reply) else { return };
        end(reply, self.0.tree().remove(parent.0, &text(name), false));
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let Some((reply, _)) = self.in_directory(Operation::Rmdir, parent, name, reply) else { return };
        end(reply, self.0.tree().remove(parent.0, &text(name), true));
    }

    /// Rules see the old name.
    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let Some((reply, _)) = self.in_directory(Operation::Rename, parent, name, reply) else { return };
        if !(flags - RenameFlags::RENAME_NOREPLACE).is_empty() {
            return reply.fail(libc::EINVAL);
        }
        let (from, to) = (text(name), text(new_name));
        let replace = flags.is_empty();
        end(reply, self.0.tree().rename((parent.0, &from), (new_parent.0, &to), replace));
    }

    fn readdir(&self, _: &Request, inode: INodeNo, _: FileHandle, cookie: u64, reply: ReplyDirectory) {
        let Some((mut reply, _)) = self.on(Operation::List, inode, reply) else { return };
        let tree = self.0.tree();
        let entries = match tree.list(inode.0, cookie) {
            Ok(entries) => entries,
            Err(errno) => return reply.fail(errno),
        };
        for (cookie, inode, name) in entries {
            let directory = tree.node(inode).is_ok_and(|node| node.is_directory());
            let kind = if directory { FileType::Directory } else { FileType::RegularFile };
            if reply.add(INodeNo(inode), cookie, kind, name) {
                break; // full: the kernel comes again
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, inode: INodeNo, reply: ReplyStatfs) {
        let Some((reply, _)) = self.on(Operation::Usage, inode, reply) else { return };
        let (blocks, files) = (1 << 20, 1 << 20);
        reply.statfs(blocks, blocks, blocks, files, files, 4096, 255, 4096);
    }

    fn access(&self, _: &Request, inode: INodeNo, _: AccessFlags, reply: ReplyEmpty) {
        let Some((reply, _)) = self.on(Operation::Access, inode, reply) else { return };
        reply.ok();
    }
}
