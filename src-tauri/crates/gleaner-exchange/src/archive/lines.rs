//! Lines of a file that nobody vouches for.

use ring::digest::{Context, SHA256};
use std::io::{self, BufRead, BufReader, Read};

/// No line is longer.
const LONGEST: usize = 64 << 20;
/// No file unpacks to more than so many times what it takes, …
const RATIO: u64 = 400;
/// … unless it is no longer than this.
const SMALL: u64 = 64 << 20;

/// Bytes that are counted, digested, and no more than their packing is good for.
pub struct Counted<R> {
    inner: R,
    digest: Context,
    read: u64,
    most: u64,
}

impl<R: Read> Counted<R> {
    /// `packed`: how many bytes it takes in the archive; `most`: it is no longer.
    pub fn new(inner: R, packed: u64, most: u64) -> Self {
        let most = most.min(SMALL.max(packed.saturating_mul(RATIO)));
        Self { inner, digest: Context::new(&SHA256), read: 0, most }
    }

    /// Of all that was read.
    pub fn digest(self) -> String {
        super::hexadecimal(self.digest.finish().as_ref())
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read += length as u64;
        if self.read > self.most {
            return Err(io::Error::other("it unpacks to far more than there can be of it, as only a trap does"));
        }
        self.digest.update(&buffer[..length]);
        Ok(length)
    }
}

/// Line by line, each of a length that memory bears.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// The number of the line that was read last, from 1.
    pub number: u64,
}

impl<R: Read> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, reader), line: Vec::new(), number: 0 }
    }

    /// The next line without its end; `None` behind the last.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        loop {
            let there = self.reader.fill_buf()?;
            if there.is_empty() {
                break;
            }
            let end = there.iter().position(|byte| *byte == b'\n');
            self.line.extend_from_slice(&there[..end.unwrap_or(there.len())]);
            let used = end.map_or(there.len(), |end| end + 1);
            self.reader.consume(used);
            if self.line.len() > LONGEST {
                return Err(io::Error::other("a line of it is longer than any article"));
            }
            if end.is_some() {
                self.number += 1;
                return Ok(Some(&self.line));
            }
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(&self.line))
    }

    pub fn into_inner(self) -> R {
        self.reader.into_inner()
    }
}
