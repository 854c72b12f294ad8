//! The languages of the feeds that a page offers in several.

use crate::Found;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Maximum length of a language tag, in bytes.
const MAX_TAG: usize = 35;

/// Returns a language tag such as `pt-BR`; `None` if it is not one or names all languages (`x-default`).
pub(crate) fn tag(written: &str) -> Option<String> {
    let tag = written.trim().replace('_', "-");
    let is_tag = tag.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()));
    let is_language = tag.split('-').next().is_some_and(|primary| (2..=8).contains(&primary.len()));
    (is_tag && is_language && tag.len() <= MAX_TAG).then_some(tag)
}

/// How close a language is to another one: the number of leading subtags that they have in common.
fn closeness(one: &str, other: &str) -> usize {
    one.split('-').zip(other.split('-')).take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count()
}

/// Notes which feeds are in a language that is further from that of their page than others.
pub(crate) fn compare(feeds: &mut [Found], page: Option<&str>) {
    let Some(page) = page else { return };
    // Between two that are equally close, the more general one is closer.
    let close = |tag: &str| (closeness(tag, page), Reverse(tag.split('-').count()));
    let Some(best) = feeds.iter().filter_map(|found| found.language.as_deref()).map(close).max() else { return };
    for found in feeds {
        found.is_other_language = best.0 > 0 && found.language.as_deref().is_some_and(|tag| close(tag) < best);
    }
}

/// Returns the feeds. If several in different languages have the same title, the language is added to it.
pub(crate) fn named(mut feeds: Vec<Found>) -> Vec<Found> {
    let mut languages: HashMap<String, HashSet<Option<String>>> = HashMap::new();
    for found in &feeds {
        if let Some(title) = &found.title {
            languages.entry(title.clone()).or_default().insert(found.language.clone());
        }
    }
    for found in &mut feeds {
        if let (Some(title), Some(language)) = (&mut found.title, &found.language)
            && languages.get(title.as_str()).is_some_and(|languages| languages.len() > 1)
        {
            *title = format!("{title} ({language})");
        }
    }
    feeds
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::in_page;
    use url::Url;

    fn found(html: &str) -> Vec<(String, String)> {
        let found = in_page(html.as_bytes(), Some("text/html"), &Url::parse("https://example.org/").unwrap());
        found.into_iter().map(|found| (found.url.path().to_owned(), found.title.unwrap_or_default())).collect()
    }

    fn link(path: &str, attributes: &str) -> String {
        format!("<link rel=alternate type=application/rss+xml href={path} {attributes}>")
    }

    #[test]
    fn the_language_of_the_page_comes_first() {
        let links = link("/en", "title=News hreflang=en") + &link("/pt", "title=News hreflang=pt-PT");
        let links = links + &link("/br", "title=News hreflang='pt-BR '");
        let paths = |page: &str| found(page).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        assert_eq!(paths(&format!("<html lang=pt-br>{links}")), ["/br", "/en", "/pt"]);
        assert_eq!(paths(&format!("<html lang=pt>{links}")), ["/pt", "/br", "/en"]);
        assert_eq!(paths(&format!("<html lang=EN-GB>{links}")), ["/en", "/pt", "/br"]);
        // If no feed has the page's language, or the page states none, they stay in the order of the page.
        assert_eq!(paths(&format!("<html lang=fr>{links}")), ["/en", "/pt", "/br"]);
        assert_eq!(paths(&links), ["/en", "/pt", "/br"]);
        // Feeds without a language stay at their place, and those of parts of the site are last.
        let more = link("/all", "") + &links + &link("/tag/x", "hreflang=pt-BR");
        assert_eq!(paths(&format!("<html lang=pt-BR>{more}")), ["/all", "/br", "/en", "/pt", "/tag/x"]);
    }

    #[test]
    fn feeds_with_the_same_title_have_their_language_in_it() {
        let links = link("/en", "title=News hreflang=en") + &link("/x", "title=News hreflang=x-default");
        let links = links + &link("/de", "title=Neues hreflang=de") + &link("/fr", "title=News hreflang=fr");
        let titles: Vec<String> = found(&links).into_iter().map(|(_, title)| title).collect();
        assert_eq!(titles, ["News (en)", "News", "Neues", "News (fr)"]);
        let same = link("/1", "title=News hreflang=en") + &link("/2", "title=News hreflang=en");
        assert_eq!(found(&same), [("/1".to_owned(), "News".to_owned()), ("/2".to_owned(), "News".to_owned())]);
    }
}
