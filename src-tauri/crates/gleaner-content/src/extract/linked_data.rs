//! Reads the linked data (JSON-LD with the vocabulary of schema.org) of a page.

use gleaner_html::{escape, one_line, references};
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::HashMap};

/// What a page says about its article.
#[derive(Debug, Default)]
pub(super) struct LinkedData {
    pub(super) headline: Option<String>,
    pub(super) byline: Option<String>,
    pub(super) site_name: Option<String>,
    pub(super) published: Option<String>,
    /// The article's text as HTML.
    pub(super) body: Option<String>,
}

/// The properties in which an article or a part of it is found.
const INSIDE: [&str; 4] = ["@graph", "mainEntity", "mainEntityOfPage", "liveBlogUpdate"];

/// Maximum number of values in a script. They take many times the memory of their text, and pages have a few hundred of them.
const MAX_VALUES: usize = 100_000;

impl LinkedData {
    /// Reads the content of a script element, unless it has too many values. Data that is already known is kept, except that a longer text
    /// replaces a shorter one.
    pub(super) fn read(&mut self, json: &str) {
        let json = unwrapped(json);
        if values(json) > MAX_VALUES {
            return;
        }
        let Ok(value) = serde_json::from_str::<Value>(json).or_else(|_| serde_json::from_str(&repaired(json))) else {
            return;
        };
        let mut objects: Vec<&Map<String, Value>> = Vec::new();
        let mut open = vec![&value];
        while let Some(value) = open.pop() {
            match value {
                // In their order, from the end of the stack.
                Value::Array(all) => open.extend(all.iter().rev()),
                Value::Object(object) => {
                    objects.push(object);
                    open.extend(INSIDE.iter().rev().filter_map(|key| object.get(*key)));
                }
                _ => {}
            }
        }
        let names: HashMap<&str, &str> =
            objects.iter().filter_map(|object| Some((text(object, "@id")?, text(object, "name")?))).collect();
        for object in &objects {
            self.longest(object.get("articleBody").and_then(Value::as_str).map(paragraphs));
            self.longest(object.get("liveBlogUpdate").and_then(updates));
            if self.published.is_none() {
                self.published = text(object, "datePublished").map(str::to_owned);
            }
        }
        // Updates of a live blog are articles, too, but come after it.
        let Some(article) = objects.iter().find(|object| is_article(object)) else { return };
        let (headline, byline, site_name) = (
            text(article, "headline").or_else(|| text(article, "name")),
            article.get("author").map(|author| people(author, &names)).filter(|names| !names.is_empty()),
            article.get("publisher").map(|publisher| people(publisher, &names)).filter(|names| !names.is_empty()),
        );
        self.headline = self.headline.take().or_else(|| headline.map(plain));
        self.byline = self.byline.take().or(byline);
        self.site_name = self.site_name.take().or(site_name);
    }

    fn longest(&mut self, body: Option<String>) {
        let Some(body) = body else { return };
        if self.body.as_ref().is_none_or(|known| known.len() < body.len()) {
            self.body = Some(body);
        }
    }
}

/// Whether the text in the metadata is so much longer than the text shown that it must be the full article.
pub(super) fn is_full_text(body: &str, shown: &str) -> bool {
    let length = crate::plain_text(body).len();
    length > 500 && length / 2 > shown.len()
}

fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
}

fn plain(text: &str) -> String {
    one_line(&references::decode(text))
}

fn is_article(object: &Map<String, Value>) -> bool {
    let is_named = |kind: &Value| {
        kind.as_str().is_some_and(|kind| kind.ends_with("Article") || kind.ends_with("Posting") || kind == "Report")
    };
    match object.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_named),
        Some(kind) => is_named(kind),
        None => object.contains_key("articleBody"),
    }
}

/// Returns the names of people or organisations, which may be described elsewhere in the data.
fn people(value: &Value, names: &HashMap<&str, &str>) -> String {
    let of = |value: &Value| match value {
        Value::String(name) => Some(plain(name)).filter(|name| !name.contains("://")),
        Value::Object(object) => text(object, "name").or_else(|| names.get(text(object, "@id")?).copied()).map(plain),
        _ => None,
    };
    let all: Vec<String> = match value {
        Value::Array(all) => all.iter().filter_map(of).collect(),
        one => of(one).into_iter().collect(),
    };
    all.join(", ")
}

/// Returns the updates of a live blog as HTML.
fn updates(value: &Value) -> Option<String> {
    let mut html = String::new();
    for update in value.as_array()?.iter().filter_map(Value::as_object) {
        let Some(body) = text(update, "articleBody") else { continue };
        if let Some(headline) = text(update, "headline") {
            html.push_str("<h3>");
            escape::push_text(&mut html, &plain(headline));
            html.push_str("</h3>");
        }
        html.push_str(&paragraphs(body));
    }
    Some(html)
}

