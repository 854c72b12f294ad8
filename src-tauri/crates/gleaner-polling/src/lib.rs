//! Polls feeds: decides when to request which feed ([`schedule`]) and what to do with the response ([`decide`]), both purely, and does it
//! ([`Poller`]).

pub mod access;
mod address;
pub mod article;
mod backfill;
mod comments;
pub mod connection;
pub mod decide;
mod enclosures;
mod episodes;
pub mod feed_error;
pub mod file;
mod first_poll;
mod host_limiter;
mod host_queue;
mod icons;
mod inspect;
mod limits;
mod metadata;
mod network;
mod not_a_feed;
pub mod offline;
mod parked;
pub mod posting_frequency;
mod record;
mod rediscover;
mod report;
pub mod rules;
mod runner;
pub mod schedule;
pub mod secrets;
mod still_polled;
mod suggestion;
mod summary;

pub use backfill::{Backfill, Ended};
pub use comments::{Comment, Comments};
pub use episodes::{EpisodeProgress, EpisodesDone};
pub use feed_error::{FeedError, FeedErrorCode};
pub use icons::Icons;
pub use inspect::Inspected;
pub use offline::{DownloadProgress, FullTextError, NoText, other_than_page};
pub use rediscover::RediscoverError;
pub use runner::{PollError, Poller};
pub use suggestion::{Suggestion, needs_attention, responses_until_followed, suggestions};
pub use summary::{Progress, Scope, Summary};
