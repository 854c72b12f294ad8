//! Imports feeds and articles of another reader into the library: feeds first, then articles in batches, each completely or not at all.
//! After cancelling, the articles imported so far stay, and the next import continues from there.

use super::{Article, Articles, Feed, ImportError, ReaderData, SkipReason, Skipped};
use gleaner_identity::{Known, addresses, identify, recognise};
use gleaner_library::{
    FeedRow, GainedMarks, ImportedArticles, ImportedCounts, LOCAL_ACCOUNT, Library, LibraryError, Marks, Millis,
    NewSubscription, tag_key,
};
use gleaner_polling::article::new_item;
use std::collections::{BTreeMap, HashMap, HashSet};
use url::Url;

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportResult {
    /// Ids of the new feeds that are to be refreshed.
    pub added: Vec<i64>,
    /// Ids of the new feeds that are not polled: the file does not say that they are subscribed, or they have no web address.
    pub unpolled: Vec<i64>,
    /// Ids of the new folders, parents before their subfolders.
    pub folders: Vec<i64>,
    /// Titles of the feeds that the library already has.
    pub already: Vec<String>,
    /// Titles of entries with a feed that the file has named before.
    pub repeated: Vec<String>,
    /// Counts of articles.
    pub articles: ImportedCounts,
    /// Whether new articles are in feeds that the library had.
    pub added_to_others: bool,
    /// Number of articles that the library already has.
    pub known: usize,
    /// The marks that these gained.
    pub gained: GainedMarks,
    /// Things that were left out.
    pub skipped: Vec<Skipped>,
    /// Whether it was cancelled; the articles imported until then stay.
    pub cancelled: bool,
    /// Whether the file could not be read to its end.
    pub damaged: bool,
}

impl ImportResult {
    /// Returns the ids of all new feeds.
    #[must_use]
    pub fn feeds(&self) -> Vec<i64> {
        [self.added.as_slice(), &self.unpolled].concat()
    }
}

/// Counts of the contents of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Survey {
    /// Number of articles.
    pub articles: usize,
    /// Number of read articles.
    pub read: usize,
    /// Number of starred articles.
    pub starred: usize,
    /// Number of articles that were deleted in the other reader.
    pub deleted: usize,
}

/// Counts what [`import`] would import.
///
/// # Errors
/// [`ImportError`] when the file cannot be read to its end.
pub async fn survey(data: &mut ReaderData) -> Result<Survey, ImportError> {
    let mut survey = Survey::default();
    loop {
        let articles = data.next().await?;
        if articles.is_empty() {
            return Ok(survey);
        }
        for article in &articles {
            survey.articles += 1;
            survey.read += usize::from(article.marks.read == Some(true));
            survey.starred += usize::from(article.marks.starred);
            survey.deleted += usize::from(article.marks.hidden);
        }
    }
}

/// How the articles of a file differ from those in the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Number of articles that [`import`] would add to feeds of the library.
    pub new: usize,
    /// Number of articles that the library has.
    pub known: usize,
    /// Number of these that would gain a mark.
    pub gaining: usize,
}

/// Compares the articles of a file with the library, without changing it. Returns `None` if there are more than `most`, if the file cannot
/// be read to its end, or once `go_on` returns false.
///
/// # Errors
/// [`ImportError`] when the file or the library cannot be read.
pub async fn compare(
    library: &Library,
    data: &mut ReaderData,
    most: usize,
    now: Millis,
    go_on: impl Fn() -> bool,
) -> Result<Option<Comparison>, ImportError> {
    let (feeds, _) = homes(library, data).await?;
    let (mut done, mut comparison) = (0, Comparison::default());
    loop {
        let articles = match data.next().await {
            Err(ImportError::Damaged { .. }) => return Ok(None),
            articles => articles?,
        };
        if articles.is_empty() {
            return Ok(Some(comparison));
        }
        done += articles.len();
        if done > most || !go_on() {
            return Ok(None);
        }
        let mut known = Vec::new();
        for feed in by_feed(library, &feeds, articles, now, &go_on).await?.0 {
            comparison.new += feed.new.len();
            known.extend(feed.known);
        }
        if !go_on() {
            return Ok(None);
        }
        comparison.known += known.len();
        // Once for all feeds, since it waits for the library's writer.
        comparison.gaining += library.subscriptions().count_gaining(&known).await?;
    }
}

/// Progress: the number of feeds or articles done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Number of feeds done.
    Feeds(usize),
    /// Number of articles done.
    Articles(usize),
}

