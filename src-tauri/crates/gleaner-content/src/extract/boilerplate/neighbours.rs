//! Removes the neighbours of the article: navigation in the cells of layout tables, and `article`s that only lead to others.

use super::{MAX_TEASER, outline};
use crate::extract::tree::{self, Element, Tree};
use gleaner_html::tokens::Tag;
use std::{borrow::Cow, ops::Range};
use url::Url;

/// Minimum number of links of navigation, in a cell.
const MIN_LINKS: usize = 3;
/// Minimum length in bytes of the text of a cell with an article.
const MIN_ARTICLE: usize = 1000;
/// Minimum number of paragraphs of an article that others follow.
const MIN_PARAGRAPHS: usize = 3;
/// Maximum length in bytes of an `article` that leads to others: each is read again, also those inside of others.
const MAX_TEASER_HTML: usize = 20_000;
/// Minimum number of `article`s that lead to others.
const MIN_TEASERS: usize = 2;

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Article,
    Row,
    Cell,
    Link,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        match &*tag.name {
            "article" => Self::Article,
            "tr" => Self::Row,
            "td" => Self::Cell,
            "a" if tag.attributes.get("href").is_some() => Self::Link,
            _ => Self::Other,
        }
    }
}

/// Returns the page, which is at an address, without the navigation and the other articles next to its own one.
pub(super) fn without_neighbours<'a>(page: &'a str, address: Option<&Url>) -> Cow<'a, str> {
    let tree = Tree::read(page, Known::read);
    let prose = |element: &Element<Known>| element.text() - element.links();
    let total = prose(&tree.elements[Tree::<Known>::ROOT]);
    // The number of links in each element, and whether one of them contains a block.
    let mut links = vec![(0_usize, false); tree.elements.len()];
    let mut removed: Vec<Range<usize>> = Vec::new();
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        let (text, _) = outline::own(&tree, at);
        for child in tree.children(at) {
            let is_link = tree.elements[child].known == Known::Link;
            links[at].0 += links[child].0 + usize::from(is_link);
            links[at].1 |= links[child].1 || is_link && text == 0;
        }
        let is_article = |cell: usize| prose(&tree.elements[cell]) >= MIN_ARTICLE.max(total / 2);
        if element.known == Known::Row && tree.children(at).any(is_article) {
            let is_navigation = |cell: &usize| {
                let element = &tree.elements[*cell];
                element.known == Known::Cell && links[*cell].0 >= MIN_LINKS && super::is_links(element)
            };
            removed.extend(tree.children(at).filter(is_navigation).map(|cell| tree.elements[cell].range()));
        }
    }
    removed.extend(teasers(page, &tree, &links, address));
    removed.sort_by_key(|range| range.start);
    tree::without(page, removed)
}

/// Returns the positions of the `article`s that only lead to other pages of the site, if they follow prose and each other. All `article`s
/// after the first of them must be like that, since some pages consist of `article`s.
fn teasers(page: &str, tree: &Tree<Known>, links: &[(usize, bool)], address: Option<&Url>) -> Vec<Range<usize>> {
    let is_teaser = |at: usize| {
        let element = &tree.elements[at];
        let html = &page[element.range()];
        element.text() <= MAX_TEASER
            && html.len() <= MAX_TEASER_HTML
            && links[at].1
            && outline::leads_away(html, address)
            && outline::leads_to_others(html, address)
    };
    // The number of paragraphs of prose before each element.
    let mut paragraphs = vec![0; tree.elements.len() + 1];
    for at in 0..tree.elements.len() {
        let (text, links) = outline::own(tree, at);
        paragraphs[at + 1] = paragraphs[at] + usize::from(text >= outline::MIN_PROSE && links * 2 < text);
    }
    let mut all: Vec<Range<usize>> = Vec::new();
    for (at, element) in tree.elements.iter().enumerate() {
        if all.last().is_some_and(|last| element.range().start < last.end) {
            continue;
        }
        let articles = tree.children(at).filter(|child| tree.elements[*child].known == Known::Article);
        // The first one may be that of the page.
        let teasers: Vec<usize> = articles.skip_while(|article| paragraphs[*article] < MIN_PARAGRAPHS).collect();
        if teasers.len() >= MIN_TEASERS && teasers.iter().all(|teaser| is_teaser(*teaser)) {
            all.extend(teasers.into_iter().map(|teaser| tree.elements[teaser].range()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const TEXT: &str =
        "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before noon.</p>";

    fn without(page: &str) -> String {
        without_neighbours(page, Some(&Url::parse("https://a.example/storm").unwrap())).into_owned()
    }

    #[test]
    fn removes_navigation_in_layout_tables() {
        let page = |cell: &str| format!("<table><tr>{cell}<td><h1>Storm</h1>{}<td>Notes</table>", TEXT.repeat(12));
        let links = "<a href=/1>Boats</a><br><a href=/2>Nets</a><br><a href=/3>Ropes</a>";
        assert_eq!(without(&page(&format!("<td width=100><b>Menu</b>{links}</td>"))), page(""));
        for kept in [
            page(&format!("<th>{links}</th>")),
            page("<td><a href=/1>Boats</a></td>"),
            page(&format!("<td>{TEXT}{links}</td>")),
            page(&format!("<td>{links}</td>")).replace(&TEXT.repeat(12), TEXT),
        ] {
            assert_eq!(without(&kept), kept);
        }
    }

    #[test]
    fn removes_other_articles() {
        let own = format!("<article><h1>Storm</h1>{}</article>", TEXT.repeat(3));
        let teasers = |link: &str| format!("<article>{TEXT}{link}</article>").repeat(2);
        for (start, end) in [("", ""), ("<div>", "</div>"), ("<article>", "</article>")] {
            let page = format!("{start}{own}{}{end}", teasers("<a href=/boats>More</a>"));
            assert_eq!(without(&page), format!("{start}{own}{end}"));
        }
        for kept in [
            teasers("<a href=/boats>More</a>"),
            format!("{own}{}", teasers("<p>Read <a href=/boats>more</a></p>")),
            format!("{own}{}", teasers("<a href=https://b.example/>More</a>")),
            format!("{own}{}", teasers("<a href=#noon>12:00</a>")),
            format!("{own}{}", teasers(&format!("{}<a href=/boats>More</a>", TEXT.repeat(6)))),
        ] {
            assert_eq!(without(&kept), kept);
        }
    }
}
