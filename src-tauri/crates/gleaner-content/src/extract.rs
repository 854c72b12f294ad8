//! Extracts the article of a web page with a port of Readability, and works around its weaknesses.
// long: one extraction, whose steps share the document and what was found in it.

mod boilerplate;
mod boxes;
mod byline;
mod captions;
mod container;
mod disguised;
mod galleries;
mod headings;
mod lead;
mod lead_image;
mod linked_data;
mod marked;
mod metadata;
mod noscript_rows;
mod noscripts;
mod page;
mod parts;
mod prepare;
mod removable;
mod rich_texts;
mod thread;
mod titled;
mod titles;
mod tree;

use crate::sanitise::sanitise_for_storage;
use url::Url;

/// Maximum size in bytes of a page that full text is extracted from.
pub const MAX_PAGE_BYTES: u64 = 8 << 20;
/// Maximum size in bytes of all pages of an article together.
pub const MAX_ARTICLE_BYTES: u64 = 16 << 20;
/// Maximum number of pages of an article; no longer article is known.
pub const MAX_ARTICLE_PAGES: usize = 20;

/// Maximum number of titles of a page that its headings are compared with.
const MAX_TITLES: usize = 4;

/// The article of a web page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// Title as plain text.
    pub title: Option<String>,
    /// The author as the page names them.
    pub byline: Option<String>,
    /// Date of publication: RFC 3339 if it could be parsed, else as written.
    pub published: Option<String>,
    /// BCP 47 language tag that the page declares.
    pub language: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The page's description, else the start of the text.
    pub excerpt: Option<String>,
    /// The article as sanitised HTML.
    pub content_html: String,
    /// The plain text of `content_html`.
    pub content_text: String,
    /// URL of the next page of the article, if the page links to one.
    pub next_page_url: Option<String>,
}

impl Extracted {
    /// Appends the next page of the same article. A page without new text ends the article, since sites repeat a page when
    /// one is requested that does not exist.
    pub fn append(&mut self, next: Self) {
        if self.content_text.contains(&next.content_text) {
            self.next_page_url = None;
            return;
        }
        self.next_page_url = next.next_page_url;
        // Sanitised again, since both pages may have the same ids.
        self.content_html = sanitise_for_storage(&format!("{}{}", self.content_html, next.content_html), None);
        self.content_text = crate::plain_text(&self.content_html);
    }
}

/// Extracts the full text of a web page, sanitised; `None` if the page has no article.
///
/// `url` is the page's own address, after redirects.
#[must_use]
pub fn extract(html: &str, url: &str) -> Option<Extracted> {
    let (page, data) = prepared(html, url);
    let mut found = read(&page);
    if found.as_ref().is_none_or(|found| found.text_content.len() < STUB)
        && let Some(shown) = prepare::unhidden(&page)
        && let Some(whole) = read(&shown)
        && whole.text_content.len() > found.as_ref().map_or(0, |found| found.text_content.len() * 2).max(500)
    {
        // The page has the full article and hides it behind a paywall or until a script has run.
        found = Some(whole);
    }
    let content = content(found.as_ref(), &page, &data);
    let content = disguised::restored(&content);
    // Readability's result may be as large as the page, and the sanitiser needs as much memory again.
    let mut article = found.map_or_else(Extracted::default, metadata_of);
    let content =
        boilerplate::remove(&content, &page, Url::parse(&data.base).ok().as_ref(), data.description.as_deref());
    let content = captions::without_repeated(&content, &page);
    article.content_html = sanitise_for_storage(&headings::as_written(&content), Some(&data.base));
    article.content_text = crate::plain_text(&article.content_html);
    let linked = data.linked;
    if let Some(body) = linked.body.filter(|body| linked_data::is_full_text(body, &article.content_text)) {
        // The page shows a stub and has the full text in its metadata.
        let lead = data.description.as_deref().filter(|lead| lead::is_shown(&page, &body, lead));
        let lead = lead.map_or_else(String::new, |lead| format!("<p>{}</p>", gleaner_html::escape::text(lead)));
        article.content_html = sanitise_for_storage(&(lead + &body), Some(&data.base));
        article.content_text = crate::plain_text(&article.content_html);
        // Its other metadata is that of the stub.
        article.title = linked.headline.clone().or(article.title);
        article.excerpt = data.description.clone();
    }
    if article.content_text.is_empty() && !article.content_html.contains("<img") {
        return None;
    }
    article.byline = [article.byline, linked.byline].iter().flatten().find_map(|byline| byline::names(byline));
    article.site_name = article.site_name.or(linked.site_name);
    article.title = article.title.or_else(|| data.title.clone());
    if let (Some(found), Some(whole)) = (&article.title, &data.title) {
        let names: Vec<&str> = linked.headline.iter().chain(&data.names).map(String::as_str).collect();
        article.title =
            titles::better(&page, found, whole, &names, article.site_name.as_deref(), url).or(article.title);
    }
    let mut published = article.published.or(data.published).map(|date| metadata::rfc3339(&date));
    if article.byline.is_none() || published.is_none() {
        let (author, date) = marked::author_and_date(html);
        article.byline = article.byline.or(author);
        published = published.or(date);
    }
    article.published = published.or_else(|| metadata::date_in_address(url));
    article.language = article.language.or(data.language);
    article.excerpt = article.excerpt.or_else(|| non_blank(&crate::excerpt(&article.content_text, 200)));
    article.next_page_url = data.next_page;
    Some(article)
}

