//! The list that was sorted last, in memory.

use parking_lot::Mutex;
use std::sync::Arc;

/// The ids of the list that was sorted last, in order.
#[derive(Debug, Default)]
pub(crate) struct SortedList(Mutex<Option<(String, Arc<Vec<i64>>)>>);

impl SortedList {
    /// Returns the ids of a list, which is named by its order and the query that reads it.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Vec<i64>>> {
        let list = self.0.lock();
        list.as_ref().filter(|(of, _)| of == name).map(|(_, ids)| Arc::clone(ids))
    }

    pub(crate) fn set(&self, name: String, ids: &Arc<Vec<i64>>) {
        *self.0.lock() = Some((name, Arc::clone(ids)));
    }
}
