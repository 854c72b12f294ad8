//! What came in.

use std::time::Instant;

/// A request as it came over the wire.
#[derive(Debug, Clone)]
pub struct Request {
    /// Such as `GET`.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// In the order in which they came, names as they were written.
    pub headers: Vec<(String, Vec<u8>)>,
    /// When the head was complete.
    pub at: Instant,
    /// Which connection it came over, counted from 0.
    pub connection: usize,
}

impl Request {
    /// The target without its query.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The first header of that name, whatever its case, byte for byte.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_slice())
    }

    /// The same as text; bytes that are no UTF-8 are replaced.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.header(name).map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// From the bytes of a head; `None` where they are no HTTP request.
    pub(crate) fn parse(head: &[u8], connection: usize) -> Option<Self> {
        let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let first = String::from_utf8_lossy(lines.next()?).into_owned();
        let mut words = first.split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let headers = lines
            .filter_map(|line| {
                let colon = line.iter().position(|byte| *byte == b':')?;
                let value = line.get(colon + 1..)?.trim_ascii();
                Some((String::from_utf8_lossy(&line[..colon]).into_owned(), value.to_vec()))
            })
            .collect();
        Some(Self { method, target, headers, at: Instant::now(), connection })
    }
}
