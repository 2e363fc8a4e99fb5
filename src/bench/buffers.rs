//! Memory that O_DIRECT can transfer from and to.

/// Alignment that every block device and file system takes.
const ALIGNMENT: usize = 4096;

/// Bytes that start at a multiple of 4096.
#[derive(Debug)]
pub struct Aligned {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// `len` zeroed bytes.
    pub fn new(len: u64) -> Self {
        let len = usize::try_from(len).unwrap_or(usize::MAX - ALIGNMENT);
        let memory = if len == 0 { Vec::new() } else { vec![0; len + ALIGNMENT] };
        let start = if len == 0 { 0 } else { memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT) };
        Aligned { memory, start, len }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }

    /// The bytes, to write to.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }
}

/// Whether this process may have so many bytes more.
pub fn can_be_had(bytes: u64) -> bool {
    usize::try_from(bytes)
        .is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes + 4 * ALIGNMENT).is_ok())
}

/// Bytes of memory that this node can still give, where it says.
pub fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned() {
        for len in [1, 4096, 5000] {
            let mut buffer = Aligned::new(len);
            assert_eq!(buffer.bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(buffer.bytes_mut().len() as u64, len);
        }
        assert!(Aligned::new(0).bytes().is_empty());
    }
}
