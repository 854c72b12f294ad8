//! Finds the lead of an article, which pages often show outside of the element with the article's text.

use super::{
    boilerplate, container, titled,
    tree::{Element, Tree},
};
use gleaner_html::tokens::Tag;
use std::ops::RangeInclusive;

/// Words in classes of a lead. A pair is two words that follow each other.
#[rustfmt::skip]
const NAMES: [&str; 29] = [
    "abstract", "anlauftext", "article-description", "article-excerpt", "article-summary", "articleintro", "chapo", "deck", "dek", "entry-excerpt",
    "intro", "introduction", "introtext", "lead", "leadtext", "lede", "news-description", "post-description", "post-excerpt", "post-subtitle", "sapo", "stand-first", "standfirst", "subheadline", "subline",
    "summary", "teaser-intro", "teaser-text", "vorspann",
];

/// Length in bytes of a lead.
const LENGTHS: RangeInclusive<usize> = 50..=1200;
/// Minimum length in bytes of a text by which the start of the article is recognised.
const MIN_PARAGRAPH: usize = 60;
/// Minimum number of letters that a lead and the description of the page have to begin with.
const MIN_COMMON: usize = 40;
/// Maximum number of elements between title and text that are examined.
const MAX_CANDIDATES: usize = 50;

/// Maximum length in bytes of a lead that is a heading.
const MAX_HEADING: usize = 300;
/// Maximum length in bytes of the tags between the title and such a lead.
const MAX_BETWEEN: usize = 1500;

/// Properties of an element that follow from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    is_lead: bool,
    is_title: bool,
    is_navigation: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let mut known = Self {
            is_lead: false,
            is_title: tag.name == "h1",
            is_navigation: matches!(&*tag.name, "aside" | "nav" | "footer" | "form"),
        };
        for (_, value) in tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id" | "itemprop")) {
            known.is_lead |= value.split_ascii_whitespace().any(|name| boilerplate::has_word(name, &NAMES));
        }
        known
    }
}

/// Returns the lead as text, if the page shows one between its title and the found text, and the found text does not contain it.
pub(super) fn missed(page: &str, found: &str, description: Option<&str>, titles: &[Option<&str>]) -> Option<String> {
    let keys = container::keys(found);
    let tree = Tree::read(page, Known::read);
    let titles = titled::all_letters(titles);
    let is_title =
        |element: &&Element<Known>| element.is_heading && titled::is_title_of(page, element.range(), &titles);
    let is_main = |element: &&Element<Known>| element.known.is_title;
    // A caption above the title may be part of the found text.
    let mut elements = tree.elements.iter();
    let title = elements.clone().find(is_title).or_else(|| elements.find(is_main))?.range();
    let (first, end) = container::texts(page)
        .find(|(text, end)| *end > title.end && text.len() >= MIN_PARAGRAPH && keys.contains(&container::key(text)))?;
    let first = end - first.len().min(end);
    let before = || tree.elements.iter().filter(|element| element.range().end <= first);
    let title = before().rfind(is_title).or_else(|| before().rfind(is_main))?.range();
    let (found, description) = (container::letters(found), description.map(container::key).unwrap_or_default());
    let (mut named, mut placed) = (None, None);
    let is_candidate = |element: &Element<Known>| {
        let is_link = element.links() * 4 > element.text() || element.known.is_navigation;
        LENGTHS.contains(&element.text()) && !is_link && !element.in_quote
    };
    // The end of the navigation so far, how many elements were examined, and whether there was a heading.
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
        if count > MAX_CANDIDATES {
            break;
        }
        let text = crate::plain_text(&page[range.clone()]);
        let start = container::key(&text);
        let common = start.char_indices().nth(MIN_COMMON).map_or(&*start, |(end, _)| &start[..end]);
        let is_description = common.len() >= MIN_COMMON && description.contains(common);
        if contains(&found, &text, common) {
            continue;
        }
        if is_description {
            return Some(text);
        }
        if element.known.is_lead {
            named = named.or(Some(text));
        } else if placed.is_none() && is_first && is_placed(page, element, title.end, &titles) {
            placed = Some(text);
        }
    }
    named.or(placed)
}

