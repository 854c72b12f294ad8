//! Rewrites a page before Readability reads it, so that misleading names do not make it drop content.

use super::boilerplate::names;
use crate::{
    attributes::{AttributeWriter, TagAttributes},
    embeds, sanitise, style,
    symbols::symbol,
    urls::{self, Base},
};
use gleaner_html::{
    elements::is_block,
    tokens::{Tag, Token, Tokens},
};
use std::borrow::Cow;
use url::Url;

/// Marks frames of known services: Readability keeps a frame if an attribute names a player that it knows, and it
/// knows fewer players than [`embeds`].
const KNOWN: &str = " data-known=\"//www.youtube.com/\"";

/// Returns the page with frames of known services marked, custom elements and scripts of players as frames, and
/// without misleading class names and ids.
pub(super) fn prepare<'a>(html: &'a str, base: &str) -> Cow<'a, str> {
    let base = Base::read(base, html.len());
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    let (mut from, mut copied) = (0, 0);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        if let Token::Start(tag) = &token
            && let Some(replacement) = replacement(tag, &html[from..to], base.as_ref())
        {
            out.push_str(&html[copied..from]);
            out.push_str(&replacement);
            copied = to;
        } else if let Token::Start(tag) = &token
            && tag.name == "div"
            && is_media_box(tag, &tokens)
        {
            // To Readability, boxes with the word "media" are boilerplate.
            out.push_str(&html[copied..to - tag.length]);
            out.push_str(&without(tag, is_class_or_id));
            copied = to;
        } else if matches!(&token, Token::Start(tag) if tag.name == "li") && is_illustrated(&html[to..]) {
            // To Readability, images without paragraphs are a gallery.
            out.push_str(&html[copied..to]);
            out.push_str("<p>");
            copied = to;
        }
        from = to;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// Classes that site builders give to all boxes of an article. To Readability, boxes with the word "widget" belong to a sidebar.
#[rustfmt::skip]
const PAGE_MAKERS: [&str; 31] = [
    // Elementor
    "elementor-widget-container", "elementor-widget-wrap", "elementor-widget-accordion", "elementor-widget-alert", "elementor-widget-blockquote",
    "elementor-widget-counter", "elementor-widget-divider", "elementor-widget-gallery", "elementor-widget-heading", "elementor-widget-icon-box",
    "elementor-widget-icon-list", "elementor-widget-image", "elementor-widget-image-box", "elementor-widget-image-carousel", "elementor-widget-image-gallery",
    "elementor-widget-media-carousel", "elementor-widget-n-accordion", "elementor-widget-n-tabs", "elementor-widget-spacer", "elementor-widget-tabs",
    "elementor-widget-testimonial", "elementor-widget-text-editor", "elementor-widget-theme-post-content", "elementor-widget-theme-post-featured-image",
    "elementor-widget-toggle", "elementor-widget-video",
    // HubSpot
    "widget-type-blog_content", "widget-type-cell", "widget-type-linked_image", "widget-type-raw_html", "widget-type-rich_text",
];

/// Whether a box is part of an article that was written with a site builder.
fn is_of_page_maker(tag: &Tag<'_>) -> bool {
    tag.attributes
        .get("class")
        .is_some_and(|class| class.split_ascii_whitespace().any(|name| PAGE_MAKERS.contains(&name)))
}

/// Returns the tag of a box without the classes of its site builder. It may have other classes from the author.
fn without_widgets(tag: &Tag<'_>) -> String {
    let mut out = without(tag, |name| name == "class");
    let class = tag.attributes.get("class").unwrap_or_default();
    let is_own = |name: &str| name.starts_with("elementor") || name.contains("widget");
    let names: Vec<&str> = class.split_ascii_whitespace().filter(|name| !is_own(name)).collect();
    if !names.is_empty() {
        out.pop();
        let mut attributes = AttributeWriter(out);
        attributes.set("class", &names.join(" "));
        out = attributes.0 + ">";
    }
    out
}

/// Maximum number of tokens of a box with an image that are read.
const MAX_BOX_TOKENS: usize = 40;
/// Maximum length in bytes of the label of an image.
const MAX_IMAGE_LABEL: usize = 20;

