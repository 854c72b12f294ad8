//! Authors and contributors: parses names, email addresses and URLs.

use crate::{address, base::MAX_COLLECTED, model::Person, namespace::Ns, text, tree::Element};

/// Parses `name (mail)`, `mail (name)`, `name <mail>`, an email address, a name alone, or several persons with email addresses.
pub fn parse(written: &str) -> Vec<Person> {
    let Some(line) = text::line_of_html(written) else { return Vec::new() };
    let line = line.replace("mailto:", "");
    let mut persons: Vec<Person> = split(&line).into_iter().take(MAX_COLLECTED).filter_map(one).collect();
    if let [person] = persons.as_mut_slice()
        && let Some(link) = text::only_link(written)
    {
        match link.strip_prefix("mailto:") {
            Some(mail) => person.email = person.email.take().or_else(|| text::line(mail)),
            None => person.url = person.url.take().or(Some(link).filter(|link| address::is_web(link))),
        }
    }
    persons
}

/// Splits a line with several email addresses into one part for each person.
fn split(line: &str) -> Vec<&str> {
    let mails = mails(line);
    if mails.clone().nth(1).is_none() {
        return vec![line];
    }
    let mut parts: Vec<&str> = Vec::new();
    let mut from = 0;
    // In `a@b.org (Ann) c@d.org (Bob)` the address begins a part, in `Ann <a@b.org> Bob <c@d.org>` it ends one.
    let is_first = mails.clone().next().is_some_and(|(at, _)| at == 0);
    for ((at, mail), (next, _)) in mails.clone().zip(mails.skip(1)) {
        let after = at + mail.len();
        let between = line.get(after..next).unwrap_or_default();
        let end = if is_first {
            next
        } else {
            let closing = between.starts_with([')', '>', ']']);
            after + usize::from(closing)
        };
        parts.push(without_conjunctions(line.get(from..end).unwrap_or_default()));
        from = end;
    }
    parts.push(without_conjunctions(line.get(from..).unwrap_or_default()));
    parts
}

/// Parses one person.
fn one(part: &str) -> Option<Person> {
    let mut name = part.to_owned();
    if address::is_web(&name) {
        return Some(Person { name: Some(name), ..Person::default() });
    }
    let url = words(&name).find(|(_, word)| address::is_web(word)).map(|(at, word)| (at, word.to_owned()));
    if let Some((at, url)) = &url {
        name = without(&name, *at, url.len());
    }
    let mail = mails(&name).next().map(|(at, word)| (at, word.to_owned()));
    if let Some((at, mail)) = &mail {
        name = without(&name, *at, mail.len());
    }
    if mail.is_none() && url.is_none() {
        name = without_parentheses(&name).to_owned();
    }
    let person = Person {
        name: name_of(&name),
        email: mail.map(|(_, mail)| mail),
        url: url.map(|(_, url)| url),
        ..Person::default()
    };
    (person != Person::default()).then_some(person)
}

/// Returns a name; `None` for the words that programs write for a name that they do not have.
pub(crate) fn name_of(written: &str) -> Option<String> {
    text::line(written).filter(|name| !matches!(name.as_str(), "null" | "undefined"))
}

/// Returns a name that is all in parentheses, as after an email address that is missing.
fn without_parentheses(name: &str) -> &str {
    let inner = name.trim().strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(name)
}

/// Returns the name that is left of a line without the address at an offset.
fn without(line: &str, at: usize, length: usize) -> String {
    let before = line.get(..at).unwrap_or_default();
    let after = line.get(at + length..).unwrap_or_default();
    let around = format!("{} {}", before.trim_end_matches(['(', '<', '[']), after.trim_start_matches([')', '>', ']']));
    let name = without_separators(&around);
    name.strip_prefix('(').map_or(name, |inner| inner.strip_suffix(')').unwrap_or(inner)).trim().to_owned()
}

