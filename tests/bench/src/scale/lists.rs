//! Pages of lists, and counts.

use super::{corpus::FOLDERS, median, milliseconds, plain::Plain};
use crate::row;
use gleaner_library::{Cursor, Library, ListQuery, Order, Source};
use std::time::Instant;

const PAGE: u32 = 50;
const TIMES: usize = 9;

pub async fn ask(library: &Library, plain: &mut Plain, articles: usize) {
    let feed = library.feeds().list().await.unwrap()[77].id;
    let folder = library.folders().list().await.unwrap()[7].id;
    let tag = library.tags().list().await.unwrap()[0].id;
    let today = gleaner_library::now() - 86_400_000;
    let (columns, end) = (
        "id, feed, title, excerpt, author, sort_at, word_count, read, starred",
        "ORDER BY sort_at DESC, id DESC LIMIT 50",
    );
    let bare = |condition: &str| format!("SELECT {columns} FROM plain WHERE {condition} {end}");
    let sources = [
        ("all", Source::All, false, bare("TRUE")),
        ("all, unread", Source::All, true, bare("read = 0")),
        ("unread", Source::Unread, true, bare("read = 0")),
        ("starred", Source::Starred, false, bare("starred = 1")),
        ("one feed", Source::Feed(feed), false, bare(&format!("feed = {feed}"))),
        ("one feed, unread", Source::Feed(feed), true, bare(&format!("feed = {feed} AND read = 0"))),
        (
            "a folder of 125 feeds",
            Source::Folder(folder),
            false,
            bare(&format!("folder = {}", folder % FOLDERS as i64)),
        ),
        (
            "a folder, unread",
            Source::Folder(folder),
            true,
            bare(&format!("folder = {} AND read = 0", folder % FOLDERS as i64)),
        ),
        ("today", Source::Since(today), false, bare(&format!("sort_at >= {today}"))),
        ("a tag (1 %)", Source::Tag(tag), false, bare("TRUE")),
        ("hidden (1 ‰)", Source::Hidden, false, bare("TRUE")),
    ];
    for (name, source, unread_only, bare) in sources {
        let mut shown = Vec::new();
        for order in [Order::Newest, Order::Oldest] {
            let query = ListQuery { unread_only, order, ..ListQuery::newest(source, PAGE) };
            let middle = Cursor {
                sort_at: today - 365 * 86_400_000,
                id: i64::try_from(articles / 2).unwrap(),
                feed_id: 0,
                length: 0,
            };
            for query in [query, ListQuery { after: Some(middle), ..query }] {
                let mut times = Vec::new();
                for _ in 0..TIMES {
                    let began = Instant::now();
                    library.lists().page(query).await.unwrap();
                    times.push(milliseconds(began));
                }
                shown.push(median(times));
            }
        }
        let mut bared = Vec::new();
        for _ in 0..TIMES {
            bared.push(plain.read(&bare).await);
        }
        let bared = median(bared);
        row(
            &format!("list: {name}: first page, one in the middle; oldest first; bare"),
            &format!(
                "{:.2}, {:.2}; {:.2}, {:.2}; {bared:.2} ms; ratio {:.1}",
                shown[0],
                shown[1],
                shown[2],
                shown[3],
                shown[0] / bared
            ),
        );
    }
    let (mut counts, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        library.counts().by_feed().await.unwrap();
        counts.push(milliseconds(began));
        bare.push(plain.read("SELECT feed, items, unread FROM counts").await);
    }
    row("all counts; a table of 5,000 rows", &format!("{:.2} ms; {:.2} ms", median(counts), median(bare)));
}
