//! Applies rules to new articles: compiled rules + article → actions. Pure.
//!
//! Rules run from top to bottom, and each sees the effects of those above. As in a search, if a rule has hidden the article, a later rule
//! applies only if its query asks for hidden articles.

use chrono::{DateTime, Local};
use gleaner_library::{
    Action, FeedFacts, FeedTexts, FolderRow, Millis, NewItem, Rule, RuleScope, Ruled, SavedSearch, folder_paths,
};
use gleaner_query::{Article, Expr, Subject, Synonyms};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use url::Url;

/// A rule with its parsed query.
#[derive(Debug)]
struct Compiled {
    id: i64,
    query: Expr,
    scope: RuleScope,
    actions: Vec<Action>,
}

/// The active rules, with the data about feeds that their queries need.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Arc<Compiled>>,
    feeds: HashMap<i64, FeedTexts>,
    paths: HashMap<i64, String>,
    parents: HashMap<i64, Option<i64>>,
    synonyms: Arc<Synonyms>,
}

impl Rules {
    /// Compiles rules, leaving out disabled and broken ones. The list of rules shows which are broken.
    pub fn compile(rules: &[Rule]) -> Self {
        let working = rules.iter().filter(|rule| rule.enabled && rule.broken.is_none());
        let compiled = working.filter_map(|rule| {
            let query = gleaner_query::parse(&rule.query).ok()?;
            Some(Arc::new(Compiled { id: rule.id, query, scope: rule.scope, actions: rule.actions.clone() }))
        });
        Self { rules: compiled.collect(), ..Self::default() }
    }

    /// Adds the saved searches whose matches are notified, as rules below all others. They have negative ids, which no rule has,
    /// so that nothing is recorded about them.
    #[must_use]
    pub fn and_notify_of(mut self, searches: &[SavedSearch]) -> Self {
        let notifying = searches.iter().filter(|search| search.notify).filter_map(|search| {
            let query = gleaner_query::parse(&search.query).ok()?;
            let (id, scope) = (-search.id, RuleScope::Everywhere);
            Some(Arc::new(Compiled { id, query, scope, actions: vec![Action::Notify] }))
        });
        self.rules.extend(notifying);
        self
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Adds what is known about feeds, folders (parents before children) and synonyms of categories.
    #[must_use]
    pub fn about(self, feeds: Vec<FeedTexts>, folders: &[FolderRow], synonyms: Synonyms) -> Self {
        Self {
            synonyms: Arc::new(synonyms),
            feeds: feeds.into_iter().map(|feed| (feed.id, feed)).collect(),
            paths: folder_paths(folders),
            parents: folders.iter().map(|folder| (folder.id, folder.parent_id)).collect(),
            ..self
        }
    }

    /// Returns the rules that apply to a feed.
    pub fn of(&self, feed: i64, now: DateTime<Local>) -> FeedRules {
        let texts = self.feeds.get(&feed).cloned().unwrap_or_default();
        let mut above = HashSet::new();
        let mut folder = texts.folder_id;
        while let Some(id) = folder.filter(|id| above.insert(*id)) {
            folder = self.parents.get(&id).copied().flatten();
        }
        let holds = |rule: &&Arc<Compiled>| match rule.scope {
            RuleScope::Everywhere => true,
            RuleScope::Feed(id) => id == feed,
            RuleScope::Folder(id) => above.contains(&id),
        };
        let path = texts.folder_id.and_then(|id| self.paths.get(&id).cloned()).unwrap_or_default();
        FeedRules {
            rules: self.rules.iter().filter(holds).cloned().collect(),
            feed: texts,
            path,
            synonyms: self.synonyms.clone(),
            now,
            old: false,
            url: None,
        }
    }
}

/// Converts a moment to the user's time zone, since queries refer to days.
pub fn local(now: Millis) -> DateTime<Local> {
    DateTime::from_timestamp_millis(now).map(|now| now.with_timezone(&Local)).unwrap_or_default()
}

/// The rules that apply to one feed.
#[derive(Debug, Clone, Default)]
pub struct FeedRules {
    rules: Vec<Arc<Compiled>>,
    feed: FeedTexts,
    path: String,
    synonyms: Arc<Synonyms>,
    now: DateTime<Local>,
    old: bool,
    url: Option<Url>,
}

impl FeedRules {
    /// Sets the feed's address.
    #[must_use]
    pub fn at(self, url: Option<Url>) -> Self {
        Self { url, ..self }
    }

