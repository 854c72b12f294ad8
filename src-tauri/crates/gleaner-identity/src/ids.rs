//! Decides how far the ids of a document can be trusted. Some feeds renumber their items at each change.

use crate::{
    Identified, Known, KnownItem, Match, Traits,
    known::{disambiguated_key, is_other_with_key, is_position_on_page, second, without_scheme},
};
use std::collections::HashSet;

/// Recognises all items of a document, the last one first: feeds list the newest item first, and older items get smaller ids.
#[must_use]
pub fn recognise<'a, 'k>(identified: Vec<Identified<'a>>, known: &'k Known) -> Vec<(Identified<'a>, Match<'k>)> {
    let ids = Ids::of(&identified, known);
    let keys: Vec<String> = identified.iter().map(|item| item.key.clone()).collect();
    let still_there: HashSet<&str> = keys.iter().map(String::as_str).collect();
    let mut taken = HashSet::new();
    let found = identified.into_iter().rev().map(|item| {
        let found = ids.recognise(known, &item.traits(), &still_there, &mut taken);
        (item, found)
    });
    found.collect()
}

/// How the ids of a document identify its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ids {
    /// Each belongs to one item.
    Lasting,
    /// They are positions in the document, such as `1`, `2`, `3`: a new item gets the id of another one.
    Positions,
}

impl Ids {
    fn of(identified: &[Identified<'_>], known: &Known) -> Ids {
        let mut seen = HashSet::with_capacity(identified.len());
        // An address that several items share does not identify them, unless they are on one page and their titles do.
        let mut places = identified.iter().filter_map(|item| {
            let title = if is_position_on_page(&item.key) { item.traits().title } else { "" };
            Some((without_scheme(item.canonical_url.as_deref()?), title))
        });
        if !places.all(|place| seen.insert(place)) {
            return Ids::Lasting;
        }
        let known_by_id = identified.iter().filter_map(|item| Some((item, known.by_key(&item.key)?)));
        let others: Vec<(&Identified<'_>, &KnownItem)> =
            known_by_id.filter(|(item, known)| is_other(&item.traits(), known)).collect();
        if others.is_empty() {
            return Ids::Lasting;
        }
        let here: HashSet<Place<'_>> = identified.iter().map(|item| place(&item.traits())).collect();
        let has_moved = |known: &KnownItem| here.contains(&place(&known.traits()));
        // The article under the item's id may have left the document long ago.
        let had_another_id = |(item, under_id): &(&Identified<'_>, &KnownItem)| {
            known.at_place(&item.traits()).any(|other| other.id != under_id.id)
        };
        match others.iter().any(|other| has_moved(other.1) || had_another_id(other)) {
            true => Ids::Positions,
            false => Ids::Lasting,
        }
    }

    /// Recognises one item of the document; see [`Known::recognise`].
    fn recognise<'k>(
        self,
        known: &'k Known,
        item: &Traits<'_>,
        still_there: &HashSet<&str>,
        taken: &mut HashSet<i64>,
    ) -> Match<'k> {
        let found = match self {
            Ids::Lasting => None,
            Ids::Positions => {
                let mut at_place = known.at_place(item).filter(|known| !taken.contains(&known.id));
                // Each item keeps the id that it had first.
                match (at_place.next(), known.by_key(item.key)) {
                    (Some(before), _) => Some(Match { key: before.key.clone(), before: Some(before) }),
                    (None, Some(before)) if taken.contains(&before.id) || is_at_another_place(item, before) => {
                        let key = disambiguated_key(item.key, item.url, item.title);
                        let before = known.by_key(&key).filter(|before| !taken.contains(&before.id));
                        Some(Match { key, before })
                    }
                    (None, _) => None,
                }
            }
        };
        match found {
            Some(found) => {
                taken.extend(found.before.map(|before| before.id));
                found
            }
            None => known.recognise(item, still_there, taken),
        }
    }
}

/// Address and title, and on a page of several items the date, too.
type Place<'a> = (Option<&'a str>, &'a str, Option<i64>);

fn place<'a>(item: &Traits<'a>) -> Place<'a> {
    let date = item.published_at.filter(|_| is_position_on_page(item.key));
    (item.canonical_url.map(without_scheme), item.title, date.map(second))
}

/// Whether an item has another address than a known one, or on a page of several another title and date.
fn is_at_another_place(item: &Traits<'_>, known: &KnownItem) -> bool {
    has_other_address(item, known) || is_position_on_page(item.key) && is_other_with_key(known, item)
}

/// Whether an item has neither the address nor the title of a known one, or on a page of several neither its title nor its date.
fn is_other(item: &Traits<'_>, known: &KnownItem) -> bool {
    if is_position_on_page(item.key) {
        return is_other_with_key(known, item);
    }
    has_other_address(item, known) && item.title != known.title
}

fn has_other_address(item: &Traits<'_>, known: &KnownItem) -> bool {
    let address = known.canonical_url.as_deref();
    item.canonical_url.zip(address).is_some_and(|(one, other)| without_scheme(one) != without_scheme(other))
}