/// Imports the data of another reader. `progress` receives the progress and returns whether to continue.
///
/// # Errors
/// [`ImportError`]; the articles imported until then stay.
pub async fn import(
    library: &Library,
    data: &mut ReaderData,
    now: Millis,
    mut progress: impl FnMut(Step) -> bool,
) -> Result<ImportResult, ImportError> {
    let mut result = ImportResult { skipped: std::mem::take(&mut data.skipped), ..ImportResult::default() };
    let feeds = subscribe(library, data, &mut result, &mut progress).await?;
    let new_feeds = result.feeds();
    let (mut done, mut homeless) = (0, 0);
    while !result.cancelled {
        let articles = match data.next().await {
            Ok(articles) => articles,
            Err(error @ ImportError::Damaged { .. }) => {
                tracing::warn!(%error, "a file was not read to its end");
                result.damaged = true;
                break;
            }
            Err(error) => return Err(error),
        };
        if articles.is_empty() {
            break;
        }
        done += articles.len();
        let (imported, without) = by_feed(library, &feeds, articles, now, &|| true).await?;
        homeless += without;
        result.known += imported.iter().map(|feed| feed.known.len()).sum::<usize>();
        let (counts, gained) = library.subscriptions().import_articles(&imported).await?;
        result.articles += counts;
        let is_other = |feed: &ImportedArticles| !feed.new.is_empty() && !new_feeds.contains(&feed.feed);
        result.added_to_others |= counts.articles > 0 && imported.iter().any(is_other);
        result.gained.extend(gained);
        result.cancelled = !progress(Step::Articles(done));
    }
    if homeless > 0 {
        result.skipped.push(Skipped { what: String::new(), why: SkipReason::FeedsGone { count: homeless } });
    }
    Ok(result)
}

/// Decides which articles of a batch are new, feed by feed until `go_on` returns false, and returns how many have no feed.
async fn by_feed(
    library: &Library,
    feeds: &HashMap<String, Home>,
    articles: Vec<Article>,
    now: Millis,
    go_on: &impl Fn() -> bool,
) -> Result<(Vec<ImportedArticles>, usize), ImportError> {
    let (mut of_feeds, mut homeless): (BTreeMap<i64, Vec<Article>>, usize) = Default::default();
    for article in articles {
        match feeds.get(&article.feed) {
            Some(feed) => of_feeds.entry(feed.number).or_default().push(article.without(&feed.folders)),
            None => homeless += 1,
        }
    }
    let mut imported = Vec::with_capacity(of_feeds.len());
    for (feed, articles) in of_feeds {
        if !go_on() {
            break;
        }
        let url = feeds.values().find(|home| home.number == feed).and_then(|home| home.url.clone());
        imported.push(decided(library, feed, url, merge_repeated(articles), now).await?);
    }
    Ok((imported, homeless))
}

/// The feed that articles are imported into.
struct Home {
    number: i64,
    url: Option<Url>,
    /// Names of its folders, as keys of tags.
    folders: Vec<String>,
}

async fn subscribe(
    library: &Library,
    data: &ReaderData,
    result: &mut ImportResult,
    progress: &mut impl FnMut(Step) -> bool,
) -> Result<HashMap<String, Home>, ImportError> {
    let feeds: Vec<&NewSubscription> = in_order(&data.feeds).map(|feed| &feed.subscription).collect();
    let mut go_on = true;
    // Creates all folders, also empty ones.
    let counts = library
        .subscriptions()
        .import(&data.folders, &feeds, |done| {
            go_on &= progress(Step::Feeds(done));
            go_on
        })
        .await?;
    result.folders = counts.folders;
    result.already = counts.already;
    result.repeated = counts.repeated;
    let manual: HashSet<i64> = counts.manual.into_iter().collect();
    (result.unpolled, result.added) = counts.added.into_iter().partition(|id| manual.contains(id));
    result.cancelled = !go_on;
    if matches!(data.articles, Articles::None) && result.already.is_empty() && result.repeated.is_empty() {
        return Ok(HashMap::new());
    }
    let (homes, nameless) = homes(library, data).await?;
    if !nameless.is_empty() {
        library.subscriptions().set_missing_titles(&nameless).await?;
    }
    Ok(homes)
}

/// Returns feeds in the order of the file. If several have the same address, the polled ones come first: only the first one is added.
fn in_order(feeds: &[Feed]) -> impl Iterator<Item = &Feed> {
    let polled: HashSet<String> = feeds
        .iter()
        .filter(|feed| feed.is_polled())
        .map(|feed| gleaner_library::feed_key(&feed.subscription.url))
        .collect();
    let is_later =
        move |feed: &&Feed| !feed.is_polled() && polled.contains(&gleaner_library::feed_key(&feed.subscription.url));
    let (later, first): (Vec<&Feed>, Vec<&Feed>) = feeds.iter().partition(is_later);
    first.into_iter().chain(later)
}

