//! Vocabulary of dates: months in all languages of CLDR, zones, and times of day, in lower case and composed (NFKC).

use chrono_tz::{TZ_VARIANTS, Tz};
use std::{collections::HashMap, sync::LazyLock};

/// The names of the months, one line for each: all of CLDR 48 (Gregorian, wide and abbreviated) that mean one month only and are no other
/// words, and other spellings in feeds.
const MONTHS: &str = include_str!("months.txt");

static MONTH_OF_NAME: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let lines = (1..).zip(MONTHS.lines());
    lines.flat_map(|(month, names)| names.split(';').map(move |name| (name, month))).collect()
});

/// The names of the months in RFC 822.
pub(super) const RFC_822: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Maximum number of words in the name of a month.
pub(super) const MONTH_WORDS: usize = 4;

/// Returns the month of a name or of an abbreviation, whose words are separated by single spaces.
pub(super) fn month(words: &str) -> Option<u32> {
    // Nearly all feeds use the names of RFC 822.
    let index = RFC_822.iter().position(|name| *name == words);
    let of_name = |words: &str| MONTH_OF_NAME.get(words).copied();
    index.and_then(|index| u32::try_from(index + 1).ok()).or_else(|| of_name(words)).or_else(|| {
        // "In" and "of" of Hebrew, "month" of Thai, an ending of Kurdish, and the Turkish I in capitals.
        let name = words.strip_prefix(['ב', 'ל']).or_else(|| words.strip_prefix("เดือน")).or(words.strip_suffix('ی'));
        name.and_then(of_name).or_else(|| of_name(&words.replace('i', "ı")))
    })
}

static ZONE_OF_NAME: LazyLock<HashMap<String, Tz>> =
    LazyLock::new(|| TZ_VARIANTS.iter().map(|zone| (zone.name().to_ascii_lowercase(), *zone)).collect());

/// Returns the zone of a name of the tz database, such as `america/new_york`.
pub(super) fn named_zone(name: &str) -> Option<Tz> {
    ZONE_OF_NAME.get(name).copied()
}

/// Returns the zone of a name that means standard time in winter and daylight time in summer, such as ET.
pub(super) fn local_zone(name: &str) -> Option<Tz> {
    Some(match name {
        "et" | "eastern" => Tz::US__Eastern,
        "ct" | "central" => Tz::US__Central,
        "mt" | "mountain" => Tz::US__Mountain,
        "pt" | "pacific" => Tz::US__Pacific,
        _ => return None,
    })
}

/// Returns the offset of a zone's abbreviation in minutes east of Greenwich: those of the tz database, else of
/// PostgreSQL (`src/timezone/tznames/Default`) and of dateparser 1.5 (`timezones.py`), with their present offsets. If an
/// abbreviation has several meanings, the most common one counts. Military letters other than Z are ignored: RFC 822 had
/// their signs wrong, so their meaning is unknown (RFC 2822, section 4.3).
pub(super) fn zone(word: &str) -> Option<i64> {
    Some(match word {
        "aoe" => -720,
        "nut" | "sst" => -660,
        "ckt" | "hast" | "hst" | "taht" => -600,
        "akst" | "gamt" | "hadt" | "hdt" => -540,
        "akdt" | "cist" | "hnp" | "pst" => -480,
        "hap" | "hnr" | "mst" | "pdt" => -420,
        "cst" | "east" | "galt" | "har" | "hnc" | "mdt" => -360,
        "act" | "cdt" | "cot" | "easst" | "ect" | "est" | "hac" | "hne" | "pet" => -300,
        "ast" | "at" | "bot" | "clt" | "edt" | "fkt" | "gyt" | "hae" | "hna" | "pyt" | "vet" => -240,
        "hnt" | "nst" => -210,
        "adt" | "art" | "brt" | "clst" | "fkst" | "gft" | "haa" | "pmst" | "pyst" | "rott" | "srt" | "uyt" => -180,
        "hat" | "ndt" => -150,
        "arst" | "brst" | "fnt" | "pmdt" | "uyst" | "wgt" => -120,
        "azot" | "cvt" | "egt" | "wgst" => -60,
        "azost" | "egst" | "gmt" | "ut" | "utc" | "wet" | "z" | "zulu" => 0,
        "bst" | "cet" | "met" | "mez" | "wat" | "west" => 60,
        "cat" | "cedt" | "cest" | "eet" | "mest" | "mesz" | "sast" | "wast" => 120,
        "eat" | "eedt" | "eest" | "fet" | "idt" | "msk" | "мск" | "syot" | "trt" | "volt" => 180,
        "irst" | "irt" => 210,
        "amt" | "azt" | "get" | "gst" | "kuyt" | "msd" | "mut" | "ret" | "samt" | "sct" => 240,
        "aft" | "irdt" => 270,
        "almt" | "amst" | "aqtt" | "azst" | "mawt" | "mvt" | "orat" | "pkt" | "qyzt" | "tft" | "tjt" | "tmt"
        | "uzt" | "yekt" => 300,
        "ist" | "lkt" => 330,
        "npt" => 345,
        "bdt" | "btt" | "iot" | "kgt" | "omst" => 360,
        "cct" | "mmt" => 390,
        "cxt" | "davt" | "hovt" | "ict" | "krat" | "novt" | "vost" | "wib" => 420,
        "awst" | "bnt" | "chot" | "hkt" | "irkt" | "myt" | "pht" | "sgt" | "ulat" | "wita" => 480,
        "acwst" => 525,
        "awdt" | "chost" | "jst" | "kst" | "pwt" | "tlt" | "ulast" | "wit" | "yakt" => 540,
        "acst" => 570,
        "aest" | "chst" | "chut" | "ddut" | "pgt" | "vlat" => 600,
        "acdt" | "lhst" => 630,
        "aedt" | "kost" | "lhdt" | "magt" | "nct" | "nft" | "pont" | "sakt" | "sbt" | "sret" | "vut" => 660,
        "anat" | "fjt" | "gilt" | "mht" | "nfdt" | "nzst" | "pett" | "tvt" | "wakt" | "wft" => 720,
        "chast" => 765,
        "fjst" | "nzdt" | "phot" | "tkt" | "tot" | "wst" => 780,
        "chadt" => 825,
        "lint" => 840,
        _ => return None,
    })
}

