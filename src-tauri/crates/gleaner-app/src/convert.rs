//! Converts between the types of the core and those of the contract.

use crate::error::{AppError, Result};
use gleaner_contract::{self as contract, ErrorCode, IpcError};
use gleaner_inspect::{Field, FlatItem, FlatRepair, FlatReport};
use gleaner_library::{
    Cursor, Failure, FeedPlayback, FeedRow, LOCAL_ACCOUNT, ListQuery, MarkScope, Millis, Order, Parameters, Poll,
    PollLogRow, Row, Source, now,
};
use gleaner_polling::{FeedError, Suggestion, schedule::Reason};
use gleaner_query::Media;
use std::collections::HashMap;
use url::Url;

/// Converts a number of things, bytes or milliseconds to the contract's type of numbers: at most `i64::MAX`.
pub(crate) fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Converts an error of a feed.
pub(crate) fn ipc(error: FeedError) -> IpcError {
    AppError::from(error).ipc
}

/// Converts the error that is stored of a feed.
pub(crate) fn failure(failure: &Failure) -> Option<IpcError> {
    FeedError::stored(failure.error_code.as_deref(), &failure.error_parameters).map(ipc)
}

/// Returns an error from its stored code and parameters.
pub(crate) fn stored_error(code: String, parameters: Parameters) -> IpcError {
    // A code of a later version of Gleaner.
    let code = serde_json::from_value(code.into()).unwrap_or(ErrorCode::Internal);
    IpcError { params: parameters.0, ..IpcError::new(code) }
}

/// Converts the feeds of the sidebar.
pub(crate) fn feeds(
    rows: Vec<FeedRow>,
    polls: &HashMap<i64, Poll>,
    suggestions: &mut HashMap<i64, Vec<Suggestion>>,
    image_loading: &HashMap<i64, bool>,
) -> Vec<contract::Feed> {
    let titles: HashMap<i64, String> = rows.iter().map(|row| (row.id, row.shown_title())).collect();
    let shown = |row: FeedRow| {
        let poll = polls.get(&row.id);
        let found = suggestions.remove(&row.id).unwrap_or_default();
        let suggestions = feed_suggestions(&row, poll, found, |id| titles.get(&id).cloned());
        let load_images = image_loading.get(&row.id).copied();
        feed(row, poll, suggestions, load_images)
    };
    rows.into_iter().map(shown).collect()
}

/// Converts the suggestions about a feed.
pub(crate) fn feed_suggestions(
    row: &FeedRow,
    poll: Option<&Poll>,
    found: Vec<Suggestion>,
    title: impl Fn(i64) -> Option<String>,
) -> Vec<contract::FeedSuggestion> {
    let moved = row.former_url.clone().map(|from| contract::FeedSuggestion::Moved { from });
    let found = found.into_iter().map(|suggestion| match suggestion {
        Suggestion::Follow { to } => contract::FeedSuggestion::Follow {
            to,
            responses_left: poll.map_or(1, gleaner_polling::responses_until_followed),
        },
        Suggestion::Merge { with } => {
            contract::FeedSuggestion::Merge { feed_id: with, title: title(with).unwrap_or_default() }
        }
        Suggestion::Switch { to, title } => contract::FeedSuggestion::Switch { to, title },
        Suggestion::Parked => contract::FeedSuggestion::Parked,
        Suggestion::Gone => contract::FeedSuggestion::Gone,
        Suggestion::NotAFeed => contract::FeedSuggestion::NotAFeed,
        Suggestion::Certificate => contract::FeedSuggestion::Certificate,
        Suggestion::PrivateNetwork => contract::FeedSuggestion::PrivateNetwork,
        Suggestion::LongFailing => contract::FeedSuggestion::LongFailing,
        Suggestion::Inactive { since } => contract::FeedSuggestion::Inactive { since },
    });
    found.chain(moved).collect()
}

