//! Values that a library refuses, each with a code and parameters. The catalogues word them.

use gleaner_query::QueryError;

/// Declares the refusals: variant, code, and a message for logs.
macro_rules! refusals {
    ($($(#[$doc:meta])* $variant:ident $(($parameter:ident: $type:ty))? = $code:literal, $message:literal;)+) => {
        /// A value that the library refuses.
        #[derive(Debug, Clone, PartialEq, thiserror::Error)]
        pub enum Refusal {
            $($(#[$doc])* #[error($message)] $variant $(($type))?,)+
        }

        impl Refusal {
            /// The codes of all refusals, which the catalogues word.
            pub const CODES: &'static [&'static str] = &[$($code),+];

            /// Returns the code that names the reason.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $(refusals!(@pattern $variant $($parameter)?) => $code,)+
                }
            }

            /// Returns the parameter of the message, where it has one.
            #[must_use]
            pub fn parameter(&self) -> Option<String> {
                match self {
                    $(refusals!(@bound $variant $($parameter)?) => refusals!(@text $($parameter)?),)+
                }
            }
        }
    };
    (@pattern $variant:ident) => { Self::$variant };
    (@pattern $variant:ident $parameter:ident) => { Self::$variant(_) };
    (@bound $variant:ident) => { Self::$variant };
    (@bound $variant:ident $parameter:ident) => { Self::$variant($parameter) };
    (@text) => { None };
    (@text $parameter:ident) => { Some($parameter.to_string()) };
}

refusals! {
    /// A folder needs a name.
    FolderName = "folder_name", "a folder needs a name";
    /// Another folder in that place has the name.
    FolderNameTaken = "folder_name_taken", "another folder in this place has this name";
    /// A subfolder has the name of a folder one level up.
    SubfolderNameTaken = "subfolder_name_taken", "a subfolder has the name of a folder one level up";
    /// A folder cannot be moved into itself.
    FolderInItself = "folder_in_itself", "a folder cannot be moved into itself";
    /// A feed cannot be merged with itself.
    SameFeed = "same_feed", "a feed cannot be merged with itself";
    /// A server fetches the feed, so only its account can change how.
    FeedOfServer = "feed_of_server", "a server fetches this feed";
    /// There is an account at this server with this user name.
    AccountExists = "account_exists", "there is an account at this server with this user name";
    /// The article's feed is unsubscribed.
    FeedUnsubscribed = "feed_unsubscribed", "the article's feed is unsubscribed";
    /// The query is unreadable: why.
    Query(problem: QueryError) = "query", "{0}";
    /// A saved search needs a name.
    SearchName = "search_name", "a saved search needs a name";
    /// Another saved search has the name: its name.
    SearchNameTaken(name: String) = "search_name_taken", "another saved search has this name: {0}";
    /// A saved search needs a query.
    SearchQuery = "search_query", "a saved search needs a query";
    /// A tag needs a name.
    TagName = "tag_name", "a tag needs a name";
    /// A category needs a name of at most 120 characters.
    CategoryName = "category_name", "a category needs a name of at most 120 characters";
    /// The synonym contains the category, or is a synonym of it: the synonym.
    CircularSynonym(means: String) = "circular_synonym", "\"{0}\" contains this category, or is a synonym of it";
    /// A rule needs an action.
    RuleActions = "rule_actions", "a rule needs an action";
    /// A rule needs a name.
    RuleName = "rule_name", "a rule needs a name";
    /// The action is unknown: its name.
    UnknownAction(action: String) = "unknown_action", "unknown action `{0}`: use `read`, `star`, `tag:NAME`, `hide`, `notify`, `keep` or `text`";
    /// The play queue has its maximum length.
    PlayQueueFull = "play_queue_full", "the play queue is full: it can have 1000 files";
    /// A limit of a retention policy must be above 0.
    RetentionLimit = "retention_limit", "a limit of a retention policy must be above 0";
    /// A preference has an invalid value.
    Preference = "preference", "invalid preference";
    /// A highlight needs a text.
    HighlightEmpty = "highlight_empty", "a highlight needs a text";
    /// A highlight is longer than the maximum length of a quote.
    HighlightTooLong = "highlight_too_long", "a highlight has at most 20 kB";
    /// The context of a highlight is too long.
    ContextTooLong = "context_too_long", "the context of a highlight has at most 1 kB";
    /// A note on an article needs a text.
    NoteEmpty = "note_empty", "a note on an article needs a text";
    /// A note is longer than [`crate::LONGEST_NOTE`].
    NoteTooLong = "note_too_long", "a note has at most 100 kB";
    /// The article has the maximum number of notes.
    TooManyNotes = "too_many_notes", "an article has at most 10,000 notes";
    /// The colour of a highlight does not exist.
    Color = "color", "unknown colour";
    /// A reading position is not between 0 and 1.
    ReadingPosition = "reading_position", "a reading position is between 0 and 1";
    /// A duration is not a number of seconds.
    Duration = "duration", "a duration is a number of seconds";
    /// The data is not an image.
    NotAnImage = "not_an_image", "this is not an image";
}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn codes_are_unique_and_parameters_are_given() {
        let unique: std::collections::HashSet<_> = Refusal::CODES.iter().collect();
        assert_eq!(unique.len(), Refusal::CODES.len());
        let taken = Refusal::SearchNameTaken("News".to_owned());
        assert_eq!((taken.code(), taken.parameter().as_deref()), ("search_name_taken", Some("News")));
        assert_eq!((Refusal::FolderName.code(), Refusal::FolderName.parameter()), ("folder_name", None));
    }
}
