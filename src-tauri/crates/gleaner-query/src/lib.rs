//! The query language: parsing ([`parse()`]) and printing (`Display`), splitting text of any script into words ([`words`]), and
//! matching a query against an article ([`Expr::matches`]). The search index must find the same articles. Pure: no library, no
//! clock, no SQL.
//!
//! | query | matches |
//! |---|---|
//! | `word`, `"a phrase"` | articles with it in title, author, text or tags |
//! | `pre*` | words with this prefix; a single letter is a word |
//! | `a b`, `a AND b` | both |
//! | `a OR b` | either; binds weaker than `a b` |
//! | `-a`, `NOT a` | not `a` |
//! | `( … )` | grouping |
//! | `title:` `author:` `text:` `tag:` `note:` | words there |
//! | `category:` | a whole category given by the feed: `category:news` also matches `News/Regional` and the user's synonyms |
//! | `url:` | words of the article's address in this order: `url:example.com/2026`. An address alone matches address and text |
//! | `feed:` `folder:` | words of the feed's title or address; of the folder's path |
//! | `lang:` | a language tag or its start: `lang:pt` matches `pt-BR` |
//! | `is:` | `unread`, `read`, `starred`, `updated`, `hidden`, `kept`, `tagged`; hidden articles are found only with `is:hidden` |
//! | `has:` | `audio`, `video`, `image`, `enclosure` |
//! | `after:` `before:` `during:` | dates, see [`Date`] |
//! | `words:` | `>1000`, `>=1000`, `<500`, `<=500`, `500..1000`, `500` |
//!
//! A value with spaces needs quotes: straight or typographic ones. Parts without any word (`-`, `*`, `OR` alone) are ignored, but a query of
//! signs that are not indexed, such as `€`, is an error.

mod categories;
mod dates;
mod error;
mod expr;
mod matches;
mod names;
mod parse;
mod print;
mod signs;
pub mod words;

pub use categories::{Synonyms, category_key, category_path};
pub use dates::{Date, Unit};
pub use error::{MAX_QUERY, Problem, QueryError};
pub use expr::{Expr, Field, Media, State};
pub use matches::{Article, Marks, Subject};
pub use names::one_line;
pub use parse::{fields, from_former, media, parse, states};
