//! Reverts marks that were sent for other articles. A server that was restored from a backup since the last synchronisation may have given
//! the ids of its latest articles to others before marks were sent. The articles read in the same synchronisation show that.

use super::Run;
use crate::{RemoteArticle, SyncError};
use gleaner_library::{MarkKind, PendingMark, RemoteMark};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Marks of articles, by their ids.
type Marks = HashMap<String, Vec<MarkKind>>;

/// The marks that were set in this synchronisation.
#[derive(Default)]
pub(super) struct SentMarks {
    set: Marks,
    taken_back: Marks,
}

impl SentMarks {
    /// Returns the marks that the server has set on these articles.
    pub(super) fn of(&self, ids: impl Iterator<Item = String>) -> Vec<RemoteMark> {
        let marks = |id: String| {
            let kinds = self.set.get(&id).cloned().unwrap_or_default();
            kinds.into_iter().map(move |kind| (id.clone(), kind))
        };
        ids.flat_map(marks).collect()
    }

    /// Records that the server has set a mark.
    pub(super) fn add(&mut self, id: String, kind: MarkKind) {
        self.set.entry(id).or_default().push(kind);
    }

    /// Whether the server has set a label.
    pub(super) fn has_label(&self, name: &str) -> bool {
        self.set.values().flatten().any(|kind| matches!(kind, MarkKind::Label(label) if label == name))
    }

    /// Removes marks from an article that was read before they were taken back.
    pub(super) fn correct(&self, article: &mut RemoteArticle) {
        for kind in self.taken_back.get(&article.item.id).into_iter().flatten() {
            match kind {
                MarkKind::Read => article.read = false,
                MarkKind::Starred => article.starred = false,
                MarkKind::Label(name) => article.labels.retain(|label| label != name),
            }
        }
    }
}

impl Run<'_> {
    /// Reverts the marks of ids that turned out to belong to other articles. Changes that the server does not accept now wait for the next
    /// synchronisation. If another device had set the same mark on such an article, it is reverted, too: the server does not say who set
    /// it.
    pub(super) async fn take_back(&mut self, others: &[String]) -> Result<(), SyncError> {
        if others.is_empty() {
            return Ok(());
        }
        let store = self.library.sync();
        let ids: HashSet<&String> = others.iter().collect();
        let mut wrong: BTreeMap<MarkKind, Vec<PendingMark>> = BTreeMap::new();
        for mark in store.pending_marks(self.account.id, None, i64::MAX).await? {
            if ids.contains(&mark.remote_id) {
                wrong.entry(mark.kind.clone()).or_default().push(mark);
            }
        }
        for id in others {
            let kinds = self.sent.set.remove(id).unwrap_or_default();
            self.sent.taken_back.entry(id.clone()).or_default().extend(kinds);
        }
        for (kind, marks) in wrong {
            for chunk in marks.chunks(self.abilities.marks) {
                let ids: Vec<String> = chunk.iter().map(|mark| mark.remote_id.clone()).collect();
                match self.server.mark(&ids, &kind, false).await {
                    Err(error) if error.is_about_request() => tracing::info!(%error, "marks cannot be taken back yet"),
                    done => {
                        done?;
                        store.marks_sent(self.account.id, chunk).await?;
                    }
                }
            }
        }
        Ok(())
    }
}
