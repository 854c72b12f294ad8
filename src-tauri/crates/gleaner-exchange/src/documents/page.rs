//! Writes articles as one HTML page.

use super::{
    Article,
    markup::{escaped, is_language, markup},
};
use gleaner_address::has_web_scheme;

pub const END: &str = "</body>\n</html>\n";

const STYLE: &str = "body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.1rem/1.6 Georgia,serif;color:#222;background:#fff;overflow-wrap:break-word}
h1{line-height:1.25}header p{color:#666;font-size:.9rem}img{max-width:100%;height:auto}pre{overflow:auto;padding:.75rem;background:#f4f4f4}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25rem .5rem}blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #ccc}
article+article{margin-top:4rem;border-top:1px solid #ccc;padding-top:2rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}a{color:#8ab4f8}header p{color:#999}pre{background:#262626}}";

/// Returns everything before the first article. The page's policy allows it to load remote images if they were requested, and nothing
/// else.
pub fn head(title: &str, remote_images: bool) -> String {
    let images = if remote_images { "data: https: http:" } else { "data:" };
    format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src {images}; style-src 'unsafe-inline'\"/>\n\
         <meta name=\"referrer\" content=\"no-referrer\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        escaped(title)
    )
}

/// Returns an article of the page.
pub fn article(article: &Article, image: &dyn Fn(&str) -> Option<String>) -> String {
    let language = article.language.as_deref().filter(|tag| is_language(tag));
    let language = language.map(|tag| format!(" lang=\"{tag}\"")).unwrap_or_default();
    let direction = direction(article);
    format!(
        "<article{language} dir=\"{direction}\">\n{}{}\n</article>\n",
        heading(article),
        markup(&article.html, image)
    )
}

/// Returns the text direction.
pub fn direction(article: &Article) -> &'static str {
    if article.right_to_left { "rtl" } else { "ltr" }
}

/// Returns the heading: title and source.
pub fn heading(article: &Article) -> String {
    let title = escaped(&article.title);
    let title = match article.url.as_deref().filter(|url| has_web_scheme(url)) {
        Some(url) => format!("<a href=\"{}\">{title}</a>", escaped(url)),
        None => title,
    };
    let date = article.published.as_deref().and_then(|date| date.get(..10));
    let from = [Some(article.feed.as_str()), article.author.as_deref(), date];
    let from: Vec<String> = from.into_iter().flatten().filter(|part| !part.is_empty()).map(escaped).collect();
    format!("<header><h1 dir=\"auto\">{title}</h1><p dir=\"auto\">{}</p></header>\n", from.join(" · "))
}