/// Returns the page as Readability should read it, and its metadata.
fn prepared(html: &str, url: &str) -> (String, metadata::Metadata) {
    let html = page::limited(html);
    let data = metadata::Metadata::read(&html, url);
    let html = disguised::disguised(&html);
    let html = noscripts::repaired(&html);
    let html = removable::rewritten(&html);
    let html = headings::exposed(&html);
    let titles = data.title.iter().chain(&data.linked.headline).chain(&data.names);
    let html = headings::lowered(&html, &titles.map(String::as_str).take(MAX_TITLES).collect::<Vec<_>>());
    let html = boilerplate::without_certain(&html, Url::parse(&data.base).ok().as_ref());
    let html = boxes::without_boxes(&html);
    let html = noscript_rows::separated(&html);
    let page = prepare::prepare(&html, &data.base);
    let page = titled::without_next(&page, data.title.as_deref()).into_owned();
    (page, data)
}

/// Returns the metadata that Readability found.
fn metadata_of(found: legible::Article) -> Extracted {
    let known = |text: Option<String>| text.as_deref().and_then(non_blank);
    Extracted {
        title: non_blank(&found.title),
        byline: known(found.byline),
        published: known(found.published_time),
        language: known(found.lang),
        site_name: known(found.site_name),
        excerpt: known(found.excerpt),
        ..Extracted::default()
    }
}

/// Length in bytes below which a text may be a stub of the article.
const STUB: usize = 1500;

/// Number of opening braces in a page above which Readability reads no linked data.
const OBJECTS: usize = 50_000;

/// Finds the article. Its addresses stay as they are written; they become absolute when it is sanitised, within a limit.
fn read(page: &str) -> Option<legible::Article> {
    // Each object takes hundreds of bytes. Smaller linked data about the article is also read here.
    let many_objects = page.bytes().filter(|byte| *byte == b'{').count() > OBJECTS;
    legible::parse(page, None, Some(legible::Options::new().keep_classes(true).disable_json_ld(many_objects))).ok()
}

/// Returns the HTML of the article, including the parts that Readability missed.
fn content(found: Option<&legible::Article>, page: &str, data: &metadata::Metadata) -> String {
    let mut content = found.map_or_else(String::new, |found| parts::with_related_parts(&found.content, page));
    if let Some(posts) = thread::missed(page, &content) {
        return posts;
    }
    content = rich_texts::missed(page, &content).unwrap_or(content);
    let titles = [found.map(|found| &*found.title), data.title.as_deref()];
    let named = titled::missed(page, &content, &titles)
        .or_else(|| container::missed(page, &content).map(str::to_owned))
        .or_else(|| titled::around(page, &content, &titles));
    if let Some(missed) = named {
        content = read(&format!("<html><body><article>{missed}</article></body></html>"))
            .map(|found| found.content)
            .filter(|content| !container::is_apart(&missed, content) && container::missed(&missed, content).is_none())
            .unwrap_or(missed);
    } else if content.len() < STUB {
        content = short(&content, page).unwrap_or(content);
    }
    let content = galleries::with_missed(content, page);
    let mut start = String::new();
    if let Some(image) = lead_image::missed(page, &content, data.image.as_deref()) {
        start = format!("<p>{image}</p>");
    }
    if let Some(lead) = lead::missed(page, &content, data.description.as_deref(), &titles) {
        start = format!("<p>{}</p>{start}", gleaner_html::escape::text(&lead));
    }
    start + &content
}

/// Returns the content of a page without its navigation and footer, if little or nothing else was found.
fn short(found: &str, page: &str) -> Option<String> {
    let text = titled::without_chrome(page);
    let has_content = |html: &str| html.contains("<img") || !crate::plain_text(html).trim().is_empty();
    let inside = titled::without_chrome(found);
    if !container::is_apart(&inside, &text) || inside.contains("<img") {
        return Some(inside.into_owned()).filter(|inside| inside.len() < found.len() && has_content(inside));
    }
    let body = || text.find("<body").map(|start| text[start..].to_owned()).filter(|body| body.contains("<img"));
    read(&text).map(|other| other.content).or_else(body).filter(|other| has_content(other))
}

fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PARAGRAPH: &str = "<p>The harbour was quiet, the boats were in, and no one, as far as we could see, was about to \
repair a net or sell a fish before the sun had climbed over the sheds.</p>";

    fn page(head: &str, body: &str) -> String {
        format!(
            "<html lang=en><head><title>Harbour</title>{head}</head><body><nav><a href=/>Home</a></nav>{body}</body></html>"
        )
    }

    #[test]
    fn finds_and_sanitises_the_article() {
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
    fn fills_a_stub_from_the_metadata() {
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
    fn shows_the_lead_of_a_text_from_the_metadata() {
        let lead = "A storm kept the fleet in the harbour, and the village without work for a week.";
        let extracted = |text: &str, shown: &str| {
            let head = format!(
                "<meta name=description content='{lead}'><script type='application/ld+json'>{{\"@type\":\"NewsArticle\",\"articleBody\":\"{text}\"}}</script>"
            );
            extract(&page(&head, &format!("<h2>Storm</h2><p>{shown}</p><p>Subscribe.</p>")), "https://a.example/")
                .unwrap()
        };
        let text = "One sentence, and then the next one follows it. ".repeat(20);
        assert!(extracted(&text, lead).content_html.starts_with(&format!("<p>{lead}</p><p>One")));
        for (text, shown) in [(&format!("{lead} {text}"), lead), (&text, "")] {
            assert_eq!(extracted(text, shown).content_text, text.trim());
        }
    }

    #[test]
    fn removes_what_is_hidden_in_the_last_heading_once() {
        let body = format!(
            "<article><h1>Harbour</h1>{}<h2>Last of the boats <span class=sr-only>hidden words</span></h2>\
             <p>Sign up for our newsletter by clicking <a href='https://b.example/n'>here</a>.</p></article>",
            PARAGRAPH.repeat(6)
        );
        let found = extract(&page("", &body), "https://a.example/d/x").unwrap();
        assert!(!found.content_text.contains("hidden words"), "{}", found.content_text);
    }

    #[test]
    fn keeps_references_that_link_back_to_the_text() {
        let source = "<li><a href='#ref-1-0'>a</a> <a href='#ref-1-1'>b</a> <a href='https://b.example/1'>A rather long title of a source</a>. 2021.</li>";
        let body = format!(
            "<article><h1>Harbour</h1>{}<h2>References</h2><ol>{}</ol></article>",
            PARAGRAPH.repeat(6),
            source.repeat(4)
        );
        let found = extract(&page("", &body), "https://a.example/d/x").unwrap();
        assert!(found.content_text.contains("title of a source"), "{}", found.content_text);
    }

    #[test]
    fn keeps_headings_like_the_title() {
        let of = |heading: &str| {
            let titled = "<head><title>How to repair a net of hemp – Harbour</title></head>";
            let body = format!("<article>{PARAGRAPH}{heading}{}</article>", PARAGRAPH.repeat(4));
            extract(&format!("<html>{titled}<body>{body}</body></html>"), "https://a.example/d/x").unwrap().content_html
        };
        for end in ["</h2>", "</h2 >", "</h2\n>", "</h2 é€>", "</h2 x='é€'>"] {
            let found = of(&format!("<h2>Repair a net{end}"));
            assert!(found.contains("<h2>Repair a net</h2>") && found.matches("The harbour").count() == 5, "{found}");
        }
        // The title itself, as below a slogan of the site.
        assert!(!of("<h2>How to repair a net of hemp</h2>").contains("hemp"));
    }

    #[test]
    fn keeps_articles_about_consent_with_a_button() {
        for article in [
            "<p>Das Gericht hat entschieden, dass Facebook die Zustimmung der Nutzer braucht, bevor es ihre Daten für \
             Anzeigen verwendet, und dass eine lange Erklärung nicht reicht.</p><button>Teilen</button>",
            "<p>The court decided that a site needs consent for its cookies, and that privacy and tracking matter \
             to all who read it; the publisher said that it would appeal.</p><a class=wp-block-button__link href=/y>Next</a>",
        ] {
            let found = extract(&page("", &format!("<div class=entry-content>{article}</div>")), "https://a.example/");
            assert!(found.is_some_and(|found| found.content_text.len() > 120), "{article}");
        }
    }

    #[test]
    fn finds_the_next_page() {
        let body = format!("<article>{}</article>", PARAGRAPH.repeat(5));
        let found = extract(&page("<link rel=next href='?page=2'>", &body), "https://a.example/x").unwrap();
        assert_eq!(found.next_page_url.as_deref(), Some("https://a.example/x?page=2"));
    }

    #[test]
    fn appends_pages() {
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
    fn keeps_the_language_of_code() {
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
    fn reads_text_hidden_behind_a_paywall() {
        let body =
            format!("<article>{PARAGRAPH}<div class=rest style='display:none'>{}</div></article>", PARAGRAPH.repeat(4));
        let found = extract(&page("", &body), "https://a.example/x").unwrap();
        assert_eq!(found.content_text.matches("The harbour").count(), 5, "{}", found.content_html);
    }

    #[test]
    fn keeps_players() {
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
    fn class_names_of_the_page_do_not_hide_the_article() {
        let body =
            format!("<article>{}<h2 class=subheader>Nets</h2>{}</article>", PARAGRAPH.repeat(4), PARAGRAPH.repeat(4));
        let html = page("", &body).replace("<html", "<html class=hidden-sidebar");
        let found = extract(&html, "https://a.example/x").unwrap();
        assert!(found.content_html.contains("<h2>Nets</h2>"), "{}", found.content_html);
    }

    #[test]
    fn ids_that_are_generated_from_headings_keep_their_sections() {
        let body = format!(
            "<main>{0}<section id=nets><h2>Nets</h2>{0}</section><section id=cookies><h2>Cookies</h2><p>A cookie lasts a day.</p>\
</section><h2 id=comments>Comments</h2>{0}</main>",
            PARAGRAPH.repeat(2)
        );
        let found = extract(&page("", &body), "https://a.example/x").unwrap();
        for kept in ["<section id=\"u-cookies\"><h2>Cookies</h2><p>A cookie", "<h2 id=\"u-comments\">Comments</h2>"] {
            assert!(found.content_html.contains(kept), "{kept}: {}", found.content_html);
        }
    }

    #[test]
    fn finds_short_articles() {
        let chrome = [
            "<header><nav><a href=/>Home page</a></nav></header>",
            "<footer><p>Copyright of A. Writer. All rights reserved.</p></footer>",
        ];
        for (text, expected) in [
            ("<div id=comic><img src=/c.png></div>", "<img src=\"https://a.example/c.png\""),
            (
                "<main><h1>Harbour</h1><h2>New</h2><ul><li>Boats</li><li>Nets</li></ul></main>",
                "<h2>New</h2><ul><li>Boats</li>",
            ),
            ("<main><h1>Harbour</h1><p>No ferry today.</p></main>", "<p>No ferry today.</p>"),
        ] {
            let html = page("", &format!("{}{text}{}", chrome[0], chrome[1]));
            let found = extract(&html, "https://a.example/x").unwrap();
            assert!(found.content_html.contains(expected), "{}", found.content_html);
            assert!(
                !found.content_text.contains("Copyright") && !found.content_text.contains("Home"),
                "{}",
                found.content_html
            );
        }
    }

    #[test]
    fn a_noscript_does_not_hide_what_follows() {
        let body = format!(
            "<article><noscript><div><p>Switch on scripts.</noscript>{0}<figure><noscript><img src=/a.jpg></noscript>\
<figcaption>Nets</figcaption></figure>{0}</article>",
            PARAGRAPH.repeat(3)
        );
        let found = extract(&page("", &body), "https://a.example/x").unwrap();
        assert_eq!(found.content_text.matches("The harbour").count(), 6, "{}", found.content_html);
        assert!(found.content_html.contains("src=\"https://a.example/a.jpg\""), "{}", found.content_html);
    }

    #[test]
    fn a_page_without_text_has_no_article() {
        assert_eq!(extract("", "https://a.example/"), None);
        assert_eq!(extract("<html><body></body></html>", "https://a.example/"), None);
    }

    #[test]
    fn reads_extremely_deep_pages() {
        let html = page("", &format!("{}{}", "<div>".repeat(100_000), PARAGRAPH.repeat(5)));
        assert!(extract(&html, "https://a.example/").unwrap().content_text.contains("harbour"));
    }

    /// Images stay: whether the window may load one is decided when the article is shown.
    #[test]
    fn images_of_a_private_site_stay_in_the_text() {
        let text = PARAGRAPH.repeat(4);
        let page = format!("<html><body><article>{text}<p><img src=/net.png></p></article></body></html>");
        let found = extract(&page, "http://192.168.1.7/read").unwrap();
        assert!(found.content_html.contains("http://192.168.1.7/net.png"), "{}", found.content_html);
    }
}
