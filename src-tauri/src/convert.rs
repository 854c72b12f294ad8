//! Between the core's types and the window's. Core types carry nothing for the window's sake.

mod search;

use crate::images;
use gleaner_contract::{self as contract, ErrorCode, IpcError};
use gleaner_discovery::DiscoveryError;
use gleaner_fetch::FetchError;
use gleaner_inspect::{Field, Told, ToldItem, ToldRepair};
use gleaner_library::{
    ArrangedQuery, Arrangement, Cursor, Failure, FeedRow, LibraryError, ListQuery, MarkScope, Millis, Place, Poll,
    PollLogRow, Row, Source, default_folder,
};
use gleaner_polling::{LookError, PollError, Remedy, trouble};
pub use search::{
    not_understood, query_problem, search_cursor, search_error, search_hit, search_order, search_place, wrong_with,
};
use std::collections::HashMap;
use url::Url;

pub fn internal(message: &str) -> IpcError {
    IpcError { code: ErrorCode::Internal, message: message.to_owned(), detail: None }
}

pub fn library_error(error: LibraryError) -> IpcError {
    let message = error.to_string();
    if error.is_damage() {
        let detail = default_folder().map(|folder| folder.display().to_string());
        return IpcError { code: ErrorCode::LibraryDamaged, message, detail };
    }
    let (code, detail) = match error {
        LibraryError::ReadOnly { folder, .. } => (ErrorCode::LibraryReadOnly, Some(folder.display().to_string())),
        LibraryError::Newer { folder, .. } => (ErrorCode::LibraryNewer, Some(folder.display().to_string())),
        LibraryError::DiskFull => (ErrorCode::DiskFull, None),
        LibraryError::Locked => (ErrorCode::Busy, None),
        LibraryError::NotFound(_) => (ErrorCode::NotFound, None),
        LibraryError::Invalid(why) => (ErrorCode::InvalidInput, Some(why)),
        LibraryError::AlreadySubscribed(_) => (ErrorCode::AlreadySubscribed, None),
        LibraryError::Damaged { .. } | LibraryError::DiskFailed(_) | LibraryError::Sql(_) => {
            (ErrorCode::Internal, None)
        }
    };
    IpcError { code, message, detail }
}

pub fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub fn poll_error(error: PollError) -> IpcError {
    match error {
        PollError::Library(error) => library_error(error),
        PollError::Task(error) => internal(&error.to_string()),
    }
}

pub fn look_error(error: LookError) -> IpcError {
    match error {
        LookError::Discovery(error) => discovery_error(&error),
        LookError::Library(error) => library_error(error),
    }
}

pub fn fetch_error(error: &FetchError) -> IpcError {
    let (name, detail) = trouble::of_fetch(error);
    IpcError { code: code(name), message: error.message.clone(), detail }
}

/// The polling crate's name for a trouble is the contract's.
fn code(name: &str) -> ErrorCode {
    serde_json::from_value(serde_json::Value::from(name)).unwrap_or(ErrorCode::Internal)
}

pub fn discovery_error(error: &DiscoveryError) -> IpcError {
    let message = error.to_string();
    match error {
        DiscoveryError::Address(why) => {
            IpcError { code: ErrorCode::InvalidAddress, detail: Some(why.clone()), message }
        }
        DiscoveryError::Fetch(error) => fetch_error(error),
        DiscoveryError::NoFeed(url) => IpcError { code: ErrorCode::NoFeed, detail: Some(url.to_string()), message },
    }
}

pub fn failure(failure: &Failure) -> Option<IpcError> {
    let code = code(failure.error_code.as_deref()?);
    Some(IpcError {
        code,
        message: failure.error_message.clone().unwrap_or_default(),
        detail: failure.error_detail.clone(),
    })
}

/// The feeds of the sidebar.
pub fn feeds(
    rows: Vec<FeedRow>,
    polls: &HashMap<i64, Poll>,
    remedies: &mut HashMap<i64, Vec<Remedy>>,
    pictures: &HashMap<i64, bool>,
) -> Vec<contract::Feed> {
    let titles: HashMap<i64, String> = rows.iter().map(|row| (row.id, row.shown_title())).collect();
    let shown = |row: FeedRow| {
        let poll = polls.get(&row.id);
        let found = remedies.remove(&row.id).unwrap_or_default();
        let remedies = remedies_of(&row, poll, found, |id| titles.get(&id).cloned());
        let load_images = pictures.get(&row.id).copied();
        feed(row, poll, remedies, load_images)
    };
    rows.into_iter().map(shown).collect()
}

