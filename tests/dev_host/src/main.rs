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

use std::io::Write as _;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut port = 0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--port", Some(value)) => port = value.parse()?,
            _ => return Err("usage: gleaner-dev-host [--port PORT]".into()),
        }
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let host = runtime.block_on(host::Host::start())?;
    let server = tiny_http::Server::http(("127.0.0.1", port))?;
    println!("http://{}", server.server_addr());
    std::io::stdout().flush()?;
    std::thread::scope(|threads| {
        for request in server.incoming_requests() {
            let (host, runtime) = (&host, runtime.handle());
            threads.spawn(move || host.respond(runtime, request));
        }
    });
    Ok(())
}
