//! Where the prose of an article begins and ends, and what follows it.

use super::Element;
use crate::extract::tree::Tree;
use gleaner_html::tokens::{Token, Tokens};
use std::ops::Range;
use url::Url;

/// Minimum length in bytes of a paragraph of prose.
pub(super) const MIN_PROSE: usize = 80;
/// Minimum number of paragraphs of prose of an article whose other parts are judged by their position.
const MIN_PARAGRAPHS: usize = 3;
/// Length in bytes of a paragraph that consists of a label and a link.
const LABELLED: std::ops::RangeInclusive<usize> = 25..=250;
/// Length of such a label in characters.
const LABEL: std::ops::RangeInclusive<usize> = 3..=40;

/// The positions of the prose of an article.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outline {
    /// The start of the first paragraph of prose.
    pub(super) first: usize,
    /// The end of the last one.
    pub(super) last: usize,
    /// The start of the first heading after it.
    pub(super) heading: Option<usize>,
}

/// Lengths of the text and of the links of an element outside of the blocks inside of it.
pub(super) fn own<K: Default + PartialEq + Copy>(tree: &Tree<K>, at: usize) -> (usize, usize) {
    let element = &tree.elements[at];
    tree.children(at).fold((element.text(), element.links()), |(text, links), child| {
        let child = &tree.elements[child];
        (text - child.text(), links - child.links())
    })
}

impl Outline {
    /// Returns the outline of an article with several paragraphs of prose.
    pub(super) fn read<K: Default + PartialEq + Copy>(tree: &Tree<K>) -> Option<Self> {
        let mut outline: Option<Self> = None;
        let (mut count, mut heading) = (0, None);
        for at in 0..tree.elements.len() {
            let element = &tree.elements[at];
            if element.is_heading {
                heading = heading.or(Some(element.range().start));
            }
            let (text, links) = own(tree, at);
            if text < MIN_PROSE || links * 2 >= text || element.in_quote {
                continue;
            }
            count += 1;
            let range = element.range();
            let first = outline.map_or(range.start, |outline| outline.first);
            let last = outline.map_or(range.end, |outline| outline.last.max(range.end));
            outline = Some(Self { first, last, heading: None });
            heading = heading.filter(|heading| *heading >= last);
        }
        outline.filter(|_| count >= MIN_PARAGRAPHS).map(|outline| Self { heading, ..outline })
    }
}

/// Whether a paragraph consists of a short label and a link to another article of the site.
pub(super) fn is_labelled_link(html: &str, page: Option<&Url>) -> bool {
    let (mut label, mut link, mut in_link, mut is_internal) = (String::new(), 0, false, false);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "a" => {
                in_link = true;
                is_internal |= tag.attributes.get("href").is_some_and(|href| leads_within(&href, page));
            }
            Token::Start(tag) if tag.name == "img" => return false,
            Token::End(name) if name == "a" => in_link = false,
            // An address in the text is a source.
            Token::Text(text) if in_link && (text.contains("://") || text.trim_start().starts_with("www.")) => {
                return false;
            }
            Token::Text(text) if in_link => link += text.trim().len(),
            Token::Text(text) if link == 0 => label.push_str(text),
            // Anything after the link is a sentence.
            Token::Text(text) if text.contains(char::is_alphanumeric) => return false,
            _ => {}
        }
    }
    let label = gleaner_html::references::decode(label.trim());
    let label = label.trim();
    is_internal
        && label.ends_with([':', '!', '?', '|', '»', '›', '>', '：'])
        && LABEL.contains(&label.chars().count())
        && LABELLED.contains(&(label.len() + link))
        && link > 0
}

/// Minimum number of letters of a headline in capitals.
const MIN_HEADLINE: usize = 20;

/// Whether a paragraph consists of a link to another article of the site, in capitals as news sites write their headlines.
pub(super) fn is_link_in_capitals(html: &str, page: Option<&Url>) -> bool {
    let (mut letters, mut in_link, mut is_internal) = (0, false, false);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "a" => {
                in_link = true;
                is_internal = tag.attributes.get("href").is_some_and(|href| leads_within(&href, page));
            }
            Token::Start(tag) if tag.name == "img" => return false,
            Token::End(name) if name == "a" => in_link = false,
            Token::Text(text) => {
                let text = gleaner_html::references::decode(text);
                if text.contains(char::is_lowercase)
                    || !(in_link && is_internal) && text.contains(char::is_alphanumeric)
                {
                    return false;
                }
                letters += text.chars().filter(|c| c.is_uppercase()).count();
            }
            _ => {}
        }
    }
    letters >= MIN_HEADLINE
}

/// Sites whose pages with the same first folder belong together, and no others.
const HOSTS: [&str; 4] = ["bitbucket.org", "codeberg.org", "github.com", "gitlab.com"];

