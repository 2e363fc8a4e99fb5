//! The API that does nothing: what is measured is mdtest-rs itself, or the delays it was asked to spend.

use super::{Backend, Errno, FsUsage};
use crate::namespace::path::CPath;
use crate::plan::DummyOptions;
use std::time::{Duration, Instant};

/// Does nothing, for as long as it was told to.
#[derive(Clone, Copy, Debug)]
pub struct Dummy {
    delays: DummyOptions,
}

impl Dummy {
    /// The dummy of task `rank`.
    pub fn new(options: &DummyOptions, rank: u64) -> Self {
        let none = DummyOptions { create_us: 0, close_us: 0, sync_us: 0, xfer_us: 0, ..*options };
        Dummy { delays: if options.only_rank0 && rank > 0 { none } else { *options } }
    }
}

/// Spins: a sleep of microseconds would be as long as the kernel's timer slack.
fn spend(delay_us: u64) {
    if delay_us > 0 {
        let (start, delay) = (Instant::now(), Duration::from_micros(delay_us));
        while start.elapsed() < delay {
            std::hint::spin_loop();
        }
    }
}

impl Backend for Dummy {
    type File = ();

    fn mkdir(&mut self, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn rmdir(&mut self, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn stat(&mut self, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn rename(&mut self, _: CPath, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn unlink(&mut self, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn create(&mut self, _: CPath) -> Result<(), Errno> {
        spend(self.delays.create_us);
        Ok(())
    }

    fn mknod(&mut self, _: CPath) -> Result<(), Errno> {
        spend(self.delays.create_us);
        Ok(())
    }

    fn open(&mut self, _: CPath) -> Result<(), Errno> {
        Ok(())
    }

    fn write(&mut self, (): &mut (), data: &[u8]) -> Result<usize, Errno> {
        spend(self.delays.xfer_us);
        Ok(data.len())
    }

    fn read(&mut self, (): &mut (), data: &mut [u8]) -> Result<usize, Errno> {
        spend(self.delays.xfer_us);
        Ok(data.len())
    }

    fn fsync(&mut self, (): &mut ()) -> Result<(), Errno> {
        spend(self.delays.sync_us);
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Errno> {
        spend(self.delays.close_us);
        Ok(())
    }

    fn sync(&mut self) {
        spend(self.delays.sync_us);
    }

    fn usage(&mut self, _: CPath) -> Result<FsUsage, Errno> {
        Ok(FsUsage::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::path::CPathBuf;

    fn options(only_rank0: bool) -> DummyOptions {
        DummyOptions { create_us: 300, close_us: 0, sync_us: 0, xfer_us: 0, only_rank0 }
    }

    fn takes_its_time(dummy: &mut Dummy) -> bool {
        let path = CPathBuf::new("x").unwrap();
        let start = Instant::now();
        dummy.create(path.as_c()).unwrap();
        start.elapsed() >= Duration::from_micros(300)
    }

    #[test]
    fn delays_are_spent_by_rank_0_or_by_all() {
        assert!(takes_its_time(&mut Dummy::new(&options(true), 0)));
        assert!(takes_its_time(&mut Dummy::new(&options(false), 3)));
        assert_eq!(Dummy::new(&options(true), 3).delays.create_us, 0);
    }
}
