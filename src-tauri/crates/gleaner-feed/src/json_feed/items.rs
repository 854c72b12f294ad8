//! Repairs the items of a JSON Feed one by one, so that a defect of one does not affect the others. Programs write the beginnings of all
//! items in the same way: the bracket, the white space after it and the first name.

use super::{
    Object,
    document::is_known,
    end_of_valid,
    repair::{ends_value, repair},
    within,
};
use crate::repair::Repairs;
use memchr::memmem;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Number of bytes that are read beyond the next beginning of an item, for each byte of the document.
const READ_PER_BYTE: usize = 2;

/// The items of a document that could be read.
pub(super) struct Each {
    /// A document with these items.
    pub(super) json: String,
    /// Their number.
    pub(super) count: usize,
    /// Whether the document ends within the last of them.
    pub(super) is_cut_off: bool,
}

/// Repairs each item; `None` if the document has no list of items.
pub(super) fn repair_each(source: &str) -> Option<Each> {
    let list = start_of_items(source)?;
    let items = source.get(list..)?;
    let beginning = items.get(..first_name(items)?)?;
    let starts: Vec<usize> = memmem::find_iter(items.as_bytes(), beginning.as_bytes()).collect();
    // The text before the items, and an empty list.
    let head = source.get(..list)?;
    let mut json = repaired(head).and_then(with_open_list).unwrap_or_else(|| {
        let mut members = repair_members(head);
        members.remove("items");
        let mut members = Value::Object(members).to_string();
        members.pop();
        let separator = if members.ends_with('{') { "" } else { "," };
        format!("{members}{separator}\"items\":[")
    });
    let (mut count, mut end, mut is_cut_off) = (0, 0, false);
    let mut in_attachments = false;
    let mut budget = source.len().saturating_mul(READ_PER_BYTE);
    for (index, at) in starts.iter().copied().enumerate() {
        let next = starts.get(index + 1).copied().unwrap_or(items.len());
        let part = items.get(at..next)?;
        let may_be_attachment = in_attachments;
        in_attachments = ends_in_attachments(part, in_attachments);
        // An object in an item may begin like an item.
        if at < end {
            continue;
        }
        let complete = match first_value(part) {
            Err(error) if error.is_eof() && budget > 0 => {
                let rest = items.get(at..)?;
                let whole = first_value(rest);
                let read = whole.as_ref().map_or_else(|error| end_of_valid(rest, error), |whole| whole.len());
                budget = budget.saturating_sub(read);
                whole.ok()
            }
            part => part.ok(),
        };
        let Some(item) = complete.map(str::to_owned).or_else(|| repaired(part)) else { continue };
        end = complete.map_or(end, |complete| at + complete.len());
        // Another item whose bracket is missing.
        let rest = complete.and_then(|complete| items.get(at + complete.len()..next)).unwrap_or_default();
        let without_bracket = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let is_item = beginning.get(1..).is_some_and(|name| without_bracket.starts_with(name.trim_ascii_start()));
        let other = is_item.then(|| repaired(&format!("{{{without_bracket}"))).flatten();
        for item in [Some(item), other].into_iter().flatten() {
            // What is left of an item, or an object of another kind.
            if !displays_anything(&item, may_be_attachment) {
                continue;
            }
            if count > 0 {
                json.push(',');
            }
            json.push_str(&item);
            count += 1;
            is_cut_off = complete.is_none() && next == items.len() && !has_end(items);
        }
    }
    json.push_str("]}");
    Some(Each { json, count, is_cut_off })
}

/// Returns a document that ends with an empty list of items up to the start of the list.
fn with_open_list(mut json: String) -> Option<String> {
    let list = json.strip_suffix("]}")?.trim_ascii_end();
    let name = list.strip_suffix('[')?.trim_ascii_end().strip_suffix(':')?;
    let length = name.trim_ascii_end().ends_with("\"items\"").then_some(list.len())?;
    json.truncate(length);
    Some(json)
}

/// Whether a document has objects with content, complete or damaged.
pub(super) fn has_content(source: &str) -> bool {
    ["\"content_html\"", "\"content_text\""]
        .iter()
        .any(|name| memmem::find(source.as_bytes(), name.as_bytes()).is_some())
}

/// Returns the members of the feed before its items, each repaired separately.
pub(super) fn members(source: &str) -> Object {
    start_of_items(source).and_then(|list| source.get(..list)).map(repair_members).unwrap_or_default()
}

