//! Sanitised HTML as flows of lines and blocks.

use crate::{
    elements::{self, Kind},
    tokens::{Token, Tokens},
};
use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};
use unicode_segmentation::UnicodeSegmentation as _;

/// What stands one below the other: in the article itself, a list, a cell.
#[derive(Debug, Default)]
pub(super) struct Flow<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) units: Vec<Unit<'a>>,
    /// Any block may stand here.
    pub(super) holds_blocks: bool,
}

#[derive(Debug)]
pub(super) enum Item<'a> {
    /// White space, and the tags of boxes that mean nothing by themselves.
    Raw(&'a str),
    Unit(usize),
}

#[derive(Debug)]
pub(super) enum Unit<'a> {
    Run(Run<'a>),
    Block(Box<Block<'a>>),
}

/// A line: text and what stands in it.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    source: &'a str,
    words: Vec<u32>,
    key: u64,
}

#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) name: &'a str,
    pub(super) start: &'a str,
    pub(super) flow: Flow<'a>,
    source: &'a str,
    words: Vec<u32>,
    key: u64,
}

/// A piece of a line.
#[derive(Debug, Clone)]
pub(super) enum Piece<'a> {
    Open {
        name: &'a str,
        start: &'a str,
    },
    Close {
        name: &'a str,
    },
    /// White space, or a break.
    Space(Cow<'a, str>),
    /// As it stands in the source; its number is the same for words that are the same and lead to the same place.
    Word {
        html: Cow<'a, str>,
        number: u32,
        counts: bool,
    },
    /// A picture, a film, a formula.
    Object {
        html: &'a str,
        number: u32,
    },
}

impl Piece<'_> {
    pub(super) fn number(&self) -> Option<u32> {
        match self {
            Self::Word { number, .. } | Self::Object { number, .. } => Some(*number),
            _ => None,
        }
    }
}

impl<'a> Unit<'a> {
    pub(super) fn source(&self) -> &'a str {
        match self {
            Self::Run(run) => run.source,
            Self::Block(block) => block.source,
        }
    }

    /// The same for units in which a reader would see no change.
    pub(super) fn key(&self) -> u64 {
        match self {
            Self::Run(run) => run.key,
            Self::Block(block) => block.key,
        }
    }

    /// The numbers of its words, sorted.
    pub(super) fn words(&self) -> &[u32] {
        match self {
            Self::Run(run) => &run.words,
            Self::Block(block) => &block.words,
        }
    }

    pub(super) fn has_words(&self) -> bool {
        !self.words().is_empty()
    }

    /// It holds one line at most, and whether it is a paragraph, a heading or neither is mark-up.
    pub(super) fn is_text(&self) -> bool {
        self.kin() == TEXT
    }

    /// The line of a text.
    pub(super) fn line(&self) -> &[Piece<'a>] {
        match self {
            Self::Run(run) => &run.pieces,
            Self::Block(block) => match block.flow.units.first() {
                Some(Self::Run(run)) => &run.pieces,
                _ => &[],
            },
        }
    }

    /// Only units of one kind are versions of each other.
    pub(super) fn kin(&self) -> &'a str {
        match self {
            Self::Run(_) => TEXT,
            Self::Block(block) => kin(block.name, &block.flow),
        }
    }
}

const TEXT: &str = "text";

fn kin<'a>(name: &'a str, flow: &Flow<'_>) -> &'a str {
    match name {
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
            if flow.units.iter().all(|unit| matches!(unit, Unit::Run(_))) && flow.units.len() < 2 =>
        {
            TEXT
        }
        "ul" | "ol" | "menu" | "dir" => "list",
        name => name,
    }
}

/// Boxes that mean nothing by themselves: what is in them stands in the flow around them.
fn is_box(name: &str) -> bool {
    match name {
        "div" | "section" | "article" | "main" | "header" | "footer" | "center" | "hgroup" | "nav" | "aside"
        | "address" => true,
        "a" => false,
        name => !is_object(name) && elements::element(name).is_some_and(|element| element.kind == Kind::Inline),
    }
}

/// What holds blocks of any kind.
fn holds_blocks(name: &str) -> bool {
    matches!(name, "" | "li" | "td" | "th" | "dd" | "blockquote" | "figure") || is_box(name)
}

/// What has no end tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "wbr" | "hr" | "img" | "col" | "source")
}

/// What is seen as one thing.
fn is_object(name: &str) -> bool {
    matches!(name, "img" | "picture" | "audio" | "video" | "math" | "ruby")
}

#[derive(Debug)]
enum Node<'a> {
    Text(&'a str),
    Element(Element<'a>),
}

#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    start: &'a str,
    source: &'a str,
    /// Where a link goes; what a picture or film is.
    says: String,
    children: Vec<Node<'a>>,
    /// It is a block, or has one in it.
    block: bool,
}

