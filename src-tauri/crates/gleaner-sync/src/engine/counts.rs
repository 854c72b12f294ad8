//! Finds the changed marks on a server that counts its marked articles: those that explain why its numbers differ from those of the known
//! articles. A mark changes only if the article itself shows it, so that an incomplete list removes none.

use super::{Run, contents::Requested, is_mass};
use crate::{
    Counted, CountedList, Counts, RemoteArticle, SyncError,
    decide::{by_contents, returns},
};
use gleaner_library::{Flip, KnownArticle, MarkKind};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The articles that are known, and the marks that were found to differ.
struct Compared {
    known: HashMap<String, KnownArticle>,
    labelled: BTreeMap<String, HashSet<String>>,
    /// Ids of the feeds on the server, by the ids of the articles.
    feeds: HashMap<String, String>,
    flips: Vec<Flip>,
    /// Articles that were missing on the server and exist there again.
    back: Vec<String>,
}

impl Compared {
    fn counts(&self) -> Counts {
        count(&self.known, &self.feeds)
    }

    /// Records the marks that these articles show.
    fn add(&mut self, articles: &[RemoteArticle], labels: bool) {
        let flips = by_contents(&self.known, &self.labelled, articles, labels);
        for flip in &flips {
            match &flip.kind {
                MarkKind::Label(name) if flip.on => {
                    self.labelled.entry(name.clone()).or_default().insert(flip.remote_id.clone());
                }
                MarkKind::Label(name) => {
                    self.labelled.entry(name.clone()).or_default().remove(&flip.remote_id);
                }
                kind => {
                    if let Some(known) = self.known.get_mut(&flip.remote_id) {
                        *(if *kind == MarkKind::Read { &mut known.read } else { &mut known.starred }) = flip.on;
                    }
                }
            }
        }
        self.flips.extend(flips);
        for article in articles {
            if let Some(known) = self.known.get_mut(&article.item.id).filter(|known| known.gone) {
                known.gone = false;
                self.back.push(article.item.id.clone());
            }
        }
    }

    /// Returns the known articles that were in these lists, and are not among the articles that are in them now.
    fn missing(&self, whole: &[CountedList], articles: &[RemoteArticle]) -> Vec<String> {
        let listed: HashSet<&str> = articles.iter().map(|article| article.item.id.as_str()).collect();
        let was_in = |id: &str, known: &KnownArticle| {
            let is_of = |feed: &String| self.feeds.get(id) == Some(feed);
            whole.iter().any(|list| match list {
                CountedList::Unread(feed) => !known.read && is_of(feed),
                CountedList::Starred(feed) => known.starred && is_of(feed),
                CountedList::Label(name) => self.labelled.get(name).is_some_and(|ids| ids.contains(id)),
            })
        };
        let missing =
            self.known.iter().filter(|(id, known)| !known.gone && !listed.contains(id.as_str()) && was_in(id, known));
        let mut missing: Vec<String> = missing.map(|(id, _)| id.clone()).collect();
        missing.sort_unstable();
        missing
    }
}

/// Counts the marked articles that a server has.
fn count(known: &HashMap<String, KnownArticle>, feeds: &HashMap<String, String>) -> Counts {
    let mut counts = Counts::default();
    for (id, known) in known.iter().filter(|(_, known)| !known.gone) {
        counts.starred += u64::from(known.starred);
        if let Some(feed) = feeds.get(id) {
            let (unread, starred) = counts.feeds.entry(feed.clone()).or_default();
            *unread += u64::from(!known.read);
            *starred += u64::from(known.starred);
        }
    }
    counts
}

