//! Reads a JSON file with many articles, of which only one is in memory at a time: a list, or an object with `items`.

use super::{ImportError, OtherFile};
use encoding_rs::{CoderResult, Decoder, UTF_8};
use gleaner_feed::BoundedJson;
use gleaner_polling::file;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, error::Category};
use std::{
    cell::Cell,
    fmt,
    fs::File,
    io::{self, BufReader, Read},
    ops::ControlFlow,
    path::Path,
    rc::Rc,
};

/// Maximum size of an article or of any other value in memory, in bytes.
const MAX_LENGTH: u64 = 16 << 20;
const CHUNK: usize = 1 << 16;
/// Maximum number of values of an article: they take many times the memory of their text. Those after them are left out.
const MAX_VALUES: usize = 50_000;

/// The data of a file other than its articles.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub id: Option<String>,
    pub title: Option<String>,
    pub version: Option<String>,
    /// Whether it contains a list of articles, which may be empty.
    pub has_items: bool,
}

/// Reads a file to its end, or until `each` returns `Break`.
pub(super) fn items(path: &Path, each: impl FnMut(Value) -> ControlFlow<()>) -> Result<Document, ImportError> {
    let file = file::open(path).map_err(ImportError::unreadable(path))?;
    let read: Rc<Cell<u64>> = Rc::default();
    let bytes = Bounded { inner: BufReader::with_capacity(CHUNK, Decoded::new(file)), read: read.clone() };
    let mut json = serde_json::Deserializer::from_reader(bytes);
    let mut whole = Whole { document: Document::default(), each, read, enough: false };
    match json.deserialize_any(&mut whole) {
        Err(_) if whole.enough => Ok(whole.document),
        read => match read.and_then(|()| json.end()) {
            Ok(()) => Ok(whole.document),
            Err(error) => Err(match error.classify() {
                Category::Io => ImportError::unreadable(path)(io::Error::from(error)),
                Category::Eof | Category::Syntax => OtherFile::DamagedJson(error.to_string()).into(),
                Category::Data => OtherFile::OtherJson.into(),
            }),
        },
    }
}

/// Converts UTF-8, or UTF-16 with a byte order mark, to UTF-8; invalid sequences are replaced.
struct Decoded {
    file: File,
    decoder: Decoder,
    raw: Vec<u8>,
    from: usize,
    ended: bool,
    done: bool,
}

impl Decoded {
    fn new(file: File) -> Self {
        Self { file, decoder: UTF_8.new_decoder(), raw: Vec::new(), from: 0, ended: false, done: false }
    }
}

impl Read for Decoded {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !self.done {
            if self.from == self.raw.len() && !self.ended {
                self.raw.resize(CHUNK, 0);
                let length = self.file.read(&mut self.raw)?;
                self.raw.truncate(length);
                self.from = 0;
                self.ended = length == 0;
            }
            let (result, used, written, _) = self.decoder.decode_to_utf8(&self.raw[self.from..], out, self.ended);
            self.from += used;
            self.done = self.ended && result == CoderResult::InputEmpty;
            if written > 0 || self.done {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// Counts bytes since an article began.
struct Bounded<R> {
    inner: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(out)?;
        self.read.set(self.read.get() + length as u64);
        if self.read.get() > MAX_LENGTH {
            return Err(io::Error::other("a part of it is longer than any article"));
        }
        Ok(length)
    }
}

/// A value of an article, or beside the articles.
fn bounded(left: &mut usize) -> BoundedJson<'_> {
    BoundedJson { left, is_known: |_| true }
}

struct Whole<F> {
    document: Document,
    each: F,
    read: Rc<Cell<u64>>,
    enough: bool,
}

impl<'de, F: FnMut(Value) -> ControlFlow<()>> Visitor<'de> for &mut Whole<F> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("articles")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.document.has_items = true;
        self.read.set(0);
        while let Some(item) = list.next_element_seed(bounded(&mut { MAX_VALUES }))? {
            self.read.set(0);
            if (self.each)(item).is_break() {
                self.enough = true;
                return Err(de::Error::custom("enough"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let text = |value: Value| value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        while let Some(key) = map.next_key::<String>()? {
            self.read.set(0);
            match key.as_str() {
                "items" => map.next_value_seed(Items(self))?,
                "id" => self.document.id = text(map.next_value_seed(bounded(&mut { MAX_VALUES }))?),
                "title" => self.document.title = text(map.next_value_seed(bounded(&mut { MAX_VALUES }))?),
                "version" => self.document.version = text(map.next_value_seed(bounded(&mut { MAX_VALUES }))?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct Items<'a, F>(&'a mut Whole<F>);

impl<'de, F: FnMut(Value) -> ControlFlow<()>> DeserializeSeed<'de> for Items<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write as _;

    fn count(value: &Value) -> usize {
        1 + match value {
            Value::Array(all) => all.iter().map(count).sum(),
            Value::Object(members) => members.values().map(count).sum(),
            _ => 0,
        }
    }

    #[test]
    fn limits_the_values_of_an_article() {
        for part in ["{\"\":0},", "[],", "0,"] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            let article = format!("{{\"title\":\"a\",\"x\":[{}0]}}", part.repeat(2 * MAX_VALUES));
            write!(file, "{{\"id\":{article},\"items\":[{article},{{\"title\":\"b\"}}]}}").unwrap();
            let mut counts = Vec::new();
            let document = items(file.path(), |item| {
                assert!(item.get("title").is_some());
                counts.push(count(&item));
                ControlFlow::Continue(())
            });
            assert!(document.unwrap().has_items);
            assert!(matches!(counts[..], [first, 2] if first <= MAX_VALUES), "{counts:?}");
        }
    }
}
