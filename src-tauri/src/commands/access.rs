//! How a feed is reached. Secrets come in here, and never go out.

use crate::{convert, events, reach, refresh, shell::Shell};
use gleaner_contract::{AcceptCertificate, Certificate, FeedAccess, FeedId, IpcError, SetAccess, UndoStep};
use gleaner_fetch::Request;
use gleaner_library::Access;
use gleaner_polling::{Scope, access, secrets, wish::Wish};
use tauri::{AppHandle, State};

#[tauri::command]
pub async fn feed_access(shell: State<'_, Shell>, args: FeedId) -> Result<FeedAccess, IpcError> {
    let library = shell.core().await?.library;
    let feed = library.feed(args.feed_id).await.map_err(convert::library_error)?;
    let access = library.accesses().await.map_err(convert::library_error)?.remove(&feed.id);
    Ok(reach::told(feed.id, &reach::url(&feed)?, access))
}

#[tauri::command]
pub async fn set_access(app: AppHandle, shell: State<'_, Shell>, args: SetAccess) -> Result<UndoStep, IpcError> {
    let wish = Wish {
        login: args.login.map(reach::login),
        user_agent: Some(args.user_agent),
        proxy: Some(args.proxy),
        headers: Some(
            args.headers.into_iter().map(|header| (header.name, header.value.map(|value| value.0))).collect(),
        ),
        certificate: None,
        in_library: args.in_library,
    };
    change(app, &shell, args.feed_id, wish).await
}

#[tauri::command]
pub async fn accept_certificate(
    app: AppHandle,
    shell: State<'_, Shell>,
    args: AcceptCertificate,
) -> Result<UndoStep, IpcError> {
    let fingerprint = args.fingerprint.as_deref().map(reach::fingerprint).transpose()?;
    change(app, &shell, args.feed_id, Wish { certificate: Some(fingerprint), ..Wish::default() }).await
}

/// Changes how a feed is reached, and asks it again.
async fn change(app: AppHandle, shell: &Shell, feed_id: i64, wish: Wish) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let feed = library.feed(feed_id).await.map_err(failed)?;
    let before = library.accesses().await.map_err(failed)?.remove(&feed_id);
    let access = wish.kept(&library, feed_id, &reach::url(&feed)?, before).await.map_err(reach::wish_error)?;
    let done = library.change_access(feed_id, access.as_ref()).await.map_err(failed)?;
    secrets::forget_left(&library).await.map_err(failed)?;
    events::library_changed(&app, true, false);
    refresh::start(app, Scope::Feeds(vec![feed_id]));
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn feed_certificate(shell: State<'_, Shell>, args: FeedId) -> Result<Option<Certificate>, IpcError> {
    let core = shell.core().await?;
    let feed = core.library.feed(args.feed_id).await.map_err(convert::library_error)?;
    let known = core.library.accesses().await.map_err(convert::library_error)?.remove(&feed.id);
    // To look at a certificate no secret is needed, and the exception would hide it.
    let plain = known.map(|access| Access { user_agent: access.user_agent, proxy: access.proxy, ..Access::default() });
    let request = access::request(Request::new(reach::url(&feed)?), &plain.unwrap_or_default(), None);
    let request = request.map_err(|why| reach::bad_access(&why))?;
    match core.fetcher.fetch(request).await {
        Err(error) if error.certificate.is_some() => Ok(reach::certificate(&error)),
        Err(error) if error.kind == gleaner_fetch::FetchErrorKind::Tls => Err(convert::fetch_error(&error)),
        // Whatever else it answered, its certificate was good.
        Err(gleaner_fetch::FetchError { kind: gleaner_fetch::FetchErrorKind::Http(_), .. }) | Ok(_) => Ok(None),
        Err(error) => Err(convert::fetch_error(&error)),
    }
}