/// Whether a box is named after media, and contains an image and no other text than a label. `content`: the HTML after its tag.
fn is_media_box(tag: &Tag<'_>, content: &Tokens<'_>) -> bool {
    let class = tag.attributes.get("class").unwrap_or_default();
    if !class.split_ascii_whitespace().any(|name| names::has_word(name, &["media"])) || names::is_named(&class) {
        return false;
    }
    let (mut depth, mut text, mut has_image) = (1, 0, false);
    for token in content.clone().take(MAX_BOX_TOKENS) {
        match token {
            Token::Start(tag) => {
                depth += usize::from(tag.name == "div");
                has_image |= tag.name == "img";
                if matches!(&*tag.name, "a" | "form" | "iframe") {
                    return false;
                }
            }
            Token::End(name) if name == "div" => {
                depth -= 1;
                if depth == 0 {
                    return has_image && text <= MAX_IMAGE_LABEL;
                }
            }
            Token::Text(more) => text += more.trim().len(),
            _ => {}
        }
    }
    false
}

/// How much of an item of a list is read, in bytes.
const ITEM: usize = 20_000;
/// Minimum length of the text of an item with an image, in bytes.
const MIN_STEP: usize = 20;

/// Whether an item of a list consists of text and an image, such as a step of a recipe.
fn is_illustrated(content: &str) -> bool {
    let (mut text, mut has_image, mut in_link) = (0, false, false);
    for token in Tokens::new(&content[..content.floor_char_boundary(ITEM)]) {
        match token {
            Token::Start(tag) if tag.name == "li" => break,
            Token::Start(tag) if is_block(&tag.name) => return false,
            Token::Start(tag) => {
                has_image |= tag.name == "img";
                in_link |= tag.name == "a";
            }
            Token::End(name) if matches!(&*name, "li" | "ul" | "ol") => break,
            Token::End(name) => in_link &= name != "a",
            Token::Text(more) if !in_link => text += more.trim().len(),
            _ => {}
        }
    }
    has_image && text >= MIN_STEP
}

/// Returns the page with hidden content shown, if it is in an `article` or `main` or follows a paragraph; `None` if there
/// is none.
pub(super) fn unhidden(html: &str) -> Option<String> {
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    let (mut copied, mut inside) = (0, 0_usize);
    let mut after_paragraph = false;
    while let Some(token) = tokens.next() {
        match &token {
            Token::End(name) => {
                inside = inside.saturating_sub(usize::from(matches!(&**name, "article" | "main")));
                after_paragraph = name == "p";
            }
            Token::Start(tag) => {
                inside += usize::from(matches!(&*tag.name, "article" | "main"));
                let is_rest = inside > 0 || after_paragraph;
                after_paragraph = false;
                if is_rest && matches!(&*tag.name, "div" | "section" | "p") && is_hidden(tag) {
                    out.push_str(&html[copied..tokens.position() - tag.length]);
                    out.push_str(&without(tag, |name| matches!(name, "style" | "hidden" | "aria-hidden")));
                    copied = tokens.position();
                }
            }
            _ => {}
        }
    }
    (copied > 0).then(|| out + &html[copied..])
}

/// Whether a tag hides its element.
pub(super) fn is_hidden(tag: &Tag<'_>) -> bool {
    tag.attributes.clone().any(|(name, value)| match &*name {
        "hidden" => true,
        "style" => style::hides(&value),
        _ => false,
    })
}

