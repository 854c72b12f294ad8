// long: a table of spellings for each of the rules of dates.
#![allow(clippy::unwrap_used)]
use super::*;

mod calendars;
mod two_days;

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
    certain("Tue, 03 Mar 120 04:05:06 GMT", "2020-03-03T04:05:06Z");
    certain("Tue, 03 Mar 99 04:05:06 -0330", "1999-03-03T07:35:06Z");
    certain("Tue Mar 3 2020 04:05:06 GMT+0100 (Central European Time)", "2020-03-03T03:05:06Z");
}

#[test]
fn parses_rfc_3339_and_iso_8601() {
    certain("2020-03-03T04:05:06Z", "2020-03-03T04:05:06Z");
    certain("2020-03-03t04:05:06.789+01:30", "2020-03-03T02:35:06Z");
    certain("20200303T040506Z", "2020-03-03T04:05:06Z");
    certain("20200303T040506.789Z", "2020-03-03T04:05:06Z");
    certain("2020-03-03T04.05.06-01:30", "2020-03-03T05:35:06Z");
    certain("2020-03-03-04.05.06 -0130", "2020-03-03T05:35:06Z");
    certain("3 Mar 2020 - 04.05 (GMT+01:30)", "2020-03-03T02:35:00Z");
    uncertain("02.03.20 - 03.03.20", "2020-03-02T00:00:00Z");
    certain("2020-03-03T04h05+01:30", "2020-03-03T02:35:00Z");
    certain("20200303T040506,5+0130", "2020-03-03T02:35:06Z");
    certain("2020-03-03T04:05:06:-0100", "2020-03-03T05:05:06Z");
    certain("2020-03-03T4:05:06-010:00", "2020-03-03T14:05:06Z");
    uncertain("2020-03-03", "2020-03-03T00:00:00Z");
    uncertain("2020-063", "2020-03-03T00:00:00Z");
    uncertain("2020063", "2020-03-03T00:00:00Z");
    uncertain("2020-W10-2", "2020-03-03T00:00:00Z");
    certain("20-03-05T04:05:06Z", "2020-03-05T04:05:06Z");
    certain("26-11-28T10:00:00+01:00", "2026-11-28T09:00:00Z");
    uncertain("2020", "2020-01-01T00:00:00Z");
}

#[test]
fn parses_days_with_a_zone_and_fractions_after_a_colon() {
    uncertain("2020-03-03+01:00", "2020-03-02T23:00:00Z");
    uncertain("2020-03-03 +0000", "2020-03-03T00:00:00Z");
    // A space in an address is written like this.
    certain("Tue,+03+Mar+2020+04:05:06+0000", "2020-03-03T04:05:06Z");
    certain("2020-03-03+04:05:06+01:00", "2020-03-03T03:05:06Z");
    uncertain("2020-03-03+04:05:06", "2020-03-03T04:05:06Z");
    uncertain("Tue,+03+Mar+2020", "2020-03-03T00:00:00Z");
    for offset in ["02:00", "0200"] {
        certain(&format!("2020-03-03T04:05:06 {offset}"), "2020-03-03T02:05:06Z");
        certain(&format!("2020-03-03T04:05:06.789 {offset}"), "2020-03-03T02:05:06Z");
    }
    certain("20200303T040506 0545", "2020-03-02T22:20:06Z");
    certain("2020-03-03T04:05:06 14:00", "2020-03-02T14:05:06Z");
    // No offsets, but ends of spans.
    for span in ["10:00:00 18:30", "10:00:00 14:30", "10:00:00 11:20", "10:00 11:30"] {
        uncertain(&format!("2020-03-03T{span}"), "2020-03-03T10:00:00Z");
    }
    certain("2020-063T04:05:06Z", "2020-03-03T04:05:06Z");
    certain("Tue, 03 Mar 2020 04:05:06:789 GMT", "2020-03-03T04:05:06Z");
    assert_eq!(read("Tue, 03 Mar 2020 04:05:06:07 GMT"), None);
}

