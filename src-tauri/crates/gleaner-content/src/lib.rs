//! Processes the HTML of articles: sanitised HTML for the reading pane, plain text for search, canonical URLs.
//! Pure: no network, no clock, no disk.

mod allow_list;
mod attached_images;
mod attributes;
mod canonical;
mod difference;
mod elements;
mod embeds;
mod extract;
mod fences;
mod formulas;
mod images;
mod language;
mod plain;
mod policy;
mod private_images;
mod protected_mail;
mod sanitise;
mod serializer;
mod style;
mod summary;
mod symbols;
mod text;
mod truncation;
mod urls;

pub use attached_images::with_attached_images;
pub use canonical::{canonical_url, without_tracking};
pub use difference::{Difference, difference, text_difference};
pub use embeds::is_video_page;
pub use extract::{Extracted, MAX_ARTICLE_BYTES, MAX_ARTICLE_PAGES, MAX_PAGE_BYTES, extract};
pub use gleaner_html::charset::decode_page;
pub use language::language;
pub use sanitise::{sanitise, sanitise_for};
pub use summary::summary;
pub use text::{excerpt, first_image, image_urls, plain_text, reading_minutes, with_summary, word_count};
pub use truncation::{GivenText, NO_BEGINNING, is_beginning};
