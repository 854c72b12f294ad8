//! One connection: requests in, scripted replies out.

use crate::reply::{Framing, Hang};
use crate::{Reply, Request, Shared};
use std::future::pending;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Serves requests until the client or a reply closes the connection. A write error means that the client has closed it.
pub(crate) async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, shared: &Shared, number: usize) {
    let mut read = Vec::new();
    while let Some(head) = next_head(&mut stream, &mut read).await {
        let Some(mut request) = Request::parse(&head, number) else { break };
        let Some(body) = next_body(&mut stream, &mut read, request.body_length()).await else { break };
        request.body = body;
        let reply = shared.reply(request);
        if send(&mut stream, &reply).await.is_err() || !reply.keeps_alive() {
            break;
        }
    }
    let _ = stream.shutdown().await;
}

async fn next_head(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), read: &mut Vec<u8>) -> Option<Vec<u8>> {
    loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Some(std::mem::replace(read, rest));
        }
        if stream.read_buf(read).await.ok()? == 0 {
            return None;
        }
        // The first byte of a TLS handshake. Real servers reply in this way to TLS on a port for http.
        if read.first() == Some(&0x16) {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n").await;
            return None;
        }
    }
}

/// Reads the body of a request; `None` if the client left before its end.
async fn next_body(stream: &mut (impl AsyncRead + Unpin), read: &mut Vec<u8>, length: usize) -> Option<Vec<u8>> {
    while read.len() < length {
        if stream.read_buf(read).await.ok()? == 0 {
            return None;
        }
    }
    let rest = read.split_off(length);
    Some(std::mem::replace(read, rest))
}

async fn send(stream: &mut (impl AsyncWrite + Unpin), reply: &Reply) -> io::Result<()> {
    if !reply.delay.is_zero() {
        tokio::time::sleep(reply.delay).await;
    }
    if let Some(gate) = &reply.gate {
        let _closed = gate.acquire().await;
    }
    if reply.hang == Some(Hang::BeforeHead) {
        pending::<()>().await;
    }
    if reply.raw {
        stream.write_all(&reply.body).await?;
        return stream.flush().await;
    }
    let head = reply.head();
    if reply.hang == Some(Hang::InHead) {
        stream.write_all(&head[..head.len() / 2]).await?;
        stream.flush().await?;
        pending::<()>().await;
    }
    let body = framed(reply);
    // Head and body are sent in one write, as servers send small replies, unless the script has a fault between them.
    if reply.hang.is_none() && reply.drip.is_none() && !reply.endless {
        let mut all = head;
        all.extend_from_slice(&body);
        stream.write_all(&all).await?;
        return stream.flush().await;
    }
    stream.write_all(&head).await?;
    stream.flush().await?;
    match reply.hang {
        Some(Hang::AfterHead) => pending::<()>().await,
        Some(Hang::InBody(after)) => {
            stream.write_all(&body[..after.min(body.len())]).await?;
            stream.flush().await?;
            pending::<()>().await;
        }
        _ => {}
    }
    loop {
        match reply.drip {
            Some(every) => {
                for byte in &body {
                    stream.write_all(&[*byte]).await?;
                    stream.flush().await?;
                    tokio::time::sleep(every).await;
                }
            }
            None => stream.write_all(&body).await?,
        }
        if !reply.endless || body.is_empty() {
            return stream.flush().await;
        }
    }
}

/// Returns the body with its framing, truncated if the script says so.
fn framed(reply: &Reply) -> Vec<u8> {
    if reply.status == 304 || reply.status == 204 {
        return Vec::new();
    }
    let mut bytes = match reply.framing {
        Framing::Length | Framing::LyingLength(_) | Framing::Close => reply.body.clone(),
        Framing::Chunked(size) => {
            let mut bytes = Vec::new();
            for chunk in reply.body.chunks(size) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
            bytes
        }
        Framing::BrokenChunks => {
            let mut bytes = format!("{:x}\r\n", reply.body.len()).into_bytes();
            bytes.extend_from_slice(&reply.body);
            bytes.extend_from_slice(b"\r\nno length at all\r\n");
            bytes
        }
    };
    if let Some(after) = reply.cut_after {
        bytes.truncate(after);
    }
    bytes
}
