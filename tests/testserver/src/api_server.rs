//! What the servers with the API of a feed reader have in common.

use crate::{Reply, Request, Server};
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

/// A running server with the API of a feed reader, which answers from a state that the test shares.
pub struct ApiServer<S> {
    /// The scripted server, with all requests so far.
    pub server: Server,
    state: Arc<Mutex<S>>,
}

impl<S: Send + 'static> ApiServer<S> {
    /// Starts a server that answers all requests by a function.
    pub(crate) async fn serve(state: S, answer: impl Fn(&mut S, &Request) -> Reply + Send + 'static) -> Self {
        let server = Server::start().await;
        let state = server.on_state(state, answer);
        Self { server, state }
    }

    /// Returns what the server has.
    pub fn state(&self) -> MutexGuard<'_, S> {
        self.state.lock()
    }
}
