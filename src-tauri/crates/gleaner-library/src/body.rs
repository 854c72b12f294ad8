//! Texts of articles, and their compression by zstd.

use serde::{Deserialize, Serialize};
use std::{cell::RefCell, io};
use zstd::{
    bulk::Compressor,
    dict::{DecoderDictionary, EncoderDictionary},
    zstd_safe::{CParameter, DCtx, get_error_name, get_frame_content_size},
};

/// HTML as published, and the base of its relative links. Stored raw; it is sanitised when it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Body {
    /// Not sanitised.
    pub html: String,
    /// Absolute URL.
    pub base: Option<String>,
}

/// Minimum size in bytes for compression; below, zstd's frame costs more than it saves.
const MIN_PACKED: usize = 200;
/// Maximum size in bytes of a decompressed text; a longer one is damaged.
const MAX_TEXT: u64 = 1 << 28;

/// Values of the `codec` column: plain, zstd, and above [`ZSTD_WITH`] the id of a zstd dictionary (table/dictionaries.rs).
pub(crate) const PLAIN: i64 = 0;
pub(crate) const ZSTD: i64 = 1;
/// zstd with another text as its dictionary: earlier versions only. No dictionary has this id.
pub(crate) const ZSTD_WITH: i64 = 2;

/// Both bodies of an item, compressed. Made outside of the writer, which would block others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    pub codec: i64,
    pub content: Option<Vec<u8>>,
    pub summary: Option<Vec<u8>>,
}

impl Packed {
    pub fn bytes(&self) -> usize {
        [&self.content, &self.summary].into_iter().flatten().map(Vec::len).sum()
    }
}

thread_local! {
    /// One compressor for each thread: creating one costs more than compressing an article. Level 3 would save 1 % for half as much
    /// time again; a `Packer` compresses stored texts better later.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(1).ok());
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

pub(crate) fn pack(content: Option<&Body>, summary: Option<&Body>) -> Packed {
    let bytes = |body: Option<&Body>| body.map_or(0, |body| body.html.len());
    if bytes(content) + bytes(summary) >= MIN_PACKED {
        let zstd = |body: &Body| COMPRESSOR.with_borrow_mut(|zstd| zstd.as_mut()?.compress(body.html.as_bytes()).ok());
        let (packed_content, packed_summary) = (content.and_then(zstd), summary.and_then(zstd));
        if packed_content.is_some() == content.is_some() && packed_summary.is_some() == summary.is_some() {
            return Packed { codec: ZSTD, content: packed_content, summary: packed_summary };
        }
    }
    let plain = |body: Option<&Body>| body.map(|body| body.html.clone().into_bytes());
    Packed { codec: PLAIN, content: plain(content), summary: plain(summary) }
}

/// Compresses with a dictionary, slowly and well.
pub(crate) struct Packer<'a> {
    codec: i64,
    compressor: Compressor<'a>,
}

impl<'a> Packer<'a> {
    pub fn new(codec: i64, dictionary: &'a EncoderDictionary<'a>) -> io::Result<Self> {
        let mut compressor = Compressor::with_prepared_dictionary(dictionary)?;
        // The codec names the dictionary.
        compressor.set_parameter(CParameter::DictIdFlag(false))?;
        Ok(Self { codec, compressor })
    }

    pub fn pack(&mut self, content: Option<&str>, summary: Option<&str>) -> io::Result<Packed> {
        let mut packed = |text: Option<&str>| text.map(|text| self.compressor.compress(text.as_bytes())).transpose();
        Ok(Packed { content: packed(content)?, summary: packed(summary)?, codec: self.codec })
    }
}

