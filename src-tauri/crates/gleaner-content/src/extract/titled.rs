//! Finds the element of a page whose heading is the title of the page, for pages in which Readability finds something
//! else: a longer sidebar, the next article, a footer.

use super::{
    container::{self, title_letters},
    tree::{self, Element, Tree},
};
use gleaner_html::tokens::Tag;
use std::{borrow::Cow, ops::Range};

/// Classes of elements around an article and its heading.
const NAMES: [&str; 5] = ["entry", "h-entry", "hentry", "post", "single-post"];

/// Minimum length of a text in bytes that is a separate article.
const MIN_ARTICLE: usize = 200;
/// Minimum number of letters of an article besides its title.
const MIN_LETTERS: usize = 10;
/// Minimum number of letters of a found text that is worth more than a short element with the title.
const MIN_LONG: usize = 800;
/// Minimum number of letters of a heading that is only a part of the title.
const MIN_PART: usize = 8;

/// Minimum length in bytes of a text around the title that is worth more than what Readability found.
const MIN_AROUND: usize = 500;

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    /// `article`.
    Article,
    /// `main`, or a class of articles.
    Named,
    /// The heading of a page.
    Title,
    /// Any other heading of the second level.
    Heading,
    /// An element around articles.
    Chrome,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let is_named = || {
            tag.attributes.get("class").is_some_and(|class| {
                class.split_ascii_whitespace().any(|name| NAMES.contains(&&*name.to_ascii_lowercase()))
            })
        };
        match &*tag.name {
            "article" => Self::Article,
            "main" => Self::Named,
            "div" | "section" if is_named() => Self::Named,
            "h1" => Self::Title,
            "h2" => Self::Heading,
            "footer" | "nav" | "aside" => Self::Chrome,
            _ => Self::Other,
        }
    }
}

/// Whether a heading is the title of a page, or the title before or after the name of the site. Both are letters only.
fn is_title(heading: &str, titles: &[String]) -> bool {
    !heading.is_empty()
        && titles.iter().any(|title| {
            title == heading || heading.len() >= MIN_PART && (title.starts_with(heading) || title.ends_with(heading))
        })
}

/// Returns the letters of a heading.
pub(super) fn heading(page: &str, range: Range<usize>) -> String {
    match range.len() {
        0..=2000 => title_letters(&crate::plain_text(&page[range])),
        _ => String::new(),
    }
}

/// Returns the letters of the titles that a page may have.
pub(super) fn all_letters(titles: &[Option<&str>]) -> Vec<String> {
    titles.iter().flatten().map(|title| title_letters(title)).filter(|title| !title.is_empty()).collect()
}

/// Whether an element is the heading of a page with one of some titles, which are letters only.
pub(super) fn is_title_of(page: &str, element: Range<usize>, titles: &[String]) -> bool {
    is_title(&heading(page, element), titles)
}

/// Returns the page without the articles that follow its own: pages load the next ones when the reader reaches the end.
pub(super) fn without_next<'a>(page: &'a str, title: Option<&str>) -> Cow<'a, str> {
    let titles: Vec<String> = title.map(title_letters).into_iter().collect();
    let tree = Tree::read(page, Known::read);
    // The articles that have a heading outside of the articles within them, with that heading.
    let mut articles: Vec<(Range<usize>, usize, String)> = Vec::new();
    let mut open: Vec<(&Element<Known>, bool)> = Vec::new();
    for element in &tree.elements {
        let range = element.range();
        open.retain(|(outer, _)| outer.range().end > range.start);
        match (element.known, open.last_mut()) {
            (Known::Article, _) => open.push((element, false)),
            (Known::Title, Some((outer, has_title))) if !*has_title => {
                *has_title = true;
                articles.push((outer.range(), outer.text(), heading(page, range)));
            }
            _ => {}
        }
    }
    let is_own = |(_, _, heading): &(Range<usize>, usize, String)| is_title(heading, &titles);
    let mut own = articles.iter().filter(|article| is_own(article));
    let (Some((first, text, _)), None) = (own.next(), own.next()) else { return Cow::Borrowed(page) };
    if *text < MIN_ARTICLE || articles.len() < 2 {
        return Cow::Borrowed(page);
    }
    let others = articles.iter().map(|(range, _, _)| range.clone()).filter(|range| range.start >= first.end);
    tree::without(page, others)
}

