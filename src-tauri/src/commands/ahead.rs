//! What is fetched ahead, and full texts on demand.

use crate::{
    commands::articles,
    convert,
    shell::{Core, Shell},
};
use gleaner_contract::{AheadSettings, AheadState, AheadWish, Article, ErrorCode, IpcError, OpenArticle, ShowText};
use gleaner_library::now;
use gleaner_polling::{FullTextError, NoText, ahead};
use std::sync::atomic::Ordering;
use tauri::State;

pub fn wish(wish: AheadWish) -> gleaner_library::AheadWish {
    gleaner_library::AheadWish { text: wish.text, pictures: wish.pictures }
}

pub fn shown(wish: gleaner_library::AheadWish) -> AheadWish {
    AheadWish { text: wish.text, pictures: wish.pictures }
}

fn bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[tauri::command]
pub async fn ahead(shell: State<'_, Shell>) -> Result<AheadState, IpcError> {
    let library = shell.core().await?.library;
    let settings = library.ahead_settings().await.map_err(convert::library_error)?;
    let state = library.ahead_state().await.map_err(convert::library_error)?;
    Ok(AheadState {
        settings: AheadSettings {
            all: shown(settings.all),
            starred: shown(settings.starred),
            room: bytes(settings.room),
            largest: bytes(settings.largest),
            paused: settings.paused,
        },
        waiting: state.waiting,
        failed: state.failed,
        texts: state.texts,
        pictures: state.pictures,
        bytes: state.bytes,
        running: shell.ahead_running.load(Ordering::SeqCst),
    })
}

#[tauri::command]
pub async fn save_ahead(shell: State<'_, Shell>, args: AheadSettings) -> Result<(), IpcError> {
    let settings = gleaner_library::AheadSettings {
        all: wish(args.all),
        starred: wish(args.starred),
        room: u64::try_from(args.room).unwrap_or(0),
        largest: u64::try_from(args.largest).unwrap_or(0),
        paused: args.paused,
    };
    let library = shell.core().await?.library;
    ahead::wish_of_all(&library, &settings, now()).await.map_err(convert::library_error)?;
    if settings.paused {
        shell.ahead.cancel();
    }
    shell.ahead_wanted.notify_one();
    Ok(())
}

#[tauri::command]
pub async fn run_ahead(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.ahead_wanted.notify_one();
    Ok(())
}

#[tauri::command]
pub async fn cancel_ahead(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.ahead.cancel();
    Ok(())
}

#[tauri::command]
pub async fn fetch_full_text(shell: State<'_, Shell>, args: OpenArticle) -> Result<Article, IpcError> {
    let core: Core = shell.core().await?;
    let cancel = shell.full_text.begin();
    core.poller.full_text(args.id, &cancel).await.map_err(no_full_text)?;
    // Its pictures, where they are wished; and what it says is searched, too.
    shell.ahead_wanted.notify_one();
    shell.index_behind.notify_one();
    articles::article(&core.library, args.id, Some(true)).await
}

#[tauri::command]
pub async fn cancel_full_text(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.full_text.cancel();
    Ok(())
}

#[tauri::command]
pub async fn show_text(shell: State<'_, Shell>, args: ShowText) -> Result<Article, IpcError> {
    articles::article(&shell.core().await?.library, args.id, Some(args.full)).await
}

pub fn no_full_text(error: FullTextError) -> IpcError {
    let message = error.to_string();
    let (code, detail) = match error {
        FullTextError::Library(error) => return convert::library_error(error),
        FullTextError::Fetch(error) => return convert::fetch_error(&error),
        FullTextError::Wait(_) => (ErrorCode::AskedToWait, None),
        FullTextError::Access(_) => (ErrorCode::Secret, None),
        FullTextError::NoText(why) => {
            let name = match why {
                NoText::NoPage => "no_page",
                NoText::NotAPage(_) => "not_a_page",
                NoText::NoArticle => "no_article",
                NoText::Less => "less",
            };
            (ErrorCode::NoFullText, Some(name.to_owned()))
        }
        FullTextError::Elsewhere => (ErrorCode::Busy, None),
        FullTextError::Cancelled | FullTextError::Task(_) => (ErrorCode::Internal, None),
    };
    IpcError { code, message, detail }
}
