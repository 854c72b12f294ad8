//! Reads the metadata of a page that Readability does not.

use super::{boilerplate::worded_date, linked_data::LinkedData};
use crate::urls::MAX_ADDRESS;
use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat};
use gleaner_address::is_web;
use gleaner_html::{
    one_line, references,
    tokens::{Token, Tokens},
};
use std::borrow::Cow;
use url::Url;

/// Maximum length of a description in bytes. Each text of the page is searched for in it.
const MAX_DESCRIPTION: usize = 2000;

/// Names of elements with the date of publication.
#[rustfmt::skip]
const DATES: [&str; 17] = [
    "date", "datepublished", "dc.date", "dc.date.issued", "dc.date.created", "dcterms.created", "dcterms.date", "dcterms.issued", "og:published_time",
    "og:article:published_time", "article.published", "pubdate", "publication_date", "publish-date", "publish_date", "publishdate", "sailthru.date",
];

/// Metadata from the page's head and linked data.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    /// Base URL of relative links: that of the first `base` element, or else the page's own.
    pub(super) base: String,
    pub(super) title: Option<String>,
    pub(super) published: Option<String>,
    pub(super) language: Option<String>,
    pub(super) next_page: Option<String>,
    /// The longest description in the head.
    pub(super) description: Option<String>,
    /// URL of the image in the head, as written.
    pub(super) image: Option<String>,
    /// The titles in the head besides the page's own.
    pub(super) names: Vec<String>,
    pub(super) linked: LinkedData,
}

fn names_description(name: Option<String>) -> bool {
    name.is_some_and(|name| {
        ["description", "og:description", "twitter:description"]
            .iter()
            .any(|known| name.trim().eq_ignore_ascii_case(known))
    })
}

fn names_date(name: Option<String>) -> bool {
    name.is_some_and(|name| DATES.iter().any(|known| name.trim().eq_ignore_ascii_case(known)))
}

fn names_title(name: Option<String>) -> bool {
    name.is_some_and(|name| matches!(name.trim(), "og:title" | "twitter:title"))
}

fn names_image(name: Option<String>) -> bool {
    name.is_some_and(|name| matches!(name.trim(), "og:image" | "og:image:url" | "twitter:image" | "twitter:image:src"))
}

