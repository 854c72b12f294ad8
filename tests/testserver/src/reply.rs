//! What goes out, and how it goes wrong.

use std::time::Duration;

/// Where a reply stops for good, with the connection left open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hang {
    BeforeHead,
    InHead,
    AfterHead,
    /// After so many bytes of the body.
    InBody(usize),
}

/// How the end of the body is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// With its true length.
    Length,
    /// With this length, whatever the truth.
    LyingLength(u64),
    /// In chunks of so many bytes.
    Chunked(usize),
    /// In chunks whose second one has no length that could be read.
    BrokenChunks,
    /// By closing the connection.
    Close,
}

/// One scripted answer. Made by [`Reply::ok`], [`Reply::status`], [`Reply::redirect`] or [`Reply::raw`], and bent by the rest.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    pub(crate) framing: Framing,
    pub(crate) delay: Duration,
    pub(crate) hang: Option<Hang>,
    pub(crate) drip: Option<Duration>,
    pub(crate) endless: bool,
    pub(crate) cut_after: Option<usize>,
    pub(crate) raw: bool,
}

impl Reply {
    /// 200 with a body.
    #[must_use]
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..Self::status(200) }
    }

    /// A status with an empty body; add one with [`Reply::body`].
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            framing: Framing::Length,
            delay: Duration::ZERO,
            hang: None,
            drip: None,
            endless: false,
            cut_after: None,
            raw: false,
        }
    }

    /// A redirect, the target as it is to stand in `Location`.
    #[must_use]
    pub fn redirect(status: u16, location: impl Into<Vec<u8>>) -> Self {
        Self::status(status).header("Location", location)
    }

    /// These very bytes in place of any HTTP, and then the connection is closed.
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

    /// Says nothing at all, for ever.
    #[must_use]
    pub fn hang_before_head(self) -> Self {
        Self { hang: Some(Hang::BeforeHead), ..self }
    }

    /// Stops in the middle of the head, for ever.
    #[must_use]
    pub fn hang_in_head(self) -> Self {
        Self { hang: Some(Hang::InHead), ..self }
    }

    /// Stops between head and body, for ever.
    #[must_use]
    pub fn hang_after_head(self) -> Self {
        Self { hang: Some(Hang::AfterHead), ..self }
    }

    /// Stops after so many bytes of the body, for ever.
    #[must_use]
    pub fn hang_in_body(self, after: usize) -> Self {
        Self { hang: Some(Hang::InBody(after)), ..self }
    }

    /// Sends the body a byte at a time, with this pause after each.
    #[must_use]
    pub fn drip(self, every: Duration) -> Self {
        Self { drip: Some(every), ..self }
    }

    /// Sends the body again and again, for ever. No length is told.
    #[must_use]
    pub fn endless(self) -> Self {
        Self { endless: true, framing: Framing::Close, ..self }
    }

    /// Closes the connection after so many bytes of the body.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        Self { cut_after: Some(bytes), ..self }
    }

    /// Claims this length whatever the body's true one; then closes the connection.
    #[must_use]
    pub fn content_length(self, length: u64) -> Self {
        Self { framing: Framing::LyingLength(length), ..self }
    }

    /// Sends the body in chunks of so many bytes.
    #[must_use]
    pub fn chunked(self, size: usize) -> Self {
        Self { framing: Framing::Chunked(size.max(1)), ..self }
    }

    /// Sends the body as one good chunk, and then one whose length is rubbish.
    #[must_use]
    pub fn broken_chunks(self) -> Self {
        Self { framing: Framing::BrokenChunks, ..self }
    }

    /// Tells no length: the body ends where the connection does.
    #[must_use]
    pub fn until_close(self) -> Self {
        Self { framing: Framing::Close, ..self }
    }

    /// Whether another request may follow on the connection.
    pub(crate) fn keeps_alive(&self) -> bool {
        !self.raw && self.cut_after.is_none() && matches!(self.framing, Framing::Length | Framing::Chunked(_))
    }

    /// The head as bytes, with the empty line.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value);
            head.extend_from_slice(b"\r\n");
        }
        let framing = match self.framing {
            // These two carry no body, and a length would only be believed by a client that errs.
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
