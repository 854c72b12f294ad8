//! The feed inspector.

use crate::{App, days::last_midnight, error::Result, numbers::to_number, refresh};
use gleaner_contract::{self as contract, FeedId, FeedReport, Inspection};
use gleaner_inspect::{Field, FlatItem, FlatRepair, FlatReport};
use gleaner_library::Millis;

const DAY: Millis = 24 * 60 * 60 * 1000;
const WEEKS: u32 = 53;

pub async fn inspection(app: &App, args: FeedId) -> Result<Inspection> {
    let library = app.core().await?.library;
    library.feeds().get(args.feed_id).await?;
    let kept = library.polls().report(args.feed_id).await?;
    let weeks_from = last_midnight() + DAY - i64::from(WEEKS) * 7 * DAY;
    Ok(Inspection {
        report: kept.and_then(|(at, json)| Some(self::report(at, FlatReport::from_stored(&json)?))),
        published: library.articles().publication_dates(args.feed_id).await?,
        weeks_from,
        weeks: library.articles().count_by_week(args.feed_id, weeks_from, WEEKS).await?,
    })
}

pub async fn inspect_feed(app: &App, args: FeedId) -> Result<Option<FeedReport>> {
    Ok(refresh::inspect(app, args.feed_id).await?.map(|(at, report)| self::report(at, report)))
}

fn report(at: Millis, report: FlatReport) -> contract::FeedReport {
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
        repairs_total: to_number(report.repairs_total),
        feed: report.feed.into_iter().map(field).collect(),
        items: report.items.into_iter().map(item).collect(),
        items_total: to_number(report.items_total),
    }
}