/// Whether an address belongs to the site of a page.
pub(super) fn leads_within(href: &str, page: Option<&Url>) -> bool {
    // A note links to its place in the text.
    if href.trim_start().starts_with('#') {
        return false;
    }
    let Some(host) = page.and_then(Url::host_str) else { return false };
    let name = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    let folder = |url: &Url| url.path_segments().and_then(|mut folders| folders.next().map(str::to_lowercase));
    page.and_then(|page| page.join(href.trim()).ok().map(|url| (page, url))).is_some_and(|(page, url)| {
        url.host_str().is_some_and(|other| name(other) == name(host))
            && (!HOSTS.contains(&&*name(host)) || folder(page) == folder(&url))
    })
}

/// Whether all links lead to other pages. A heading often links to itself.
pub(super) fn leads_to_others(html: &str, page: Option<&Url>) -> bool {
    let Some(page) = page else { return false };
    let place = |url: &Url| {
        let host = url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
        (host, url.path().trim_end_matches('/').to_owned())
    };
    let is_other =
        |href: &str| page.join(href.trim()).is_ok_and(|url| url.fragment().is_none() && place(&url) != place(page));
    Tokens::new(html).all(|token| match token {
        Token::Start(tag) if tag.name == "a" => tag.attributes.get("href").is_some_and(|href| is_other(&href)),
        _ => true,
    })
}

/// Whether most links lead to other pages, and not to places in this one.
pub(super) fn leaves_page(html: &str) -> bool {
    let (mut outside, mut all) = (0, 0);
    for token in Tokens::new(html) {
        if let Token::Start(tag) = token
            && tag.name == "a"
            && let Some(href) = tag.attributes.get("href")
        {
            all += 1;
            outside += usize::from(!href.contains('#'));
        }
    }
    outside * 2 > all
}

/// Endings of the addresses of files that articles offer.
const FILES: [&str; 11] = [".csv", ".doc", ".docx", ".epub", ".mp3", ".ods", ".odt", ".pdf", ".xls", ".xlsx", ".zip"];

/// Whether a link leads to a file.
pub(super) fn offers_files(html: &str) -> bool {
    let is_file = |href: &str| {
        let path = href.split(['?', '#']).next().unwrap_or_default().trim().to_ascii_lowercase();
        FILES.iter().any(|ending| path.ends_with(ending))
    };
    Tokens::new(html).any(|token| {
        matches!(token, Token::Start(tag) if tag.name == "a" && tag.attributes.get("href").is_some_and(|href| is_file(&href)))
    })
}

/// Phrases in copyright notices, in lower case.
#[rustfmt::skip]
const RIGHTS: &[&str] = &[
    "all rights reserved", "alle rechte vorbehalten", "无断转载", "無断転載", "版权所有", "版權所有", "무단 전재", "무단전재", "tous droits réservés", "todos los derechos reservados",
    "todos os direitos reservados", "tutti i diritti riservati", "все права защищены", "wszelkie prawa zastrzeżone",
];

/// Whether the text is only a copyright notice for the text before it.
pub(super) fn is_claim_of_rights(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !"©ⓒ".contains(c));
    text.len() <= super::MAX_LABEL
        && ["©", "ⓒ", "copyright", "(c)"].iter().any(|start| text.starts_with(start))
        && RIGHTS.iter().any(|claim| text.contains(claim))
}

/// Returns the elements after the last prose that contain only links within the site, and the headings of these elements.
pub(super) fn links_at_end(
    html: &str,
    tree: &Tree<super::Known>,
    outline: Outline,
    removed: &[Range<usize>],
    page: Option<&Url>,
) -> Vec<Range<usize>> {
    let is_removed = |element: &Element| {
        let start = element.range().start;
        let at = removed.partition_point(|range| range.end <= start);
        removed.get(at).is_some_and(|range| range.contains(&start))
    };
    let mut cut = None;
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        let start = element.range().start;
        if start < outline.last {
            break;
        }
        let (text, links) = own(tree, at);
        if text == 0 || is_removed(element) {
            continue;
        }
        if links * 10 <= text * 6 && !element.is_heading || links > 0 && offers_files(&html[element.range()]) {
            break;
        }
        cut = Some(start);
    }
    let Some(cut) = cut.filter(|cut| leads_away(&html[*cut..], page)) else { return Vec::new() };
    let mut ranges = Vec::new();
    let mut open = vec![Tree::<super::Known>::ROOT];
    while let Some(parent) = open.pop() {
        for child in tree.children(parent) {
            let range = tree.elements[child].range();
            if range.start >= cut {
                ranges.push(range);
            } else if range.end > cut {
                open.push(child);
            }
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Whether most links lead to other pages of the site, and all images are links.
pub(super) fn leads_away(html: &str, page: Option<&Url>) -> bool {
    let (mut internal, mut all, mut in_link) = (0, 0, false);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if tag.name == "a" => {
                in_link = true;
                if let Some(href) = tag.attributes.get("href") {
                    all += 1;
                    internal += usize::from(leads_within(&href, page));
                }
            }
            Token::End(name) if name == "a" => in_link = false,
            Token::Start(tag) if matches!(&*tag.name, "img" | "picture") && !in_link => return false,
            Token::Start(tag) if matches!(&*tag.name, "iframe" | "video" | "audio" | "pre") => return false,
            _ => {}
        }
    }
    internal * 2 > all || all == 0
}
