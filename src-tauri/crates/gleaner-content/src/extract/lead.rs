//! Finds the lead of an article, which pages often show outside of the element with the article's text.

use super::{
    boilerplate, container,
    tree::{Element, Tree},
};
use gleaner_html::tokens::Tag;
use std::{borrow::Cow, ops::RangeInclusive};

/// Words in classes of a lead. A pair is two words that follow each other.
#[rustfmt::skip]
const NAMES: [&str; 26] = [
    "abstract", "anlauftext", "article-description", "article-excerpt", "article-summary", "articleintro", "chapo", "deck", "dek", "entry-excerpt",
    "intro", "introduction", "introtext", "lead", "leadtext", "lede", "news-description", "post-excerpt", "stand-first", "standfirst", "subheadline", "subline",
    "summary", "teaser-intro", "teaser-text", "vorspann",
];

/// Length in bytes of a lead.
const LENGTHS: RangeInclusive<usize> = 50..=1200;
/// Minimum length in bytes of a text by which the start of the article is recognised.
const PARAGRAPH: usize = 60;
/// Minimum number of letters that a lead and the description of the page have to begin with.
const COMMON: usize = 40;
/// Maximum number of elements between title and text that are looked at.
const CANDIDATES: usize = 50;

/// What the tag of an element says about it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    is_lead: bool,
    is_title: bool,
    is_navigation: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let named = |(name, value): (Cow<'_, str>, Cow<'_, str>)| {
            matches!(&*name, "class" | "id" | "itemprop")
                && value.split_ascii_whitespace().any(|name| boilerplate::has_word(name, &NAMES))
        };
        Self {
            is_lead: tag.attributes.clone().any(named),
            is_title: tag.name == "h1",
            is_navigation: matches!(&*tag.name, "aside" | "nav" | "footer"),
        }
    }
}

/// Returns the lead as text, if the page shows one between its title and what was found, which does not contain it.
pub(super) fn missed(page: &str, found: &str, description: Option<&str>) -> Option<String> {
    let keys = container::keys(found);
    let tree = Tree::read(page, Known::read);
    // A caption above the title may be part of what was found.
    let title = tree.elements.iter().find(|element| element.known.is_title)?.range();
    let (first, end) = container::texts(page)
        .find(|(text, end)| *end > title.end && text.len() >= PARAGRAPH && keys.contains(&container::key(text)))?;
    let first = end - first.len().min(end);
    let before = || tree.elements.iter().filter(|element| element.range().end <= first);
    let title = before().rfind(|element| element.known.is_title)?;
    let (found, description) = (container::letters(found), description.map(container::key).unwrap_or_default());
    let mut named = None;
    let is_candidate = |element: &&Element<Known>| {
        let is_link = element.links() * 4 > element.text() || element.known.is_navigation;
        element.range().start >= title.range().end && LENGTHS.contains(&element.text()) && !is_link && !element.in_quote
    };
    for element in before().filter(is_candidate).take(CANDIDATES) {
        let text = crate::plain_text(&page[element.range()]);
        let start = container::key(&text);
        let common = start.char_indices().nth(COMMON).map_or(&*start, |(end, _)| &start[..end]);
        let is_description = common.len() >= COMMON && description.starts_with(common);
        if found.contains(common) || !is_description && !element.known.is_lead {
            continue;
        }
        if is_description {
            return Some(text);
        }
        named = named.or(Some(text));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAD: &str = "A storm kept the fleet in the harbour, and the village without work for a week.";
    const TEXT: &str = "<p>The boats were in the harbour, and no one was about to repair a net before noon.</p>";

    #[test]
    fn finds_the_lead_between_title_and_text() {
        let page = |lead: &str| format!("<h1>Storm</h1>{lead}<div class=text>{TEXT}</div>");
        for lead in ["<p class=article-intro>", "<h2 class=StandFirst>", "<div class='x post__excerpt'><p>"] {
            let page = page(&format!("{lead}{LEAD}</p></h2></div>"));
            assert_eq!(missed(&page, TEXT, None).as_deref(), Some(LEAD), "{lead}");
            assert_eq!(missed(&page, &format!("<p>{LEAD}</p>{TEXT}"), None), None);
        }
        let plain = page(&format!("<p class=x>{LEAD}</p>"));
        assert_eq!(missed(&plain, TEXT, None), None);
        assert_eq!(missed(&plain, TEXT, Some(LEAD)).as_deref(), Some(LEAD));
    }

    #[test]
    fn finds_the_lead_below_a_caption() {
        let caption = "<p>The harbour, with all of its boats, as it was before the storm of last week.</p>";
        let page = format!("{caption}<h1>Storm</h1><p class=lead>{LEAD}</p><div>{TEXT}</div>");
        assert_eq!(missed(&page, &format!("{caption}{TEXT}"), None).as_deref(), Some(LEAD));
    }

    #[test]
    fn leaves_captions_and_links() {
        for lead in [
            "<figure><p class=lead>",
            "<p class=lead><a href=x>",
            "<nav class=intro>",
            "<p class=lead>Too short.<b hidden>",
        ] {
            let page = format!("<h1>Storm</h1>{lead}{LEAD}</a></p></figure></nav>{TEXT}");
            let page = page.replace(&format!("hidden>{LEAD}"), ">");
            assert_eq!(missed(&page, TEXT, None), None, "{lead}");
        }
    }
}
