//! Finds the lead of an article, which pages often show outside of the element with the article's text.

use super::{
    boilerplate, container, titled,
    tree::{Element, Tree},
};
use gleaner_html::tokens::Tag;
use std::ops::RangeInclusive;

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

/// Length in bytes of a lead that only its place between title and text shows.
const UNNAMED: RangeInclusive<usize> = 70..=1200;
/// Maximum length in bytes of a lead that is a heading.
const HEADING: usize = 300;
/// Maximum length in bytes of the names and dates between the title and such a lead.
const BETWEEN: usize = 150;

/// What the tag of an element says about it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    is_lead: bool,
    is_title: bool,
    /// Whether it is a paragraph without the name of boilerplate.
    is_paragraph: bool,
    is_navigation: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let mut known = Self {
            is_lead: false,
            is_title: tag.name == "h1",
            is_paragraph: tag.name == "p",
            is_navigation: matches!(&*tag.name, "aside" | "nav" | "footer" | "form"),
        };
        for (_, value) in tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id" | "itemprop")) {
            known.is_lead |= value.split_ascii_whitespace().any(|name| boilerplate::has_word(name, &NAMES));
            known.is_paragraph &= !boilerplate::is_named(&value);
        }
        known
    }
}

/// Returns the lead as text, if the page shows one between its title and what was found, which does not contain it.
pub(super) fn missed(page: &str, found: &str, description: Option<&str>, titles: &[Option<&str>]) -> Option<String> {
    let keys = container::keys(found);
    let tree = Tree::read(page, Known::read);
    let titles = titled::all_letters(titles);
    let is_title =
        |element: &&Element<Known>| element.is_heading && titled::is_title_of(page, element.range(), &titles);
    let is_main = |element: &&Element<Known>| element.known.is_title;
    // A caption above the title may be part of what was found.
    let mut elements = tree.elements.iter();
    let title = elements.clone().find(is_title).or_else(|| elements.find(is_main))?.range();
    let (first, end) = container::texts(page)
        .find(|(text, end)| *end > title.end && text.len() >= PARAGRAPH && keys.contains(&container::key(text)))?;
    let first = end - first.len().min(end);
    let before = || tree.elements.iter().filter(|element| element.range().end <= first);
    let title = before().rfind(is_title).or_else(|| before().rfind(is_main))?.range();
    let (found, description) = (container::letters(found), description.map(container::key).unwrap_or_default());
    let (mut named, mut placed) = (None, None);
    let is_candidate = |element: &Element<Known>| {
        let is_link = element.links() * 4 > element.text() || element.known.is_navigation;
        LENGTHS.contains(&element.text()) && !is_link && !element.in_quote
    };
    // The end of the navigation that was reached, how many elements were looked at, and whether there was a heading.
    let (mut navigation, mut count, mut has_heading) = (0, 0, false);
    for element in before().filter(|element| element.range().start >= title.end) {
        let range = element.range();
        if element.known.is_navigation {
            navigation = navigation.max(range.end);
        }
        let is_first = !has_heading;
        has_heading |= element.is_heading;
        if range.start < navigation || !is_candidate(element) {
            continue;
        }
        count += 1;
        if count > CANDIDATES {
            break;
        }
        let text = crate::plain_text(&page[range.clone()]);
        let start = container::key(&text);
        let common = start.char_indices().nth(COMMON).map_or(&*start, |(end, _)| &start[..end]);
        let is_description = common.len() >= COMMON && description.starts_with(common);
        if contains(&found, &text, common) {
            continue;
        }
        if is_description {
            return Some(text);
        }
        if element.known.is_lead {
            named = named.or(Some(text));
        } else if placed.is_none() && is_first && is_placed(page, element, title.end, &text) {
            placed = Some(text);
        }
    }
    named.or(placed)
}

/// Whether a page shows its description, and the text of the article does not contain it.
pub(super) fn is_shown(page: &str, text: &str, description: &str) -> bool {
    let key = container::key(description);
    let start: String = key.chars().take(COMMON).collect();
    LENGTHS.contains(&description.len())
        && container::texts(page).any(|(text, _)| container::key(&text) == key)
        && !contains(&container::letters(text), description, &start)
}

/// Whether what was found contains a lead: its start, and what is near its end. Its first sentence may be in the text, too.
fn contains(found: &str, lead: &str, start: &str) -> bool {
    let letters: Vec<char> = lead.chars().filter(|c| c.is_alphanumeric()).collect();
    let end = letters.len() * 4 / 5;
    let near_end: String = letters[end.saturating_sub(COMMON / 2)..end].iter().collect();
    found.contains(start) && found.contains(&near_end)
}

