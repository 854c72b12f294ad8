//! The article of a web page: a port of Readability finds it, and what that is weak at is done around it.

mod boilerplate;
mod metadata;
mod page;
mod parts;
mod prepare;

pub use page::decode_page;

/// The article of a web page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// Plain text.
    pub title: Option<String>,
    /// Who wrote it, as the page says it.
    pub byline: Option<String>,
    /// As the page says it, RFC 3339 where it could be read.
    pub published: Option<String>,
    /// BCP 47, as the page says it.
    pub language: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The page's own description, else the first paragraph.
    pub excerpt: Option<String>,
    /// Sanitised.
    pub content_html: String,
    /// The plain text of `content_html`.
    pub content_text: String,
    /// The page on which the article goes on, where this page says so.
    pub next_page_url: Option<String>,
}

impl Extracted {
    /// Adds what stands on the next page of the same article, and goes on from there. A page that says nothing new, as
    /// sites answer for pages that they do not have, ends the article.
    pub fn append(&mut self, next: Self) {
        if self.content_text.contains(&next.content_text) {
            self.next_page_url = None;
            return;
        }
        self.next_page_url = next.next_page_url;
        // Once more: the ids of one page may be those of another.
        self.content_html = crate::sanitise(&format!("{}{}", self.content_html, next.content_html), None);
        self.content_text = crate::plain_text(&self.content_html);
    }
}

/// The full text of a web page, sanitised; `None` when the page has no article.
///
/// `url` is the page's own address, after redirects.
#[must_use]
pub fn extract(html: &str, url: &str) -> Option<Extracted> {
    let html = page::shallow(html);
    let data = metadata::Metadata::read(&html, url);
    let page = prepare::prepared(&html, &data.base);
    let mut found = read(&page, url);
    if found.as_ref().is_none_or(|found| found.text_content.len() < STUB)
        && let Some(shown) = prepare::unhidden(&page)
        && let Some(whole) = read(&shown, url)
        && whole.text_content.len() > found.as_ref().map_or(0, |found| found.text_content.len() * 2).max(500)
    {
        // The page has the whole article and hides it from who has not paid, or until a script has run.
        found = Some(whole);
    }
    let mut article = match &found {
        Some(found) => Extracted {
            title: some(&found.title),
            byline: found.byline.as_deref().and_then(some),
            published: found.published_time.as_deref().and_then(some),
            language: found.lang.as_deref().and_then(some),
            site_name: found.site_name.as_deref().and_then(some),
            excerpt: found.excerpt.as_deref().and_then(some),
            content_html: crate::sanitise(
                &boilerplate::without(&parts::joined(&found.content, &page)),
                Some(&data.base),
            ),
            ..Extracted::default()
        },
        None => Extracted::default(),
    };
    article.content_text = crate::plain_text(&article.content_html);
    if let Some(body) = data.body.filter(|body| is_fuller(body, &article.content_text)) {
        // The page shows a stub, and tells machines the whole.
        article.content_html = crate::sanitise(&body, Some(&data.base));
        article.content_text = crate::plain_text(&article.content_html);
    }
    if article.content_text.is_empty() && !article.content_html.contains("<img") {
        return None;
    }
    article.title = article.title.or(data.title);
    article.published = article.published.or(data.published).map(|date| metadata::rfc3339(&date));
    article.language = article.language.or(data.language);
    article.excerpt = article.excerpt.or_else(|| some(&crate::excerpt(&article.content_text, 200)));
    article.next_page_url = data.next_page;
    Some(article)
}

/// Bytes of text below which an article may be the beginning of one.
const STUB: usize = 1500;

fn read(page: &str, url: &str) -> Option<legible::Article> {
    legible::parse(page, Some(url), Some(legible::Options::new().keep_classes(true))).ok()
}

