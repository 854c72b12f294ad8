//! Shows what files contain before they are imported. Every import of the window begins here, whether the files come from the menu, a drop,
//! the command line or the file manager. The files are read again when the user confirms, so nothing is stored before that.

use crate::{
    App,
    error::{AppError, Result},
    import_files,
    import_sources::{ImportSource, find_importable, shown_name},
    numbers::to_number,
};
use gleaner_contract::{Event, ImportPhase, ImportPreview, ImportProgress, ImportSummary, PreviewFeed};
use gleaner_exchange::{
    archive::{self, ListedFeed, Progress},
    readers::{self, Feed, Found, ReaderData},
};
use gleaner_feed::RepairKind;
use gleaner_library::{
    Library,
    archive::{ItemRecord, Record as _},
    feed_key, now,
};
use parking_lot::Mutex;
use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// Maximum number of feeds of a file that are listed by name.
const MAX_NAMES: usize = 500;
/// Maximum number of articles of a file that are looked up in the library.
const MAX_ARTICLES: u32 = 20_000;
/// How long the articles of other readers' files are looked up; limited, because the user waits for the preview.
const MAX_LOOKUP: Duration = Duration::from_secs(3);

/// Reads files, and asks the user whether to import them. If none can be imported, says why at once.
pub(crate) async fn prepare(app: &App, sources: Vec<ImportSource>) -> Result<()> {
    let generation = app.session().prepared.lock().cancelled;
    let is_cancelled = || app.session().prepared.lock().cancelled != generation;
    let library = app.core().await?.library;
    let (archives, others): (Vec<_>, Vec<_>) =
        sources.iter().cloned().partition(|source| archive::is_archive(&source.path));
    let found = tokio::task::spawn_blocking(move || find_importable(&others)).await?;
    // Returns whether to read a file.
    let begin = |name: &str| {
        if is_cancelled() {
            return false;
        }
        let file = shown_name(Path::new(name));
        app.emit(Event::ImportProgress(ImportProgress { file, phase: ImportPhase::Reading, done: 0, total: 0 }));
        true
    };
    let mut previews = Vec::with_capacity(archives.len() + found.len());
    for source in archives {
        if !begin(&source.name) {
            return Ok(());
        }
        previews.push(of_archive(&library, &source, MAX_ARTICLES).await);
    }
    let begun = Instant::now();
    for (name, found) in found {
        if !begin(&name) {
            return Ok(());
        }
        let preview = match found {
            Ok(found) => {
                let go_on = || begun.elapsed() < MAX_LOOKUP && !is_cancelled();
                of_data(&library, &found, go_on).await
            }
            Err(error) => Err(error.into()),
        };
        let file = shown_name(Path::new(&name));
        previews.push(match preview {
            Ok(preview) => ImportPreview { file, ..preview },
            Err(error) => failed(file, error),
        });
    }
    {
        let mut prepared = app.session().prepared.lock();
        if prepared.cancelled != generation {
            return Ok(());
        }
        if previews.iter().any(|preview| preview.error.is_none()) {
            prepared.sources.extend(sources);
            drop(prepared);
            app.emit(Event::ImportPrepared(previews));
            return Ok(());
        }
    }
    for ImportPreview { file, error, .. } in previews {
        app.emit(Event::ImportFinished(Box::new(ImportSummary { file, error, ..ImportSummary::default() })));
    }
    Ok(())
}

/// Imports the files that were shown.
pub async fn confirm_import(app: &App, (): ()) -> Result<()> {
    let sources = std::mem::take(&mut app.session().prepared.lock().sources);
    if !sources.is_empty() {
        import_files::run(app, sources);
    }
    Ok(())
}

/// Discards the files that were shown. Those that are being read are shown later.
pub async fn discard_import(app: &App, (): ()) -> Result<()> {
    app.session().prepared.lock().sources.clear();
    Ok(())
}

fn failed(file: String, error: AppError) -> ImportPreview {
    ImportPreview { file, error: Some(import_files::reported(error)), ..ImportPreview::default() }
}

/// The articles read from an archive.
#[derive(Debug, Clone, Copy, Default)]
struct ReadArticles {
    total: u64,
    begun: bool,
    /// Whether each of them was looked up.
    all: bool,
}

