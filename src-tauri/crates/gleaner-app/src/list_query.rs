//! Converts what a list shows: its source, its order and its page.

use crate::{
    days::last_midnight,
    error::{Result, invalid_input},
};
use gleaner_contract as contract;
use gleaner_library::{Cursor, ListQuery, MarkScope, Order, Source};

pub(crate) fn list_query(query: contract::ListQuery) -> Result<ListQuery> {
    let order = list_order(query.order);
    if query.before.is_some() && !order.by_date() {
        return Err(invalid_input("rows before one, in an order other than by date"));
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

pub(crate) fn source(source: contract::Source) -> Source {
    match source {
        contract::Source::Today => Source::Since(last_midnight()),
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

pub(crate) fn list_order(order: contract::ListOrder) -> Order {
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

fn cursor(cursor: contract::Cursor) -> Cursor {
    let contract::Cursor { sort_at, id, feed_id, length } = cursor;
    Cursor { sort_at, id, feed_id, length: i64::from(length) }
}

pub(crate) fn mark_scope(scope: contract::MarkScope) -> MarkScope {
    match scope {
        contract::MarkScope::All => MarkScope::All,
        contract::MarkScope::Above { cursor: at } => MarkScope::Above(cursor(at)),
        contract::MarkScope::Below { cursor: at } => MarkScope::Below(cursor(at)),
    }
}

pub(crate) fn page_size(limit: u32) -> Result<u32> {
    if (1..=500).contains(&limit) { Ok(limit) } else { Err(invalid_input(format_args!("a page of {limit} rows"))) }
}
