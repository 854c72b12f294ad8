//! A web address to the feeds behind it.
//!
//! The steps, each taken only where the one before found nothing: what is known about the site (no request to
//! anyone else), the address itself, the page's `<link>`s, common paths, `/.well-known/`, links in the page's body. What
//! is guessed has to be read and to be a feed before it is offered; a page that says "not found" with status 200 is none.

mod address;
mod guess;
mod icon;
mod model;
mod offer;
mod page;
mod said;
mod sites;
mod walk;

pub use address::address;
pub use icon::icons;
pub use model::{Discovery, DiscoveryError, Found, From};
pub use said::{in_page, offered};
pub use walk::{Source, discover, discover_with};
