//! The title of an item.

use super::{
    dates::is_date,
    tree::{Node, Tree},
};
use crate::candidates::COMMENTS;

/// Words of links that lead to the item but do not name it, in lower case.
const GENERIC: [&str; 47] = [
    "read more",
    "more",
    "continue reading",
    "continue",
    "read",
    "learn more",
    "full story",
    "read the full",
    "details",
    "view",
    "see more",
    "read on",
    "permalink",
    "permanent link",
    "weiterlesen",
    "mehr",
    "mehr lesen",
    "weiter",
    "lire la suite",
    "lire",
    "en savoir plus",
    "leer más",
    "leer mas",
    "seguir leyendo",
    "ver más",
    "leggi tutto",
    "continua a leggere",
    "continua",
    "leia mais",
    "saiba mais",
    "lees meer",
    "läs mer",
    "les mer",
    "læs mere",
    "czytaj więcej",
    "číst dál",
    "читать далее",
    "подробнее",
    "続きを読む",
    "阅读全文",
    "pdf",
    "doc",
    "docx",
    "word",
    "html",
    "download",
    "link",
];

/// Whether a text is that of a link such as "Read more".
pub(super) fn is_generic(text: &str) -> bool {
    if text.len() > 160 {
        return false;
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // A number, a time or a date.
    if !text.contains(char::is_alphabetic) {
        return true;
    }
    let short = text.chars().count() <= 40;
    GENERIC.contains(&&*text)
        || short
            && (text.starts_with("read more")
                || text.starts_with("continue reading")
                || text.starts_with("learn more")
                || is_of_comments(&text)
                || is_age(&text))
}

/// Whether a text in lower case is the time since something, such as "3 hours ago".
fn is_age(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = match *words {
        [number, _, "ago" | "fa" | "geleden" | "sedan" | "siden" | "temu" | "назад"]
        | ["vor" | "hace" | "há", number, _]
        | ["il", "y", "a", number, _] => number,
        _ => return false,
    };
    matches!(number, "a" | "an" | "one") || number.bytes().all(|b| b.is_ascii_digit())
}

/// Other things that are counted at an item.
const COUNTED: [&str; 6] = ["trackback", "reply", "replies", "view", "respon", "like"];

/// Whether a text is a number of comments or the like.
pub(super) fn is_of_comments(text: &str) -> bool {
    if text.len() > 40 {
        return false;
    }
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(4).collect();
    let is_number =
        |word: &str| word.bytes().all(|b| b.is_ascii_digit()) || matches!(word, "no" | "add" | "leave" | "a");
    let nouns = words.iter().filter(|word| COMMENTS.iter().chain(&COUNTED).any(|noun| word.starts_with(noun))).count();
    nouns == 1 && words.len() < 4 && words.iter().filter(|word| is_number(word)).count() + 1 == words.len()
}

/// Whether a text may be a title: it is not "Read more", a date or a number.
pub(super) fn is_title(text: &str) -> bool {
    length(text) >= 6 && !is_generic(text) && !is_date(text)
}

/// Number of letters of a text; Chinese, Japanese and Korean ones count more.
pub(super) fn length(text: &str) -> usize {
    let weight = |c: char| match c {
        _ if u32::from(c) >= 0x2e80 => 3,
        _ if c.is_alphabetic() => 1,
        ' ' => 1,
        _ => 0,
    };
    text.chars().take(400).map(weight).sum()
}

/// Whether an element is marked as a title.
fn is_title_element(node: &Node<'_>) -> bool {
    node.name == "summary"
        || matches!(node.get("itemprop"), Some("headline" | "name"))
        || node.names().any(|name| {
            let name = name.to_ascii_lowercase();
            name.split(['-', '_']).any(|word| matches!(word, "title" | "headline" | "heading"))
                || name.ends_with("title")
                || name.ends_with("headline")
        })
}

/// Whether a link is in a heading, or in another element that is marked as a title.
pub(super) fn is_named(tree: &Tree<'_>, link: usize, from: usize) -> bool {
    let is_title = |at: usize| tree.nodes[at].is_heading() || is_title_element(&tree.nodes[at]);
    tree.around(link).take_while(|at| *at >= from).take(6).any(is_title)
}

/// Returns the title of the item in elements `from..to` that the link leads to, and its element.
pub(super) fn of_link(tree: &Tree<'_>, link: usize, from: usize, to: usize) -> (String, usize) {
    let (title, named) = shown(tree, link, from, to);
    (whole(tree, link, &title).unwrap_or(title), named)
}

/// Returns the whole title from an attribute of the link or of its content, if the displayed one is cut off.
fn whole(tree: &Tree<'_>, link: usize, shown: &str) -> Option<String> {
    let start = shown.strip_suffix("...").or_else(|| shown.strip_suffix('…'))?.trim_end();
    let nodes = &tree.nodes[link..tree.nodes[link].end];
    let mut texts =
        nodes.iter().flat_map(|node| ["title", "aria-label", "alt"].into_iter().filter_map(|name| node.get(name)));
    let is_whole = |text: &&str| {
        text.starts_with(start) && text.len() > start.len() && !text.ends_with("...") && !text.ends_with('…')
    };
    texts.find(|text| !start.is_empty() && is_whole(text)).map(limited)
}

fn shown(tree: &Tree<'_>, link: usize, from: usize, to: usize) -> (String, usize) {
    let inside = tree.nodes[link].end;
    let with_text = |at: &usize| length(tree.text(*at)) >= 3 && !is_generic(tree.text(*at));
    let heading = |from: usize, to: usize| {
        let elements = || from..to.min(tree.nodes.len());
        elements().find(|at| tree.nodes[*at].is_heading() && with_text(at) && !is_date(tree.text(*at))).or_else(|| {
            elements().find(|at| is_title_element(&tree.nodes[*at]) && with_text(at) && tree.text(*at).len() <= 300)
        })
    };
    let text = tree.text(link);
    let in_heading = is_named(tree, link, from);
    let of = |at: usize| (limited(tree.text(at)), at);
    if let Some(found) = heading(link + 1, inside) {
        return of(found);
    }
    if in_heading && with_text(&link) {
        return of(link);
    }
    if let Some(found) = heading(from, to)
        && (!is_title(text) || tree.nodes[found].is_heading())
    {
        return of(found);
    }
    if with_text(&link) {
        // A link around the whole item: its first block is the title.
        let is_innermost = |at: &usize| tree.children(*at).all(|child| tree.text(child).is_empty());
        let first = (link + 1..inside).find(|at| with_text(at) && is_innermost(at));
        return of(first.filter(|_| length(text) > 150).unwrap_or(link));
    }
    let described = (link..inside).find_map(|at| {
        let node = &tree.nodes[at];
        let found = node.get("aria-label").or_else(|| node.get("title")).or_else(|| node.get("alt"))?;
        Some(found.trim()).filter(|text| length(text) >= 3)
    });
    (limited(described.unwrap_or(text)), link)
}

/// Returns the title of an item from its heading, without the sign of the link to itself.
pub(super) fn of_place(heading: &str) -> String {
    limited(heading.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '¶' | '§' | '🔗' | '\u{200b}')))
}

fn limited(text: &str) -> String {
    text[..text.floor_char_boundary(500)].trim().to_owned()
}
