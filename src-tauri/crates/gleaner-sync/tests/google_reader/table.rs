//! Every fault at every request.

use crate::common::{Marks, TestServer, World, acts, agree, survives_every_fault, survives_odd_entries};
use gleaner_sync::Kind;
use gleaner_testserver::{
    Server,
    faults::Fault,
    google_reader::{Dialect, GoogleReader},
};
use proptest::prelude::*;

impl TestServer for GoogleReader {
    const LABELS: bool = true;
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        self.state().entries.iter().map(|(id, entry)| (self.id(*id), (entry.read, entry.starred))).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        let mut state = self.state();
        let Some(entry) = state.entries.get_mut(&id.parse().unwrap()) else { return };
        entry.read = read.unwrap_or(entry.read);
        entry.starred = starred.unwrap_or(entry.starred);
    }
    fn arrive(&self) {
        self.state().add("feed/1");
    }
    fn delete(&self, id: &str) {
        self.state().entries.remove(&id.parse().unwrap());
    }
    fn plan(&self, faults: Vec<Fault>) {
        self.state().faults.plan(faults);
    }
}

impl TestServer for OldMiniflux {
    const API: Option<Kind> = Some(Kind::GoogleReader);
    fn server(&self) -> &Server {
        self.0.server()
    }
    fn marks(&self) -> Marks {
        self.0.marks()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        self.0.mark(id, read, starred);
    }
    fn arrive(&self) {
        self.0.arrive();
    }
    fn delete(&self, id: &str) {
        self.0.delete(id);
    }
    fn plan(&self, faults: Vec<Fault>) {
        self.0.plan(faults);
    }
}

/// A Miniflux that takes marks away which are set a second time.
struct OldMiniflux(GoogleReader);

/// A world whose lists have several pages.
async fn world(feeds: usize, articles: usize) -> World<GoogleReader> {
    let server = GoogleReader::start(Dialect::FreshRss, feeds, articles).await;
    server.state().page = 20;
    World::new(server, Kind::GoogleReader, 1000).await
}

async fn old_world(feeds: usize, articles: usize) -> World<OldMiniflux> {
    let server = GoogleReader::start(Dialect::Miniflux, feeds, articles).await;
    server.state().is_old = true;
    World::new(OldMiniflux(server), Kind::GoogleReader, 1000).await
}

#[tokio::test]
async fn no_fault_of_any_request_loses_anything() {
    survives_every_fault(world(3, 9).await).await;
}

#[tokio::test]
async fn no_fault_of_any_request_to_an_old_miniflux_loses_anything() {
    survives_every_fault(old_world(3, 9).await).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_whatever_the_server_fails_at(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async { agree(world(2, 9).await, &acts).await });
        done.map_err(TestCaseError::fail)?;
    }

    #[test]
    fn both_agree_whatever_an_old_miniflux_fails_at(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async { agree(old_world(2, 9).await, &acts).await });
        done.map_err(TestCaseError::fail)?;
    }
}

#[tokio::test]
async fn entries_that_cannot_be_read_hold_up_nothing() {
    survives_odd_entries(world(3, 9).await).await;
}