fn some(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether what a page tells machines is so much more than what it shows that it must be the article.
fn is_fuller(body: &str, shown: &str) -> bool {
    let told = crate::plain_text(body).len();
    told > 500 && told / 2 > shown.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PARAGRAPH: &str = "<p>The harbour was quiet, the boats were in, and nobody, as far as we could see, was about to \
        mend a net or sell a fish before the sun had climbed over the sheds.</p>";

    fn page(head: &str, body: &str) -> String {
        format!(
            "<html lang=en><head><title>Harbour</title>{head}</head><body><nav><a href=/>Home</a></nav>{body}</body></html>"
        )
    }

    #[test]
    fn the_article_is_found_and_sanitised() {
        let body = format!(
            "<article><h1>Harbour</h1>{}<p onclick=x><a href='y'>More</a> text, and more.</p></article>",
            PARAGRAPH.repeat(5)
        );
        let found = extract(&page("", &body), "https://a.example/d/x").unwrap();
        assert_eq!(found.title.as_deref(), Some("Harbour"));
        assert_eq!(found.language.as_deref(), Some("en"));
        assert!(found.content_html.contains("href=\"https://a.example/d/y\""), "{}", found.content_html);
        assert!(!found.content_html.contains("onclick") && !found.content_text.contains("Home"));
    }

    #[test]
    fn a_stub_is_filled_from_what_the_page_tells_machines() {
        let words = "One sentence, and then the next one follows it. ".repeat(20);
        let head = format!(
            "<script type='application/ld+json'>{{\"@graph\":[{{\"@type\":\"NewsArticle\",\"articleBody\":\"{words}\\n\\nLast.\"}}]}}</script>"
        );
        let found = extract(
            &page(&head, "<article><p>One sentence, and then … Subscribe to read on.</p></article>"),
            "https://a.example/",
        )
        .unwrap();
        assert!(found.content_html.ends_with("<p>Last.</p>"), "{}", found.content_html);
    }

    #[test]
    fn the_next_page_is_known() {
        let body = format!("<article>{}</article>", PARAGRAPH.repeat(5));
        let found = extract(&page("<link rel=next href='?page=2'>", &body), "https://a.example/x").unwrap();
        assert_eq!(found.next_page_url.as_deref(), Some("https://a.example/x?page=2"));
    }

    #[test]
    fn pages_are_joined() {
        let of = |number: usize| {
            let text = PARAGRAPH.replace("harbour", &format!("harbour of page {number}")).repeat(4);
            let head = format!("<link rel=next href='/x/{}'>", number + 1);
            let body = format!(
                "<article><p id=top>{}</p>{text}</article>",
                "A first one that is long enough to be read. ".repeat(3)
            );
            extract(&page(&head, &body), &format!("https://a.example/x/{number}")).unwrap()
        };
        let mut whole = of(1);
        whole.append(of(2));
        assert_eq!(whole.next_page_url.as_deref(), Some("https://a.example/x/3"));
        assert!(whole.content_text.contains("page 1") && whole.content_text.contains("page 2"));
        assert_eq!(whole.content_html.matches("u-top").count(), 1, "{}", whole.content_html);
        let before = whole.content_html.clone();
        whole.append(of(2));
        assert_eq!((whole.content_html, whole.next_page_url), (before, None));
    }

    #[test]
    fn the_language_of_code_stays() {
        let body = format!(
            "<article>{}<pre><code class='hljs language-rust'>fn f() {{}}</code></pre></article>",
            PARAGRAPH.repeat(5)
        );
        let found = extract(&page("", &body), "https://a.example/x").unwrap();
        assert!(
            found.content_html.contains("<code class=\"language-rust\">fn f() {}</code>"),
            "{}",
            found.content_html
        );
    }

    #[test]
    fn what_is_hidden_until_one_pays_is_read() {
        let body =
            format!("<article>{PARAGRAPH}<div class=rest style='display:none'>{}</div></article>", PARAGRAPH.repeat(4));
        let found = extract(&page("", &body), "https://a.example/x").unwrap();
        assert_eq!(found.content_text.matches("The harbour").count(), 5, "{}", found.content_html);
    }

    #[test]
    fn players_stay() {
        for (player, link) in [
            ("<iframe src='https://tube.example/videos/embed/9c9'></iframe>", "https://tube.example/w/9c9"),
            (
                "<iframe src='https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b'></iframe>",
                "https://soundcloud.com/a/b",
            ),
            (
                "<iframe data-src='https://player.vimeo.com/video/12' src='about:blank'></iframe>",
                "https://vimeo.com/12",
            ),
            ("<lite-youtube videoid=q1></lite-youtube>", "https://www.youtube.com/watch?v=q1"),
            ("<script src='https://gist.github.com/me/12.js'></script>", "https://gist.github.com/me/12"),
            (
                "<object><param name=movie value='http://vimeo.com/moogaloop.swf?clip_id=12'></object>",
                "https://vimeo.com/12",
            ),
            ("<audio controls src=/a.mp3></audio>", "https://a.example/a.mp3"),
        ] {
            for wrapped in
                [player.to_owned(), format!("<p>{player}</p>"), format!("<div class=wrap><div>{player}</div></div>")]
            {
                let body = format!("<article>{}{wrapped}{}</article>", PARAGRAPH.repeat(3), PARAGRAPH.repeat(3));
                let found = extract(&page("", &body), "https://a.example/x").unwrap();
                assert_eq!(
                    found.content_html.matches(&format!("\"{link}\"")).count(),
                    1,
                    "{wrapped}: {}",
                    found.content_html
                );
            }
        }
    }

    #[test]
    fn names_of_the_page_hide_no_article() {
        let body =
            format!("<article>{}<h2 class=subheader>Nets</h2>{}</article>", PARAGRAPH.repeat(4), PARAGRAPH.repeat(4));
        let html = page("", &body).replace("<html", "<html class=hidden-sidebar");
        let found = extract(&html, "https://a.example/x").unwrap();
        assert!(found.content_html.contains("<h2>Nets</h2>"), "{}", found.content_html);
    }

    #[test]
    fn no_article_is_none() {
        assert_eq!(extract("", "https://a.example/"), None);
        assert_eq!(extract("<html><body></body></html>", "https://a.example/"), None);
    }

    #[test]
    fn pages_nested_without_end_are_read() {
        let html = page("", &format!("{}{}", "<div>".repeat(100_000), PARAGRAPH.repeat(5)));
        assert!(extract(&html, "https://a.example/").unwrap().content_text.contains("harbour"));
    }
}
