//! Polls feeds: decides when to request which feed ([`schedule`]) and what to do with the response ([`decide`]), both purely, and does it
//! ([`Poller`]).

pub mod access;
pub mod ahead;
pub mod article;
mod backfill;
mod comments;
pub mod decide;
pub mod feed_error;
pub mod file;
mod host_queue;
mod icons;
mod inspect;
mod metadata;
mod network;
mod not_a_feed;
mod parked;
mod record;
mod rediscover;
mod remedy;
pub mod rhythm;
pub mod rules;
mod runner;
pub mod schedule;
pub mod secrets;
pub mod wish;

pub use ahead::{Ahead, FullTextError, NoText};
pub use backfill::{Backfill, Ended};
pub use comments::{Comment, Comments};
pub use feed_error::{FeedError, FeedErrorCode};
pub use icons::Icons;
pub use inspect::Inspected;
pub use rediscover::LookError;
pub use remedy::{Remedy, answers_until_followed, remedies};
pub use runner::{PollError, Poller, Progress, Scope, Summary};