/// Returns the feeds of the library that the file names, by their ids in the file, and those that have no title or site yet, by their
/// ids in the library.
async fn homes<'a>(
    library: &Library,
    data: &'a ReaderData,
) -> Result<(HashMap<String, Home>, Vec<(i64, &'a NewSubscription)>), LibraryError> {
    let folders: HashMap<i64, (Option<i64>, String)> = library
        .folders()
        .list()
        .await?
        .into_iter()
        .map(|folder| (folder.id, (folder.parent_id, folder.name)))
        .collect();
    let mut rows = library.feeds().list().await?;
    // If several have the same address, the last one is used: the feed of this computer.
    rows.sort_by_key(|feed| feed.account_id == LOCAL_ACCOUNT);
    let rows: HashMap<String, FeedRow> =
        rows.into_iter().map(|feed| (gleaner_library::feed_key(&feed.url), feed)).collect();
    let mut homes = HashMap::with_capacity(data.feeds.len());
    let mut nameless = Vec::new();
    for feed in &data.feeds {
        let known = &feed.subscription;
        let Some(row) = rows.get(&gleaner_library::feed_key(&known.url)) else {
            continue;
        };
        let (number, mut folder) = (row.id, row.folder_id);
        // The list next to a database may contain only the address.
        if (row.title.is_none() && known.title.is_some()) || (row.home_url.is_none() && known.home_url.is_some()) {
            nameless.push((number, known));
        }
        let mut names = Vec::new();
        while let Some((parent, name)) = folder.and_then(|id| folders.get(&id)) {
            names.push(tag_key(name));
            folder = *parent;
        }
        homes.insert(feed.id.clone(), Home { number, url: Url::parse(&row.url).ok(), folders: names });
    }
    Ok((homes, nameless))
}

impl Article {
    /// Turns labels into tags, except those that are folders of its feed.
    fn without(mut self, folders: &[String]) -> Self {
        self.marks.tags.extend(self.labels.drain(..).filter(|label| !folders.contains(&tag_key(label))));
        self
    }
}

/// Merges articles that occur twice, with the marks of both.
fn merge_repeated(articles: Vec<Article>) -> Vec<Article> {
    let mut united: Vec<Article> = Vec::with_capacity(articles.len());
    let mut seen = HashMap::new();
    for article in articles {
        let same = (article.item.id.clone(), article.item.url.clone(), article.item.title.clone());
        match seen.get(&same) {
            None => {
                seen.insert(same, united.len());
                united.push(article);
            }
            Some(at) => {
                let Marks { read, starred, hidden, tags } = article.marks;
                let first: &mut Marks = &mut united[*at].marks;
                first.read = first.read.max(read);
                first.starred |= starred;
                first.hidden &= hidden;
                first.tags.extend(tags);
            }
        }
    }
    united
}

/// Decides which articles are new and which the library has, as polling does.
async fn decided(
    library: &Library,
    feed: i64,
    url: Option<Url>,
    articles: Vec<Article>,
    now: Millis,
) -> Result<ImportedArticles, ImportError> {
    let (keys, urls) = {
        let identified = identify(articles.iter().map(|article| &article.item));
        let urls = addresses(identified.iter().filter_map(|item| item.canonical_url.as_deref()));
        (identified.into_iter().map(|item| item.key).collect::<Vec<_>>(), urls)
    };
    let sought: Vec<&str> = keys.iter().map(String::as_str).collect();
    let since = Some(library.polls().next_item().await?);
    let known = Known::new(library.polls().known_items(feed, &sought, &urls).await?);
    // Reading and compressing texts would block the runtime.
    let deciding = tokio::task::spawn_blocking(move || decide(feed, url.as_ref(), &articles, keys, &known, now));
    let imported = deciding.await.map_err(|error| LibraryError::Invalid(error.to_string()))?;
    Ok(ImportedArticles { since, ..imported })
}

fn decide(
    feed: i64,
    url: Option<&Url>,
    articles: &[Article],
    keys: Vec<String>,
    known: &Known,
    now: Millis,
) -> ImportedArticles {
    let mut imported = ImportedArticles { feed, keys, ..ImportedArticles::default() };
    for (item, found) in recognise(identify(articles.iter().map(|article| &article.item)), known) {
        let marks = articles.get(item.position).map(|article| article.marks.clone()).unwrap_or_default();
        if let Some(before) = found.before {
            if before.gone.is_none() {
                imported.known.push((before.id, marks));
                continue;
            }
            // A starred article is restored if it was deleted in this library. A tag is no reason: it may have been a folder of the feed.
            if !marks.starred || marks.hidden {
                continue;
            }
            imported.restored.push(before.key.clone());
        }
        let mut new = new_item(found.key, item, now, url, None);
        new.read = marks.read.unwrap_or(true) || marks.hidden;
        imported.new.push((new, marks));
    }
    imported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_that_are_not_polled_keep_their_place_unless_one_with_their_address_is() {
        let feed = |name: &str, refresh_minutes| Feed {
            id: name.to_owned(),
            subscription: NewSubscription {
                refresh_minutes,
                ..NewSubscription::new(format!("https://{name}.example/"))
            },
        };
        let feeds = [feed("oats", Some(0)), feed("rye", Some(0)), feed("milk", None), feed("oats", None)];
        let order: Vec<_> = in_order(&feeds).map(|feed| (feed.id.as_str(), feed.is_polled())).collect();
        assert_eq!(order, [("rye", false), ("milk", true), ("oats", true), ("oats", false)]);
    }
}
