//! The play queue: the audio and video files to play next.

use crate::{App, error::Result};
use gleaner_contract::{
    self as contract, AddToPlayQueue, MoveInPlayQueue, QueuedEpisode, RemoveFromPlayQueue, UndoStep,
};
use gleaner_query::Media;

pub async fn play_queue(app: &App, (): ()) -> Result<Vec<QueuedEpisode>> {
    let queue = app.core().await?.library.play_queue().list().await?;
    Ok(queue.into_iter().map(queued_episode).collect())
}

/// Adds the audio and video files of articles. Returns the number of files.
pub async fn add_to_play_queue(app: &App, args: AddToPlayQueue) -> Result<u32> {
    let library = app.core().await?.library;
    let count = library.play_queue().add(&args.ids, args.url.as_deref(), args.next).await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

pub async fn move_in_play_queue(app: &App, args: MoveInPlayQueue) -> Result<()> {
    let to = usize::try_from(args.to).unwrap_or(usize::MAX);
    Ok(app.core().await?.library.play_queue().move_to(&(args.id, args.url), to).await?)
}

pub async fn remove_from_play_queue(app: &App, args: RemoveFromPlayQueue) -> Result<UndoStep> {
    let done = app.core().await?.library.play_queue().remove(Some(&(args.id, args.url))).await?;
    Ok(UndoStep { undo: done.step })
}

pub async fn clear_play_queue(app: &App, (): ()) -> Result<UndoStep> {
    let done = app.core().await?.library.play_queue().remove(None).await?;
    Ok(UndoStep { undo: done.step })
}

fn queued_episode(episode: gleaner_library::QueuedEpisode) -> contract::QueuedEpisode {
    contract::QueuedEpisode {
        id: episode.item_id,
        feed_id: episode.feed_id,
        title: episode.title,
        url: episode.url,
        video: episode.mime_type.and_then(|mime_type| Media::of_file(&mime_type)) == Some(Media::Video),
        duration: episode.duration,
        seconds: episode.seconds,
        finished: episode.finished,
        thumbnail: episode.thumbnail,
    }
}
