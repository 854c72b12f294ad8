//! Decodes response bodies while they are read, in small steps, and counts the decoded bytes, so that a decompression
//! bomb stops at the limit, and no step takes long or fills the memory.

mod document;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use document::{ends_document, has_item};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{Decoder as ZstdDecoder, InBuffer, Operation as _, OutBuffer};

/// Value of `Accept-Encoding`: every coding that [`Body`] can decode.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";
/// log2 of the largest zstd window accepted: 8 MB, the maximum for HTTP by RFC 9659.
const ZSTD_WINDOW: u32 = 23;
/// Length of the largest window of a decoder in bytes: that of brotli.
const MAX_WINDOW: usize = 16 << 20;
/// Maximum output of one step of a decoder, in bytes.
pub(crate) const STEP: usize = 32 << 10;
/// Maximum buffer reserved on the strength of `Content-Length` alone, in bytes.
const MAX_RESERVED: u64 = 8 << 20;
/// Maximum number of nested content codings; real servers use fewer.
const MAX_CODINGS: usize = 3;
/// Maximum number of gzip members or zstd frames of a body, plus one for each [`BYTES_PER_PART`] of output: each costs the time of a new
/// decoder, even if it is empty.
const MAX_PARTS: usize = 1000;
const BYTES_PER_PART: usize = 1 << 10;
/// The first two bytes of a gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The first bytes of a zstd frame (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The last three bytes of the magic number of a skippable frame, and the highest four bits of the first one (section 3.1.2).
const SKIPPABLE: (u8, [u8; 3]) = (0x50, [0x2a, 0x4d, 0x18]);
/// The longest magic number has four bytes.
const MAGIC: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyError {
    TooLarge,
    /// The body does not match `Content-Encoding`, or is truncated.
    Corrupt,
}

/// A response body that is being received and decoded.
pub(crate) struct Body {
    limit: usize,
    /// Decoders, outermost first: the last coding named by `Content-Encoding`.
    stages: Vec<Stage>,
    /// Whether this is a document, which may be compressed without a header that says so, and ends with its root element.
    document: bool,
    /// Whether the first bytes of the document are still to come.
    unpacks: bool,
    /// The first bytes of a compressed file, as far as they are still to be decoded.
    packed: Vec<u8>,
    out: Vec<u8>,
}