/// Converts a stored reason; `None` for one of another version.
pub(crate) fn reason(name: Option<&str>) -> Option<contract::PollReason> {
    Some(match Reason::named(name?)? {
        Reason::First => contract::PollReason::First,
        Reason::ByHand => contract::PollReason::Hand,
        Reason::Usual => contract::PollReason::Usual,
        Reason::PostingFrequency => contract::PollReason::PostingFrequency,
        Reason::Preference => contract::PollReason::Preference,
        Reason::NoValidators => contract::PollReason::NoValidators,
        Reason::Fresh => contract::PollReason::Fresh,
        Reason::Ttl => contract::PollReason::Ttl,
        Reason::Period => contract::PollReason::Period,
        Reason::Skipped => contract::PollReason::Skipped,
        Reason::Failed => contract::PollReason::Failed,
        Reason::RetryAfter => contract::PollReason::RetryAfter,
        Reason::SilentHost => contract::PollReason::SilentHost,
    })
}

pub(crate) fn poll_line(row: PollLogRow) -> contract::PollLogEntry {
    contract::PollLogEntry {
        at: row.at,
        reason: reason(Some(&row.why)),
        conditional: row.conditional,
        status: row.status,
        error: FeedError::stored(row.code.as_deref(), &row.parameters).map(ipc),
        error_text: row.message,
        redirects: row.hops.map(|hops| hops.lines().map(str::to_owned).collect()).unwrap_or_default(),
        duration_ms: row.took_ms,
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
    suggestions: Vec<contract::FeedSuggestion>,
    load_images: Option<bool>,
) -> contract::Feed {
    let error = poll.and_then(|poll| {
        let error = failure(&poll.failure)?;
        Some(contract::FeedError {
            error,
            since: poll.failure.error_since.or(poll.checked_at).unwrap_or(0),
            next: poll.next_at,
            needs_attention: gleaner_polling::needs_attention(poll, now()),
        })
    });
    contract::Feed {
        id: row.id,
        folder_id: row.folder_id,
        title: row.shown_title(),
        url: row.url,
        home_url: row.home_url,
        icon: row.icon_at.map(|at| icon(row.id, at)),
        load_images,
        local: row.local,
        account_id: (row.account_id != LOCAL_ACCOUNT).then_some(row.account_id),
        error,
        suggestions,
        checked: poll.and_then(|poll| poll.checked_at),
        playback: (row.playback != FeedPlayback::default()).then_some(contract::FeedPlayback {
            speed_percent: row.playback.playback_speed,
            skip_intro: row.playback.skip_intro,
            skip_outro: row.playback.skip_outro,
        }),
    }
}

/// Returns the last local midnight.
pub(crate) fn midnight() -> Millis {
    use chrono::{Local, NaiveTime};
    let now = Local::now();
    match now.with_time(NaiveTime::MIN) {
        chrono::LocalResult::Single(midnight) | chrono::LocalResult::Ambiguous(midnight, _) => {
            midnight.timestamp_millis()
        }
        // A change of the clock may skip midnight.
        chrono::LocalResult::None => now.timestamp_millis() - now.timestamp_millis().rem_euclid(86_400_000),
    }
}

pub(crate) fn source(source: contract::Source) -> Source {
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
        contract::Source::Listening => Source::Listening,
        contract::Source::Downloads => Source::Downloads,
    }
}

fn cursor(cursor: contract::Cursor) -> Cursor {
    let contract::Cursor { sort_at, id, feed_id, words } = cursor;
    Cursor { sort_at, id, feed_id, words: i64::from(words) }
}

pub(crate) fn report(at: Millis, report: FlatReport) -> contract::FeedReport {
    let field = |field: Field| contract::ReportField { name: field.name, value: field.value };
    let repair = |repair: FlatRepair| contract::ReportRepair {
        kind: repair.kind,
        line: repair.line,
        column: repair.column,
        detail: repair.detail_code,
        detail_values: repair.detail_values,
        text: repair.text,
        at: repair.at,
    };
    let item = |item: FlatItem| contract::ReportItem {
        title: item.title,
        fields: item.fields.into_iter().map(field).collect(),
    };
    contract::FeedReport {
        at,
        format: report.format,
        encoding: report.encoding,
        encoding_source: report.encoding_from,
        well_formed: report.well_formed,
        repairs: report.repairs.into_iter().map(repair).collect(),
        repairs_total: count(report.repairs_total),
        feed: report.feed.into_iter().map(field).collect(),
        items: report.items.into_iter().map(item).collect(),
        items_total: count(report.items_total),
    }
}

