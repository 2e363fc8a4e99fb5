//! The data patterns written into files: what `rank` puts into `item`, and whether that is what came back.
//!
//! A file is a run of 64-bit little-endian words; the bytes left after the last whole word each hold their own offset's
//! low 8 bits. A rank enters each pattern through its low 32 bits only, so ranks that agree there write the same data.

/// Bytes in a word.
const WORD: usize = 8;
/// Words in a block: `o` and `i` begin each block, 4 KiB, with a word that tells the item.
const BLOCK: u64 = 512;
/// Bytes in a block.
const BLOCK_BYTES: usize = 4096;
/// What `r` multiplies by to get from one word to the next.
const FACTOR: u64 = 0x9e37_ffff_fffc_0001;

/// Kind of data written into files (`--dataPacketType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// Numbered words, the same for each item.
    Timestamp,
    /// Numbered words, each block marked with the item.
    Offset,
    /// One pseudo-random word over and over, each block marked with the item.
    Incompressible,
    /// Pseudo-random words, others for each item.
    Random,
}

impl Packet {
    /// The kind that `name`, long or of one letter, stands for.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "t" | "timestamp" => Some(Self::Timestamp),
            "o" | "offset" => Some(Self::Offset),
            "i" | "incompressible" => Some(Self::Incompressible),
            "r" | "random" => Some(Self::Random),
            _ => None,
        }
    }

    /// The long name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Timestamp => "timestamp",
            Self::Offset => "offset",
            Self::Incompressible => "incompressible",
            Self::Random => "random",
        }
    }
}

/// What a file of a given size holds.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    packet: Packet,
    data_offset: u64,
    /// Bytes of the file's whole words; the tail begins here.
    word_bytes: u64,
}

impl Pattern {
    /// The pattern of a file of `file_bytes` bytes; `data_offset` is the number mixed into it (`-G`).
    #[must_use]
    pub fn new(packet: Packet, data_offset: u64, file_bytes: u64) -> Self {
        let word_bytes = file_bytes - file_bytes % 8;
        Self { packet, data_offset, word_bytes }
    }

    /// Fills `buf`, a prefix of the file, with the bytes that `rank` writes into `item`.
    pub fn fill(&self, buf: &mut [u8], rank: u64, item: u64) {
        let (words, tail) = buf.split_at_mut(self.tail_start(buf.len()));
        self.walk(words.chunks_mut(WORD), rank, item, |chunk, word| {
            put(chunk, word);
            true
        });
        for (offset, byte) in (words.len()..).zip(tail) {
            *byte = low_byte(offset);
        }
    }

    /// Makes a buffer that `fill` filled for the same rank and some other item right for `item`.
    ///
    /// Touches only what differs between items: nothing for `t`, a word in 4 KiB for `o` and `i`, every word for `r`.
    pub fn refresh(&self, buf: &mut [u8], rank: u64, item: u64) {
        let (words, _) = buf.split_at_mut(self.tail_start(buf.len()));
        match self.packet {
            Packet::Timestamp => {}
            Packet::Offset | Packet::Incompressible => {
                for (number, block) in (1..).zip(words.chunks_mut(BLOCK_BYTES)) {
                    put(block, marker(number, rank, item));
                }
            }
            Packet::Random => self.fill(buf, rank, item),
        }
    }

    /// Whether `got`, the first `got.len()` bytes of the file, is what `rank` wrote into `item`.
    #[must_use]
    pub fn matches(&self, got: &[u8], rank: u64, item: u64) -> bool {
        let (words, tail) = got.split_at(self.tail_start(got.len()));
        self.walk(words.chunks(WORD), rank, item, holds)
            && (words.len()..).zip(tail).all(|(offset, &byte)| byte == low_byte(offset))
    }

    /// Whether `got` is what one of `tasks` tasks wrote into `item`: any of them may have been the last to write a
    /// shared file (`-S`).
    #[must_use]
    pub fn matches_any(&self, got: &[u8], tasks: u64, item: u64) -> bool {
        if let Some(rank) = self.writer(got) {
            return rank < tasks && self.matches(got, rank, item);
        }
        // `matches` stops at the first word that differs, so a wrong rank costs little more than that word.
        (0..tasks.min(1 << 32)).any(|rank| self.matches(got, rank, item))
    }

