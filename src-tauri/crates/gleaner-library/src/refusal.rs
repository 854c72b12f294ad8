//! Values that a library refuses. If the user can enter one, the application layer has a code for it.

use gleaner_query::QueryError;

/// A value that the library refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum Refusal {
    #[error("a folder needs a name")]
    FolderName,
    #[error("another folder in this place has this name")]
    FolderNameTaken,
    #[error("a subfolder has the name of a folder one level up")]
    SubfolderNameTaken,
    #[error("a folder cannot be moved into itself")]
    FolderInItself,
    #[error("a feed cannot be merged with itself")]
    SameFeed,
    /// Only its account can change how it is fetched.
    #[error("a server fetches this feed")]
    FeedOfServer,
    /// The feeds of an account are in its folders, and only they.
    #[error("the folder is not of the feed's account")]
    FolderOfOtherAccount,
    #[error("there is an account on this server with this user name")]
    AccountExists,
    #[error("there is a service with this address and user name, or with this name")]
    ServiceExists,
    #[error("the article's feed is unsubscribed")]
    FeedUnsubscribed,
    #[error("{0}")]
    Query(QueryError),
    #[error("a saved search needs a name")]
    SearchName,
    #[error("another saved search has this name: {0}")]
    SearchNameTaken(String),
    #[error("a saved search needs a query")]
    SearchQuery,
    #[error("a tag needs a name")]
    TagName,
    #[error("a category needs a name of at most 120 characters")]
    CategoryName,
    #[error("\"{0}\" contains this category, or is a synonym of it")]
    CircularSynonym(String),
    #[error("a rule needs an action")]
    RuleActions,
    #[error("a rule needs a name")]
    RuleName,
    /// It would match every article.
    #[error("the query of a rule needs a word to search for")]
    RuleQuery,
    /// Restored, it would apply to all feeds.
    #[error("the folder of this rule was deleted")]
    RuleFolderDeleted,
    #[error("unknown action `{0}`: use `read`, `star`, `tag:NAME`, `hide`, `notify`, `keep` or `text`")]
    UnknownAction(String),
    #[error("the play queue is full: it can contain 1,000 files")]
    PlayQueueFull,
    #[error("a limit of a retention policy must be above 0")]
    RetentionLimit,
    #[error("invalid preference")]
    Preference,
    #[error("a highlight needs a text")]
    HighlightEmpty,
    #[error("a highlight has at most 20 kB")]
    HighlightTooLong,
    #[error("the context of a highlight has at most 1 kB")]
    ContextTooLong,
    #[error("a note on an article needs a text")]
    NoteEmpty,
    #[error("a note has at most 100 kB")]
    NoteTooLong,
    #[error("an article has at most 10,000 notes")]
    TooManyNotes,
    #[error("unknown colour")]
    Color,
    #[error("a reading position is between 0 and 1")]
    ReadingPosition,
    #[error("a duration is a number of seconds")]
    Duration,
    #[error("this is not an image")]
    NotAnImage,
}