/// Whether a page shows its description, and the text of the article does not contain it.
pub(super) fn is_shown(page: &str, text: &str, description: &str) -> bool {
    let key = container::key(description);
    let start: String = key.chars().take(MIN_COMMON).collect();
    LENGTHS.contains(&description.len())
        && container::texts(page).any(|(text, _)| container::key(&text) == key)
        && !contains(&container::letters(text), description, &start)
}

/// Whether the found text contains a lead: its start and the text near its end. Its first sentence alone may also be in the text.
fn contains(found: &str, lead: &str, start: &str) -> bool {
    let letters: Vec<char> = lead.chars().filter(|c| c.is_alphanumeric()).collect();
    let end = letters.len() * 4 / 5;
    let near_end: String = letters[end.saturating_sub(MIN_COMMON / 2)..end].iter().collect();
    found.contains(start) && found.contains(&near_end)
}

/// Whether an element is a heading directly below the title, and no other title: such a heading is a lead.
fn is_placed(page: &str, element: &Element<Known>, title: usize, titles: &[String]) -> bool {
    let range = element.range();
    let between = &page[title..range.start];
    let own = titled::heading(page, range);
    element.is_heading
        && !element.known.is_title
        && element.links() == 0
        && element.text() <= MAX_HEADING
        && between.len() <= MAX_BETWEEN
        && !titles.iter().any(|title| title.contains(&own))
        && crate::plain_text(between).trim().is_empty()
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
        for description in [LEAD.to_owned(), format!("Storm: {LEAD}")] {
            assert_eq!(missed(&plain, TEXT, Some(&description), &[]).as_deref(), Some(LEAD));
        }
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
        // The start of the text, with a few other words.
        let text = text.replace("</p>", &lead[LEAD.len()..]);
        let page = format!("<h1>Storm</h1><p class=lead>{lead} Read on</p><div>{text}</div>");
        assert_eq!(missed(&page, &text, None, &[]), None);
    }

    #[test]
    fn finds_the_lead_by_its_place() {
        let found = |between: &str| missed(&format!("<h1>Storm</h1>{between}<div>{TEXT}</div>"), TEXT, None, &[]);
        let heading = "A storm kept the fleet in the harbour for a whole week";
        assert_eq!(found(&format!("<h2>{heading}</h2>")).as_deref(), Some(heading));
        for other in [
            format!("<p>By A. Writer</p><h2>{heading}</h2>"),
            format!("<h2><a href=x>{heading}</a></h2>"),
            format!("<h2>{}</h2>", heading.repeat(9)),
            format!("<h2>Boats</h2><p>{LEAD}</p>"),
            format!("<h1>{heading}</h1>"),
            // A paragraph may be a notice, a description of the author, or a caption.
            format!("<p>{LEAD}</p>"),
            "<div class=notice><p>When you purchase through links on our site, we may earn a commission.</p></div>"
                .into(),
            "<p class=disclosure>We may earn a commission if you buy something through the links in this article.</p>"
                .into(),
            "<p>Dieser Artikel ist älter als ein Jahr. Sein Inhalt kann inzwischen veraltet oder falsch sein!</p>"
                .into(),
            "<p>This article is for subscribers only. Please sign in or subscribe to continue.</p>".into(),
            "<p>The video is not available in your country. Please try again later.</p>".into(),
            "<p>Mira Writer is a reporter who has covered the coast for ten years and lives in a house by the sea.</p>"
                .into(),
            "<noscript><p>You need to enable JavaScript to see all of the contents of this page.</p></noscript>".into(),
            "<p>A boat leaves the harbour at dawn on the first day of the season. Photo: Mira Writer, AFP.</p>".into(),
            "<div class=hero-image><img src=a><p>The pier of the harbour after the storm of last winter.</p></div>"
                .into(),
        ] {
            assert_eq!(found(&other), None, "{other}");
        }
        // The headline, if the page has another title.
        let page = format!("<h1>Storm</h1><h2>{heading}</h2><div>{TEXT}</div>");
        let title = format!("Coast: {heading}! - Escenic");
        assert_eq!(missed(&page, TEXT, None, &[Some(&title)]), None);
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
