//! Offline downloads: from the preference to pages and images in the library, politely, and their failures.
#![allow(clippy::unwrap_used)]

mod full_texts;
mod images;
mod private_networks;
mod queue;
mod setup;