/// Returns the HTML of the element with the title of the page, without the title, if `found` has nothing in common with it.
pub(super) fn missed(page: &str, found: &str, titles: &[Option<&str>]) -> Option<String> {
    let tree = Tree::read(page, Known::read);
    let is_article = |at: &&usize| matches!(tree.elements[**at].known, Known::Article | Known::Named);
    let (title, open) = title(page, &tree, titles, |open| open.iter().any(|at| is_article(&at)))?;
    let html = without_heading(page, &tree, *open.iter().rfind(is_article)?, title);
    let length = container::letters(found).len();
    let own = container::letters(&html).len();
    let loses_images = found.contains("<img") && !html.contains("<img") && container::texts(found).next().is_none();
    let has_content = own >= MIN_LETTERS || html.contains("<img");
    let is_short = length >= MIN_LONG && own * 2 < length;
    (has_content && !is_short && !loses_images && container::is_apart(found, &html)).then_some(html)
}

/// Returns the HTML of the innermost element around the title of the page that has as much text as `found`, without the title, if it shares
/// nothing with `found`. The article is next to its title.
pub(super) fn around(page: &str, found: &str, titles: &[Option<&str>]) -> Option<String> {
    let tree = Tree::read(page, Known::read);
    let (title, open) = title(page, &tree, titles, |_| true)?;
    let own = |at: usize| tree.elements[at].text() - tree.elements[at].links();
    let needed = own(title) + crate::plain_text(found).len().max(MIN_AROUND);
    let html = without_heading(page, &tree, *open.iter().rfind(|outer| own(**outer) >= needed)?, title);
    container::is_apart(found, &html).then_some(html)
}

/// Returns the number of the first heading that is the title of a page, outside of its navigation, and the numbers of the
/// elements around it, for which `is_inside` is true.
fn title(
    page: &str,
    tree: &Tree<Known>,
    titles: &[Option<&str>],
    is_inside: impl Fn(&[usize]) -> bool,
) -> Option<(usize, Vec<usize>)> {
    let titles = all_letters(titles);
    let mut open: Vec<usize> = Vec::new();
    for (at, element) in tree.elements.iter().enumerate() {
        let range = element.range();
        while open.pop_if(|open| tree.elements[*open].range().end <= range.start).is_some() {}
        if matches!(element.known, Known::Title | Known::Heading)
            && is_title_of(page, range, &titles)
            && open.iter().all(|open| tree.elements[*open].known != Known::Chrome)
            && is_inside(&open)
        {
            return Some((at, open));
        }
        open.push(at);
    }
    None
}

/// Returns the HTML of an element without a heading in it, navigation, footers and asides.
fn without_heading(page: &str, tree: &Tree<Known>, outer: usize, heading: usize) -> String {
    let (outer, heading) = (tree.elements[outer].range(), tree.elements[heading].range());
    without_chrome(&format!("{}{}", &page[outer.start..heading.start], &page[heading.end..outer.end])).into_owned()
}