#[test]
fn parses_the_months_and_weekdays_of_vietnamese() {
    certain("T3, 03 Thg 11 2020 04:05:06 +0700", "2020-11-02T21:05:06Z");
    uncertain("28 Tháng Mười Một 2020", "2020-11-28T00:00:00Z");
    uncertain("Tháng Mười 28, 2020", "2020-10-28T00:00:00Z");
    uncertain("Th11 5, 2020", "2020-11-05T00:00:00Z");
    uncertain("05 Th3, 2020", "2020-03-05T00:00:00Z");
    uncertain("Thứ Ba, 5 tháng 3, 2020", "2020-03-05T00:00:00Z");
    uncertain("4th 3 2020", "2020-03-04T00:00:00Z");
    uncertain("Th 5 Mar 2020 10:00", "2020-03-05T10:00:00Z");
    uncertain("T 5 Nov 2020", "2020-11-05T00:00:00Z");
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
    uncertain("2020(e)ko martxoaren 3a", "2020-03-03T00:00:00Z");
    uncertain("3 марта 2020 04:05", "2020-03-03T04:05:00Z");
}

#[test]
fn parses_zones_by_name() {
    certain("2025-01-13 14:30 America/Los_Angeles", "2025-01-13T22:30:00Z");
    certain("2025-07-13 14:30 America/Los_Angeles", "2025-07-13T21:30:00Z");
    certain("2025-01-13T14:30:00[Europe/Paris]", "2025-01-13T13:30:00Z");
    certain("2025-01-13T14:30:00+02:00[Europe/Paris]", "2025-01-13T12:30:00Z");
    certain("13 Jan 2025 14:30 AMERICA/ARGENTINA/BUENOS_AIRES", "2025-01-13T17:30:00Z");
    certain("13 Jan 2025 14:30 Etc/GMT+5", "2025-01-13T19:30:00Z");
    for (zone, utc) in [
        ("AT", "18:30"),
        ("IRST", "11:00"),
        ("WIB", "07:30"),
        ("PKT", "09:30"),
        ("ART", "17:30"),
        ("CLT", "18:30"),
        ("EAT", "11:30"),
        ("WAT", "13:30"),
        ("ICT", "07:30"),
        ("TRT", "11:30"),
        ("NPT", "08:45"),
        ("ChST", "04:30"),
    ] {
        certain(&format!("13 Jan 2025 14:30:00 {zone}"), &format!("2025-01-13T{utc}:00Z"));
    }
    uncertain("3 mart 2020 04:05", "2020-03-03T04:05:00Z");
}

#[test]
fn parses_times_with_letters_and_dots() {
    for text in [
        "13 janvier 2025 à 14h30",
        "13 janvier 2025 14 h 30",
        "13 janvier 2025 à 14.30",
        "13.01.2025 14.30",
        "2025-01-13 14.30.00",
        "13. Januar 2025, 14.30 Uhr",
        "13 gennaio 2025 ore 14.30",
        "13 januari 2025 14u30",
        "13 January 2025, 2.30 pm",
    ] {
        uncertain(text, "2025-01-13T14:30:00Z");
    }
    uncertain("13-JAN-25 02.30.00.000000 PM", "2025-01-13T14:30:00Z");
    certain("13 janvier 2025 à 14h30 CET", "2025-01-13T13:30:00Z");
    uncertain("13 janvier 2025 à 14h", "2025-01-13T14:00:00Z");
    uncertain("13 January 2025 2 pm", "2025-01-13T14:00:00Z");
    uncertain("13.01.2025", "2025-01-13T00:00:00Z");
}

#[test]
fn parses_digits_of_other_scripts() {
    certain("٢٠٢٥-٠١-١٣T١٤:٣٠:٠٠Z", "2025-01-13T14:30:00Z");
    certain("۲۰۲۵-۰۱-۱۳ ۱۴:۳۰ +0000", "2025-01-13T14:30:00Z");
    certain("१३ जनवरी २०२५ १४:३० GMT", "2025-01-13T14:30:00Z");
    certain("２０２５年１月１３日 １４：３０ JST", "2025-01-13T05:30:00Z");
    certain("\u{200f}13\u{200f} يناير 2025 14:30 GMT", "2025-01-13T14:30:00Z");
    certain("๑๓ มกราคม ๒๐๒๕ ๑๔:๓๐ ICT", "2025-01-13T07:30:00Z");
}