/// Repairs each member of the feed before its items, so that a defect of one does not affect the others. A member begins with a name that
/// JSON Feed has, at least one quotation mark and a colon.
fn repair_members(head: &str) -> Object {
    let is_of_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let (mut depth, mut counted) = (0_usize, 0);
    let names = memchr::memchr_iter(b':', head.as_bytes()).filter_map(|colon| {
        for byte in head.as_bytes().get(counted..colon)? {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        counted = colon;
        let before = head.get(..colon)?.trim_ascii_end();
        let name = before.strip_suffix('"').unwrap_or(before);
        let start = name.trim_end_matches(is_of_name).len();
        let has_quote = name.len() < before.len() || name.get(..start)?.ends_with('"');
        let name = name.get(start..).filter(|name| has_quote && (is_known(name) || *name == "items"))?;
        Some((start, name, colon + 1, depth))
    });
    let names: Vec<(usize, &str, usize, usize)> = names.collect();
    let ends = names.iter().skip(1).map(|(start, ..)| *start);
    let mut members = Object::new();
    for ((_, name, start, depth), end) in names.iter().zip(ends) {
        let value = head.get(*start..end).unwrap_or_default();
        // Members of a nested object do not belong to the feed, and the message of a script is not a value.
        if *depth < 2
            && !value.trim_ascii_start().starts_with(['<', '{', '['])
            && let Some(text) = text(value, head.get(*start..).unwrap_or_default())
        {
            members.entry(*name).or_insert(text);
        }
    }
    members
}

/// Returns a value as a text, from up to the next name and `rest`, which goes on; `None` if it seems to contain other members.
fn text(value: &str, rest: &str) -> Option<Value> {
    let start = value.len() - value.trim_ascii_start().trim_start_matches('"').len();
    let ends = |at: &usize| *at >= start && rest.get(at + 1..).is_some_and(|after| ends_value(after, true));
    let end = memchr::memchr_iter(b'"', value.as_bytes()).find(ends).unwrap_or(value.len());
    // A number or another value that is not a text has no quotation marks.
    let value = value.get(start..end)?.trim_matches(|c: char| c.is_ascii_whitespace() || c == '"' || c == ',');
    let is_mixed = value.contains(['"', '{', '}', '[', ']']);
    serde_json::from_str(&format!("\"{value}\"")).ok().or_else(|| (!is_mixed).then(|| Value::from(value)))
}

/// Whether the list of items and the document have ends, so that the last item has a defect but no missing part.
fn has_end(items: &str) -> bool {
    items.trim_ascii_end().strip_suffix('}').is_some_and(|list| list.trim_ascii_end().ends_with(']'))
}

/// Whether an item has a text, or a title that is not that of an attachment.
fn displays_anything(item: &str, may_be_attachment: bool) -> bool {
    let names: &[&str] = &["\"content_html\"", "\"content_text\"", "\"summary\"", "\"title\""];
    let names = names.get(..names.len() - usize::from(may_be_attachment)).unwrap_or(names);
    names.iter().any(|name| memmem::find(item.as_bytes(), name.as_bytes()).is_some())
}

/// Whether a part of a document ends within a list of attachments, as the part before it does if `before` is set.
fn ends_in_attachments(part: &str, before: bool) -> bool {
    const NAME: &str = "\"attachments\"";
    let list = memmem::rfind(part.as_bytes(), NAME.as_bytes()).and_then(|at| part.get(at..));
    (before || list.is_some()) && !list.unwrap_or(part).contains(']')
}

/// Returns the value at the start of a text.
fn first_value(text: &str) -> serde_json::Result<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next().transpose()?;
    Ok(text.get(..values.byte_offset()).unwrap_or_default())
}

/// Returns the value at the start of a text as valid JSON.
fn repaired(text: &str) -> Option<String> {
    let json = repair(text, 0, &mut Repairs::new(text))?;
    match first_value(&json) {
        Ok(_) => Some(json),
        Err(error) => {
            let head = json.get(..end_of_valid(&json, &error))?;
            repair(head, 0, &mut Repairs::new(head)).filter(|json| first_value(json).is_ok())
        }
    }
}

/// Returns the offset of the first item, unless the feed begins later.
fn start_of_items(source: &str) -> Option<usize> {
    const NAME: &str = "\"items\"";
    if within(source).is_some() {
        return None;
    }
    let after_name = memmem::find_iter(source.as_bytes(), NAME).find_map(|at| {
        let list = source.get(at + NAME.len()..)?.trim_ascii_start();
        // Its colon may be missing.
        let list = list.strip_prefix(':').unwrap_or(list);
        let items = list.trim_ascii_start().strip_prefix('[')?.trim_ascii_start();
        items.starts_with('{').then_some(source.len() - items.len())
    });
    after_name.or_else(|| start_of_content(source))
}

/// Maximum number of objects that are compared with an item.
const MAX_OBJECTS: usize = 20;

/// Returns the offset of the first object with content, where the name of the list or its bracket is damaged.
fn start_of_content(source: &str) -> Option<usize> {
    let mut budget = source.len().saturating_mul(READ_PER_BYTE);
    let mut objects = memchr::memchr_iter(b'{', source.as_bytes()).skip(1).take(MAX_OBJECTS);
    objects.find(|at| {
        let rest = source.get(*at..).filter(|_| budget > 0).unwrap_or_default();
        let object = first_value(rest);
        budget = budget
            .saturating_sub(object.as_ref().map_or_else(|error| end_of_valid(rest, error), |object| object.len()));
        object.is_ok_and(has_content)
    })
}

/// Returns the length of the beginning of an object up to the colon after its first name.
fn first_name(object: &str) -> Option<usize> {
    let name = object.strip_prefix('{')?.trim_ascii_start().strip_prefix('"')?;
    let rest = name.get(memchr::memchr(b'"', name.as_bytes())? + 1..)?;
    rest.trim_ascii_start().starts_with(':').then_some(object.len() - rest.len())
}