/// Converts a repair of an imported file.
pub(crate) fn repair(repair: gleaner_feed::Repair) -> contract::ReportRepair {
    contract::ReportRepair {
        kind: repair.kind.name().to_owned(),
        line: repair.line,
        column: repair.column,
        detail: repair.detail.code().to_owned(),
        detail_values: repair.detail.values(),
        text: repair.text,
        at: repair.at,
    }
}

pub(crate) fn invalid<E: std::fmt::Display>(log: E) -> AppError {
    AppError::new(ErrorCode::InvalidInput, log)
}

pub(crate) fn page_size(limit: u32) -> Result<u32> {
    if (1..=500).contains(&limit) { Ok(limit) } else { Err(invalid(format_args!("a page of {limit} rows"))) }
}

pub(crate) fn query(query: contract::ListQuery) -> Result<ListQuery> {
    let order = order(query.order);
    if query.before.is_some() && !order.by_date() {
        return Err(invalid("rows before one, in an order other than by date"));
    }
    Ok(ListQuery {
        source: source(query.source),
        unread_only: query.unread_only,
        order,
        after: query.after.map(cursor),
        before: query.before.map(cursor),
        limit: page_size(query.limit)?,
    })
}

pub(crate) fn order(order: contract::ListOrder) -> Order {
    match order {
        contract::ListOrder::Newest => Order::Newest,
        contract::ListOrder::Oldest => Order::Oldest,
        contract::ListOrder::ByFeed => Order::ByFeed,
        contract::ListOrder::InfrequentFirst => Order::InfrequentFirst,
        contract::ListOrder::Longest => Order::Longest,
        contract::ListOrder::Shortest => Order::Shortest,
        contract::ListOrder::Title => Order::Title,
        contract::ListOrder::TitleDescending => Order::TitleDescending,
        contract::ListOrder::Author => Order::Author,
        contract::ListOrder::AuthorDescending => Order::AuthorDescending,
    }
}

pub(crate) fn scope(scope: contract::MarkScope) -> MarkScope {
    match scope {
        contract::MarkScope::All => MarkScope::All,
        contract::MarkScope::Above { cursor: at } => MarkScope::Above(cursor(at)),
        contract::MarkScope::Below { cursor: at } => MarkScope::Below(cursor(at)),
    }
}

/// Returns the reading time at the pace of most adults.
pub(crate) fn reading_minutes(words: i64) -> u32 {
    const WORDS_A_MINUTE: i64 = 230;
    u32::try_from((words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE).unwrap_or(0).max(u32::from(words > 0))
}

pub(crate) fn row(row: Row) -> contract::ArticleRow {
    contract::ArticleRow {
        id: row.id,
        feed_id: row.feed_id,
        title: row.title,
        excerpt: row.excerpt,
        author: row.author,
        language: row.language,
        published: row.published_at,
        sort_at: row.sort_at,
        read: row.read,
        starred: row.starred,
        reading_minutes: reading_minutes(row.word_count),
        words: u32::try_from(row.word_count).unwrap_or(0),
        thumbnail: row.thumbnail_url,
        has_link: row.has_link,
        offline_thumbnail: row.stored_thumbnail.map(|name| place(&name)),
        media: row.media,
        duration: row.duration_seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0),
        updated: row.updated,
        played: row.played_seconds.and_then(|seconds| {
            Some(contract::Played {
                seconds: u32::try_from(seconds).ok()?,
                duration: row.played_duration.and_then(|duration| u32::try_from(duration).ok()),
            })
        }),
    }
}

