//! Vocabulary of dates: months in many languages, zones, and times of day, in lower case.

/// Returns the month of a name or of an abbreviation of at least three letters.
pub(super) fn month(word: &str) -> Option<u32> {
    Some(match word {
        "jan"
        | "january"
        | "januar"
        | "jän"
        | "jänner"
        | "jaen"
        | "janv"
        | "janvier"
        | "ene"
        | "enero"
        | "gen"
        | "gennaio"
        | "janeiro"
        | "januari"
        | "январь"
        | "января"
        | "янв"
        | "sty"
        | "stycznia"
        | "styczeń"
        | "ιαν"
        | "ιανουάριος"
        | "ιανουαρίου"
        | "január"
        | "ocak"
        | "oca"
        | "gener"
        | "ledna"
        | "leden"
        | "led"
        | "tammikuu"
        | "tammikuuta"
        | "ianuarie"
        | "ian"
        | "січня"
        | "януари"
        | "siječnja" => 1,
        "feb"
        | "february"
        | "februar"
        | "fév"
        | "févr"
        | "février"
        | "fevr"
        | "fevrier"
        | "febrero"
        | "febbraio"
        | "fev"
        | "fevereiro"
        | "februari"
        | "февраль"
        | "февраля"
        | "фев"
        | "февр"
        | "lut"
        | "lutego"
        | "luty"
        | "φεβ"
        | "φεβρουάριος"
        | "φεβρουαρίου"
        | "február"
        | "şubat"
        | "şub"
        | "febrer"
        | "února"
        | "únor"
        | "úno"
        | "helmikuu"
        | "helmikuuta"
        | "februarie"
        | "лютого"
        | "veljače"
        | "feber" => 2,
        "mar" | "march" | "mär" | "märz" | "mrz" | "maerz" | "mars" | "marzo" | "março" | "marco" | "maart" | "mrt"
        | "март" | "марта" | "мар" | "marca" | "marzec" | "μαρ" | "μάρ" | "μάρτιος" | "μαρτίου" | "március"
        | "márc" | "mart" | "març" | "března" | "březen" | "bře" | "maaliskuu" | "maaliskuuta" | "martie"
        | "березня" | "ožujka" | "marts" | "marec" => 3,
        "apr" | "april" | "avr" | "avril" | "abr" | "abril" | "aprile" | "апрель" | "апреля" | "апр" | "kwi"
        | "kwietnia" | "kwiecień" | "απρ" | "απρίλιος" | "απριλίου" | "április" | "ápr" | "nisan" | "nis" | "dubna"
        | "duben" | "dub" | "huhtikuu" | "huhtikuuta" | "aprilie" | "квітня" | "travnja" | "apríl" => 4,
        "may" | "mai" | "mayo" | "mag" | "maggio" | "maio" | "mei" | "май" | "мая" | "maj" | "maja" | "μάι" | "μαι"
        | "μαϊ" | "μαΐ" | "μάιος" | "μαΐου" | "május" | "máj" | "mayıs" | "maig" | "května" | "květen" | "kvě"
        | "toukokuu" | "toukokuuta" | "травня" | "svibnja" => 5,
        "jun" | "june" | "juni" | "juin" | "junio" | "giu" | "giugno" | "junho" | "июнь" | "июня" | "июн" | "cze"
        | "czerwca" | "czerwiec" | "ιούν" | "ιουν" | "ιούνιος" | "ιουνίου" | "június" | "jún" | "haziran" | "haz"
        | "juny" | "června" | "červen" | "kesäkuu" | "kesäkuuta" | "iunie" | "червня" | "lipnja" => 6,
        "jul" | "july" | "juli" | "juil" | "juillet" | "julio" | "lug" | "luglio" | "julho" | "июль" | "июля"
        | "июл" | "lip" | "lipca" | "lipiec" | "ιούλ" | "ιουλ" | "ιούλιος" | "ιουλίου" | "július" | "júl"
        | "temmuz" | "tem" | "juliol" | "července" | "červenec" | "heinäkuu" | "heinäkuuta" | "iulie" | "липня"
        | "srpnja" => 7,
        "aug" | "august" | "aoû" | "août" | "aout" | "ago" | "agosto" | "augustus" | "август" | "августа" | "авг"
        | "sie" | "sierpnia" | "sierpień" | "αύγ" | "αυγ" | "αύγουστος" | "αυγούστου" | "augusztus" | "ağustos"
        | "ağu" | "agost" | "srpna" | "srpen" | "elokuu" | "elokuuta" | "серпня" | "kolovoza" | "augusti" => 8,
        "sep"
        | "sept"
        | "september"
        | "septembre"
        | "septiembre"
        | "set"
        | "settembre"
        | "setembro"
        | "сентябрь"
        | "сентября"
        | "сен"
        | "сент"
        | "wrz"
        | "września"
        | "wrzesień"
        | "σεπ"
        | "σεπτ"
        | "σεπτέμβριος"
        | "σεπτεμβρίου"
        | "szeptember"
        | "szept"
        | "eylül"
        | "eyl"
        | "setembre"
        | "září"
        | "zář"
        | "syyskuu"
        | "syyskuuta"
        | "septembrie"
        | "вересня"
        | "rujna" => 9,
        "oct" | "october" | "okt" | "oktober" | "octobre" | "octubre" | "ott" | "ottobre" | "out" | "outubro"
        | "октябрь" | "октября" | "окт" | "paź" | "października" | "październik" | "οκτ" | "οκτώβριος"
        | "οκτωβρίου" | "október" | "ekim" | "eki" | "října" | "říjen" | "říj" | "lokakuu" | "lokakuuta"
        | "octombrie" | "жовтня" => 10,
        "nov" | "november" | "novembre" | "noviembre" | "novembro" | "ноябрь" | "ноября" | "ноя" | "lis"
        | "listopada" | "listopad" | "νοε" | "νοέ" | "νοέμ" | "νοέμβριος" | "νοεμβρίου" | "kasım" | "kas"
        | "marraskuu" | "marraskuuta" | "noiembrie" | "noi" => 11,
        "dec"
        | "december"
        | "dez"
        | "dezember"
        | "déc"
        | "décembre"
        | "decembre"
        | "dic"
        | "diciembre"
        | "dicembre"
        | "dezembro"
        | "декабрь"
        | "декабря"
        | "дек"
        | "gru"
        | "grudnia"
        | "grudzień"
        | "δεκ"
        | "δεκέμβριος"
        | "δεκεμβρίου"
        | "aralık"
        | "ara"
        | "desember"
        | "des"
        | "desembre"
        | "prosince"
        | "prosinec"
        | "joulukuu"
        | "joulukuuta"
        | "decembrie"
        | "грудня"
        | "prosinca" => 12,
        _ => return None,
    })
}

