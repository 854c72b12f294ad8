//! What is fetched ahead, and full texts on demand.

use crate::{
    commands::articles,
    convert,
    shell::{Core, Shell},
};
use gleaner_contract::{
    AheadSettings, AheadState, AheadWish, Article, ErrorCode, FeedAhead, FeedId, IpcError, OpenArticle, ShowText,
};
use gleaner_library::now;
use gleaner_polling::{FullTextError, NoText, ahead};
use std::sync::atomic::Ordering;
use tauri::State;

fn wish(wish: AheadWish) -> gleaner_library::AheadWish {
    gleaner_library::AheadWish { text: wish.text, pictures: wish.pictures }
}

fn shown(wish: gleaner_library::AheadWish) -> AheadWish {
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
pub async fn feed_ahead(shell: State<'_, Shell>, args: FeedId) -> Result<FeedAhead, IpcError> {
    let library = shell.core().await?.library;
    let (wish, full_text_first) = library.feed_ahead(args.feed_id).await.map_err(convert::library_error)?;
    let when = library.full_text_when(args.feed_id).await.map_err(convert::library_error)?;
    let full_text_when = when.map(convert::full_text_when);
    Ok(FeedAhead { feed_id: args.feed_id, wish: wish.map(shown), full_text_first, full_text_when })
}

#[tauri::command]
pub async fn set_feed_ahead(shell: State<'_, Shell>, args: FeedAhead) -> Result<(), IpcError> {
    let library = shell.core().await?.library;
    let wished = args.wish.map(wish);
    let done = ahead::wish_of_feed(&library, args.feed_id, wished, args.full_text_first, now()).await;
    done.map_err(convert::library_error)?;
    let when = args.full_text_when.map(convert::wished_full_text_when);
    library.set_full_text_when(args.feed_id, when).await.map_err(convert::library_error)?;
    shell.ahead_wanted.notify_one();
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
