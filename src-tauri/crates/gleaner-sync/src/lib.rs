//! Keeps accounts on feed reader servers and the library in agreement. The server fetches the feeds. A [`Server`] is the client of one API.
//! The [engine](sync()) knows no API: it sends the changes made here, reads the server's state, and compares both with the server's last
//! known state ([`decide()`]). The reasons are in `docs/decisions/0011-sync.md`.

mod app_login;
mod client;
mod decide;
mod engine;
mod error;
mod feedbin;
mod fever;
mod find;
mod first_read;
mod full_width;
mod google_reader;
mod http;
mod lenient;
mod miniflux;
mod nextcloud_news;
mod server;
mod tt_rss;

pub use app_login::AppLogin;
pub use client::Client;
pub use decide::{Decision, Lists, decide};
pub use engine::{Delayed, Options, Progress, Report, Stage, sync};
pub use error::SyncError;
pub use feedbin::Feedbin;
pub use fever::Fever;
pub use find::{Found, find};
pub use google_reader::GoogleReader;
pub use http::Connection;
pub use miniflux::Miniflux;
pub use nextcloud_news::NextcloudNews;
pub use server::{
    Abilities, Arrived, Changed, Changes, Counted, CountedList, Counts, Ids, Kind, Labels, List, RemoteArticle, Server,
};
pub use tt_rss::TtRss;