/// Returns plain text as HTML paragraphs; HTML is returned unchanged.
fn paragraphs(body: &str) -> String {
    let is_html = |text: &str| text.contains("</p>") || text.contains("<br");
    if is_html(body) {
        return body.to_owned();
    }
    if body.contains("&lt;") {
        let decoded = references::decode(body);
        if is_html(&decoded) {
            return decoded.into_owned();
        }
    }
    let body = body.replace("\r\n", "\n");
    let parts = if body.contains("\n\n") { body.split("\n\n") } else { body.split("\n") };
    let mut out = String::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        out.push_str("<p>");
        escape::push_text(&mut out, &references::decode(part));
        out.push_str("</p>");
    }
    out
}

/// Returns the number of values in JSON, or a little more.
fn values(json: &str) -> usize {
    let (mut count, mut in_string, mut escaped) = (0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' | b',' | b':' if !in_string => count += 1,
            _ => {}
        }
    }
    count
}

/// Returns JSON without the comments around it.
fn unwrapped(json: &str) -> &str {
    let json = json.find(['{', '[']).map_or("", |start| &json[start..]);
    let inside = json.strip_prefix("[CDATA[");
    let rest = inside.unwrap_or(json);
    let rest = &rest[..rest.rfind(['}', ']']).map_or(0, |end| end + 1)];
    inside.and_then(|_| rest.strip_suffix("]]")).unwrap_or(rest).trim_end_matches(['/', '*', ' ', '\n'])
}

/// Returns JSON with control characters in strings escaped, and without commas after the last of several values.
fn repaired(json: &str) -> Cow<'_, str> {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    // Position of a comma in the output after which only white space follows.
    let mut comma: Option<usize> = None;
    for c in json.chars() {
        if in_string {
            match c {
                '\n' if !escaped => out.push_str("\\n"),
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        if let (Some(at), '}' | ']') = (comma, c) {
            out.truncate(at);
        }
        comma = match c {
            ',' => Some(out.len()),
            c if c.is_whitespace() => comma,
            _ => None,
        };
        in_string = c == '"';
        out.push(c);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> LinkedData {
        let mut data = LinkedData::default();
        data.read(json);
        data
    }

    #[test]
    fn reads_the_article_among_others() {
        let data = read(
            r##"[{"@type":"WebSite","name":"Site"},{"@type":"WebPage","mainEntity":{"@type":["NewsArticle"],"headline":"Nets &amp; boats",
            "author":[{"@id":"#a"},{"name":"B. Writer"},"https://a.example/c"],"publisher":{"name":"The Harbour"},"datePublished":"2026-03-05"}},
            {"@graph":[{"@type":"Person","@id":"#a","name":"A. Writer"}]}]"##,
        );
        assert_eq!(data.headline.as_deref(), Some("Nets & boats"));
        assert_eq!(data.byline.as_deref(), Some("A. Writer, B. Writer"));
        assert_eq!(data.site_name.as_deref(), Some("The Harbour"));
        assert_eq!(data.published.as_deref(), Some("2026-03-05"));
    }

    #[test]
    fn repairs_what_is_no_json() {
        for json in [
            "//<![CDATA[\n{\"@type\":\"Article\",\"headline\":\"Nets\"}\n//]]>",
            "<![CDATA[{\"@type\":\"Article\",\"headline\":\"Nets\"}]]>",
            "<!-- {\"@type\":\"Article\",\"headline\":\"Nets\"} -->",
            "{\"@type\":\"Article\",\"headline\":\"Nets\",};",
            "[{\"@type\":\"Article\",\"headline\":\"Nets\",\"keywords\":[\"a\", ],\"description\":\"a\n\tb \\\" c\"},]",
        ] {
            assert_eq!(read(json).headline.as_deref(), Some("Nets"), "{json}");
        }
        assert_eq!(read("no, {not} [this] either").headline, None);
    }

    #[test]
    fn ignores_a_script_of_very_many_values() {
        let with = |values: usize| {
            let others = "{\"\":\"{\"},".repeat(values);
            read(&format!(r#"[{others}{{"@type":"Article","headline":"Nets"}}]"#)).headline
        };
        assert_eq!(with(MAX_VALUES / 4).as_deref(), Some("Nets"));
        assert_eq!(with(MAX_VALUES), None);
        assert_eq!(values(r#"{"a\\":["{,\"[",{}]}"#), 5);
    }

    #[test]
    fn reads_texts_of_all_forms() {
        let body = |text: &str| read(&format!(r#"{{"@type":"Article","articleBody":"{text}"}}"#)).body;
        assert_eq!(body("a &amp; b\\n\\nc").as_deref(), Some("<p>a &amp; b</p><p>c</p>"));
        assert_eq!(body("<p>a</p>").as_deref(), Some("<p>a</p>"));
        assert_eq!(body("&lt;p&gt;a&lt;/p&gt;").as_deref(), Some("<p>a</p>"));
        assert_eq!(body("The element &lt;p&gt;").as_deref(), Some("<p>The element &lt;p&gt;</p>"));
        let blog = r#"{"@type":"LiveBlogPosting","headline":"Storm","liveBlogUpdate":[{"@type":"BlogPosting","headline":"Noon","articleBody":"Wind."},
            {"@type":"BlogPosting","articleBody":"Calm."}]}"#;
        assert_eq!(read(blog).body.as_deref(), Some("<h3>Noon</h3><p>Wind.</p><p>Calm.</p>"));
        assert_eq!(read(blog).headline.as_deref(), Some("Storm"));
    }
}