/// Returns the replacement of a tag that has to be rewritten.
fn replacement(tag: &Tag<'_>, source: &str, base: Option<&Base>) -> Option<String> {
    let name = &*tag.name;
    match name {
        // A page with a sidebar may have a class for it on its body.
        "html" | "body" => {
            tag.attributes.clone().any(|(name, _)| is_class_or_id(&name)).then(|| without(tag, is_class_or_id))
        }
        // Readability removes page headers, and headings may be named like them.
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let header = |(name, value): (Cow<'_, str>, Cow<'_, str>)| name == "class" && value.contains("header");
            tag.attributes.clone().any(header).then(|| without(tag, |name| name == "class"))
        }
        "div" | "section" | "span" if is_of_page_maker(tag) => Some(without_widgets(tag)),
        // Readability removes form fields.
        "input" => symbol(tag).map(Cow::into_owned),
        // To Readability a paragraph with only audio or video is empty, one with a frame is not.
        "audio" | "video" => Some(format!("<p><iframe{KNOWN}></iframe>{}", &source[source.len() - tag.length..])),
        "iframe" | "embed" | "object" | "param" | "script" => {
            let given = TagAttributes::read(tag.attributes.clone());
            let address = match name {
                "iframe" => given.first(sanitise::FRAME_SOURCES),
                "object" => given.get("data"),
                "param" => given.get("value"),
                _ => given.get("src"),
            };
            let url = urls::web(address?, base)?;
            embeds::embed(&url)?;
            Some(match name {
                "script" => frame(&url) + source,
                _ => {
                    // `source` may begin with a comment before the tag.
                    let start = source.len() - tag.length + 1 + name.len();
                    format!("<{name}{KNOWN}{}", &source[start..])
                }
            })
        }
        name if name.contains('-') => {
            let (_, attribute, address) = embeds::player(name)?;
            let id =
                TagAttributes::read(tag.attributes.clone()).first([*attribute, "data-videoid", "data-src"])?.to_owned();
            let url = urls::web(&format!("{address}{id}"), base)?;
            embeds::embed(&url)?;
            Some(frame(&url) + source)
        }
        _ => None,
    }
}

fn is_class_or_id(attribute: &str) -> bool {
    matches!(attribute, "class" | "id")
}

/// Returns the tag without some of its attributes.
pub(super) fn without(tag: &Tag<'_>, is_removed: impl Fn(&str) -> bool) -> String {
    let mut out = AttributeWriter(format!("<{}", tag.name));
    for (name, value) in tag.attributes.clone().filter(|(name, _)| !is_removed(name)) {
        // Other names could end the tag.
        if name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_:".contains(&b)) {
            out.set(&name, &value);
        }
    }
    out.0 + ">"
}

