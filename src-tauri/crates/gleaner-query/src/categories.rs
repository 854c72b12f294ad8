//! What feeds say their articles are about. A category is a path, its steps parted by `/`: an article about "Newspapers/Regional" is
//! about "Newspapers" too. Case and white space do not count, and the reader may say that one means another ([`Synonyms`]).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A key of more bytes is no subject but a sentence, and not grouped by.
const LONGEST: usize = 120;
/// Steps of a path that count.
const DEEPEST: usize = 8;
/// A category stands for so many others at most.
const MOST: usize = 200;

/// The category itself and those above it, from the top down: what makes two of them one, and how this one calls its last step.
/// None where it says nothing.
pub fn category_path(category: &str) -> Vec<(String, String)> {
    let steps = category.split('/').map(|step| step.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut path: Vec<(String, String)> = Vec::new();
    for step in steps.filter(|step| !step.is_empty()).take(DEEPEST) {
        let key = match path.last() {
            Some((above, _)) => format!("{above}/{}", step.to_lowercase()),
            None => step.to_lowercase(),
        };
        if key.len() > LONGEST {
            return Vec::new();
        }
        path.push((key, step));
    }
    path
}

/// What makes two categories one; `None` where one says nothing.
#[must_use]
pub fn category_key(category: &str) -> Option<String> {
    category_path(category).pop().map(|(key, _)| key)
}

/// Whether a category is another one or lies below it, both by their keys.
fn is_in(key: &str, above: &str) -> bool {
    key.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What the reader says that categories mean: "Sci-Tech" means "Science", and so does what lies below it, each below the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Synonyms(BTreeMap<String, String>);

impl Synonyms {
    /// Of keys and what they mean, keys too.
    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// Whether one could mean another: not where that is in it, or it in that, or where that, or
    /// something below it, means it already.
    #[must_use]
    pub fn may_mean(&self, key: &str, means: &str) -> bool {
        let apart = |a: &str, b: &str| !is_in(a, b) && !is_in(b, a);
        let reached = self.reached(means.to_owned());
        let below = self.0.iter().filter(|(from, _)| reached.iter().any(|other| is_in(from, other)));
        let beyond: Vec<String> = below.flat_map(|(_, means)| self.reached(means.clone())).collect();
        apart(key, means) && reached.iter().chain(&beyond).all(|other| apart(key, other))
    }

    /// Where a category belongs: what it means in the end.
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

    /// All that an article with these categories is about, by keys.
    #[must_use]
    pub fn all_of(&self, categories: &[String]) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for key in categories.iter().filter_map(|category| category_key(category)) {
            all.extend(self.reached(key));
        }
        all
    }

    fn reached(&self, key: String) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        // The nearest first: where reading goes round in circles it ends somewhere.
        let mut left = VecDeque::from([key]);
        while let Some(key) = left.pop_front() {
            if reached.len() > MOST || !reached.insert(key.clone()) {
                continue;
            }
            left.extend(key.rsplit_once('/').map(|(above, _)| above.to_owned()));
            let meant = self.0.iter().filter(|(from, _)| is_in(&key, from));
            left.extend(meant.map(|(from, means)| format!("{means}{}", &key[from.len()..])));
        }
        reached
    }

    /// The categories of which one stands, itself or above, in whatever is about this one: what an index is to be asked for.
    #[must_use]
    pub fn asking(&self, key: &str) -> BTreeSet<String> {
        let mut asking = BTreeSet::new();
        let mut left = VecDeque::from([key.to_owned()]);
        while let Some(key) = left.pop_front() {
            if asking.len() > MOST || !asking.insert(key.clone()) {
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
    fn case_and_white_space_do_not_count_and_slashes_part_steps() {
        assert_eq!(category_key("  News  Papers / Regional/ ").as_deref(), Some("news papers/regional"));
        assert_eq!(category_key(" // "), None);
        assert_eq!(category_key(&"x".repeat(LONGEST + 1)), None);
        let names: Vec<String> = category_path("A b/C").into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["A b", "C"]);
    }

    #[test]
    fn what_one_means_another_is_found_by() {
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
    fn none_may_mean_what_leads_back_to_it() {
        let known = synonyms(&[("a", "b"), ("b", "c/d")]);
        for (key, means, may) in
            [("c", "a", false), ("c/d", "b", false), ("x", "x/y", false), ("x/y", "x", false), ("x", "a", true)]
        {
            assert_eq!(known.may_mean(key, means), may, "{key} {means}");
        }
        // What should not be there all the same ends.
        assert!(synonyms(&[("a", "b"), ("b", "a")]).place("a").len() == 1);
        assert!(synonyms(&[("a/b", "a")]).asking("a/x").len() <= MOST + 1);
    }
}
