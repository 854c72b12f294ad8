//! Compares the server's state now, its last known state, and the changes that wait to be sent. Pure.

use crate::Ids;
use gleaner_library::{Flip, KnownArticle, MarkKind, tag_key};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The lists of a server.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// The unread articles.
    pub unread: Ids,
    /// Those with a star.
    pub starred: Ids,
    /// The newest ones.
    pub newest: Ids,
    /// Those with each label; `None` if the API has no labels.
    pub labels: Option<BTreeMap<String, Ids>>,
    /// Whether these are all labels, so that one that is missing has no articles.
    pub all_labels: bool,
    /// Whether the newest ones were listed down to the known ones, or to the last that is to be downloaded.
    pub joined: bool,
}

impl Lists {
    /// Returns all listed ids, each once: the newest first.
    #[must_use]
    pub fn listed(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        self.ids().filter(|id| seen.insert(*id)).map(str::to_owned).collect()
    }

    /// Returns all listed ids; one may come several times.
    fn ids(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().flat_map(BTreeMap::values);
        let lists = [&self.newest, &self.unread, &self.starred].into_iter().chain(labels);
        lists.flat_map(|list| &list.ids).map(String::as_str)
    }
}

/// The result of comparing the lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decision {
    /// Marks that changed on the server.
    pub flips: Vec<Flip>,
    /// Articles that are no longer in any list: they were marked on the server, or no longer exist there. Their contents show which.
    pub uncertain: Vec<String>,
    /// Articles that the server no longer had, and has again.
    pub back: Vec<String>,
}

/// Returns the marks that changed on the server since it was last read. A list that is not proven to be complete only adds marks, since
/// articles may be missing from it. An article that is in no list may no longer exist on the server, so its absence changes nothing.
#[must_use]
pub fn decide(
    known: &HashMap<String, KnownArticle>,
    labelled: &BTreeMap<String, HashSet<String>>,
    lists: &Lists,
) -> Decision {
    let present: HashSet<&str> = lists.ids().collect();
    let (unread, starred) = (set(&lists.unread), set(&lists.starred));
    let mut decision = Decision::default();
    let mut uncertain = BTreeSet::new();
    let mut flip = |id: &str, kind: MarkKind, on: bool| {
        decision.flips.push(Flip { remote_id: id.to_owned(), kind, on });
    };
    let mut ids: Vec<&String> = known.keys().collect();
    ids.sort_unstable();
    for id in ids {
        let before = known[id];
        if before.item.is_none() {
            continue;
        }
        if before.gone && present.contains(id.as_str()) {
            decision.back.push(id.clone());
        }
        // The list of a mark adds it to its articles. A whole list also removes it from others, but only if another list shows that the
        // server still has the article; otherwise the article's contents decide.
        let unread_before = !before.read;
        if unread.contains(id.as_str()) {
            if !unread_before {
                flip(id, MarkKind::Read, false);
            }
        } else if unread_before && lists.unread.whole {
            match present.contains(id.as_str()) {
                true => flip(id, MarkKind::Read, true),
                false => drop(uncertain.insert(id.clone())),
            }
        }
        if starred.contains(id.as_str()) {
            if !before.starred {
                flip(id, MarkKind::Starred, true);
            }
        } else if before.starred && lists.starred.whole {
            match present.contains(id.as_str()) {
                true => flip(id, MarkKind::Starred, false),
                false => drop(uncertain.insert(id.clone())),
            }
        }
        if before.gone {
            uncertain.remove(id);
        }
    }
    for (label, kind, on, id) in label_changes(known, labelled, lists) {
        match on || present.contains(id.as_str()) {
            true => decision.flips.push(Flip { remote_id: id, kind: kind(label), on }),
            false if known.get(&id).is_some_and(|known| !known.gone) => drop(uncertain.insert(id)),
            false => {}
        }
    }
    decision.uncertain = uncertain.into_iter().collect();
    decision
}

/// Returns the articles that were removed here, and that someone has marked as unread or starred on the server since.
#[must_use]
pub(crate) fn returning(known: &HashMap<String, KnownArticle>, lists: &Lists) -> Vec<String> {
    let removed = |id: &&String| known.get(*id).filter(|known| known.item.is_none());
    let unread = lists.unread.ids.iter().filter(|id| removed(id).is_some_and(|known| known.read));
    let starred = lists.starred.ids.iter().filter(|id| removed(id).is_some_and(|known| !known.starred));
    unread.chain(starred).cloned().collect()
}

