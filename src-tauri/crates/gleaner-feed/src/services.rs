//! Texts of articles that a feed has for services such as Yandex, which display their own title, menu and image.

use crate::model::Body;
use gleaner_html::tokens::{Token, Tokens};

/// Returns HTML without the title in its header, and without menus.
pub(crate) fn without_page(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut copied = 0;
    let mut in_header = false;
    let mut removed: Option<(&str, usize)> = None;
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        match token {
            Token::Start(tag) => {
                in_header |= tag.name == "header";
                let name = ["menu", "h1"].into_iter().find(|name| tag.name == *name && (in_header || *name == "menu"));
                removed = removed.or(name.map(|name| (name, tokens.position() - tag.length)));
            }
            Token::End(name) => {
                in_header &= name != "header";
                if let Some((_, start)) = removed.take_if(|(removed, _)| name == *removed) {
                    out.push_str(html.get(copied..start).unwrap_or_default());
                    copied = tokens.position();
                }
            }
            _ => {}
        }
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    out
}

/// Returns a text that has no image with those of the description before it.
pub(crate) fn with_images_of(mut text: Body, description: Option<&Body>) -> Body {
    let Some(description) = description.filter(|description| description.base == text.base) else { return text };
    if images(&text.html).next().is_none() {
        let images: String = images(&description.html).collect();
        if !images.is_empty() {
            text.html = format!("<p>{images}</p>\n{}", text.html);
        }
    }
    text
}

/// Returns the source of each image.
fn images(html: &str) -> impl Iterator<Item = &str> {
    let mut tokens = Tokens::new(html);
    std::iter::from_fn(move || {
        loop {
            if let Token::Start(tag) = tokens.next()?
                && tag.name == "img"
            {
                return html.get(tokens.position() - tag.length..tokens.position());
            }
        }
    })
}