pub(crate) fn queued_episode(episode: gleaner_library::QueuedEpisode) -> contract::QueuedEpisode {
    contract::QueuedEpisode {
        id: episode.item_id,
        feed_id: episode.feed_id,
        title: episode.title,
        url: episode.url,
        video: episode.mime_type.and_then(|mime_type| Media::of_file(&mime_type)) == Some(Media::Video),
        duration: episode.duration,
        seconds: episode.seconds,
        finished: episode.finished,
        thumbnail: episode.thumbnail,
    }
}

pub(crate) fn playback(played: gleaner_library::Playback) -> contract::Playback {
    let gleaner_library::Playback { url, seconds, duration, finished } = played;
    contract::Playback { url, seconds, duration, finished }
}

pub(crate) fn color(color: contract::NoteColor) -> u8 {
    match color {
        contract::NoteColor::Yellow => 0,
        contract::NoteColor::Green => 1,
        contract::NoteColor::Blue => 2,
        contract::NoteColor::Pink => 3,
    }
}

pub(crate) fn quote(quote: contract::Quote) -> gleaner_library::Quote {
    let contract::Quote { exact, prefix, suffix, start } = quote;
    gleaner_library::Quote { exact, prefix, suffix, start: start.into() }
}

pub(crate) fn note(row: gleaner_library::NoteRow) -> contract::Note {
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

/// Returns the address of a link as it is opened and copied, without tracking parameters.
pub(crate) fn link(address: String) -> String {
    gleaner_content::without_tracking(&address).into_owned()
}

/// Converts a credit. The host of its address replaces a missing name.
pub(crate) fn credit(credit: gleaner_library::Credit) -> Option<contract::Credit> {
    let host =
        || Url::parse(credit.url.as_deref()?).ok()?.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let title = credit.title.clone().or_else(host)?;
    Some(contract::Credit { title, url: credit.url.map(link) })
}

pub(crate) fn chapter(chapter: gleaner_library::Chapter) -> contract::Chapter {
    contract::Chapter { start: chapter.start, title: chapter.title, image: chapter.image }
}

pub(crate) fn participant(participant: gleaner_library::Participant) -> contract::Participant {
    contract::Participant { name: participant.name, role: participant.role, url: participant.url.map(link) }
}

pub(crate) fn transcript(transcript: gleaner_library::Transcript) -> contract::Transcript {
    let passage = |passage: gleaner_library::Passage| contract::Passage {
        start: passage.start,
        speaker: passage.speaker,
        text: passage.text,
    };
    let passages = transcript.passages.into_iter().map(passage).collect();
    contract::Transcript { language: transcript.language, passages }
}

pub(crate) fn full_text_when(when: gleaner_library::FullTextWhen) -> contract::FullTextWhen {
    match when {
        gleaner_library::FullTextWhen::Never => contract::FullTextWhen::Never,
        gleaner_library::FullTextWhen::Short => contract::FullTextWhen::Short,
        gleaner_library::FullTextWhen::Always => contract::FullTextWhen::Always,
    }
}

pub(crate) fn to_full_text_when(when: contract::FullTextWhen) -> gleaner_library::FullTextWhen {
    match when {
        contract::FullTextWhen::Never => gleaner_library::FullTextWhen::Never,
        contract::FullTextWhen::Short => gleaner_library::FullTextWhen::Short,
        contract::FullTextWhen::Always => gleaner_library::FullTextWhen::Always,
    }
}

/// The address of an image by its name: a digest in hexadecimal, or that of an icon. WebView2 only supports http addresses.
pub(crate) fn place(name: &str) -> String {
    let protocol = if cfg!(windows) { "http://gleaner-image.localhost/" } else { "gleaner-image://localhost/" };
    format!("{protocol}{name}")
}

/// The address of a feed's icon, with the time of its download, so that a new icon has a new address.
pub(crate) fn icon(feed: i64, at: Millis) -> String {
    place(&format!("icon/{feed}/{at}"))
}