impl Body {
    /// Creates a body. `length` is the length in bytes that the server announced, before decoding.
    pub(crate) fn new(content_encoding: &str, length: Option<u64>, limit: u64) -> Result<Self, BodyError> {
        let codings: Vec<Coding> = content_encoding.split(',').rev().filter_map(Coding::from_name).collect();
        if codings.len() > MAX_CODINGS {
            return Err(BodyError::Corrupt);
        }
        if codings.is_empty() && length.is_some_and(|length| length > limit) {
            return Err(BodyError::TooLarge);
        }
        let room = length.unwrap_or(0).min(limit).min(MAX_RESERVED);
        let room = if codings.is_empty() { room } else { (room * 4).min(MAX_RESERVED) };
        Ok(Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            stages: codings.into_iter().map(Stage::new).collect(),
            document: false,
            unpacks: false,
            packed: Vec::new(),
            out: Vec::with_capacity(usize::try_from(room).unwrap_or(0)),
        })
    }

    /// Expects a document. It is decoded if it is a compressed file, which the server sends as it is or compresses once more. Data after
    /// the end of the document may be missing.
    pub(crate) fn document(self) -> Self {
        Self { document: true, unpacks: true, ..self }
    }

    /// Whether a document is complete, so that only the end of the transfer can be missing: some servers announce a wrong length, or close
    /// the connection without the last chunk.
    pub(crate) fn is_complete_document(&self) -> bool {
        self.document && ends_document(&self.out)
    }

    /// Returns the memory in use, in bytes: the decoded body, and a decoder's window, which it fills at the same time.
    pub(crate) fn memory(&self) -> usize {
        let length = self.out.len();
        if self.stages.is_empty() { length } else { length + length.min(MAX_WINDOW) }
    }

    /// Whether the header names a coding.
    pub(crate) fn is_coded(&self) -> bool {
        !self.stages.is_empty()
    }

    /// Whether decoders are nested. Then the data passed between them is also in memory, up to the limit of the body.
    pub(crate) fn is_nested(&self) -> bool {
        self.stages.len() > 1
    }

    /// Decodes some of the next bytes from the network, and removes them from the input. Returns whether to call this again before more
    /// bytes are received: each call decodes at most [`STEP`] bytes, unless decoders are nested.
    pub(crate) fn push(&mut self, bytes: &mut &[u8]) -> Result<bool, BodyError> {
        if let Some(stage) = self.stages.last_mut().filter(|_| !self.packed.is_empty()) {
            let mut rest = self.packed.as_slice();
            stage.step(&mut rest, &mut self.out, self.limit)?;
            let read = self.packed.len() - rest.len();
            self.packed.drain(..read);
            return Ok(true);
        }
        let more = match self.stages.as_mut_slice() {
            [stage] => stage.step(bytes, &mut self.out, self.limit)?,
            _ => self.push_from(0, std::mem::take(bytes)).map(|()| false)?,
        };
        if self.unpacks && self.out.len() >= MAGIC {
            self.unpacks = false;
            if let Some(coding) = Coding::of_file(&self.out)
                && self.stages.len() < MAX_CODINGS
            {
                self.packed = std::mem::take(&mut self.out);
                self.stages.push(Stage::new(coding));
                return Ok(true);
            }
        }
        Ok(more)
    }

    fn push_from(&mut self, first: usize, bytes: &[u8]) -> Result<(), BodyError> {
        let Some((last, outer)) = self.stages.get_mut(first..).and_then(<[Stage]>::split_last_mut) else {
            return append(&mut self.out, bytes, self.limit);
        };
        let mut between: Option<Vec<u8>> = None;
        for stage in outer {
            let mut decoded = Vec::new();
            // Data that is decoded twice is shorter than the body, unless it is made to keep the decoder busy.
            let limit = self.limit.saturating_sub(stage.passed_on);
            stage.push(between.as_deref().unwrap_or(bytes), &mut decoded, limit)?;
            stage.passed_on += decoded.len();
            between = Some(decoded);
        }
        last.push(between.as_deref().unwrap_or(bytes), &mut self.out, self.limit)
    }

    /// Returns the data decoded so far and removes it, for a body that does not have to be in memory. The limits then apply to each part.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        if !self.out.is_empty() {
            self.stages.iter_mut().for_each(|stage| stage.parts = 0);
        }
        std::mem::take(&mut self.out)
    }

    /// Decodes the end of the body, and fails if it is damaged or incomplete.
    pub(crate) fn finish(&mut self) -> Result<(), BodyError> {
        match self.finish_stages() {
            Err(BodyError::Corrupt) if self.is_complete_document() => Ok(()),
            result => result,
        }
    }

    /// Whether what was decoded contains a complete item of a feed, so that it is worth reading although the rest is missing.
    pub(crate) fn has_item(&self) -> bool {
        self.document && has_item(&self.out)
    }

    /// Returns what was decoded.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    fn finish_stages(&mut self) -> Result<(), BodyError> {
        for index in 0..self.stages.len() {
            let mut rest = Vec::new();
            let limit = self.limit.saturating_sub(self.out.len());
            self.stages[index].finish(&mut rest, limit)?;
            if !rest.is_empty() {
                self.push_from(index + 1, &rest)?;
            }
        }
        Ok(())
    }
}

fn append(out: &mut Vec<u8>, bytes: &[u8], limit: usize) -> Result<(), BodyError> {
    if bytes.len() > limit.saturating_sub(out.len()) {
        return Err(BodyError::TooLarge);
    }
    out.extend_from_slice(bytes);
    Ok(())
}

