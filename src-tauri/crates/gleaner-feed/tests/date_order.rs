//! The order of day and month in dates of numbers follows from all dates of a document.

#![allow(clippy::unwrap_used)]

use gleaner_feed::{Context, parse};

/// Reads the days of the items of a feed with these dates.
fn days(language: &str, dates: &[&str]) -> Vec<String> {
    let items: String =
        dates.iter().map(|date| format!("<item><title>{date}</title><pubDate>{date}</pubDate></item>")).collect();
    let document =
        format!("<rss version=\"2.0\"><channel><title>T</title><language>{language}</language>{items}</channel></rss>");
    let parsed = parse(document.as_bytes(), Context::default()).unwrap();
    parsed.items.iter().map(|item| item.published.unwrap().format("%m-%d").to_string()).collect()
}

#[test]
fn one_date_proves_the_order_of_the_others() {
    for (dates, read) in [
        (["03/04/2021 10:00", "25/03/2021 10:00", "03/03/2021"], ["04-03", "03-25", "03-03"]),
        (["03/04/2021 10:00", "03/25/2021 10:00", "03/03/2021"], ["03-04", "03-25", "03-03"]),
        (["03-04-2021", "03-25-2021", "2 March 2021"], ["03-04", "03-25", "03-02"]),
        (["03/04/2021", "25/03/2021", "03/25/2021"], ["03-04", "03-25", "03-25"]),
        (["Sat, 03/04/2021", "05/04/2021", "2021-04-03"], ["04-03", "04-05", "04-03"]),
    ] {
        assert_eq!(days("", &dates), read, "{dates:?}");
    }
}

#[test]
fn ambiguous_dates_follow_the_language() {
    for (language, read) in
        [("", "03-04"), ("en-us", "03-04"), ("en", "03-04"), ("en-GB", "04-03"), ("pt-br", "04-03"), ("it", "04-03")]
    {
        assert_eq!(days(language, &["03/04/2021"]), [read], "{language}");
    }
    assert_eq!(days("it", &["03/25/2021", "03/04/2021"]), ["03-25", "03-04"]);
}

#[test]
fn names_of_other_months_in_croatian_follow_the_language() {
    let dates =
        ["17. lip 2025.", "17. srp 2025.", "18. kol 2025.", "pet, 17 lis 2025 14:30:00 +0100", "31. listopada 2025."];
    for language in ["hr", "bs-BA"] {
        assert_eq!(days(language, &dates), ["06-17", "07-17", "08-18", "10-17", "10-31"], "{language}");
    }
    assert_eq!(days("pl", &["17 lip 2025", "17 lis 2025", "17 listopada 2025"]), ["07-17", "11-17", "11-17"]);
    assert_eq!(days("cs", &["17. srp 2025", "17. listopadu 2025"]), ["08-17", "11-17"]);
}
