//! What a search asks for: the language of queries, read ([`parse`]) and written again (`Display`), what counts as a word in
//! any script ([`words`]), and whether one article answers a query ([`Expr::matches`]), which is what every index has to agree
//! with. Pure: no library, no clock, no SQL.
//!
//! | written | asks for |
//! |---|---|
//! | `word`, `"a phrase"` | articles that have it in title, author, text or tags |
//! | `pre*` | words that begin so; one letter is taken as a word of its own |
//! | `a b`, `a AND b` | both |
//! | `a OR b` | either; binds weaker than standing side by side |
//! | `-a` | not that |
//! | `( … )` | grouping |
//! | `title:` `author:` `text:` `tag:` | words there |
//! | `category:` | what the feed says the article is about, whole: `category:news` finds `News/Regional` too, and what the reader says means it |
//! | `url:` | words of the article's address, in this order: `url:example.com/2026`. An address as such is looked for there and in the text |
//! | `feed:` `folder:` | words of the feed's title or address; of the folder's name or those above it |
//! | `lang:` | a language tag or its beginning: `lang:pt` finds `pt-BR` |
//! | `is:` | `unread`, `read`, `starred`, `updated`, `hidden`, `kept`, `tagged`; hidden ones are found by asking for them only |
//! | `has:` | `audio`, `video`, `image`, `enclosure` |
//! | `after:` `before:` `during:` | dates, see [`Date`] |
//! | `words:` | `>1000`, `>=1000`, `<500`, `<=500`, `500..1000`, `500` |
//!
//! A value with spaces stands in quotes. What holds no word at all (`-`, `*`, `OR` alone) asks for nothing and is left out.

mod categories;
mod dates;
mod error;
mod expr;
mod matches;
mod parse;
mod print;
pub mod words;

pub use categories::{Synonyms, category_key, category_path};
pub use dates::{Date, Unit};
pub use error::{Problem, QueryError};
pub use expr::{Expr, Field, Media, State};
pub use matches::{Article, Marks, Subject};
pub use parse::{LONGEST, fields, media, parse, states};
