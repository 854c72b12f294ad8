//! Stores the other results of a poll besides articles: the state of polling, the request for the log, the document's facts and the report
//! on it. Each kind is one statement for many feeds.

use crate::{Exchange, FeedFacts, Incoming, LibraryError, PackedReport, Poll, rows, table::poll_log::LOGGED_REQUESTS};
use gleaner_address::without_stored_password;
use sqlx::{Arguments as _, SqliteConnection};

/// Stores all of this in the writer's transaction.
pub(super) async fn store(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    record(connection, incoming).await?;
    log(connection, incoming).await?;
    queue_for_language(connection, incoming).await?;
    facts(connection, incoming).await?;
    report(connection, incoming).await
}

/// Counts and logs the requests of results that are discarded.
pub(super) async fn store_requests(
    connection: &mut SqliteConnection,
    outdated: &[&Incoming],
) -> Result<(), LibraryError> {
    const COUNT: &str = "WITH new (feed_id, not_modified, bytes) AS ({VALUES})
         UPDATE polls SET not_modified = polls.not_modified + new.not_modified, bytes = polls.bytes + new.bytes,
                requests = polls.requests + 1
         FROM new WHERE polls.feed_id = new.feed_id";
    let requested = requests(outdated);
    rows::execute(connection, &requested, (COUNT, 3), |arguments, (incoming, exchange)| {
        arguments.add(incoming.poll.feed_id)?;
        arguments.add(incoming.not_modified)?;
        arguments.add(exchange.bytes)
    })
    .await?;
    // None of their articles was stored.
    let without: Vec<Incoming> =
        requested.iter().map(|(incoming, _)| Incoming { intents: Vec::new(), ..(*incoming).clone() }).collect();
    log(connection, &without.iter().collect::<Vec<_>>()).await
}

/// Returns the results for which a request was sent.
fn requests<'a>(incoming: &[&'a Incoming]) -> Vec<(&'a Incoming, &'a Exchange)> {
    incoming.iter().filter_map(|incoming| Some((*incoming, incoming.exchange.as_ref()?))).collect()
}

/// Stores the results of polls.
async fn record(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    const RECORD: &str = "WITH new (feed_id, etag, last_modified, body_digest, checked_at, succeeded_at, changed_at, next_at, failures,
                error_code, error_parameters, error_since, not_modified, bytes, requests, bytes_saved, next_reason, fresh_seconds,
                ttl_minutes, period_minutes, skip_hours, skip_days, rhythm, newest_at, bare, full_at, full_bytes, final_url, moved_to,
                moved_times, moved_since, hand_at, offered_url, offered_title, private) AS ({VALUES})
         UPDATE polls SET etag = new.etag, last_modified = new.last_modified, body_digest = new.body_digest, checked_at = new.checked_at,
                succeeded_at = new.succeeded_at, changed_at = new.changed_at, next_at = new.next_at, failures = new.failures,
                error_code = new.error_code, error_parameters = new.error_parameters, error_since = new.error_since,
                not_modified = polls.not_modified + new.not_modified, bytes = polls.bytes + new.bytes,
                requests = polls.requests + new.requests, bytes_saved = polls.bytes_saved + new.bytes_saved,
                next_reason = new.next_reason, fresh_seconds = new.fresh_seconds, ttl_minutes = new.ttl_minutes,
                period_minutes = new.period_minutes, skip_hours = new.skip_hours, skip_days = new.skip_days, rhythm = new.rhythm,
                newest_at = new.newest_at, bare = new.bare, full_at = new.full_at, full_bytes = new.full_bytes,
                final_url = new.final_url, moved_to = new.moved_to, moved_times = new.moved_times, moved_since = new.moved_since,
                hand_at = new.hand_at, offered_url = new.offered_url, offered_title = new.offered_title,
                private = ifnull(new.private, polls.private)
         FROM new WHERE polls.feed_id = new.feed_id";
    rows::execute(connection, incoming, (RECORD, 35), |arguments, incoming| {
        let poll = &incoming.poll;
        let received = incoming.exchange.as_ref().map(|exchange| exchange.bytes);
        arguments.add(poll.feed_id)?;
        arguments.add(poll.etag.clone())?;
        arguments.add(poll.last_modified.clone())?;
        arguments.add(poll.body_digest.clone())?;
        arguments.add(poll.checked_at)?;
        arguments.add(poll.succeeded_at)?;
        arguments.add(poll.changed_at)?;
        arguments.add(poll.next_at)?;
        arguments.add(poll.failures)?;
        arguments.add(poll.failure.error_code.clone())?;
        arguments.add(poll.failure.error_parameters.stored())?;
        arguments.add(poll.failure.error_since)?;
        arguments.add(incoming.not_modified)?;
        arguments.add(received.unwrap_or(0))?;
        arguments.add(received.is_some())?;
        arguments.add(if incoming.not_modified { poll.full_bytes } else { 0 })?;
        arguments.add(poll.next_reason.clone())?;
        arguments.add(poll.fresh_seconds)?;
        arguments.add(poll.ttl_minutes)?;
        arguments.add(poll.period_minutes)?;
        arguments.add(poll.skip_hours)?;
        arguments.add(poll.skip_days)?;
        arguments.add(poll.gaps.clone())?;
        arguments.add(poll.newest_at)?;
        arguments.add(poll.bare)?;
        arguments.add(poll.full_at)?;
        arguments.add(poll.full_bytes)?;
        arguments.add(poll.final_url.clone())?;
        arguments.add(poll.moved_to.clone())?;
        arguments.add(poll.moved_times)?;
        arguments.add(poll.moved_since)?;
        arguments.add(poll.hand_at)?;
        arguments.add(poll.offered_url.as_deref().map(without_stored_password))?;
        arguments.add(poll.offered_title.clone())?;
        arguments.add(poll.private)
    })
    .await
}

