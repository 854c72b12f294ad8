//! Converts the feeds of the sidebar, with their errors and the suggestions about them.

use crate::{error::feeds::poll_error, images::icon_url};
use gleaner_contract as contract;
use gleaner_library::{FeedPlayback, FeedRow, LOCAL_ACCOUNT, Poll, now};
use gleaner_polling::Suggestion;
use std::collections::HashMap;

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

fn feed(
    row: FeedRow,
    poll: Option<&Poll>,
    suggestions: Vec<contract::FeedSuggestion>,
    load_images: Option<bool>,
) -> contract::Feed {
    let error = poll.and_then(|poll| {
        let error = poll_error(&poll.failure)?;
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
        icon: row.icon_at.map(|at| icon_url(row.id, at)),
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
