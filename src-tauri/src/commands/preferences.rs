//! What is wished of a feed, of the feeds in a folder, or of all.

use super::{ahead, keeping::scope, settings};
use crate::{convert, events, shell::Shell};
use gleaner_contract::{FeedScope, IpcError, Preferences, PreferencesFrom, PreferencesSaid, SetPreferences};
use gleaner_library::{AheadWish, FullTextWhen, now};
use tauri::{AppHandle, State};

fn told(wish: gleaner_library::Preferences) -> Preferences {
    Preferences {
        refresh_minutes: wish.refresh_minutes,
        ahead: wish.ahead.map(AheadWish::of_bits).map(ahead::shown),
        full_text_when: wish.full_text_when.and_then(FullTextWhen::of_number).map(convert::full_text_when),
        full_text_first: wish.full_text_first,
        load_images: wish.load_images,
        notify: wish.notify,
    }
}

fn wished(wish: Preferences) -> gleaner_library::Preferences {
    gleaner_library::Preferences {
        refresh_minutes: wish.refresh_minutes,
        ahead: wish.ahead.map(ahead::wish).map(AheadWish::bits),
        full_text_when: wish.full_text_when.map(convert::wished_full_text_when).map(FullTextWhen::number),
        full_text_first: wish.full_text_first,
        load_images: wish.load_images,
        notify: wish.notify,
    }
}

#[tauri::command]
pub async fn preferences(shell: State<'_, Shell>, args: FeedScope) -> Result<PreferencesSaid, IpcError> {
    let library = shell.core().await?.library;
    let said = library.preferences(scope(args)).await.map_err(convert::library_error)?;
    let folders = library.folders().await.map_err(convert::library_error)?;
    let of_all = settings::of(&library).await?;
    let folder =
        |id: Option<i64>| folders.iter().find(|folder| Some(folder.id) == id).map(|folder| folder.name.clone());
    let inherited = told(said.inherited);
    Ok(PreferencesSaid {
        own: told(said.own),
        inherited: Preferences {
            full_text_when: inherited.full_text_when.or(Some(of_all.full_text)),
            full_text_first: inherited.full_text_first.or(Some(false)),
            load_images: inherited.load_images.or(Some(of_all.load_images)),
            notify: inherited.notify.or(Some(false)),
            ..inherited
        },
        from: PreferencesFrom {
            refresh_minutes: folder(said.by.refresh_minutes_of),
            ahead: folder(said.by.ahead_of),
            full_text_when: folder(said.by.full_text_when_of),
            full_text_first: folder(said.by.full_text_first_of),
            load_images: folder(said.by.load_images_of),
            notify: folder(said.by.notify_of),
        },
    })
}

#[tauri::command]
pub async fn set_preferences(app: AppHandle, shell: State<'_, Shell>, args: SetPreferences) -> Result<(), IpcError> {
    let library = shell.core().await?.library;
    let done = gleaner_polling::ahead::prefer(&library, scope(args.scope), wished(args.preferences), now()).await;
    done.map_err(convert::library_error)?;
    shell.polling_changed.notify_one();
    shell.ahead_wanted.notify_one();
    events::library_changed(&app, true, false);
    Ok(())
}
