//! Finds the images and players that Readability drops as boxes of little text: galleries, figures and players between two paragraphs that
//! were found, and galleries after the last one.

use super::{boilerplate, container, noscripts, prepare};
use crate::{attributes::TagAttributes, embeds};
use gleaner_html::{
    elements::{is_block, is_void},
    references,
    tokens::{Tag, Token, Tokens},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};
use url::Url;

/// Minimum number of images of a gallery.
const MIN_IMAGES: usize = 2;
/// Maximum length in bytes of the text of a gallery besides captions. With more text, the images belong to links to other articles.
const MAX_TEXT: usize = 60;
/// Minimum width and height in pixels of an image that is not an icon.
const MIN_SIZE: u32 = 100;

/// Parts of classes and addresses of other images.
const OTHER: [&str; 9] = [".svg", "avatar", "emoji", "icon", "logo", "pixel", "share", "sprite", "zoom"];
/// Classes of hidden elements and of elements beside an article.
const ASIDE: [&str; 4] = ["ad", "ads", "hidden", "sidebar"];
/// Endings of the addresses of images.
const FILES: [&str; 6] = [".avif", ".gif", ".jpeg", ".jpg", ".png", ".webp"];

/// The content between two found paragraphs of a page.
#[derive(Debug, Default)]
struct Gap {
    /// The images, or the figures around them.
    images: Vec<Range<usize>>,
    /// The number of images.
    count: usize,
    /// The names of the last one.
    last: Vec<String>,
    /// Length of the text outside of captions.
    text: usize,
    /// The letters of that text.
    letters: String,
    /// Whether an element has the name of a gallery: its images link to pages of their own.
    is_named: bool,
    /// Whether it contains an element that no gallery contains.
    has_other: bool,
    /// Whether it contains a player of a known service.
    has_player: bool,
    /// Whether a figure has an image in several sizes.
    has_sizes: bool,
    /// Whether an image is neither in a figure nor a link to its file.
    has_plain: bool,
    /// Whether an image or player is in an element that is hidden, or whose names are those of boilerplate.
    has_unwanted: bool,
}

impl Gap {
    /// Whether it consists of several images.
    fn is_gallery(&self) -> bool {
        self.count >= MIN_IMAGES && self.text <= MAX_TEXT && !self.has_other
    }

    /// Whether the images are a gallery without a paragraph after them, and do not belong to links to other articles.
    fn is_last_gallery(&self) -> bool {
        self.is_gallery() && (self.is_named || !self.has_plain)
    }

    /// Whether the found article lacks only an image in a figure, or players. If it also lacks a word, they may belong to a link to another
    /// article, or to an author.
    fn is_alone(&self, found: &str) -> bool {
        let is_figure = self.count == 1 && !self.has_plain && !self.has_sizes;
        (is_figure || self.count == 0 && self.has_player)
            && self.letters == found
            && !self.is_named
            && !self.has_other
            && !self.has_unwanted
    }

    fn html(&self, page: &str, with_players: bool) -> String {
        let is_player = |html: &str| html.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("<iframe"));
        let end = |html: &str| if is_player(html) { "</iframe>" } else { "" };
        let all = self.images.iter().map(|image| &page[image.clone()]);
        all.filter(|html| with_players || !is_player(html))
            .map(|html| format!("<div>{html}{}</div>", end(html)))
            .collect()
    }
}