/// Returns the page without its footers, navigation and asides.
pub(super) fn without_chrome(page: &str) -> Cow<'_, str> {
    let tree = Tree::read(page, Known::read);
    tree::without(page, tree.elements.iter().filter(|element| element.known == Known::Chrome).map(Element::range))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDEBAR: &str = "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish.</p>";

    #[test]
    fn finds_the_element_with_the_title() {
        let titles = [Some("Storm | The Harbour"), Some("Storm")];
        for (start, text, end) in [
            ("<main>", "<h1>Storm</h1><p>No ferry today.</p>", "</main>"),
            (
                "<main><div>Other</div><article>",
                "<h2>Storm</h2><ul><li><a href=x>A list of links</a></li></ul>",
                "</article></main>",
            ),
            ("<div class='post hentry'>", "<h2><a href=x>Storm</a></h2><img src=x>", "</div>"),
        ] {
            let page = format!("<nav>Home</nav>{start}{text}{end}<aside>{SIDEBAR}</aside>");
            let content = text.split_once("</h").and_then(|(_, rest)| rest.split_once('>')).map(|(_, rest)| rest);
            let missed = missed(&page, SIDEBAR, &titles);
            assert!(
                missed.as_ref().is_some_and(|missed| missed.contains(content.unwrap_or("?"))),
                "{page}: {missed:?}"
            );
        }
    }

    #[test]
    fn leaves_what_is_found() {
        let titles = [Some("Storm")];
        let within = format!("<main><h1>Storm</h1>{SIDEBAR}</main>");
        assert_eq!(missed(&within, SIDEBAR, &titles), None);
        let empty = "<main><h1>Storm</h1></main>";
        assert_eq!(missed(empty, SIDEBAR, &titles), None);
        let other = "<main><h1>Boats</h1><p>No ferry today.</p></main>";
        assert_eq!(missed(other, SIDEBAR, &titles), None);
        let aside = "<main><aside><h2>Storm</h2><p>No ferry today.</p></aside></main>";
        assert_eq!(missed(aside, SIDEBAR, &titles), None);
        let image = "<main><h1>Storm</h1><p>By A. Writer, today</p></main>";
        assert_eq!(missed(image, "<p><img src=x></p>", &titles), None);
        // The text of the article is outside of the element.
        let short = "<article><h1>Storm</h1><p>By A. Writer, today</p></article>";
        assert_eq!(missed(short, &SIDEBAR.repeat(20), &titles), None);
    }

    #[test]
    fn finds_the_text_around_the_title() {
        let titles = [Some("Storm"), None];
        let text = "The boats were in the harbour.<br>No one was about to repair a net or sell a fish.<br>".repeat(9);
        let terms = "<p>We send nets and ropes to all harbours of the coast, in boxes of wood.</p>";
        let page = |title: &str, found: &str| {
            format!(
                "<nav>Home</nav><div><div class=page-header>{title}</div><div class=x>{text}</div><aside>Other</aside></div><div>{found}</div>"
            )
        };
        let around_title = |title: &str, found: &str| around(&page(title, found), found, &titles);
        let found = around_title("<h1>Storm</h1>", terms).unwrap_or_default();
        assert!(found.contains(&text) && !found.contains("Other") && !found.contains("<h1>"), "{found}");
        assert!(around_title("<h2>Storm</h2>", terms).is_some());
        for title in ["<h1>Boats</h1>", "<nav><h1>Storm</h1></nav>", ""] {
            assert_eq!(around_title(title, terms), None, "{title}");
        }
        // More text than around the title, or a part of it.
        assert_eq!(around_title("<h1>Storm</h1>", &terms.repeat(20)), None);
        let within = page("<h1>Storm</h1>", terms).replace("Other", &terms.repeat(20)).replace("aside", "section");
        assert_eq!(around(&within, terms, &titles), None);
        let short = page("<h1>Storm</h1>", terms).replace(&text, "The boats were in the harbour.");
        assert_eq!(around(&short, terms, &titles), None);
    }

    #[test]
    fn removes_the_next_articles() {
        let article = |title: &str| format!("<article><h1>{title}</h1>{}</article>", SIDEBAR.repeat(3));
        let page = format!("<main>{}{}<p>End</p></main>", article("Storm"), article("Boats"));
        let expected = format!("<main>{}<p>End</p></main>", article("Storm"));
        assert_eq!(without_next(&page, Some("Storm")), expected);
        assert_eq!(
            without_next(&page.replace("Storm", "A long storm"), Some("Harbour | A long storm")).len(),
            expected.len() + 7
        );
        let around = |page: &str| format!("<article>{page}<article>Other</article></article>");
        assert_eq!(without_next(&around(&page), Some("Storm")), around(&expected));
        // None of them, or all of them, are the article of the page.
        assert_eq!(without_next(&page, Some("News")), page);
        let parts = format!("{}{}", article("Storm"), article("Storm"));
        assert_eq!(without_next(&parts, Some("Storm")), parts);
    }
}
