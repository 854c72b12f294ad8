//! Parses the chapter document of Podcasting 2.0 (`podcast:chapters`, JSON).

use crate::{base::Base, bounded_json, model::Chapter, modules, text};
use serde_json::Value;

/// Maximum number of chapters.
const MAX_CHAPTERS: usize = 500;
/// Maximum number of values that are read, those of chapters outside the table of contents included.
const MAX_VALUES: usize = 20_000;

/// Returns the chapters that belong in a table of contents, ordered by time; `None` if the document has another
/// format.
#[must_use]
pub fn chapters(bytes: &[u8], base: Option<&str>) -> Option<Vec<Chapter>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_known = |name: &str| matches!(name, "chapters" | "startTime" | "title" | "url" | "img" | "toc");
    let document = bounded_json::read(bytes, MAX_VALUES, is_known).ok()?;
    let list = document.get("chapters")?.as_array()?;
    let shown = list.iter().filter(|chapter| chapter.get("toc").and_then(Value::as_bool) != Some(false));
    let base = Base::of_document(base, bytes.len());
    let mut chapters: Vec<Chapter> =
        shown.take(MAX_CHAPTERS).filter_map(|chapter| from_value(chapter, &base)).collect();
    chapters.sort_by(|a, b| a.start_seconds.total_cmp(&b.start_seconds));
    Some(chapters)
}

fn from_value(chapter: &Value, base: &Base) -> Option<Chapter> {
    let string = |key: &str| chapter.get(key).and_then(Value::as_str);
    let start = match chapter.get("startTime")? {
        Value::Number(number) => number.as_f64()?,
        Value::String(written) => modules::duration(&written.replace(',', "."))?,
        _ => return None,
    };
    (start.is_finite() && start >= 0.0).then(|| Chapter {
        start_seconds: start,
        title: string("title").and_then(text::line),
        url: string("url").and_then(|url| base.absolute(url)),
        image_url: string("img").and_then(|url| base.absolute(url)),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn orders_chapters_by_time() {
        let json = br#"{"version":"1.2.0","chapters":[
            {"startTime":90.5,"title":"The  end","url":"/end"},
            {"startTime":0,"title":"Beginning","img":"https://a.example/1.png"},
            {"startTime":30,"title":"An advertisement","toc":false},
            {"startTime":"40"},{"startTime":"00:01:00,500"},{"startTime":-1},{"title":"nowhere"},7]}"#;
        let found = chapters(json, Some("https://a.example/c.json")).unwrap();
        let read: Vec<_> = found.iter().map(|c| (c.start_seconds, c.title.as_deref(), c.url.as_deref())).collect();
        assert_eq!(
            read,
            [
                (0.0, Some("Beginning"), None),
                (40.0, None, None),
                (60.5, None, None),
                (90.5, Some("The end"), Some("https://a.example/end"))
            ]
        );
    }

    #[test]
    fn rejects_other_documents() {
        for bytes in [&b""[..], b"<html>", b"[]", b"{}", br#"{"chapters":1}"#] {
            assert_eq!(chapters(bytes, None), None);
        }
        assert_eq!(chapters(br#"{"chapters":[]}"#, None), Some(Vec::new()));
    }
}