impl Metadata {
    pub(super) fn read(html: &str, url: &str) -> Self {
        let mut data = Self { base: url.to_owned(), ..Self::default() };
        let (mut linked, mut title, mut based) = (false, false, false);
        // Dates in the head, in elements marked as such, and in any other element.
        let (mut date, mut marked, mut lone, mut is_lone) = (None, None, None, false);
        for token in Tokens::new(html) {
            match token {
                Token::Raw { of: "script", text } if linked => data.linked.read(text),
                Token::Raw { of: "title", text } if title && data.title.is_none() => {
                    let text = references::decode(text);
                    data.title = super::non_blank(&one_line(&text));
                }
                Token::Start(tag) => {
                    let get = |name: &str| tag.attributes.get(name).map(Cow::into_owned);
                    linked = false;
                    title = false;
                    match &*tag.name {
                        "title" => title = true,
                        "script" => {
                            linked =
                                get("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"));
                        }
                        "meta" if names_description(get("name").or_else(|| get("property"))) => {
                            let longer = get("content").map(|text| {
                                let text = references::decode(&text);
                                text[..text.floor_char_boundary(MAX_DESCRIPTION)].to_owned()
                            });
                            let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
                            if length(&longer) > length(&data.description) {
                                data.description = longer;
                            }
                        }
                        "meta" if names_date(get("name").or_else(|| get("property")).or_else(|| get("itemprop"))) => {
                            date = date.or_else(|| get("content"));
                        }
                        "meta" if names_title(get("property").or_else(|| get("name"))) => {
                            data.names.extend(get("content").map(|text| references::decode(&text).into_owned()));
                        }
                        "meta" if data.image.is_none() && names_image(get("property").or_else(|| get("name"))) => {
                            data.image = get("content").as_deref().and_then(super::non_blank);
                        }
                        "html" => data.language = data.language.take().or_else(|| get("lang")),
                        "base" if !based => {
                            if let Some(base) = get("href").and_then(|href| join(url, &href)) {
                                based = true;
                                data.base = base;
                            }
                        }
                        "time" => {
                            let is_dated = get("pubdate").is_some()
                                || get("itemprop").is_some_and(|prop| prop.eq_ignore_ascii_case("datePublished"))
                                || get("class").is_some_and(|class| class.contains("publish"));
                            let time = get("datetime");
                            if is_dated && marked.is_none() {
                                marked = time;
                            } else if let Some(time) = time {
                                is_lone = lone.is_none() || lone.as_ref() == Some(&time);
                                lone = Some(time);
                            }
                        }
                        "link" | "a" if data.next_page.is_none() => {
                            let next = ["rel", "class", "id"]
                                .iter()
                                .filter_map(|name| get(name))
                                .any(|names| names.split_ascii_whitespace().any(is_next));
                            // Blogs call the next article "next" too: only another page of this article counts.
                            let same = |next: &String| is_page_of(next, url);
                            data.next_page =
                                get("href").filter(|_| next).and_then(|href| join(&data.base, &href)).filter(same);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        data.published = data.linked.published.take().or(date).or(marked).or(lone.filter(|_| is_lone));
        data
    }
}

/// Whether a `rel`, class or id marks the next page.
fn is_next(name: &str) -> bool {
    name.split(['-', '_']).any(|word| word.eq_ignore_ascii_case("next"))
}

fn join(base: &str, href: &str) -> Option<String> {
    let url = Url::parse(base).ok()?.join(href.trim()).ok()?;
    (is_web(&url) && url.as_str().len() <= MAX_ADDRESS).then(|| url.into())
}

/// Whether an address is another page of the same article: the paths differ only in a number, or only the query differs.
fn is_page_of(next: &str, url: &str) -> bool {
    let (Ok(next), Ok(url)) = (Url::parse(next), Url::parse(url)) else { return false };
    let stem = |url: &Url| {
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix(".html").unwrap_or(path).trim_end_matches(|c: char| c.is_ascii_digit());
        let path = path.trim_end_matches(['/', '-', '_', ',']);
        path.strip_suffix("/page").unwrap_or(path).to_owned()
    };
    next != url && next.host_str() == url.host_str() && stem(&next) == stem(&url)
}

/// Returns a date in RFC 3339, or unchanged if it cannot be parsed.
pub(super) fn rfc3339(date: &str) -> String {
    parsed(date).unwrap_or_else(|| date.to_owned())
}

/// Returns a date in RFC 3339; `None` if it cannot be parsed.
pub(super) fn parsed(date: &str) -> Option<String> {
    let text = date.trim();
    let moment = DateTime::parse_from_rfc3339(text)
        .or_else(|_| DateTime::parse_from_rfc2822(text))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f%z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f %z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M%z"))
        .or_else(|_| DateTime::parse_from_str(text, "%Y%m%dT%H%M%S%z"))
        .map(|moment| moment.to_utc());
    let local = || {
        ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
            .iter()
            .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
            .or_else(|| {
                let day = ["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d"]
                    .iter()
                    .find_map(|form| NaiveDate::parse_from_str(text, form).ok());
                day?.and_hms_opt(0, 0, 0)
            })
            .map(|moment| moment.and_utc())
    };
    let worded = || worded_date(text)?.and_hms_opt(0, 0, 0).map(|moment| moment.and_utc());
    moment.ok().or_else(local).or_else(worded).map(|moment| moment.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// Returns the date in the path of an address, as on news sites and blogs: `/2026/03/05/` or `/2026-03/05/`.
pub(super) fn date_in_address(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let numbers: Vec<&str> = url.path().split(['/', '-']).collect();
    numbers.windows(3).find_map(|part| {
        let [year, month, day] = part else { return None };
        let is_date = year.len() == 4 && year.starts_with("20") && month.len() == 2 && day.len() == 2;
        let number = |text: &str| text.parse::<u32>().ok();
        let date = NaiveDate::from_ymd_opt(i32::try_from(number(year)?).ok()?, number(month)?, number(day)?)?;
        is_date.then(|| format!("{date}T00:00:00Z"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_dates() {
        assert_eq!(rfc3339("2026-03-01T10:00:00+02:00"), "2026-03-01T08:00:00Z");
        assert_eq!(rfc3339("2026-03-01T10:00:00.5+0200"), "2026-03-01T08:00:00Z");
        assert_eq!(rfc3339("20260301T100000+0200"), "2026-03-01T08:00:00Z");
        for date in ["2026-03-01", "2026/03/01", "20260301"] {
            assert_eq!(rfc3339(date), "2026-03-01T00:00:00Z");
        }
        assert_eq!(rfc3339("5. März 2026"), "2026-03-05T00:00:00Z");
        assert_eq!(rfc3339("last Tuesday"), "last Tuesday");
    }

    #[test]
    fn finds_the_date_in_the_address() {
        for (path, date) in [
            ("/news/2026/03/05/storm.html", Some("2026-03-05T00:00:00Z")),
            ("/2026-03/05/c_1.htm", Some("2026-03-05T00:00:00Z")),
            ("/2026-03-05-storm", Some("2026-03-05T00:00:00Z")),
            ("/2026/13/05/storm", None),
            ("/2026/3/5", None),
            ("/items/3026/03/05", None),
        ] {
            assert_eq!(date_in_address(&format!("https://a.example{path}")).as_deref(), date, "{path}");
        }
    }

    #[test]
    fn the_next_article_is_not_the_next_page() {
        assert!(is_page_of("https://a.example/x/2", "https://a.example/x"));
        assert!(is_page_of("https://a.example/x/page/2/", "https://a.example/x/"));
        assert!(is_page_of("https://a.example/x?p=2", "https://a.example/x?p=1"));
        assert!(!is_page_of("https://a.example/y", "https://a.example/x"));
        assert!(!is_page_of("https://b.example/x/2", "https://a.example/x"));
    }

    #[test]
    fn finds_the_date_of_publication() {
        let published = |html: &str| Metadata::read(html, "https://a.example/x").published;
        let time = "<time datetime=2026-03-02>2 March</time>";
        for html in [
            format!("<meta name=DC.date.issued content=2026-03-01>{time}"),
            format!("<time datetime=2026-02-01></time><time itemprop=datePublished datetime=2026-03-01></time>{time}"),
            "<meta itemprop=datePublished content=2026-03-01>".to_owned(),
            "<time datetime=2026-03-01></time> <time datetime=2026-03-01></time>".to_owned(),
        ] {
            assert_eq!(published(&html).as_deref(), Some("2026-03-01"), "{html}");
        }
        assert_eq!(published(&format!("<time datetime=2026-03-01></time>{time}")), None);
    }

    #[test]
    fn uses_the_first_base() {
        let data = Metadata::read("<base href='/b/'><base href='/c/'>", "https://a.example/x");
        assert_eq!(data.base, "https://a.example/b/");
    }
}