/// Decompresses a text. `dictionary` is the one that the codec names.
pub(crate) fn unpack(codec: i64, bytes: &[u8], dictionary: Option<&DecoderDictionary<'_>>) -> Result<String, String> {
    let bytes = match (codec, dictionary) {
        (PLAIN, _) => bytes.to_vec(),
        (ZSTD, _) => decompressed(bytes, None)?,
        (ZSTD_WITH, _) => return Err("the text that it stands on is missing".to_owned()),
        (ZSTD_WITH.., Some(dictionary)) => decompressed(bytes, Some(dictionary))?,
        (ZSTD_WITH.., None) => return Err(format!("the dictionary {codec} is missing")),
        _ => return Err(format!("unknown codec {codec}")),
    };
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Compresses a text that is similar to `base`.
pub(crate) fn pack_with(text: &str, base: &str) -> std::io::Result<Vec<u8>> {
    zstd::bulk::Compressor::with_dictionary(3, base.as_bytes())?.compress(text.as_bytes())
}

/// Decompresses what [`pack_with`] compressed.
pub(crate) fn unpack_with(bytes: &[u8], base: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut reader =
        zstd::stream::Decoder::with_dictionary(bytes, base.as_bytes()).map_err(|error| error.to_string())?;
    std::io::Read::read_to_string(&mut reader, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Length of the zstd frame header, which contains the length of the text.
pub(crate) const HEAD: usize = 18;

/// Returns the length in bytes of a text that takes `stored` bytes and begins with `head`, of at most [`HEAD`] bytes.
pub(crate) fn unpacked_length(codec: i64, head: &[u8], stored: u64) -> u64 {
    match get_frame_content_size(head) {
        Ok(Some(length)) if codec != PLAIN => length,
        _ => stored,
    }
}

fn decompressed(bytes: &[u8], dictionary: Option<&DecoderDictionary<'_>>) -> Result<Vec<u8>, String> {
    let length = match get_frame_content_size(bytes) {
        Ok(Some(length)) if length <= MAX_TEXT => usize::try_from(length).map_err(|error| error.to_string())?,
        _ => return Err("it is not zstd".to_owned()),
    };
    let mut out = Vec::with_capacity(length);
    DECOMPRESSOR
        .with_borrow_mut(|zstd| match dictionary {
            Some(dictionary) => zstd.decompress_using_ddict(&mut out, bytes, dictionary.as_ddict()),
            None => zstd.decompress(&mut out, bytes),
        })
        .map_err(|code| get_error_name(code).to_owned())?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn compressed_texts_decompress() {
        for html in [String::new(), "short".to_owned(), "<p>long &amp; wide</p>".repeat(1000)] {
            let body = Body { html: html.clone(), base: None };
            let packed = pack(Some(&body), None);
            let stored = packed.content.as_deref().unwrap();
            let head = &stored[..stored.len().min(HEAD)];
            assert_eq!(unpacked_length(packed.codec, head, stored.len() as u64), html.len() as u64);
            assert_eq!(unpack(packed.codec, &packed.content.unwrap(), None).unwrap(), html);
            assert!(packed.summary.is_none());
        }
    }

    #[test]
    fn a_text_compressed_with_a_dictionary_needs_it() {
        let dictionary = "<p>The quick brown fox jumps over the lazy dog</p>".repeat(20);
        let (encoder, decoder) =
            (EncoderDictionary::copy(dictionary.as_bytes(), 3), DecoderDictionary::copy(dictionary.as_bytes()));
        let mut packer = Packer::new(77, &encoder).unwrap();
        for html in ["", "fox", "<p>The lazy fox jumps over the brown dog</p>"] {
            let packed = packer.pack(Some(html), None).unwrap();
            assert_eq!(unpack(77, packed.content.as_deref().unwrap(), Some(&decoder)).unwrap(), html);
            assert_eq!(packed.summary, None);
        }
        let packed = packer.pack(Some(&dictionary), Some("fox")).unwrap();
        assert!(packed.bytes() < 60, "{}", packed.bytes());
        let content = packed.content.unwrap();
        assert!(unpack(77, &content, None).unwrap_err().contains("dictionary 77"));
        assert_ne!(unpack(1, &content, None).ok(), Some(dictionary));
        assert!(unpack(-3, &content, None).is_err());
    }

    #[test]
    fn rejects_data_that_is_not_zstd() {
        let whole = pack(Some(&Body { html: "x".repeat(5000), base: None }), None).content.unwrap();
        for bytes in [
            &[][..],
            &[0],
            &whole[..whole.len() - 1],
            &[0x28, 0xb5, 0x2f, 0xfd, 0xe0, 255, 255, 255, 255, 255, 255, 255, 255],
        ] {
            assert!(unpack(ZSTD, bytes, None).is_err(), "{bytes:?}");
        }
    }
}
