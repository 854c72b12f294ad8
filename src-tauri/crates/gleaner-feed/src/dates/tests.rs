#![allow(clippy::unwrap_used)]
use super::*;

fn read(text: &str) -> Option<(String, bool)> {
    parse(text).map(|m| (m.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(), m.uncertain))
}

#[track_caller]
fn certain(text: &str, utc: &str) {
    assert_eq!(read(text), Some((utc.to_owned(), false)), "{text}");
}

#[track_caller]
fn uncertain(text: &str, utc: &str) {
    assert_eq!(read(text), Some((utc.to_owned(), true)), "{text}");
}

#[test]
fn parses_rfc_822() {
    certain("Tue, 03 Mar 2020 04:05:06 GMT", "2020-03-03T04:05:06Z");
    certain("3 Mar 20 04:05 +0100", "2020-03-03T03:05:00Z");
    certain("Tue, 03 Mar 2020 04:05:06 EST", "2020-03-03T09:05:06Z");
    certain("Tue, 03 Mar 99 04:05:06 -0330", "1999-03-03T07:35:06Z");
    certain("Tue Mar 3 2020 04:05:06 GMT+0100 (Central European Time)", "2020-03-03T03:05:06Z");
}

#[test]
fn parses_rfc_3339_and_iso_8601() {
    certain("2020-03-03T04:05:06Z", "2020-03-03T04:05:06Z");
    certain("2020-03-03t04:05:06.789+01:30", "2020-03-03T02:35:06Z");
    certain("20200303T040506Z", "2020-03-03T04:05:06Z");
    uncertain("2020-03-03", "2020-03-03T00:00:00Z");
    uncertain("2020-063", "2020-03-03T00:00:00Z");
    uncertain("2020-W10-2", "2020-03-03T00:00:00Z");
    uncertain("2020", "2020-01-01T00:00:00Z");
}

#[test]
fn parses_unix_time_in_seconds_and_milliseconds() {
    certain("1583208306", "2020-03-03T04:05:06Z");
    certain("1583208306000", "2020-03-03T04:05:06Z");
}

#[test]
fn a_missing_or_unknown_zone_is_utc_and_uncertain() {
    uncertain("Tue, 03 Mar 2020 04:05:06", "2020-03-03T04:05:06Z");
    uncertain("Tue, 03 Mar 2020 04:05:06 Q", "2020-03-03T04:05:06Z");
    uncertain("Tue, 03 Mar 2020 04:05:06 XYZ", "2020-03-03T04:05:06Z");
}

#[test]
fn parses_day_and_month_in_either_order() {
    uncertain("23/04/2020", "2020-04-23T00:00:00Z");
    uncertain("04/23/2020", "2020-04-23T00:00:00Z");
    uncertain("23.04.2020 06:07", "2020-04-23T06:07:00Z");
    uncertain("April 23rd, 2020, 6:07 p.m.", "2020-04-23T18:07:00Z");
}

#[test]
fn parses_words_of_other_languages() {
    certain("mar., 03 mars 2020 04:05:06 +0000", "2020-03-03T04:05:06Z");
    uncertain("3. März 2020 04:05 Uhr", "2020-03-03T04:05:00Z");
    uncertain("3 de marzo de 2020", "2020-03-03T00:00:00Z");
    uncertain("2020年3月3日 4時5分", "2020-03-03T04:05:00Z");
    uncertain("3 марта 2020 04:05", "2020-03-03T04:05:00Z");
}

#[test]
fn rejects_impossible_dates() {
    for text in [
        "",
        "soon",
        "31 Feb 2020 00:00 GMT",
        "2020-13-01",
        "2020-03-03T25:00:00Z",
        "0000-00-00 00:00:00",
        "04:05:06",
        "3 Foo 2020",
        "12",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn parses_the_original_examples() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/conformance/seeds/dates.jsonl");
    let Ok(cases) = std::fs::read_to_string(path) else { return };
    let mut failed = Vec::new();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let found = read(case["in"].as_str().unwrap());
        let right = match &found {
            None => case["utc"].is_null() || case["optional"] == true,
            Some((at, uncertain)) => {
                let expected = case["utc"]
                    .as_str()
                    .into_iter()
                    .chain(case["also"].as_array().into_iter().flatten().filter_map(|a| a.as_str()));
                expected.collect::<Vec<_>>().contains(&at.as_str())
                    && case["uncertain"].as_bool().is_none_or(|u| u == *uncertain)
            }
        };
        if !right {
            failed.push(format!("{}: {found:?}, not {}", case["id"], case["utc"]));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