    /// The rank that the first word carries, when it carries one.
    fn writer(&self, got: &[u8]) -> Option<u64> {
        let (words, _) = got.split_at(self.tail_start(got.len()));
        let carried = match self.packet {
            // A larger number is or-ed over the rank's bits.
            Packet::Timestamp => self.data_offset >> 32 == 0,
            Packet::Offset | Packet::Incompressible => true,
            Packet::Random => false,
        };
        let first = words.first_chunk::<WORD>().filter(|_| carried)?;
        Some(u64::from_le_bytes(*first) >> 32)
    }

    /// Where the tail begins in the first `len` bytes of the file: at their end when they do not reach it.
    fn tail_start(&self, len: usize) -> usize {
        usize::try_from(self.word_bytes).map_or(len, |words| words.min(len))
    }

    /// Hands `each` the chunks in turn, each with the word that belongs there, for as long as it says true; whether it
    /// always did.
    ///
    /// The match stands outside the loops, so that each kind of data gets a loop of its own.
    fn walk<C>(
        &self,
        chunks: impl Iterator<Item = C>,
        rank: u64,
        item: u64,
        mut each: impl FnMut(C, u64) -> bool,
    ) -> bool {
        let numbered = |index: u64| (rank << 32) | self.data_offset.wrapping_add(index);
        let marked =
            |index, other| if index % BLOCK == 0 { marker(index / BLOCK + 1, rank, item) } else { other };
        let mut chunks = (0..).zip(chunks);
        match self.packet {
            Packet::Timestamp => chunks.all(|(index, chunk)| each(chunk, numbered(index))),
            Packet::Offset => chunks.all(|(index, chunk)| each(chunk, marked(index, numbered(index)))),
            Packet::Incompressible => {
                let mut state = self.data_offset.wrapping_add(rank);
                let high = rand_r(&mut state);
                let filler = (high << 32) | rand_r(&mut state);
                chunks.all(|(index, chunk)| each(chunk, marked(index, filler)))
            }
            Packet::Random => {
                let mut state = self.data_offset.wrapping_add(rank).wrapping_add(item);
                let mut word = rand_r(&mut state);
                chunks.all(|(_, chunk)| {
                    word = word.wrapping_mul(FACTOR) >> 3;
                    each(chunk, word)
                })
            }
        }
    }
}

/// The word that begins block `number`, counted from 1: the rank, and the item times that number.
fn marker(number: u64, rank: u64, item: u64) -> u64 {
    (rank << 32) | (item.wrapping_mul(number) & 0xffff_ffff)
}

/// Begins `chunk` with the word, or with as much of it as there is room for.
fn put(chunk: &mut [u8], word: u64) {
    let word = word.to_le_bytes();
    // The usual case apart: its length is known when compiling, which makes it one store.
    if let Some(whole) = chunk.first_chunk_mut() {
        *whole = word;
    } else {
        chunk.iter_mut().zip(word).for_each(|(to, from)| *to = from);
    }
}

/// Whether `chunk` is the word, or the beginning of it where the data ends.
fn holds(chunk: &[u8], word: u64) -> bool {
    let word = word.to_le_bytes();
    <[u8; WORD]>::try_from(chunk).map_or_else(|_| word.starts_with(chunk), |whole| whole == word)
}

/// The low 8 bits of an offset, which is what a tail byte holds.
fn low_byte(offset: usize) -> u8 {
    offset.to_le_bytes()[0]
}

/// glibc's `rand_r`: 31 bits, gathered from three steps of a linear congruential generator.
///
/// Its state has 32 bits. The bits above them never reach down to those that are taken, so they may as well be there.
fn rand_r(state: &mut u64) -> u64 {
    let mut step = |bits: u32| {
        *state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (*state >> 16) % (1 << bits)
    };
    let high = step(11);
    let middle = step(10);
    (high << 20) | (middle << 10) | step(10)
}

#[cfg(test)]
mod tests;