    /// Returns the feed's address.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// Makes articles old: they are stored as read.
    #[must_use]
    pub fn of_old(self) -> Self {
        Self { old: true, ..self }
    }

    /// Whether articles are old, and stored as read.
    pub fn are_of_old(&self) -> bool {
        self.old
    }

    /// Whether no rule applies.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Uses the document's data about its feed.
    pub fn learn(&mut self, facts: &FeedFacts) {
        let FeedTexts { title, home_url, language, .. } = &mut self.feed;
        for (known, said) in [(title, &facts.title), (home_url, &facts.home_url), (language, &facts.language)] {
            if said.as_ref().is_some_and(|said| !said.is_empty()) {
                known.clone_from(said);
            }
        }
    }

    /// Returns the actions for a new article; `text` is its plain text. Each action is attributed to the first rule that has it.
    pub fn decide(&self, item: &NewItem, text: &str) -> Vec<Ruled> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let title = self.feed.shown_title();
        let addresses: Vec<&str> =
            std::iter::once(self.feed.url.as_str()).chain(self.feed.home_url.as_deref()).collect();
        let article = Article {
            title: &item.title,
            author: item.author.as_deref().unwrap_or_default(),
            text,
            tags: &item.categories,
            about: self.synonyms.all_of(&item.categories),
            url: item.url.as_deref().unwrap_or_default(),
            feed_title: &title,
            feed_addresses: &addresses,
            folder: &self.path,
            language: item.language.as_deref().or(self.feed.language.as_deref()),
            date: item.sort_at,
            words: u32::try_from(item.word_count).unwrap_or(0),
            read: item.read,
            media: item.carries(),
            ..Article::default()
        };
        let mut subject = Subject::of(&article);
        let mut done: HashSet<Action> = HashSet::new();
        let mut ruled = Vec::new();
        for rule in &self.rules {
            if subject.hidden && !rule.query.asks_for_hidden() || !rule.query.matches(&subject, &self.now) {
                continue;
            }
            let nothing_to_do = |action: &Action| match action {
                // An old article is not news.
                Action::Read => item.read,
                // A saved search does not notify either if a rule has marked the article as read.
                Action::Notify => item.read || rule.id < 0 && subject.read,
                Action::FullText => item.url.is_none(),
                _ => false,
            };
            let did: Vec<Action> = rule
                .actions
                .iter()
                .filter(|action| !nothing_to_do(action) && done.insert(normalized(action)))
                .cloned()
                .collect();
            for action in &did {
                match action {
                    Action::Read => subject.read = true,
                    Action::Star => subject.starred = true,
                    Action::Hide => subject.hidden = true,
                    Action::Keep => subject.kept = true,
                    Action::Tag(name) => subject.tag(name),
                    Action::Notify | Action::FullText => {}
                }
            }
            if !did.is_empty() {
                ruled.push(Ruled { rule: rule.id, did });
            }
        }
        ruled
    }
}

