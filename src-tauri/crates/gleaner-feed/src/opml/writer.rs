//! Writes OPML with the `opml` crate. It only supports the attributes of OPML 2.0, so outlines with others are written
//! with a placeholder, which is replaced afterwards.

use super::{
    NotWritten, Subscription, SubscriptionList,
    reader::{DECLARES, folder_of_category, is_name},
};
use crate::text;
use opml::{Body, Head, OPML, Outline};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write as _,
};
use xml::common::is_xml10_char;

/// Marks a placeholder for additional attributes. This control character is not allowed in XML, so it cannot occur in
/// the text.
const MARK: char = '\u{1}';

/// The namespaces that the root declares, by prefix.
type Namespaces<'l> = BTreeMap<&'l str, &'l str>;

pub(super) fn write(list: &SubscriptionList) -> Result<String, NotWritten> {
    let mut marks = Vec::new();
    let namespaces = namespaces(list);
    let mut body = OutlineTree::default();
    let named: HashSet<&[String]> = list.folders.iter().map(Vec::as_slice).collect();
    let mut folders = list.folders.iter().peekable();
    for feed in &list.feeds {
        // Folders keep their position: those listed before the feed's folder are written first.
        if named.contains(feed.folder.as_slice()) {
            while folders.peek().is_some_and(|_| !body.has(&feed.folder)) {
                let Some(folder) = folders.next() else { break };
                body.descend(folder);
            }
        }
        let outline = outline(feed, &namespaces, &mut marks);
        body.descend(&feed.folder).push(outline);
    }
    for folder in folders {
        body.descend(folder);
    }
    let head = Head { title: list.title.as_deref().map(escape_title), ..Head::default() };
    let document = OPML { version: "2.0".to_owned(), head: Some(head), body: Body { outlines: body.outlines } };
    let mut declarations = String::new();
    namespaces.iter().for_each(|(prefix, uri)| push_attribute(&mut declarations, &format!("{DECLARES}{prefix}"), uri));
    finished(document.to_string(), &marks).map(|text| text.replacen("<opml", &format!("<opml{declarations}"), 1))
}

/// Returns the namespaces of the list. If two have the same prefix, the second one is declared where it is used.
fn namespaces(list: &SubscriptionList) -> Namespaces<'_> {
    let mut namespaces = Namespaces::new();
    list.feeds.iter().flat_map(|feed| &feed.other).filter_map(declaration).for_each(|(prefix, uri)| {
        namespaces.entry(prefix).or_insert(uri);
    });
    namespaces
}

/// Returns the prefix and the URI that an attribute declares. XML reserves prefixes that begin with its name, and allows no empty URI.
fn declaration((name, uri): &(String, String)) -> Option<(&str, &str)> {
    let prefix = name.strip_prefix(DECLARES)?;
    let is_valid = is_name(prefix) && !prefix.starts_with("xml") && !clean(uri).is_empty();
    is_valid.then_some((prefix, uri.as_str()))
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"");
    let mut escaped = String::new();
    gleaner_html::escape::push_attribute(&mut escaped, &clean(value));
    out.push_str(&with_references(&escaped));
    out.push('"');
}

