//! Sends what changed here: subscriptions, then marks.

use super::{Delayed, MAX_MARKED, Run, Stage};
use crate::{Changed, Ids, List, SyncError};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, PendingMark, RemoteMark};
use gleaner_polling::secrets;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::{Duration, Instant},
};
use url::Url;

/// A request with marks that takes longer than this is followed by smaller ones.
const SLOW: Duration = Duration::from_millis(2500);
/// Maximum number of marks that are read from the outbox at once.
const MAX_BATCH: i64 = 5000;

/// Maximum number of failed requests with marks in one synchronisation. After that, the articles that cause failures are no longer searched
/// for.
const MAX_FAILURES: usize = 24;
/// Number of single articles that must fail, before any is accepted, for the fault to be the server's and not theirs.
const HOPELESS: usize = 2;

/// Marks that are sent in several spellings, and how many of these the server has not accepted yet.
type Respelled = HashMap<RemoteMark, usize>;

/// Marks that the server did not accept.
pub(super) struct MarkFaults {
    /// Number of failures that may still follow.
    left: usize,
    /// Labels that it refused or failed at, and that are not sent again this time.
    labels: HashSet<MarkKind>,
    /// Marks that were sent alone.
    tried: HashSet<(String, MarkKind)>,
}

impl Default for MarkFaults {
    fn default() -> Self {
        Self { left: MAX_FAILURES, labels: HashSet::new(), tried: HashSet::new() }
    }
}

