//! Authors and contributors: parses names, email addresses and URLs.

use crate::{model::Person, namespace::Ns, text, tree::Element};

/// Parses `name (mail)`, `mail (name)`, `name <mail>`, an email address or a name alone.
pub(crate) fn parse(written: &str) -> Option<Person> {
    let written = text::line_keeping_addresses(written)?;
    let written = written.replace("mailto:", "");
    let Some((start, mail)) = mail_in(&written) else {
        return Some(Person { name: Some(written), ..Person::default() });
    };
    let before = written.get(..start).unwrap_or("");
    let after = written.get(start + mail.len()..).unwrap_or("");
    let around = format!("{} {}", before.trim_end_matches(['(', '<', '[']), after.trim_start_matches([')', '>', ']']));
    let name =
        around.trim().trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '-' | '|' | '"') || c.is_whitespace());
    let name = name.strip_prefix('(').map_or(name, |inner| inner.strip_suffix(')').unwrap_or(inner)).trim();
    Some(Person { name: text::line(name), email: Some(mail.to_owned()), ..Person::default() })
}

/// Finds the first email address and its offset.
fn mail_in(written: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    for word in written.split([' ', '(', ')', '<', '>', '[', ']', '"', ',', ';']) {
        let start = from;
        from += word.len() + 1;
        if let Some((local, domain)) = word.split_once('@')
            && !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && !domain.contains('/')
        {
            return Some((start, word));
        }
    }
    None
}

/// Reads an Atom person construct (RFC 4287, section 3.2; Atom 0.3 has `url` for `uri`). Text alone is parsed as in
/// RSS.
pub(crate) fn from_atom(element: Element<'_>) -> Option<Person> {
    let mut person = Person::default();
    for child in element.children().filter(|c| c.ns().is_atom() || c.ns() == Ns::None || c.ns() == element.ns()) {
        let value = child.text();
        match child.name() {
            "name" if person.name.is_none() => {
                // An email address in the name is not part of the name.
                let parsed = parse(&value).unwrap_or_default();
                person.name = parsed.name;
                person.email = person.email.or(parsed.email);
            }
            "email" => person.email = text::line(&value).map(|m| m.trim_start_matches("mailto:").to_owned()),
            "uri" | "url" | "homepage" => person.url = child.base().absolute(&value),
            _ => {}
        }
    }
    if person == Person::default() {
        return parse(&element.text());
    }
    Some(person)
}

/// Reads `itunes:owner`, with separate elements for name and address.
pub(crate) fn from_itunes_owner(element: Element<'_>) -> Option<Person> {
    let child = |name: &str| element.children().find(|c| c.name() == name).and_then(|c| text::line(&c.text()));
    let (name, email) = (child("name"), child("email"));
    if name.is_none() && email.is_none() {
        return parse(&element.own_text());
    }
    Some(Person { name, email, ..Person::default() })
}

/// Adds a person unless it is a duplicate.
pub(crate) fn add(list: &mut Vec<Person>, person: Option<Person>) {
    if let Some(person) = person
        && !list.contains(&person)
        && list.len() < 200
    {
        list.push(person);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn parses_every_spelling_of_a_person() {
        for written in [
            "ann@example.com (Ann Onymous)",
            "Ann Onymous <ann@example.com>",
            "Ann Onymous (ann@example.com)",
            "\"Ann Onymous\" <mailto:ann@example.com>",
        ] {
            let person = parse(written).unwrap();
            assert_eq!(
                (person.name.as_deref(), person.email.as_deref()),
                (Some("Ann Onymous"), Some("ann@example.com")),
                "{written}"
            );
        }
        assert_eq!(parse("Ann").unwrap().name.as_deref(), Some("Ann"));
        assert_eq!(parse("ann@example.com").unwrap().name, None);
        assert_eq!(parse(" "), None);
    }
}
