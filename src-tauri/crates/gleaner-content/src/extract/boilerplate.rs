//! Removes boilerplate from an article: sharing buttons, links to other articles, newsletter forms, bylines.

mod cards;
mod dates;
mod lost;
mod names;
mod notices;
mod outline;

use super::tree::{self, Tree};
pub(super) use dates::worded_date;
use gleaner_html::tokens::Tag;
use names::Kind;
pub(super) use names::{has_word, is_named};
pub(super) use notices::without_notices;
use outline::Outline;
use std::ops::Range;
use url::Url;

type Element = tree::Element<Known>;

/// Maximum length of the text of a label, such as a byline, in bytes.
const LABEL: usize = 200;
/// Maximum length of a box that leads to another article, in bytes.
const TEASER: usize = 600;
/// Maximum length of the description of an author, in bytes.
const BIOGRAPHY: usize = 1000;
/// Maximum length of a paragraph that only refers to another article, in bytes.
const REFERENCE: usize = 400;

/// What the tag of an element says about it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    kind: Option<Kind>,
    /// Whether its names are those of a description of the author.
    is_biography: bool,
    /// Whether its class is that of line numbers of code.
    is_gutter: bool,
    is_block: bool,
    is_list: bool,
    /// Whether it is an item of a list or a cell of a table.
    is_item: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let is_item = matches!(&*tag.name, "li" | "td" | "th" | "dd" | "dt");
        let is_list = matches!(&*tag.name, "ul" | "ol");
        let mut known = Self { is_block: is_block(&tag.name), is_list, is_item, ..Self::default() };
        if tag.name.contains('-') {
            known.kind = names::kind(&tag.name);
        }
        for (name, value) in tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id")) {
            known.kind = known.kind.max(names::kind(&value));
            known.is_biography |= value.to_ascii_lowercase().contains("autho");
            known.is_gutter |= name == "class" && names::is_gutter(&value);
        }
        known
    }
}

/// Whether an element can stand alone and be removed.
#[rustfmt::skip]
fn is_block(name: &str) -> bool {
    name.contains('-') || matches!(
        name,
        "div" | "section" | "article" | "aside" | "ul" | "ol" | "p" | "nav" | "footer" | "header" | "form" | "table" | "li" | "dl" | "center" | "blockquote"
            | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
    )
}

/// Removes elements whose names or words mark them as boilerplate. Large ones stay: the name may be wrong.
/// `source`: the page, with its address `page` and its description.
pub(super) fn remove(html: &str, source: &str, page: Option<&Url>, description: Option<&str>) -> String {
    let tree = Tree::read(html, Known::read);
    let outline = Outline::read(&tree);
    let lost = lost::names(&tree, html, source, description);
    let mut removal =
        Removal { html, tree: &tree, lost, page, outline, budget: html.len() * 8, gone: 0, ranges: Vec::new() };
    removal.within(Tree::<Known>::ROOT);
    removal.cards_at_end();
    removal.links_at_end();
    removal.last_headings();
    let mut out = String::with_capacity(html.len());
    let mut from = 0;
    for range in removal.ranges {
        // The last heading may contain ranges that were removed before it.
        out.push_str(html.get(from..range.start).unwrap_or_default());
        from = from.max(range.end);
    }
    out.push_str(&html[from..]);
    out
}

struct Removal<'a> {
    html: &'a str,
    tree: &'a Tree<Known>,
    /// What the names of the elements say that Readability replaced.
    lost: Vec<Option<Known>>,
    page: Option<&'a Url>,
    outline: Option<Outline>,
    /// How many more bytes are read for their words, as nested elements have the same ones.
    budget: usize,
    /// Length of the text removed because of names.
    gone: usize,
    /// The removed parts, in order.
    ranges: Vec<Range<usize>>,
}