/// The content codings of RFC 9110, RFC 7932 and RFC 8878.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// Returns the coding with this name. Other tokens, such as `identity` or a misplaced charset, are ignored.
    fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Returns the coding of a file by its first bytes. Brotli files have no characteristic first bytes.
    fn of_file(first: &[u8]) -> Option<Self> {
        match first {
            [a, b, ..] if [*a, *b] == GZIP => Some(Self::Gzip),
            [a, b, c, d, ..] if [*a, *b, *c, *d] == ZSTD => Some(Self::Zstd),
            // The usual headers of zlib that no text has.
            [0x78, 0x9c | 0xda, ..] => Some(Self::Deflate),
            _ => None,
        }
    }
}

/// Whether these are the first bytes of a skippable frame, which a zstd body may begin with.
fn is_skippable(first: &[u8]) -> bool {
    matches!(first, [kind, rest @ ..] if kind & 0xf0 == SKIPPABLE.0 && rest == SKIPPABLE.1)
}

/// Whether these first bytes are those of an XML, HTML or JSON document. Brotli data never begins like this, and other data hardly ever.
fn is_document(first: &[u8]) -> bool {
    match first {
        [0xef, 0xbb, 0xbf, b'<' | b'{'] => true,
        [b'<', b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z', rest @ ..] => rest.iter().all(u8::is_ascii_graphic),
        [b'{', b'"' | b' ' | b'\t' | b'\r' | b'\n', rest @ ..] => rest.iter().all(u8::is_ascii),
        _ => false,
    }
}

type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

enum Decoder {
    /// The body is not encoded: some servers label uncompressed bodies as compressed.
    Plain,
    Gzip(Decompress),
    Deflate(Decompress),
    Brotli(Box<Brotli>),
    Zstd(ZstdDecoder<'static>),
}

/// The decoder of one coding.
struct Stage {
    coding: Coding,
    /// The first bytes, which show whether the body really is encoded as its header says.
    first: Vec<u8>,
    /// `None` until enough bytes were received.
    decoder: Option<Decoder>,
    /// Whether the stream, or its last member or frame, is complete.
    done: bool,
    /// Number of gzip members or zstd frames after the first one.
    parts: usize,
    /// Whether the last byte may be the first one of another gzip member.
    may_continue: bool,
    /// Whether there was any output.
    has_decoded: bool,
    /// Number of bytes that were passed to the next decoder.
    passed_on: usize,
    /// The output of a step.
    buffer: Vec<u8>,
}

impl Stage {
    fn new(coding: Coding) -> Self {
        Self {
            coding,
            first: Vec::new(),
            decoder: None,
            done: false,
            parts: 0,
            may_continue: false,
            has_decoded: false,
            passed_on: 0,
            buffer: Vec::new(),
        }
    }

    /// Decodes all bytes.
    fn push(&mut self, mut bytes: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), BodyError> {
        while self.step(&mut bytes, out, limit)? {}
        Ok(())
    }

    /// Decodes some bytes and removes them from the input. Returns whether there may be more output without further bytes.
    fn step(&mut self, bytes: &mut &[u8], out: &mut Vec<u8>, limit: usize) -> Result<bool, BodyError> {
        if self.decoder.is_none() {
            let (head, rest) = bytes.split_at(bytes.len().min(MAGIC - self.first.len()));
            self.first.extend_from_slice(head);
            *bytes = rest;
            if self.first.len() < MAGIC {
                return Ok(false);
            }
            self.begin(out, limit)?;
            return Ok(true);
        }
        if self.done && !self.continues(bytes, out, limit)? {
            return Ok(false);
        }
        let Some(decoder) = &mut self.decoder else { return Ok(false) };
        let (read, written, done) = match decoder {
            Decoder::Plain => {
                append(out, std::mem::take(bytes), limit)?;
                return Ok(false);
            }
            Decoder::Gzip(inflate) | Decoder::Deflate(inflate) => step_inflate(inflate, bytes, &mut self.buffer),
            Decoder::Brotli(state) => step_brotli(state, bytes, &mut self.buffer),
            Decoder::Zstd(zstd) => step_zstd(zstd, bytes, &mut self.buffer),
        };
        if written > 0 {
            self.has_decoded = true;
            reserve(out);
            append(out, self.buffer.get(..written).unwrap_or_default(), limit)?;
        }
        *bytes = bytes.get(read..).unwrap_or_default();
        // What precedes the damage was decoded.
        self.done = done?;
        if read + written == 0 && !self.done && !bytes.is_empty() {
            return Err(BodyError::Corrupt);
        }
        Ok(read + written > 0)
    }

    /// Whether another gzip member or zstd frame follows a complete one.
    fn continues(&mut self, bytes: &mut &[u8], out: &mut Vec<u8>, limit: usize) -> Result<bool, BodyError> {
        if bytes.is_empty() {
            return Ok(false);
        }
        match &mut self.decoder {
            Some(Decoder::Gzip(decoder)) => {
                // A gzip file may have several members (RFC 1952, section 2.2). The first bytes of one may come separately.
                let second = std::mem::take(&mut self.may_continue) && bytes.first() == Some(&GZIP[1]);
                if *bytes == &GZIP[..1] {
                    self.may_continue = true;
                }
                if !second && !bytes.starts_with(&GZIP) {
                    // Bytes after the end are padding and ignored, as in browsers.
                    *bytes = &[];
                    return Ok(false);
                }
                *decoder = Decompress::new_gzip(15);
                self.done = false;
                if second {
                    self.push(&GZIP[..1], out, limit)?;
                }
            }
            Some(Decoder::Zstd(_)) => self.done = false,
            // Brotli has no magic number: text that is labelled so may begin like an empty stream.
            Some(Decoder::Brotli(_)) if !self.has_decoded => return Err(BodyError::Corrupt),
            Some(Decoder::Brotli(_) | Decoder::Deflate(_) | Decoder::Plain) | None => {
                *bytes = &[];
                return Ok(false);
            }
        }
        self.parts += 1;
        if self.parts > MAX_PARTS + out.len() / BYTES_PER_PART { Err(BodyError::Corrupt) } else { Ok(true) }
    }

    /// Chooses the decoder by the first bytes, and decodes them.
    fn begin(&mut self, out: &mut Vec<u8>, limit: usize) -> Result<(), BodyError> {
        let first = std::mem::take(&mut self.first);
        let decoder = match (self.coding, first.as_slice()) {
            // The header may name the wrong coding, or the data has none.
            (_, first) if is_document(first) => Decoder::Plain,
            (coding, first) if first == ZSTD || coding == Coding::Zstd && is_skippable(first) => {
                let mut decoder = ZstdDecoder::new().map_err(|_| BodyError::Corrupt)?;
                decoder
                    .set_parameter(zstd::stream::raw::DParameter::WindowLogMax(ZSTD_WINDOW))
                    .map_err(|_| BodyError::Corrupt)?;
                Decoder::Zstd(decoder)
            }
            (Coding::Gzip, [a, b, ..]) | (_, [a, b, 8, _]) if [*a, *b] == GZIP => {
                Decoder::Gzip(Decompress::new_gzip(15))
            }
            // "deflate" means the zlib format (RFC 1950), but some servers send raw deflate data.
            (Coding::Deflate, [first, second, ..]) => {
                let zlib = first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0;
                Decoder::Deflate(Decompress::new(zlib))
            }
            (Coding::Brotli, _) => {
                let alloc = StandardAlloc::default;
                // Without the "large window" extension, which HTTP does not have: its windows have up to a gigabyte.
                Decoder::Brotli(Box::new(Brotli::new_strict(alloc(), alloc(), alloc())))
            }
            _ => Decoder::Plain,
        };
        self.buffer = if matches!(decoder, Decoder::Plain) { Vec::new() } else { vec![0; STEP] };
        self.decoder = Some(decoder);
        self.push(&first, out, limit)
    }

    /// Decodes the last bytes and fails if the stream is truncated.
    fn finish(&mut self, out: &mut Vec<u8>, limit: usize) -> Result<(), BodyError> {
        match self.coding {
            Coding::Brotli | Coding::Deflate if self.decoder.is_none() && !self.first.is_empty() => {
                self.begin(out, limit)?;
            }
            _ => {}
        }
        match &self.decoder {
            None => append(out, &self.first, limit),
            Some(Decoder::Plain) => Ok(()),
            Some(_) => self.done.then_some(()).ok_or(BodyError::Corrupt),
        }
    }
}

/// The number of bytes that a step read and wrote, and whether the stream is complete.
type Step = (usize, usize, Result<bool, BodyError>);

fn step_inflate(inflate: &mut Decompress, bytes: &[u8], buffer: &mut [u8]) -> Step {
    let (read, written) = (inflate.total_in(), inflate.total_out());
    let status = inflate.decompress(bytes, buffer, FlushDecompress::None);
    let count = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(usize::MAX);
    let done = status.map(|status| status == Status::StreamEnd).map_err(|_| BodyError::Corrupt);
    (count(inflate.total_in(), read), count(inflate.total_out(), written), done)
}

fn step_brotli(state: &mut Brotli, bytes: &[u8], buffer: &mut [u8]) -> Step {
    let (mut left, mut read) = (bytes.len(), 0);
    let (mut room, mut written, mut total) = (buffer.len(), 0, 0);
    let result =
        BrotliDecompressStream(&mut left, &mut read, bytes, &mut room, &mut written, buffer, &mut total, state);
    let done = match result {
        BrotliResult::ResultFailure => Err(BodyError::Corrupt),
        result => Ok(matches!(result, BrotliResult::ResultSuccess)),
    };
    (read, written, done)
}

fn step_zstd(zstd: &mut ZstdDecoder<'_>, bytes: &[u8], buffer: &mut [u8]) -> Step {
    let (mut input, mut output) = (InBuffer::around(bytes), OutBuffer::around(buffer));
    let hint = zstd.run(&mut input, &mut output);
    (input.pos(), output.pos(), hint.map(|hint| hint == 0).map_err(|_| BodyError::Corrupt))
}

fn reserve(out: &mut Vec<u8>) {
    if out.capacity() - out.len() < STEP {
        out.reserve(STEP.max(out.len() / 2));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn decodes_a_compressed_file_in_steps() {
        let bomb = zstd::encode_all(&vec![b'a'; 100 * STEP][..], 1).unwrap();
        let mut body = Body::new("", None, u64::MAX).ok().unwrap().document();
        let (mut bytes, mut more, mut before) = (bomb.as_slice(), true, 0);
        while more {
            more = body.push(&mut bytes).unwrap();
            assert!(body.out.len() <= before + STEP);
            before = body.out.len();
        }
        body.finish().unwrap();
        assert_eq!(body.into_bytes(), vec![b'a'; 100 * STEP]);
    }

    #[test]
    fn what_follows_brotli_is_ignored_where_the_output_was_taken() {
        let mut brotli = Vec::new();
        std::io::Write::write_all(&mut brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20), b"a feed").unwrap();
        let mut body = Body::new("br", None, u64::MAX).ok().unwrap();
        let mut taken = Vec::new();
        for mut bytes in [brotli.as_slice(), b"\r\n"] {
            while body.push(&mut bytes).unwrap() {}
            taken.extend(body.take());
        }
        assert_eq!(taken, b"a feed");
    }
}
