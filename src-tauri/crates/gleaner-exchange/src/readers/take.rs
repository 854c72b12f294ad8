//! Into the library: feeds first, then articles in batches, each whole or not at all. Stopped at any point, what came stays, and the
//! next time goes on from there.

use super::{Article, Feed, Kept, NotTaken, Skipped};
use gleaner_library::{FeedRow, Library, Marks, Millis, NewSubscription, TakenOver, TookOver, tag_key};
use gleaner_polling::decide::{self, Known, Recognised};
use std::collections::{BTreeMap, HashMap};

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Took {
    /// The numbers of the feeds that are new and are to be asked for news.
    pub added: Vec<i64>,
    /// New feeds that are not asked by themselves: nobody says that they are subscribed, or they have no address of the web.
    pub unasked: usize,
    /// Folders that are new.
    pub folders_added: usize,
    /// What the feeds that were there already are called.
    pub already: Vec<String>,
    /// Articles.
    pub articles: TookOver,
    /// Articles that were there already.
    pub known: usize,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// It was stopped: what came until then stays.
    pub cancelled: bool,
    /// What kept it from being read to its end, in words.
    pub damaged: Option<String>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Survey {
    /// Articles.
    pub articles: usize,
    /// Those that are said to be read.
    pub read: usize,
    /// Those with a star.
    pub starred: usize,
    /// Those that were deleted there.
    pub deleted: usize,
}

/// Counts what [`take`] would take in.
///
/// # Errors
/// [`NotTaken`], when it cannot be read to its end.
pub async fn survey(kept: &mut Kept) -> Result<Survey, NotTaken> {
    let mut survey = Survey::default();
    loop {
        let articles = kept.next().await?;
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

/// How far it is: the number of feeds or articles that are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Feeds.
    Feeds(usize),
    /// Articles.
    Articles(usize),
}

/// Takes in what another reader kept. `progress` hears how far it is, and says whether to go on.
///
/// # Errors
/// [`NotTaken`]; what came in before stays.
pub async fn take(
    library: &Library,
    kept: &mut Kept,
    now: Millis,
    mut progress: impl FnMut(Step) -> bool,
) -> Result<Took, NotTaken> {
    let mut took = Took { skipped: std::mem::take(&mut kept.skipped), ..Took::default() };
    let feeds = subscribe(library, kept, &mut took, &mut progress).await?;
    let (mut done, mut homeless) = (0, 0);
    while !took.cancelled {
        let articles = match kept.next().await {
            Ok(articles) => articles,
            Err(error @ NotTaken::Damaged { .. }) => {
                took.damaged = Some(error.to_string());
                break;
            }
            Err(error) => return Err(error),
        };
        if articles.is_empty() {
            break;
        }
        done += articles.len();
        let mut of_feeds: BTreeMap<i64, Vec<Article>> = BTreeMap::new();
        for article in articles {
            match feeds.get(&article.feed) {
                Some(feed) => of_feeds.entry(feed.number).or_default().push(article.without(&feed.folders)),
                None => homeless += 1,
            }
        }
        let mut taken = Vec::with_capacity(of_feeds.len());
        for (feed, articles) in of_feeds {
            taken.push(decided(library, feed, &united(articles), now).await?);
        }
        took.known += taken.iter().map(|feed| feed.known.len()).sum::<usize>();
        took.articles += library.take_over(&taken).await?;
        took.cancelled = !progress(Step::Articles(done));
    }
    if homeless > 0 {
        let why = "the feeds that they came from are not there any more".to_owned();
        took.skipped.push(Skipped { what: format!("{homeless} articles"), why });
    }
    Ok(took)
}

/// Where a feed's articles go.
struct Home {
    number: i64,
    /// The names of the folders that it is in, as keys of tags.
    folders: Vec<String>,
}

async fn subscribe(
    library: &Library,
    kept: &Kept,
    took: &mut Took,
    progress: &mut impl FnMut(Step) -> bool,
) -> Result<HashMap<String, Home>, NotTaken> {
    let is_asked = |feed: &&NewSubscription| feed.refresh_minutes != Some(0);
    let all = || kept.feeds.iter().map(|feed: &Feed| &feed.subscription);
    let asked: Vec<NewSubscription> = all().filter(is_asked).cloned().collect();
    let unasked: Vec<NewSubscription> = all().filter(|feed| !is_asked(feed)).cloned().collect();
    let mut go_on = true;
    for (feeds, before) in [(&asked, 0), (&unasked, asked.len())] {
        // An account's folders may well be empty.
        let folders = if before == 0 && go_on { kept.folders.as_slice() } else { &[] };
        let counts = library
            .import(folders, feeds, |done| {
                go_on &= progress(Step::Feeds(before + done));
                go_on
            })
            .await?;
        took.folders_added += counts.folders_added;
        took.already.extend(counts.already);
        if feeds.first().is_some_and(|feed| is_asked(&feed)) {
            took.added.extend(counts.added);
        } else {
            took.unasked += counts.added.len();
        }
    }
    took.cancelled = !go_on;
    let folders: HashMap<i64, (Option<i64>, String)> =
        library.folders().await?.into_iter().map(|folder| (folder.id, (folder.parent_id, folder.name))).collect();
    let rows: HashMap<String, FeedRow> =
        library.feeds().await?.into_iter().map(|feed| (gleaner_library::feed_key(&feed.url), feed)).collect();
    let mut homes = HashMap::with_capacity(kept.feeds.len());
    let mut nameless = Vec::new();
    for feed in &kept.feeds {
        let known = &feed.subscription;
        let Some(row) = rows.get(&gleaner_library::feed_key(&known.url)) else {
            continue;
        };
        let (number, mut folder) = (row.id, row.folder_id);
        // The list beside a database may have given no more than the address.
        if (row.title.is_none() && known.title.is_some()) || (row.home_url.is_none() && known.home_url.is_some()) {
            nameless.push((number, known));
        }
        let mut names = Vec::new();
        while let Some((parent, name)) = folder.and_then(|id| folders.get(&id)) {
            names.push(tag_key(name));
            folder = *parent;
        }
        homes.insert(feed.id.clone(), Home { number, folders: names });
    }
    if !nameless.is_empty() {
        library.name_feeds(&nameless).await?;
    }
    Ok(homes)
}

impl Article {
    /// With its labels as tags, where they are not only the folders of its feed.
    fn without(mut self, folders: &[String]) -> Self {
        self.marks.tags.extend(self.labels.drain(..).filter(|label| !folders.contains(&tag_key(label))));
        self
    }
}

/// The same article twice is one, with the marks of both.
fn united(articles: Vec<Article>) -> Vec<Article> {
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

/// Which articles are new, and which are there, by the rules of polling.
async fn decided(library: &Library, feed: i64, articles: &[Article], now: Millis) -> Result<TakenOver, NotTaken> {
    let identified = decide::identities_of(articles.iter().map(|article| &article.item));
    let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
    let known = Known::new(library.known_items(feed, &keys, &decide::addresses(&identified)).await?);
    let marks: HashMap<*const gleaner_feed::Item, &Marks> =
        articles.iter().map(|article| (std::ptr::from_ref(&article.item), &article.marks)).collect();
    let mut taken = TakenOver { feed, ..TakenOver::default() };
    for Recognised { key, item, digest, before } in decide::recognise(identified, &known) {
        let marks = marks.get(&std::ptr::from_ref(item)).copied().cloned().unwrap_or_default();
        match before {
            // It was let go of here.
            Some(before) if before.gone.is_some() => {}
            Some(before) => taken.known.push((before.id, marks)),
            None => {
                let mut new = decide::new_item(key, item, digest, now, None);
                new.read = marks.read.unwrap_or(true) || marks.hidden;
                taken.new.push((new, marks));
            }
        }
    }
    Ok(taken)
}