/// Returns marked articles that are missing from an incomplete list, at most `most`, the greatest ids first, beginning at this index and
/// then from the start. They may be below the end of the list, or have been marked on the server.
pub(crate) fn missing(known: &HashMap<String, KnownArticle>, lists: &Lists, most: usize, first: usize) -> Vec<String> {
    let (unread, starred) = (set(&lists.unread), set(&lists.starred));
    let is_missing = |(id, known): &(&String, &KnownArticle)| {
        let from_unread = !known.read && !lists.unread.whole && !unread.contains(id.as_str());
        let from_starred = known.starred && !lists.starred.whole && !starred.contains(id.as_str());
        known.item.is_some() && !known.gone && (from_unread || from_starred)
    };
    let mut missing: Vec<&String> = known.iter().filter(is_missing).map(|(id, _)| id).collect();
    missing.sort_unstable_by_key(|id| std::cmp::Reverse((id.len(), id.as_str())));
    let first = first.checked_rem(missing.len()).unwrap_or(0);
    missing.rotate_left(first);
    missing.into_iter().take(most).cloned().collect()
}

/// Whether an article was removed here, and is unread or starred on the server since.
pub(crate) fn returns(before: &KnownArticle, article: &crate::RemoteArticle) -> bool {
    let marked = before.read && !article.read || !before.starred && article.starred;
    before.item.is_none() && !article.unmarked && marked
}

type LabelChange = (String, fn(String) -> MarkKind, bool, String);

fn label_changes(
    known: &HashMap<String, KnownArticle>,
    labelled: &BTreeMap<String, HashSet<String>>,
    lists: &Lists,
) -> Vec<LabelChange> {
    let Some(labels) = &lists.labels else { return Vec::new() };
    let here = |id: &&String| known.get(*id).is_some_and(|known| known.item.is_some());
    let mut changes: Vec<LabelChange> = Vec::new();
    for (label, list) in labels {
        let before = labelled.get(label);
        let new = list.ids.iter().filter(|id| before.is_none_or(|before| !before.contains(*id)));
        changes.extend(
            new.filter(here).map(|id| (label.clone(), MarkKind::Label as fn(String) -> MarkKind, true, id.clone())),
        );
    }
    let mut spellings: HashMap<String, Vec<&Ids>> = HashMap::new();
    for (label, list) in labels {
        spellings.entry(tag_key(label)).or_default().push(list);
    }
    for (label, before) in labelled {
        // A label that is no longer listed has no articles, unless only the case of its name changed.
        if labels.get(label).map_or(!lists.all_labels, |list| !list.whole) {
            continue;
        }
        let lists = spellings.get(&tag_key(label)).into_iter().flatten();
        let there: HashSet<&str> = lists.flat_map(|list| &list.ids).map(String::as_str).collect();
        let mut gone: Vec<&String> = before.iter().filter(|id| !there.contains(id.as_str())).collect();
        gone.sort_unstable();
        changes.extend(
            gone.into_iter()
                .filter(here)
                .map(|id| (label.clone(), MarkKind::Label as fn(String) -> MarkKind, false, id.clone())),
        );
    }
    changes
}

/// Returns the marks that differ on the server, according to the contents of articles.
#[must_use]
pub(crate) fn by_contents(
    known: &HashMap<String, KnownArticle>,
    labelled: &BTreeMap<String, HashSet<String>>,
    articles: &[crate::RemoteArticle],
    labels: bool,
) -> Vec<Flip> {
    let mut flips = Vec::new();
    for article in articles.iter().filter(|article| !article.unmarked) {
        let id = &article.item.id;
        let Some(before) = known.get(id) else { continue };
        let mut flip = |kind, on| flips.push(Flip { remote_id: id.clone(), kind, on });
        if before.read != article.read {
            flip(MarkKind::Read, article.read);
        }
        if before.starred != article.starred {
            flip(MarkKind::Starred, article.starred);
        }
        let has = |label: &str| article.labels.iter().any(|other| tag_key(other) == tag_key(label));
        for (label, ids) in labelled.iter().filter(|(label, ids)| labels && ids.contains(id) && !has(label)) {
            debug_assert!(ids.contains(id));
            flip(MarkKind::Label(label.clone()), false);
        }
        let had = |name: &str| labelled.iter().any(|(label, ids)| tag_key(label) == tag_key(name) && ids.contains(id));
        for name in article.labels.iter().filter(|name| labels && !had(name)) {
            flip(MarkKind::Label(name.clone()), true);
        }
    }
    flips
}

