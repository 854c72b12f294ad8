//! Finds the author and the date of an article in elements that the page marks as such, as blog themes do (hAtom, microformats 2,
//! microdata). Readability only reads the first element with such a name, which may be the label before the author.

use super::{byline, metadata, tree::Tree};
use gleaner_html::{
    one_line,
    tokens::{Tag, Token, Tokens},
};

/// Maximum length of the HTML of such an element, in bytes.
const MAX_ELEMENT: usize = 2000;
/// Maximum number of such elements that are read.
const MAX_READ: usize = 50;
/// Maximum length of the name of an author, in bytes.
const MAX_NAME: usize = 100;

/// Properties of an article whose values are other works with their own authors and dates (schema.org, `CreativeWork`).
const OTHER_WORKS: [&str; 11] = [
    "about",
    "associatedMedia",
    "audio",
    "citation",
    "comment",
    "image",
    "isBasedOn",
    "itemReviewed",
    "mentions",
    "review",
    "video",
];
/// Beginnings of links to all articles of an author, in lower case.
const ALL_OF_AUTHOR: [&str; 6] = ["alle beiträge", "more ", "posts by", "ver todas", "view all", "voir tous"];

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, PartialEq, Eq, Copy)]
enum Known {
    #[default]
    Other,
    Author,
    /// The element, or an attribute of it, has the date.
    Date,
    /// Comments, lists of other articles, and works that the article is about, contains or quotes: the authors and dates in them do not
    /// belong to this article.
    Apart,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let class = tag.attributes.get("class").unwrap_or_default().to_ascii_lowercase();
        let id = tag.attributes.get("id").unwrap_or_default().to_ascii_lowercase();
        let is = |name: &str| class.split_ascii_whitespace().any(|class| class == name);
        let has = |attribute: &str, value: &str| {
            tag.attributes
                .get(attribute)
                .is_some_and(|values| values.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(value)))
        };
        let is_apart = matches!(&*tag.name, "nav" | "aside")
            || is("sidebar")
            // Blogger calls the article "Widget Blog".
            || is("widget") && !is("blog")
            || is("h-cite")
            || tag.attributes.get("itemscope").is_some() && OTHER_WORKS.iter().any(|name| has("itemprop", name))
            || [&class, &id].iter().any(|names| names.contains("comment") || names.contains("related"));
        match () {
            () if is_apart => Self::Apart,
            () if has("itemprop", "datePublished") || is("published") || is("dt-published") || is("entry-date") => {
                Self::Date
            }
            () if has("rel", "author")
                || has("itemprop", "author")
                || is("author") && is("vcard")
                || is("p-author") =>
            {
                Self::Author
            }
            () => Self::Other,
        }
    }
}

/// Returns the author and the date of publication, in RFC 3339, that a page marks. Each is `None` if the page marks different ones in
/// several places.
pub(super) fn author_and_date(page: &str) -> (Option<String>, Option<String>) {
    let tree = Tree::read(page, Known::read);
    let (mut authors, mut dates) = (Vec::new(), Vec::new());
    let (mut end, mut left) = (0, MAX_READ);
    for element in &tree.elements {
        let range = element.range();
        let html = || page.get(range.clone()).filter(|html| html.len() <= MAX_ELEMENT);
        if left == 0 {
            break;
        }
        match element.known {
            Known::Apart => end = end.max(range.end),
            Known::Author | Known::Date if range.start < end => {}
            Known::Author => {
                left -= 1;
                authors.extend(html().and_then(author));
            }
            Known::Date => {
                left -= 1;
                dates.extend(html().and_then(date));
            }
            Known::Other => {}
        }
    }
    (only(authors), only(dates))
}

/// Returns the value of a list if all of its values are the same.
fn only(mut values: Vec<String>) -> Option<String> {
    values.dedup();
    values.pop().filter(|_| values.is_empty())
}

fn author(html: &str) -> Option<String> {
    let is_link_to_all = |name: &str| ALL_OF_AUTHOR.iter().any(|begin| name.to_lowercase().starts_with(begin));
    byline::names(&crate::plain_text(html)).filter(|name| name.len() <= MAX_NAME && !is_link_to_all(name))
}

/// Returns the date in the attributes or the text of an element.
fn date(html: &str) -> Option<String> {
    let Token::Start(tag) = Tokens::new(html).next()? else { return None };
    ["datetime", "content", "title"]
        .iter()
        .find_map(|name| metadata::parsed(&tag.attributes.get(name)?))
        .or_else(|| metadata::parsed(&one_line(&crate::plain_text(html)).to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_marked_authors_and_dates() {
        for html in [
            "<span class=meta-prep-author>Posted on</span> <span class=entry-date>May 4, 2012</span> by <span class='author vcard'><a>A. Writer</a></span>",
            "<div class='widget Blog'>Posted by <span itemprop=author><b>A. Writer</b></span> at <abbr class=published title='2012-05-04T02:00:00+02:00'>2:00</abbr></div>",
            "<a rel=author>A. Writer</a><span class='p-author h-card'>A. Writer</span><span itemprop=datePublished content=2012-05-04>4 May</span>",
            "<i class='author vcard'>by A. Writer</i><time class=dt-published datetime=2012-05-04>x</time>\
             <div class=related-posts><i class='author vcard'>B. Writer</i></div><ol id=comments><i class='author vcard'>C. Writer</i></ol>",
            "<i class='author vcard'>A. Writer</i><i class=published title=2012-05-04>x</i><a rel=author>View all posts by A. Writer</a>\
             <div itemprop=itemReviewed itemscope>Plums, by <i itemprop=author>B. Writer</i>, <i itemprop=datePublished content=1999-01-01>1999</i></div>\
             <div class='p-in-reply-to h-cite'><i class=p-author>C. Writer</i></div>",
        ] {
            let found = author_and_date(html);
            assert_eq!(found, (Some("A. Writer".to_owned()), Some("2012-05-04T00:00:00Z".to_owned())), "{html}");
        }
    }

    #[test]
    fn leaves_what_is_marked_differently() {
        let of = |name: &str, day: u32| {
            format!("<i class='author vcard'>{name}</i><i class=published title=2012-05-0{day}>x</i>")
        };
        assert_eq!(author_and_date(&format!("{}{}", of("A. Writer", 4), of("B. Writer", 5))), (None, None));
        assert_eq!(
            author_and_date(&format!("<p class=author>A. Writer</p><p class=published>{}", "x ".repeat(2000))),
            (None, None)
        );
        assert_eq!(author_and_date("<i rel=author>Author</i><i class=published>yesterday</i>"), (None, None));
    }
}
