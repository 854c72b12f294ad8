//! What stands around an article: its comments and chapters, its feed's picture and search box.

use crate::{commands::ahead::no_full_text, convert, links, shell::Shell};
use gleaner_contract::{
    Chapter, Comment, Comments, ErrorCode, FeedHead, FeedId, FeedImage, IpcError, OpenArticle, SearchSite, TextInput,
};
use tauri::{AppHandle, State};

/// Characters that a search box takes.
const LONGEST: usize = 1000;

#[tauri::command]
pub async fn comments(shell: State<'_, Shell>, args: OpenArticle) -> Result<Comments, IpcError> {
    let core = shell.core().await?;
    let cancel = shell.comments.begin();
    let found = core.poller.comments(args.id, &cancel).await.map_err(no_full_text)?;
    let list = found.list.into_iter();
    let list =
        list.map(|comment| Comment { author: comment.author, at: comment.at, url: comment.url, html: comment.html });
    Ok(Comments { list: list.collect(), more: found.more })
}

#[tauri::command]
pub async fn chapters(shell: State<'_, Shell>, args: OpenArticle) -> Result<Vec<Chapter>, IpcError> {
    let core = shell.core().await?;
    let cancel = shell.chapters.begin();
    let found = core.poller.chapters(args.id, &cancel).await.map_err(no_full_text)?;
    Ok(found.into_iter().map(convert::chapter).collect())
}

#[tauri::command]
pub async fn cancel_comments(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.comments.cancel();
    Ok(())
}

#[tauri::command]
pub async fn feed_head(shell: State<'_, Shell>, args: FeedId) -> Result<FeedHead, IpcError> {
    let library = shell.core().await?.library;
    let head = library.feed_head(args.feed_id).await.map_err(convert::library_error)?;
    let description = library.feed_description(args.feed_id).await.map_err(convert::library_error)?;
    Ok(FeedHead {
        feed_id: args.feed_id,
        description,
        image: head.image.map(|image| FeedImage {
            url: image.url,
            title: image.title,
            link: image.link,
            width: image.width,
            height: image.height,
        }),
        text_input: head.text_input.map(|input| TextInput { title: input.title, description: input.description }),
    })
}

#[tauri::command]
pub async fn search_site(app: AppHandle, shell: State<'_, Shell>, args: SearchSite) -> Result<(), IpcError> {
    let head = shell.core().await?.library.feed_head(args.feed_id).await.map_err(convert::library_error)?;
    let input = head.text_input.filter(|_| args.text.chars().count() <= LONGEST);
    let url = input.and_then(|input| links::answer_to(&input.link, &input.name, args.text.trim()));
    let Some(url) = url else {
        let message = "the feed has no such search box".to_owned();
        return Err(IpcError { code: ErrorCode::NotFound, message, detail: None });
    };
    links::open(&app, &url);
    Ok(())
}
