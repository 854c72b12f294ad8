//! Categories: trimmed, and unique ignoring case.

use crate::{address, base::MAX_COLLECTED, model::Category, text, tree::Element};
use std::borrow::Cow;

/// Maximum number of parts of a category's path; the last one has the rest.
const MAX_PATH: usize = 32;

impl Category {
    /// Returns the name to display: that of the topic if the term is its address.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        match &self.label {
            Some(label) => Cow::Borrowed(label),
            None if address::is_web(&self.term) => Cow::Owned(address::topic(&self.term)),
            None => Cow::Borrowed(&self.term),
        }
    }

    /// Returns the term split at its slashes, unless it is an address; never empty.
    #[must_use]
    pub fn path(&self) -> Vec<&str> {
        if address::is_web(&self.term) {
            return vec![&self.term];
        }
        let parts = self.term.splitn(MAX_PATH, '/').map(str::trim).filter(|part| !part.is_empty());
        let path: Vec<&str> = parts.collect();
        if path.is_empty() { vec![&self.term] } else { path }
    }
}

/// Adds a category unless it is empty or a duplicate.
pub(crate) fn add(list: &mut Vec<Category>, term: &str, scheme: Option<&str>, label: Option<&str>) {
    let Some(term) = text::line_of_html(term) else { return };
    let scheme = scheme.map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned);
    let label = label.and_then(text::line_of_html);
    let key = term.to_lowercase();
    if list.len() >= MAX_COLLECTED || list.iter().any(|c| c.key == key && (c.scheme == scheme || scheme.is_none())) {
        return;
    }
    list.push(Category { term, scheme, label, key });
}

/// Adds the category of an element of Atom or RSS.
pub(crate) fn read(list: &mut Vec<Category>, element: Element<'_>) {
    let label = element.attribute("label");
    let written = element.trimmed();
    if let Some(term) = element.attribute("term").or(label).or(written.as_deref()) {
        add(list, term, element.attribute("scheme"), label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_in_duplicates() {
        let mut list = Vec::new();
        for term in [" News/Papers ", "news/papers", "", "R&amp;D"] {
            add(&mut list, term, None, None);
        }
        let terms: Vec<_> = list.iter().map(|c| (c.term.as_str(), c.path().len())).collect();
        assert_eq!(terms, [("News/Papers", 2), ("R&D", 1)]);
    }

    #[test]
    fn a_category_that_is_an_address_has_the_name_of_its_topic() {
        for (term, label, name) in [
            ("https://a.example/tags/Red%20plums/", None, "Red plums"),
            ("http://a.example/kinds#dried_plums", None, "dried plums"),
            ("https://a.example/topic/plums?page=1", None, "plums"),
            ("https://a.example/tags#", None, "tags"),
            ("https://a.example/t.php?id=1&tag=Red+plums#top", None, "Red plums"),
            ("https://a.example/t.php?tag=a/b", None, "https://a.example/t.php?tag=a/b"),
            ("https://a.example/?cat=5", None, "https://a.example/?cat=5"),
            ("https://a.example/%20", None, "https://a.example/%20"),
            ("https://a.example/", None, "a.example"),
            ("https://a.example/tags/1", Some("Plums"), "Plums"),
            ("Fruit/Plums", None, "Fruit/Plums"),
        ] {
            let mut list = Vec::new();
            add(&mut list, term, None, label);
            assert_eq!((&*list[0].name(), &*list[0].term), (name, term));
            assert_eq!(list[0].path().len(), if term.contains(':') { 1 } else { 2 });
        }
    }
}
