//! Opening, marking, and reading while another process writes.

use super::{
    corpus::{Language, Numbers},
    median, milliseconds,
    plain::Plain,
};
use crate::row;
use gleaner_library::{Body, Incoming, Intent, Library, ListQuery, NewItem, Source, Texts, now};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

const MARKED: usize = 100_000;

pub async fn open_and_mark(library: &Library, plain: &mut Plain, articles: usize) {
    let mut numbers = Numbers(5);
    let mut times = Vec::new();
    for _ in 0..200 {
        let id = 1 + i64::try_from(numbers.below(articles)).unwrap();
        let began = Instant::now();
        let item = library.articles().get(id).await.unwrap();
        let text = library.articles().text(id).await.unwrap();
        let body = text.content.unwrap();
        assert!(!gleaner_content::sanitise(&body.html, item.url.as_deref()).is_empty());
        times.push(milliseconds(began));
    }
    row("open an article, sanitised", &format!("{:.2} ms", median(times)));
    mark(library, plain, articles).await;
}

pub async fn wait(library: &Arc<Library>, language: &Language) {
    let alone = waits(library, language, false).await;
    let while_writing = waits(library, language, true).await;
    row("a list's first page, without writing: p50, p99, longest", &alone);
    row("while a refresh is stored and indexed", &while_writing);
}

async fn mark(library: &Library, plain: &mut Plain, articles: usize) {
    let ids: Vec<i64> = (1..=i64::try_from(articles.min(MARKED)).unwrap()).collect();
    let (mut marking, mut undoing, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let as_it_was = library.articles().mark(&ids, Some(false), None).await.unwrap();
    for _ in 0..3 {
        let began = Instant::now();
        let step = library.articles().mark(&ids, Some(true), None).await.unwrap();
        marking.push(milliseconds(began));
        let began = Instant::now();
        library.undo(step.step).await.unwrap();
        undoing.push(milliseconds(began));
        for read in [0, 1] {
            let began = Instant::now();
            let sql = "UPDATE plain SET read = ? WHERE id IN (SELECT value FROM json_each(?))";
            let list = serde_json::to_string(&ids).unwrap();
            sqlx::query(sql).bind(read).bind(list).execute(&mut plain.connection).await.unwrap();
            if read == 1 {
                bare.push(milliseconds(began));
            }
        }
    }
    library.undo(as_it_was.step).await.unwrap();
    row(
        &format!("mark {} read; undo; bare UPDATE", ids.len()),
        &format!("{:.0}; {:.0}; {:.0} ms", median(marking), median(undoing), median(bare)),
    );
}

/// Measures how long a page takes in repeated requests, during a refresh and without one.
async fn waits(library: &Arc<Library>, language: &Language, writing: bool) -> String {
    let (stop, times) = (Arc::new(AtomicBool::new(false)), Arc::new(std::sync::Mutex::new(Vec::new())));
    let reading = tokio::spawn({
        let (library, stop, times) = (library.clone(), stop.clone(), times.clone());
        async move {
            let query = ListQuery::newest(Source::Unread, 50);
            while !stop.load(Ordering::Relaxed) {
                let began = Instant::now();
                library.lists().page(query).await.unwrap();
                times.lock().unwrap().push(milliseconds(began));
                // pause: a reader without pauses would only measure the wait for itself
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    });
    if writing {
        let feeds: Vec<i64> = library.feeds().list().await.unwrap().iter().map(|feed| feed.id).collect();
        let mut numbers = Numbers(9);
        for feeds in feeds[..640].chunks(64) {
            let batch: Vec<Incoming> = feeds.iter().map(|feed| incoming(*feed, language, &mut numbers)).collect();
            library.polls().store(&batch.iter().collect::<Vec<_>>()).await.unwrap();
        }
        gleaner_search::catch_up(library, |_| true).await.unwrap();
    } else {
        // pause: the time without a refresh is measured
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
    stop.store(true, Ordering::Relaxed);
    reading.await.unwrap();
    let mut times = std::mem::take(&mut *times.lock().unwrap());
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("{:.1}, {:.1}, {:.1} ms of {}", at(0.5), at(0.99), at(1.0), times.len())
}

fn incoming(feed: i64, language: &Language, numbers: &mut Numbers) -> Incoming {
    let insert = |number: i64| {
        let (text, title, author) = language.article(numbers);
        let body = Body { html: format!("<p>{text}</p>"), base: None };
        Intent::Insert(Box::new(NewItem {
            key: format!("new {number}"),
            title,
            author: Some(author),
            excerpt: text[..200].to_owned(),
            sort_at: now() - number * 60_000,
            digest: vec![0; 16],
            texts: Texts::pack(Some(&body), None),
            ..NewItem::default()
        }))
    };
    let intents = (0..30).map(insert).collect();
    Incoming::of_items(feed, intents)
}
