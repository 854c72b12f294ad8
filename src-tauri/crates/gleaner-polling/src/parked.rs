//! Recognises expired domains: pages that offer the domain for sale, or show advertisements until it is sold. Pure.

use url::{Host, Url};

/// Services that expired domains redirect to, subdomains included.
const SERVICES: &[&str] = &[
    "above.com",
    "afternic.com",
    "bodis.com",
    "brandbucket.com",
    "buydomains.com",
    "cashparking.com",
    "dan.com",
    "domainmarket.com",
    "domainnamesales.com",
    "dsparking.com",
    "efty.com",
    "fastpark.net",
    "forsale.godaddy.com",
    "hugedomains.com",
    "namebright.com",
    "parked.com",
    "parking.reg.ru",
    "parkingcrew.net",
    "parkingpage.namecheap.com",
    "parklogic.com",
    "sedo.com",
    "sedoparking.com",
    "skenzo.com",
    "smartname.com",
    "undeveloped.com",
    "uniregistry.com",
    "voodoo.com",
    "ztomy.com",
];

/// Text in the tags of these services' pages, in lower case.
const IN_TAGS: &[&str] = &[
    "afternic.com/forsale/",
    "cdnpark.com/",
    "d38psrni17bvxu.cloudfront.net",
    "dan.com/buy-domain/",
    "data-adblockkey=",
    "google.com/adsense/domains/",
    "hugedomains.com/domain_profile",
    "parking-lander",
    "parkingcrew.net/",
    "parklogic.com/",
    "sedoparking.com/",
];

/// Text in the scripts of these services' pages, in lower case.
const IN_SCRIPTS: &[&str] = &["window.park =", "window.park=", "location.href=\"/lander\"", "location.href='/lander'"];

/// Headings of such pages, in lower case, in the languages of the large registries.
const WORDS: &[&str] = &[
    "domain is for sale",
    "domain may be for sale",
    "domain name is for sale",
    "domain for sale",
    "buy this domain",
    "domain is parked",
    "domain parked",
    "parked domain",
    "domain has expired",
    "domain name has expired",
    "domain expired",
    "domain steht zum verkauf",
    "domain zu verkaufen",
    "domaine est à vendre",
    "domaine à vendre",
    "dominio está en venta",
    "dominio en venta",
    "dominio è in vendita",
    "dominio in vendita",
    "domínio está à venda",
    "domínio à venda",
    "domein is te koop",
    "domein te koop",
    "domena na sprzedaż",
    "домен продается",
    "домен продаётся",
    "домен припаркован",
    "域名出售",
    "域名正在出售",
    "ドメインは販売中",
];

/// Maximum length of the text of such a page, in bytes.
const MAX_TEXT: usize = 3000;
/// Number of characters of a page that are examined.
const LOOKED_AT: usize = 256 << 10;

/// Whether a host belongs to a service for expired domains, or is named like their redirect targets.
pub(crate) fn is_parking_host(url: &Url) -> bool {
    let Some(Host::Domain(host)) = url.host() else { return false };
    let below = |service: &str| host == service || host.strip_suffix(service).is_some_and(|rest| rest.ends_with('.'));
    // ww25.example.com: such services send visitors of example.com there. Ordinary sites use at most one digit.
    let numbered = host.split_once('.').is_some_and(|(first, rest)| {
        let number = first.strip_prefix("ww").unwrap_or_default();
        number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()) && rest.contains('.')
    });
    SERVICES.iter().any(|service| below(service)) || numbered
}

/// Whether the page at `ended`, to which the address `requested` led, belongs to an expired domain. `feeds`: the page names feeds.
pub(crate) fn is_parked(html: &str, requested: &Url, ended: &Url, feeds: bool) -> bool {
    if is_parking_host(ended) && !is_parking_host(requested) {
        return true;
    }
    let lower = html.chars().take(LOOKED_AT).collect::<String>().to_lowercase();
    let mut tags = lower.split('<').filter_map(|part| part.split('>').next());
    if tags.any(|tag| IN_TAGS.iter().any(|mark| tag.contains(mark))) {
        return true;
    }
    let short = gleaner_content::plain_text(&lower).len() < MAX_TEXT;
    let says = |text: &str| WORDS.iter().any(|words| text.contains(words));
    short
        && (IN_SCRIPTS.iter().any(|mark| lower.contains(mark))
            || ["title", "h1", "h2"].iter().any(|name| element(&lower, name).is_some_and(says))
            || (!feeds
                && has_other_owner(requested, ended)
                && is_front_page(ended)
                && !lower.contains("type=\"password\"")))
}

