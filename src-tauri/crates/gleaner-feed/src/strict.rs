//! Reads well-formed XML with the `xml` crate, which is the first attempt for every document.

mod markup;
mod scopes;
mod source;

use crate::{
    builder::{Builder, Handler, MAX_EXPANSION},
    namespace::Namespaces,
    repair, sections,
};
use markup::Markup;
use source::{MAX_DEPTH, Source, StartElement};
use std::{fmt, io::Read};
use xml::{
    common::Position as _,
    reader::{EventReader, ParserConfig, XmlEvent},
};

/// Maximum length of the namespaces that the parser copies for each element, for each byte of the document.
const MAX_COPIED_PER_BYTE: usize = 64;

/// Length of all namespace declarations, each with the rest of its tag, up to which the copies need not be counted.
const FEW_NAMESPACES: usize = 8192;

/// Maximum number of namespaces that one tag declares.
const MAX_DECLARED: usize = 1024;

/// Why and where (starting at 1) the strict parser failed.
#[derive(Debug)]
pub(crate) struct XmlError {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) reason: String,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Reads a complete document into a builder. `new` returns an empty one.
///
/// # Errors
/// [`XmlError`] at the first well-formedness error.
pub(crate) fn read<H: Handler>(text: &str, new: impl Fn() -> Builder<H>) -> Result<Builder<H>, XmlError> {
    // Whether there is an error, and where, is decided by reading the document unchanged.
    if let Some(builder) = Markup::of(text).and_then(|markup| read_from(markup, text, new()).ok()) {
        return Ok(builder);
    }
    if let Some(at) = too_many_namespaces(text) {
        let (line, column) = repair::place_of(text, at);
        return Err(XmlError { line, column, reason: "too many namespaces".to_owned() });
    }
    let builder = read_from(text.as_bytes(), text, new())?;
    if sections::any_is_defective(text) {
        return Err(XmlError { line: 1, column: 1, reason: "a section is not terminated".to_owned() });
    }
    Ok(builder)
}

/// Reads a document from a source.
fn read_from<H: Handler>(source: impl Source, text: &str, mut builder: Builder<H>) -> Result<Builder<H>, XmlError> {
    let mut reader = EventReader::new_with_config(source, config(text));
    let mut namespaces = Namespaces::default();
    // Without its own entities, a document cannot expand beyond its length.
    let mut budget = text.len().saturating_add(MAX_EXPANSION);
    let counts_namespaces = !declares_few_namespaces(text);
    let mut copied = text.len().saturating_mul(MAX_COPIED_PER_BYTE).saturating_add(4 * MAX_EXPANSION);
    loop {
        let event = reader.next().map_err(|error| {
            let at = error.position();
            XmlError { line: count(at.row), column: count(at.column), reason: error.msg().to_owned() }
        })?;
        let length = match &event {
            XmlEvent::StartElement { attributes, .. } => attributes.iter().map(|a| a.value.len()).sum(),
            // A text that was left out contains no entities declared in the document.
            XmlEvent::Characters(text) | XmlEvent::CData(text) | XmlEvent::Whitespace(text) => text.len(),
            _ => 0,
        };
        budget = budget.checked_sub(length).ok_or_else(|| error_at(&reader, "entities expand beyond the limit"))?;
        match event {
            XmlEvent::StartElement { name, attributes, namespace } => {
                if counts_namespaces {
                    let length: usize = namespace.0.iter().map(|(prefix, uri)| prefix.len() + uri.len()).sum();
                    copied = copied.checked_sub(length).ok_or_else(|| error_at(&reader, "too many namespaces"))?;
                }
                if builder.depth() >= MAX_DEPTH {
                    return Err(error_at(&reader, "nested too deeply"));
                }
                let event = StartElement { name, attributes, namespaces: namespace.0 };
                let opened = reader.source_mut().open(&event, &mut namespaces, &mut builder);
                opened.ok_or_else(|| error_at(&reader, "may not be well-formed"))?;
            }
            XmlEvent::EndElement { .. } => builder.end(),
            XmlEvent::Characters(text) | XmlEvent::CData(text) | XmlEvent::Whitespace(text) => {
                let added = reader.source_mut().text(&text, &mut namespaces, &mut builder);
                added.ok_or_else(|| error_at(&reader, "may not be well-formed"))?;
            }
            XmlEvent::EndDocument => break,
            XmlEvent::StartDocument { .. }
            | XmlEvent::ProcessingInstruction { .. }
            | XmlEvent::Comment(_)
            | XmlEvent::Doctype { .. } => {}
        }
    }
    builder.finish();
    Ok(builder)
}

