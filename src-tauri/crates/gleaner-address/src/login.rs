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

/// Returns an address as it was entered, without the login in it if that contains a password. Other text is returned unchanged, but for
/// the passwords in commands of other readers. For messages, and for addresses that cannot be fetched.
#[must_use]
pub fn without_password(text: &str) -> String {
    if let Some((bare, _)) = Url::parse(text).ok().as_ref().and_then(split_login) {
        return bare.into();
    }
    if is_command(text) {
        return command_without_passwords(text);
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

/// Whether this is a command in place of an address, as newsboat (`exec:`, `filter:`), Liferea (`|`) and snownews (`exec:`) have them.
fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    let has = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    text.starts_with('|') || has("exec:") || has("filter:")
}

/// Options of curl and Wget with `user:password`, and those with a password.
const LOGIN_OPTIONS: [&str; 4] = ["-u", "--user", "-U", "--proxy-user"];
const PASSWORD_OPTIONS: [&str; 4] = ["--password", "--http-password", "--proxy-password", "--oauth2-bearer"];

/// Returns a command without what can be recognised as a password: logins in addresses, and those in the options of curl and Wget.
fn command_without_passwords(text: &str) -> String {
    let (mut out, mut option) = (String::with_capacity(text.len()), "");
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let space = &piece[word.len()..];
        let bare = word.trim_matches(['"', '\'']);
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, value),
            _ if bare.starts_with("-u") && bare.len() > 2 => bare.split_at(2),
            _ => (option, bare),
        };
        let kept = if PASSWORD_OPTIONS.contains(&name) {
            Some("")
        } else if LOGIN_OPTIONS.contains(&name) && !value.contains("://") {
            value.split_once(':').map(|(user, _)| user)
        } else {
            None
        };
        match kept {
            Some(kept) => out.push_str(&word.replacen(value, kept, usize::from(!value.is_empty()))),
            None => out.push_str(&without_logins(word)),
        }
        out.push_str(space);
        if !word.is_empty() {
            option = word;
        }
    }
    out
}

/// Returns a text without the logins with a password of the addresses in it.
fn without_logins(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("//") {
        let (before, after) = rest.split_at(at + 2);
        let authority = &after[..after.find(['/', '?', '#', '\\', '"', '\'']).unwrap_or(after.len())];
        let login = authority.rfind('@').filter(|at| authority[..*at].contains(':')).map_or(0, |at| at + 1);
        out.push_str(before);
        rest = &after[login..];
    }
    out.push_str(rest);
    out
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

    #[test]
    fn commands_are_shown_without_the_passwords_that_can_be_recognised() {
        for (command, shown) in [
            ("exec:curl -u ada:sesame http://a.example/", "exec:curl -u ada http://a.example/"),
            ("exec:curl -uada:sesame 'http://a.example/'", "exec:curl -uada 'http://a.example/'"),
            ("|curl --user 'ada:sesame' http://a.example/", "|curl --user 'ada' http://a.example/"),
            ("exec:wget --user=ada --password=sesame x", "exec:wget --user=ada --password= x"),
            ("exec:curl http://ada:sesame@a.example/ //b:c@d/", "exec:curl http://a.example/ //d/"),
            ("filter:~/bin/f:https://ada:sesame@a.example/x@y", "filter:~/bin/f:https://a.example/x@y"),
            ("exec:mail -f ada@a.example  b:c@d", "exec:mail -f ada@a.example  b:c@d"),
            ("exec:~/bin/plums -u http://a.example/", "exec:~/bin/plums -u http://a.example/"),
        ] {
            assert_eq!(without_password(command), shown);
        }
    }
}
