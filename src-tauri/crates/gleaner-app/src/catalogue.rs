//! The messages that the core shows outside the window, from the window's catalogues: in the tray, in notifications and in file dialogs.

use gleaner_contract::Language;
use serde_json::Value;
use std::{collections::HashMap, sync::LazyLock};

include!("catalogue/messages.rs");

macro_rules! declare {
    ($($(#[doc = $doc:literal])* $name:ident = $key:literal,)*) => {
        /// A message by its key in the catalogues.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Message {
            $($(#[doc = $doc])* $name,)*
        }

        impl Message {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$name),*];

            const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }
        }
    };
}
messages!(declare);

/// The messages by language and key, as `build.rs` selected them.
static MESSAGES: LazyLock<HashMap<String, HashMap<String, Value>>> = LazyLock::new(|| {
    let selected = serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/catalogue.json")));
    // A test reads all messages.
    selected.unwrap_or_default()
});

/// The messages of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Catalogue(&'static str);

impl Catalogue {
    /// Returns the catalogue of a language, or of the system's.
    pub(crate) fn of(language: Language) -> Self {
        Self(match language {
            Language::System => of_system(&system_languages()),
            Language::En => "en",
            Language::De => "de",
            Language::Fr => "fr",
            Language::Es => "es",
            Language::Zh => "zh",
            Language::Ja => "ja",
            Language::Ar => "ar",
        })
    }

    /// Returns the language's key in the catalogues.
    pub(crate) fn language(self) -> &'static str {
        self.0
    }

    /// Returns whether the language is written from right to left.
    pub(crate) fn is_right_to_left(self) -> bool {
        self.0 == "ar"
    }

    /// Returns a message.
    pub(crate) fn text(self, message: Message) -> String {
        self.find(message).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// Returns a message with a number in it.
    pub(crate) fn count(self, message: Message, count: u64) -> String {
        let Some(forms) = self.find(message) else { return String::new() };
        let form = forms.get(plural(self.0, count)).or_else(|| forms.get("other"));
        form.and_then(Value::as_str).unwrap_or_default().replace("{count}", &count.to_string())
    }

    /// Returns a message in this language, or in English.
    fn find(self, message: Message) -> Option<&'static Value> {
        let of = |language: &str| MESSAGES.get(language)?.get(message.key());
        of(self.0).or_else(|| of("en"))
    }
}

/// Returns the tags of the languages that the user has chosen for this system (POSIX locale variables), the preferred one first; none where
/// there are no such variables. The window uses them, too: WebKit leaves out locales that were not generated.
#[must_use]
pub fn system_languages() -> Vec<String> {
    let variables = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"];
    tags(variables.iter().filter_map(|name| std::env::var(name).ok()))
}

/// Returns the language tags of locales such as `de_AT.UTF-8` or `fr:en`, with the country that another of them has for the language.
fn tags(locales: impl IntoIterator<Item = String>) -> Vec<String> {
    let all = locales.into_iter().flat_map(|list| list.split(':').map(tag).collect::<Vec<_>>());
    let all: Vec<String> = all.flatten().collect();
    let mut tags: Vec<String> = Vec::new();
    for tag in &all {
        let begin = format!("{tag}-");
        let full = all.iter().find(|other| other.starts_with(&begin)).unwrap_or(tag);
        if !tags.contains(full) {
            tags.push(full.clone());
        }
    }
    tags
}

/// Returns the language tag of one locale; `None` for `C`, `POSIX` and what is no locale.
fn tag(locale: &str) -> Option<String> {
    let name = locale.split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    let language = name.split('-').next().unwrap_or_default();
    let is_tag =
        name.split('-').all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    (is_tag && (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase())).then_some(name)
}

/// Returns the first language with a catalogue.
fn of_system(tags: &[String]) -> &'static str {
    const KNOWN: &[&str] = &["en", "de", "fr", "es", "zh", "ja", "ar"];
    for tag in tags {
        let mut parts = tag.split('-');
        let language = parts.next().unwrap_or_default();
        // The Chinese catalogue is simplified.
        if language == "zh" && parts.any(|part| matches!(part, "TW" | "HK" | "MO" | "Hant")) {
            continue;
        }
        if let Some(known) = KNOWN.iter().find(|known| **known == language) {
            return known;
        }
    }
    "en"
}

/// Returns the plural category of a number (CLDR, whole numbers).
fn plural(language: &str, count: u64) -> &'static str {
    let millions = count != 0 && count.is_multiple_of(1_000_000);
    match (language, count) {
        ("ja" | "zh", _) => "other",
        ("ar", 0) => "zero",
        (_, 1) | ("fr", 0) => "one",
        ("ar", 2) => "two",
        ("ar", _) => match count % 100 {
            3..=10 => "few",
            11..=99 => "many",
            _ => "other",
        },
        ("fr" | "es", _) if millions => "many",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_language_has_every_message() {
        let languages = ["en", "de", "fr", "es", "zh", "ja", "ar"];
        for language in languages {
            for message in Message::ALL {
                let found = MESSAGES.get(language).and_then(|messages| messages.get(message.key()));
                let complete = found.is_some_and(|found| found.is_string() || found["other"].is_string());
                assert!(complete, "{language}: {}", message.key());
            }
        }
        assert_eq!(MESSAGES.len(), languages.len());
    }

    #[test]
    fn numbers_choose_the_plural_form_of_the_language() {
        let unread = |language, count| Catalogue(language).count(Message::Unread, count);
        assert_eq!(unread("en", 1), "1 unread article");
        assert_eq!(unread("en", 12), "12 unread articles");
        assert_eq!(
            [0, 1, 2, 5, 11, 100].map(|count| plural("ar", count)),
            ["zero", "one", "two", "few", "many", "other"]
        );
        assert_eq!([0, 1, 2, 1_000_000].map(|count| plural("fr", count)), ["one", "one", "other", "many"]);
        assert_eq!(plural("ja", 1), "other");
    }

    #[test]
    fn the_language_of_the_system_is_that_of_its_first_known_locale() {
        let of = |locales: &[&str]| of_system(&tags(locales.iter().map(|locale| (*locale).to_owned())));
        assert_eq!(of(&["de_AT.UTF-8"]), "de");
        assert_eq!(of(&["", "pt_BR:fr_CA:en", "de_DE.UTF-8"]), "fr");
        assert_eq!(of(&["zh_TW.UTF-8"]), "en");
        assert_eq!(of(&["zh_CN"]), "zh");
        assert_eq!(of(&["C.UTF-8"]), "en");
        assert_eq!(of(&[]), "en");
    }

    #[test]
    fn the_window_gets_the_languages_of_the_system_as_tags() {
        let of = |locales: &[&str]| tags(locales.iter().map(|locale| (*locale).to_owned()));
        assert_eq!(of(&["de:en", "C.UTF-8", "de_AT.UTF-8@euro"]), ["de-AT", "en"]);
        assert_eq!(of(&["en_GB:en", "en_GB.UTF-8"]), ["en-GB"]);
        assert_eq!(of(&["C", "POSIX", "", "'];alert(1)//", "x", "de_\u{e9}"]), [] as [&str; 0]);
    }
}