/// What can be done about a feed, with what the window needs to say it.
pub fn remedies_of(
    row: &FeedRow,
    poll: Option<&Poll>,
    found: Vec<Remedy>,
    title: impl Fn(i64) -> Option<String>,
) -> Vec<contract::Remedy> {
    let moved = row.former_url.clone().map(|from| contract::Remedy::Moved { from });
    let found = found.into_iter().map(|remedy| match remedy {
        Remedy::Follow { to } => {
            contract::Remedy::Follow { to, answers: poll.map_or(1, gleaner_polling::answers_until_followed) }
        }
        Remedy::Merge { with } => contract::Remedy::Merge { feed_id: with, title: title(with).unwrap_or_default() },
        Remedy::Switch { to, title } => contract::Remedy::Switch { to, title },
        Remedy::Parked => contract::Remedy::Parked,
        Remedy::Gone => contract::Remedy::Gone,
        Remedy::NotAFeed => contract::Remedy::NotAFeed,
        Remedy::Certificate => contract::Remedy::Certificate,
        Remedy::Attention => contract::Remedy::Attention,
        Remedy::Silent { since } => contract::Remedy::Silent { since },
    });
    found.chain(moved).collect()
}

/// A reason as polling names it is the contract's.
pub fn reason(name: Option<&str>) -> Option<contract::PollReason> {
    serde_json::from_value(serde_json::Value::from(name?)).ok()
}

pub fn poll_line(row: PollLogRow) -> contract::PollLine {
    contract::PollLine {
        at: row.at,
        why: reason(Some(&row.why)),
        conditional: row.conditional,
        status: row.status,
        trouble: row.code.map(|name| IpcError {
            code: code(&name),
            message: row.message.unwrap_or_default(),
            detail: row.status.filter(|status| *status >= 400).map(|status| status.to_string()),
        }),
        hops: row.hops.map(|hops| hops.lines().map(str::to_owned).collect()).unwrap_or_default(),
        took_ms: row.took_ms,
        bytes: row.bytes,
        new_articles: row.new_items,
        changed_articles: row.changed,
        next: row.next_at,
        next_reason: reason(row.next_reason.as_deref()),
    }
}

fn feed(
    row: FeedRow,
    poll: Option<&Poll>,
    remedies: Vec<contract::Remedy>,
    load_images: Option<bool>,
) -> contract::Feed {
    let trouble = poll.and_then(|poll| {
        let error = failure(&poll.failure)?;
        Some(contract::Trouble {
            error,
            since: poll.failure.error_since.or(poll.checked_at).unwrap_or(0),
            next: poll.next_at,
        })
    });
    contract::Feed {
        id: row.id,
        folder_id: row.folder_id,
        title: row.shown_title(),
        url: row.url,
        home_url: row.home_url,
        icon: row.icon_at.map(|at| images::icon(row.id, at)),
        load_images,
        local: row.local,
        trouble,
        remedies,
        checked: poll.and_then(|poll| poll.checked_at),
    }
}

pub fn elsewhere(twins: Vec<gleaner_library::Elsewhere>, feeds: &[FeedRow]) -> Vec<contract::Elsewhere> {
    let told = |twin: gleaner_library::Elsewhere| {
        let feed = feeds.iter().find(|feed| feed.id == twin.feed_id)?;
        Some(contract::Elsewhere { article_id: twin.id, feed_id: twin.feed_id, feed_title: feed.shown_title() })
    };
    twins.into_iter().filter_map(told).collect()
}

/// Local midnight.
pub fn midnight() -> Millis {
    use chrono::{Local, NaiveTime};
    let now = Local::now();
    match now.with_time(NaiveTime::MIN) {
        chrono::LocalResult::Single(midnight) | chrono::LocalResult::Ambiguous(midnight, _) => {
            midnight.timestamp_millis()
        }
        // A night whose clock change leaves midnight out begins an hour later.
        chrono::LocalResult::None => now.timestamp_millis() - now.timestamp_millis().rem_euclid(86_400_000),
    }
}

