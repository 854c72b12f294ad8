//! OPML out: a tree of the `opml` crate's outlines, written by it. It knows no attributes beyond OPML 2.0's, so each outline
//! that has others is written with a mark in place of them, and the mark is replaced afterwards.

use super::{Subscription, SubscriptionList};
use crate::text;
use opml::{Body, Head, OPML, Outline};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};
use xml::common::{is_name_char, is_name_start_char, is_xml10_char};

/// Stands where attributes of our own go. A control character cannot occur in XML, and so in no text that is written.
const MARK: char = '\u{1}';

pub(super) fn write(list: &SubscriptionList) -> String {
    let mut marks = Vec::new();
    let mut body = Written::default();
    let named: HashSet<&[String]> = list.folders.iter().map(Vec::as_slice).collect();
    let mut folders = list.folders.iter().peekable();
    for feed in &list.feeds {
        // Folders begin where they began: those named before the feed's own come first, and a feed beside them stays there.
        if named.contains(feed.folder.as_slice()) {
            while folders.peek().is_some_and(|_| !body.has(&feed.folder)) {
                let Some(folder) = folders.next() else { break };
                body.descend(folder);
            }
        }
        let outline = outline(feed, &mut marks);
        body.descend(&feed.folder).push(outline);
    }
    for folder in folders {
        body.descend(folder);
    }
    let head = Head { title: list.title.as_deref().map(shown), ..Head::default() };
    let document = OPML { version: "2.0".to_owned(), head: Some(head), body: Body { outlines: body.outlines } };
    // Writing to a string cannot fail; if it did, an empty list would be the worst answer, so it is left empty of outlines.
    let text = document.to_string().unwrap_or_else(|_| "<opml version=\"2.0\"><head/><body/></opml>".to_owned());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut pieces = text.split(MARK);
    out.push_str(&lines(pieces.next().unwrap_or("")));
    for piece in pieces {
        // The mark with its number ends a value: what follows is the quote. Outlines are not written in the order of the list.
        let (number, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let mark = number.parse().ok().and_then(|number: usize| marks.get(number));
        out.push('"');
        out.push_str(mark.map_or("", String::as_str));
        out.push_str(&lines(rest));
    }
    out.push('\n');
    out
}

/// A line for each outline: lists are read and edited by people too.
fn lines(written: &str) -> String {
    written
        .replace("<outline", "\n<outline")
        .replace("</body>", "\n</body>")
        .replace("<body>", "\n<body>")
        .replace("<head", "\n<head")
}

/// The outlines so far.
#[derive(Default)]
struct Written {
    outlines: Vec<Outline>,
    /// Where each folder stands among the outlines of the one around it.
    places: HashMap<Vec<String>, usize>,
}

impl Written {
    /// Whether a folder is there already.
    fn has(&self, path: &[String]) -> bool {
        path.is_empty() || self.places.contains_key(&names(path))
    }

    /// The outlines of a folder, made where it is missing.
    fn descend(&mut self, path: &[String]) -> &mut Vec<Outline> {
        let names = names(path);
        let mut at = &mut self.outlines;
        for (depth, name) in names.iter().enumerate() {
            let place = self.places.entry(names.iter().take(depth + 1).cloned().collect()).or_insert_with(|| {
                at.push(Outline { text: name.clone(), title: Some(name.clone()), ..Outline::default() });
                at.len() - 1
            });
            at = &mut at[*place].outlines;
        }
        at
    }
}

fn names(path: &[String]) -> Vec<String> {
    path.iter().map(|name| shown(name)).collect()
}

fn outline(feed: &Subscription, marks: &mut Vec<String>) -> Outline {
    let title = feed.title.as_deref().map(shown);
    let mut outline = Outline {
        text: title.clone().unwrap_or_default(),
        title,
        r#type: Some("rss".to_owned()),
        xml_url: Some(clean(&feed.url)),
        html_url: feed.home_url.as_deref().map(clean),
        ..Outline::default()
    };
    let mut extra = String::new();
    for (name, value) in &feed.other {
        let value = clean(value);
        match name.as_str() {
            "type" => outline.r#type = Some(value),
            "category" => outline.category = Some(value),
            "description" => outline.description = Some(value),
            "language" => outline.language = Some(value),
            "version" => outline.version = Some(value),
            "created" => outline.created = Some(value),
            "url" => outline.url = Some(value),
            name if is_name(name) => {
                let mut escaped = String::new();
                crate::tree::escape(&value, true, &mut escaped);
                let _ = write!(extra, " {name}=\"{escaped}\"");
            }
            _ => {}
        }
    }
    if !extra.is_empty() {
        if let Some(url) = &mut outline.xml_url {
            let _ = write!(url, "{MARK}{}", marks.len());
        }
        marks.push(extra);
    }
    outline
}

/// Whether an attribute can be called so.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c| c != ':' && is_name_start_char(c))
        && name.chars().all(|c| c != ':' && is_name_char(c))
        && name != "xmlns"
}

/// A title as it is written. Readers take it for HTML, as OPML 2.0 lets them: where they would read something else, it is escaped.
fn shown(title: &str) -> String {
    let title = clean(title);
    if text::line_of_html(&title).as_deref() == Some(&*title) {
        return title;
    }
    let mut escaped = String::new();
    crate::tree::escape(&title, false, &mut escaped);
    escaped
}

/// Text that XML can hold.
fn clean(text: &str) -> String {
    text.chars().filter(|c| is_xml10_char(*c)).collect()
}
