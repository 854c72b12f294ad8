//! Finds the feeds behind a web address.
//!
//! Each step is taken only if the one before found nothing: rules for known sites (without requests to third parties), the address itself,
//! the page's `<link>`s and `Link` headers, common paths, `/.well-known/`, links in the page's body. Guesses are fetched, and offered only
//! if they are feeds, since some sites respond to missing pages with status 200.

mod address;
mod candidates;
mod discover;
mod guess;
mod icon;
mod in_scripts;
mod languages;
mod link_header;
mod model;
mod page;
mod page_list;
mod sites;
mod source;
mod verify;

pub use address::{address, split_login};
pub use candidates::{in_page, offered};
pub use discover::{discover, discover_with};
pub use icon::icons;
pub use model::{AddressProblem, Discovery, DiscoveryError, Found, From};
pub use page_list::{MAX_PAGE_ITEMS, PageItem, PageList, items};
pub use source::Source;
