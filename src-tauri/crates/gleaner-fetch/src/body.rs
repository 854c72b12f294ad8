//! Decodes response bodies while they are read, and counts the decoded bytes, so that a decompression bomb stops at
//! the limit.

use brotli_decompressor::DecompressorWriter;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, Write};
use zstd::stream::raw::{Decoder as ZstdDecoder, InBuffer, Operation as _, OutBuffer};

/// Value of `Accept-Encoding`: every coding that [`Body`] can decode.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, zstd, deflate";
/// log2 of the largest zstd window accepted: 8 MB, the maximum for HTTP by RFC 9659.
const ZSTD_WINDOW: u32 = 23;
/// Output buffer reserved for a decoder at a time, in bytes.
const BUFFER: usize = 32 << 10;
/// Maximum buffer reserved on the strength of `Content-Length` alone, in bytes.
const MAX_RESERVED: u64 = 8 << 20;
/// Maximum number of nested content codings; real servers use fewer.
const MAX_CODINGS: usize = 3;

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
            stages: codings.into_iter().map(|coding| Stage::Undetect(coding, Vec::new())).collect(),
            out: Vec::with_capacity(usize::try_from(room).unwrap_or(0)),
        })
    }

    /// Decodes the next bytes from the network.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), BodyError> {
        self.push_from(0, bytes)
    }

    fn push_from(&mut self, first: usize, bytes: &[u8]) -> Result<(), BodyError> {
        let Some((last, outer)) = self.stages.get_mut(first..).and_then(<[Stage]>::split_last_mut) else {
            return append(&mut self.out, bytes, self.limit);
        };
        let mut between: Option<Vec<u8>> = None;
        for stage in outer {
            let mut decoded = Vec::new();
            stage.push(between.as_deref().unwrap_or(bytes), &mut decoded, self.limit)?;
            between = Some(decoded);
        }
        last.push(between.as_deref().unwrap_or(bytes), &mut self.out, self.limit)
    }

    /// Returns the complete decoded body.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, BodyError> {
        for index in 0..self.stages.len() {
            let mut rest = Vec::new();
            let limit = self.limit.saturating_sub(self.out.len());
            self.stages[index].finish(&mut rest, limit)?;
            if !rest.is_empty() {
                self.push_from(index + 1, &rest)?;
            }
        }
        Ok(self.out)
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
}

/// The decoder of one coding.
enum Stage {
    /// Waits for the first bytes, which show whether the body really is encoded as its header says.
    Undetect(Coding, Vec<u8>),
    /// The body is not encoded: some servers label uncompressed bodies as compressed.
    Plain,
    Inflate {
        inflate: Decompress,
        gzip: bool,
        done: bool,
    },
    Brotli(Box<DecompressorWriter<Limited>>),
    Zstd {
        decoder: ZstdDecoder<'static>,
        frame_done: bool,
    },
}

