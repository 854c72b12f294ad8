//! Scripted replies and their faults.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The point where a reply stops, with the connection left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hang {
    BeforeHead,
    InHead,
    AfterHead,
    /// After this number of bytes of the body.
    InBody(usize),
}

/// How the end of the body is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// With the correct `Content-Length`.
    Length,
    /// With this `Content-Length`.
    LyingLength(u64),
    /// In chunks of this number of bytes.
    Chunked(usize),
    /// In chunks, the second with an invalid length.
    BrokenChunks,
    /// By closing the connection.
    Close,
}

/// Holds back a reply until it is opened.
#[derive(Debug)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// Lets the reply go, however often it was requested.
    pub fn open(&self) {
        self.0.close();
    }
}

/// A scripted reply, built from [`Reply::ok`], [`Reply::status`], [`Reply::redirect`] or [`Reply::raw`].
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) framing: Framing,
    pub(crate) delay: Duration,
    pub(crate) gate: Option<Arc<Semaphore>>,
    pub(crate) hang: Option<Hang>,
    pub(crate) drip: Option<Duration>,
    pub(crate) endless: bool,
    pub(crate) cut_after: Option<usize>,
    pub(crate) raw: bool,
}

impl Reply {
    /// Creates a reply with status 200 and a body.
    #[must_use]
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..Self::status(200) }
    }

    /// Creates a reply with a status and an empty body; set another one with [`Reply::body`].
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            framing: Framing::Length,
            delay: Duration::ZERO,
            gate: None,
            hang: None,
            drip: None,
            endless: false,
            cut_after: None,
            raw: false,
        }
    }

    /// Creates a redirect with this `Location`.
    #[must_use]
    pub fn redirect(status: u16, location: impl Into<Vec<u8>>) -> Self {
        Self::status(status).header("Location", location)
    }

    /// Creates a reply of these bytes instead of HTTP, after which the connection is closed.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { raw: true, ..Self::ok(bytes) }
    }

    /// Adds a header; the value may be any bytes but line ends.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Waits before the first byte of the head.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Waits before the first byte of the head until the gate is opened.
    #[must_use]
    pub fn held(self) -> (Self, Gate) {
        // It has no permits, so that all wait until it is closed.
        let gate = Arc::new(Semaphore::new(0));
        (Self { gate: Some(Arc::clone(&gate)), ..self }, Gate(gate))
    }

    /// Never sends anything.
    #[must_use]
    pub fn hang_before_head(self) -> Self {
        Self { hang: Some(Hang::BeforeHead), ..self }
    }

    /// Stops in the middle of the head.
    #[must_use]
    pub fn hang_in_head(self) -> Self {
        Self { hang: Some(Hang::InHead), ..self }
    }

    /// Stops between head and body.
    #[must_use]
    pub fn hang_after_head(self) -> Self {
        Self { hang: Some(Hang::AfterHead), ..self }
    }

    /// Stops after this number of bytes of the body.
    #[must_use]
    pub fn hang_in_body(self, after: usize) -> Self {
        Self { hang: Some(Hang::InBody(after)), ..self }
    }

    /// Sends the body a byte at a time, with this pause after each.
    #[must_use]
    pub fn drip(self, every: Duration) -> Self {
        Self { drip: Some(every), ..self }
    }

    /// Repeats the body without end and without a length.
    #[must_use]
    pub fn endless(self) -> Self {
        Self { endless: true, framing: Framing::Close, ..self }
    }

    /// Closes the connection after this number of bytes of the body.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        Self { cut_after: Some(bytes), ..self }
    }

    /// Sends this `Content-Length`, which may be wrong; then closes the connection.
    #[must_use]
    pub fn content_length(self, length: u64) -> Self {
        Self { framing: Framing::LyingLength(length), ..self }
    }

    /// Sends the body in chunks of this number of bytes.
    #[must_use]
    pub fn chunked(self, size: usize) -> Self {
        Self { framing: Framing::Chunked(size.max(1)), ..self }
    }

    /// Sends the body as a valid chunk, then one with an invalid length.
    #[must_use]
    pub fn broken_chunks(self) -> Self {
        Self { framing: Framing::BrokenChunks, ..self }
    }

    /// Sends no length: the body ends with the connection.
    #[must_use]
    pub fn until_close(self) -> Self {
        Self { framing: Framing::Close, ..self }
    }

    /// Whether another request may follow on the connection.
    pub(crate) fn keeps_alive(&self) -> bool {
        !self.raw && self.cut_after.is_none() && matches!(self.framing, Framing::Length | Framing::Chunked(_))
    }

    /// Returns the head, with the empty line at its end.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value);
            head.extend_from_slice(b"\r\n");
        }
        let framing = match self.framing {
            // These two have no body (RFC 9110, sections 15.3.5 and 15.4.5).
            Framing::Length if self.status == 304 || self.status == 204 => String::new(),
            Framing::Length => format!("Content-Length: {}\r\n", self.body.len()),
            Framing::LyingLength(length) => format!("Content-Length: {length}\r\nConnection: close\r\n"),
            Framing::Chunked(_) | Framing::BrokenChunks => "Transfer-Encoding: chunked\r\n".to_owned(),
            Framing::Close => "Connection: close\r\n".to_owned(),
        };
        head.extend_from_slice(framing.as_bytes());
        head.extend_from_slice(b"\r\n");
        head
    }
}