#[test]
fn knows_the_months_of_all_languages() {
    for (name, month) in [
        ("ਜਨਵਰੀ", 1),
        ("Ionawr", 1),
        ("C’hwevrer", 2),
        ("फेब्रुअरी", 2),
        ("مارس", 3),
        ("Apirila", 4),
        ("เมษายน", 4),
        ("Bealtaine", 5),
        ("ივნისი", 6),
        ("Հուլիս", 7),
        ("אוגוסט", 8),
        ("สิงหาคม", 8),
        ("Rugsėjis", 9),
        ("oktobris", 10),
        ("арван нэгдүгээр сар", 11),
        ("تشرين الثاني", 11),
        ("कार्तिक", 0),
        ("Décembre", 12),
        ("डिसेंबर", 12),
    ] {
        let expected = (month > 0).then(|| (format!("2025-{month:02}-13T14:30:00Z"), false));
        assert_eq!(read(&format!("13 {name} 2025 14:30 GMT")), expected, "{name}");
    }
}

#[test]
fn parses_offsets_after_gmt() {
    for text in [
        "13/01/2025 14:30 (GMT+7)",
        "14:30 GMT+7, 13/01/2025",
        "14:30 UTC+7 13.01.2025",
        "Mon Jan 13 14:30:00 GMT+7 2025",
        "Mon, 13 Jan 2025 14:30:00 +7 GMT",
        "13 Jan 2025 14:30 GMT+7.",
        "13 Jan 2025 14:30 (UTC+07:00)",
        "20250113143000 +0700",
    ] {
        certain(text, "2025-01-13T07:30:00Z");
    }
    certain("13 Jan 2025 14:30 GMT-7 (MST)", "2025-01-13T21:30:00Z");
    certain("13 Jan 2025 14:30 МСК", "2025-01-13T11:30:00Z");
    certain("Jan 13, 2025 2:30 PM Eastern Standard Time", "2025-01-13T19:30:00Z");
    for zone in ["ET", "(ET)", "Eastern Time", "EST5EDT", "US/Eastern"] {
        certain(&format!("Jan 13, 2025 2:30 PM {zone}"), "2025-01-13T19:30:00Z");
        certain(&format!("Jul 14, 2025 2:30 PM {zone}"), "2025-07-14T18:30:00Z");
    }
    certain("Jul 13, 2025 2:30 PM (Pacific Daylight Time)", "2025-07-13T21:30:00Z");
    uncertain("05.01.2025 12:30 Europe/Berlin", "2025-01-05T11:30:00Z");
    certain("13 Jan 2025 14:30 (Central European Standard Time)", "2025-01-13T13:30:00Z");
    certain("13 Jul 2025 14:30 British Summer Time", "2025-07-13T13:30:00Z");
    certain("13 Jan 2025 14:30 GMT+5.5", "2025-01-13T09:00:00Z");
    uncertain("14:30 - 13 de enero de 2025", "2025-01-13T14:30:00Z");
    uncertain("14:30 - 2025-01-13", "2025-01-13T14:30:00Z");
    uncertain("14:30 - 3, March 2025", "2025-03-03T14:30:00Z");
}

#[test]
fn the_first_of_several_zones_counts() {
    for zones in [
        "ET / 11:30 AM PT",
        "ET/11:30 AM PT",
        "Eastern Time (11:30 AM Pacific Time)",
        "ET/PT",
        "ET (7:30 PM GMT)",
        "EST5EDT, 7:30 PM UTC",
    ] {
        certain(&format!("Jan 14, 2025 2:30 PM {zones}"), "2025-01-14T19:30:00Z");
        certain(&format!("Jul 14, 2025 2:30 PM {zones}"), "2025-07-14T18:30:00Z");
    }
    for zones in ["UTC (9:30 AM ET)", "GMT / 9:30 AM ET", "UTC (9:30 AM Eastern Time)", "UTC (EST5EDT)", "GMT et 15:30"]
    {
        certain(&format!("Jan 14, 2025 14:30 {zones}"), "2025-01-14T14:30:00Z");
    }
    certain("Jan 14, 2025 8:00 PM CET (2 PM ET)", "2025-01-14T19:00:00Z");
    certain("Jan 14, 2025 2:30 PM CT Asia/Shanghai", "2025-01-14T06:30:00Z");
    for date in ["2:30 PM ET 4 January 2025", "2:30 PM ET-5, 4 January 2025", "14:30 -05 ET January 4 2025"] {
        certain(date, "2025-01-04T19:30:00Z");
    }
}