pub fn source(source: contract::Source) -> Source {
    match source {
        contract::Source::Today => Source::Since(midnight()),
        contract::Source::Unread => Source::Unread,
        contract::Source::Starred => Source::Starred,
        contract::Source::All => Source::All,
        contract::Source::Feed { id } => Source::Feed(id),
        contract::Source::Folder { id } => Source::Folder(id),
        contract::Source::Tag { id } => Source::Tag(id),
        contract::Source::Noted => Source::Noted,
        contract::Source::Hidden => Source::Hidden,
    }
}

fn cursor(cursor: contract::Cursor) -> Cursor {
    Cursor { sort_at: cursor.sort_at, id: cursor.id }
}

pub fn report(at: Millis, told: Told) -> contract::FeedReport {
    let field = |field: Field| contract::ReportField { name: field.name, value: field.value };
    let repair = |repair: ToldRepair| contract::ReportRepair {
        kind: repair.kind,
        line: repair.line,
        column: repair.column,
        detail: repair.detail,
        text: repair.text,
        at: repair.at,
    };
    let item = |item: ToldItem| contract::ReportItem {
        title: item.title,
        fields: item.fields.into_iter().map(field).collect(),
    };
    contract::FeedReport {
        at,
        format: told.format,
        encoding: told.encoding,
        encoding_from: told.encoding_from,
        well_formed: told.well_formed,
        repairs: told.repairs.into_iter().map(repair).collect(),
        repairs_total: count(told.repairs_total),
        feed: told.feed.into_iter().map(field).collect(),
        items: told.items.into_iter().map(item).collect(),
        items_total: count(told.items_total),
    }
}

fn invalid(message: String) -> IpcError {
    IpcError { code: ErrorCode::InvalidInput, detail: Some(message.clone()), message }
}

pub fn page_size(limit: u32) -> Result<u32, IpcError> {
    if (1..=500).contains(&limit) { Ok(limit) } else { Err(invalid(format!("a page of {limit} rows"))) }
}

pub fn query(query: contract::ListQuery) -> Result<ListQuery, IpcError> {
    Ok(ListQuery {
        source: source(query.source),
        unread_only: query.unread_only,
        oldest_first: query.order == contract::ListOrder::Oldest,
        after: query.after.map(cursor),
        before: query.before.map(cursor),
        limit: page_size(query.limit)?,
    })
}

/// `None`: by date.
pub fn arrangement(order: contract::ListOrder) -> Option<Arrangement> {
    match order {
        contract::ListOrder::Newest | contract::ListOrder::Oldest => None,
        contract::ListOrder::ByFeed => Some(Arrangement::ByFeed),
        contract::ListOrder::RareFirst => Some(Arrangement::RareFirst),
        contract::ListOrder::Longest => Some(Arrangement::Longest),
        contract::ListOrder::Shortest => Some(Arrangement::Shortest),
    }
}

fn place(cursor: contract::Cursor) -> Place {
    let contract::Cursor { sort_at, id, feed_id, words } = cursor;
    Place { id, feed_id, sort_at, words: i64::from(words) }
}

pub fn arranged(query: contract::ListQuery, arrangement: Arrangement) -> Result<ArrangedQuery, IpcError> {
    if query.before.is_some() {
        return Err(invalid("rows before one, in an order other than by date".to_owned()));
    }
    Ok(ArrangedQuery {
        source: source(query.source),
        unread_only: query.unread_only,
        arrangement,
        after: query.after.map(place),
        limit: page_size(query.limit)?,
    })
}

/// The place that a scope begins at, and whether what is above it is meant; `None`: all is.
pub fn beside(scope: contract::MarkScope) -> Option<(Place, bool)> {
    match scope {
        contract::MarkScope::All => None,
        contract::MarkScope::Above { cursor } => Some((place(cursor), true)),
        contract::MarkScope::Below { cursor } => Some((place(cursor), false)),
    }
}

pub fn scope(scope: contract::MarkScope) -> MarkScope {
    match scope {
        contract::MarkScope::All => MarkScope::All,
        contract::MarkScope::Above { cursor: at } => MarkScope::Above(cursor(at)),
        contract::MarkScope::Below { cursor: at } => MarkScope::Below(cursor(at)),
    }
}

