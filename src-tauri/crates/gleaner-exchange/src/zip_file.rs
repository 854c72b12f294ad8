//! Writes ZIP files. When a `ZipWriter` is dropped, it completes the ZIP, and prints an error to standard error if that fails, for example
//! on a full disk. This module writes nothing more to an abandoned ZIP, so that nothing fails.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// A ZIP file that is being written.
pub(crate) struct ZipFile {
    /// Fields are dropped in this order: a file that was not finished is abandoned before its writer completes it.
    unfinished: Unfinished,
    writer: ZipWriter<Output>,
}

struct Unfinished(Arc<AtomicBool>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl ZipFile {
    pub(crate) fn new(out: BufWriter<File>) -> Self {
        let abandoned = Arc::new(AtomicBool::new(false));
        let output = Output { out, position: 0, length: 0, abandoned: Arc::clone(&abandoned) };
        Self { unfinished: Unfinished(abandoned), writer: ZipWriter::new(output) }
    }

    /// Begins a file in the ZIP; its content follows.
    pub(crate) fn begin(&mut self, name: &str, options: SimpleFileOptions) -> io::Result<()> {
        Ok(self.writer.start_file(name, options)?)
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)
    }

    /// Completes the ZIP.
    pub(crate) fn finish(self) -> io::Result<BufWriter<File>> {
        let Self { unfinished, writer } = self;
        let output = writer.finish()?;
        if output.is_abandoned() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        drop(unfinished);
        Ok(output.out)
    }
}

/// The file, until it is abandoned: by the first error, or without one.
struct Output {
    out: BufWriter<File>,
    position: u64,
    length: u64,
    abandoned: Arc<AtomicBool>,
}

impl Output {
    fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    fn checked<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted) {
            self.abandoned.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.is_abandoned() {
            bytes.len()
        } else {
            let result = self.out.write(bytes);
            self.checked(result)?
        };
        self.position += written as u64;
        self.length = self.length.max(self.position);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_abandoned() {
            return Ok(());
        }
        let result = self.out.flush();
        self.checked(result)
    }
}

impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        let position = position.ok_or(io::ErrorKind::InvalidInput)?;
        if !self.is_abandoned() && position != self.position {
            let result = self.out.seek(SeekFrom::Start(position));
            self.checked(result)?;
        }
        self.position = position;
        Ok(position)
    }
}