/// Removes separators between persons, or between a name and its address, on both sides.
fn without_separators(part: &str) -> &str {
    part.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '-' | '|' | '"' | '、' | '，') || c.is_whitespace())
}

/// Removes words that join a person to the one before or after.
fn without_conjunctions(part: &str) -> &str {
    let mut part = without_separators(part);
    for word in ["and", "und", "et", "y", "e", "en", "och", "og", "и", "&", "/"] {
        let inner = part.strip_prefix(word).filter(|rest| rest.starts_with(' ')).unwrap_or(part);
        let inner = inner.strip_suffix(word).filter(|rest| rest.ends_with(' ')).unwrap_or(inner);
        part = without_separators(inner);
    }
    part
}

/// Returns the words of a line and their offsets.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut at = 0;
    line.split([' ', '(', ')', '<', '>', '[', ']', '"', ',', ';']).map(move |word| {
        let start = at;
        at += word.len() + 1;
        (start, word)
    })
}

/// Returns the email addresses in a line and their offsets.
fn mails(line: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    words(line).filter(|(_, word)| {
        word.split_once('@').is_some_and(|(local, domain)| {
            let is_part = |part: &str| !part.is_empty() && !part.contains(['@', '/']);
            is_part(local) && is_part(domain) && domain.contains('.')
        })
    })
}

/// Reads an Atom person construct (RFC 4287, section 3.2; Atom 0.3 has `url` for `uri`). Text alone is parsed as in
/// RSS.
pub(crate) fn from_atom(element: Element<'_>) -> Vec<Person> {
    let mut person = Person::default();
    for child in element.children().filter(|c| c.ns().is_atom() || c.ns() == Ns::None || c.ns() == element.ns()) {
        let value = child.text();
        match &*child.name_in_lower_case() {
            "name" if person.name.is_none() => {
                // An email address in the name is not part of the name.
                match parse(&value).as_slice() {
                    [parsed] => {
                        person.name = parsed.name.clone();
                        person.email = person.email.or_else(|| parsed.email.clone());
                        person.url = person.url.or_else(|| parsed.url.clone());
                    }
                    _ => person.name = text::line_of_html(&value).and_then(|name| name_of(&name)),
                }
            }
            "email" => {
                let email = text::line(&value).map(|m| m.trim_start_matches("mailto:").to_owned());
                person.email = email.or(person.email);
            }
            "uri" | "url" | "homepage" => person.url = child.base().absolute(&value).or(person.url),
            _ => {}
        }
    }
    if person == Person::default() {
        return parse(&element.text());
    }
    vec![person]
}

/// Reads `itunes:owner`, with separate elements for name and address.
pub(crate) fn from_itunes_owner(element: Element<'_>) -> Vec<Person> {
    let child = |name: &str| element.children().filter(|c| c.name() == name).find_map(|c| name_of(&c.text()));
    let (name, email) = (child("name"), child("email"));
    if name.is_none() && email.is_none() {
        return parse(&element.own_text());
    }
    vec![Person { name, email, ..Person::default() }]
}

