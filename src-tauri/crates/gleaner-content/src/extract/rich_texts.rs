//! Finds the text of an article that consists of several rich texts in separate sections, as Webflow writes them: Readability chooses only
//! one.

use super::{
    container,
    tree::{Element, Tree},
};
use gleaner_html::tokens::Tag;
use std::ops::Range;

/// Minimum length in bytes of a rich text; a shorter one is a note.
const MIN_TEXT: usize = 200;
/// Minimum number of such texts.
const MIN_TEXTS: usize = 2;
/// Maximum length of the heading of a text in bytes.
const MAX_HEADING: usize = 200;
/// Minimum share of the found text that is in the rich texts.
const OWN: f64 = 0.9;
/// Share of the rich texts that Readability has to find: the others may be about the author, or an offer.
const FOUND: f64 = 0.5;

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    /// A rich text.
    Text,
    /// The title of the page.
    Title,
    /// An element around articles, or a list of other articles.
    Aside,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let class = tag.attributes.get("class").unwrap_or_default();
        let has_class = |name: &str| class.split_ascii_whitespace().any(|class| class == name);
        match &*tag.name {
            "aside" | "footer" | "form" | "nav" => Self::Aside,
            "h1" => Self::Title,
            _ if ["w-condition-invisible", "w-dyn-item", "w-form", "w-nav"].into_iter().any(has_class) => Self::Aside,
            _ if has_class("w-richtext") => Self::Text,
            _ => Self::Other,
        }
    }
}

/// Returns the rich texts of the page with their headings, if a part of them was not found.
pub(super) fn missed(page: &str, found: &str) -> Option<String> {
    if !page.contains("w-richtext") {
        return None;
    }
    let tree = Tree::read(page, Known::read);
    let (mut texts, mut count, mut end) = (String::new(), 0, 0);
    // The last heading outside of the texts.
    let mut heading: Option<Range<usize>> = None;
    for element in tree.elements.iter().filter(|element| element.known != Known::Other || element.is_heading) {
        let range = element.range();
        match element.known {
            _ if range.start < end => {}
            Known::Aside => end = range.end,
            Known::Title => heading = None,
            Known::Text => {
                end = range.end;
                count += usize::from(own(element) >= MIN_TEXT);
                let heading = heading.take().map_or("", |heading| &page[heading]);
                texts.extend([heading, &page[range]]);
            }
            Known::Other => {
                heading = Some(range).filter(|_| element.links() == 0 && (1..=MAX_HEADING).contains(&element.text()));
            }
        }
    }
    let is_missed = || {
        container::share(found, &container::keys(&texts)) >= OWN
            && container::share(&texts, &container::keys(found)) < FOUND
    };
    (count >= MIN_TEXTS && is_missed()).then_some(texts)
}

/// Length of the text outside of links.
fn own<K>(element: &Element<K>) -> usize {
    element.text() - element.links()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(of: &str) -> String {
        let sentence = format!(
            "<p>The {of} are dry, and they can be carried into the boats before the sun is above the sheds.</p>"
        );
        format!("<div class='rich w-richtext'>{}</div>", sentence.repeat(3))
    }

    fn section(content: &str) -> String {
        format!("<div class=section><div class=w-container>{content}</div></div>")
    }

    #[test]
    fn finds_all_rich_texts() {
        let (nets, ropes, sails) = (text("nets"), text("ropes"), text("sails"));
        let page = [
            section("<h1>Harbour</h1>"),
            section(&nets),
            section(&format!("<h2>Ropes</h2>{ropes}")),
            section("<h2>Newsletter</h2><div class=w-form>Every Friday</div>"),
            section(&format!("<h2>Sails</h2>{sails}")),
            section(&format!("<div class=w-dyn-item>{}</div>", text("oars"))),
            format!("<footer>{}</footer>", text("masts")),
        ]
        .concat();
        assert_eq!(missed(&page, &ropes), Some(format!("{nets}<h2>Ropes</h2>{ropes}<h2>Sails</h2>{sails}")));
        assert_eq!(missed(&page, &format!("{nets}{ropes}{sails}")), None);
        // Another text was found.
        assert_eq!(missed(&page, &format!("{ropes}{}", text("oars"))), None);
    }

    #[test]
    fn leaves_pages_with_one_rich_text() {
        let page = format!("<h1>Harbour</h1>{}<div class=w-richtext><p>By A. Sailor</p></div>", text("nets"));
        assert_eq!(missed(&page, "<p>The nets are dry.</p>"), None);
        let page = page.replace("w-richtext", "richtext");
        assert_eq!(missed(&(page.clone() + &page), "<p>The nets are dry.</p>"), None);
    }

    #[test]
    fn articles_of_several_sections_are_whole() {
        let page = format!(
            "<title>Harbour</title><body>{}{}{}{}</body>",
            section("<h1>Harbour</h1>"),
            section(&text("nets")),
            section(&format!("<h2>Ropes</h2>{}", text("ropes"))),
            section(&format!("<h2>Sails</h2>{}", text("sails")))
        );
        let found = crate::extract(&page, "https://a.example/x").map(|found| found.content_html).unwrap_or_default();
        for part in ["The nets", "<h2>Ropes</h2>", "The ropes", "<h2>Sails</h2>", "The sails"] {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}
