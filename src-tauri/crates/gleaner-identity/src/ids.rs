//! What the ids of a document are worth. Some feeds renumber their items, or give all of them new ids, at each change.

use crate::{
    Identified, Known, KnownItem, Match, Traits,
    known::{disambiguated_key, without_scheme},
};
use std::collections::HashSet;

/// Minimum number of items with new ids at known addresses before the ids are not trusted.
const RENEWED: usize = 3;

/// How the ids of a document identify its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// Each belongs to one item.
    Lasting,
    /// They are positions in the document, such as `1`, `2`, `3`: a new item gets the id of another one.
    Positions,
    /// All items got new ids, by a new program or at each request.
    Renewed,
}

impl Ids {
    pub(crate) fn of(identified: &[Identified<'_>], known: &Known) -> Ids {
        let addresses = || identified.iter().filter_map(|item| item.canonical_url.as_deref()).map(without_scheme);
        let mut seen = HashSet::with_capacity(identified.len());
        // An address that several items share does not identify them.
        if !addresses().all(|address| seen.insert(address)) {
            return Ids::Lasting;
        }
        let mut known_by_id = identified.iter().filter_map(|item| Some((item, known.by_key(&item.key)?))).peekable();
        if known_by_id.peek().is_none() {
            let is_known = |item: &&Identified<'_>| {
                let item = item.traits();
                known.at_address(&item).any(|known| known.title == item.title)
            };
            let known = identified.iter().filter(is_known).count();
            return if known >= RENEWED && known * 2 >= identified.len() { Ids::Renewed } else { Ids::Lasting };
        }
        let others: Vec<(&Identified<'_>, &KnownItem)> =
            known_by_id.filter(|(item, known)| is_other(&item.traits(), known)).collect();
        if others.is_empty() {
            return Ids::Lasting;
        }
        let here: HashSet<(Option<&str>, &str)> = identified.iter().map(|item| place(&item.traits())).collect();
        let has_moved = |known: &KnownItem| {
            here.contains(&(known.canonical_url.as_deref().map(without_scheme), known.title.as_str()))
        };
        if others.iter().any(|(_, known)| has_moved(known)) { Ids::Positions } else { Ids::Lasting }
    }

    /// Recognizes one item of the document; see [`Known::recognize`].
    pub(crate) fn recognize<'k>(
        self,
        known: &'k Known,
        item: &Traits<'_>,
        still_there: &HashSet<&str>,
        taken: &mut HashSet<i64>,
    ) -> Match<'k> {
        let mut at_address = known.at_address(item).filter(|known| !taken.contains(&known.id));
        let same = at_address.clone().find(|known| known.title == item.title);
        let found = match self {
            Ids::Lasting => None,
            Ids::Renewed => same.map(|before| Match { key: item.key.to_owned(), before: Some(before) }),
            // Each item keeps the id that it had first.
            Ids::Positions => match (same.or_else(|| at_address.next()), known.by_key(item.key)) {
                (Some(before), _) => Some(Match { key: before.key.clone(), before: Some(before) }),
                (None, Some(before)) if is_other(item, before) => {
                    let key = disambiguated_key(item.key, item.url, item.title);
                    let before = known.by_key(&key);
                    Some(Match { key, before })
                }
                (None, _) => None,
            },
        };
        match found {
            Some(found) => {
                taken.extend(found.before.map(|before| before.id));
                found
            }
            None => known.recognize(item, still_there, taken),
        }
    }
}

fn place<'a>(item: &Traits<'a>) -> (Option<&'a str>, &'a str) {
    (item.canonical_url.map(without_scheme), item.title)
}

/// Whether an item has neither the address nor the title of a known one.
fn is_other(item: &Traits<'_>, known: &KnownItem) -> bool {
    let address = known.canonical_url.as_deref();
    item.canonical_url.is_some()
        && address.is_some()
        && item.canonical_url.map(without_scheme) != address.map(without_scheme)
        && item.title != known.title
}
