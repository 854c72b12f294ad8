//! The bundled list of well-known feeds.

use crate::{
    catalogue::Catalogue,
    error::{Result, internal},
};
use gleaner_contract::StarterSubject;
use std::collections::HashMap;

const STARTER: &str = include_str!("../assets/starter.json");
/// The names and descriptions of the list in other languages, by their English text.
const TRANSLATIONS: &str = include_str!("../assets/starter-translations.json");

/// Returns the list with its names and descriptions in a language. A text without a translation is in English.
pub(crate) fn subjects(catalogue: Catalogue) -> Result<Vec<StarterSubject>> {
    let mut subjects: Vec<StarterSubject> = serde_json::from_str(STARTER).map_err(internal)?;
    let mut translations: HashMap<&str, HashMap<&str, String>> =
        serde_json::from_str(TRANSLATIONS).map_err(internal)?;
    let translated = translations.remove(catalogue.language()).unwrap_or_default();
    for subject in &mut subjects {
        let descriptions = subject.feeds.iter_mut().map(|feed| &mut feed.description);
        for text in descriptions.chain([&mut subject.name]) {
            if let Some(found) = translated.get(text.as_str()) {
                text.clone_from(found);
            }
        }
    }
    Ok(subjects)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::subscriptions::web_address;
    use gleaner_contract::Language;

    fn texts(language: Language) -> Vec<String> {
        let subjects = subjects(Catalogue::of(language)).unwrap();
        let of = |subject: StarterSubject| {
            let descriptions: Vec<String> = subject.feeds.into_iter().map(|feed| feed.description).collect();
            [vec![subject.name], descriptions].concat()
        };
        subjects.into_iter().flat_map(of).collect()
    }

    #[test]
    fn the_starter_list_reads() {
        let subjects = subjects(Catalogue::of(Language::En)).unwrap();
        assert!(subjects.len() >= 5);
        for feed in subjects.iter().flat_map(|subject| &subject.feeds) {
            web_address(&feed.url).unwrap();
        }
    }

    #[test]
    fn the_starter_list_is_in_every_language() {
        let english = texts(Language::En);
        assert_eq!(english[0], "News");
        for language in [Language::De, Language::Fr, Language::Es, Language::Zh, Language::Ja, Language::Ar] {
            let translated = texts(language);
            assert_eq!(translated.len(), english.len());
            for (text, english) in translated.iter().zip(&english) {
                // Words that are the same in other languages.
                assert!(text != english || english == "Podcasts" || english == "Comics", "{language:?}: {english}");
            }
        }
    }

    #[test]
    fn every_translation_is_of_a_text_in_the_starter_list() {
        let translations: HashMap<&str, HashMap<&str, String>> = serde_json::from_str(TRANSLATIONS).unwrap();
        let english = texts(Language::En);
        for (language, translated) in translations {
            for text in translated.keys() {
                assert!(english.iter().any(|english| english == text), "{language}: {text}");
            }
            for text in &english {
                assert!(translated.contains_key(text.as_str()), "{language}: {text}");
            }
        }
    }
}