fn frame(url: &Url) -> String {
    let mut out = AttributeWriter(format!("<p><iframe{KNOWN}"));
    out.set("src", url.as_str());
    out.0 + "></iframe></p>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(html: &str, expected: &str) {
        assert_eq!(prepare(html, "https://a.example/"), expected);
    }

    #[test]
    fn marks_players() {
        is(
            "<!-- c --><iframe src=//tube.example/videos/embed/1></iframe>",
            "<iframe data-known=\"//www.youtube.com/\" src=//tube.example/videos/embed/1></iframe>",
        );
        is(
            "<lite-youtube videoid=q></lite-youtube>",
            "<p><iframe data-known=\"//www.youtube.com/\" src=\"https://www.youtube.com/embed/q\"></iframe></p><lite-youtube videoid=q></lite-youtube>",
        );
        is("<iframe src=//a.example/x></iframe>", "<iframe src=//a.example/x></iframe>");
    }

    #[test]
    fn steps_with_images_are_paragraphs() {
        is(
            "<ol><li>Stir it for ten minutes.<img src=a></li><li>Short<img src=b></li><li><a href=x>A link of some length<img src=c></a></ol>",
            "<ol><li><p>Stir it for ten minutes.<img src=a></li><li>Short<img src=b></li><li><a href=x>A link of some length<img src=c></a></ol>",
        );
    }

    #[test]
    fn images_with_a_hidden_label_are_kept() {
        let text =
            "<p>The boats were in the harbour, and no one was about to repair a net, or to sell a fish.</p>".repeat(4);
        for image in [
            "<div><div class='visually-hidden'>Image</div><div><img src=/b.jpg></div></div>",
            "<div class=field-media><article class=media><div class=field-media-image><img src=/b.jpg></div></article></div>",
            "<div class='field-media label-visually_hidden'><p class=sr-only>Image</p><div><img src=/b.jpg></div></div>",
        ] {
            let page = format!("<title>Harbour</title><article><h1>Harbour</h1>{text}{image}{text}</article>");
            let found =
                crate::extract(&page, "https://a.example/x").map(|found| found.content_html).unwrap_or_default();
            assert!(found.contains("https://a.example/b.jpg"), "{image}: {found}");
        }
    }

    #[test]
    fn boxes_of_images_have_no_misleading_names() {
        is(
            "<div class='field field-media-image' id=x><div class='media visually_hidden'>Image</div><div><img src=a></div></div>",
            "<div><div class='media visually_hidden'>Image</div><div><img src=a></div></div>",
        );
        for kept in [
            "<div class=media><a href=b><img src=a></a></div>",
            "<div class=media><img src=a>The words of a comment.</div>",
            "<div class='media social-share'><img src=a></div>",
            "<div class=mediabox><img src=a></div>",
            "<div class=media>a</div><img src=a>",
        ] {
            is(kept, kept);
        }
    }

    #[test]
    fn boxes_of_page_makers_have_no_names() {
        is(
            "<div class='elementor-element elementor-widget elementor-widget-image' id=x><div class=elementor-widget-container><img src=a>",
            "<div id=\"x\"><div><img src=a>",
        );
        is(
            "<div class='elementor-widget elementor-widget-text-editor author-bio'>a</div><div class='widget-span widget-type-cell blog-sidebar'>b",
            "<div class=\"author-bio\">a</div><div class=\"blog-sidebar\">b",
        );
        let kept = "<div class='elementor-widget elementor-widget-share-buttons'>a</div><div class='widget widget_text'>b</div>\
                    <section class='widget widget_sow-editor'>c";
        is(kept, kept);
    }

    #[test]
    fn pages_of_page_makers_are_whole() {
        let widget = |kind: &str, content: &str| {
            format!(
                "<div class='elementor-element elementor-widget elementor-widget-{kind}'>\
                 <div class=elementor-widget-container>{content}</div></div>"
            )
        };
        let section = |name: &str| {
            let text =
                format!("The {name} were in the harbour and no one was about to repair a net or to sell a fish.");
            let parts = [
                widget("heading", &format!("<h2>{name}</h2>")),
                widget("text-editor", &format!("<p>{text}</p>")),
                widget("image", &format!("<img src=/{name}.jpg width=800>")),
            ];
            format!("<div class='e-con e-parent'><div class=e-con-inner>{}</div></div>", parts.concat())
        };
        let names = ["Boats", "Carts", "Ships", "Nets", "Sails"];
        let sections = names.map(section).concat();
        let page = format!("<title>Harbour</title><div class=elementor><h1>Harbour</h1>{sections}</div>");
        let found = crate::extract(&page, "https://a.example/x").map(|found| found.content_html).unwrap_or_default();
        for name in names {
            for part in [format!("<h2>{name}</h2>"), format!("The {name}"), format!("/{name}.jpg")] {
                assert!(found.contains(&part), "{part}: {found}");
            }
        }
    }

    #[test]
    fn steps_with_long_image_tags_are_paragraphs() {
        let image = format!("<img srcset='{}'>", "a, ".repeat(2000));
        is(
            &format!("<li>Stir it for ten minutes.{image}</li>"),
            &format!("<li><p>Stir it for ten minutes.{image}</li>"),
        );
    }

    #[test]
    fn shows_what_follows_a_paragraph() {
        let hidden = "<p>a</p> <div class=x hidden>b</div>";
        assert_eq!(unhidden(hidden).as_deref(), Some("<p>a</p> <div class=\"x\">b</div>"));
        assert_eq!(unhidden("<div>a</div><div hidden>b</div>"), None);
    }

    #[test]
    fn keeps_the_boxes_of_task_lists() {
        is("<li><input type=checkbox disabled checked> a<input name=b>", "<li>☑ a<input name=b>");
    }

    #[test]
    fn removes_misleading_names() {
        is("<body class=has-sidebar lang=en><h2 id=x>a", "<body lang=\"en\"><h2 id=x>a");
        is("<h2 class='sub-header' onclick='>'>a", "<h2 onclick=\"&gt;\">a");
    }
}
