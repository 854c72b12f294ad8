//! Values that a library refuses. Where the user can enter one, the application layer gives it a code.

use gleaner_query::QueryError;

/// A value that the library refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A folder needs a name.
    #[error("a folder needs a name")]
    FolderName,
    /// Another folder in that place has the name.
    #[error("another folder in this place has this name")]
    FolderNameTaken,
    /// A subfolder has the name of a folder one level up.
    #[error("a subfolder has the name of a folder one level up")]
    SubfolderNameTaken,
    /// A folder cannot be moved into itself.
    #[error("a folder cannot be moved into itself")]
    FolderInItself,
    /// A feed cannot be merged with itself.
    #[error("a feed cannot be merged with itself")]
    SameFeed,
    /// A server fetches the feed, so only its account can change how.
    #[error("a server fetches this feed")]
    FeedOfServer,
    /// There is an account at this server with this user name.
    #[error("there is an account at this server with this user name")]
    AccountExists,
    /// The article's feed is unsubscribed.
    #[error("the article's feed is unsubscribed")]
    FeedUnsubscribed,
    /// The query is unreadable: why.
    #[error("{0}")]
    Query(QueryError),
    /// A saved search needs a name.
    #[error("a saved search needs a name")]
    SearchName,
    /// Another saved search has the name: its name.
    #[error("another saved search has this name: {0}")]
    SearchNameTaken(String),
    /// A saved search needs a query.
    #[error("a saved search needs a query")]
    SearchQuery,
    /// A tag needs a name.
    #[error("a tag needs a name")]
    TagName,
    /// A category needs a name of at most 120 characters.
    #[error("a category needs a name of at most 120 characters")]
    CategoryName,
    /// The synonym contains the category, or is a synonym of it: the synonym.
    #[error("\"{0}\" contains this category, or is a synonym of it")]
    CircularSynonym(String),
    /// A rule needs an action.
    #[error("a rule needs an action")]
    RuleActions,
    /// A rule needs a name.
    #[error("a rule needs a name")]
    RuleName,
    /// The action is unknown: its name.
    #[error("unknown action `{0}`: use `read`, `star`, `tag:NAME`, `hide`, `notify`, `keep` or `text`")]
    UnknownAction(String),
    /// The play queue has its maximum length.
    #[error("the play queue is full: it can have 1000 files")]
    PlayQueueFull,
    /// A limit of a retention policy must be above 0.
    #[error("a limit of a retention policy must be above 0")]
    RetentionLimit,
    /// A preference has an invalid value.
    #[error("invalid preference")]
    Preference,
    /// A highlight needs a text.
    #[error("a highlight needs a text")]
    HighlightEmpty,
    /// A highlight is longer than the maximum length of a quote.
    #[error("a highlight has at most 20 kB")]
    HighlightTooLong,
    /// The context of a highlight is too long.
    #[error("the context of a highlight has at most 1 kB")]
    ContextTooLong,
    /// A note on an article needs a text.
    #[error("a note on an article needs a text")]
    NoteEmpty,
    /// A note is longer than its maximum length.
    #[error("a note has at most 100 kB")]
    NoteTooLong,
    /// The article has the maximum number of notes.
    #[error("an article has at most 10,000 notes")]
    TooManyNotes,
    /// The colour of a highlight does not exist.
    #[error("unknown colour")]
    Color,
    /// A reading position is not between 0 and 1.
    #[error("a reading position is between 0 and 1")]
    ReadingPosition,
    /// A duration is not a number of seconds.
    #[error("a duration is a number of seconds")]
    Duration,
    /// The data is not an image.
    #[error("this is not an image")]
    NotAnImage,
}