fn set(list: &Ids) -> HashSet<&str> {
    list.ids.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str], whole: bool) -> Ids {
        Ids { ids: ids.iter().map(|id| (*id).to_owned()).collect(), whole }
    }

    fn known(articles: &[(&str, bool, bool, bool)]) -> HashMap<String, KnownArticle> {
        let article = |(id, read, starred, gone): &(&str, bool, bool, bool)| {
            ((*id).to_owned(), KnownArticle { item: Some(1), read: *read, starred: *starred, gone: *gone })
        };
        articles.iter().map(article).collect()
    }

    fn flips(decision: &Decision) -> Vec<String> {
        decision.flips.iter().map(|flip| format!("{} {:?} {}", flip.remote_id, flip.kind, flip.on)).collect()
    }

    #[test]
    fn a_complete_list_sets_and_clears_marks() {
        let known = known(&[("a", false, false, false), ("b", true, false, false), ("c", false, true, false)]);
        let lists = Lists {
            unread: ids(&["b", "c"], true),
            starred: ids(&["a"], true),
            newest: ids(&["a", "b", "c"], true),
            ..Lists::default()
        };
        let decision = decide(&known, &BTreeMap::new(), &lists);
        assert_eq!(flips(&decision), ["a Read true", "a Starred true", "b Read false", "c Starred false"]);
        assert!(decision.uncertain.is_empty());
    }

    #[test]
    fn a_list_that_is_not_whole_only_adds() {
        let known = known(&[("a", false, false, false), ("b", true, true, false)]);
        let lists = Lists {
            unread: ids(&["b"], false),
            starred: ids(&["a"], false),
            newest: ids(&["a", "b"], true),
            ..Lists::default()
        };
        assert_eq!(flips(&decide(&known, &BTreeMap::new(), &lists)), ["a Starred true", "b Read false"]);
    }

    #[test]
    fn an_article_in_no_list_may_be_deleted() {
        let known = known(&[("a", false, true, false), ("b", true, false, false), ("c", false, false, true)]);
        let lists =
            Lists { unread: ids(&[], true), starred: ids(&[], true), newest: ids(&[], true), ..Lists::default() };
        let decision = decide(&known, &BTreeMap::new(), &lists);
        assert_eq!(
            (flips(&decision), decision.uncertain),
            (vec![], vec!["a".to_owned()]),
            "c was found to be gone before"
        );
    }

    #[test]
    fn an_article_that_is_back_is_noticed() {
        let known = known(&[("a", false, false, true)]);
        let lists = Lists { unread: ids(&["a"], true), ..Lists::default() };
        assert_eq!(decide(&known, &BTreeMap::new(), &lists).back, ["a"]);
    }

    #[test]
    fn labels_are_compared_by_their_key() {
        let known = known(&[("a", true, false, false), ("b", true, false, false)]);
        let labelled: BTreeMap<String, HashSet<String>> = [
            ("Later".to_owned(), HashSet::from(["a".to_owned(), "b".to_owned()])),
            ("old".to_owned(), HashSet::from(["b".to_owned()])),
        ]
        .into();
        let labels = [("later".to_owned(), ids(&["a"], true)), ("new".to_owned(), ids(&["b"], false))].into();
        let mut lists = Lists { newest: ids(&["a", "b"], true), labels: Some(labels), ..Lists::default() };
        let added = ["a Label(\"later\") true", "b Label(\"new\") true"];
        assert_eq!(flips(&decide(&known, &labelled, &lists)), added, "a label may be missing from the list of labels");
        lists.all_labels = true;
        let taken = ["b Label(\"Later\") false", "b Label(\"old\") false"];
        assert_eq!(flips(&decide(&known, &labelled, &lists)), [added, taken].concat());
    }
}
