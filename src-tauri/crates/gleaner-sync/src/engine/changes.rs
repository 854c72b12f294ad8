//! Reads new and changed articles since the last position, from a server that lists changes.

use super::{MAX_DOWNLOADS, Run, Stage, arrivals::there, is_mass};
use crate::{
    Changes, RemoteArticle, SyncError,
    decide::{by_contents, returns},
};
use gleaner_feed::Item;
use gleaner_library::KnownArticle;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The progress of reading changes.
struct Reading {
    /// Feeds of the account, by their ids on the server.
    feeds: HashMap<String, i64>,
    labelled: BTreeMap<String, HashSet<String>>,
    known: HashMap<String, KnownArticle>,
    /// The server does not say which known articles are gone, so all count as listed, and no new article is recognised as one of them.
    listed: Vec<String>,
    /// Known articles that changed, each as it was read last.
    changed: HashMap<String, RemoteArticle>,
    position: Option<String>,
    stored_position: Option<String>,
    /// Whether only the lists show which marks changed.
    compare: bool,
    /// Whether the server was installed again.
    has_new_ids: bool,
}

impl Run<'_> {
    /// Reads new and changed articles since the last synchronisation, and stores each response with its position, so that it resumes after
    /// a kill. Returns whether the lists also have to be compared.
    pub(super) async fn read_changes(&mut self, known: &HashMap<String, KnownArticle>) -> Result<bool, SyncError> {
        let store = self.library.sync();
        let before = store.position(self.account.id).await?;
        let history = usize::try_from(self.account.history).unwrap_or(0);
        let mut reading = Reading {
            feeds: store.feeds(self.account.id).await?,
            labelled: store.labels(self.account.id).await?,
            known: known.clone(),
            listed: known.keys().cloned().collect(),
            changed: HashMap::new(),
            position: before.position.clone().filter(|_| !self.account.extend_history),
            stored_position: before.position,
            compare: self.has_other_ids,
            has_new_ids: false,
        };
        let mut more = true;
        for _ in 0..MAX_DOWNLOADS {
            self.check()?;
            let changes = self.server.changes(reading.position.as_deref(), history).await?;
            more = self.store_changes(&mut reading, changes).await?;
            if !more {
                break;
            }
        }
        let Reading { feeds, labelled, known, listed, changed, position, stored_position, compare, .. } = reading;
        self.apply_changes(&known, &labelled, changed).await?;
        if let Some(position) = position.filter(|position| stored_position.as_ref() != Some(position)) {
            store.set_position(self.account.id, &position).await?;
        }
        if more {
            // The next synchronisation continues from the position.
            tracing::warn!("a server has more changes than are read at once");
            self.report.incomplete = true;
            return Ok(false);
        }
        self.download_awaited(&feeds, &listed).await?;
        let due =
            before.listed_at.is_none_or(|at| !(0..=self.abilities.lists_every).contains(&(self.library.now() - at)));
        self.lists_due = due;
        if before.listed_at.is_none() && !compare {
            // All articles were read.
            store.set_listed(self.account.id).await?;
            return Ok(false);
        }
        Ok(compare || due)
    }

    /// Stores the new articles of a response, remembers the changed ones, and moves on. Returns whether there is more to read.
    async fn store_changes(&mut self, reading: &mut Reading, mut changes: Changes) -> Result<bool, SyncError> {
        reading.compare |= changes.lists;
        changes.earlier.retain(|article| reading.known.contains_key(&article.item.id));
        self.recognise(reading, &mut changes).await?;
        let Changes { articles, earlier, next, more, .. } = changes;
        let is_back = |article: &&RemoteArticle| {
            reading.known.get(&article.item.id).is_some_and(|before| returns(before, article))
        };
        let back: Vec<String> = articles.iter().filter(is_back).map(|article| article.item.id.clone()).collect();
        for id in self.bring_back(&back).await? {
            reading.known.remove(&id);
        }
        let new = reading.sort(articles.into_iter().chain(earlier), self.account.labels);
        if !new.is_empty() {
            for article in &new {
                let (id, read, starred) = (article.item.id.clone(), article.read, article.starred);
                reading.known.insert(id.clone(), KnownArticle { item: None, read, starred, gone: false });
                reading.listed.push(id);
            }
            self.store(new, &reading.feeds, &reading.listed).await?;
            self.report_progress(Stage::Articles, self.report.new, None);
        }
        // Changes are applied as one step, at the end; until then they would be missed after a kill.
        if reading.changed.is_empty() && reading.stored_position.as_deref() != Some(&next) {
            self.library.sync().set_position(self.account.id, &next).await?;
            reading.stored_position = Some(next.clone());
        }
        // A server that repeats itself has no more.
        let stays = reading.position.as_deref() == Some(&next);
        reading.position = Some(next);
        Ok(more && !stays)
    }

    /// Finds known articles whose ids the server has given to others, and whether it was installed again.
    async fn recognise(&mut self, reading: &mut Reading, changes: &mut Changes) -> Result<(), SyncError> {
        let store = self.library.sync();
        let mut others = self.separate(&reading.known, &changes.articles).await?;
        if let Some(latest) = changes.latest.take() {
            let other = self.separate(&reading.known, std::slice::from_ref(&latest)).await?;
            if !other.is_empty() {
                others.extend(other);
                changes.articles.push(latest);
            }
        }
        if changes.renumbered || reading.has_new_ids {
            reading.known.retain(|id, _| !others.contains(id));
        } else if !others.is_empty() {
            // Other known articles may have lost their ids, too.
            reading.compare |= self.compare_latest().await?;
            reading.known = store.known(self.account.id).await?;
            reading.listed = there(&reading.known).map(str::to_owned).collect();
        }
        if let Some(position) = changes.next_if_known.take() {
            let same = changes.articles.iter().filter(|article| reading.known.contains_key(&article.item.id)).count();
            if same * 2 > changes.articles.len() {
                (changes.next, changes.renumbered) = (position, false);
            }
        }
        if changes.renumbered && !reading.has_new_ids {
            (reading.has_new_ids, reading.listed) = (true, std::mem::take(&mut changes.read));
            // Once some are stored, most of the first articles are known under their ids, which looks like the same installation.
            if let Some(begin) = changes.begin.take() {
                store.set_position(self.account.id, &begin).await?;
                reading.stored_position = Some(begin);
            }
        }
        if changes.renumbered {
            // Those that are known already were read before a kill.
            reading.listed.extend(changes.articles.iter().map(|article| article.item.id.clone()));
        }
        Ok(())
    }

    async fn apply_changes(
        &mut self,
        known: &HashMap<String, KnownArticle>,
        labelled: &BTreeMap<String, HashSet<String>>,
        changed: HashMap<String, RemoteArticle>,
    ) -> Result<(), SyncError> {
        if changed.is_empty() {
            return Ok(());
        }
        let mut ids: Vec<String> = changed.keys().cloned().collect();
        ids.sort_unstable();
        let articles: Vec<RemoteArticle> = changed.into_values().collect();
        let mut flips = by_contents(known, labelled, &articles, self.account.labels);
        if is_mass(&flips, known.len()) {
            let mut again = Vec::new();
            for chunk in ids.chunks(self.abilities.articles) {
                let articles = self.articles(chunk).await?.articles;
                again.extend(by_contents(known, labelled, &articles, self.account.labels));
            }
            flips.retain(|flip| again.contains(flip));
        }
        flips.sort_unstable_by(|one, other| one.remote_id.cmp(&other.remote_id));
        let back: Vec<String> = ids.into_iter().filter(|id| known.get(id).is_some_and(|known| known.gone)).collect();
        self.apply(&flips, &back).await
    }

    /// Downloads articles of feeds that were not subscribed when they were downloaded before.
    async fn download_awaited(&mut self, feeds: &HashMap<String, i64>, listed: &[String]) -> Result<(), SyncError> {
        let awaited = self.library.sync().awaited(self.account.id).await?;
        for chunk in awaited.chunks(self.abilities.articles) {
            let requested = self.articles(chunk).await?;
            self.store(requested.articles, feeds, listed).await?;
            self.skip(&requested.too_large).await?;
        }
        Ok(())
    }
}

impl Reading {
    /// Remembers the known articles that changed, without their texts. Returns the others.
    fn sort(&mut self, articles: impl Iterator<Item = RemoteArticle>, labels: bool) -> Vec<RemoteArticle> {
        let mut new = Vec::new();
        for article in articles {
            let id = &article.item.id;
            let Some(before) = self.known.get(id) else {
                new.push(article);
                continue;
            };
            let same = by_contents(&self.known, &self.labelled, std::slice::from_ref(&article), labels).is_empty();
            if !same || before.gone || self.changed.contains_key(id) {
                let item = Item { id: id.clone(), ..Item::default() };
                self.changed.insert(id.clone(), RemoteArticle { item, ..article });
            }
        }
        new
    }
}
