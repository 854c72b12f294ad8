//! Finds the image of an article that pages show above the text, in the element with the title.

use super::{boilerplate, container, noscripts};
use crate::attributes::TagAttributes;
use gleaner_html::tokens::{Tag, Token, Tokens};
use std::collections::HashSet;

/// Minimum width in pixels of an image that is not a portrait or icon.
const MIN_WIDTH: u32 = 300;

/// Maximum number of figures between lead and text that are read, and maximum length of the HTML of each, in bytes.
const MAX_FIGURES: usize = 5;
const MAX_FIGURE: usize = 20_000;

/// Parts of classes of the image of an article.
const NAMES: [&str; 9] =
    ["cover", "featured", "header-image", "headerimage", "hero", "lead", "main-image", "post-image", "post-thumbnail"];

/// Parts of classes of other images.
const OTHER: [&str; 6] = ["author", "avatar", "emoji", "icon", "logo", "sprite"];

/// Elements that may contain the image.
const CONTAINERS: [&str; 11] =
    ["a", "aside", "div", "figure", "footer", "header", "nav", "picture", "section", "span", "ul"];

/// An open element.
struct Open {
    name: String,
    is_named: bool,
    is_chrome: bool,
    /// Whether it is a link, or has the name of boilerplate.
    is_other: bool,
    start: usize,
}

fn class_has(tag: &Tag<'_>, parts: &[&str]) -> bool {
    tag.attributes.get("class").is_some_and(|class| {
        let class = class.to_ascii_lowercase();
        parts.iter().any(|part| class.contains(part))
    })
}

/// Returns the HTML of the image between the title of a page and the found text, if the text does not contain it, or else of the image
/// above the text that the page's head names. The text may begin with a lead above the image.
pub(super) fn missed<'a>(page: &'a str, found: &str, named: Option<&str>) -> Option<&'a str> {
    let keys = container::keys(found);
    let mut texts = container::texts(page).filter(|(text, _)| keys.contains(&container::key(text)));
    let (_, first) = texts.next()?;
    let second = texts.next().map_or(first, |(_, end)| end);
    let named = named.map(noscripts::image_name).filter(|name| !name.is_empty());
    let shown: HashSet<String> = Tokens::new(found)
        .filter_map(|token| match token {
            Token::Start(tag) if matches!(&*tag.name, "img" | "source") => Some(noscripts::image_names(&tag)),
            _ => None,
        })
        .flatten()
        .collect();
    let mut open: Vec<Open> = Vec::new();
    let mut after_title = false;
    let mut candidate: Option<&'a str> = None;
    // The number of images below the lead whose figures may still be read.
    let mut left = MAX_FIGURES;
    let mut tokens = Tokens::new(page);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        if to >= second || to >= first && candidate.is_some() {
            break;
        }
        match token {
            Token::Start(tag) if tag.name == "img" => {
                let start = |name: &str| open.iter().rfind(|open| open.name == name).map(|open| open.start);
                let image = &page[start("picture").unwrap_or(to - tag.length)..to];
                let has_caption = || start("figure").is_some_and(|figure| is_captioned(&page[figure..]));
                match rate(&tag, &open, &shown, named.as_ref()) {
                    Some(Rating::Likely) if to >= first && left > 0 => {
                        left -= 1;
                        let is_own = after_title && open.iter().all(|open| !open.is_other) && has_caption();
                        candidate = is_own.then_some(image);
                    }
                    _ if to >= first => {}
                    Some(Rating::Named) => return Some(image),
                    Some(Rating::Likely) if after_title && candidate.is_none() => candidate = Some(image),
                    _ => {}
                }
            }
            Token::Start(tag) if CONTAINERS.contains(&&*tag.name) => {
                open.push(Open {
                    is_named: class_has(&tag, &NAMES),
                    is_chrome: matches!(&*tag.name, "nav" | "aside" | "footer" | "ul"),
                    is_other: tag.name == "a"
                        || tag.attributes.get("class").is_some_and(|class| boilerplate::is_named(&class)),
                    start: to - tag.length,
                    name: tag.name.into_owned(),
                });
            }
            Token::End(name) if name == "h1" => {
                after_title = true;
                candidate = None;
            }
            Token::End(name) => {
                if let Some(at) = open.iter().rposition(|open| open.name == name) {
                    open.truncate(at);
                }
            }
            _ => {}
        }
    }
    candidate
}

/// Whether the figure at the start of a text has a caption, and at most one image.
fn is_captioned(html: &str) -> bool {
    let (mut images, mut has_caption, mut in_noscript) = (0, false, false);
    for token in Tokens::new(&html[..html.floor_char_boundary(MAX_FIGURE)]) {
        match token {
            Token::Start(tag) if tag.name == "img" => images += usize::from(!in_noscript),
            Token::Start(tag) if tag.name == "noscript" => in_noscript = true,
            Token::Start(tag) => has_caption |= tag.name == "figcaption",
            Token::End(name) if name == "noscript" => in_noscript = false,
            Token::End(name) if name == "figure" => return has_caption && images == 1,
            _ => {}
        }
    }
    false
}

/// Why an image may be that of the article.
enum Rating {
    /// The head of the page names it.
    Named,
    /// It is large, or in an element of such images.
    Likely,
}

