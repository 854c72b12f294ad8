//! What happens to an article's text: sanitised HTML for the reading pane, plain text for search, canonical URLs.
//! Pure: no network, no clock, no disk.

mod attributes;
mod beginning;
mod canonical;
mod difference;
mod elements;
mod embeds;
mod extract;
mod gate;
mod language;
mod nesting;
mod pictures;
mod policy;
mod sanitise;
mod style;
mod text;
mod tokens;
mod urls;

pub use beginning::{Given as GivenText, LONG as NO_BEGINNING, is_beginning};
pub use canonical::canonical_url;
pub use difference::{Difference, difference, text_difference};
pub use extract::{Extracted, decode_page, extract};
pub use language::language;
pub use sanitise::sanitise;
pub use text::{excerpt, first_image, picture_urls, plain_text, reading_minutes, with_summary, word_count};
