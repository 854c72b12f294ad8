//! Removes captions that a page contains several times: in full and shortened, at the image and below the gallery.

use super::{boilerplate, container, tree::Tree};
use gleaner_html::tokens::{Tag, Token, Tokens};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Words in classes of captions.
const NAMES: [&str; 2] = ["caption", "captions"];
/// Elements that captions belong to.
const ILLUSTRATIONS: [&str; 13] = [
    "audio", "canvas", "embed", "iframe", "img", "math", "object", "picture", "pre", "svg", "table", "video", "amp-img",
];
/// Length of a caption in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 40..=2000;
/// Maximum length of a caption with its tags in bytes.
const MAX_CAPTION: usize = 10_000;
/// Maximum length of other text in a box with a caption and its repetition, such as the photographer, in bytes.
const MAX_CREDIT: usize = 60;
/// Number of letters by which captions are compared first.
const START: usize = 30;
/// Maximum number of captions with the same start that are compared.
const MAX_SAME: usize = 8;
/// Endings of captions that open and close, in lower case.
const ENDS: [&str; 8] = ["more", "less", "readmore", "showmore", "mehr", "weniger", "weiterlesen", "plus"];

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Figure,
    Caption,
    /// Its image is in another row.
    Cell,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let is_named = |(name, value): (Cow<'_, str>, Cow<'_, str>)| {
            name == "class" && value.split_ascii_whitespace().any(|name| boilerplate::has_word(name, &NAMES))
        };
        match &*tag.name {
            "figure" => Self::Figure,
            "figcaption" => Self::Caption,
            "table" | "tr" | "td" | "th" => Self::Cell,
            // A button that opens and closes the caption around it.
            "a" | "button" => Self::Other,
            _ if tag.attributes.clone().any(is_named) => Self::Caption,
            _ => Self::Other,
        }
    }
}

/// A caption in an article.
struct Caption {
    /// Its letters.
    text: String,
    range: Range<usize>,
    /// Length of its text.
    length: usize,
    /// The start of the element around it, and the length of that element's text.
    parent: Option<(usize, usize)>,
    has_own_image: bool,
}

impl Caption {
    /// Whether another caption contains this one. Lines of a transcript do not count: the element around them contains more than these two.
    fn repeats(&self, other: &Self) -> bool {
        let both = self.length + other.length + MAX_CREDIT;
        let in_transcript = self.parent == other.parent && self.parent.is_some_and(|(_, length)| length > both);
        !self.has_own_image && !in_transcript && other.text.starts_with(&self.text)
    }
}

/// Returns an article without captions that other captions in it contain, unless they are next to another image. The class names of
/// captions are in the page; Readability removes them.
pub(super) fn without_repeated<'a>(article: &'a str, page: &str) -> Cow<'a, str> {
    let captions: HashSet<String> = {
        let tree = Tree::read(page, Known::read);
        innermost(&tree, |known| known == Known::Caption).map(|(range, _)| letters(&page[range])).collect()
    };
    if captions.is_empty() {
        return Cow::Borrowed(article);
    }
    let tree = Tree::read(article, Known::read);
    let images = images(article);
    if images.is_empty() {
        return Cow::Borrowed(article);
    }
    let has_image = |range: &Range<usize>| {
        images.get(images.partition_point(|image| *image < range.start)).is_some_and(|image| *image < range.end)
    };
    let figures: Vec<Range<usize>> =
        tree.elements.iter().filter(|element| element.known == Known::Figure).map(|element| element.range()).collect();
    // The captions by their first letters.
    let mut known: HashMap<String, Vec<Caption>> = HashMap::new();
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut around = Around { tree: &tree, open: Vec::new(), next: 0 };
    for (range, length) in innermost(&tree, |known| known != Known::Cell) {
        let text = letters(&article[range.clone()]);
        if !captions.contains(&text) {
            continue;
        }
        let figure = figures.get(figures.partition_point(|figure| figure.end <= range.start));
        let parent = around.parent(&range);
        let has_own_image = parent.as_ref().is_some_and(|(parent, _)| has_image(parent))
            || figure.is_some_and(|figure| figure.start <= range.start && has_image(figure));
        let parent = parent.map(|(parent, length)| (parent.start, length));
        let caption = Caption { text, range, length, parent, has_own_image };
        let same = known.entry(caption.text.chars().take(START).collect()).or_default();
        if same.iter().any(|other| caption.repeats(other)) {
            removed.push(caption.range);
        } else if same.len() < MAX_SAME {
            removed.extend(same.iter().filter(|other| other.repeats(&caption)).map(|other| other.range.clone()));
            same.retain(|other| !other.repeats(&caption));
            same.push(caption);
        }
    }
    removed.sort_by_key(|range| range.start);
    let mut out = String::new();
    let mut from = 0;
    for range in removed {
        out.push_str(article.get(from..range.start).unwrap_or_default());
        from = from.max(range.end);
    }
    if from == 0 { Cow::Borrowed(article) } else { Cow::Owned(out + &article[from..]) }
}

/// Finds the elements around positions, which are in order.
struct Around<'a> {
    tree: &'a Tree<Known>,
    /// Their positions, and the lengths of their texts.
    open: Vec<(Range<usize>, usize)>,
    /// Number of the next element.
    next: usize,
}

