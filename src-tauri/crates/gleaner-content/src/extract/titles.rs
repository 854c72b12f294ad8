//! Chooses the title of an article.

use super::{container::title_letters, tree::Tree};
use gleaner_html::{one_line, tokens::Tag};
use url::Url;

/// Minimum number of letters of a heading that is compared with the title of the page.
const MIN_LETTERS: usize = 6;

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Title,
    Heading,
    Chrome,
}

fn read(tag: &Tag<'_>) -> Known {
    match &*tag.name {
        "h1" => Known::Title,
        "h2" | "h3" => Known::Heading,
        "nav" | "aside" | "footer" => Known::Chrome,
        _ => Known::Other,
    }
}

/// Returns a better title than the one found: a heading, or a title from the metadata. It must be a part of the page's title, and the one
/// found another part, such as the name of the site.
///
/// `names`: titles from the metadata. `site`: the name of the site.
pub(super) fn better(
    html: &str,
    found: &str,
    page: &str,
    names: &[&str],
    site: Option<&str>,
    url: &str,
) -> Option<String> {
    let (whole, found) = (title_letters(page), title_letters(found));
    let site = site.map(title_letters).unwrap_or_default();
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(title_letters)).unwrap_or_default();
    // Linked data may contain the name of the site instead of the title.
    let is_site = !found.is_empty() && (found == site || host.contains(&found));
    let is_part = |text: &str| {
        let text = title_letters(text);
        text.chars().count() >= MIN_LETTERS
            && (whole.starts_with(&text) || whole.ends_with(&text))
            && (is_site || whole.contains(&found) && text.len() + found.len() <= whole.len())
            && text != found
            && text != site
            && !host.contains(&text)
    };
    if whole == found {
        return None;
    }
    let tree = Tree::read(html, read);
    let mut end = 0;
    let mut title = None;
    for element in &tree.elements {
        let range = element.range();
        match element.known {
            Known::Chrome => end = end.max(range.end),
            Known::Title | Known::Heading if range.start >= end && range.len() <= 2000 => {
                let text = crate::plain_text(&html[range]);
                if title_letters(&text) == found {
                    return None;
                }
                if element.known == Known::Title && title.is_none() && is_part(&text) {
                    title = super::non_blank(&one_line(&text));
                }
            }
            _ => {}
        }
    }
    title.or_else(|| names.iter().find(|name| is_part(name)).map(|name| name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://a.example/x";

    #[test]
    fn prefers_the_heading_to_the_name_of_the_site() {
        let html = "<nav><h1>The Harbour</h1></nav><h1>Storm warning</h1>";
        let better = |found: &str, page: &str| better(html, found, page, &[], None, URL);
        assert_eq!(better("The Harbour", "The Harbour » Storm warning").as_deref(), Some("Storm warning"));
        assert_eq!(better("Storm warning", "The Harbour » Storm warning"), None);
        assert_eq!(better("The Harbour", "The Harbour: news of the coast"), None);
        // Both contain the same words.
        assert_eq!(better("Harbour: Storm", "The Harbour: Storm warning"), None);
        let name = super::better(html, "The Harbour", "Storm warning", &[], Some("The Harbour"), URL);
        assert_eq!(name.as_deref(), Some("Storm warning"));
    }

    #[test]
    fn leaves_titles_that_are_headings() {
        let html = "<header><h1>The Harbour</h1></header><h2>Storm warning</h2>";
        assert_eq!(better(html, "Storm warning", "Storm warning – The Harbour", &[], None, URL), None);
        assert_eq!(better("<h1>The Harbour</h1>", "Storm", "Storm - The Harbour", &[], Some("The Harbour"), URL), None);
        assert_eq!(
            better("<h1>The Harbour</h1>", "Storm", "Storm - The Harbour", &[], None, "https://theharbour.example/"),
            None
        );
        assert_eq!(
            better("", "Harbour", "Harbour | Storm warning", &["Storm warning"], None, URL).as_deref(),
            Some("Storm warning")
        );
    }
}
