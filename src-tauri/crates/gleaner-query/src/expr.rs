use crate::Date;

/// What a query asks for. The meaning of each kind is what [`Expr::matches`] does with one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// Every article: a query that asks for nothing.
    All,
    /// All of these hold. Never fewer than two, and none of them is an `And`.
    And(Vec<Expr>),
    /// One of these holds. Never fewer than two, and none of them is an `Or`.
    Or(Vec<Expr>),
    /// It does not hold.
    Not(Box<Expr>),
    /// The words of `text` stand in `field` one after another ([`crate::words::Phrase`]); with `prefix` the last one may go on.
    Text {
        /// Where.
        field: Field,
        /// As it was written, without quotes.
        text: String,
        /// The last word may go on.
        prefix: bool,
    },
    /// What the feed says the article is about, or a step above that, is this ([`crate::Synonyms`]); as it was written.
    Category(String),
    /// The language tag is this or begins with it, subtag by subtag; in lower case. An article that names no language has its
    /// feed's.
    Language(String),
    /// The reader's marks, and what became of the article.
    Is(State),
    /// What it carries.
    Has(Media),
    /// Dated at or after the date's beginning. An article's date is when it was published, or came where that is unknown: its
    /// place in lists.
    After(Date),
    /// Dated before the date's beginning.
    Before(Date),
    /// Dated within it.
    During(Date),
    /// Its text has so many words: at least the first, at most the second.
    Words(u32, Option<u32>),
}

/// Where words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Title, author, text or one tag; all words of a phrase in one of them.
    Any,
    /// The article's title.
    Title,
    /// Its authors.
    Author,
    /// Its text.
    Text,
    /// One of its tags, or categories.
    Tag,
    /// What the reader wrote about it, or marked in it; all words of a phrase in one of them.
    Note,
    /// Its address, without scheme and `www.`.
    Url,
    /// The feed's title as it is shown, its address, or that of its site.
    Feed,
    /// The path of the folder that the feed is in.
    Folder,
}

/// What `is:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not read.
    Unread,
    /// Read.
    Read,
    /// With a star.
    Starred,
    /// It said something else before.
    Updated,
    /// In no list: found only by queries that ask for hidden articles ([`Expr::asks_for_hidden`]).
    Hidden,
    /// No rule of retention lets it go.
    Kept,
    /// With a tag of the reader's own.
    Tagged,
    /// With a passage that the reader has marked.
    Highlighted,
    /// With words of the reader's own, on a passage or on the whole.
    Noted,
}

/// What `has:` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// An enclosure of sound.
    Audio,
    /// A moving picture as an enclosure.
    Video,
    /// A picture: as an enclosure or as the one that lists show.
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
}

impl Expr {
    /// All of these; none: everything.
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

    /// One of these; none: everything.
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

    /// Whether it speaks of hidden articles; to a query that does not there are none.
    #[must_use]
    pub fn asks_for_hidden(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::asks_for_hidden),
            Self::Not(part) => part.asks_for_hidden(),
            Self::Is(State::Hidden) => true,
            _ => false,
        }
    }

    /// Whether it speaks of categories.
    #[must_use]
    pub fn asks_for_categories(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::asks_for_categories),
            Self::Not(part) => part.asks_for_categories(),
            Self::Category(_) => true,
            _ => false,
        }
    }

    /// Not this.
    #[must_use]
    #[allow(clippy::should_implement_trait, reason = "it builds, and negates no value")]
    pub fn not(part: Self) -> Self {
        Self::Not(Box::new(part))
    }
}
