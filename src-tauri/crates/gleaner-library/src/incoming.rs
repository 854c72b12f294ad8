//! The result of polling a feed: its items, its own data and the new state of polling; and what was stored.

use crate::{
    ArticleMetadata, Body, Enclosure, Exchange, FeedHead, Millis, PackedReport, Poll,
    body::{self, Packed},
    table::rules::{Action, Ruled},
};
pub use gleaner_identity::KnownItem;

/// An item to store.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    /// Identity within the feed.
    pub key: String,
    /// Address that the browser opens.
    pub url: Option<String>,
    /// Canonical form of the address; the item is recognised by it.
    pub canonical_url: Option<String>,
    /// Plain text; may be empty.
    pub title: String,
    /// Equal for titles with the same letters and digits; `None` for a title that is too short to find duplicates by.
    pub title_key: Option<i64>,
    /// Plain text.
    pub author: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Publication date as the feed gives it.
    pub published_at: Option<Millis>,
    /// Date of the last change as the feed gives it.
    pub updated_at: Option<Millis>,
    /// Whether the date has no time zone, or an implausible form.
    pub date_uncertain: bool,
    /// When it was received.
    pub received_at: Millis,
    /// Position in lists.
    pub sort_at: Millis,
    /// The start of its text.
    pub excerpt: String,
    /// Number of words in its text.
    pub word_count: i64,
    /// Address of a small image.
    pub thumbnail_url: Option<String>,
    /// "audio" or "video", by the first enclosure that is one.
    pub media: Option<String>,
    /// Address of the page with comments.
    pub comments_url: Option<String>,
    /// Digest of everything whose change a reader would see.
    pub digest: Vec<u8>,
    /// Names of its categories.
    pub categories: Vec<String>,
    /// Attachments, the most important first.
    pub enclosures: Vec<Enclosure>,
    /// Comments, credits, chapters.
    pub metadata: ArticleMetadata,
    /// Plausible date in the future, until which the item may be scheduled.
    pub due_at: Option<Millis>,
    /// Whether it is stored as read, because it is old.
    pub read: bool,
    /// Actions of rules, in the rules' order.
    pub ruled: Vec<Ruled>,
    /// Its HTML, compressed.
    pub texts: Texts,
}

/// Bytes that an entry of an item's lists takes, such as an enclosure, besides the text that it has from the document.
const LISTED: usize = 256;

impl NewItem {
    /// Returns about how many bytes of memory it takes.
    fn memory(&self) -> usize {
        let texts = &self.texts;
        let optional = [&self.url, &self.canonical_url, &self.author, &self.thumbnail_url, &self.comments_url];
        let optional = optional.into_iter().chain([&texts.content_base, &texts.summary_base]);
        let bodies = texts.content().map_or(0, <[u8]>::len) + texts.summary().map_or(0, <[u8]>::len);
        let ArticleMetadata { via, chapters, transcripts, participants, .. } = &self.metadata;
        let listed = [self.categories.len(), self.enclosures.len(), via.len(), chapters.len(), transcripts.len()];
        size_of::<Self>()
            + [&self.key, &self.title, &self.excerpt].map(String::len).iter().sum::<usize>()
            + optional.flatten().map(String::len).sum::<usize>()
            + bodies
            + LISTED * (listed.iter().sum::<usize>() + participants.len())
    }

    /// Returns whether a rule does this to the item.
    pub(crate) fn is_to(&self, action: &Action) -> bool {
        self.ruled.iter().any(|ruled| ruled.did.contains(action))
    }
}

/// An item's HTML. It is compressed before it reaches the writer, where compressing would block others.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    pub(crate) packed: Packed,
    pub(crate) content_base: Option<String>,
    pub(crate) summary_base: Option<String>,
}

impl Texts {
    /// Compresses both bodies.
    pub fn pack(content: Option<&Body>, summary: Option<&Body>) -> Self {
        Self {
            packed: body::pack(content, summary),
            content_base: content.and_then(|body| body.base.clone()),
            summary_base: summary.and_then(|body| body.base.clone()),
        }
    }

    pub(crate) fn codec(&self) -> i64 {
        self.packed.codec
    }

    pub(crate) fn content(&self) -> Option<&[u8]> {
        self.packed.content.as_deref()
    }

    pub(crate) fn summary(&self) -> Option<&[u8]> {
        self.packed.summary.as_deref()
    }
}

/// The change that an item of a document causes.
#[derive(Debug, Clone)]
pub enum Intent {
    /// Add it.
    Insert(Box<NewItem>),
    /// Change the item with this id; its key may change too.
    Update(i64, Box<NewItem>),
    /// Give the item with this id a new key.
    Rename(i64, String),
    /// Note that the feed still has the deleted item with this key.
    StillGone(String),
}

/// Data of a document about its feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedFacts {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// Address of the site.
    pub home_url: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Absolute address of the icon that it names.
    pub icon_url: Option<String>,
    /// Its image and its search box.
    pub head: FeedHead,
}

/// The result of polling one feed.
#[derive(Debug, Clone, Default)]
pub struct Incoming {
    /// New polling state.
    pub poll: Poll,
    /// Data of the document about the feed; `None` if no document was read.
    pub facts: Option<FeedFacts>,
    /// Report on the document, for the inspector; `None` if no document was read.
    pub report: Option<PackedReport>,
    /// Changes caused by its items.
    pub intents: Vec<Intent>,
    /// Keys of all items of the document, changed or not.
    pub keys: Vec<String>,
    /// The next item's id when the intents were decided (`Polls::next_item`): items added since are recognised by more than keys.
    pub since: Option<i64>,
    /// The request that was sent; `None` if none was.
    pub exchange: Option<Exchange>,
    /// Whether the server answered "not modified".
    pub not_modified: bool,
    /// A host that asked for a pause, and its end.
    pub wait: Option<(String, Millis)>,
    /// The address that the feed moved to permanently.
    pub moved: Option<String>,
}

impl Incoming {
    /// Returns changes of a feed's items, without anything else.
    pub fn of_items(feed_id: i64, intents: Vec<Intent>) -> Self {
        Self { poll: Poll { feed_id, ..Poll::default() }, intents, ..Self::default() }
    }

    /// Returns about how many bytes of memory this takes until it is stored.
    #[must_use]
    pub fn memory(&self) -> usize {
        let key = |key: &String| size_of::<String>() + key.len();
        let intent = |intent: &Intent| match intent {
            Intent::Insert(item) | Intent::Update(_, item) => item.memory(),
            Intent::Rename(_, new) | Intent::StillGone(new) => key(new),
        };
        self.keys.iter().map(key).chain(self.intents.iter().map(intent)).sum()
    }

    /// Returns the number of new and of changed items.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let count = |wanted: fn(&Intent) -> bool| self.intents.iter().filter(|intent| wanted(intent)).count();
        (count(|intent| matches!(intent, Intent::Insert(_))), count(|intent| matches!(intent, Intent::Update(..))))
    }
}

/// The articles that were stored and are visible: scheduled articles count once they are released.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// Number of new items.
    pub new: usize,
    /// Number of changed items.
    pub changed: usize,
    /// New items to notify the user of, because of a rule or of the feed's preference.
    pub notify: Vec<i64>,
    /// Those about which saved searches notify, each with the id of the search.
    pub searches: Vec<(i64, i64)>,
    /// Whether the result was discarded, because the feed was unsubscribed or its address changed while it was being fetched.
    pub outdated: bool,
}