/// Reads texts so that the same words in them have the same numbers.
#[derive(Debug, Default)]
pub(super) struct Reader {
    numbers: HashMap<String, u32>,
}

impl Reader {
    pub(super) fn read<'a>(&mut self, html: &'a str) -> Flow<'a> {
        self.flow(html, "", nodes(html))
    }

    fn number(&mut self, key: String) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(key).or_insert(next)
    }

    fn flow<'a>(&mut self, html: &'a str, parent: &str, nodes: Vec<Node<'a>>) -> Flow<'a> {
        let mut flow = Flow { holds_blocks: holds_blocks(parent), ..Flow::default() };
        self.fill(&mut flow, html, nodes);
        flow
    }

    fn fill<'a>(&mut self, flow: &mut Flow<'a>, html: &'a str, nodes: Vec<Node<'a>>) {
        let mut line: Vec<Node<'a>> = Vec::new();
        for node in nodes {
            match node {
                Node::Element(element) if element.block => {
                    self.line(flow, html, &mut line);
                    if flow.holds_blocks && is_box(element.name) {
                        flow.items.push(Item::Raw(element.start));
                        self.fill(flow, html, element.children);
                        let end = element.source.len() - element.name.len() - "</>".len();
                        flow.items.push(Item::Raw(&element.source[end..]));
                    } else {
                        let block = self.block(html, element);
                        flow.items.push(Item::Unit(flow.units.len()));
                        flow.units.push(Unit::Block(Box::new(block)));
                    }
                }
                node => line.push(node),
            }
        }
        self.line(flow, html, &mut line);
    }

    fn block<'a>(&mut self, html: &'a str, element: Element<'a>) -> Block<'a> {
        let Element { name, start, source, says, children, .. } = element;
        if is_object(name) {
            // A player with paragraphs in it for those who cannot play it is one thing, too.
            let number = self.number(format!("\0{name}\0{says}"));
            let end = source.len() - name.len() - "</>".len();
            let flow = Flow { items: vec![Item::Raw(&source[start.len()..end])], ..Flow::default() };
            return Block { name, start, flow, source, words: vec![number], key: key(name, [u64::from(number)]) };
        }
        let flow = self.flow(html, name, children);
        let mut words: Vec<u32> = flow.units.iter().flat_map(|unit| unit.words().iter().copied()).collect();
        // Rows that are sorted one by one are quickly one.
        words.sort();
        let kin = kin(name, &flow);
        let key = match flow.units.as_slice() {
            [only] if kin == TEXT => only.key(),
            units => key(kin, units.iter().filter(|unit| unit.has_words()).map(Unit::key)),
        };
        Block { name, start, flow, source, words, key }
    }

    /// What was gathered of a line; white space alone is none.
    fn line<'a>(&mut self, flow: &mut Flow<'a>, html: &'a str, line: &mut Vec<Node<'a>>) {
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return };
        let offset = |part: &str| part.as_ptr().addr() - html.as_ptr().addr();
        let end = offset(last.source()) + last.source().len();
        let source = &html[offset(first.source())..end];
        let mut pieces = Vec::new();
        for node in std::mem::take(line) {
            self.pieces(&mut pieces, node, None);
        }
        let mut words: Vec<u32> = pieces.iter().filter_map(Piece::number).collect();
        if words.is_empty() {
            flow.items.push(Item::Raw(source));
            return;
        }
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        words.sort_unstable();
        flow.items.push(Item::Unit(flow.units.len()));
        flow.units.push(Unit::Run(Run { pieces, source, words, key: hasher.finish() }));
    }

    /// `link`: the number of the link that they stand in.
    fn pieces<'a>(&mut self, pieces: &mut Vec<Piece<'a>>, node: Node<'a>, link: Option<u32>) {
        match node {
            Node::Text(text) => self.text(pieces, text, link),
            Node::Element(element) if is_object(element.name) => {
                let number = self.number(format!("\0{}\0{}\0{link:?}", element.name, element.says));
                pieces.push(Piece::Object { html: element.source, number });
            }
            Node::Element(element) if is_void(element.name) => pieces.push(Piece::Space(Cow::Borrowed(element.source))),
            Node::Element(element) => {
                pieces.push(Piece::Open { name: element.name, start: element.start });
                // By its number, or each word of a link would be as long as its address.
                let link = if element.name == "a" { Some(self.number(format!("\0a\0{}", element.says))) } else { link };
                for child in element.children {
                    self.pieces(pieces, child, link);
                }
                pieces.push(Piece::Close { name: element.name });
            }
        }
    }

    fn text<'a>(&mut self, pieces: &mut Vec<Piece<'a>>, text: &'a str, link: Option<u32>) {
        // Where nothing is written by a reference, what stands there is what is meant.
        let plain = !text.contains('&');
        let meant = htmlize::unescape(text);
        let mut at = 0;
        for word in meant.split_word_bounds() {
            let html = if plain { Cow::Borrowed(&text[at..at + word.len()]) } else { Cow::Owned(escaped(word)) };
            at += word.len();
            if word.chars().all(char::is_whitespace) {
                pieces.push(Piece::Space(html));
                continue;
            }
            let key = link.map_or_else(|| word.to_owned(), |link| format!("{word}\0{link}"));
            let counts = word.chars().any(char::is_alphanumeric);
            pieces.push(Piece::Word { html, number: self.number(key), counts });
        }
    }
}

