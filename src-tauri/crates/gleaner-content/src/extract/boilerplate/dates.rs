//! Recognises dates as pages display them.

use chrono::NaiveDate;

/// Beginnings of the names of the twelve months, in lower case. A longer beginning may belong to another month.
#[rustfmt::skip]
const MONTHS: [&[&str]; 12] = [
    &["jan", "jän", "gen", "ene", "sty", "янв"],
    &["feb", "fév", "fev", "lut", "фев"],
    &["mar", "mär", "maa", "mrz", "мар"],
    &["apr", "avr", "abr", "kwi", "апр"],
    &["may", "mai", "maj", "mei", "mag", "мая", "май"],
    &["jun", "juin", "giu", "cze", "июн"],
    &["jul", "juil", "lug", "lip", "июл"],
    &["aug", "aoû", "ago", "sie", "авг"],
    &["sep", "set", "wrz", "сен"],
    &["oct", "okt", "out", "ott", "paź", "окт"],
    &["nov", "lis", "ноя"],
    &["dec", "dez", "déc", "dic", "gru", "дек"],
];

/// Other words in dates, in lower case.
#[rustfmt::skip]
const WORDS: [&str; 144] = [
    "mon", "monday", "tue", "tues", "tuesday", "wed", "wednesday", "thu", "thur", "thurs", "thursday", "fri", "friday", "sat", "saturday", "sun", "sunday",
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "mo", "di", "mi", "do", "fr", "sa", "so",
    "am", "at", "on", "the", "of", "de", "del", "le", "à", "um", "uhr", "den", "vom", "von", "kl", "il", "el", "em", "dnia", "pm", "a", "p", "m",
    "est", "edt", "et", "cst", "cdt", "ct", "mst", "mdt", "mt", "hst", "akst", "akdt", "pst", "pdt", "pt", "gmt", "utc", "cet", "cest", "bst", "ist", "stand",
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "las",
    "segunda", "terça", "quarta", "quinta", "sexta", "feira", "às", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica", "alle", "ore",
    "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag", "om", "uur", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag",
    "måndag", "tisdag", "lördag", "söndag", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela", "godz", "понедельник", "вторник", "среда",
    "четверг", "пятница", "суббота", "воскресенье", "в", "г",
];

/// Minimum number of digits in a date with its year.
const MIN_DIGITS: usize = 5;

/// Returns the number of a month by its name in lower case.
fn month(name: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|starts| starts.iter().any(|start| name.starts_with(start)))?;
    (name.chars().count() <= 12).then_some(u32::try_from(at).ok()? + 1)
}

/// Returns the day of a date with the name of a month, or with points: `5. März 2026`, `05.03.2026`.
pub(in crate::extract) fn worded_date(text: &str) -> Option<NaiveDate> {
    let text = text.to_lowercase();
    let text = text.trim();
    if !begins_with_date(text) {
        return None;
    }
    let number = |word: &str| word.trim_end_matches(char::is_alphabetic).parse::<u32>().ok();
    let numbers: Vec<u32> = words(text).filter_map(number).take(3).collect();
    let (day, month, year) = match (words(text).find_map(month), &*numbers) {
        (Some(month), [day @ 1..=31, year @ 1000..=9999, ..] | [year @ 1000..=9999, day @ 1..=31, ..]) => {
            (*day, month, *year)
        }
        (None, [day, month, year @ 1000..=9999]) if text.split('.').count() >= 3 => (*day, *month, *year),
        _ => return None,
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// Whether a text in lower case is a date and nothing else.
pub(super) fn is_date(text: &str) -> bool {
    text.len() <= 80 && {
        let mut digits = 0;
        words(text).all(|word| is_part(word, &mut digits)) && digits >= MIN_DIGITS
    }
}

/// Whether all words of a text in lower case are those of dates, and some have digits.
pub(super) fn has_only_parts_of_dates(text: &str) -> bool {
    let mut digits = 0;
    words(text).all(|word| is_part(word, &mut digits)) && digits > 0
}

/// Returns the parts of a line with separators between them.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(['|', '·', '•', '\n']).flat_map(|part| part.split(" - ")).flat_map(|part| part.split(" – "));
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// Whether a text in lower case begins with a date.
pub(in crate::extract) fn begins_with_date(text: &str) -> bool {
    let mut digits = 0;
    for word in words(text) {
        if !is_part(word, &mut digits) {
            return false;
        }
        if digits >= MIN_DIGITS {
            return true;
        }
    }
    false
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_part(word: &str, digits: &mut usize) -> bool {
    let number = word.bytes().take_while(u8::is_ascii_digit).count();
    *digits += word.bytes().filter(u8::is_ascii_digit).count();
    match &word[number..] {
        // A number that is too long for a year is not part of a date.
        "" => number <= 4 || number == 8,
        rest if number > 0 => {
            let unit = rest.trim_end_matches(|c: char| c.is_ascii_digit());
            matches!(unit, "st" | "nd" | "rd" | "th" | "h" | "t" | "am" | "pm" | "er")
                || rest.starts_with(['年', '月', '日', '년', '월', '일'])
        }
        rest => WORDS.contains(&rest) || month(rest).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_dates_in_words() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 3, day);
        assert_eq!(worded_date("Donnerstag, 5. März 2026, 10:00 Uhr"), day(5));
        assert_eq!(worded_date("March 17th, 2026"), day(17));
        assert_eq!(worded_date("05.03.2026"), day(5));
        for other in ["05/03/2026", "5 books in 2026", "March 2026", "32 March 2026"] {
            assert_eq!(worded_date(other), None, "{other}");
        }
    }

    #[test]
    fn recognises_dates() {
        for date in [
            "23.10.2018",
            "5 may 2026",
            "nov. 20, 2019 1:35 a.m.",
            "dienstag, 3. märz 2020 um 14:05 uhr",
            "le 5 février 2021 à 10h30",
            "2026-03-05t10:00",
            "2026年3月5日",
            "5 мая 2026",
        ] {
            assert!(is_date(date) && begins_with_date(date), "{date}");
        }
        for other in
            ["12 papers in 2019 and 2020", "in 2019 by a house", "2019", "may 5", "0800 123456", "version 2026.11"]
        {
            assert!(!is_date(other) && !begins_with_date(other), "{other}");
        }
        assert!(begins_with_date("nov 20, 2019, by a writer") && !is_date("nov 20, 2019, by a writer"));
    }
}
