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
    // At the same instants as others before they are corrected.
    let dates = ["17. lip 2025.", "17. srpnja 2025.", "17. srp 2025.", "17. kolovoza 2025."];
    assert_eq!(days("hr", &dates), ["06-17", "07-17", "07-17", "08-17"]);
}

#[test]
fn names_that_are_other_words_follow_the_language() {
    for (language, date, read) in [
        ("cy", "27 Maw 2024", "03-27"),
        ("cy", "Maw, 4 Ion 2025", "01-04"),
        ("ki", "17 Mga 2025", "01-17"),
        ("ve", "2025 Pha 17", "01-17"),
        ("kde", "17 Mwedi wa Nnyano na Umo 2025", "06-17"),
        ("an", "17 de chn. de 2025", "06-17"),
        ("st", "2025 Kol 17", "02-17"),
        ("nd", "17 Mbi 2025", "03-17"),
        ("tn_ZA", "2025 Dip 17", "10-17"),
        ("quc", "2025 Nab\u{2bc}e ik\u{2bc} 17", "01-17"),
        // Dates of RFC 822 are the same in all languages.
        ("kw", "Mon, 17 Mar 2025 14:30:00 GMT", "03-17"),
        ("sg", "Sat, 01 Feb 2025 14:30:00 GMT", "02-01"),
    ] {
        assert_eq!(days(language, &[date]), [read], "{language}: {date}");
    }
}

#[test]
fn months_of_small_languages_are_read_without_a_language() {
    for (date, read) in [
        ("17 Mũgetho 2025", "02-17"),
        ("2025 Phando 17", "01-17"),
        ("2025 щӏышылэм 17", "01-17"),
        ("2025 якшамков 17", "01-17"),
        ("ⲓⲁⲛⲟⲩⲁ\u{300}ⲣⲓⲟⲥ 17, 2025", "01-17"),
        ("2025 janvars 17", "01-17"),
        ("17 di ghjennaghju di u 2025", "01-17"),
        ("17. Janewoore 2025", "01-17"),
    ] {
        assert_eq!(days("", &[date]), [read], "{date}");
    }
}

/// Reads the times of the items of a feed with these dates, whose language comes after them.
fn times(language: &str, dates: &[&str]) -> Vec<String> {
    let items: String =
        dates.iter().map(|date| format!("<item><title>a</title><pubDate>{date}</pubDate></item>")).collect();
    let document =
        format!("<rss version=\"2.0\"><channel><title>T</title>{items}<language>{language}</language></channel></rss>");
    let parsed = parse(document.as_bytes(), Context::default()).unwrap();
    parsed.items.iter().map(|item| item.published.unwrap().format("%H:%M").to_string()).collect()
}

#[test]
fn parts_of_the_day_that_are_other_words_follow_the_language() {
    for (language, date, read) in [
        ("hu", "2025. január 17. 2:35 du. +0000", "14:35"),
        ("hu", "2025. január 17. du. 2:35 +0000", "14:35"),
        ("hu", "2025. január 17. de. 10:35 +0000", "10:35"),
        ("hu", "2025. január 17. 8:35 este", "20:35"),
        ("sv", "17 januari 2025 2:35 em +0000", "14:35"),
        ("sv", "17 januari 2025 em 2:35 +0000", "14:35"),
        ("sv", "17 januari 2025 fm 12:35 +0000", "00:35"),
        ("vi", "17 tháng 1, 2025 SA 12:35 +0000", "00:35"),
        ("vi", "17 tháng 1, 2025 2:35 CH +0000", "14:35"),
        ("pt-br", "17 de janeiro de 2025 8:35 da noite +0000", "20:35"),
        ("pt-br", "17 de janeiro de 2025 12:35 da madrugada +0000", "00:35"),
        ("pt-br", "10:35 GMT em 17 de janeiro de 2025", "10:35"),
        ("uk", "17 січня 2025 р. 12:35 ночі +0000", "00:35"),
        ("uk", "17 січня 2025 р. 8:35 вечора +0000", "20:35"),
        ("so", "Janaayo 17, 2025 GD 2:35 +0000", "14:35"),
        ("es", "17 de enero de 2025 2:35 +0000", "02:35"),
        // Without the language, it is no part of the day.
        ("en", "2025. január 17. 2:35 du. +0000", "02:35"),
    ] {
        assert_eq!(times(language, &[date]), [read], "{language}: {date}");
    }
}
