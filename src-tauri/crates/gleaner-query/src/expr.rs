//! The parsed form of a query.

use crate::Date;

/// A parsed query. [`Expr::matches`] defines the meaning of each variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// Every article: an empty query.
    All,
    /// All of these match. At least two, none of them an `And`.
    And(Vec<Expr>),
    /// At least one of these matches. At least two, none of them an `Or`.
    Or(Vec<Expr>),
    /// This does not match.
    Not(Box<Expr>),
    /// `field` contains the words of `text` as a phrase ([`crate::words::Phrase`]).
    Text {
        /// The field to search.
        field: Field,
        /// The text as written, without quotes.
        text: String,
        /// Whether the last word is a prefix.
        prefix: bool,
    },
    /// The article has this category, a subcategory or a synonym of it ([`crate::Synonyms`]); as written.
    Category(String),
    /// The language tag equals this or starts with its subtags; in lower case. An article without a language has that of its
    /// feed.
    Language(String),
    /// The state of the article.
    Is(State),
    /// The media of the article.
    Has(Media),
    /// Dated at or after the start of the date. The date of an article is when it was published, or received if that is unknown.
    After(Date),
    /// Dated before the start of the date.
    Before(Date),
    /// Dated within the period.
    During(Date),
    /// Its number of words is at least the first and at most the second number.
    Words(u32, Option<u32>),
}

/// The field of an article to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Title, author, text or one tag; a phrase must be within one of them.
    Any,
    /// Its title.
    Title,
    /// Its authors.
    Author,
    /// Its text.
    Text,
    /// One of its tags or categories.
    Tag,
    /// One of its notes or highlighted passages.
    Note,
    /// Its address without scheme and `www.`.
    Url,
    /// The title of the feed as shown, its address, or that of its site.
    Feed,
    /// The path of the folder of the feed.
    Folder,
}

/// The values of `is:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not read.
    Unread,
    /// Read.
    Read,
    /// Starred.
    Starred,
    /// Changed since it was received.
    Updated,
    /// Hidden from lists; found only by queries for hidden articles ([`Expr::asks_for_hidden`]).
    Hidden,
    /// Protected from deletion.
    Kept,
    /// Tagged by the user.
    Tagged,
    /// With a highlighted passage.
    Highlighted,
    /// With a note by the user, on a passage or on the article.
    Noted,
}

/// The values of `has:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// An audio enclosure.
    Audio,
    /// A video enclosure.
    Video,
    /// An image: as an enclosure or as the preview image.
    Image,
    /// Any enclosure.
    Enclosure,
}

impl Field {
    pub(crate) const NAMES: [(&'static str, Self); 8] = [
        ("title", Self::Title),
        ("author", Self::Author),
        ("text", Self::Text),
        ("tag", Self::Tag),
        ("note", Self::Note),
        ("url", Self::Url),
        ("feed", Self::Feed),
        ("folder", Self::Folder),
    ];
}

impl State {
    pub(crate) const NAMES: [(&'static str, Self); 9] = [
        ("unread", Self::Unread),
        ("read", Self::Read),
        ("starred", Self::Starred),
        ("updated", Self::Updated),
        ("hidden", Self::Hidden),
        ("kept", Self::Kept),
        ("tagged", Self::Tagged),
        ("highlighted", Self::Highlighted),
        ("noted", Self::Noted),
    ];
}

impl Media {
    pub(crate) const NAMES: [(&'static str, Self); 4] =
        [("audio", Self::Audio), ("video", Self::Video), ("image", Self::Image), ("enclosure", Self::Enclosure)];

    /// Returns the kind of a file with this MIME type: audio, video or an image. A playlist of HTTP Live Streaming (RFC 8216) is video
    /// unless its type says that it is audio.
    #[must_use]
    pub fn of_file(mime_type: &str) -> Option<Self> {
        let mime_type = mime_type.trim().to_ascii_lowercase();
        match mime_type.split('/').next()? {
            "audio" => Some(Self::Audio),
            "video" => Some(Self::Video),
            "image" => Some(Self::Image),
            _ => mime_type.contains("mpegurl").then_some(Self::Video),
        }
    }
}

impl Expr {
    /// Joins expressions that must all match; without any, everything matches.
    #[must_use]
    pub fn and(parts: Vec<Self>) -> Self {
        let flat = |part| match part {
            Self::And(parts) => parts,
            Self::All => Vec::new(),
            part => vec![part],
        };
        let mut parts: Vec<Self> = parts.into_iter().flat_map(flat).collect();
        match parts.len() {
            0 => Self::All,
            1 => parts.remove(0),
            _ => Self::And(parts),
        }
    }

    /// Joins expressions, at least one of which must match; without any, everything matches.
    #[must_use]
    pub fn or(parts: Vec<Self>) -> Self {
        let flat = |part| match part {
            Self::Or(parts) => parts,
            part => vec![part],
        };
        let mut parts: Vec<Self> = parts.into_iter().flat_map(flat).collect();
        match parts.len() {
            0 => Self::All,
            1 => parts.remove(0),
            _ => Self::Or(parts),
        }
    }

    /// Whether the query contains `is:hidden`; all other queries ignore hidden articles.
    #[must_use]
    pub fn asks_for_hidden(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::asks_for_hidden),
            Self::Not(part) => part.asks_for_hidden(),
            Self::Is(State::Hidden) => true,
            _ => false,
        }
    }

    /// Whether the query contains `category:`.
    #[must_use]
    pub fn asks_for_categories(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::asks_for_categories),
            Self::Not(part) => part.asks_for_categories(),
            Self::Category(_) => true,
            _ => false,
        }
    }

    /// Negates an expression.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "a constructor like `and` and `or`")]
    pub fn not(part: Self) -> Self {
        Self::Not(Box::new(part))
    }
}
