//! Calls the functions for services that articles are saved in.

use gleaner_library::{Library, ListQuery, NewShareService, Parameters, Source};

/// Adds a service, to which articles are queued, saved, refused, sent again and discarded.
pub async fn take(library: &Library) {
    let services = library.share_services();
    let id = services.add(&NewShareService::default()).await.unwrap();
    let (rows, _) = library.lists().page(ListQuery::newest(Source::All, 3)).await.unwrap();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    library.tags().names(ids[0]).await.unwrap();
    services.queue(id, &ids).await.unwrap();
    services.next(id, services.next(id, None).await.unwrap()).await.unwrap();
    services.saved(id, ids[0]).await.unwrap();
    services.refused(id, ids[1], "no_page").await.unwrap();
    services.failed(id, "offline", &Parameters::default(), Some(7)).await.unwrap();
    services.remaining(id, &ids).await.unwrap();
    services.refusal(id, &ids).await.unwrap();
    services.counts().await.unwrap();
    services.list().await.unwrap();
    services.set_login(&services.get(id).await.unwrap()).await.unwrap();
    services.rename(id, "Mine").await.unwrap();
    services.answered(id).await.unwrap();
    services.retry(id).await.unwrap();
    let step = services.discard(id).await.unwrap().step;
    library.undo(step).await.unwrap();
    services.remove(id).await.unwrap();
}