/// Returns the offset of a zone's name in minutes east of Greenwich. Military letters other than Z are ignored: RFC
/// 822 had their signs wrong, so their meaning is unknown (RFC 2822, section 4.3).
pub(super) fn zone(word: &str) -> Option<i64> {
    let hours = |h: i64| h * 60;
    Some(match word {
        "z" | "ut" | "utc" | "gmt" | "wet" | "zulu" => 0,
        "est" => hours(-5),
        "edt" => hours(-4),
        "et" => hours(-5),
        "cst" | "ct" => hours(-6),
        "cdt" => hours(-5),
        "mst" | "mt" => hours(-7),
        "mdt" => hours(-6),
        "pst" | "pt" => hours(-8),
        "pdt" => hours(-7),
        "akst" => hours(-9),
        "akdt" => hours(-8),
        "hst" => hours(-10),
        "ast" => hours(-4),
        "adt" => hours(-3),
        "nst" => -210,
        "ndt" => -150,
        "brt" => hours(-3),
        "bst" | "cet" | "met" | "mez" | "west" => hours(1),
        "cest" | "mest" | "mesz" | "eet" | "sast" => hours(2),
        "eest" | "msk" => hours(3),
        "msd" => hours(4),
        "ist" => 330,
        "hkt" | "sgt" | "awst" => hours(8),
        "jst" | "kst" => hours(9),
        "acst" => 570,
        "acdt" => 630,
        "aest" => hours(10),
        "aedt" => hours(11),
        "nzst" => hours(12),
        "nzdt" => hours(13),
        _ => return None,
    })
}

/// Returns true for the afternoon, false for the morning.
pub(super) fn meridian(word: &str) -> Option<bool> {
    match word {
        "am" | "오전" | "上午" | "午前" | "ص" | "πμ" => Some(false),
        "pm" | "오후" | "下午" | "午後" | "م" | "μμ" => Some(true),
        _ => None,
    }
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
            | "etc"
            | "time"
    ) || meridian(word).is_some()
}
