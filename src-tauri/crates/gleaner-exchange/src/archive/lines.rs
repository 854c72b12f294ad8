//! Reads lines of untrusted files, with limits on their size.

use ring::digest::{Context, SHA256};
use std::io::{self, BufRead, BufReader, Read};

/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 64 << 20;
/// Maximum ratio of unpacked to packed size.
const MAX_RATIO: u64 = 400;
/// Unpacked size, in bytes, up to which the ratio does not matter.
const SMALL: u64 = 64 << 20;

/// A reader that counts, digests and limits bytes.
pub struct Counted<R> {
    inner: R,
    digest: Context,
    read: u64,
    most: u64,
}

impl<R: Read> Counted<R> {
    /// Creates a reader. `packed`: size in the archive, in bytes; `most`: maximum unpacked size.
    pub fn new(inner: R, packed: u64, most: u64) -> Self {
        let most = most.min(SMALL.max(packed.saturating_mul(MAX_RATIO)));
        Self { inner, digest: Context::new(&SHA256), read: 0, most }
    }

    /// Returns the digest of everything read so far, in hexadecimal digits.
    pub fn digest(&self) -> String {
        hex::encode(self.digest.clone().finish())
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.read += length as u64;
        if self.read > self.most {
            return Err(io::Error::other("it unpacks to far more than it can hold, like a zip bomb"));
        }
        self.digest.update(&buffer[..length]);
        Ok(length)
    }
}

/// Reads lines of limited length.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Number of the last line read, from 1.
    pub number: u64,
}

impl<R: Read> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, reader), line: Vec::new(), number: 0 }
    }

    /// Returns the next line without its line break; `None` at the end.
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
            if self.line.len() > MAX_LINE {
                return Err(io::Error::other("a line is longer than any article"));
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

    pub fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }
}
