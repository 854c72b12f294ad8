//! The preferences of a feed, a folder or all feeds.

use crate::{App, error::Result, full_text, offline, retention::scope, settings};
use gleaner_contract::{FeedScope, PreferenceSources, Preferences, ScopedPreferences, SetPreferences};
use gleaner_library::{FullTextWhen, OfflineContent, now};

fn from_library(preferences: gleaner_library::Preferences) -> Preferences {
    Preferences {
        refresh_minutes: preferences.refresh_minutes,
        offline: preferences.offline.map(OfflineContent::of_bits).map(offline::from_library),
        full_text_when: preferences.full_text_when.and_then(FullTextWhen::of_number).map(full_text::from_library),
        full_text_first: preferences.full_text_first,
        load_images: preferences.load_images,
        notify: preferences.notify,
    }
}

fn to_library(preferences: Preferences) -> gleaner_library::Preferences {
    gleaner_library::Preferences {
        refresh_minutes: preferences.refresh_minutes,
        offline: preferences.offline.map(offline::to_library).map(OfflineContent::bits),
        full_text_when: preferences.full_text_when.map(full_text::to_library).map(FullTextWhen::number),
        full_text_first: preferences.full_text_first,
        load_images: preferences.load_images,
        notify: preferences.notify,
    }
}

pub async fn preferences(app: &App, args: FeedScope) -> Result<ScopedPreferences> {
    let library = app.core().await?.library;
    let stored = library.preferences().get(scope(args)).await?;
    let folders = library.folders().list().await?;
    let of_all = settings::of(&library).await?;
    let folder =
        |id: Option<i64>| folders.iter().find(|folder| Some(folder.id) == id).map(|folder| folder.name.clone());
    let inherited = from_library(stored.inherited);
    Ok(ScopedPreferences {
        own: from_library(stored.own),
        inherited: Preferences {
            full_text_when: inherited.full_text_when.or(Some(of_all.full_text)),
            full_text_first: inherited.full_text_first.or(Some(false)),
            load_images: inherited.load_images.or(Some(of_all.load_images)),
            notify: inherited.notify.or(Some(false)),
            ..inherited
        },
        inherited_from: PreferenceSources {
            refresh_minutes: folder(stored.by.refresh_minutes_of),
            offline: folder(stored.by.offline_of),
            full_text_when: folder(stored.by.full_text_when_of),
            full_text_first: folder(stored.by.full_text_first_of),
            load_images: folder(stored.by.load_images_of),
            notify: folder(stored.by.notify_of),
        },
    })
}

pub async fn set_preferences(app: &App, args: SetPreferences) -> Result<()> {
    set(app, scope(args.scope), to_library(args.preferences)).await.map(drop)
}

/// Sets the preferences of a scope. Returns the number of texts and images queued for offline reading.
///
/// # Errors
/// There is no such feed or folder, or the library cannot be written.
pub async fn set(
    app: &App,
    scope: gleaner_library::FeedScope,
    preferences: gleaner_library::Preferences,
) -> Result<usize> {
    let library = app.core().await?.library;
    let queued = gleaner_polling::offline::prefer(&library, scope, preferences, now()).await?;
    if queued > 0 {
        app.session().downloads_rest.end();
    }
    app.signals().polling.notify_one();
    app.signals().downloads.notify_one();
    app.library_changed(true, false);
    Ok(queued)
}
