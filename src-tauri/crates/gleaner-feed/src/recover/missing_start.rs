//! Finds items without a start tag, as in feeds written by hand. If the channel contains an element of items, the next item tag shows
//! whether the element belongs to an item.

use super::closing::Closing;

/// State of the channel while its children are read.
#[derive(Debug, Default)]
pub(super) struct MissingStart {
    /// Whether the next tag of an item is known to be a start tag, or there is none.
    is_examined: bool,
    /// Whether an item has ended.
    after_item: bool,
    /// The elements of the channel that items have, too.
    seen: Vec<&'static str>,
}

impl MissingStart {
    /// Forgets what is known, at the start of a channel.
    pub(super) fn begin(&mut self) {
        *self = Self::default();
    }

    /// Handles the end of an item.
    pub(super) fn end_item(&mut self) {
        (self.is_examined, self.after_item) = (false, true);
    }

    /// Handles a child of the channel at `at` of the document. Returns the name of the item that it begins, if that item has no
    /// start tag. `core` is the prefix of the format itself, with its colon.
    pub(super) fn examine(
        &mut self,
        (key, is_atom): (&str, bool),
        (at, document): (usize, &str),
        core: &str,
        closing: &mut Closing,
    ) -> Option<&'static str> {
        if self.is_examined || !self.may_begin_item(key, is_atom) {
            return None;
        }
        self.is_examined = true;
        closing.item_without_start(document, at, core)
    }

    /// Whether an element belongs to an item and not to the channel, judging by the elements before it.
    fn may_begin_item(&mut self, key: &str, is_atom: bool) -> bool {
        // An Atom feed may have several links.
        let of_both: &[&'static str] =
            if is_atom { &["title", "id", "updated"] } else { &["title", "link", "description"] };
        match of_both.iter().find(|name| **name == key) {
            Some(_) if self.after_item => true,
            Some(name) => {
                let is_repeated = self.seen.contains(name);
                self.seen.push(name);
                is_repeated
            }
            None => {
                matches!(key, "guid" | "enclosure" | "content:encoded" | "content" | "summary" | "published")
                    || self.after_item && matches!(key, "pubdate" | "dc:date" | "dc:creator" | "author" | "link")
            }
        }
    }
}