/// Returns the found article with the galleries of the page that it lacks.
pub(super) fn with_missed(found: String, page: &str) -> String {
    let places = places(&found);
    let shown: HashSet<String> = Tokens::new(&found)
        .filter_map(|token| match token {
            Token::Start(tag) if matches!(&*tag.name, "img" | "source") => Some(noscripts::image_names(&tag)),
            Token::Start(tag) if tag.name == "iframe" => {
                Some(tag.attributes.get("src").into_iter().map(Cow::into_owned).collect())
            }
            _ => None,
        })
        .flatten()
        .collect();
    let mut gap = Gap::default();
    // The number of the found text before the gap.
    let mut before: Option<usize> = None;
    // Whether a link to another page or a caption is open, and where a figure begins.
    let (mut in_link, mut in_caption, mut figure) = (false, false, None);
    let mut in_file_link = false;
    // The name of the open element that is hidden or boilerplate, and how many elements of this name are open.
    let mut unwanted: Option<(Cow<'_, str>, usize)> = None;
    // The gallery after the last found text, once its end is known.
    let mut last: Option<String> = None;
    let end = |gap: &Gap, before: Option<usize>, last: &mut Option<String>| {
        if last.is_none() && before.is_some_and(|before| before + 1 == places.len()) {
            *last = Some(if gap.is_last_gallery() { gap.html(page, false) } else { String::new() });
        }
    };
    let mut edits: Vec<(usize, String)> = Vec::new();
    let mut tokens = Tokens::new(page);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match &token {
            Token::Start(tag) => match &mut unwanted {
                Some((name, depth)) => *depth += usize::from(*name == tag.name),
                None if !is_void(&tag.name) && is_unwanted(tag) => unwanted = Some((tag.name.clone(), 1)),
                None => {}
            },
            Token::End(name) => {
                if let Some((open, depth)) = &mut unwanted {
                    *depth -= usize::from(open == name);
                }
                unwanted = unwanted.filter(|(_, depth)| *depth > 0);
            }
            _ => {}
        }
        match token {
            Token::Start(tag) => match &*tag.name {
                "img" if !in_link && is_large(&tag) => {
                    let names = noscripts::image_names(&tag);
                    // A figure may have an image in several sizes.
                    let is_same = figure.is_some() && names == gap.last;
                    gap.has_sizes |= is_same;
                    if !names.is_empty() && !is_same && !names.iter().any(|name| shown.contains(name)) {
                        gap.count += 1;
                        gap.has_unwanted |= unwanted.is_some();
                        gap.has_plain |= figure.is_none() && !in_file_link;
                        gap.last = names;
                        gap.images.push(to - tag.length..to);
                    }
                }
                "iframe" => {
                    if player(&tag).is_some_and(|address| !shown.contains(&*address)) {
                        gap.has_player = true;
                        gap.has_unwanted |= unwanted.is_some();
                        gap.images.push(to - tag.length..to);
                    }
                }
                "a" => {
                    let href = tag.attributes.get("href");
                    in_file_link = href.as_ref().is_some_and(|href| is_image(href));
                    in_link = !gap.is_named && href.is_some() && !in_file_link;
                }
                "figcaption" => in_caption = true,
                "aside" | "footer" | "form" | "header" | "nav" => {
                    end(&gap, before, &mut last);
                    gap.has_other = true;
                }
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => end(&gap, before, &mut last),
                name => {
                    gap.is_named |= tag.attributes.get("class").is_some_and(|class| class.contains("gallery"));
                    if name == "figure" {
                        figure = Some(to - tag.length);
                        gap.last.clear();
                    }
                }
            },
            Token::End(name) => match &*name {
                "a" => (in_link, in_file_link) = (false, false),
                "article" | "main" => end(&gap, before, &mut last),
                "figcaption" => in_caption = false,
                // An image with its caption.
                "figure" => {
                    if let Some(start) = figure.take()
                        && gap.images.last().is_some_and(|last| last.start >= start)
                    {
                        while gap.images.pop_if(|image| image.start >= start).is_some() {}
                        gap.images.push(start..to);
                    }
                }
                _ => {}
            },
            Token::Text(text) if !in_caption && !in_file_link => {
                let is_sentence = !in_link && text.trim().len() >= container::MIN_SENTENCE;
                let letters = key(text);
                match places.get(&letters).filter(|_| is_sentence) {
                    Some(place) => {
                        let gap = std::mem::take(&mut gap);
                        let is_next = before.is_some_and(|before| before + 1 == place.number);
                        let is_alone = gap.is_alone(&place.before);
                        if let Some(start) = place.start.filter(|_| is_next && (is_alone || gap.is_gallery())) {
                            edits.push((start, gap.html(page, is_alone)));
                        }
                        unwanted = None;
                        before = Some(place.number);
                        last = None;
                    }
                    None => {
                        if gap.text + text.trim().len() > MAX_TEXT {
                            end(&gap, before, &mut last);
                        }
                        gap.text += text.trim().len();
                        gap.letters += &letters;
                    }
                }
            }
            _ => {}
        }
    }
    end(&gap, before, &mut last);
    let found = if edits.is_empty() { found } else { inserted(&found, edits) };
    found + &last.unwrap_or_default()
}