/// Returns the feeds of an archive, and how many articles it has. The articles of large archives are not read, since that may take minutes.
async fn of_archive(library: &Arc<Library>, source: &ImportSource, most_articles: u32) -> ImportPreview {
    let file = shown_name(Path::new(&source.name));
    let state = Arc::new(Mutex::new(ReadArticles::default()));
    let articles = Arc::clone(&state);
    let up_to_articles = move |progress: Progress| {
        let mut articles = articles.lock();
        articles.total = progress.total;
        if progress.file == ItemRecord::FILE {
            articles.begun = true;
            return progress.total.max(progress.done) <= u64::from(most_articles);
        }
        // Files after the articles are not counted.
        articles.all = articles.begun;
        !articles.begun
    };
    match archive::import(Arc::clone(library), source.path.clone(), true, up_to_articles).await {
        Ok(read) => {
            let ReadArticles { total, all, .. } = *state.lock();
            let added = to_number(read.articles.added);
            ImportPreview {
                file,
                program: "Gleaner".to_owned(),
                new_feeds: to_number(read.head.feeds_added.len()),
                subscribed: to_number(read.head.feeds_there),
                folders: to_number(read.folders),
                articles: Some(if all { added } else { to_number(total).max(added) }),
                existing_articles: if all { to_number(read.articles.there) } else { 0 },
                has_articles: !all || added > 0,
                has_marks: true,
                feeds: read.listed.into_iter().map(listed).collect(),
                ..ImportPreview::default()
            }
        }
        Err(error) => failed(file, error.into()),
    }
}

fn listed(ListedFeed { title, folder, there }: ListedFeed) -> PreviewFeed {
    PreviewFeed { title, folder: folder.join(" / "), subscribed: there }
}

/// Returns what a file of another reader contains. If it has no new feeds, its articles are looked up, as long as `go_on` allows it.
async fn of_data(library: &Library, found: &Found, go_on: impl Fn() -> bool) -> Result<ImportPreview> {
    let mut data = readers::open(found).await?;
    let feeds = library.feeds().list().await?;
    let subscribed = feeds.iter().map(|feed| feed_key(&feed.url)).collect();
    let mut preview = summed_up(&data, &subscribed);
    if preview.has_articles && preview.new_feeds + preview.manual_feeds == 0 {
        let most = usize::try_from(MAX_ARTICLES).unwrap_or(usize::MAX);
        if let Some(found) = readers::compare(library, &mut data, most, now(), go_on).await? {
            preview.articles = Some(to_number(found.new));
            preview.existing_articles = to_number(found.known);
            preview.has_articles = found.new > 0;
            preview.has_marks = found.gaining > 0;
        }
    }
    Ok(preview)
}