/// Writes the requests, each in place of the feed's oldest one. `polls.requests` already counts them.
async fn log(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    let sql = format!(
        "WITH new (feed_id, at, why, conditional, status, code, parameters, hops, took_ms, bytes, new_items, changed, next_at,
                next_reason) AS ({{VALUES}})
         INSERT OR REPLACE INTO poll_log (feed_id, slot, at, why, conditional, status, code, parameters, hops, took_ms, bytes, new_items,
                changed, next_at, next_reason)
         SELECT polls.feed_id, polls.requests % {LOGGED_REQUESTS}, new.at, new.why, new.conditional, new.status, new.code, new.parameters,
                new.hops, new.took_ms, new.bytes, new.new_items, new.changed, new.next_at, new.next_reason
         FROM new CROSS JOIN polls ON polls.feed_id = new.feed_id"
    );
    rows::execute(connection, &requests(incoming), (&sql, 14), |arguments, (incoming, exchange)| {
        let (poll, (new, changed)) = (&incoming.poll, incoming.counts());
        arguments.add(poll.feed_id)?;
        arguments.add(poll.checked_at)?;
        arguments.add(exchange.why.clone())?;
        arguments.add(exchange.conditional)?;
        arguments.add(exchange.status)?;
        arguments.add(poll.failure.error_code.clone())?;
        arguments.add(poll.failure.error_parameters.stored())?;
        arguments.add(exchange.hops.clone())?;
        arguments.add(exchange.took_ms)?;
        arguments.add(exchange.bytes)?;
        arguments.add(i64::try_from(new).unwrap_or(i64::MAX))?;
        arguments.add(i64::try_from(changed).unwrap_or(i64::MAX))?;
        arguments.add(poll.next_at)?;
        arguments.add(poll.next_reason.clone())
    })
    .await
}

/// Queues the articles without a language of feeds that state theirs for the first time. Not at each change: a server that alternates
/// between two languages would have them indexed again with each poll.
async fn queue_for_language(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    const QUEUE: &str = "WITH new (id) AS ({VALUES})
         INSERT INTO search_queue (item_id, stamp)
         SELECT i.id, random() FROM new CROSS JOIN feeds f ON f.id = new.id AND f.language IS NULL
            CROSS JOIN items i ON i.feed_id = f.id AND i.language IS NULL WHERE TRUE
         ON CONFLICT (item_id) DO UPDATE SET stamp = excluded.stamp";
    let states = |incoming: &&&Incoming| incoming.facts.as_ref().is_some_and(|facts| facts.language.is_some());
    let feeds: Vec<i64> = incoming.iter().filter(states).map(|incoming| incoming.poll.feed_id).collect();
    rows::execute(connection, &feeds, (QUEUE, 1), |arguments, feed| arguments.add(*feed)).await
}

/// Stores the feed data of documents.
async fn facts(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    // Values missing from the document stay as they were. The name of an imported feed is the user's only if it differs from the
    // feed's own title, which its first document gives.
    const STORE: &str = "WITH new (id, title, description, home_url, language, icon_url, head) AS ({VALUES})
         UPDATE feeds SET custom_title = iif(feeds.title IS NULL AND feeds.custom_title = new.title, NULL, feeds.custom_title),
                title = ifnull(new.title, feeds.title), description = ifnull(new.description, feeds.description),
                home_url = ifnull(new.home_url, feeds.home_url), language = ifnull(new.language, feeds.language),
                icon_url = ifnull(new.icon_url, feeds.icon_url), head = new.head
         FROM new WHERE feeds.id = new.id AND (feeds.title IS NOT ifnull(new.title, feeds.title)
                OR feeds.description IS NOT ifnull(new.description, feeds.description)
                OR feeds.home_url IS NOT ifnull(new.home_url, feeds.home_url)
                OR feeds.language IS NOT ifnull(new.language, feeds.language)
                OR feeds.icon_url IS NOT ifnull(new.icon_url, feeds.icon_url) OR feeds.head IS NOT new.head)";
    let with_facts: Vec<(i64, &FeedFacts)> =
        incoming.iter().filter_map(|incoming| Some((incoming.poll.feed_id, incoming.facts.as_ref()?))).collect();
    rows::execute(connection, &with_facts, (STORE, 7), |arguments, (feed, facts)| {
        arguments.add(*feed)?;
        arguments.add(facts.title.clone().filter(|title| !title.is_empty()))?;
        arguments.add(facts.description.clone())?;
        arguments.add(facts.home_url.clone())?;
        arguments.add(facts.language.clone())?;
        arguments.add(facts.icon_url.clone())?;
        arguments.add(facts.head.stored()?)
    })
    .await
}

/// Stores the reports on new documents.
async fn report(connection: &mut SqliteConnection, incoming: &[&Incoming]) -> Result<(), LibraryError> {
    let sql = "INSERT OR REPLACE INTO reports (feed_id, at, codec, report) {VALUES}";
    let made: Vec<(&Poll, &PackedReport)> =
        incoming.iter().filter_map(|incoming| Some((&incoming.poll, incoming.report.as_ref()?))).collect();
    rows::execute(connection, &made, (sql, 4), |arguments, (poll, packed)| {
        arguments.add(poll.feed_id)?;
        arguments.add(poll.checked_at.unwrap_or(0))?;
        arguments.add(packed.codec)?;
        arguments.add(packed.report.clone())
    })
    .await
}