impl Stage {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<(), BodyError> {
        match self {
            Stage::Undetect(coding, buffered) => {
                buffered.extend_from_slice(bytes);
                // The longest magic number has four bytes.
                if buffered.len() < 4 {
                    return Ok(());
                }
                let buffered = std::mem::take(buffered);
                *self = Stage::detect(*coding, &buffered, limit)?;
                self.push(&buffered, out, limit)
            }
            Stage::Plain => append(out, bytes, limit),
            Stage::Inflate { inflate, gzip, done } => inflate_into(inflate, *gzip, done, bytes, out, limit),
            Stage::Brotli(writer) => {
                writer.get_mut().room = limit.saturating_sub(out.len());
                let result = writer.write_all(bytes);
                let written = writer.get_mut();
                if written.full {
                    return Err(BodyError::TooLarge);
                }
                // Bytes after the end of the stream are an error.
                result.map_err(|_| BodyError::Corrupt)?;
                append(out, &written.bytes, limit)?;
                written.bytes.clear();
                Ok(())
            }
            Stage::Zstd { decoder, frame_done } => {
                let mut input = InBuffer::around(bytes);
                while input.pos() < bytes.len() {
                    *frame_done = zstd_step(decoder, &mut input, out, limit)? == 0;
                }
                // The decoder may hold more output than fitted into the buffer.
                while !*frame_done {
                    let before = out.len();
                    *frame_done = zstd_step(decoder, &mut input, out, limit)? == 0;
                    if out.len() == before {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    fn detect(coding: Coding, first: &[u8], limit: usize) -> Result<Self, BodyError> {
        let stage = match (coding, first) {
            (Coding::Gzip, [0x1f, 0x8b, ..]) => {
                Stage::Inflate { inflate: Decompress::new_gzip(15), gzip: true, done: false }
            }
            // "deflate" means the zlib format (RFC 1950), but some servers send raw deflate data.
            (Coding::Deflate, [first, second, ..]) => {
                let zlib = first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0;
                Stage::Inflate { inflate: Decompress::new(zlib), gzip: false, done: false }
            }
            (Coding::Brotli, _) => Stage::Brotli(Box::new(DecompressorWriter::new(
                Limited { bytes: Vec::new(), room: limit, full: false },
                BUFFER,
            ))),
            (Coding::Zstd, [0x28, 0xb5, 0x2f, 0xfd, ..]) => {
                let mut decoder = ZstdDecoder::new().map_err(|_| BodyError::Corrupt)?;
                decoder
                    .set_parameter(zstd::stream::raw::DParameter::WindowLogMax(ZSTD_WINDOW))
                    .map_err(|_| BodyError::Corrupt)?;
                Stage::Zstd { decoder, frame_done: false }
            }
            _ => Stage::Plain,
        };
        Ok(stage)
    }

    /// Flushes buffered bytes and fails if the stream is truncated.
    fn finish(&mut self, out: &mut Vec<u8>, limit: usize) -> Result<(), BodyError> {
        match self {
            Stage::Undetect(Coding::Brotli | Coding::Deflate, buffered) if !buffered.is_empty() => {
                let (coding, buffered) = if let Stage::Undetect(coding, buffered) = self {
                    (*coding, std::mem::take(buffered))
                } else {
                    return Ok(());
                };
                *self = Stage::detect(coding, &buffered, limit)?;
                self.push(&buffered, out, limit)?;
                self.finish(out, limit)
            }
            Stage::Undetect(_, buffered) => append(out, buffered, limit),
            Stage::Plain => Ok(()),
            Stage::Inflate { done, .. } => done.then_some(()).ok_or(BodyError::Corrupt),
            Stage::Zstd { frame_done, .. } => frame_done.then_some(()).ok_or(BodyError::Corrupt),
            Stage::Brotli(writer) => {
                writer.get_mut().room = limit.saturating_sub(out.len());
                let result = writer.close();
                if writer.get_mut().full {
                    return Err(BodyError::TooLarge);
                }
                result.map_err(|_| BodyError::Corrupt)?;
                append(out, &writer.get_mut().bytes, limit)
            }
        }
    }
}

fn inflate_into(
    inflate: &mut Decompress,
    gzip: bool,
    done: &mut bool,
    mut bytes: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<(), BodyError> {
    while !*done || (gzip && bytes.starts_with(&[0x1f, 0x8b])) {
        if *done {
            // A gzip file may have several members (RFC 1952, section 2.2).
            *inflate = Decompress::new_gzip(15);
            *done = false;
        }
        reserve(out);
        let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress_vec(bytes, out, FlushDecompress::None).map_err(|_| BodyError::Corrupt)?;
        if out.len() > limit {
            return Err(BodyError::TooLarge);
        }
        let read = usize::try_from(inflate.total_in() - before_in).unwrap_or(bytes.len());
        bytes = bytes.get(read..).unwrap_or_default();
        *done = status == Status::StreamEnd;
        if !*done && read == 0 && inflate.total_out() == before_out {
            break;
        }
    }
    // Bytes after the end are padding and ignored, as in browsers.
    Ok(())
}

fn zstd_step(
    decoder: &mut ZstdDecoder<'_>,
    input: &mut InBuffer<'_>,
    out: &mut Vec<u8>,
    limit: usize,
) -> Result<usize, BodyError> {
    reserve(out);
    let (start, before) = (out.len(), input.pos());
    let mut output = OutBuffer::around_pos(out, start);
    let hint = decoder.run(input, &mut output).map_err(|_| BodyError::Corrupt)?;
    if out.len() > limit {
        return Err(BodyError::TooLarge);
    }
    if input.pos() == before && out.len() == start && hint != 0 && before < input.src.len() {
        return Err(BodyError::Corrupt);
    }
    Ok(hint)
}

fn reserve(out: &mut Vec<u8>) {
    if out.capacity() - out.len() < BUFFER / 4 {
        out.reserve(BUFFER.max(out.len() / 2));
    }
}

/// Output of the brotli decoder, which fails once its room is used up.
struct Limited {
    bytes: Vec<u8>,
    room: usize,
    full: bool,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.room {
            self.full = true;
            return Err(io::Error::other("the body is larger than the limit"));
        }
        self.room -= bytes.len();
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
