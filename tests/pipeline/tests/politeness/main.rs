//! The rules of politeness, each against a scripted server and named by its number. docs/politeness.md is generated from these and
//! from the numbered tests of one exchange (gleaner-fetch) and of the schedule (gleaner-polling).
#![allow(clippy::unwrap_used)]

mod errors;
mod manners;
mod schedule;
mod setup;
mod validators;
