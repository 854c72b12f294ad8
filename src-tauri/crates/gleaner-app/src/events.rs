//! What changed, sent to everyone who subscribed.

use gleaner_contract::{Event, LibraryChanged};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

type Subscriber = Box<dyn Fn(&Event) + Send + Sync>;

/// The events of an app. Subscribers are called in the order of the events, on the thread that sends them.
#[derive(Default)]
pub struct Events {
    subscribers: Mutex<Vec<Subscriber>>,
    window: Mutex<WindowState>,
}

/// Returns a function that returns whether `every` has passed since it last returned true.
pub(crate) fn throttle(every: Duration) -> impl FnMut() -> bool {
    let mut last = None::<Instant>;
    move || {
        let ready = last.is_none_or(|last| last.elapsed() >= every);
        if ready {
            last = Some(Instant::now());
        }
        ready
    }
}

/// Whether the window listens yet.
#[derive(Default)]
struct WindowState {
    listens: bool,
    missed: Option<LibraryChanged>,
}

impl Events {
    /// Calls `subscriber` with every event from now on. It must not block.
    pub fn subscribe(&self, subscriber: impl Fn(&Event) + Send + Sync + 'static) {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(subscriber));
    }

    /// Sends an event.
    pub fn send(&self, event: &Event) {
        for subscriber in self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            subscriber(event);
        }
    }

    /// Sends a change of the library, or remembers it until the window listens.
    pub fn library_changed(&self, changed: LibraryChanged) {
        let now = self.window().changed(changed);
        if let Some(changed) = now {
            self.send(&Event::LibraryChanged(changed));
        }
    }

    /// Sends what changed before the window listened. Returns whether it listens for the first time.
    pub fn window_listens(&self) -> bool {
        let (first, missed) = self.window().begin();
        if let Some(changed) = missed {
            self.send(&Event::LibraryChanged(changed));
        }
        first
    }

    /// Returns whether the window listens.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.window().listens
    }

    fn window(&self) -> MutexGuard<'_, WindowState> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WindowState {
    /// Returns the change to send now, if the window listens.
    fn changed(&mut self, changed: LibraryChanged) -> Option<LibraryChanged> {
        if self.listens {
            return Some(changed);
        }
        let before = self.missed.take().unwrap_or(LibraryChanged { structure: false, articles: false });
        self.missed = Some(LibraryChanged {
            structure: changed.structure || before.structure,
            articles: changed.articles || before.articles,
        });
        None
    }

    fn begin(&mut self) -> (bool, Option<LibraryChanged>) {
        (!std::mem::replace(&mut self.listens, true), self.missed.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_before_the_window_listens_are_sent_once_it_does() {
        let changed = |structure, articles| LibraryChanged { structure, articles };
        let mut window = WindowState::default();
        assert_eq!(window.changed(changed(false, true)), None);
        assert_eq!(window.changed(changed(true, false)), None);
        assert_eq!(window.begin(), (true, Some(changed(true, true))));
        assert_eq!(window.changed(changed(false, true)), Some(changed(false, true)));
        assert_eq!(window.begin(), (false, None));
    }
}
