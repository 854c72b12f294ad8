//! Numbers and names of months that are written in words: Chinese numerals, and the months of Tibetan, Dzongkha and Syriac.

use std::borrow::Cow;

/// Units after the numbers of a date and a time in Chinese and Japanese.
const UNITS: [char; 12] = ['年', '月', '日', '号', '號', '時', '时', '點', '点', '分', '秒', '刻'];
/// Most characters of a number in Chinese numerals.
const MAX_NUMERALS: usize = 5;

/// Returns the text with digits in place of such numbers and months.
pub(super) fn with_digits(text: Cow<'static, str>) -> Cow<'static, str> {
    if text.is_ascii() {
        return text;
    }
    if text.contains('年') {
        return Cow::Owned(with_chinese_numbers(&text));
    }
    if text.contains(TIBETAN_MONTH) {
        return Cow::Owned(with_tibetan_months(&text));
    }
    if text.contains(" ܒ") {
        return Cow::Owned(without_syriac_in(&text));
    }
    text
}

fn with_chinese_numbers(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c| numeral(c).is_none()).unwrap_or(rest.len());
        let (numerals, after) = rest.split_at(end);
        match numerals.chars().count() {
            0 => {
                written.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                continue;
            }
            1..=MAX_NUMERALS if after.starts_with(UNITS) => match chinese_number(numerals) {
                Some(number) => written.push_str(&number.to_string()),
                None => written.push_str(numerals),
            },
            _ => written.push_str(numerals),
        }
        rest = after;
    }
    written
}

/// Returns the value of a Chinese numeral; ten and a hundred multiply the one before.
fn numeral(c: char) -> Option<u64> {
    Some(match c {
        '〇' | '零' | '○' => 0,
        '一' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        '廿' => 20,
        '卅' => 30,
        '百' => 100,
        _ => return None,
    })
}

/// Returns the value of a number, which has a numeral for each digit, or names its tens and hundreds.
fn chinese_number(numerals: &str) -> Option<u64> {
    let values: Vec<u64> = numerals.chars().filter_map(numeral).collect();
    if values.iter().all(|value| *value < 10) {
        return Some(values.into_iter().fold(0, |number, digit| number * 10 + digit));
    }
    let (mut number, mut digit) = (0, None);
    for value in values {
        match (value, digit.take()) {
            (0, None) => {}
            (1..=9, None) => digit = Some(value),
            (10 | 100, factor) => number += factor.unwrap_or(1) * value,
            (20 | 30, None) => number += value,
            _ => return None,
        }
    }
    Some(number + digit.unwrap_or(0))
}

/// The word for "month" of Tibetan and Dzongkha.
const TIBETAN_MONTH: &str = "ཟླ་";
/// The ordinal numbers after it, and the months.
const TIBETAN_ORDINALS: [(&str, &str); 13] = [
    ("དངཔ", "1"),
    ("དང་པོ", "1"),
    ("གཉིས་པ", "2"),
    ("གསུམ་པ", "3"),
    ("བཞི་པ", "4"),
    ("ལྔ་པ", "5"),
    ("དྲུག་པ", "6"),
    ("བདུན་པ", "7"),
    ("བརྒྱད་པ", "8"),
    ("དགུ་པ", "9"),
    ("བཅུ་པ", "10"),
    ("བཅུ་གཅིག་པ", "11"),
    ("བཅུ་གཉིས་པ", "12"),
];

fn with_tibetan_months(text: &str) -> String {
    let mut parts = text.split(TIBETAN_MONTH);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.strip_prefix("བ་").unwrap_or(part);
        let mut ordinals = TIBETAN_ORDINALS.into_iter();
        let month = ordinals.find_map(|(ordinal, number)| Some((number, name.strip_prefix(ordinal)?)));
        written.push_str(TIBETAN_MONTH);
        match month {
            Some((number, rest)) => written.extend([number, " ", rest]),
            None => written.push_str(part),
        }
    }
    written
}

/// Removes the Syriac letter for "in" before words of several letters. No month begins with it.
fn without_syriac_in(text: &str) -> String {
    let is_syriac = |c: char| matches!(c, '\u{710}'..='\u{74f}');
    let words = text.split(' ').map(|word| {
        let rest = word.strip_prefix('ܒ').filter(|rest| rest.chars().filter(|c| is_syriac(*c)).count() > 1);
        rest.unwrap_or(word)
    });
    words.collect::<Vec<_>>().join(" ")
}