/// Finishes the text of the XML writer. A failure of the writer is an error, since an empty list could replace the user's file.
fn finished<E: std::fmt::Display>(written: Result<String, E>, marks: &[String]) -> Result<String, NotWritten> {
    let text = written.map_err(|error| NotWritten(error.to_string()))?;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut pieces = text.split(MARK);
    out.push_str(&lines(pieces.next().unwrap_or("")));
    for piece in pieces {
        // A placeholder with its number ends an attribute value. Outlines are not written in the order of the list.
        let (number, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let mark = number.parse().ok().and_then(|number: usize| marks.get(number));
        out.push('"');
        out.push_str(mark.map_or("", String::as_str));
        out.push_str(&lines(rest));
    }
    out.push('\n');
    Ok(out)
}

/// Writes line breaks and tabs of values as references: programs read others as spaces.
fn with_references(value: &str) -> String {
    value.replace('\t', "&#9;").replace('\n', "&#10;").replace('\r', "&#13;")
}

/// Puts each outline on a line, for people who read or edit the file. The XML writer writes no line breaks but those of values.
fn lines(written: &str) -> String {
    with_references(written)
        .replace("<outline", "\n<outline")
        .replace("</body>", "\n</body>")
        .replace("<body>", "\n<body>")
        .replace("<head", "\n<head")
}

/// The outlines written so far.
#[derive(Default)]
struct OutlineTree {
    outlines: Vec<Outline>,
    /// Index of each folder among the outlines of its parent.
    positions: HashMap<Vec<String>, usize>,
}

impl OutlineTree {
    /// Whether a folder exists.
    fn has(&self, path: &[String]) -> bool {
        path.is_empty() || self.positions.contains_key(&names(path))
    }

    /// Returns the outlines of a folder, which is created if missing.
    fn descend(&mut self, path: &[String]) -> &mut Vec<Outline> {
        let names = names(path);
        let mut at = &mut self.outlines;
        for (depth, name) in names.iter().enumerate() {
            let place = self.positions.entry(names.iter().take(depth + 1).cloned().collect()).or_insert_with(|| {
                at.push(Outline { text: name.clone(), title: Some(name.clone()), ..Outline::default() });
                at.len() - 1
            });
            at = &mut at[*place].outlines;
        }
        at
    }
}

fn names(path: &[String]) -> Vec<String> {
    path.iter().map(|name| escape_title(name)).collect()
}

fn outline(feed: &Subscription, namespaces: &Namespaces<'_>, marks: &mut Vec<String>) -> Outline {
    let title = feed.title.as_deref().map(escape_title);
    let own_title = feed.own_title.as_deref().map(escape_title);
    let mut outline = Outline {
        text: title.clone().unwrap_or_default(),
        title: own_title.or(title),
        r#type: Some("rss".to_owned()),
        xml_url: Some(clean(&feed.url)),
        html_url: feed.home_url.as_deref().map(clean),
        ..Outline::default()
    };
    let mut extra = String::new();
    let mut names = HashSet::from(["text", "title", "xmlUrl", "htmlUrl"]);
    for (name, value) in &feed.other {
        let value = clean(value);
        match name.as_str() {
            "type" => outline.r#type = Some(value),
            // The user has moved the feed out of the folder that it names.
            "category" if feed.folder.is_empty() && !folder_of_category(&value).is_empty() => {}
            "category" => outline.category = Some(value),
            "description" => outline.description = Some(value),
            "language" => outline.language = Some(value),
            "version" => outline.version = Some(value),
            "created" => outline.created = Some(value),
            "url" => outline.url = Some(value),
            name if is_written(name, &feed.other) && names.insert(name) => {
                let declared = name.strip_prefix(DECLARES).and_then(|prefix| namespaces.get(prefix));
                if declared != Some(&value.as_str()) {
                    push_attribute(&mut extra, name, &value);
                }
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

/// Whether this is the name of an attribute that can be written: its prefix must be declared by another attribute.
fn is_written(name: &str, attributes: &[(String, String)]) -> bool {
    let Some((prefix, local)) = name.split_once(':') else { return is_name(name) };
    let wanted = if prefix == "xmlns" { local } else { prefix };
    is_name(local) && attributes.iter().filter_map(declaration).any(|(declared, _)| declared == wanted)
}

/// Returns a title for writing. OPML 2.0 allows programs to treat it as HTML, so it is escaped if that would change it.
fn escape_title(title: &str) -> String {
    let title = clean(title);
    if text::line_of_html(&title).as_deref() == Some(&*title) {
        return title;
    }
    let mut escaped = String::new();
    gleaner_html::escape::push_text(&mut escaped, &title);
    escaped
}

/// Removes characters that XML cannot represent.
fn clean(text: &str) -> String {
    text.chars().filter(|c| is_xml10_char(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_failure_of_the_xml_writer() {
        assert_eq!(finished(Err("no room"), &[]), Err(NotWritten("no room".to_owned())));
    }
}