impl Removal<'_> {
    /// Removes boilerplate within an element.
    fn within(&mut self, parent: usize) {
        // Whether the last element was a heading of links to other articles.
        let mut after_heading = false;
        let mut children = self.tree.children(parent).peekable();
        while let Some(at) = children.next() {
            let element = &self.tree.elements[at];
            let next = children.peek().map(|next| &self.tree.elements[*next]);
            let words = self.words(element);
            let removed = after_heading && !element.is_heading && (is_links(element) || element.text() == 0)
                || element.known.is_gutter && !element.has_words
                || words.as_deref().is_some_and(|words| {
                    is_boilerplate(element, words, next)
                        || self.is_linked_heading(element, words)
                        || self.is_misplaced(element, words)
                        || self.is_offer(element, words)
                })
                || self.is_named_boilerplate(at);
            if removed {
                self.ranges.push(element.range());
                after_heading |= element.is_heading
                    && words.as_deref().is_some_and(|words| names::is_reference(words) && !names::is_section(words));
            } else {
                after_heading &= element.text() == 0;
                self.within(at);
            }
        }
    }

    /// Whether a short block is boilerplate because of its position: a date before or after the prose, a link between.
    fn is_misplaced(&self, element: &Element, words: &str) -> bool {
        let Some(outline) = self.outline else { return false };
        let range = element.range();
        let is_outside = range.end <= outline.first || range.start >= outline.last;
        let is_paragraph = !element.is_heading && !element.in_quote && !element.known.is_item;
        is_paragraph && is_outside && dates::is_date(words) && !self.html[range.clone()].contains("<img")
            || is_paragraph
                && range.start > outline.first
                && element.links() * 10 >= element.text() * 4
                && outline::is_labelled_link(&self.html[range], self.page)
    }

    /// Whether a heading is a link to another article.
    fn is_linked_heading(&self, element: &Element, words: &str) -> bool {
        element.is_heading
            && is_links(element)
            && names::is_reference(words)
            && !names::is_section(words)
            && outline::leads_to_others(&self.html[element.range()], self.page)
    }

    /// Whether a part of the article is an offer of a subscription.
    fn is_offer(&self, element: &Element, words: &str) -> bool {
        let is_part = element.text() * 2 <= self.tree.elements[Tree::<Known>::ROOT].text();
        is_part && element.links() > 0 && names::is_offer(words)
    }

    /// Removes boxes that lead to other articles after the prose.
    fn cards_at_end(&mut self) {
        let cards = cards::at_end(self.html, self.tree, self.page);
        self.ranges.retain(|range| {
            let at = cards.partition_point(|card| card.end <= range.start);
            cards.get(at).is_none_or(|card| range.start < card.start)
        });
        self.ranges.extend(cards);
        self.ranges.sort_by_key(|range| range.start);
    }

    /// Removes links to other articles after the prose.
    fn links_at_end(&mut self) {
        let Some(outline) = self.outline else { return };
        let ranges = outline::links_at_end(self.html, self.tree, outline, &self.ranges, self.page);
        if let Some(first) = ranges.first() {
            self.ranges.retain(|range| range.start < first.start);
            self.ranges.extend(ranges);
        }
    }

    /// Removes the last heading if nothing follows it, and those before it from which everything was removed.
    fn last_headings(&mut self) {
        let mut end = self.html.len();
        let mut empty = Vec::new();
        for heading in self.tree.elements.iter().rev().filter(|element| element.is_heading) {
            let Range { start, end: from } = heading.range();
            let at = self.ranges.partition_point(|range| range.end <= start);
            if self.ranges.get(at).is_some_and(|range| range.start <= start) {
                continue;
            }
            let after = self.left(from..end);
            let is_empty = from <= end
                && !after.contains("<img")
                && !after.contains("<iframe")
                && crate::plain_text(&after).trim().is_empty();
            // A long one is text.
            let is_title = heading.text() <= LABEL / 2 && !heading.in_quote;
            if !is_empty || !is_title || !empty.is_empty() && self.ranges.get(at).is_none_or(|range| range.start >= end)
            {
                break;
            }
            empty.push(start..from);
            end = start;
        }
        self.ranges.extend(empty);
        self.ranges.sort_by_key(|range| range.start);
    }

    /// Returns what is not removed of a part of the article.
    fn left(&self, part: Range<usize>) -> String {
        let mut left = String::new();
        let mut from = part.start;
        let first = self.ranges.partition_point(|range| range.end <= part.start);
        for range in self.ranges[first..].iter().take_while(|range| range.start < part.end) {
            left.push_str(self.html.get(from..range.start).unwrap_or_default());
            from = from.max(range.end);
        }
        left.push_str(self.html.get(from..part.end).unwrap_or_default());
        left
    }

    /// Returns the words of a short block in lower case.
    fn words(&mut self, element: &Element) -> Option<String> {
        let length = element.range().len();
        let is_short = (1..=REFERENCE).contains(&element.text()) && length <= (REFERENCE * 10).min(self.budget);
        if !is_short || !element.known.is_block {
            return None;
        }
        self.budget -= length;
        Some(crate::plain_text(&self.html[element.range()]).to_lowercase())
    }

    fn is_named_boilerplate(&mut self, at: usize) -> bool {
        let element = &self.tree.elements[at];
        let total = self.tree.elements[Tree::<Known>::ROOT].text();
        let gone = self.gone + element.text();
        // An eighth of the text, and all together a quarter; or half of it.
        let is_small = element.text() * 8 <= total && gone * 4 <= total;
        let is_part = gone * 2 <= total;
        let lost = self.lost[at].filter(|_| element.known.kind.is_none());
        let known = lost.map_or(element.known, |lost| Known { is_block: element.known.is_block, ..lost });
        let is_boilerplate = match known.kind {
            None => false,
            Some(Kind::Certain) => is_part,
            Some(Kind::Boilerplate) => is_small && known.is_block,
            Some(Kind::Teaser) => is_part && known.is_block && element.links() > 0 && element.text() <= TEASER,
            Some(Kind::Label) => {
                let length = if known.is_biography { BIOGRAPHY } else { LABEL };
                is_small && known.is_block && !element.in_quote && element.text() <= length
            }
        };
        self.gone = if is_boilerplate { gone } else { self.gone };
        is_boilerplate
    }
}