/// Returns the article with galleries, each at its position.
fn inserted(found: &str, mut edits: Vec<(usize, String)>) -> String {
    // The page may contain a text twice.
    edits.sort_by_key(|(start, _)| *start);
    edits.dedup_by_key(|(start, _)| *start);
    let mut out = String::new();
    let mut from = 0;
    for (start, html) in edits {
        out.push_str(&found[from..start]);
        out.push_str(&html);
        from = start;
    }
    out + &found[from..]
}

/// A text of the found article.
#[derive(Debug)]
struct Place {
    number: usize,
    /// Where the first block after the text before it begins.
    start: Option<usize>,
    /// The letters of the texts between it and the sentence before.
    before: String,
}

/// Returns the texts of the found article by their keys.
fn places(found: &str) -> HashMap<String, Place> {
    let mut places = HashMap::new();
    let (mut start, mut in_link, mut in_caption) = (None, false, false);
    let mut before = String::new();
    let mut tokens = Tokens::new(found);
    while let Some(token) = tokens.next() {
        match token {
            Token::Start(tag) => {
                in_link |= tag.name == "a";
                in_caption |= tag.name == "figcaption";
                if is_block(&tag.name) {
                    start = start.or(Some(tokens.position() - tag.length));
                }
            }
            Token::End(name) => {
                in_link &= name != "a";
                in_caption &= name != "figcaption";
            }
            Token::Text(text) if !text.trim().is_empty() => {
                if !in_link && text.trim().len() >= container::MIN_SENTENCE {
                    let (number, before) = (places.len(), std::mem::take(&mut before));
                    places.entry(key(text)).or_insert(Place { number, start, before });
                } else if !in_caption {
                    before += &key(text);
                }
                start = None;
            }
            _ => {}
        }
    }
    places
}

fn key(text: &str) -> String {
    container::key(&references::decode(text))
}

/// Whether an element is hidden, or its names are those of boilerplate.
fn is_unwanted(tag: &Tag<'_>) -> bool {
    let is_named = |(name, value): (Cow<'_, str>, Cow<'_, str>)| {
        let is_aside = || value.split_ascii_whitespace().any(|name| ASIDE.contains(&name));
        matches!(&*name, "class" | "id") && (boilerplate::is_named(&value) || is_aside())
    };
    prepare::is_hidden(tag) || tag.attributes.clone().any(is_named)
}

/// Whether an image is not known to be an icon.
fn is_large(tag: &Tag<'_>) -> bool {
    let given = TagAttributes::read(tag.attributes.clone());
    let is_other = |(name, value): (Cow<'_, str>, Cow<'_, str>)| {
        let value = if matches!(&*name, "class" | "src") { value.to_ascii_lowercase() } else { String::new() };
        OTHER.iter().any(|part| value.contains(part))
    };
    ["width", "height"].iter().all(|side| given.pixels(side).is_none_or(|size| size >= MIN_SIZE))
        && !tag.attributes.clone().any(is_other)
}

/// Returns the address of a player of a known service.
fn player<'a>(tag: &Tag<'a>) -> Option<Cow<'a, str>> {
    let address = tag.attributes.get("src")?;
    let url = Url::parse("https://localhost").and_then(|base| base.join(&address)).ok()?;
    embeds::embed(&url).is_some().then_some(address)
}

