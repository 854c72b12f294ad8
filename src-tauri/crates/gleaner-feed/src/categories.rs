//! Categories: trimmed, and unique ignoring case.

use crate::{base::MAX_COLLECTED, model::Category, text, tree::Element};

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
}
