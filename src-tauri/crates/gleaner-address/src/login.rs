//! Passwords in addresses (`https://user:password@host/`): how they are taken out, so that an address can be shown, stored and exported.

use percent_encoding::percent_decode_str;
use std::fmt;
use url::Url;

/// The user name and the password of an address, decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// May be empty.
    pub user: String,
    /// Empty only in a login of [`split_user`].
    pub password: String,
}

/// Without the password.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// Returns an address without its login, and the login; `None` if it contains no password.
#[must_use]
pub fn split_login(url: &Url) -> Option<(Url, Login)> {
    split_user(url).filter(|(_, login)| !login.password.is_empty())
}

/// Returns an address without its login, and the login; `None` if it contains neither a user name nor a password. For servers that take a
/// key as the user name.
#[must_use]
pub fn split_user(url: &Url) -> Option<(Url, Login)> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let login = Login { user: decoded(url.username()), password: decoded(url.password().unwrap_or_default()) };
    let is_empty = login.user.is_empty() && login.password.is_empty();
    (!is_empty).then(|| (without_login(url), login))
}

/// Returns an address without its user name and password.
#[must_use]
pub fn without_login(url: &Url) -> Url {
    let mut bare = url.clone();
    // Fails only for addresses that cannot have a login, and those have none.
    let _ = bare.set_username("").and_then(|()| bare.set_password(None));
    bare
}

/// Returns an address as it was entered, without the login in it if that contains a password. Other text is returned unchanged. For
/// messages.
#[must_use]
pub fn without_password(text: &str) -> String {
    if let Some((bare, _)) = Url::parse(text).ok().as_ref().and_then(split_login) {
        return bare.into();
    }
    // What is no URL is completed to one later, or is reported as none.
    let slashes = text.find(['/', '\\']).filter(|at| *at == 0 || text[..*at].ends_with(':'));
    let slashes = slashes.or_else(|| text.find("//")).map(|at| &text[at..]);
    let rest = slashes.map_or(text, |rest| rest.trim_start_matches(['/', '\\']));
    let start = text.len() - rest.len();
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let is_handle = ["acct:", "mailto:"].iter().any(|scheme| text.trim_start().starts_with(scheme));
    match authority.rfind('@') {
        Some(at) if authority[..at].contains(':') && !is_handle => format!("{}{}", &text[..start], &rest[at + 1..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn splits_and_decodes_logins() {
        let split = |text: &str| split_login(&text.parse().unwrap());
        let login = |user: &str, password: &str| Login { user: user.to_owned(), password: password.to_owned() };
        let (bare, found) = split("https://ada:open%20se%3Asam%C3%A9@example.com:8443/feed?a=b#c").unwrap();
        assert_eq!((bare.as_str(), &found), ("https://example.com:8443/feed?a=b#c", &login("ada", "open se:samé")));
        assert!(!format!("{found:?}").contains("sam"));
        assert_eq!(split("http://:secret@example.com/").unwrap().1, login("", "secret"));
        assert_eq!(without_login(&"https://ada@example.com/".parse().unwrap()).as_str(), "https://example.com/");
        assert_eq!(without_login(&"mailto:ada@example.com".parse().unwrap()).as_str(), "mailto:ada@example.com");
        for without in
            ["https://example.com/", "https://ada@example.com/", "https://ada:@example.com/", "file:///a:b@c"]
        {
            assert_eq!(split(without), None, "{without}");
        }
        for (text, user) in [
            ("https://k%20y@a.example/", Some("k y")),
            ("https://k%20y:@a.example/", Some("k y")),
            ("https://a.example/", None),
        ] {
            let split = split_user(&text.parse().unwrap());
            assert_eq!(
                split.map(|(bare, found)| (bare.to_string(), found)),
                user.map(|user| ("https://a.example/".to_owned(), login(user, "")))
            );
        }
    }

    #[test]
    fn shows_no_password_of_whatever_was_entered() {
        for text in [
            "https://ada:sesame@example.com/feed",
            "HTTP://ada:sesame@example.com",
            "feed://ada:sesame@example.com/feed",
            "feed:https://ada:sesame@example.com/feed",
            "ada:sesame@example.com/feed",
            "https://ada:sesame@exa mple.com/feed",
            "https://ada:ses@ame@example.com/feed",
            "https://ada:sesame@:99999/",
            "//ada:sesame@example.com",
            "https:/ada:sesame@exa mple.com/feed",
            "https:\\\\ada:sesame@exa mple.com/feed",
            "feed:https:///ada:sesame@exa mple.com/feed",
            "https//ada:sesame@example.com:99999/feed",
            "\"//ada:sesame@exa mple.com\"",
            "feeds/x https://ada:sesame@exa mple.com/f",
        ] {
            let shown = without_password(text);
            assert!(!shown.contains("ses") && !shown.contains("ame@"), "{text}: {shown}");
        }
        for text in
            ["https://example.com/@ada:b", "acct:ada@example.social", "@ada@example.social", "feed.xml", "a: b@c/"]
        {
            assert!(without_password(text).contains("ada") || !text.contains("ada"), "{text}");
        }
        assert_eq!(without_password("https://ada@example.com/"), "https://ada@example.com/");
    }
}