/// Whether a word is the abbreviation of a zone.
pub(super) fn is_zone(word: &str) -> bool {
    zone(word).is_some() || local_zone(word).is_some_and(|_| word.len() == 2)
}

/// Returns the offset of a zone by its words before "time", such as Eastern Standard Time, in minutes east of Greenwich.
pub(super) fn zone_in_words(words: &[&str]) -> Option<i64> {
    let (region, summer) = match words {
        [region @ .., "standard"] => (region, 0),
        [region @ .., "daylight" | "summer"] => (region, 60),
        region => (region, 0),
    };
    let standard = match region {
        ["hawaii"] => -600,
        ["alaska"] => -540,
        ["pacific"] => -480,
        ["mountain"] => -420,
        ["central"] => -360,
        ["eastern"] => -300,
        ["atlantic"] => -240,
        ["british" | "universal"] | ["western", "european"] | ["greenwich", "mean"] | ["coordinated", "universal"] => 0,
        ["central", "european"] => 60,
        ["eastern", "european"] => 120,
        ["moscow"] => 180,
        ["india"] => 330,
        ["china" | "singapore"] => 480,
        ["japan" | "korea"] => 540,
        ["australian", "eastern"] => 600,
        _ => return None,
    };
    Some(standard + summer)
}

/// Returns true for the afternoon, false for the morning.
pub(super) fn meridian(word: &str) -> Option<bool> {
    match word {
        "am"
        | "ص"
        | "صباحا"
        | "صباحًا"
        | "صباحاً"
        | "πμ"
        | "قبلازظهر"
        | "sa"
        | "ap"
        | "öö"
        | "pg"
        | "pagi"
        | "vm"
        | "पूर्वाह्न"
        | "পূর্বাহ্ণ"
        | "ጥዋት"
        | "midnight" => {
            return Some(false);
        }
        "pm"
        | "م"
        | "مساء"
        | "مساءً"
        | "μμ"
        | "بعدازظهر"
        | "ch"
        | "ip"
        | "ös"
        | "ptg"
        | "petang"
        | "malam"
        | "nm"
        | "अपराह्न"
        | "অপরাহ্ণ"
        | "ከሰዓት"
        | "noon" => {
            return Some(true);
        }
        _ => {}
    }
    // Without spaces, other words precede them, as in 5日下午2:30.
    let ends_with = |names: &[&str]| names.iter().any(|name| word.ends_with(name));
    if ends_with(&["오전", "上午", "午前", "凌晨", "早上", "上晝", "上昼", "清晨", "早晨"]) {
        return Some(false);
    }
    ends_with(&["오후", "下午", "午後", "中午", "正午", "晚上", "晚", "下晝", "下昼", "傍晚", "夕方"]).then_some(true)
}

/// A part of the day, next to a time of twelve hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayPart {
    Morning,
    Afternoon,
    /// From the evening to the morning.
    Night,
    /// From the late morning to the evening: 11:30 is before noon.
    Noon,
}

/// The names of the parts of the day, one line for each: those of CLDR (day periods, wide and abbreviated) that mean one part only, without
/// short ones that are also other words.
const DAY_PARTS: &str = include_str!("meridians.txt");

static DAY_PART_OF_NAME: LazyLock<HashMap<&str, DayPart>> = LazyLock::new(|| {
    let lines =
        [DayPart::Morning, DayPart::Afternoon, DayPart::Night, DayPart::Noon].into_iter().zip(DAY_PARTS.lines());
    lines.flat_map(|(part, names)| names.split(';').map(move |name| (name, part))).collect()
});

/// Maximum number of words in the name of a part of the day.
pub(super) const DAY_PART_WORDS: usize = 4;

/// Returns the part of the day of a name, whose words are separated by single spaces.
pub(super) fn day_part(words: &str) -> Option<DayPart> {
    DAY_PART_OF_NAME.get(words).copied()
}

/// Whether a word is noon or the time around it, as in `中午11:30`. Other words may precede it.
pub(super) fn is_noon(word: &str) -> bool {
    word == "noon" || word.ends_with("中午") || word.ends_with("正午")
}

/// Whether a word means that a time follows.
pub(super) fn precedes_time(word: &str) -> bool {
    matches!(word, "kl" | "klo" | "klokka" | "klokken" | "klockan" | "ore" | "godz" | "um")
}

/// Whether a word stands for "o'clock" between hours and minutes, or after hours.
pub(super) fn is_hour(word: &str) -> bool {
    matches!(
        word,
        "h" | "hs" | "hrs" | "heure" | "heures" | "u" | "uhr" | "uur" | "ч" | "час" | "часов" | "horas" | "น" | "นาฬิกา"
    )
}

/// Whether a word next to a time has no meaning for it.
pub(super) fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "uhr"
            | "at"
            | "de"
            | "of"
            | "h"
            | "t"
            | "um"
            | "st"
            | "nd"
            | "rd"
            | "th"
            | "年"
            | "月"
            | "日"
            | "년"
            | "월"
            | "일"
            | "time"
    ) || meridian(word).is_some()
}