impl Run<'_> {
    /// Sends the changes of subscriptions. Before those of known feeds, the subscriptions are read: the server may no longer have the feed,
    /// or have another one under its id. Returns whether they were read and no change was sent since.
    pub(super) async fn send_feed_changes(&mut self) -> Result<bool, SyncError> {
        let store = self.library.sync();
        // Later changes of a feed wait for an earlier one.
        let mut delayed: HashSet<i64> = HashSet::new();
        let mut changes = store.pending_feed_changes(self.account.id).await?;
        let mut are_read = false;
        if changes.iter().any(is_of_known_feed) {
            match self.read_feeds().await {
                Ok(waiting) => {
                    are_read = true;
                    changes = store.pending_feed_changes(self.account.id).await?;
                    delayed.extend(changes.iter().filter(|change| waiting.contains(&change.seq)).map(|one| one.feed));
                }
                // Marks are sent all the same, and then the subscriptions are read again.
                Err(error) if error.is_about_request() => {
                    tracing::info!(%error, "subscriptions cannot be read before they are changed");
                    delayed.extend(changes.iter().filter(|change| is_of_known_feed(change)).map(|change| change.feed));
                }
                Err(error) => return Err(error),
            }
            for feed in &delayed {
                let title = store.feed_title(*feed).await.unwrap_or_default();
                self.delayed(title, false);
            }
        }
        for change in changes {
            self.check()?;
            // The feed was subscribed to and unsubscribed before the server was informed, or the change is of a feed that it does not have
            // yet.
            if change.remote_id.is_none() && !matches!(change.kind, FeedChangeKind::Subscribe { .. }) {
                store.feed_change_sent(self.account.id, &change, None).await?;
                continue;
            }
            if delayed.contains(&change.feed) {
                continue;
            }
            store.feed_change_sending(&change).await?;
            let with_login = match self.with_login(&change).await {
                Err(SyncError::Secret(error)) => {
                    tracing::info!(%error, "the password of a feed cannot be read");
                    delayed.insert(change.feed);
                    self.report.delayed.push(Delayed { title: self.title(&change).await, refused: false });
                    continue;
                }
                change => change?,
            };
            let answer = self.server.change(&with_login).await;
            are_read &= matches!(answer, Err(SyncError::ChangesWait(_)));
            match answer {
                Ok(Changed::Done(remote_id)) => {
                    self.report.changes_sent += 1;
                    let merged = store.feed_change_sent(self.account.id, &change, remote_id.as_deref()).await?;
                    self.report.merged.extend(merged.map(|into| (change.feed, into)));
                }
                // The server keeps the feed; here it stays unsubscribed.
                Ok(answer)
                    if change.kind == FeedChangeKind::Leave
                        && (answer == Changed::Unsupported || answer == Changed::Refused && change.refused) =>
                {
                    self.report.kept.push(self.title(&change).await);
                    store.feed_stays_at_server(self.account.id, &change).await?;
                }
                Ok(Changed::Unsupported) => {
                    self.report.unsupported.push(self.title(&change).await);
                    store.feed_change_refused(&change).await?;
                }
                Ok(Changed::Refused) if change.refused => {
                    self.report.refused.push(self.title(&change).await);
                    store.feed_change_refused(&change).await?;
                }
                Ok(Changed::Refused) => {
                    store.feed_change_refused_once(&change).await?;
                    delayed.insert(change.feed);
                    self.report.delayed.push(Delayed { title: self.title(&change).await, refused: true });
                }
                Err(SyncError::ChangesWait(wait)) => {
                    self.report.changes_wait = Some(wait);
                    return Ok(are_read);
                }
                Err(error) if error.is_about_request() => {
                    delayed.insert(change.feed);
                    self.report.delayed.push(Delayed { title: self.title(&change).await, refused: false });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(are_read)
    }

    /// Returns what the user calls the feed of a change.
    async fn title(&self, change: &FeedChange) -> String {
        match &change.kind {
            FeedChangeKind::Subscribe { url, .. } => url.clone(),
            _ => self.library.sync().feed_title(change.feed).await.unwrap_or_default(),
        }
    }

    /// Sends the marks, each kind in its own requests, which grow while the server is fast. Marks that the server did not accept before
    /// come last.
    pub(super) async fn send_marks(&mut self) -> Result<(), SyncError> {
        let store = self.library.sync();
        let mut at_once = self.abilities.first_marks.min(self.abilities.marks);
        let (mut after, mut again): (Option<PendingMark>, Vec<PendingMark>) = Default::default();
        loop {
            let pending = store.pending_marks(self.account.id, after.as_ref(), MAX_BATCH).await?;
            let Some(last) = pending.last() else { break };
            after = Some(last.clone());
            let (refused, first): (Vec<_>, Vec<_>) = pending.into_iter().partition(|mark| mark.refused);
            again.extend(refused);
            if !self.send_groups(first, &mut at_once).await? {
                return Ok(());
            }
        }
        // From the other end: the server may not accept the first ones.
        again.reverse();
        self.send_groups(again, &mut at_once).await.map(drop)
    }

    /// Returns whether the server accepts more changes.
    async fn send_groups(&mut self, pending: Vec<PendingMark>, at_once: &mut usize) -> Result<bool, SyncError> {
        if pending.is_empty() {
            return Ok(true);
        }
        let spelling = self.label_spelling().await?;
        let mut groups: BTreeMap<(MarkKind, bool), Vec<PendingMark>> = BTreeMap::new();
        let mut respelled = Respelled::new();
        for mark in pending {
            let remote = (mark.remote_id.clone(), mark.kind.clone());
            if !self.faults.tried.contains(&remote) {
                let kinds = spelling(&mark);
                if kinds.len() > 1 {
                    respelled.insert(remote, kinds.len());
                }
                for kind in kinds {
                    groups.entry((kind, mark.on)).or_default().push(mark.clone());
                }
            }
        }
        for ((kind, on), marks) in groups {
            let is_label = matches!(kind, MarkKind::Label(_));
            if is_label && (self.faults.left == 0 || self.faults.labels.contains(&kind)) {
                continue;
            }
            if !self.send_group(&kind, on, &marks, &mut respelled, at_once).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sends marks of one kind. If the server does not accept them, halves of them are sent, down to single articles, so that only their
    /// marks wait. Returns whether the server accepts more changes.
    async fn send_group(
        &mut self,
        kind: &MarkKind,
        on: bool,
        marks: &[PendingMark],
        respelled: &mut Respelled,
        at_once: &mut usize,
    ) -> Result<bool, SyncError> {
        let store = self.library.sync();
        let (mut parts, mut accepted, mut failed) = (vec![marks], false, 0);
        let mut list = None;
        while let Some(part) = parts.pop() {
            self.check()?;
            let (chunk, later) = part.split_at((*at_once).min(part.len()));
            if !later.is_empty() {
                parts.push(later);
            }
            if list.is_none() {
                list = Some(self.marked(kind, on, marks).await?);
            }
            store.marks_sending(self.account.id, chunk).await?;
            let ids = lacking(list.as_ref().and_then(Option::as_ref), kind, on, chunk);
            let began = Instant::now();
            let sent = if ids.is_empty() { Ok(()) } else { self.server.mark(&ids, kind, on).await };
            let error = match sent {
                Ok(()) => {
                    if on {
                        ids.into_iter().for_each(|id| self.sent.add(id, kind.clone()));
                    }
                    let whole: Vec<PendingMark> =
                        chunk.iter().filter(|mark| is_last_spelling(respelled, mark)).cloned().collect();
                    store.marks_sent(self.account.id, &whole).await?;
                    self.report.sent += whole.len();
                    self.report_progress(Stage::Send, self.report.sent, None);
                    *at_once = next_size(*at_once, self.abilities.marks, began.elapsed());
                    accepted = true;
                    continue;
                }
                Err(SyncError::ChangesWait(wait)) => {
                    self.report.changes_wait = Some(wait);
                    return Ok(false);
                }
                Err(error) if error.may_be_one_article() => error,
                // A label that takes too long must not delay reading, so no other one is tried in this synchronisation.
                Err(error) if matches!(kind, MarkKind::Label(_)) && error.is_about_request() => {
                    self.faults.left = 0;
                    error
                }
                Err(error) => return Err(error),
            };
            tracing::info!(%error, marks = chunk.len(), "the server does not accept marks");
            // It may have set them.
            list = None;
            self.looked.clear();
            self.faults.left = self.faults.left.saturating_sub(1);
            failed += usize::from(chunk.len() == 1);
            let is_about_label = matches!(error, SyncError::LabelRefused);
            let hopeless = is_about_label || self.faults.left == 0 || !accepted && failed >= HOPELESS;
            if !hopeless && chunk.len() > 1 {
                let (first, second) = chunk.split_at(chunk.len() / 2);
                parts.extend([second, first]);
                continue;
            }
            let rest: Vec<PendingMark> = match hopeless {
                true => std::iter::once(chunk).chain(parts.drain(..).rev()).flatten().cloned().collect(),
                false => chunk.to_vec(),
            };
            self.not_accepted(kind, chunk, rest, &error, hopeless).await?;
        }
        Ok(true)
    }

    /// Returns the server's list of a mark, if marking an article a second time may remove the mark; `None` if that does no harm, or if the
    /// list is not complete.
    async fn marked(
        &mut self,
        kind: &MarkKind,
        on: bool,
        marks: &[PendingMark],
    ) -> Result<Option<HashSet<String>>, SyncError> {
        let list = match kind {
            MarkKind::Read => List::Unread,
            MarkKind::Starred => List::Starred,
            MarkKind::Label(_) => return Ok(None),
        };
        if !marks.iter().any(|mark| self.server.may_toggle(kind, on, &mark.remote_id)) {
            return Ok(None);
        }
        if let Some(marked) = self.looked_at(kind, marks) {
            return Ok(Some(marked));
        }
        let Ids { ids, whole } = self.server.ids(&list, MAX_MARKED).await?;
        Ok(whole.then(|| ids.into_iter().collect()))
    }

    /// Records marks that the server did not accept: those of one article, or if it is `hopeless`, all that remain of a kind.
    async fn not_accepted(
        &mut self,
        kind: &MarkKind,
        chunk: &[PendingMark],
        rest: Vec<PendingMark>,
        error: &SyncError,
        hopeless: bool,
    ) -> Result<(), SyncError> {
        if let [mark] = chunk {
            self.faults.tried.insert((mark.remote_id.clone(), mark.kind.clone()));
        }
        if let MarkKind::Label(label) = kind {
            if hopeless {
                self.faults.labels.insert(kind.clone());
            }
            if error.is_refusal() {
                return self.label_refused(label, &rest).await;
            }
            self.delayed(label.clone(), false);
            return Ok(());
        }
        if let [mark] = chunk {
            // It is sent again, after the others.
            self.library.sync().marks_refused_once(self.account.id, chunk).await?;
            let title = self.library.sync().article_title(self.account.id, &mark.remote_id).await?;
            self.delayed(title, error.is_refusal());
        }
        Ok(())
    }

    fn delayed(&mut self, title: String, refused: bool) {
        let delayed = Delayed { title, refused };
        if !self.report.delayed.contains(&delayed) {
            self.report.delayed.push(delayed);
        }
    }

    /// Returns a change in the form that is sent: a subscription to an address with a login includes the login.
    async fn with_login(&self, change: &FeedChange) -> Result<FeedChange, SyncError> {
        let mut change = change.clone();
        if let FeedChangeKind::Subscribe { url, .. } = &mut change.kind
            && !change.moved
            && let Some(access) = self.library.connections().list().await?.get(&change.feed)
            && access.auth == Some(gleaner_library::Auth::Basic)
            && let Ok(mut with) = Url::parse(url)
            && gleaner_polling::access::is_home(&with, access)
            && let Some(password) = secrets::read(access).await?
            && with.set_username(access.user_name.as_deref().unwrap_or_default()).is_ok()
            && with.set_password(Some(&password)).is_ok()
        {
            *url = with.into();
        }
        Ok(change)
    }

    /// Abandons marks with a label that the server also refused before; the tags stay here. The others are sent again the next time.
    async fn label_refused(&mut self, label: &str, marks: &[PendingMark]) -> Result<(), SyncError> {
        let (again, first): (Vec<_>, Vec<_>) = marks.iter().cloned().partition(|mark| mark.refused);
        if !again.is_empty() {
            self.library.sync().marks_refused(self.account.id, &again).await?;
            self.report.refused.push(label.to_owned());
        }
        if !first.is_empty() {
            self.library.sync().marks_refused_once(self.account.id, &first).await?;
            self.delayed(label.to_owned(), true);
        }
        Ok(())
    }

    /// Returns how the label of a mark is spelled on the server: the tags here may differ in case, and a server may have labels that differ
    /// only in case. A label is removed in each spelling that the article has.
    async fn label_spelling(&self) -> Result<impl Fn(&PendingMark) -> Vec<MarkKind> + use<>, SyncError> {
        let mut labels: HashMap<String, Vec<(String, HashSet<String>)>> = HashMap::new();
        for (label, ids) in self.library.sync().labels(self.account.id).await? {
            labels.entry(gleaner_library::tag_key(&label)).or_default().push((label, ids));
        }
        Ok(move |mark: &PendingMark| {
            let MarkKind::Label(name) = &mark.kind else { return vec![mark.kind.clone()] };
            let there = labels.get(&gleaner_library::tag_key(name)).map(Vec::as_slice).unwrap_or_default();
            let of_article = there.iter().filter(|(_, ids)| ids.contains(&mark.remote_id));
            let mut spellings: Vec<&String> = of_article.map(|(label, _)| label).collect();
            if spellings.is_empty() {
                spellings.push(there.last().map_or(name, |(label, _)| label));
            }
            let wanted = if mark.on { 1 } else { spellings.len() };
            spellings.into_iter().take(wanted).cloned().map(MarkKind::Label).collect()
        })
    }
}

/// Whether a change is of a feed that the server had.
fn is_of_known_feed(change: &FeedChange) -> bool {
    change.remote_id.is_some() && !matches!(change.kind, FeedChangeKind::Subscribe { .. })
}

/// Whether the server has now accepted a mark in each of its spellings. Until then the mark stays in the outbox.
fn is_last_spelling(respelled: &mut Respelled, mark: &PendingMark) -> bool {
    let left = respelled.get_mut(&(mark.remote_id.clone(), mark.kind.clone()));
    left.is_none_or(|left| {
        *left -= 1;
        *left == 0
    })
}

/// Returns the articles that are not marked like this on the server, by its list of unread or starred articles; all of them without a list.
fn lacking(list: Option<&HashSet<String>>, kind: &MarkKind, on: bool, marks: &[PendingMark]) -> Vec<String> {
    let is_marked = |list: &HashSet<String>, id: &String| list.contains(id) != (*kind == MarkKind::Read);
    let ids = marks.iter().map(|mark| &mark.remote_id);
    ids.filter(|id| list.is_none_or(|list| is_marked(list, id) != on)).cloned().collect()
}

/// Returns the number of marks of the next request.
fn next_size(at_once: usize, most: usize, took: Duration) -> usize {
    match took {
        took if took > SLOW => (at_once / 2).max(1),
        took if took < SLOW / 4 => (at_once * 2).min(most),
        _ => at_once,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_with_marks_grow_while_the_server_is_fast() {
        let (fast, medium, slow) = (Duration::from_millis(100), Duration::from_secs(1), Duration::from_secs(4));
        assert_eq!([next_size(100, 1000, fast), next_size(800, 1000, fast)], [200, 1000]);
        assert_eq!([next_size(400, 1000, medium), next_size(400, 1000, slow), next_size(1, 1000, slow)], [400, 200, 1]);
    }
}
