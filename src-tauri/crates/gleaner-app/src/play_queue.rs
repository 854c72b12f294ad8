//! The play queue: the audio and video files to play next.

use crate::{App, convert, error::Result};
use gleaner_contract::{AddToPlayQueue, MoveInPlayQueue, QueuedEpisode, RemoveFromPlayQueue, UndoStep};

pub async fn play_queue(app: &App, (): ()) -> Result<Vec<QueuedEpisode>> {
    let queue = app.core().await?.library.play_queue().list().await?;
    Ok(queue.into_iter().map(convert::queued_episode).collect())
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
