//! `gleaner-dev-host [--port PORT]`: the real core behind HTTP on loopback, for the window's tests and for `npm run dev`.
//!
//! Prints its address. Each library is a scratch folder that is deleted with the process.
//!
//! | Request | |
//! |---|---|
//! | `POST /libraries` with `{"content": "empty", "first_run" or "filled"}` | creates a library and returns its number |
//! | `POST /libraries/N/call/COMMAND` | calls a command; its error has status 422 |
//! | `GET /libraries/N/events` | all events, as server-sent events |
//! | `POST /libraries/N/sync` | sends the event `synced` after all earlier events |
//! | `POST /libraries/N/pick` with a list of paths | what the next file dialog returns |
//! | `GET /libraries/N/opened` | the addresses that the browser would have opened |
//! | `DELETE /libraries/N` | closes a library |

mod desktop;
mod fill;
mod host;

use host::Failure;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::{convert::Infallible, io::Write as _, path::Path, sync::Arc};
use tokio::net::TcpListener;

fn main() -> Result<(), Failure> {
    let mut port = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--port", Some(value)) => port = value.parse()?,
            _ => return Err("usage: gleaner-dev-host [--port PORT]".into()),
        }
    }
    let scratch = tempfile::Builder::new().prefix("gleaner-dev-host-").tempdir()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = serve(port, scratch.path()) => served,
            () = stopped() => Ok(()),
        }
    });
    // Without waiting for what a test may have left running.
    runtime.shutdown_background();
    scratch.close()?;
    served
}

async fn serve(port: u16, scratch: &Path) -> Result<(), Failure> {
    let host = Arc::new(host::Host::start(scratch.to_owned()).await?);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    loop {
        let (stream, _) = listener.accept().await?;
        let host = host.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let host = host.clone();
                async move { Ok::<_, Infallible>(host.respond(request).await) }
            });
            // A test that has ended closes its connections, so this is not an error.
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.ok();
        });
    }
}

/// Returns when the process is asked to end.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    if let Ok(mut terminated) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        }
        return;
    }
    interrupted.await.ok();
}
