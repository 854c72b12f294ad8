//! Calls the functions for audio and video.

use gleaner_library::{
    Episode, EpisodeState, FeedPlayback, Library, ListQuery, Parameters, Passage, Playback, Source, Transcript,
};

/// Calls the functions of the play queue, playback and downloaded episodes.
pub async fn take(library: &Library) {
    let (rows, _) = library.lists().page(ListQuery::newest(Source::All, 3)).await.unwrap();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    library.play_queue().add(&ids, None, true).await.unwrap();
    library.play_queue().list().await.unwrap();
    library.play_queue().move_to(&(ids[0], String::new()), 1).await.unwrap_err();
    let step = library.play_queue().remove(None).await.unwrap().step;
    library.undo(step).await.unwrap();
    let played = Playback { url: String::new(), seconds: 5.0, duration: None, finished: false };
    library.progress().set_playback(ids[0], &played).await.unwrap();
    library.progress().played(ids[0]).await.unwrap();
    library.progress().count_started().await.unwrap();
    let step = library.progress().finish(ids[0]).await.unwrap().step;
    library.undo(step).await.unwrap();
    episodes(library, ids[0]).await;
    let passages = vec![Passage { text: "Said".to_owned(), ..Passage::default() }];
    let transcript = Transcript { passages, ..Transcript::default() };
    library.articles().store_transcript(ids[0], &transcript, 1).await.unwrap();
    assert_eq!(library.articles().transcript(ids[0]).await.unwrap(), Some(transcript));
    library.feeds().has_media(rows[0].feed_id).await.unwrap();
    library.feeds().set_playback(rows[0].feed_id, FeedPlayback::default()).await.unwrap();
}

async fn episodes(library: &Library, item: i64) {
    let episodes = library.episodes();
    episodes.queue(&[item], None).await.unwrap();
    episodes.list().await.unwrap();
    episodes.due().await.unwrap();
    episodes.next_at().await.unwrap();
    episodes.bytes_of_others(item, "").await.unwrap();
    episodes.remove_played().await.unwrap();
    episodes.by_name(&format!("{item}-0")).await.unwrap();
    episodes.reconcile().await.unwrap();
    episodes.set_settings(episodes.settings().await.unwrap()).await.unwrap();
    let url = String::new();
    let episode = Episode { item_id: item, url, ..ready() };
    episodes.open(item, "", 0).unwrap();
    episodes.received(&episode).await.unwrap();
    episodes.fail(&episode, None, ("timeout", &Parameters::default())).await.unwrap();
    episodes.complete(&episode).await.unwrap();
    episodes.remove(&[item], None).await.unwrap();
}

/// Returns a download of no article.
fn ready() -> Episode {
    Episode {
        item_id: 0,
        feed_id: 0,
        title: String::new(),
        url: String::new(),
        state: EpisodeState::Queued,
        bytes: 0,
        total: None,
        validator: None,
        mime_type: None,
        tries: 0,
        error: None,
        parameters: Parameters::default(),
    }
}
