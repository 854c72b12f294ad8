//! Removes passwords from addresses (`https://user:password@host/`), so that an address can be shown, stored and exported.

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

/// Returns an address as it was entered, but without its login if that contains a password, and without the passwords in commands of other
/// readers. Other text is returned unchanged. For messages: text that only may be a login is removed, too.
#[must_use]
pub fn without_password(text: &str) -> String {
    if let Some((bare, _)) = Url::parse(text).ok().as_ref().and_then(split_login) {
        return bare.into();
    }
    if is_command(text) {
        return command_without_passwords(text);
    }
    // Text that is not a URL is completed to one later, or reported as invalid.
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

/// Returns an address without its login if that contains a password. This also applies to addresses that cannot be fetched and to commands
/// of other readers. Other text is returned unchanged, such as `newsletter:5:news@example.com`. For addresses that are stored.
#[must_use]
pub fn without_stored_password(text: &str) -> String {
    let address = text.trim();
    match Url::parse(address) {
        Ok(url) if is_command(url.as_str()) => command_without_passwords(address),
        Ok(url) => split_login(&url).map_or_else(|| text.to_owned(), |(bare, _)| bare.into()),
        Err(_) if is_command(address) => command_without_passwords(address),
        Err(_) if starts_with_authority(address) => without_logins(address),
        Err(_) => text.to_owned(),
    }
}

/// Whether a text begins with `//`, or with a scheme and that.
fn starts_with_authority(text: &str) -> bool {
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | ':');
    text.trim_start_matches(is_scheme).starts_with("//")
}

/// Whether this is a command instead of an address, as in newsboat (`exec:`, `filter:`), Liferea (`|`) and snownews (`exec:`).
fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    let has = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    text.starts_with('|') || has("exec:") || has("filter:")
}

/// Options of curl and Wget with `user:password`, and those with a password.
const LOGIN_OPTIONS: [&str; 4] = ["-u", "--user", "-U", "--proxy-user"];
const PASSWORD_OPTIONS: [&str; 4] = ["--password", "--http-password", "--proxy-password", "--oauth2-bearer"];

/// Returns a command without the passwords that can be recognised: those in addresses, and in options of curl and Wget. The rest stays as it
/// is. A password that is a word of its own becomes an empty word.
fn command_without_passwords(text: &str) -> String {
    // Other programs may have options of these names that contain no passwords.
    let has_logins = text.contains("curl") || text.contains("wget");
    let (mut out, mut rest, mut option) = (String::with_capacity(text.len()), text, "");
    while !rest.is_empty() {
        let word = rest.trim_start();
        out.push_str(&rest[..rest.len() - word.len()]);
        let is_name = |name: &str| LOGIN_OPTIONS.contains(&name) || PASSWORD_OPTIONS.contains(&name);
        let until_space = &word[..word.find(char::is_whitespace).unwrap_or(word.len())];
        let (name, at) = match until_space.split_once('=') {
            Some((name, _)) if is_name(name) => (name, name.len() + 1),
            _ if until_space.starts_with("-u") && until_space.len() > 2 => ("-u", 2),
            _ => (option, 0),
        };
        if !has_logins || !is_name(name) {
            out.push_str(&without_logins(until_space));
            (option, rest) = (until_space, &word[until_space.len()..]);
            continue;
        }
        let (before, value) = word.split_at(at);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = &value[quote.map_or(0, char::len_utf8)..];
        let end = inner.find(|c: char| quote.map_or(c.is_whitespace(), |quote| c == quote)).unwrap_or(inner.len());
        let (value, after) = inner.split_at(end);
        out.push_str(before);
        out.extend(quote);
        if PASSWORD_OPTIONS.contains(&name) {
            // The next word would be the password otherwise.
            out.push_str(if at == 0 && quote.is_none() { "''" } else { "" });
        } else if value.contains("://") {
            out.push_str(&without_logins(value));
        } else {
            out.push_str(value.split_once(':').map_or(value, |(user, _)| user));
        }
        (option, rest) = ("", after);
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
            ("|curl -u \"ada:open sesame\" x -H 'a: b'", "|curl -u \"ada\" x -H 'a: b'"),
            ("exec:wget --user=ada --password=sesame x", "exec:wget --user=ada --password= x"),
            ("exec:wget --password=password x", "exec:wget --password= x"),
            ("exec:wget --password='open sesame' x", "exec:wget --password='' x"),
            ("exec:wget --password  sesame http://a.example/", "exec:wget --password  '' http://a.example/"),
            ("exec:curl http://ada:sesame@a.example/ //b:c@d/", "exec:curl http://a.example/ //d/"),
            ("filter:~/bin/f:https://ada:sesame@a.example/x@y", "filter:~/bin/f:https://a.example/x@y"),
            ("exec:mail -f ada@a.example  b:c@d", "exec:mail -f ada@a.example  b:c@d"),
            ("exec:~/bin/plums -u http://a.example/", "exec:~/bin/plums -u http://a.example/"),
            ("exec:date -u +%H:%M", "exec:date -u +%H:%M"),
        ] {
            assert_eq!(without_stored_password(command), shown);
            assert_eq!(without_stored_password(shown), shown, "again");
            assert_eq!(without_password(command), shown);
        }
    }

    #[test]
    fn what_is_no_login_is_stored_as_it_is() {
        for (address, stored) in [
            ("https://ada:sesame@example.com/feed", "https://example.com/feed"),
            (" https://:sesame@example.com/ ", "https://example.com/"),
            ("http://ada:sesame@[::zz]/x", "http://[::zz]/x"),
            ("https://ada:sesame@exa mple.com/x@y", "https://exa mple.com/x@y"),
            ("//ada:sesame@example.com/x", "//example.com/x"),
        ] {
            assert_eq!(without_stored_password(address), stored);
        }
        for text in [
            "https://medium.com/feed/@ada:b",
            "https://social.example:8443/@ada.rss",
            "https://a.example/?user=ada:b@c.example#ada:b@c",
            "https://[::1]:8080/@ada",
            "https://ada@example.com/",
            "HTTPS://Example.com/%7Eada",
            "newsletter:5:news@example.com",
            "mailto:ada@example.com?subject=a:b",
            "tag:ada@example.com,2020:x",
            "at://did:plc:abc",
            "query:News:author = \"a@b\"",
            "gleaner:welcome",
            " Contact: ada@example.com // b:c@d ",
            "exec:~/bin/news ada:b@c",
        ] {
            assert_eq!(without_stored_password(text), text);
        }
    }
}