fn error_at<S: Read>(reader: &EventReader<S>, reason: &str) -> XmlError {
    let at = reader.position();
    XmlError { line: count(at.row), column: count(at.column), reason: reason.to_owned() }
}

fn count(zero_based: u64) -> u32 {
    u32::try_from(zero_based).unwrap_or(u32::MAX).saturating_add(1)
}

fn config(text: &str) -> ParserConfig {
    // A single text may contain all expanded entities.
    let longest = text.len().saturating_add(MAX_EXPANSION);
    let config = ParserConfig::new()
        .max_data_length(longest)
        .max_attribute_length(longest)
        .content_type("text/xml; charset=utf-8")
        .ignore_invalid_encoding_declarations(true)
        .cdata_to_characters(true)
        .whitespace_to_characters(true)
        .allow_multiple_root_elements(false);
    if !names_external_entities(text) {
        return config;
    }
    // The DTDs referenced by feeds (RSS 0.91, XHTML) declare the HTML entities. They are built in and never fetched.
    let entities = xml5ever::data::NAMED_ENTITIES.entries().filter_map(|(name, (first, second))| {
        let name = name.strip_suffix(';')?;
        let decoded: String = [*first, *second].into_iter().filter(|c| *c != 0).filter_map(char::from_u32).collect();
        Some((name.to_owned(), decoded))
    });
    config.add_entities(entities)
}

/// Whether all namespaces of the document together are too short to matter if they are copied for each element.
fn declares_few_namespaces(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut length = 0;
    let few = memchr::memmem::find_iter(bytes, b"xmlns").all(|at| {
        // At most the rest of its tag.
        length += bytes.get(at..).and_then(|rest| memchr::memchr(b'>', rest)).unwrap_or(FEW_NAMESPACES);
        length < FEW_NAMESPACES
    });
    few && memchr::memmem::find(bytes, b"<!ENTITY").is_none()
}

/// Returns the offset of the first tag that declares more namespaces than [`MAX_DECLARED`]. The parser stores them before it reports the tag.
fn too_many_namespaces(text: &str) -> Option<usize> {
    const DECLARATION: &[u8] = b"xmlns";
    let bytes = text.as_bytes();
    let mut declarations = memchr::memmem::find_iter(bytes, DECLARATION).peekable();
    // Most documents have few in all.
    declarations.clone().nth(MAX_DECLARED)?;
    memchr::memchr_iter(b'<', bytes).find(|tag| {
        let end = tag + tag_length(&bytes[*tag..]);
        while declarations.next_if(|at| at < tag).is_some() {}
        let mut declared = 0;
        while declarations.next_if(|at| *at < end).is_some() {
            declared += 1;
        }
        declared > MAX_DECLARED
    })
}

/// Returns the length of a tag, which ends at a `>` outside its values, or at the next `<`.
fn tag_length(tag: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = tag.get(at..).and_then(|rest| memchr::memchr3(b'"', b'\'', b'<', rest)) {
        let outside = tag.get(at..at + found).unwrap_or_default();
        if let Some(end) = memchr::memchr(b'>', outside) {
            return at + end;
        }
        at += found;
        let quote = tag[at];
        if quote == b'<' {
            return at;
        }
        match tag.get(at + 1..).and_then(|value| memchr::memchr2(quote, b'<', value)) {
            Some(length) if tag[at + 1 + length] == quote => at += length + 2,
            Some(length) => return at + 1 + length,
            None => return tag.len(),
        }
    }
    tag.get(at..).and_then(|rest| memchr::memchr(b'>', rest)).map_or(tag.len(), |end| at + end)
}

/// Whether the document refers to an external DTD.
fn names_external_entities(text: &str) -> bool {
    let head = text.as_bytes();
    let head = head.get(..head.len().min(2048)).unwrap_or(head);
    let Some(at) = head.windows(9).position(|w| w == b"<!DOCTYPE") else { return false };
    let doctype = head.get(at..).unwrap_or(&[]);
    let doctype = doctype.split(|b| *b == b'>' || *b == b'[').next().unwrap_or(&[]);
    doctype.windows(6).any(|w| w == b"PUBLIC" || w == b"SYSTEM")
}

#[cfg(test)]
mod tests;