impl Run<'_> {
    /// Returns the numbers of marked articles that are known.
    pub(super) async fn counts(&self) -> Result<Counts, SyncError> {
        let store = self.library.sync();
        Ok(count(&store.known(self.account.id).await?, &store.feeds_of_articles(self.account.id).await?))
    }

    /// Looks for the marks that explain the numbers of the server, and applies them as one step. Returns whether they explain the numbers;
    /// if not, nothing was applied, and the lists have to be read.
    pub(super) async fn counts_explain(&mut self, known: &HashMap<String, KnownArticle>) -> Result<bool, SyncError> {
        let store = self.library.sync();
        let mut compared = Compared {
            known: known.clone(),
            labelled: store.labels(self.account.id).await?,
            feeds: store.feeds_of_articles(self.account.id).await?,
            flips: Vec::new(),
            back: Vec::new(),
        };
        loop {
            self.check()?;
            match self.server.compare_counts(&compared.counts()).await? {
                Counted::Same => break,
                Counted::Differ { articles, whole } => self.compare(&mut compared, articles, &whole).await?,
                Counted::Unclear => return Ok(false),
            }
        }
        if is_mass(&compared.flips, known.len()) {
            return Ok(false);
        }
        compared.flips.sort_unstable_by(|one, other| one.remote_id.cmp(&other.remote_id));
        self.apply(&compared.flips, &compared.back).await?;
        if let Some(position) = self.server.listed(&compared.counts())? {
            store.set_position(self.account.id, &position).await?;
        }
        Ok(true)
    }

    async fn compare(
        &mut self,
        compared: &mut Compared,
        articles: Vec<RemoteArticle>,
        whole: &[CountedList],
    ) -> Result<(), SyncError> {
        let labels = self.account.labels;
        for id in self.separate(&compared.known, &articles).await? {
            compared.known.remove(&id);
        }
        let is_back = |article: &&RemoteArticle| {
            compared.known.get(&article.item.id).is_some_and(|before| returns(before, article))
        };
        let back: Vec<String> = articles.iter().filter(is_back).map(|article| article.item.id.clone()).collect();
        for id in self.bring_back(&back).await? {
            compared.known.remove(&id);
        }
        let missing = compared.missing(whole, &articles);
        let (known, new): (Vec<_>, Vec<_>) =
            articles.into_iter().partition(|article| compared.known.contains_key(&article.item.id));
        compared.add(&known, labels);
        for chunk in missing.chunks(self.abilities.articles) {
            let requested = self.articles(chunk).await?;
            compared.add(&requested.articles, labels);
            // Those that can't be read may be there.
            let unread = requested.too_large.iter().chain(&requested.failed);
            let read = requested.articles.iter().map(|article| &article.item.id);
            let there: HashSet<&str> = read.chain(unread).map(String::as_str).collect();
            let gone: Vec<String> = chunk.iter().filter(|id| !there.contains(id.as_str())).cloned().collect();
            for id in &gone {
                compared.known.entry(id.clone()).and_modify(|known| known.gone = true);
            }
            if !gone.is_empty() {
                self.library.sync().set_gone(self.account.id, &gone, true).await?;
            }
        }
        // Older ones are downloaded only if they are marked.
        let is_marked =
            |article: &RemoteArticle| !article.read || article.starred || (labels && !article.labels.is_empty());
        let new: Vec<String> = new.into_iter().filter(is_marked).map(|article| article.item.id).collect();
        self.download_marked(compared, &new).await
    }

    async fn download_marked(&mut self, compared: &mut Compared, new: &[String]) -> Result<(), SyncError> {
        if new.is_empty() {
            return Ok(());
        }
        let feeds = self.library.sync().feeds(self.account.id).await?;
        // The server does not say which known articles are gone, so all count as listed, and no new article is recognised as one of them.
        let listed: Vec<String> = compared.known.keys().chain(new).cloned().collect();
        for chunk in new.chunks(self.abilities.articles) {
            let Requested { articles, too_large, .. } = self.articles(chunk).await?;
            self.skip(&too_large).await?;
            for article in &articles {
                let (id, read, starred) = (article.item.id.clone(), article.read, article.starred);
                for label in &article.labels {
                    compared.labelled.entry(label.clone()).or_default().insert(id.clone());
                }
                compared.feeds.insert(id.clone(), article.feed.clone());
                compared.known.insert(id, KnownArticle { item: None, read, starred, gone: false });
            }
            self.store(articles, &feeds, &listed).await?;
        }
        Ok(())
    }
}