#[test]
fn the_first_of_two_times_with_dots_counts() {
    for text in [
        "12.03.2020 14.30-15.30",
        "12. März 2020, 14.30 - 15.30",
        "12 marzo 2020 - 14.30",
        "2020-03-12-14.30-15.30",
        "kl. 14.30–15.30, 12 mars 2020",
    ] {
        uncertain(text, "2020-03-12T14:30:00Z");
    }
    certain("12 marzo 2020, 14.30-15.30 CET", "2020-03-12T13:30:00Z");
    for text in [
        "12.03.2020-14.03",
        "12.03.2020 - 14.03",
        "2020.03.12-03.14",
        "2020.03.12 - 03.14",
        "12. März 2020 - 14.03.",
        "12 March 2020, 11.30-1.30 pm",
        "12 March 2020, 19-21.30",
    ] {
        uncertain(text, "2020-03-12T00:00:00Z");
    }
}

#[test]
fn the_time_comes_before_an_hour_alone() {
    for text in [
        "2025/1/3 下午 02:30:00",
        "2025-01-03 오후 2:30",
        "2025年1月3日下午2:30",
        "2025년1월3일오후2:30",
        "3 Ιανουαρίου 2025, 2:30 μ.μ.",
        "3. januar 2025 kl. 14.30",
        "03.01.2025 kl. 14.30",
        "kl. 14.30, 3. januar 2025",
        "03/01-2025 kl. 14.30",
        "3/1/2025 2:30 μ.μ.",
        "3 ม.ค. 2568 เวลา 14.30 น.",
    ] {
        uncertain(text, "2025-01-03T14:30:00Z");
    }
    for text in ["03/01/2025 2:30 CH", "3 जनवरी 2025 2:30 अपराह्न", "3 Jan 2025 2:30 ب.ظ", "2025年1月3日晚2:30"]
    {
        uncertain(text, "2025-01-03T14:30:00Z");
    }
    uncertain("3. januar 2025, kl. 14", "2025-01-03T14:00:00Z");
    uncertain("03.01.2025 12:30 SA", "2025-01-03T00:30:00Z");
    uncertain("Sa 12:30, 04.01.2025", "2025-01-04T12:30:00Z");
    uncertain("04.01.2025 12:30 Sa", "2025-01-04T12:30:00Z");
    uncertain("04/01/2025 12:30 SA", "2025-01-04T00:30:00Z");
    uncertain("March 3, 2020 12 noon", "2020-03-03T12:00:00Z");
    uncertain("March 3, 2020 12:30 midnight", "2020-03-03T00:30:00Z");
    uncertain("3 Ιανουαρίου 2025, 2:30 π.μ.", "2025-01-03T02:30:00Z");
}