impl Around<'_> {
    /// Returns the innermost element around another one, and the length of its text.
    fn parent(&mut self, inner: &Range<usize>) -> Option<(Range<usize>, usize)> {
        while let Some(element) =
            self.tree.elements.get(self.next).filter(|element| element.range().start < inner.start)
        {
            let range = element.range();
            while self.open.pop_if(|(open, _)| open.end <= range.start).is_some() {}
            self.open.push((range, element.text()));
            self.next += 1;
        }
        while self.open.pop_if(|(open, _)| open.end <= inner.start).is_some() {}
        self.open.last().cloned()
    }
}

/// Returns the positions and lengths of the elements with the length of a caption that contain no other such elements.
fn innermost(tree: &Tree<Known>, is: impl Fn(Known) -> bool) -> impl Iterator<Item = (Range<usize>, usize)> {
    let ends = tree.elements.iter().skip(1).map(|element| element.range().start).chain([usize::MAX]);
    tree.elements
        .iter()
        .zip(ends)
        .filter(move |(element, next)| {
            is(element.known)
                && LENGTHS.contains(&element.text())
                && element.range().len() <= MAX_CAPTION
                && *next >= element.range().end
        })
        .map(|(element, _)| (element.range(), element.text()))
}

/// Returns the letters of a caption, without the words that open and close it.
fn letters(html: &str) -> String {
    let mut text = container::letters(html).to_lowercase();
    if let Some(end) = ENDS.iter().filter(|end| text.ends_with(**end)).max_by_key(|end| end.len()) {
        text.truncate(text.len() - end.len());
    }
    text
}

/// Returns the positions of all images, and of other elements with captions.
fn images(page: &str) -> Vec<usize> {
    let mut all = Vec::new();
    let mut tokens = Tokens::new(page);
    while let Some(token) = tokens.next() {
        if matches!(&token, Token::Start(tag) if ILLUSTRATIONS.contains(&&*tag.name)) {
            all.push(tokens.position() - 1);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTION: &str = "The boats of the village are in the harbour, as the storm has reached the coast.";

    /// The article as Readability returns it, without classes.
    fn article(page: &str) -> String {
        ["caption-full", "caption-truncated", "caption", "x captionText"]
            .iter()
            .fold(page.to_owned(), |page, class| page.replace(&format!(" class='{class}'"), ""))
    }

    #[test]
    fn removes_captions_that_are_there_several_times() {
        let once = format!("<ul><li><img src=a><div><p class='caption-full'>{CAPTION}</p></div></li></ul>");
        for other in [
            format!("<div class='caption-truncated'>{CAPTION}</div>"),
            format!("<p class='x captionText'>{} … more</p>", &CAPTION[..60]),
            format!("<p class='caption'><a href=x>{CAPTION}</a> less</p>"),
            format!("<p class='caption'>{CAPTION}<a class=more-caption> less</a></p>"),
        ] {
            let page = |end: &str| format!("{once}<div><b>1 of 2</b>{end}</div><img src=b>");
            let all = page(&other);
            assert_eq!(without_repeated(&article(&all), &all), article(&page("")), "{other}");
        }
        let twice = |again: &str| {
            format!(
                "<li><p><img src=a></p><div><p class='caption-full'>{CAPTION}</p>{again}<p>Photo: A. Writer</p></div>"
            )
        };
        for shown in [CAPTION, &CAPTION[..50]] {
            let all = twice(&format!("<p class='caption-truncated'>{shown}</p>"));
            assert_eq!(without_repeated(&article(&all), &all), article(&twice("")));
        }
        let short = |caption: &str| format!("<div>{caption}</div>{once}");
        let all = short(&format!("<p class='caption'>{} more</p>", &CAPTION[..60]));
        assert_eq!(without_repeated(&article(&all), &all), article(&short("")));
    }

    #[test]
    fn keeps_captions_of_other_images() {
        let figure = |of: &str| format!("<figure><img src=a><figcaption>{of}</figcaption></figure>");
        for kept in [
            figure(CAPTION).repeat(2),
            figure(CAPTION).replace("img src=a", "video src=a controls></video").repeat(2),
            figure(CAPTION).replace("img src=a", "audio src=a controls></audio").repeat(2),
            figure(CAPTION).replace("img src=a", "iframe src=a></iframe").repeat(2),
            figure(CAPTION).replace("<img src=a>", "<pre>a</pre>").repeat(2),
            // The lines of a transcript.
            format!("<p class=caption>{CAPTION}</p>").repeat(3),
            format!("<img src=a><div>{}</div>", format!("<p class=caption>{CAPTION}</p>").repeat(3)),
            figure(&format!("<b>1 of 2</b><span class=caption>{CAPTION}</span>")).repeat(2),
            format!("<table><tr><td><img src=a></td></tr><tr><td class=tr-caption>{CAPTION}</td></tr></table>")
                .repeat(2),
            format!("{}<div class=caption>{} The net is new.</div>", figure(CAPTION), CAPTION),
            "<p class=caption>The harbour</p>".repeat(2),
            format!("<p>{CAPTION}</p>").repeat(2),
        ] {
            assert_eq!(without_repeated(&kept, &kept), kept);
        }
        // The other one is not in the article.
        let caption = format!("<p>{CAPTION}</p>");
        assert_eq!(without_repeated(&caption, &figure(CAPTION)), caption);
    }
}
