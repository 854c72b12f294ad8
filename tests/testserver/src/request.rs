//! A request that the server received.

/// A request as received.
#[derive(Debug, Clone)]
pub struct Request {
    /// Method, such as `GET`.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// Headers in the order received, names in their original case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Body; empty without `Content-Length`.
    pub body: Vec<u8>,
    /// Number of the connection, from 0.
    pub connection: usize,
}

impl Request {
    /// Returns the target without its query.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Returns the value of the first header of that name in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_slice())
    }

    /// Returns the value of a header as text; invalid UTF-8 is replaced.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.header(name).map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// Returns the body as text, bytes that are not UTF-8 replaced.
    #[must_use]
    pub fn body_text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn body_length(&self) -> usize {
        self.text("Content-Length").and_then(|length| length.parse().ok()).unwrap_or(0)
    }

    /// Parses the head of a request; `None` if it is not HTTP.
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
        Some(Self { method, target, headers, body: Vec::new(), connection })
    }
}