#[test]
fn converts_the_years_of_other_calendars() {
    for text in [
        "13/01/2568",
        "13 ม.ค. 68",
        "13 มกราคม พ.ศ. 2568",
        "1403/10/24",
        "۲۴ دی ۱۴۰۳",
        "令和7年1月13日",
        "Reiwa 7/1/13",
        "民國114年1月13日",
    ] {
        uncertain(text, "2025-01-13T00:00:00Z");
    }
    uncertain("Mon, 13 Jan 2568 14:30:00 +0700", "2025-01-13T07:30:00Z");
    uncertain("平成元年1月8日", "1989-01-08T00:00:00Z");
    uncertain("1399/12/30", "2021-03-20T00:00:00Z");
    for text in ["1400/12/30", "1446/07/13", "13 Jan 1403"] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn three_joined_numbers_are_the_date() {
    uncertain("Thứ 6, 25/03/2021 14:30", "2021-03-25T14:30:00Z");
    uncertain("Thứ 6, ngày 5 tháng 3 năm 2021", "2021-03-05T00:00:00Z");
    uncertain("No. 5 - 25/03/2021", "2021-03-25T00:00:00Z");
    uncertain("Thứ sáu, 05/03/2021", "2021-03-05T00:00:00Z");
    uncertain("Fri, 05/03/2021", "2021-03-05T00:00:00Z");
    uncertain("Fri, 03/05/2021", "2021-03-05T00:00:00Z");
    uncertain("03/05/2021", "2021-03-05T00:00:00Z");
}

#[test]
fn parses_numbers_without_separators() {
    uncertain("20250113143000", "2025-01-13T14:30:00Z");
    uncertain("202501131430", "2025-01-13T14:30:00Z");
    uncertain("20250113 1430", "2025-01-13T14:30:00Z");
    certain("20250113 143000 GMT", "2025-01-13T14:30:00Z");
    certain("20250113143000Z", "2025-01-13T14:30:00Z");
    certain("946684800000", "2000-01-01T00:00:00Z");
    certain("@1583208306", "2020-03-03T04:05:06Z");
    certain("/Date(1583208306000)/", "2020-03-03T04:05:06Z");
    assert_eq!(read("20251313143000"), None);
}

#[test]
fn parses_other_spellings_of_months() {
    for (name, month) in [
        ("Febuary", 2),
        ("ফেব্রুয়ারী", 2),
        ("Şubat", 2),
        ("subat", 2),
        ("למרץ", 3),
        ("අප්\u{200d}රේල්", 4),
        ("เดือนตุลาคม", 10),
        ("studenog", 11),
        ("KASIM", 11),
        ("EKİM", 10),
        ("ARALIK", 12),
        ("במרץ", 3),
        ("במרס", 3),
        ("ян.", 1),
    ] {
        uncertain(&format!("5 {name} 2024"), &format!("2024-{month:02}-05T00:00:00Z"));
    }
}

#[test]
fn a_missing_day_is_uncertain() {
    uncertain("Dec x 2012 11:47:32 GMT", "2012-12-01T11:47:32Z");
    uncertain("Dec 2012 11:47 +0000", "2012-12-01T11:47:00Z");
    uncertain("mar. 13/01/2025 14:30", "2025-01-13T14:30:00Z");
}

#[test]
fn the_month_is_next_to_a_number() {
    uncertain("måndag 13 januari 2025 14:30:00 koordinerad universell tid", "2025-01-13T14:30:00Z");
    uncertain("Jumatatu, 13 Januari 2025 14:30:00 Saa ya Dunia", "2025-01-13T14:30:00Z");
    uncertain("mar, 5 de enero de 2021", "2021-01-05T00:00:00Z");
    uncertain("13 มกราคม ค.ศ. 2025 14 นาฬิกา 30 นาที", "2025-01-13T14:30:00Z");
    uncertain("2025 оны нэгдүгээр сарын 13", "2025-01-13T00:00:00Z");
}

#[test]
fn the_first_of_several_days_counts() {
    for text in ["June 12-14, 2021", "12–14 June 2021", "12.-14. Juni 2021", "12 et 13 juin 2021"] {
        uncertain(text, "2021-06-12T00:00:00Z");
    }
    uncertain("03/2021", "2021-03-01T00:00:00Z");
}

#[test]
fn parses_numbered_months_in_the_order_of_names() {
    for text in ["3月 5, 2020", "5 3월 2020", "3월 5일 2020", "2020年3月5日", "2020/3/5 月", "2020. 3. 5. 월"]
    {
        uncertain(text, "2020-03-05T00:00:00Z");
    }
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

#[test]
fn the_zero_of_a_clock_is_no_date() {
    for zero in [
        "Thu, 01 Jan 1970 00:00:00 +0000",
        "1970-01-01T01:00:00+01:00",
        "1970-01-01T00:00:00+01:00",
        "Thu, 01 Jan 1970 05:30:00",
        "Wed, 31 Dec 1969 16:00:00 PST",
        "1969-12-31T23:59:59Z",
        "1899-12-30T00:00:00",
        "1900-01-01 00:00:00",
    ] {
        assert!(is_zero(parse(zero).unwrap().at), "{zero}");
    }
    for date in ["1970-01-01T12:34:00Z", "1970-01-02T00:00:00Z", "1969-07-20T20:17:00Z", "1900-01-02T00:00:00Z"] {
        assert!(!is_zero(parse(date).unwrap().at), "{date}");
    }
}

#[test]
fn parses_parts_of_the_day_of_all_languages() {
    for text in [
        "17 de enero de 2025 p. m. 2:35 +0000",
        "17 ianuarie 2025 p.m. 2:35 +0000",
        "17 Ιανουαρίου 2025 μ.μ. 2:35 +0000",
        "17. tammikuuta 2025 ip. 2:35 +0000",
        "17 Januarie 2025 nm. 2:35 +0000",
        "17. ledna 2025 2:35 odp. +0000",
        "17 січня 2025 2:35 пп +0000",
        "2025. gada 17. janvāris 2:35 pēcp. +0000",
        "2025年1月17日 下晝2:35 +0000",
        "17 January 2025 2:35 in the afternoon +0000",
        "17 de enero de 2025 2:35 de la tarde +0000",
        "17. Januar 2025 2:35 nachm. +0000",
        "17 stycznia 2025 2:35 po południu +0000",
    ] {
        certain(text, "2025-01-17T14:35:00Z");
    }
    certain("17. Januar 2025 10:35 nachts +0000", "2025-01-17T22:35:00Z");
    certain("17. Januar 2025 2:35 nachts +0000", "2025-01-17T02:35:00Z");
    // Other words.
    certain("10:35 GMT em 17 de janeiro de 2025", "2025-01-17T10:35:00Z");
    certain("17 January 2025 at 2:35 +0000", "2025-01-17T02:35:00Z");
    certain("Fri, 17 Jan 2025 2:35 +0000", "2025-01-17T02:35:00Z");
    certain("17 Ocak 2025 Cuma 10:35 +0000", "2025-01-17T10:35:00Z");
    certain("2025年1月17日 星期五 10:35 +0000", "2025-01-17T10:35:00Z");
    uncertain("Fri, 17 Jan 2025 10:35 G.M.T.", "2025-01-17T10:35:00Z");
    // Around noon.
    for text in [
        "2025年1月17日中午11:35 +0000",
        "2025年1月17日 正午 11:35 +0000",
        "17 Jan 2025 11:35 siang +0000",
        "17. Januar 2025 11:35 mittags +0000",
    ] {
        certain(text, "2025-01-17T11:35:00Z");
    }
    certain("17. Januar 2025 12:35 mittags +0000", "2025-01-17T12:35:00Z");
    certain("17 януари 2025 г. 12:35 на обяд +0000", "2025-01-17T12:35:00Z");
    certain("2025年1月17日中午1:35 +0000", "2025-01-17T13:35:00Z");
    certain("2025年1月17日 午後11:35 +0000", "2025-01-17T23:35:00Z");
}

#[test]
fn parses_zones_without_a_slash_and_suffixes() {
    for (zone, hour) in [
        ("Japan", "05"),
        ("Singapore", "06"),
        ("Turkey", "11"),
        ("PRC", "06"),
        ("NZ", "01"),
        ("GB", "14"),
        ("Poland", "13"),
        ("W-SU", "11"),
        ("America/New York", "19"),
        ("Hongkong", "06"),
    ] {
        certain(&format!("Mon, 13 Jan 2025 14:30:00 {zone}"), &format!("2025-01-13T{hour}:30:00Z"));
    }
    certain("Mon, 13 Jan 2025 14:30:00 LKT", "2025-01-13T09:00:00Z");
    for suffix in ["[u-ca=gregory]", "[Europe/Nowhere]", "[Europe/Berlin][u-ca=gregory]", "[!x=mars]"] {
        certain(&format!("2025-01-13T14:30:00+01:00{suffix}"), "2025-01-13T13:30:00Z");
        certain(&format!("2025-01-13T14:30:00Z{suffix}"), "2025-01-13T14:30:00Z");
    }
    certain("14:30 +0100 [live] 13 Jan 2025", "2025-01-13T13:30:00Z");
    certain("2025-01-13T14:30:00[Europe/Berlin]", "2025-01-13T13:30:00Z");
}

#[test]
fn parses_months_that_resemble_other_words() {
    for (text, day) in [
        ("17 di Fevrâr dal 2025", "2025-02-17"),
        ("17 Awst 2025", "2025-08-17"),
        ("17 sen 2025", "2025-09-17"),
        ("die 17 Ianuarii 2025", "2025-01-17"),
        ("2025 ഒക്\u{200c}ടോബർ 17", "2025-10-17"),
    ] {
        uncertain(text, &format!("{day}T00:00:00Z"));
    }
    certain("Mon, 13 Jan 2025 14:30:00 AWST", "2025-01-13T06:30:00Z");
}

#[test]
fn parses_months_in_roman_numerals() {
    for text in ["27.III.2024", "27. III. 2024", "27-III-2024", "27 III 2024", "27/iii/2024", "27.Ⅲ.2024"] {
        uncertain(text, "2024-03-27T00:00:00Z");
    }
    uncertain("środa, 27.III.2024 r.", "2024-03-27T00:00:00Z");
    certain("27.III.2024 15:42 CET", "2024-03-27T14:42:00Z");
    uncertain("1.V.2024", "2024-05-01T00:00:00Z");
    uncertain("1-XII-2024", "2024-12-01T00:00:00Z");
    for text in ["1 v 2024", "27.IIII.2024", "27 no 2024"] {
        assert_eq!(read(text), None, "{text}");
    }
}
