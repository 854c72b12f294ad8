//! The dialects of the Google Reader API.

/// The server program whose dialect is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Under `/api/greader.php`; unknown streams are all articles; of several `a=` the last counts.
    FreshRss,
    /// At the root; pages by offset; no labels; `[]` for what it does not implement.
    Miniflux,
    /// At the root, as the next three; ids of 24 hexadecimal digits; at most 10,000 ids and 1000 articles per request.
    OldReader,
    /// Pages by a text that only the server understands; labels and folders have one list, without their kind.
    BazQux,
    /// Feeds have their address as the id, and no other address.
    FeedHq,
    /// Wants the keys of an app with every request; at most 1000 ids and 250 articles per request; limits the requests of a day.
    Inoreader,
    /// Under `/rest/googlereader`; at most 1000 ids per page, in the order of dates, and the next page has lower ids than the last; folders are
    /// in folders, and have one list without their kind; no labels and no `quickadd`.
    CommaFeed,
}

impl Dialect {
    /// Those that are described by documentation only.
    pub const DOCUMENTED: [Self; 4] = [Self::OldReader, Self::BazQux, Self::FeedHq, Self::Inoreader];

    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::FreshRss => "/api/greader.php",
            Self::CommaFeed => "/rest/googlereader",
            _ => "",
        }
    }

    /// Whether a page of ids goes on after a position that says nothing to the client.
    pub(super) fn hides_position(self) -> bool {
        Self::DOCUMENTED.contains(&self)
    }
}
