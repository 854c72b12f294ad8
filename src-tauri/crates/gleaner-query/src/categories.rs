//! Categories of articles, given by their feeds. A category is a path separated by `/`: an article about
//! "Newspapers/Regional" is also about "Newspapers". Case and white space are ignored, and the user may define that one
//! category means another ([`Synonyms`]).

use crate::one_line;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maximum length of a key in bytes. Longer ones are sentences, not categories.
const MAX_KEY: usize = 120;
/// Maximum number of levels of a path.
const MAX_LEVELS: usize = 8;
/// Maximum number of categories that a category is expanded to.
const MAX_EXPANDED: usize = 200;

/// Returns the levels of a category from the top down, each with its key and the name of its last part. Empty if the
/// category is blank or too long.
pub fn category_path(category: &str) -> Vec<(String, String)> {
    let steps = category.split('/').map(one_line);
    let mut path: Vec<(String, String)> = Vec::new();
    for step in steps.filter(|step| !step.is_empty()).take(MAX_LEVELS) {
        let key = match path.last() {
            Some((above, _)) => format!("{above}/{}", step.to_lowercase()),
            None => step.to_lowercase(),
        };
        if key.len() > MAX_KEY {
            return Vec::new();
        }
        path.push((key, step));
    }
    path
}

/// Returns the key of a category, which is equal for equivalent spellings; `None` if it is blank or too long.
#[must_use]
pub fn category_key(category: &str) -> Option<String> {
    category_path(category).pop().map(|(key, _)| key)
}

/// Whether a category is the same as another one or below it, both by key.
fn is_in(key: &str, above: &str) -> bool {
    key.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The user's synonyms: if "Sci-Tech" means "Science", "Sci-Tech/Physics" means "Science/Physics".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Synonyms(BTreeMap<String, String>);

impl Synonyms {
    /// Makes synonyms from pairs of keys.
    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// Whether a category may become a synonym of another one. It may not if one is below the other, or if the other one or a category
    /// below it is already a synonym of the first one.
    #[must_use]
    pub fn may_mean(&self, key: &str, means: &str) -> bool {
        let apart = |a: &str, b: &str| !is_in(a, b) && !is_in(b, a);
        let meanings = self.meanings(means.to_owned());
        let below = self.0.iter().filter(|(from, _)| meanings.iter().any(|other| is_in(from, other)));
        let beyond: Vec<String> = below.flat_map(|(_, means)| self.meanings(means.clone())).collect();
        apart(key, means) && meanings.iter().chain(&beyond).all(|other| apart(key, other))
    }

    /// Returns the category that a category means after all synonyms are applied.
    #[must_use]
    pub fn place(&self, key: &str) -> String {
        let mut at = key.to_owned();
        for _ in 0..=self.0.len() {
            let longest = self.0.iter().filter(|(from, _)| is_in(&at, from)).max_by_key(|(from, _)| from.len());
            match longest {
                Some((from, means)) => at = format!("{means}{}", &at[from.len()..]),
                None => break,
            }
        }
        at
    }

    /// Returns the keys of all categories that an article with these categories is about.
    #[must_use]
    pub fn all_of(&self, categories: &[String]) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for key in categories.iter().filter_map(|category| category_key(category)) {
            all.extend(self.meanings(key));
        }
        all
    }

    fn meanings(&self, key: String) -> BTreeSet<String> {
        let mut meanings = BTreeSet::new();
        // Breadth first, so that a cycle ends with the nearest categories.
        let mut left = VecDeque::from([key]);
        while let Some(key) = left.pop_front() {
            if meanings.len() > MAX_EXPANDED || !meanings.insert(key.clone()) {
                continue;
            }
            left.extend(key.rsplit_once('/').map(|(above, _)| above.to_owned()));
            let meant = self.0.iter().filter(|(from, _)| is_in(&key, from));
            left.extend(meant.map(|(from, means)| format!("{means}{}", &key[from.len()..])));
        }
        meanings
    }

    /// Returns the categories to look up in an index of categories and their parents to find everything about this one.
    #[must_use]
    pub fn asking(&self, key: &str) -> BTreeSet<String> {
        let mut asking = BTreeSet::new();
        let mut left = VecDeque::from([key.to_owned()]);
        while let Some(key) = left.pop_front() {
            if asking.len() > MAX_EXPANDED || !asking.insert(key.clone()) {
                continue;
            }
            for (from, means) in &self.0 {
                if is_in(means, &key) {
                    left.push_back(from.clone());
                } else if is_in(&key, means) {
                    left.push_back(format!("{from}{}", &key[means.len()..]));
                }
            }
        }
        asking
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn synonyms(pairs: &[(&str, &str)]) -> Synonyms {
        Synonyms::of(pairs.iter().map(|(from, means)| ((*from).to_owned(), (*means).to_owned())))
    }

    fn set(keys: &[&str]) -> BTreeSet<String> {
        keys.iter().map(|key| (*key).to_owned()).collect()
    }

    #[test]
    fn ignores_case_and_white_space_and_splits_at_slashes() {
        assert_eq!(category_key("  News  Papers / Regional/ ").as_deref(), Some("news papers/regional"));
        assert_eq!(category_key(" // "), None);
        assert_eq!(category_key(&"x".repeat(MAX_KEY + 1)), None);
        let names: Vec<String> = category_path("A b/C").into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["A b", "C"]);
    }

    #[test]
    fn expands_synonyms() {
        let known = synonyms(&[("sci-tech", "science"), ("forschung", "sci-tech/research"), ("x", "forschung")]);
        assert_eq!(known.place("sci-tech/physics"), "science/physics");
        assert_eq!(known.place("x"), "science/research");
        assert_eq!(
            known.all_of(&["Forschung".to_owned()]),
            set(&["forschung", "sci-tech", "sci-tech/research", "science", "science/research"])
        );
        assert_eq!(known.asking("science"), set(&["science", "sci-tech", "forschung", "x"]));
        assert_eq!(known.asking("science/physics"), set(&["science/physics", "sci-tech/physics"]));
    }

    #[test]
    fn rejects_synonyms_that_form_a_cycle() {
        let known = synonyms(&[("a", "b"), ("b", "c/d")]);
        for (key, means, may) in
            [("c", "a", false), ("c/d", "b", false), ("x", "x/y", false), ("x/y", "x", false), ("x", "a", true)]
        {
            assert_eq!(known.may_mean(key, means), may, "{key} {means}");
        }
        // Cycles are never stored, but would not run forever.
        assert!(synonyms(&[("a", "b"), ("b", "a")]).place("a").len() == 1);
        assert!(synonyms(&[("a/b", "a")]).asking("a/x").len() <= MAX_EXPANDED + 1);
    }
}