/// At the pace of most adults.
pub fn reading_minutes(words: i64) -> u32 {
    const WORDS_A_MINUTE: i64 = 230;
    u32::try_from((words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE).unwrap_or(0).max(u32::from(words > 0))
}

pub fn row(row: Row) -> contract::ArticleRow {
    contract::ArticleRow {
        id: row.id,
        feed_id: row.feed_id,
        title: row.title,
        excerpt: row.excerpt,
        author: row.author,
        published: row.published_at,
        sort_at: row.sort_at,
        read: row.read,
        starred: row.starred,
        reading_minutes: reading_minutes(row.word_count),
        words: u32::try_from(row.word_count).unwrap_or(0),
        thumbnail: row.thumbnail_url,
        thumbnail_kept: row.thumbnail_kept.map(|name| images::place(&name)),
        media: row.media,
        updated: row.updated,
    }
}

pub fn playback(played: gleaner_library::Playback) -> contract::Playback {
    let gleaner_library::Playback { url, seconds, duration, finished } = played;
    contract::Playback { url, seconds, duration, finished }
}

pub fn color(color: contract::NoteColor) -> u8 {
    match color {
        contract::NoteColor::Yellow => 0,
        contract::NoteColor::Green => 1,
        contract::NoteColor::Blue => 2,
        contract::NoteColor::Pink => 3,
    }
}

pub fn quote(quote: contract::Quote) -> gleaner_library::Quote {
    let contract::Quote { exact, prefix, suffix, start } = quote;
    gleaner_library::Quote { exact, prefix, suffix, start: start.into() }
}

pub fn note(row: gleaner_library::NoteRow) -> contract::Note {
    let passage = row.passage().map(|quote| contract::Quote {
        exact: quote.exact,
        prefix: quote.prefix,
        suffix: quote.suffix,
        start: u32::try_from(quote.start).unwrap_or(0),
    });
    let color = match row.color {
        0 => contract::NoteColor::Yellow,
        1 => contract::NoteColor::Green,
        2 => contract::NoteColor::Blue,
        _ => contract::NoteColor::Pink,
    };
    contract::Note {
        id: row.id,
        quote: passage,
        color,
        text: row.note,
        created: row.created_at,
        changed: row.changed_at,
    }
}

/// Who is credited, by a name or the host of an address.
pub fn credit(credit: gleaner_library::Credit) -> Option<contract::Credit> {
    let host =
        || Url::parse(credit.url.as_deref()?).ok()?.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let title = credit.title.clone().or_else(host)?;
    Some(contract::Credit { title, url: credit.url })
}

pub fn chapter(chapter: gleaner_library::Chapter) -> contract::Chapter {
    contract::Chapter { start: chapter.start, title: chapter.title }
}

pub fn full_text_when(when: gleaner_library::FullTextWhen) -> contract::FullTextWhen {
    match when {
        gleaner_library::FullTextWhen::Never => contract::FullTextWhen::Never,
        gleaner_library::FullTextWhen::Short => contract::FullTextWhen::Short,
        gleaner_library::FullTextWhen::Always => contract::FullTextWhen::Always,
    }
}

pub fn wished_full_text_when(when: contract::FullTextWhen) -> gleaner_library::FullTextWhen {
    match when {
        contract::FullTextWhen::Never => gleaner_library::FullTextWhen::Never,
        contract::FullTextWhen::Short => gleaner_library::FullTextWhen::Short,
        contract::FullTextWhen::Always => gleaner_library::FullTextWhen::Always,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_fetch::FetchErrorKind as Kind;

    #[test]
    fn every_trouble_of_an_exchange_has_a_code_of_its_own() {
        let kinds = [
            Kind::Scheme,
            Kind::Dns,
            Kind::Connect,
            Kind::Tls,
            Kind::Timeout,
            Kind::Http(500),
            Kind::TooManyRedirects,
            Kind::PrivateAddress,
            Kind::TooLarge,
            Kind::Broken,
            Kind::Offline,
        ];
        for kind in kinds {
            let url = Box::new(url::Url::parse("https://example.com/").unwrap());
            let error = FetchError { kind, message: String::new(), retry_after: None, url, certificate: None };
            assert_ne!(fetch_error(&error).code, ErrorCode::Internal, "{kind:?}");
        }
    }
}
