//! Detects the language of a text.

use whatlang::{Lang, detect};

/// Number of bytes that are examined: more do not improve the guess.
const SAMPLE: usize = 4 << 10;

/// Minimum number of letters for a guess.
const MIN_LETTERS: usize = 80;

/// Detects the language of a plain text as a BCP 47 tag without region; `None` if uncertain.
///
/// A language that the feed declares takes precedence. Only the first 4 KiB are examined.
#[must_use]
pub fn language(text: &str) -> Option<&'static str> {
    let start = &text[..text.floor_char_boundary(SAMPLE)];
    // Addresses have no language, and many of them would distort the guess.
    let words: Vec<&str> =
        start.split_whitespace().filter(|word| !word.contains("://") && !word.contains('@')).collect();
    let sample = &*words.join(" ");
    let letters = sample.chars().filter(|c| c.is_alphabetic()).take(MIN_LETTERS).count();
    // An ideograph or a Hangul syllable counts as much as a short word.
    let dense = |c: &char| crate::text::is_ideograph(*c) || matches!(c, '\u{ac00}'..='\u{d7a3}');
    let signs = sample.chars().filter(dense).take(MIN_LETTERS / 4).count();
    if letters < MIN_LETTERS && signs < MIN_LETTERS / 4 {
        return None;
    }
    let guess = detect(sample).filter(whatlang::Info::is_reliable)?;
    tag(guess.lang())
}

/// Returns the shortest ISO 639 code, as BCP 47 requires (RFC 5646, section 2.2.1).
fn tag(language: Lang) -> Option<&'static str> {
    Some(match language.code() {
        "afr" => "af",
        "aka" => "ak",
        "amh" => "am",
        "ara" => "ar",
        "aze" => "az",
        "bel" => "be",
        "ben" => "bn",
        "bul" => "bg",
        "cat" => "ca",
        "ces" => "cs",
        "cmn" => "zh",
        "cym" => "cy",
        "dan" => "da",
        "deu" => "de",
        "ell" => "el",
        "eng" => "en",
        "epo" => "eo",
        "est" => "et",
        "fin" => "fi",
        "fra" => "fr",
        "guj" => "gu",
        "heb" => "he",
        "hin" => "hi",
        "hrv" => "hr",
        "hun" => "hu",
        "hye" => "hy",
        "ind" => "id",
        "ita" => "it",
        "jav" => "jv",
        "jpn" => "ja",
        "kan" => "kn",
        "kat" => "ka",
        "khm" => "km",
        "kor" => "ko",
        "lat" => "la",
        "lav" => "lv",
        "lit" => "lt",
        "mal" => "ml",
        "mar" => "mr",
        "mkd" => "mk",
        "mya" => "my",
        "nep" => "ne",
        "nld" => "nl",
        "nob" => "nb",
        "ori" => "or",
        "pan" => "pa",
        "pes" => "fa",
        "pol" => "pl",
        "por" => "pt",
        "ron" => "ro",
        "rus" => "ru",
        "sin" => "si",
        "slk" => "sk",
        "slv" => "sl",
        "sna" => "sn",
        "spa" => "es",
        "srp" => "sr",
        "swe" => "sv",
        "tam" => "ta",
        "tel" => "te",
        "tgl" => "tl",
        "tha" => "th",
        "tuk" => "tk",
        "tur" => "tr",
        "ukr" => "uk",
        "urd" => "ur",
        "uzb" => "uz",
        "vie" => "vi",
        "yid" => "yi",
        "zul" => "zu",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_languages() {
        let of = [
            (
                "en",
                "The boats came back at dawn with less than half of what they had caught the year before, and no one spoke.",
            ),
            (
                "de",
                "Die Boote kamen im Morgengrauen mit weniger als der Hälfte des Fangs vom Vorjahr zurück, und niemand sprach.",
            ),
            (
                "fr",
                "Les bateaux sont rentrés à l'aube avec moins de la moitié de la pêche de l'année dernière, sans un mot.",
            ),
            (
                "ru",
                "Лодки вернулись на рассвете, улов был вдвое меньше прошлогоднего, и никто из рыбаков не сказал ни слова. Только чайки кричали над причалом, и казалось, что они одни ещё помнят, как всё было раньше.",
            ),
            (
                "el",
                "Τα καΐκια γύρισαν την αυγή με λιγότερα από τα μισά ψάρια της περασμένης χρονιάς και κανείς δεν μιλούσε.",
            ),
            ("ja", "夜明けに船が戻ってきたが、去年の半分も獲れず、誰も口をきかなかった。"),
            ("zh", "船在黎明时分回来了，捕到的鱼不到去年的一半，没有人说话，只有海鸥在叫。"),
            (
                "ko",
                "배들은 새벽에 돌아왔지만 잡은 물고기는 작년의 절반도 되지 않았고 아무도 말을 하지 않았다. 갈매기만 울고 있었다. 항구는 조용했고 그물을 고치는 사람도 물고기를 파는 사람도 없었다.",
            ),
        ];
        for (tag, text) in of {
            assert_eq!(language(text), Some(tag), "{text}");
        }
    }

    #[test]
    fn returns_none_if_uncertain() {
        for text in [
            "",
            "42",
            "Hello world",
            "Gleaner 0.1.0 – README.md – v2.3.4 – foo(bar, baz) || quux[7] == nil;".repeat(3).as_str(),
        ] {
            assert_eq!(language(text), None, "{text}");
        }
    }

    #[test]
    fn every_language_has_a_code() {
        for language in Lang::all() {
            assert!(tag(*language).is_some(), "{language:?}");
        }
    }
}
