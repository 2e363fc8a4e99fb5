//! What is written into files and read from them.

use crate::backend::Backend;
use crate::bench::buffers::Aligned;
use crate::bench::walk::Fault;
use crate::measure::errors::Failure;
use crate::namespace::path::CPath;
use crate::namespace::payload::Pattern;
use crate::plan::Plan;

/// Buffers and patterns of one task.
#[derive(Debug)]
pub struct Data {
    pattern: Pattern,
    longer: Option<Pattern>, // where the files may be longer than what is read
    written: Aligned,
    read: Aligned,
    back: Aligned, // of --verify-write
    writer: u64,
    shared_by: Option<u64>, // tasks that write into the same files
    mknod: bool,
    fsync: bool,
    verify_read: bool,
}

impl Data {
    /// The data of task `rank` of `tasks`. Under `-S` all tasks write rank 0's pattern, so that a shared file holds the
    /// same whoever was last.
    pub fn new(plan: &Plan, rank: u64, tasks: u64) -> Self {
        let pattern = Pattern::new(plan.packet(), plan.data_offset, plan.file_bytes());
        let writer = if plan.shared_file { 0 } else { rank };
        let mut written = Aligned::new(plan.write_bytes);
        pattern.fill(written.bytes_mut(), writer, 0);
        Data {
            pattern,
            longer: (plan.write_bytes == 0).then(|| Pattern::new(plan.packet(), plan.data_offset, u64::MAX)),
            written,
            read: Aligned::new(plan.read_bytes),
            back: Aligned::new(if plan.verify_write { plan.write_bytes } else { 0 }),
            writer,
            shared_by: plan.shared_file.then_some(tasks),
            mknod: plan.mknod,
            fsync: plan.fsync,
            verify_read: plan.verify_read,
        }
    }

    /// Creates a file, writes into it, closes it.
    #[inline]
    pub fn create<B: Backend>(&mut self, fs: &mut B, path: CPath, item: u64) -> Result<(), Fault> {
        if self.mknod {
            return self.mknod(fs, path);
        }
        let file = Fault::of("create", fs.create(path))?;
        self.fill_and_close(fs, file, item)
    }

    /// Creates a file and closes it: the data follow when its own task opens it.
    #[inline]
    pub fn create_empty<B: Backend>(&mut self, fs: &mut B, path: CPath) -> Result<(), Fault> {
        if self.mknod {
            return self.mknod(fs, path);
        }
        let file = Fault::of("create", fs.create(path))?;
        Fault::of("close", fs.close(file))
    }

    /// A shared file may have been made by another task already, as an open with O_CREAT would find it.
    fn mknod<B: Backend>(&self, fs: &mut B, path: CPath) -> Result<(), Fault> {
        match fs.mknod(path) {
            Err(libc::EEXIST) if self.shared_by.is_some() => Ok(()),
            made => Fault::of("mknod", made),
        }
    }

    /// Opens a file that is there, writes into it, closes it.
    #[inline]
    pub fn reopen<B: Backend>(&mut self, fs: &mut B, path: CPath, item: u64) -> Result<(), Fault> {
        let file = Fault::of("open", fs.open(path))?;
        self.fill_and_close(fs, file, item)
    }

    /// Opens a file that `writer` wrote, reads from it, closes it, looks at the data.
    #[inline]
    pub fn read<B: Backend>(&mut self, fs: &mut B, path: CPath, writer: u64, item: u64) -> Result<(), Fault> {
        let mut file = Fault::of("open", fs.open(path))?;
        let got = if self.read.bytes().is_empty() {
            Ok(())
        } else {
            complete(
                fs.read(&mut file, self.read.bytes_mut()),
                self.read.bytes().len(),
                "read",
                Failure::ShortRead,
            )
        };
        let closed = Fault::of("close", fs.close(file));
        got.and(closed)?;
        if self.verify_read {
            return self.compare(self.read.bytes(), writer, item);
        }
        Ok(())
    }

    /// The descriptor is closed whatever fails before; the first failure counts.
    #[inline]
    fn fill_and_close<B: Backend>(&mut self, fs: &mut B, mut file: B::File, item: u64) -> Result<(), Fault> {
        let written = if self.written.bytes().is_empty() { Ok(()) } else { self.fill(fs, &mut file, item) };
        let closed = Fault::of("close", fs.close(file));
        written.and(closed)
    }

    fn fill<B: Backend>(&mut self, fs: &mut B, file: &mut B::File, item: u64) -> Result<(), Fault> {
        self.pattern.refresh(self.written.bytes_mut(), self.writer, item);
        let data = self.written.bytes();
        complete(fs.write(file, data), data.len(), "write", Failure::ShortWrite)?;
        if self.fsync {
            Fault::of("fsync", fs.fsync(file))?;
        }
        if !self.back.bytes().is_empty() {
            let back = self.back.bytes_mut();
            let len = back.len();
            complete(fs.read(file, back), len, "read", Failure::ShortRead)?;
            self.compare(self.back.bytes(), self.writer, item)?;
        }
        Ok(())
    }

    fn compare(&self, got: &[u8], writer: u64, item: u64) -> Result<(), Fault> {
        let same = |pattern: &Pattern| match self.shared_by {
            Some(tasks) => pattern.matches_any(got, tasks, item),
            None => pattern.matches(got, writer, item),
        };
        if same(&self.pattern) || self.longer.as_ref().is_some_and(same) {
            Ok(())
        } else {
            Err(Fault { failure: Failure::DataDiffer, operation: "verify" })
        }
    }
}

fn complete(
    moved: Result<usize, i32>,
    wanted: usize,
    operation: &'static str,
    short: Failure,
) -> Result<(), Fault> {
    match Fault::of(operation, moved)? {
        n if n == wanted => Ok(()),
        _ => Err(Fault { failure: short, operation }),
    }
}
