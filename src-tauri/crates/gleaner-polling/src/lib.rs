//! When to ask which feed, and what to do with what comes. [`schedule`] and [`decide`] are pure: functions of values,
//! `now` among them; [`Poller`] acts.

pub mod access;
pub mod ahead;
mod backfill;
mod beside;
mod comments;
pub mod decide;
mod icons;
mod inspect;
mod instead;
mod look;
mod parked;
mod record;
mod remedy;
pub mod rhythm;
pub mod rules;
mod runner;
pub mod schedule;
pub mod secrets;
pub mod trouble;
mod turn;
pub mod wish;

pub use ahead::{Ahead, FullTextError, NoText};
pub use backfill::{Backfill, Ended};
pub use comments::{Comment, Comments};
pub use icons::Icons;
pub use inspect::Inspected;
pub use look::LookError;
pub use remedy::{Remedy, answers_until_followed, remedies};
pub use runner::{PollError, Poller, Progress, Scope, Summary};