/// Whether an element without a name is a lead because of its place: a heading directly below the title, or a paragraph of
/// prose near it.
fn is_placed(page: &str, element: &Element<Known>, title: usize, text: &str) -> bool {
    let range = element.range();
    let between = &page[title..range.start];
    let length = || crate::plain_text(between).trim().len();
    if element.is_heading {
        return element.links() == 0 && element.text() <= HEADING && between.len() <= BETWEEN * 10 && length() == 0;
    }
    let ends = text.trim_end_matches(['"', '\'', '”', '“', '’', '»', '«', ')', '」']);
    element.known.is_paragraph
        && element.links() == 0
        && UNNAMED.contains(&element.text())
        && ends.ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟'])
        && between.len() <= BETWEEN * 100
        && length() <= BETWEEN
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
            assert_eq!(missed(&page, TEXT, None, &[]).as_deref(), Some(LEAD), "{lead}");
            assert_eq!(missed(&page, &format!("<p>{LEAD}</p>{TEXT}"), None, &[]), None);
        }
        let plain = page(&format!("<div class=x>{LEAD}</div>"));
        assert_eq!(missed(&plain, TEXT, None, &[]), None);
        assert_eq!(missed(&plain, TEXT, Some(LEAD), &[]).as_deref(), Some(LEAD));
    }

    #[test]
    fn finds_the_lead_below_a_caption() {
        let caption = "<p>The harbour, with all of its boats, as it was before the storm of last week.</p>";
        let page = format!("{caption}<h1>Storm</h1><p class=lead>{LEAD}</p><div>{TEXT}</div>");
        assert_eq!(missed(&page, &format!("{caption}{TEXT}"), None, &[]).as_deref(), Some(LEAD));
    }

    #[test]
    fn finds_the_lead_below_the_title_of_the_page() {
        let titles = [Some("Storm")];
        for (title, between) in [
            ("<h1>Menu</h1><h2>Storm</h2>", ""),
            ("<h1>Storm</h1>", "<h1 hidden>A box</h1>"),
            ("<h1>Menu</h1><h1>Storm</h1>", ""),
        ] {
            let page = format!("{title}<p class=lead>{LEAD}</p>{between}<div>{TEXT}</div>");
            assert_eq!(missed(&page, TEXT, None, &titles).as_deref(), Some(LEAD), "{page}");
        }
    }

    #[test]
    fn finds_the_lead_whose_first_sentence_is_in_the_text() {
        let lead = format!("{LEAD} Now the boats are out again, and the first of them came back with full nets.");
        let text = format!("{TEXT}<p>{}</p>", LEAD.replace("work", "<a href=x>work</a>"));
        let page = format!("<h1>Storm</h1><p class=lead>{lead}</p><div>{text}</div>");
        assert_eq!(missed(&page, &text, None, &[]), Some(lead.clone()));
        // The start of the text, with some words of its own.
        let text = text.replace("</p>", &lead[LEAD.len()..]);
        let page = format!("<h1>Storm</h1><p class=lead>{lead} Read on</p><div>{text}</div>");
        assert_eq!(missed(&page, &text, None, &[]), None);
    }

    #[test]
    fn finds_the_lead_by_its_place() {
        let found = |between: &str| missed(&format!("<h1>Storm</h1>{between}<div>{TEXT}</div>"), TEXT, None, &[]);
        let heading = "A storm kept the fleet in the harbour for a whole week";
        assert_eq!(found(&format!("<h2>{heading}</h2>")).as_deref(), Some(heading));
        for before in ["", "<p>By A. Writer</p><time>5 May</time><img src=a>"] {
            assert_eq!(found(&format!("{before}<section><p>{LEAD}</p></section>")).as_deref(), Some(LEAD), "{before}");
        }
        let quotation = format!("{LEAD}”");
        assert_eq!(found(&format!("<p>{quotation}</p>")), Some(quotation));
        for other in [
            format!("<p>By A. Writer</p><h2>{heading}</h2>"),
            format!("<h2><a href=x>{heading}</a></h2>"),
            format!("<h2>{}</h2>", heading.repeat(9)),
            format!("<h2>Boats</h2><p>{LEAD}</p>"),
            format!("<p>{}</p>", LEAD.trim_end_matches('.')),
            format!("<p>{LEAD} <a href=x>More</a></p>"),
            format!("<aside><div><p>{LEAD}</p></div></aside>"),
            format!("<p class=newsletter>{LEAD}</p>"),
            format!("<div>{LEAD}</div>"),
            format!("<ul>{}</ul><p>{LEAD}</p>", "<li><a href=x>Another article</a>".repeat(10)),
        ] {
            assert_eq!(found(&other), None, "{other}");
        }
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
            assert_eq!(missed(&page, TEXT, None, &[]), None, "{lead}");
        }
    }
}
