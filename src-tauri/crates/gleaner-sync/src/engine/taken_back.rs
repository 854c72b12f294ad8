//! Takes back marks that went to other articles. A server that was restored from a backup since the last synchronisation may have given the
//! ids of its latest articles to others before marks were sent. What is read in the same synchronisation shows that.

use super::Run;
use crate::{RemoteArticle, SyncError};
use gleaner_library::MarkKind;
use std::collections::{BTreeMap, HashMap};

/// Marks of articles, by their ids.
type Marks = HashMap<String, Vec<MarkKind>>;

/// The marks that were set in this synchronisation.
#[derive(Default)]
pub(super) struct SentMarks {
    set: Marks,
    taken_back: Marks,
}

impl SentMarks {
    /// Records that the server has set a mark.
    pub(super) fn add(&mut self, id: String, kind: MarkKind) {
        self.set.entry(id).or_default().push(kind);
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
    /// Takes back the marks of ids that turned out to be those of other articles. If another device had set the same mark on such an
    /// article, that is taken back, too: the server does not say who set it.
    pub(super) async fn take_back(&mut self, others: &[String]) -> Result<(), SyncError> {
        let mut wrong: BTreeMap<MarkKind, Vec<String>> = BTreeMap::new();
        for id in others {
            for kind in self.sent.set.remove(id).unwrap_or_default() {
                self.sent.taken_back.entry(id.clone()).or_default().push(kind.clone());
                wrong.entry(kind).or_default().push(id.clone());
            }
        }
        for (kind, ids) in wrong {
            for chunk in ids.chunks(self.abilities.marks) {
                self.server.mark(chunk, &kind, false).await?;
            }
        }
        Ok(())
    }
}