/// Whether the words of a block are boilerplate. `next`: the block after it.
fn is_boilerplate(element: &Element, words: &str, next: Option<&Element>) -> bool {
    match element.is_heading {
        true => {
            names::is_phrase(words) && (!names::is_ambiguous(words) || next.is_none_or(is_links))
                || names::is_reference(words) && !names::is_section(words) && next.is_none_or(is_links)
        }
        false => {
            names::is_phrase(words)
                || names::is_bare_reference(words)
                || names::is_bare_label(words) && next.is_some_and(is_links)
                || names::is_date(words)
                || names::is_reference(words)
                    && element.links() * 10 >= element.text() * 4
                    && !names::is_sentence(words)
                || names::is_request(words) && element.links() > 0
                || names::is_label(words) && element.links() * 10 >= element.text() * 3
        }
    }
}

/// Whether an element is little but links.
fn is_links(element: &Element) -> bool {
    element.links() * 10 > element.text() * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(html: &str) -> String {
        remove(html, html, Url::parse("https://a.example/x").ok().as_ref(), None)
    }

    #[test]
    fn removes_phrases_and_line_numbers() {
        assert_eq!(
            removed("<p>Text.</p><p class=x> Advertisement </p><p>Read more of it.</p>"),
            "<p>Text.</p><p>Read more of it.</p>"
        );
        assert_eq!(
            removed(
                "<tr><td class=gutter><pre><span>1</span>\n<span>2</span></pre></td><td class=code><pre>a</pre></td></tr>"
            ),
            "<tr><td class=code><pre>a</pre></td></tr>"
        );
        assert_eq!(removed("<td class=gutter>1<td>a</td>"), "<td>a</td>");
        assert_eq!(removed("<pre class=linenos>a 1</pre>"), "<pre class=linenos>a 1</pre>");
    }

    #[test]
    fn removes_what_refers_to_other_articles() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
        for gone in [
            "<p>Read more: <a href=x>The harbour of old</a></p>",
            "<p>À lire aussi : <a href=x>Le port d’autrefois</a></p>",
            "<h3>Related articles</h3><ul><li><a href=x>The harbour of old</a></li></ul>",
            "<h2>Das könnte Sie auch interessieren</h2>",
            "<p><em>Follow us on <a href=x>Some site</a></em></p>",
            "<p>Sign up for our newsletter <a href=x>here</a>.</p>",
            "<div class=teaser><a href=x><b>The harbour</b></a><p>How it was before.</p></div>",
            "<p>Updated: Nov. 20, 2019 1:35 a.m.</p>",
            "<p>Published on 5 May 2026 by A. Writer</p>",
            "<p>Tagged <a href=x>nets</a>, <a href=x>boats</a></p>",
            "<p>Sign up for the best in your inbox <a href=x>here</a>.</p>",
            "<h4>Share</h4>",
            "<h3>Mira: <a href=x>The harbour of old</a></h3>",
            "<p>Follow Our Harbour on Facebook and Instagram, or send an email to <a href=mailto:x>us</a>.</p>",
            "<p>Did you know that we have a Telegram channel? Join it <a href=x>here</a>.</p>",
            "<p>Folge unserem <a href=y>Telegram-Kanal</a>.</p>",
            "<p>👉 Únete a nuestro <a href=y>canal de WhatsApp</a></p>",
            "<p>Read:</p><p class=readmore><a href=y>The harbour of old</a></p>",
            "<h2>Read more</h2><div><article class=teaser><a href=x>The harbour of old</a><p>It is old.</p></article></div>",
            "<span class=sr-only>opens in a new window</span>",
            "<amp-ad>Buy a boat</amp-ad>",
            "<div class=paywall-offer><h2>Read on</h2><p>Boats for one euro a month.</p></div>",
            "<p>Are you already a subscriber? <a href=x>Log in</a></p>",
            "<p class='post__byline'>By A. Writer</p>",
            "<span class=post-ratings>3 of 5</span>",
            "<div class=relatedlinks__box>The harbour of old</div>",
            "<h2>What others say</h2><div class=comment-respond>Write a comment</div>",
            "<div class='AuthorBox'><p>A. Writer has written about harbours for many years, and lives in one.</p></div>",
        ] {
            assert_eq!(removed(&format!("{text}{gone}")), text, "{gone}");
        }
        for kept in [
            "<p>Read more books, they said.</p>",
            "<p>Follow the coast to the <a href=x>harbour</a>, and take a picture for Instagram.</p>",
            "<p>Follow these steps to connect Instagram and Facebook with <a href=x>Mastodon</a>.</p>",
            "<h2>Loading</h2><p>The boats are loaded in the morning.</p>",
            "<p>The <a href=x>Telegram channel</a> of the harbour was closed.</p>",
            "<p>In der Folge wurde der <a href=y>Telegram-Kanal</a> gesperrt.</p>",
            "<p>Folge war, dass der <a href=y>Telegram-Kanal</a> gesperrt wurde.</p>",
            "<p>El <a href=y>canal de Telegram</a> fue cerrado entre noviembre y diciembre.</p>",
            "<p>Users were asked to join a <a href=y>Telegram channel</a> run by the group.</p>",
            "<p>Follow-up reports on <a href=y>Facebook and Instagram</a> were deleted.</p>",
            "<p>Folge 12 über <a href=y>Facebook und Instagram</a> ist da.</p>",
            "<p>Read:</p><pre>let line = read();</pre>",
            "<h2><a href='#rs'>Recommended settings</a></h2><p><img src=a></p><p>These are the best.</p>",
            "<h2><a href=/x/#more>More on this topic later</a></h2><p><img src=a></p><p>These are the best.</p>",
            "<h2><a href=https://www.a.example/x>Related data structures</a></h2><p><img src=a></p><p>Trees are.</p>",
            "<p>More from the sea than from the land, they lived.</p>",
            "<h3>Related</h3><p>The harbours of the other coast were built in the same years.</p>",
            "<h3>More on this coast</h3><p>There are harbours of all kinds.</p>",
            "<p>Sign up for the boat at the <a href=x>office</a>.</p>",
            "<div class='elementor-widget elementor-widget-text-editor'><p>Words with a <a href=x>link</a>.</p></div>",
            "<div class='views-field views-field-body'><p>Words of a page.</p></div>",
            "<p>Published in 2019 by a house on the coast.</p>",
            "<p>Published 12 papers in 2019 and 2020.</p>",
            "<p>Tagged <a href=x>salmon</a> were found in the river this spring.</p>",
            "<p>Posted in the <a href=x>office</a>, the notice said that the pier was closed.</p>",
            "<p>Subscribe to the event inbox with <a href=x>its method</a>, then send a message to it.</p>",
            "<p>Get the <a href=x>email</a> archive, and unpack it in your home folder.</p>",
            "<p>Related to this is the <a href=x>theory of boats</a>.</p>",
            "<p>Read the full <a href=x>report of the commission</a></p>",
            "<p class=paywall>A paragraph that only subscribers see.</p>",
            "<h2>Print</h2><p>The print command writes a line.</p>",
            "<h2>Recommended nets</h2><p><img src=x></p>",
            "<h2>Related work</h2><ul><li><a href=x>Boats of old, 1999</a></li></ul><p>End of the text.</p>",
            "<div class=teaser><p>The lead of this article.</p></div>",
            "<blockquote><p>Words.</p><p class=author>A. Poet</p></blockquote>",
        ] {
            let html = format!("{text}{kept}");
            assert_eq!(removed(&html), html);
        }
    }

    #[test]
    fn removes_by_position() {
        let text = "<p>A paragraph of prose that is long enough for an article, as someone who reads it would say.</p>";
        let page = |start: &str, middle: &str, end: &str| format!("{start}{text}{middle}{text}{text}{end}");
        let nothing = page("", "", "");
        for (start, middle, end) in [
            ("<p>5 May 2026</p>", "", "<div>23.10.2018, 10:00</div>"),
            ("", "<p><b>Background:</b> <a href=/y>The boats of the old harbour</a></p>", ""),
            (
                "",
                "",
                "<h2>The coast</h2><ul><li><a href=/y><img src=a>Harbours of the east</a></li></ul><h3>Boats</h3>",
            ),
        ] {
            assert_eq!(removed(&page(start, middle, end)), nothing);
        }
        for (start, middle, end) in [
            ("<h3>5 May 2026</h3>", "<p>6 May 2026</p>", "<div>7 May 2026<img src=a></div>"),
            ("<p>Background: <a href=/y>The boats of the old harbour</a></p>", "", ""),
            ("", "<p>Source: <a href=https://b.example/>The boats of the old harbour</a></p>", ""),
            ("", "<p>Background: <a href=/y>The boats of the old harbour</a>, which lay there.</p>", ""),
            ("", "<p>Background: <a href=/y>www.boats-of-the-harbour.example</a></p>", ""),
            ("", "", "<ul><li><a href=https://b.example/>The boats of the old harbour</a></li></ul>"),
            ("", "", "<img src=a><h2>Links</h2><ul><li><a href=/y>The harbour</a></li></ul><p>The end.</p>"),
        ] {
            let page = page(start, middle, end);
            assert_eq!(removed(&page), page);
        }
        for short in [
            format!("{text}<p>5 May 2026</p>"),
            "<div><p>Boats.</p><p>Already a subscriber? <a href=x>Log in</a></p></div>".to_owned(),
        ] {
            assert_eq!(removed(&short), short);
        }
    }

    #[test]
    fn removes_elements_that_lost_their_names() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
        let lead = "A lead in an element that has the name of a promotion.";
        let page = format!(
            "<div class=article-promo><div><p>{lead}</p></div></div>{text}<div class=postmetadata>Filed by <a href=x>A. Writer</a></div>\
             <p>Boats</p><div class=tags><span>Boats</span></div><div class=post-tags><p>Nets</p></div>"
        );
        let end = "<p>Filed by <a href=x>A. Writer</a></p><p>Boats</p><p>Nets</p>";
        let article = format!("<p>{lead}</p>{text}{end}");
        // A text that is in other elements, too, remains.
        let removed = remove(&article, &page, None, Some(lead));
        assert_eq!(removed, format!("<p>{lead}</p>{text}<p>Boats</p>"));
        assert_eq!(remove(&article, &text, None, None), article);
    }

    #[test]
    fn removes_boxes_after_the_prose() {
        let text = "<p>A paragraph of prose that is long enough for an article, as someone who reads it would say.</p>"
            .repeat(8);
        let card = |link: &str| {
            let of = "The start of another article, which is as long as a paragraph of prose, or nearly as long.";
            format!("<li><a href={link}><img src=a></a><h3><a href={link}>Boats</a></h3><p>{of}</p></li>")
        };
        let row = |link: &str| format!("<ul>{}</ul>", card(link).repeat(3));
        let cards = card("/y").replace("li>", "div>").repeat(3);
        let long = text.repeat(4);
        assert_eq!(removed(&format!("{long}<div><h2>From here</h2>{cards}</div>")), format!("{long}<div></div>"));
        let short = &text[..text.len() / 4];
        assert_eq!(removed(&format!("{short}<h2>Related articles</h2>{}", row("/y"))), format!("{short}<ul></ul>"));
        for kept in [
            format!("{text}{}", row("https://b.example/")),
            format!("{text}{}{text}", row("/y")),
            format!("{text}<ul>{}</ul>", card("/y")),
            format!("{short}{}", row("/y")),
            // A list of what the article is about, or more than an eighth of it.
            format!("{long}<ol>{}</ol>", card("/y").repeat(3)),
            format!("{long}{cards}<ol>{}</ol>", card("/y").repeat(3)),
            format!("{text}{cards}"),
        ] {
            assert_eq!(removed(&kept), kept);
        }
    }

    #[test]
    fn removes_small_boilerplate_and_keeps_large() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(10);
        let html = format!("{text}<div class='post-share x'>Tweet<div>a</div></div><p>End</p>");
        assert_eq!(removed(&html), format!("{text}<p>End</p>"));
        let html = format!("<div class=related>{text}</div>");
        assert_eq!(removed(&html), html);
        let html = format!("{text}<p class=shareholder>Of a company</p>");
        assert_eq!(removed(&html), html);
    }
}