/// Whether a link leads to an image.
fn is_image(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default().trim().to_ascii_lowercase();
    FILES.iter().any(|ending| path.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "<p>The boats were in the harbour, and no one was about to repair a net before noon.</p>";
    const SECOND: &str = "<p>Then the bell of the chapel rang, and all of them looked up from their work.</p>";

    fn with(between: &str) -> String {
        with_missed(format!("{FIRST}{SECOND}"), &format!("<main>{FIRST}{between}{SECOND}</main>"))
    }

    #[test]
    fn finds_images_between_paragraphs() {
        let figures = "<figure><img src=a.jpg><figcaption>The first pier, which is made of wood.</figcaption></figure>\
<figure><a href=/b.jpg><img src=b.jpg></a></figure>";
        let items = figures.replace("<figure>", "<div><figure>").replace("</figure>", "</figure></div>");
        assert_eq!(with(&format!("<div>{figures}</div>")), format!("{FIRST}{items}{SECOND}"));
        let figure = "<div><figure><img src=a.jpg><figcaption>The pier</figcaption></figure></div>";
        assert_eq!(with(figure), format!("{FIRST}{figure}{SECOND}"));
        let images = "<div><img src=a.jpg></div><div><img src=b.jpg></div>";
        let titled = "<a href=/a.jpg><img src=a.jpg>A title that is as long as a sentence</a>";
        let two = format!("{titled}{}", titled.replace("a.jpg", "b.jpg"));
        assert_eq!(with(&two), format!("{FIRST}{images}{SECOND}"));
        let linked =
            "<dl class=gallery-item><dt><a href=/1><img src=a.jpg></a></dl><dl><dt><a href=/2><img src=b.jpg></a></dl>";
        assert_eq!(with(linked), format!("{FIRST}{images}{SECOND}"));
    }

    #[test]
    fn finds_images_with_the_same_details_as_one_that_is_found() {
        let image = |name: &str| {
            format!(
                "<img src={name}.jpg data-permalink='/{name}/d.e/' data-pin-url=/d.e data-x=/d.e/ data-image-meta='{{\"aperture\":\"2.8\"}}' alt='St. {name}'>"
            )
        };
        let first = format!("{}{FIRST}", image("c"));
        let page = format!("<main>{first}{}{}{SECOND}</main>", image("a"), image("b"));
        let found = with_missed(format!("{first}{SECOND}"), &page);
        assert_eq!(found, format!("{first}<div>{}</div><div>{}</div>{SECOND}", image("a"), image("b")));
    }

    #[test]
    fn finds_players_between_paragraphs() {
        let player = "<iframe src=//www.youtube.com/embed/abcdefghijk></iframe>";
        assert_eq!(with(&format!("<div class=x>{player}</div>")), format!("{FIRST}<div>{player}</div>{SECOND}"));
        let found = format!("{FIRST}{player}{SECOND}");
        assert_eq!(with_missed(found.clone(), &found), found);
        for other in ["<iframe src=https://ads.example/1></iframe>", "<iframe></iframe>"] {
            assert_eq!(with(other), format!("{FIRST}{SECOND}"), "{other}");
        }
    }

    #[test]
    fn leaves_single_images_and_players_of_something_else() {
        let figure = "<figure><img src=a.jpg></figure>";
        let player = "<iframe src=//www.youtube.com/embed/abcdefghijk></iframe>";
        for other in [
            format!("<div>{figure}<h4><a href=/other>The price of fish</a></h4></div>"),
            format!("<div>{figure}<span>Ann Miller</span></div>"),
            format!("<div class=gallery><a href=/other>{figure}</a></div>"),
            format!("<div>{player}<h4>Watch also</h4></div>"),
            format!("<div><a href=/other><img src=a.jpg></a>{player}<a href=/other>The film of the year</a></div>"),
        ] {
            assert_eq!(with(&other), format!("{FIRST}{SECOND}"), "{other}");
        }
        for one in [figure, player] {
            for tag in ["style='display:none'", "hidden", "class=related-video", "id=author-box", "class='x ad'"] {
                let other = format!("<div {tag}><div><br></div><div>{one}</div></div>");
                assert_eq!(with(&other), format!("{FIRST}{SECOND}"), "{other}");
            }
            let other = format!("<div class=share><div></div></div>{one}<div hidden></div>");
            assert_eq!(with(&other), format!("{FIRST}<div>{one}</div>{SECOND}"));
        }
        let two = "<img src=a.jpg><img src=b.jpg>";
        let images = "<div><img src=a.jpg></div><div><img src=b.jpg></div>";
        assert_eq!(with(&format!("{two}<p>Watch also</p>{player}")), format!("{FIRST}{images}{SECOND}"));
    }

    #[test]
    fn finds_single_images_next_to_other_found_text() {
        let first = FIRST.replace("</p>", " (<a href=/source>source</a>).</p>");
        let second = format!("<h2>The chapel</h2>{SECOND}");
        let figure = "<figure><img src=a.jpg></figure>";
        let found = with_missed(format!("{first}{second}"), &format!("<main>{first}{figure}{second}</main>"));
        assert_eq!(found, format!("{first}<h2>The chapel</h2><div>{figure}</div>{SECOND}"));
    }

    #[test]
    fn finds_images_after_the_last_paragraph() {
        let gallery = "<figure><img src=a.jpg></figure><a href=/b.jpg><img src=b.jpg></a>";
        let with = |after: &str| {
            let paragraphs = format!("{FIRST}{SECOND}");
            with_missed(paragraphs.clone(), &format!("<main>{paragraphs}{after}</main>")).replacen(&paragraphs, "", 1)
        };
        let found = "<div><figure><img src=a.jpg></figure></div><div><img src=b.jpg></div>";
        for rest in [
            "",
            "<footer><img src=c.jpg></footer>",
            "<h3>Related</h3><img src=c.jpg>",
            "<p>One more text of the page, which is not a part of the article.</p>",
        ] {
            assert_eq!(with(&format!("{gallery}{rest}")), found, "{rest}");
        }
        let named = "<div class=gallery><a href=/1><img src=a.jpg></a><a href=/2><img src=b.jpg></a></div>";
        assert_eq!(with(named), "<div><img src=a.jpg></div><div><img src=b.jpg></div>");
        for other in [
            "<img src=a.jpg><img src=b.jpg>",
            "<h3>Related</h3><figure><img src=a.jpg></figure><figure><img src=b.jpg></figure>",
        ] {
            assert_eq!(with(other), "", "{other}");
        }
    }

    #[test]
    fn leaves_images_of_links_icons_and_what_is_found() {
        let two = "<img src=a.jpg><img src=b.jpg>";
        for between in [
            "<img src=a.jpg>".to_owned(),
            "<figure><img src=a.jpg><img src=/small/a.jpg></figure>".to_owned(),
            "<a href=/1><img src=a.jpg></a><a href=/2><img src=b.jpg></a>".to_owned(),
            format!("<div>{two}</div><h3>Another story of the harbour</h3><p>And what it is about, in a few words</p>"),
            format!("<nav>{two}</nav>"),
            "<img src=a.jpg width=20><img src=b.jpg><img src=icon.png>".to_owned(),
        ] {
            assert_eq!(with(&between), format!("{FIRST}{SECOND}"), "{between}");
        }
        let found = format!("{FIRST}{two}{SECOND}");
        assert_eq!(with_missed(found.clone(), &found), found);
        // Other content was found between them.
        let other = format!("{FIRST}<p>One more paragraph of the article, which is long enough.</p>{SECOND}");
        assert_eq!(with_missed(other.clone(), &format!("{FIRST}{two}{SECOND}")), other);
    }
}
