//! The window: the time to the first list, and its memory.

use crate::row;
use gleaner_end_to_end::{Scratch, Window};
use gleaner_library::{Body, Incoming, Intent, Library, NewItem, NewSubscription, Poll, Texts, now};
use std::{fs, sync::Arc, time::Instant};

const ARTICLES: usize = 10_000;
const FEEDS: usize = 100;
const STARTS: usize = 5;

/// Starts the window several times on a library of ten thousand articles. Needs what the end-to-end tests need.
pub async fn measure() {
    if std::env::var_os("DISPLAY").is_none() {
        row("the window", "not measured: there is no display");
        return;
    }
    let scratch = Scratch::new();
    fill(&scratch, ARTICLES, FEEDS, 0).await;
    let mut painted = Vec::new();
    let mut memory = 0.0;
    for _ in 0..STARTS {
        let started = Instant::now();
        let window = Window::open(&scratch).await;
        window.until("the first list", "__e2e.all('option', null).length > 5").await;
        painted.push(started.elapsed().as_secs_f64());
        memory = window.megabytes();
        window.close().await;
    }
    painted.sort_by(f64::total_cmp);
    let median = painted[STARTS / 2];
    row(
        &format!("window start to first list, {ARTICLES} articles (with the driver's session)"),
        &format!("{median:.2} s, median of {STARTS}"),
    );
    row("memory of the window's processes together (PSS)", &format!("{memory:.0} MB"));
}

fn text(item: usize) -> Texts {
    let html =
        format!("<p>Text {item}. {}</p>", "What an article says at some length, word by word. ".repeat(8)).repeat(6);
    Texts::pack(Some(&Body { html, base: None }), None)
}

/// Fills a library with this number of feeds and articles, all in the index; the newest of each feed have texts.
pub async fn fill(scratch: &Scratch, articles: usize, feeds: usize, texts: usize) {
    let folder = scratch.library();
    fs::create_dir_all(&folder).unwrap();
    let library = Arc::new(Library::open(&folder).await.unwrap());
    library.settings().set("welcome_left", "true").await.unwrap();
    for feed in 0..feeds {
        let url = format!("http://127.0.0.1:1/{feed}");
        let feed_id = library
            .subscriptions()
            .add(&NewSubscription { url, title: Some(format!("Feed {feed}")), ..NewSubscription::default() })
            .await
            .unwrap();
        let insert = |item: usize| {
            let at = now() - i64::try_from(item * feeds + feed).unwrap() * 60_000;
            Intent::Insert(Box::new(NewItem {
                key: item.to_string(),
                title: format!("Article {item} of feed {feed}, with a title of the usual length"),
                excerpt: "What it says, in the two lines that the list has room for, and no more than that. ".repeat(2),
                sort_at: at,
                published_at: Some(at),
                received_at: at,
                word_count: 400,
                digest: vec![0; 16],
                texts: if item < texts { text(item) } else { Texts::default() },
                ..NewItem::default()
            }))
        };
        let intents = (0..articles / feeds).map(insert).collect();
        let poll = Poll { feed_id, next_at: Some(now() + 86_400_000), ..Poll::default() };
        let incoming = Incoming { poll, intents, ..Incoming::default() };
        library.polls().store(&[&incoming]).await.unwrap();
    }
    gleaner_search::catch_up(&library, |_| true).await.unwrap();
    Arc::into_inner(library).unwrap().close().await.unwrap();
}
