//! Writes articles as a new e-mail (RFC 6068).

use crate::Article;
use url::Url;

/// Maximum length of the address of an e-mail, in bytes. Some mail programs refuse longer ones.
const MAX_MAIL: usize = 16_000;

/// Returns the `mailto:` address of an e-mail with the titles and addresses of articles; `None` if it would be too long.
#[must_use]
pub fn mail(articles: &[Article]) -> Option<Url> {
    let part = |article: &Article| match &article.url {
        Some(url) => format!("{}\r\n{url}", article.title),
        None => article.title.clone(),
    };
    let body = articles.iter().map(part).collect::<Vec<_>>().join("\r\n\r\n");
    let subject = match articles {
        [article] => article.title.as_str(),
        _ => "",
    };
    // A plus sign would be one: spaces are %20 here.
    let fields = [("subject", subject), ("body", &body)].map(|(name, value)| format!("{name}={}", encoded(value)));
    let address = format!("mailto:?{}", fields.join("&"));
    Url::parse(&address).ok().filter(|url| url.as_str().len() <= MAX_MAIL)
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article(title: &str, url: &str) -> Article {
        Article { title: title.to_owned(), url: Some(url.to_owned()), ..Article::default() }
    }

    #[test]
    fn an_e_mail_has_titles_and_addresses_and_no_other_fields() {
        let one = mail(&[article("Plums & jam?", "https://a.example/?a=1&bcc=x@y.example")]);
        assert_eq!(
            one.as_ref().map(Url::as_str),
            Some(
                "mailto:?subject=Plums%20%26%20jam%3F&body=Plums%20%26%20jam%3F%0D%0Ahttps%3A%2F%2Fa.example%2F%3Fa%3D1%26bcc%3Dx%40y.example"
            )
        );
        let two = mail(&[article("A", "https://a.example/"), article("B", "https://b.example/")]);
        assert!(two.is_some_and(|url| url.as_str().starts_with("mailto:?subject=&body=A%0D%0Ahttps")));
        assert_eq!(mail(&vec![article("A", "https://a.example/"); 1000]), None);
    }
}
