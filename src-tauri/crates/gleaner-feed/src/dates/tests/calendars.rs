//! Dates of other calendars, and numbers and months in words.

use super::{read, uncertain};

#[test]
fn reads_chinese_numerals() {
    for text in [
        "二〇二五年三月五日",
        "二零二五年三月五日",
        "民國一一四年三月五日",
        "民國一百一十四年三月五日",
        "令和七年三月五日",
        "2025年三月5日",
    ] {
        uncertain(text, "2025-03-05T00:00:00Z");
    }
    uncertain("二〇二五年十二月三十一日 下午三點二十分", "2025-12-31T15:20:00Z");
    uncertain("二零二五年二月廿八日", "2025-02-28T00:00:00Z");
    uncertain("2025年3月5日（星期三）", "2025-03-05T00:00:00Z");
}

#[test]
fn reads_eras_next_to_usual_years_and_their_initials() {
    for text in ["令和7年(2025年)3月5日", "2025年（令和7年）3月5日", "R7.3.5", "R07/03/05"] {
        uncertain(text, "2025-03-05T00:00:00Z");
    }
    uncertain("H31.4.30 12:00", "2019-04-30T12:00:00Z");
    assert_eq!(read("R7.3"), None);
}

#[test]
fn the_day_comes_first_in_buddhist_years() {
    uncertain("05/03/2568", "2025-03-05T00:00:00Z");
    uncertain("05/03/2568 14:30", "2025-03-05T14:30:00Z");
    uncertain("2568-03-05", "2025-03-05T00:00:00Z");
}

#[test]
fn reads_the_islamic_calendar_by_its_months_and_its_sign() {
    for text in [
        "5 رمضان 1446",
        "٥ رمضان ١٤٤٦ هـ",
        "1446/9/5هـ",
        "5-9-1446 هـ",
        // The same day in both calendars: the usual one counts.
        "الأربعاء 6 رمضان 1446 هـ - 5 مارس 2025 م",
        "5 رمضان 1446هـ الموافق 5 مارس 2025",
        "2025/03/05 - 1446/09/06 هـ",
    ] {
        uncertain(text, "2025-03-05T00:00:00Z");
    }
    uncertain("13 رجب 1446", "2025-01-13T00:00:00Z");
    uncertain("5 ذو الحجة 1445 هـ 10:30", "2024-06-12T10:30:00Z");
    uncertain("٥ ربيع الأول ١٤٤٧", "2025-08-29T00:00:00Z");
    assert_eq!(read("31 رمضان 1446"), None);
}

#[test]
fn reads_the_months_of_tibetan_dzongkha_and_syriac() {
    for text in [
        "སྤྱི་ལོ་2025 ཟླ་བ་བཅུ་གཅིག་པའི་ཚེས་5",
        "གཟའ་ཕུར་བུ་, སྤྱི་ལོ་2025 ཟླ་བཅུ་གཅིག་པ་ ཚེས་05",
        "2025 ལོའི་ཟླ་༡༡ཚེས་5",
        "5 ܒܬܫܪܝܢ ܒ 2025",
        "ܐܪܒܥܒܫܒܐ، 5 ܒܬܫܪܝܢ ܐܚܪܝܐ 2025",
    ] {
        uncertain(text, "2025-11-05T00:00:00Z");
    }
    uncertain("སྤྱི་ལོ་2025 ཟླ་དངཔ་ ཚེས་05", "2025-01-05T00:00:00Z");
    uncertain("5 ܒܐܒ 2025", "2025-08-05T00:00:00Z");
}