/// Normalises tag names, so that one tag has one action.
fn normalized(action: &Action) -> Action {
    match action {
        Action::Tag(name) => Action::Tag(gleaner_library::tag_key(name)),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rule(id: i64, query: &str, scope: RuleScope, actions: &[Action]) -> Rule {
        let (name, actions) = (query.to_owned(), actions.to_vec());
        Rule { id, name, query: query.to_owned(), scope, actions, enabled: true, touched: 0, broken: None }
    }

    /// Applies rules to an article about wheat of feed 7 in folder 2, which is in folder 1.
    fn decided(rules: &[Rule]) -> Vec<(i64, String)> {
        let folder =
            |id, parent_id, name: &str| FolderRow { id, parent_id, name: name.to_owned(), open: true, position: id };
        let feed = FeedTexts {
            id: 7,
            url: "https://farm.example/feed".to_owned(),
            folder_id: Some(2),
            ..FeedTexts::default()
        };
        let rules = Rules::compile(rules).about(
            vec![feed],
            &[folder(1, None, "Outer"), folder(2, Some(1), "Inner")],
            Synonyms::default(),
        );
        let mut here = rules.of(7, Local::now());
        here.learn(&FeedFacts {
            title: Some("The Farm".to_owned()),
            language: Some("en".to_owned()),
            ..FeedFacts::default()
        });
        let item = NewItem {
            title: "Wheat".to_owned(),
            url: Some("https://farm.example/wheat".to_owned()),
            categories: vec!["Grain".to_owned()],
            ..NewItem::default()
        };
        let did = here
            .decide(&item, "It grows.")
            .into_iter()
            .flat_map(|ruled| ruled.did.into_iter().map(move |action| (ruled.rule, action.to_string())));
        did.collect()
    }

    fn by(did: &[(i64, &str)]) -> Vec<(i64, String)> {
        did.iter().map(|(rule, action)| (*rule, (*action).to_owned())).collect()
    }

    #[test]
    fn matches_title_text_tags_feed_folder_and_language() {
        for query in
            ["title:wheat", "grows", "tag:grain", "feed:farm", "feed:farm.example", "folder:outer/inner", "lang:en", ""]
        {
            let star = [Action::Star];
            assert_eq!(decided(&[rule(1, query, RuleScope::Everywhere, &star)]), by(&[(1, "star")]), "{query}");
        }
        assert_eq!(decided(&[rule(1, "rye", RuleScope::Everywhere, &[Action::Star])]), by(&[]));
    }

    #[test]
    fn applies_a_rule_in_its_scope_only() {
        for (scope, holds) in [
            (RuleScope::Feed(7), true),
            (RuleScope::Feed(8), false),
            (RuleScope::Folder(2), true),
            (RuleScope::Folder(1), true),
            (RuleScope::Folder(3), false),
        ] {
            assert_eq!(decided(&[rule(1, "", scope, &[Action::Hide])]).len(), usize::from(holds), "{scope:?}");
        }
    }

    #[test]
    fn shows_each_rule_the_effects_of_those_above() {
        let all = RuleScope::Everywhere;
        let tag = |name: &str| Action::Tag(name.to_owned());
        let rules = [
            rule(1, "wheat", all, &[tag("To read"), Action::Read]),
            rule(2, "is:unread", all, &[Action::Star]),
            rule(3, "tag:\"to read\" is:tagged", all, &[tag("TO  READ"), tag("later"), Action::Read]),
            rule(4, "", all, &[Action::Hide]),
            rule(5, "wheat", all, &[Action::Keep]),
            rule(6, "is:hidden", all, &[Action::Notify]),
        ];
        assert_eq!(
            decided(&rules),
            by(&[(1, "tag:To read"), (1, "read"), (3, "tag:later"), (4, "hide"), (6, "notify")])
        );
    }

    #[test]
    fn ignores_disabled_and_broken_rules() {
        let mut rules = [
            rule(1, "", RuleScope::Everywhere, &[Action::Star]),
            rule(2, "is:", RuleScope::Everywhere, &[Action::Star]),
            rule(3, "", RuleScope::Everywhere, &[Action::Star]),
        ];
        rules[0].enabled = false;
        rules[2].broken = Some("why".to_owned());
        assert!(Rules::compile(&rules).is_empty());
        assert_eq!(decided(&rules), by(&[]));
    }

    #[test]
    fn saved_searches_notify_below_all_rules() {
        let search =
            |id, query: &str, notify| SavedSearch { id, name: id.to_string(), query: query.to_owned(), notify };
        let searches = [search(1, "boats", true), search(2, "boats", false), search(3, "is:", true)];
        let item = NewItem { title: "Boats".to_owned(), ..NewItem::default() };
        let ruled =
            |rules: &[Rule]| Rules::compile(rules).and_notify_of(&searches).of(1, Local::now()).decide(&item, "");
        assert_eq!(ruled(&[]), [Ruled { rule: -1, did: vec![Action::Notify] }]);
        let read = rule(1, "boats", RuleScope::Everywhere, &[Action::Read]);
        assert_eq!(ruled(&[read]), [Ruled { rule: 1, did: vec![Action::Read] }]);
    }

    #[test]
    fn does_not_mark_or_notify_old_articles() {
        let rules = [rule(1, "is:read", RuleScope::Everywhere, &[Action::Read, Action::Notify, Action::Keep])];
        let here = Rules::compile(&rules).of(1, Local::now());
        let item = NewItem { read: true, ..NewItem::default() };
        assert_eq!(here.decide(&item, ""), [Ruled { rule: 1, did: vec![Action::Keep] }]);
    }
}