/// Adds persons except duplicates.
pub(crate) fn add(list: &mut Vec<Person>, persons: impl IntoIterator<Item = Person>) {
    for person in persons {
        if list.len() >= MAX_COLLECTED {
            return;
        }
        if !list.contains(&person) {
            list.push(person);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(written: &str) -> Vec<(Option<String>, Option<String>, Option<String>)> {
        parse(written).into_iter().map(|person| (person.name, person.email, person.url)).collect()
    }

    fn person(name: &str, email: &str, url: &str) -> (Option<String>, Option<String>, Option<String>) {
        let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        (filled(name), filled(email), filled(url))
    }

    #[test]
    fn parses_every_spelling_of_a_person() {
        for written in [
            "ann@example.com (Ann Onymous)",
            "Ann Onymous <ann@example.com>",
            "Ann Onymous (ann@example.com)",
            "\"Ann Onymous\" <mailto:ann@example.com>",
            "ann@example.com - Ann Onymous",
            "<a href='mailto:ann@example.com'>Ann Onymous</a>",
            "<b>Ann</b> Onymous &lt;ann@example.com&gt;",
        ] {
            assert_eq!(read(written), [person("Ann Onymous", "ann@example.com", "")], "{written}");
        }
        assert_eq!(read("Ann"), [person("Ann", "", "")]);
        assert_eq!(read("\"Ann\" & Sons"), [person("\"Ann\" & Sons", "", "")]);
        assert_eq!(read("e e onymous <e@example.com>"), [person("e e onymous", "e@example.com", "")]);
        assert_eq!(read("ann@example.com"), [person("", "ann@example.com", "")]);
        assert_eq!(read("<a@example.com>"), [person("", "a@example.com", "")]);
        assert_eq!(read(" "), []);
        for written in ["(Ann)", " (Ann) "] {
            assert_eq!(read(written), [person("Ann", "", "")], "{written}");
        }
        for same in ["(Ann) & (Bob)", "Ann (Bob)", "Null"] {
            assert_eq!(read(same), [person(same, "", "")]);
        }
        assert_eq!(read("ann@example.com (undefined)"), [person("", "ann@example.com", "")]);
        assert_eq!(read("null"), []);
    }

    #[test]
    fn null_is_not_a_name_in_any_element() {
        let rss = |channel: &str, item: &str| {
            format!(
                "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:podcast='https://podcastindex.org/namespace/1.0'>\
                 <channel><title>T</title>{channel}<item><title>a</title>{item}</item></channel></rss>"
            )
        };
        for document in [
            rss("<author>Ann</author>", "<author><name>null</name></author>"),
            rss("<author>Ann</author>", "<author><name>undefined</name><email> </email></author>"),
            rss("<itunes:owner><itunes:name>null</itunes:name></itunes:owner><managingEditor>Ann</managingEditor>", ""),
            rss("<author>Ann</author>", "<podcast:person role='guest'>null</podcast:person>"),
        ] {
            let parsed = crate::parse(document.as_bytes(), crate::Context::default()).unwrap();
            let item = &parsed.items[0];
            let names: Vec<_> = item.authors.iter().chain(&item.contributors).map(|one| one.name.as_deref()).collect();
            assert_eq!(names, [Some("Ann")], "{document}");
        }
    }

    #[test]
    fn an_address_with_an_at_sign_is_not_an_email_address() {
        let profile = "https://social.example/@ann";
        assert_eq!(read(profile), [person(profile, "", "")]);
        for written in [format!("Ann ({profile})"), format!("<a href=\"{profile}\">Ann</a>")] {
            assert_eq!(read(&written), [person("Ann", "", profile)], "{written}");
        }
        assert_eq!(read("Team@Work"), [person("Team@Work", "", "")]);
        assert_eq!(read("@ann@social.example"), [person("@ann@social.example", "", "")]);
        assert_eq!(
            read("Ann <ann@example.com>, https://example.com/"),
            [person("Ann", "ann@example.com", "https://example.com/")]
        );
    }

    #[test]
    fn several_email_addresses_are_several_persons() {
        for written in [
            "Ann Onymous <ann@example.com>, Bob <bob@example.com>",
            "ann@example.com (Ann Onymous) and bob@example.com (Bob)",
            "Ann Onymous (ann@example.com); Bob (bob@example.com)",
            "ann@example.com (Ann Onymous) bob@example.com (Bob)",
        ] {
            let expected = [person("Ann Onymous", "ann@example.com", ""), person("Bob", "bob@example.com", "")];
            assert_eq!(read(written), expected, "{written}");
        }
        let expected = [person("", "ann@example.com", ""), person("", "bob@example.com", "")];
        assert_eq!(read("ann@example.com, bob@example.com"), expected);
        assert_eq!(read(&"a@example.com, ".repeat(1000)).len(), MAX_COLLECTED);
    }
}