impl<'a> Node<'a> {
    fn source(&self) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Element(element) => element.source,
        }
    }
}

/// The key of a block of this kin with these parts.
fn key(kin: &str, parts: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    kin.hash(&mut hasher);
    parts.into_iter().for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

/// The tree of well-formed HTML.
fn nodes(html: &str) -> Vec<Node<'_>> {
    struct Open<'a> {
        name: &'a str,
        from: usize,
        start: &'a str,
        says: String,
        children: Vec<Node<'a>>,
        block: bool,
    }
    fn put<'a>(open: &mut [Open<'a>], top: &mut Vec<Node<'a>>, node: Node<'a>) {
        let block = matches!(&node, Node::Element(element) if element.block);
        match open.last_mut() {
            Some(parent) => {
                parent.block |= block;
                parent.children.push(node);
            }
            None => top.push(node),
        }
    }
    let mut tokens = Tokens::new(html);
    let (mut open, mut top): (Vec<Open<'_>>, Vec<Node<'_>>) = (Vec::new(), Vec::new());
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        match token {
            Token::Start(tag) => {
                let name = &source[1..=tag.name.len()];
                let says = if name == "a" || name == "img" { says(source) } else { String::new() };
                let inline = elements::element(name).is_none_or(|element| {
                    matches!(
                        element.kind,
                        Kind::Inline | Kind::RubyText | Kind::Void | Kind::Source | Kind::Formula | Kind::FormulaPart
                    )
                });
                if is_void(name) {
                    let element = Element { name, start: source, source, says, children: Vec::new(), block: !inline };
                    put(&mut open, &mut top, Node::Element(element));
                } else {
                    open.push(Open { name, from, start: source, says, children: Vec::new(), block: !inline });
                }
            }
            Token::End(_) => {
                if let Some(Open { name, from, start, says: place, children, block }) = open.pop() {
                    let source = &html[from..tokens.position()];
                    let says = if is_object(name) { says(source) } else { place };
                    let element = Element { name, start, source, says, children, block };
                    put(&mut open, &mut top, Node::Element(element));
                }
            }
            Token::Text(_) | Token::Raw { .. } => put(&mut open, &mut top, Node::Text(source)),
        }
        from = tokens.position();
    }
    top
}

/// Where a link's tag leads; what a reader sees or hears of a picture, a film, a formula.
fn says(html: &str) -> String {
    let mut says = String::new();
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) => {
                for (name, value) in tag.attributes {
                    if matches!(&*name, "href" | "src" | "alt" | "poster") {
                        says.extend([&*value, "\0"]);
                    }
                }
            }
            Token::Text(text) | Token::Raw { text, .. } => {
                text.split_whitespace().for_each(|word| says.extend([word, "\0"]));
            }
            Token::End(_) => {}
        }
    }
    says
}

/// Text as sanitised HTML has it.
pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            c => html.push(c),
        }
    }
    html
}

/// The tag of an element that went: its name and start. It has no id, which may be another element's by now, and no link within
/// the article: the place that it went to may be gone, too.
pub(super) fn gone_tag<'a>(name: &'a str, start: &'a str) -> (&'a str, Cow<'a, str>) {
    if name == "a" && start.contains(" href=\"#") {
        return ("span", Cow::Borrowed("<span>"));
    }
    // No value has a quotation mark in it.
    let parts = start.split_once(" id=\"").and_then(|(before, after)| Some((before, after.split_once('"')?.1)));
    (name, parts.map_or(Cow::Borrowed(start), |(before, after)| Cow::Owned(format!("{before}{after}"))))
}

/// HTML as it stands in what went: each of its tags as [`gone_tag`] has it.
pub(super) fn gone(html: &str) -> Cow<'_, str> {
    if !html.contains(" id=\"") && !html.contains(" href=\"#") {
        return Cow::Borrowed(html);
    }
    let mut tokens = Tokens::new(html);
    let (mut out, mut from) = (String::with_capacity(html.len()), 0);
    let mut open = Vec::new();
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        match token {
            Token::Start(tag) => {
                let (name, start) = gone_tag(&source[1..=tag.name.len()], source);
                out.push_str(&start);
                if !is_void(name) {
                    open.push(name);
                }
            }
            Token::End(_) => match open.pop() {
                Some(name) => out.extend(["</", name, ">"]),
                None => out.push_str(source),
            },
            _ => out.push_str(source),
        }
    }
    Cow::Owned(out)
}
