//! Sends changes to all subscribers.

use gleaner_contract::{Event, LibraryChanged};
use parking_lot::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

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

/// Whether the window listens.
#[derive(Default)]
struct WindowState {
    listens: bool,
    /// Whether it was ready before.
    listened: bool,
    missed: Option<LibraryChanged>,
    /// What the user did outside the window while it was unloaded.
    held: Vec<Event>,
}

impl Events {
    /// Calls `subscriber` with every event from now on. It must not block.
    pub fn subscribe(&self, subscriber: impl Fn(&Event) + Send + Sync + 'static) {
        self.subscribers.lock().push(Box::new(subscriber));
    }

    /// Sends an event. What the user did while the window is unloaded is held back until it listens again.
    pub fn send(&self, event: &Event) {
        if self.window().holds(event) {
            return;
        }
        for subscriber in self.subscribers.lock().iter() {
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
        let (first, missed, held) = self.window().begin();
        if let Some(changed) = missed {
            self.send(&Event::LibraryChanged(changed));
        }
        held.iter().for_each(|event| self.send(event));
        first
    }

    /// The window was unloaded.
    pub fn window_unloaded(&self) {
        self.window().listens = false;
    }

    /// Returns whether the window listens.
    pub(crate) fn is_listened_to(&self) -> bool {
        self.window().listens
    }

    fn window(&self) -> MutexGuard<'_, WindowState> {
        self.window.lock()
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

    /// Returns whether an unloaded window needs this event when it is ready again. It reads everything else itself.
    fn holds(&mut self, event: &Event) -> bool {
        let holds = self.listened
            && !self.listens
            && matches!(
                event,
                Event::ArticleRequested(_)
                    | Event::ListRequested(_)
                    | Event::MarkedOutside(_)
                    | Event::FeedFilesReceived(_)
                    | Event::ImportPrepared(_)
            );
        if holds {
            // Only the last of a kind matters, and the window shows one message for it.
            self.held.retain(|held| held.name() != event.name());
            self.held.push(event.clone());
        }
        holds
    }

    fn begin(&mut self) -> (bool, Option<LibraryChanged>, Vec<Event>) {
        self.listens = true;
        (!std::mem::replace(&mut self.listened, true), self.missed.take(), std::mem::take(&mut self.held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_contract::ArticleId;

    #[test]
    fn changes_before_the_window_listens_are_sent_once_it_does() {
        let changed = |structure, articles| LibraryChanged { structure, articles };
        let mut window = WindowState::default();
        assert_eq!(window.changed(changed(false, true)), None);
        assert_eq!(window.changed(changed(true, false)), None);
        assert!(
            matches!(window.begin(), (true, Some(missed), held) if missed == changed(true, true) && held.is_empty())
        );
        assert_eq!(window.changed(changed(false, true)), Some(changed(false, true)));
        assert!(matches!(window.begin(), (false, None, held) if held.is_empty()));
    }

    #[test]
    fn what_the_user_does_while_the_window_is_unloaded_is_sent_when_it_is_loaded_again() {
        let article = |id| Event::ArticleRequested(ArticleId { id });
        let mut window = WindowState::default();
        assert!(!window.holds(&article(1)), "nothing is held back before the first start");
        window.begin();
        assert!(!window.holds(&article(2)));
        window.listens = false;
        assert!(window.holds(&article(3)) && window.holds(&article(4)));
        assert!(!window.holds(&Event::FilesDraggedOver(true)));
        let (first, _, held) = window.begin();
        assert!(!first, "background work is started once");
        assert!(matches!(held[..], [Event::ArticleRequested(ArticleId { id: 4 })]), "{held:?}");
    }
}
