//! Titles of FreshRSS, in which it replaces characters of markup and addresses by their full-width forms.

/// The forms of the characters that it replaces in titles of articles.
const OF_ARTICLES: &[(char, char)] = &[('＆', '&'), ('＜', '<'), ('＞', '>')];
/// Those that it also replaces in titles of feeds.
const OF_FEEDS: &[(char, char)] = &[('？', '?'), ('＼', '\\'), ('／', '/'), ('，', ','), ('；', ';')];

/// Returns the title of a feed, as it was before.
pub(crate) fn of_feed(title: &str) -> String {
    restored(title, |c| form(OF_ARTICLES, c).or_else(|| form(OF_FEEDS, c)))
}

/// Returns the title of an article as it was before.
pub(crate) fn of_article(title: &str) -> String {
    restored(title, |c| form(OF_ARTICLES, c))
}

fn form(forms: &[(char, char)], c: char) -> Option<char> {
    forms.iter().find(|(full, _)| *full == c).map(|(_, ascii)| *ascii)
}

/// Next to East Asian characters they stay, since they may be part of the original title.
fn restored(title: &str, ascii: impl Fn(char) -> Option<char>) -> String {
    let own = |c: Option<char>| c.is_some_and(|c| ascii(c).is_none() && is_east_asian(c));
    let (mut restored, mut before, mut rest) = (String::with_capacity(title.len()), None, title.chars());
    while let Some(c) = rest.next() {
        let may_be_own = own(before) || own(rest.clone().next());
        restored.push(ascii(c).filter(|_| !may_be_own).unwrap_or(c));
        before = Some(c);
    }
    restored
}

fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_forms_are_restored_unless_they_may_be_the_titles_own() {
        for (title, feed, article) in [
            ("AT＆T", "AT&T", "AT&T"),
            ("https:／／a.test／？x", "https://a.test/?x", "https:／／a.test／？x"),
            ("Café ＆ Thé， ＜b＞", "Café & Thé, <b>", "Café & Thé， <b>"),
            ("日本＆米国", "日本＆米国", "日本＆米国"),
            ("新闻，News；", "新闻，News;", "新闻，News；"),
            ("", "", ""),
        ] {
            assert_eq!((of_feed(title).as_str(), of_article(title).as_str()), (feed, article), "{title}");
        }
    }
}
