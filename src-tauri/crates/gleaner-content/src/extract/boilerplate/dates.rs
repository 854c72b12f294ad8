//! Recognises dates as pages display them.

/// Beginnings of names of months, in lower case.
#[rustfmt::skip]
const MONTHS: [&str; 62] = [
    // Germanic and Romance languages
    "jan", "feb", "mar", "mär", "maa", "apr", "avr", "abr", "may", "mai", "maj", "maggio", "mei", "mag", "jun", "jui", "giu", "jul", "lug", "aug", "aoû",
    "ago", "sep", "set", "oct", "okt", "out", "ott", "nov", "dec", "dez", "déc", "dic", "gen", "fév", "ene", "fev", "mrz", "jän",
    // Polish
    "sty", "lut", "kwi", "cze", "lip", "sie", "wrz", "paź", "lis", "gru",
    // Russian
    "янв", "фев", "мар", "апр", "мая", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек",
];

/// Other words in dates, in lower case.
#[rustfmt::skip]
const WORDS: [&str; 69] = [
    "mon", "monday", "tue", "tues", "tuesday", "wed", "wednesday", "thu", "thur", "thurs", "thursday", "fri", "friday", "sat", "saturday", "sun", "sunday",
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "mo", "di", "mi", "do", "fr", "sa", "so",
    "am", "at", "on", "the", "of", "de", "del", "le", "à", "um", "uhr", "den", "vom", "von", "kl", "pm", "a", "p", "m",
    "est", "edt", "et", "cst", "cdt", "ct", "mst", "mdt", "mt", "pst", "pdt", "pt", "gmt", "utc", "cet", "cest", "bst", "ist", "stand",
];

/// Minimum number of digits in a date with its year.
const DIGITS: usize = 5;

/// Whether a text in lower case is a date and nothing else.
pub(super) fn is_date(text: &str) -> bool {
    text.len() <= 80 && {
        let mut digits = 0;
        words(text).all(|word| is_part(word, &mut digits)) && digits >= DIGITS
    }
}

/// Whether a text in lower case begins with a date.
pub(super) fn begins_with_date(text: &str) -> bool {
    let mut digits = 0;
    for word in words(text) {
        if !is_part(word, &mut digits) {
            return false;
        }
        if digits >= DIGITS {
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
        // A number that is too long for a year is not one of a date.
        "" => number <= 4 || number == 8,
        rest if number > 0 => {
            let unit = rest.trim_end_matches(|c: char| c.is_ascii_digit());
            matches!(unit, "st" | "nd" | "rd" | "th" | "h" | "t" | "am" | "pm" | "er")
                || rest.starts_with(['年', '月', '日', '년', '월', '일'])
        }
        rest => {
            WORDS.contains(&rest) || rest.chars().count() <= 12 && MONTHS.iter().any(|month| rest.starts_with(month))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