/// `subscribed`: the keys of the addresses in the library.
fn summed_up(data: &ReaderData, subscribed: &HashSet<String>) -> ImportPreview {
    let mut preview = ImportPreview {
        program: data.program.to_owned(),
        has_articles: data.has_articles(),
        skipped: to_number(data.skipped.len()),
        truncated: data.repairs.iter().any(|repair| repair.kind == RepairKind::Truncated),
        ..ImportPreview::default()
    };
    let mut folders: BTreeSet<&[String]> = BTreeSet::new();
    let paths = data.folders.iter().chain(data.feeds.iter().map(|feed| &feed.subscription.folder));
    for path in paths {
        folders.extend((1..=path.len()).filter_map(|length| path.get(..length)));
    }
    preview.folders = to_number(folders.len());
    let (mut seen, mut known) = (HashSet::new(), Vec::new());
    // If two feeds have the same address, the one that is polled is imported.
    let (polled, unpolled): (Vec<&Feed>, Vec<&Feed>) = data.feeds.iter().partition(|feed| feed.is_polled());
    for read in polled.into_iter().chain(unpolled) {
        let feed = &read.subscription;
        let key = feed_key(&feed.url);
        let is_new = !subscribed.contains(&key);
        if !seen.insert(key) {
            preview.repeated += 1;
            continue;
        }
        *(match (is_new, read.is_polled()) {
            (true, true) => &mut preview.new_feeds,
            (true, false) => &mut preview.manual_feeds,
            (false, _) => &mut preview.subscribed,
        }) += 1;
        let listed = if is_new { &mut preview.feeds } else { &mut known };
        if listed.len() < MAX_NAMES {
            let folder = feed.folder.join(" / ");
            listed.push(PreviewFeed { title: feed.listed_title(), folder, subscribed: !is_new });
        }
    }
    preview.feeds.append(&mut known);
    preview.feeds.truncate(MAX_NAMES);
    preview
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::{cell::Cell, sync::mpsc::channel};
    use tempfile::TempDir;
    use tokio::runtime::Handle;

    async fn preview(outlines: &str) -> ImportPreview {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(&folder.path().join("library")).await.unwrap();
        preview_in(&library, &folder, outlines).await
    }

    async fn preview_in(library: &Library, folder: &TempDir, outlines: &str) -> ImportPreview {
        let path = folder.path().join("list.opml");
        std::fs::write(&path, format!("<opml version='2.0'><body>{outlines}")).unwrap();
        let source = ImportSource { name: "list.opml".to_owned(), path };
        let (_, found) = find_importable(&[source]).pop().unwrap();
        let found = found.unwrap();
        let shown = of_data(library, &found, || true).await.unwrap();
        // The import adds as many.
        let mut data = readers::open(&found).await.unwrap();
        let done = readers::import(library, &mut data, 0, |_| true).await.unwrap();
        assert_eq!((shown.new_feeds, shown.manual_feeds), (count(&done.added), count(&done.unpolled)));
        shown
    }

    fn count(feeds: &[i64]) -> i64 {
        to_number(feeds.len())
    }

    #[tokio::test]
    async fn cancelling_ends_the_reading_of_several_files() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().join("library"), Handle::current());
        let sources: Vec<_> = ["a.opml", "b.opml", "c.opml"]
            .map(|name| ImportSource { name: name.to_owned(), path: folder.path().join(name) })
            .into();
        for source in &sources {
            std::fs::write(&source.path, "<opml version='2.0'><body>").unwrap();
        }
        let (cancelling, (sender, events)) = (app.clone(), channel());
        app.events().subscribe(move |event| {
            cancelling.session().prepared.lock().cancelled += 1;
            sender.send(event.clone()).unwrap();
        });
        prepare(&app, sources).await.unwrap();
        let events: Vec<_> = events.try_iter().collect();
        assert!(matches!(&*events, [Event::ImportProgress(first)] if first.file == "a.opml"), "{events:?}");
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn feeds_that_are_not_checked_and_those_listed_twice_are_counted_apart() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(&folder.path().join("library")).await.unwrap();
        let shown = preview_in(
            &library,
            &folder,
            "<outline text='Rye' xmlUrl='https://rye.example/feed'/><outline text='Old' xmlUrl='ftp://rye.example/feed'/>\
             <outline text='Oats' xmlUrl='https://oats.example/feed'/><outline text='Rye' xmlUrl='https://rye.example/feed'/>\
             </body></opml>",
        )
        .await;
        assert_eq!((shown.new_feeds, shown.manual_feeds, shown.truncated), (2, 1, false));
        assert_eq!((shown.subscribed, shown.repeated), (0, 1), "a feed that the file has twice is not subscribed yet");
        let listed: Vec<_> = shown.feeds.iter().map(|feed| (&*feed.title, feed.subscribed)).collect();
        assert_eq!(listed, [("Rye", false), ("Oats", false), ("Old", false)]);
        let outlines = "<outline text='Rye' xmlUrl='https://rye.example/feed'/><outline text='Rye' xmlUrl='https://rye.example/feed'/>\
             <outline text='Barley' xmlUrl='https://barley.example/feed'/></body></opml>";
        let shown = preview_in(&library, &folder, outlines).await;
        assert_eq!((shown.new_feeds, shown.subscribed, shown.repeated), (1, 1, 1));
        // New feeds come first.
        let listed: Vec<_> = shown.feeds.iter().map(|feed| (&*feed.title, feed.subscribed)).collect();
        assert_eq!(listed, [("Barley", false), ("Rye", true)]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_feeds_of_an_archive_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rye.opml");
        let feed = |name: &str| format!("<outline text='{name}' xmlUrl='https://{name}.example/feed'/>");
        std::fs::write(&path, format!("<opml version='2.0'><body><outline text='Mill'>{}</outline>", feed("Rye")))
            .unwrap();
        let source = |name: &str, path: &Path| ImportSource { name: name.to_owned(), path: path.to_owned() };
        let (_, found) = find_importable(&[source("rye.opml", &path)]).pop().unwrap();
        let library = Arc::new(Library::open(&folder.path().join("one")).await.unwrap());
        let mut data = readers::open(&found.unwrap()).await.unwrap();
        readers::import(&library, &mut data, 0, |_| true).await.unwrap();
        let zip = folder.path().join("all.zip");
        archive::export(Arc::clone(&library), zip.clone(), |_| true).await.unwrap();
        let empty = Arc::new(Library::open(&folder.path().join("two")).await.unwrap());
        for (library, new) in [(empty, 1), (library, 0)] {
            let shown = of_archive(&library, &source("all.zip", &zip), MAX_ARTICLES).await;
            assert_eq!((shown.new_feeds, shown.subscribed, shown.folders), (new, 1 - new, 1));
            let rye = PreviewFeed { title: "Rye".to_owned(), folder: "Mill".to_owned(), subscribed: new == 0 };
            assert_eq!(shown.feeds, [rye]);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_new_articles_of_an_archive_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let source = |name: &str| ImportSource { name: name.to_owned(), path: folder.path().join(name) };
        let article = |n: i64| {
            format!(r#"{{"guid":"{n}","title":"T{n}","origin":{{"streamId":"feed/https://rye.example/feed"}}}}"#)
        };
        let library = Arc::new(Library::open(&folder.path().join("one")).await.unwrap());
        let take = async |numbers: &[i64]| {
            let items: Vec<String> = numbers.iter().map(|n| article(*n)).collect();
            let json = source("starred.json");
            std::fs::write(&json.path, format!(r#"{{"items":[{}]}}"#, items.join(","))).unwrap();
            let found = find_importable(&[json]).pop().unwrap().1.unwrap();
            let mut data = readers::open(&found).await.unwrap();
            readers::import(&library, &mut data, 0, |_| true).await.unwrap();
        };
        take(&[1]).await;
        let (first, second) = (source("first.zip"), source("second.zip"));
        archive::export(Arc::clone(&library), first.path.clone(), |_| true).await.unwrap();
        take(&[1, 2]).await;
        archive::export(Arc::clone(&library), second.path.clone(), |_| true).await.unwrap();

        let counts = async |library: &Arc<Library>, source: &ImportSource, most: u32| {
            let shown = of_archive(library, source, most).await;
            (shown.articles.unwrap(), shown.existing_articles, shown.has_articles)
        };
        // A library with the articles of the first archive.
        let other = Arc::new(Library::open(&folder.path().join("two")).await.unwrap());
        assert_eq!(counts(&other, &second, 10).await, (2, 0, true));
        archive::import(Arc::clone(&other), first.path.clone(), false, |_| true).await.unwrap();
        assert_eq!(counts(&other, &first, 10).await, (0, 1, false), "nothing new");
        assert_eq!(counts(&other, &second, 10).await, (1, 1, true));
        assert_eq!(counts(&other, &second, 1).await, (2, 0, true), "too many to look them up");
    }

    #[tokio::test]
    async fn the_new_articles_of_another_readers_file_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(&folder.path().join("library")).await.unwrap();
        let path = folder.path().join("starred.json");
        let found = |articles: &[(i64, bool)]| {
            let items: Vec<String> = articles
                .iter()
                .map(|(n, starred)| {
                    let label = if *starred { r#""user/-/state/com.google/starred""# } else { "" };
                    format!(
                        r#"{{"guid":"{n}","title":"T{n}","categories":[{label}],"origin":{{"streamId":"feed/https://rye.example/feed"}}}}"#
                    )
                })
                .collect();
            std::fs::write(&path, format!(r#"{{"items":[{}]}}"#, items.join(","))).unwrap();
            let source = ImportSource { name: "starred.json".to_owned(), path: path.clone() };
            find_importable(&[source]).pop().unwrap().1.unwrap()
        };
        let take = async |found: &Found| {
            let mut data = readers::open(found).await.unwrap();
            readers::import(&library, &mut data, 0, |_| true).await.unwrap()
        };
        let shown = async |found: &Found| {
            let shown = of_data(&library, found, || true).await.unwrap();
            (shown.articles, shown.existing_articles, shown.has_articles, shown.has_marks)
        };
        let first = found(&[(1, false)]);
        assert_eq!(shown(&first).await, (None, 0, true, false), "its feed is new");
        assert!(!take(&first).await.added_to_others, "its feed is new, too");
        assert_eq!(shown(&first).await, (Some(0), 1, false, false), "nothing new");
        let starred = found(&[(1, true)]);
        assert_eq!(shown(&starred).await, (Some(0), 1, false, true), "a star is new");
        let more = found(&[(1, true), (2, true)]);
        assert_eq!(shown(&more).await, (Some(1), 1, true, true));
        let of_library = of_data(&library, &more, || false).await.unwrap();
        assert_eq!((of_library.articles, of_library.has_articles), (None, true), "it was cancelled");
        // Cancelled while the articles of the batch are looked up.
        for looks in 1..3_u32 {
            let left = Cell::new(looks);
            let go_on = || left.replace(left.get().saturating_sub(1)) > 0;
            let stopped = of_data(&library, &more, go_on).await.unwrap();
            assert_eq!((stopped.articles, stopped.has_articles), (None, true), "{looks}");
        }
        // As many are imported.
        let taken = take(&more).await;
        assert_eq!((taken.articles.articles, taken.articles.marked, taken.added_to_others), (1, 1, true));
        assert_eq!(shown(&more).await, (Some(0), 2, false, false));
        assert!(!take(&more).await.added_to_others);
    }

    #[tokio::test]
    async fn a_truncated_file_is_reported() {
        let rye = "<outline text='Rye' xmlUrl='https://rye.example/feed'/>";
        for (rest, feeds) in [("<outline text='Oats'", 1), ("<outline text='Oats' xmlUrl='https://oa", 1), ("", 1)] {
            let shown = preview(&format!("{rye}{rest}")).await;
            assert_eq!((shown.new_feeds, shown.truncated), (feeds, true), "{rest}");
        }
        // A list that was repaired without loss is not cut off.
        let shown =
            preview(&format!("{rye}<outline text='Oats & more' xmlUrl='https://oats.example/'/></body></opml>")).await;
        assert_eq!((shown.new_feeds, shown.truncated), (2, false));
    }
}