/// Returns the text of the first element with this name.
fn element<'a>(html: &'a str, name: &str) -> Option<&'a str> {
    let begin = html.find(&format!("<{name}"))?;
    let text = &html[begin..];
    let text = &text[text.find('>')? + 1..];
    text.find(&format!("</{name}")).map(|end| &text[..end])
}

/// Returns whether two hosts have different owners, as far as their last two labels show: under `co.uk`, for example, they do not.
fn has_other_owner(one: &Url, other: &Url) -> bool {
    let owner = |url: &Url| match url.host() {
        Some(Host::Domain(name)) => {
            let labels: Vec<&str> = name.trim_end_matches('.').rsplit('.').take(2).collect();
            (labels.len() == 2).then(|| labels.join("."))
        }
        _ => None,
    };
    owner(one).zip(owner(other)).is_some_and(|(one, other)| one != other)
}

/// Whether an address is a front page, where every address of an expired domain leads.
fn is_front_page(url: &Url) -> bool {
    matches!(url.path(), "/" | "/lander") && url.query().is_none()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parked(html: &str, requested: &str, ended: &str) -> bool {
        is_parked(html, &requested.parse().unwrap(), &ended.parse().unwrap(), false)
    }

    const HERE: &str = "https://garden.example/feed.xml";

    #[test]
    fn recognises_pages_of_expired_domains_by_tags_scripts_and_words() {
        for page in [
            // A script that shows advertisements on parked domains only.
            r#"<html><head><script src="//www.google.com/adsense/domains/caf.js"></script></head><body></body></html>"#,
            // An attribute of the templates of two large services.
            r#"<!doctype html><html data-adblockkey="MFww"><body><div id=c></div></body></html>"#,
            // A script that fills the page.
            r#"<html><body><div id="target"></div><script>window.park = "eyJ1"</script></body></html>"#,
            // A redirect to the page of advertisements.
            r#"<html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>"#,
            // Words, in the title.
            "<html><head><title>garden.example - this domain is for sale</title></head><body>Offers</body></html>",
            // Words, in a heading, in another language.
            "<html><body><h1>garden.example</h1><h2>Diese <b>Domain</b> steht zum Verkauf</h2></body></html>",
            "<html><body><h1>Этот домен продаётся</h1></body></html>",
        ] {
            let page = page.replace("<b>Domain</b>", "Domain");
            assert!(parked(&page, HERE, HERE), "{page}");
        }
    }

    #[test]
    fn recognises_redirects_to_known_services() {
        for to in [
            "https://www.hugedomains.com/x?d=garden",
            "http://ww25.garden.example/feed.xml?subid1=1",
            "https://dan.com/buy-domain/garden.example",
            "https://sedo.com/search/details/",
        ] {
            assert!(parked("<html></html>", HERE, to), "{to}");
        }
        assert!(!parked("<html></html>", "https://sedo.com/blog/feed", "https://sedo.com/blog/feed"), "its own feed");
        for other in [
            "https://www.garden.example/",
            "https://wwf.garden.example/",
            "https://notdan.com/x",
            "https://ww2.garden.example/",
            "http://1.2.3.4/",
        ] {
            assert!(!is_parking_host(&other.parse().unwrap()), "{other}");
        }
    }

    #[test]
    fn recognises_a_front_page_of_another_owner_unless_it_is_a_login() {
        let page = "<html><head><title>Best casino offers</title></head><body>Play</body></html>";
        assert!(parked(page, HERE, "https://casino.test/"));
        assert!(!parked(page, HERE, "https://casino.test/some/page"), "not a front page");
        assert!(!parked(page, HERE, "https://blog.garden.example/"), "the same owner");
        assert!(!parked(page, "https://garden.co.uk/feed", "https://other.co.uk/"), "unknown owner");
        let login = "<html><body><form><input type=\"password\"></form></body></html>";
        assert!(!parked(login, HERE, "https://login.test/"));
    }

    #[test]
    fn does_not_mistake_ordinary_pages() {
        let long = "I bought it from somebody, and it was not cheap. ".repeat(100);
        for page in [
            "<html><head><title>Gardening</title></head><body><p>This domain is for sale? No.</body></html>".to_owned(),
            format!("<html><head><title>Why this domain is for sale</title></head><body><p>{long}</p></body></html>"),
            "<html><body><h1>404</h1><p>Look at sedoparking.com/ for more.</p></body></html>".to_owned(),
            String::new(),
        ] {
            assert!(!parked(&page, HERE, HERE), "{page:.80}");
        }
    }
}
