//! Detects text in one Latin alphabet that is declared in an encoding of another: Polish, Czech or Turkish as Latin-1, or Windows-1250 as
//! ISO-8859-2. Such bytes are valid in both, so only the language can decide.

use super::{SAMPLE, detect};
use encoding_rs::{Encoding, ISO_8859_2, ISO_8859_4, WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257};

/// Minimum number of letters that must differ from those of the declared encoding.
const MIN_DIFFERENT: usize = 24;
/// At least one in this many of those letters must be the second most frequent one: a single accented letter does not identify a language.
const SECOND: usize = 16;
/// Consonants of the Baltic languages. In Welsh and Dutch text, letters that differ would be vowels, or `ļ` alone.
const BALTIC: [char; 8] = ['č', 'ģ', 'ķ', 'ļ', 'ņ', 'ŗ', 'š', 'ž'];
/// At least one in this number of letters must be such a consonant.
const CONSONANTS: usize = 10;
/// Number of parts of the text that must look the same.
const PARTS: usize = 4;

/// The bytes of Hungarian letters in Windows-1250 and ISO-8859-2 that are the same in Windows-1252, and of `ő` and `ű`, which are `õ` and
/// `û` there.
const HUNGARIAN: &[u8] = b"\xc1\xc9\xcd\xd3\xd6\xda\xdc\xe1\xe9\xed\xf3\xf6\xfa\xfc";
const HUNGARIAN_ONLY: &[u8] = b"\xd5\xdb\xf5\xfb";
/// Minimum number of letters outside of ASCII in a text that is found to be Hungarian, and of `ő` and `ű`.
const HUNGARIAN_LETTERS: (usize, usize) = (24, 3);

/// Whether text that was found or declared to be Windows-1252 is Hungarian, the only language with these letters and no others. Its own
/// letters are too rare for [`differs_in_letters`].
pub(super) fn is_hungarian(bytes: &[u8]) -> bool {
    let bytes = bytes.get(..SAMPLE).unwrap_or(bytes);
    let count = |of: &[u8]| bytes.iter().filter(|byte| of.contains(byte)).count();
    let (usual, own) = (count(HUNGARIAN), count(HUNGARIAN_ONLY));
    // Signs are below the letters.
    let others = bytes.iter().filter(|byte| **byte >= 0xc0).count() - usual - own;
    let (letters, rare) = HUNGARIAN_LETTERS;
    // Estonian has more `õ` than `á`, and no `ö` without `ä`.
    let has_each = [b"\xc1\xe1", b"\xc9\xe9", b"\xd6\xf6", b"\xd5\xf5"].iter().all(|of| count(*of) >= rare);
    usual + own >= letters && has_each && own * 3 <= usual && others * 20 <= usual
}