/// Rates an image by its attributes and the elements around it. `None`: it is small, does not belong to the article, or is already in the
/// text.
fn rate(tag: &Tag<'_>, open: &[Open], shown: &HashSet<String>, named: Option<&String>) -> Option<Rating> {
    if open.iter().any(|open| open.is_chrome) || class_has(tag, &OTHER) {
        return None;
    }
    let names = noscripts::image_names(tag);
    if names.is_empty() || names.iter().any(|name| shown.contains(name)) {
        return None;
    }
    if named.is_some_and(|named| names.contains(named)) {
        return Some(Rating::Named);
    }
    let is_likely = match TagAttributes::read(tag.attributes.clone()).pixels("width") {
        Some(width) => width >= MIN_WIDTH,
        None => class_has(tag, &NAMES) || open.iter().any(|open| open.name == "figure" || open.is_named),
    };
    is_likely.then_some(Rating::Likely)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<p>The boats were in the harbour, and no one was about to repair a net before noon.</p>";

    #[test]
    fn finds_the_image_between_title_and_text() {
        for (image, expected) in [
            ("<figure><img src=/a.jpg><figcaption>Boats</figcaption></figure>", "<img src=/a.jpg>"),
            ("<div class=post-thumbnail><img src=/a.jpg></div>", "<img src=/a.jpg>"),
            ("<img src=/a.jpg width=800>", "<img src=/a.jpg width=800>"),
            (
                "<figure><picture><source srcset=/a.webp><img src=/a.jpg></picture></figure>",
                "<picture><source srcset=/a.webp><img src=/a.jpg>",
            ),
        ] {
            let page = format!("<img src=/logo.png width=900><h1>Nets</h1>{image}{TEXT}");
            assert_eq!(missed(&page, TEXT, None), Some(expected));
            assert_eq!(missed(&page, &format!("<img src=https://b.example/a-800x600.jpg>{TEXT}"), None), None);
        }
        let above = format!("<img src=/c.jpg><img src=/i/a.jpg?w=9><h1>Nets</h1>{TEXT}");
        assert_eq!(missed(&above, TEXT, None), None);
        assert_eq!(missed(&above, TEXT, Some("https://a.example/i/a.jpg")), Some("<img src=/i/a.jpg?w=9>"));
        let above = format!("<h1>The Harbour</h1><img src=/i/a.jpg?w=9><div>{TEXT}</div>");
        assert_eq!(missed(&above, TEXT, Some("https://a.example/i/a.jpg")), Some("<img src=/i/a.jpg?w=9>"));
    }

    #[test]
    fn finds_the_image_between_lead_and_text() {
        let lead = "<p>After the storm, no boat can leave the harbour.</p>";
        let figure = "<figure><img src=/a.jpg><figcaption>Boats</figcaption></figure>";
        let page = |between: &str| format!("<h1>Nets</h1>{lead}<p>By A. Writer</p>{between}{TEXT}{figure}");
        let found = format!("{lead}{TEXT}");
        assert_eq!(missed(&page(figure), &found, None), Some("<img src=/a.jpg>"));
        for other in [
            "",
            "<figure><img src=/a.jpg></figure>",
            "<figure><img src=/a.jpg><img src=/b.jpg><figcaption>Boats</figcaption></figure>",
            &format!("<a href=/b>{figure}</a>"),
            &format!("<div class=related-posts>{figure}</div>"),
            &format!("<aside>{figure}</aside>"),
        ] {
            assert_eq!(missed(&page(other), &found, None), None, "{other}");
        }
    }

    #[test]
    fn finds_images_whose_address_is_a_parameter() {
        for service in ["https://i.example/90/?url=https%3A%2F%2Fa.example%2F", "/_next/image?w=800&url=%2Fi%2F"] {
            let image = |name: &str| format!("<img src='{service}{name}.jpg' width=800>");
            let page = format!("<h1>Nets</h1>{}{TEXT}", image("a"));
            assert_eq!(missed(&page, &format!("{TEXT}{}", image("b")), None), Some(&*image("a")));
            assert_eq!(missed(&page, &format!("{TEXT}{}", image("a")), None), None);
        }
        for (large, small) in [
            ("%2Fi%2Fa.jpg&w=1200", "%2Fi%2Fa.jpg&w=640"),
            ("%2fi%2fa.jpg", "%2fi%2fa.jpg&w=640"),
            ("%2Fa-1200x800.jpg", "%2Fa.webp%3Fw%3D640"),
        ] {
            let image = |name: &str| format!("<img src='https://i.example/90/?url=https%3A%2F%2Fa.example{name}'>");
            let page = format!("<h1>Nets</h1><div class=hero>{}</div>{TEXT}", image(large));
            let named = format!("https://i.example/90/?url=https%3A%2F%2Fa.example{large}");
            assert_eq!(missed(&page, &format!("{}{TEXT}", image(small)), Some(&named)), None, "{large}");
            assert_eq!(missed(&page, TEXT, Some(&named)), Some(&*image(large)));
        }
    }

    #[test]
    fn leaves_portraits_and_icons() {
        for image in [
            "<img src=/a.jpg>",
            "<figure><img src=/a.jpg width=48></figure>",
            "<figure class=x><img class=avatar src=/a.jpg></figure>",
            "<nav><figure><img src=/a.jpg></figure></nav>",
            "<figure><img src=data:image/png;base64,AA></figure>",
        ] {
            assert_eq!(missed(&format!("<h1>Nets</h1>{image}{TEXT}"), TEXT, None), None, "{image}");
        }
    }
}
