//! Writes feeds in each format.

use crate::content::{Article, Feed, Format};
use serde_json::json;

/// Escapes text for XML, also in attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a feed as served, with its content type. `at` returns the address on the server for a path.
pub fn render(feed: &Feed, at: &dyn Fn(&str) -> String) -> (String, &'static str) {
    match feed.format {
        Format::Rss | Format::Podcast => (rss(feed, at), "application/rss+xml; charset=utf-8"),
        Format::Rdf => (rdf(feed, at), "application/rdf+xml; charset=utf-8"),
        Format::Atom => (atom(feed, at), "application/atom+xml; charset=utf-8"),
        Format::Json => (json_feed(feed, at), "application/feed+json"),
    }
}

fn html(article: &Article, at: &dyn Fn(&str) -> String) -> String {
    article.html.replace("{picture}", &at(&format!("{}.png", article.path)))
}

fn rss(feed: &Feed, at: &dyn Fn(&str) -> String) -> String {
    let mut items = String::new();
    for article in &feed.articles {
        let link = at(&article.path);
        let enclosure = match feed.format {
            Format::Podcast => {
                let length = crate::media::sound(&article.path).len();
                format!(
                    "<enclosure url=\"{}.wav\" length=\"{length}\" type=\"audio/wav\"/><itunes:duration>6</itunes:duration>",
                    at(&article.path)
                )
            }
            _ => String::new(),
        };
        items += &format!(
            "<item><title>{}</title><link>{link}</link><guid>{link}</guid><pubDate>{}</pubDate><dc:creator>{}</dc:creator>\
             <content:encoded>{}</content:encoded>{enclosure}</item>\n",
            escape(&article.title),
            article.published.to_rfc2822(),
            escape(&feed.author),
            escape(&html(article, at)),
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\n\
         <channel><title>{}</title><link>{}</link><description>{}</description><language>{}</language>\n{items}</channel></rss>\n",
        escape(&feed.title),
        at(&format!("/{}/", feed.name)),
        escape(&feed.about),
        feed.lang,
    )
}

fn rdf(feed: &Feed, at: &dyn Fn(&str) -> String) -> String {
    let (mut list, mut items) = (String::new(), String::new());
    for article in &feed.articles {
        let link = at(&article.path);
        list += &format!("<rdf:li rdf:resource=\"{link}\"/>");
        items += &format!(
            "<item rdf:about=\"{link}\"><title>{}</title><link>{link}</link><dc:date>{}</dc:date><dc:creator>{}</dc:creator>\
             <content:encoded>{}</content:encoded></item>\n",
            escape(&article.title),
            article.published.to_rfc3339(),
            escape(&feed.author),
            escape(&html(article, at)),
        );
    }
    let home = at(&format!("/{}/", feed.name));
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n<channel rdf:about=\"{home}\"><title>{}</title>\
         <link>{home}</link><description>{}</description><dc:language>{}</dc:language><items><rdf:Seq>{list}</rdf:Seq></items>\
         </channel>\n{items}</rdf:RDF>\n",
        escape(&feed.title),
        escape(&feed.about),
        feed.lang,
    )
}

fn atom(feed: &Feed, at: &dyn Fn(&str) -> String) -> String {
    let mut entries = String::new();
    for article in &feed.articles {
        let (link, date) = (at(&article.path), article.published.to_rfc3339());
        entries += &format!(
            "<entry><id>{link}</id><title>{}</title><link href=\"{link}\"/><published>{date}</published><updated>{date}</updated>\
             <content type=\"html\">{}</content></entry>\n",
            escape(&article.title),
            escape(&html(article, at)),
        );
    }
    let updated = feed.articles.first().map(|article| article.published.to_rfc3339()).unwrap_or_default();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\"><id>{home}</id>\
         <title>{}</title><subtitle>{}</subtitle><link href=\"{home}\"/><link rel=\"self\" href=\"{}\"/><updated>{updated}</updated>\
         <author><name>{}</name></author>\n{entries}</feed>\n",
        feed.lang,
        escape(&feed.title),
        escape(&feed.about),
        at(&format!("/{}/feed", feed.name)),
        escape(&feed.author),
        home = at(&format!("/{}/", feed.name)),
    )
}

fn json_feed(feed: &Feed, at: &dyn Fn(&str) -> String) -> String {
    let items: Vec<_> = feed
        .articles
        .iter()
        .map(|article| {
            json!({
                "id": at(&article.path),
                "url": at(&article.path),
                "title": article.title,
                "content_html": html(article, at),
                "date_published": article.published.to_rfc3339(),
            })
        })
        .collect();
    json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.about,
        "language": feed.lang,
        "home_page_url": at(&format!("/{}/", feed.name)),
        "feed_url": at(&format!("/{}/feed", feed.name)),
        "authors": [{ "name": feed.author }],
        "items": items,
    })
    .to_string()
}