/// Returns the encoding of bytes that are declared to be in `claim`, if the whole text and each part of it look like another one.
pub(super) fn other(bytes: &[u8], claim: &'static Encoding) -> Option<&'static Encoding> {
    let candidates: &[&'static Encoding] = match claim {
        claim if claim == WINDOWS_1252 => &[WINDOWS_1250, ISO_8859_2, WINDOWS_1257, ISO_8859_4, WINDOWS_1254],
        claim if claim == WINDOWS_1250 => &[ISO_8859_2],
        claim if claim == ISO_8859_2 => &[WINDOWS_1250],
        _ => return None,
    };
    if claim == WINDOWS_1252 && is_hungarian(bytes) {
        return Some(WINDOWS_1250);
    }
    let bytes = bytes.get(..SAMPLE).unwrap_or(bytes);
    let likely = detect(bytes);
    let is_likely = candidates.contains(&likely)
        && differs_in_letters(bytes, claim, likely)
        && parts(bytes).all(|part| detect(part) == likely);
    is_likely.then_some(likely)
}

/// Whether enough characters differ between the two encodings, and nearly all of these are letters of the second encoding's languages.
/// Signs that would be control characters in the declared encoding are ignored.
fn differs_in_letters(bytes: &[u8], claim: &'static Encoding, likely: &'static Encoding) -> bool {
    let mut counts = [0_usize; 256];
    bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let (mut letters, mut others) = (0, 0);
    let mut consonants = [0; BALTIC.len()];
    let (mut first, mut second) = (0, 0);
    for byte in 0x80..=u8::MAX {
        let (declared, read) = (character(byte, claim), character(byte, likely));
        let is_letter = read.is_some_and(char::is_alphabetic);
        if declared != read && (is_letter || !declared.is_some_and(char::is_control)) {
            let count = counts[usize::from(byte)];
            if !is_letter {
                others += count;
                continue;
            }
            letters += count;
            let small = read.and_then(|read| read.to_lowercase().next());
            if let Some(consonant) = BALTIC.iter().position(|consonant| small == Some(*consonant)) {
                consonants[consonant] += count;
            }
            (first, second) = if count > first { (count, first) } else { (first, second.max(count)) };
        }
    }
    let is_baltic = likely == WINDOWS_1257 || likely == ISO_8859_4;
    let several = consonants.iter().filter(|count| **count > 0).nth(1).is_some();
    let has_consonants = !is_baltic || several && consonants.iter().sum::<usize>() * CONSONANTS >= letters;
    letters >= MIN_DIFFERENT && others * 20 <= letters && second * SECOND >= letters && has_consonants
}

fn character(byte: u8, encoding: &'static Encoding) -> Option<char> {
    encoding.decode_without_bom_handling(&[byte]).0.chars().next()
}

/// Splits bytes into parts with the same number of bytes outside of ASCII.
fn parts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let each = bytes.iter().filter(|byte| !byte.is_ascii()).count().div_ceil(PARTS).max(1);
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let others = rest.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
        let end = others.map(|(at, _)| at + 1).nth(each - 1).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        part.iter().any(|byte| !byte.is_ascii()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLISH: &str = "Na końcu wsi stał stary młyn, a obok niego rosły jabłonie. Każdej jesieni dzieci zbierały jabłka, \
        a babcia piekła z nich ciasto. „Jeszcze trochę cukru”, mówiła, „i będzie pyszne”. Później wszyscy siadali przy ogniu. \
        Wiatr wył za oknem, lecz w środku było ciepło. Źrebię spało w stajni, kot na piecu, a ja słuchałem opowieści o dawnych \
        latach, gdy rzeką płynęły łodzie pełne zboża, śliwek i gruszek z całej okolicy.";
    const CZECH: &str = "Na konci vesnice stál starý mlýn a vedle něho rostly jabloně. Každý podzim děti sbíraly jablka \
        a babička z nich pekla koláče. Večer jsme všichni seděli u ohně a poslouchali, jak venku fouká vítr. Kůň spal ve \
        stáji, kočka na peci a dědeček vyprávěl příběhy o dávných časech, kdy po řece pluly lodě plné obilí, švestek \
        a hrušek. Zítra půjdeme znovu do sadu, protože ještě zbývá několik stromů, které nikdo neočesal.";
    const TURKISH: &str = "Köyün sonunda eski bir değirmen vardı, yanında elma ağaçları yetişirdi. Her sonbahar çocuklar elmaları \
        toplar, ninem onlardan çörek yapardı. Akşam hepimiz ateşin başında oturur, dışarıda esen rüzgârı dinlerdik. Kısrak \
        ahırda, kedi sobanın üstünde uyurdu. Dedem eski günleri anlatırdı: ırmaktan buğday, erik ve armut dolu kayıklar \
        geçermiş. Yarın yine bahçeye gideceğiz, çünkü daha toplanmamış birkaç ağaç kaldı.";
    const HUNGARIAN_TEXT: &str = "A falu végén állt egy öreg malom, és mellette almafák nőttek. Minden ősszel a gyerekek szedték az almát, \
        a nagymama pedig süteményt sütött belőle. „Kell még egy kis cukor”, mondta, „és kész.” Később mindenki a tűz köré ült. Kint \
        fütyült a szél, de bent meleg volt.";
    const LATVIAN: &str = "Ciema galā stāvēja vecas dzirnavas, un blakus auga ābeles. Katru rudeni bērni lasīja ābolus, bet \
        vecmāmiņa no tiem cepa kūkas. Vakarā mēs visi sēdējām pie uguns un klausījāmies, kā ārā pūš vējš. Zirgs gulēja \
        stallī, kaķis uz krāsns, un vectēvs stāstīja par seniem laikiem, kad pa upi brauca laivas, pilnas ar graudiem, \
        plūmēm un bumbieriem. Rīt mēs atkal iesim uz dārzu, jo vēl ir daži koki.";
    #[test]
    fn text_of_another_latin_alphabet_is_found_by_its_language() {
        for (text, encoding, claim) in [
            (POLISH, WINDOWS_1250, WINDOWS_1252),
            (&*POLISH.replace(['„', '”'], "'"), ISO_8859_2, WINDOWS_1252),
            (POLISH, WINDOWS_1250, ISO_8859_2),
            (&*POLISH.replace(['„', '”'], "'"), ISO_8859_2, WINDOWS_1250),
            (CZECH, WINDOWS_1250, WINDOWS_1252),
            (CZECH, ISO_8859_2, WINDOWS_1252),
            (CZECH, WINDOWS_1250, ISO_8859_2),
            (TURKISH, WINDOWS_1254, WINDOWS_1252),
            (LATVIAN, WINDOWS_1257, WINDOWS_1252),
            (HUNGARIAN_TEXT, WINDOWS_1250, WINDOWS_1252),
        ] {
            let text = &text.repeat(8);
            let (bytes, _, has_unmappable) = encoding.encode(text);
            assert!(!has_unmappable);
            assert_eq!(other(&bytes, claim), Some(encoding), "{text}");
            assert_eq!(super::super::decode_claimed(&bytes, claim).text, *text);
        }
    }

    #[test]
    fn text_as_declared_stays() {
        for text in [
            "Au bout du village se dressait un vieux moulin, à côté d’un verger. À l’été, les enfants y cueillaient des pêches \
             mûres et la grand-mère préparait des gâteaux : « Déjà prêts ! » Le cœur léger, nous allions près de la forêt. ",
            "Al final del pueblo había un viejo molino. ¿Quién vivía allí? El señor Núñez, según decían los niños. Todavía \
             mañana iremos al jardín: ¡qué ilusión! Después comeremos pan, jamón y melón bajo los árboles más altísimos. ",
            "No fim da aldeia havia um moinho; as crianças colhiam maçãs e a avó fazia pães. Então, à noite, contávamos \
             histórias: não há razão para ir, três irmãos estão lá, e a canção já começou. Amanhã também virão os órfãos. ",
            "Am Ende des Dorfes stand eine Mühle. Die Großmutter backte Kuchen aus süßen Äpfeln, während draußen der Wind \
             über die Dächer fegte. Übermorgen müssen wir früh aufstehen, um Öl, Käse und Gemüse zu holen. ",
            "Í enda þorpsins stóð gömul mylla og við hliðina á henni uxu eplatré. Á hverju hausti tíndu börnin epli og amma \
             bakaði kökur. Það er gott að búa hér, sagði hún, því að áin rennur hjá og fuglarnir syngja á vorin. ",
            "Ag deireadh an tsráidbhaile bhí seanmhuileann, agus d’fhás crainn úll in aice leis. Gach fómhar bhailíodh na \
             páistí úlla agus dhéanadh an mhamó cácaí. Tráthnóna shuíomar cois tine ag éisteacht leis an ngaoth mhór. ",
            "Mae tâl am y trên. Mae cân am y môr. Dewch yn ôl â'r tân. ",
            "Mae tâl am y trên. Mae cân am y môr. Dewch yn ôl â'r tân. Copïo. ",
            "De machine is geïnstalleerd. De leden zijn geïnformeerd. Een geïsoleerde ruïne is geïnspecteerd. ",
            "Küla lõpus seisis vana veski ja selle kõrval kasvasid õunapuud. Igal sügisel korjasid lapsed õunu ning vanaema \
             küpsetas kooki. Õhtul istusime kõik tule ääres ja kuulasime, kuidas väljas tõusis tuul, ööbik laulis põõsas. ",
            "Em Köln, o Müller põe à mesa os pães, três limões e a canção de Björk. Às vezes, não há razões para ir lá. ",
            "10 m³ ± 2 µm, x² + y³ = z¹, ½ × ¼ ÷ ¾, 5 ¢, £ 3, ¥ 4 § 2 ¶ 3 º ª ",
        ] {
            for count in [1, 8] {
                let bytes = WINDOWS_1252.encode(text).0.repeat(count);
                assert_eq!(other(&bytes, WINDOWS_1252), None, "{text}");
            }
        }
        for (text, encoding) in [(POLISH, WINDOWS_1250), (CZECH, WINDOWS_1250), (CZECH, ISO_8859_2)] {
            assert_eq!(other(&encoding.encode(text).0, encoding), None, "{text}");
        }
    }

    #[test]
    fn a_single_accent_identifies_no_language() {
        let gaelic = WINDOWS_1252.encode("thèid, dè, fhèin").0.repeat(MIN_DIFFERENT);
        assert!(!differs_in_letters(&gaelic, WINDOWS_1252, WINDOWS_1250));
        let czech = WINDOWS_1250.encode("řeč, děti").0.repeat(MIN_DIFFERENT);
        assert!(differs_in_letters(&czech, WINDOWS_1252, WINDOWS_1250));
    }
}
