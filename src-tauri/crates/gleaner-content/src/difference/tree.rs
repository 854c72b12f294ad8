//! Reads sanitised HTML as flows of lines and blocks.

use crate::elements::{self, Kind};
use gleaner_html::{
    elements::is_void,
    escape, references,
    tokens::{Token, Tokens},
};
use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};
use unicode_segmentation::UnicodeSegmentation as _;

/// Lines and blocks below each other: the content of an article, a list, a cell.
#[derive(Debug, Default)]
pub(super) struct Flow<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) units: Vec<Unit<'a>>,
    /// Whether any block is allowed here.
    pub(super) holds_blocks: bool,
}

#[derive(Debug)]
pub(super) enum Item<'a> {
    /// White space, and tags of boxes without a meaning of their own, such as `div`.
    Raw(&'a str),
    Unit(usize),
}

#[derive(Debug)]
pub(super) enum Unit<'a> {
    Run(Run<'a>),
    Block(Box<Block<'a>>),
}

/// A line of text with its inline elements.
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
    /// A word as in the source, or a sentence of a very long text. Equal ones with the same link target have the same number.
    Word {
        html: Cow<'a, str>,
        number: u32,
        /// Number of words in it: 0 for punctuation.
        words: u32,
    },
    /// An image, audio, video or formula.
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

    /// Returns a hash that is equal for units that look equal to the user.
    pub(super) fn key(&self) -> u64 {
        match self {
            Self::Run(run) => run.key,
            Self::Block(block) => block.key,
        }
    }

    /// Returns the sorted numbers of its words.
    pub(super) fn words(&self) -> &[u32] {
        match self {
            Self::Run(run) => &run.words,
            Self::Block(block) => &block.words,
        }
    }

    pub(super) fn has_words(&self) -> bool {
        !self.words().is_empty()
    }

    /// Whether it contains at most one line; whether that is a paragraph or a heading counts as markup.
    pub(super) fn is_text(&self) -> bool {
        self.category() == TEXT
    }

    /// Returns the line of a text unit.
    pub(super) fn line(&self) -> &[Piece<'a>] {
        match self {
            Self::Run(run) => &run.pieces,
            Self::Block(block) => match block.flow.units.first() {
                Some(Self::Run(run)) => &run.pieces,
                _ => &[],
            },
        }
    }

    /// Returns its category; only units of the same category can be versions of each other.
    pub(super) fn category(&self) -> &'a str {
        match self {
            Self::Run(_) => TEXT,
            Self::Block(block) => category(block.name, &block.flow),
        }
    }
}

const TEXT: &str = "text";

fn category<'a>(name: &'a str, flow: &Flow<'_>) -> &'a str {
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

/// Whether an element is a box without a meaning of its own: its content belongs to the flow around it.
fn is_box(name: &str) -> bool {
    match name {
        "div" | "section" | "article" | "main" | "header" | "footer" | "center" | "hgroup" | "nav" | "aside"
        | "address" => true,
        "a" => false,
        name => !is_object(name) && elements::element(name).is_some_and(|element| element.kind == Kind::Inline),
    }
}

/// Whether an element may contain any block.
fn holds_blocks(name: &str) -> bool {
    matches!(name, "" | "li" | "td" | "th" | "dd" | "blockquote" | "figure") || is_box(name)
}

/// Whether an element is compared as a whole.
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
    /// Target of a link; addresses and texts of an object.
    content: String,
    children: Vec<Node<'a>>,
    /// Whether it is a block or contains one.
    block: bool,
}

/// Reads several texts, numbering equal words equally.
#[derive(Debug, Default)]
pub(super) struct Reader {
    numbers: HashMap<String, u32>,
    /// Whether sentences are read in place of words.
    by_sentence: bool,
}

/// Minimum length of a sentence in bytes; shorter ones are read with the next one.
const MIN_SENTENCE: usize = 40;
const ENDS_OF_SENTENCES: [char; 7] = ['.', '!', '?', '\n', '。', '！', '？'];

impl Reader {
    /// Creates a reader of words, or of whole sentences: a word needs ten times its own memory.
    pub(super) fn new(by_sentence: bool) -> Self {
        Self { by_sentence, ..Self::default() }
    }

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
        let Element { name, start, source, content, children, .. } = element;
        if is_object(name) {
            // A player whose fallback content has paragraphs is an object, too.
            let number = self.number(format!("\0{name}\0{content}"));
            let end = source.len() - name.len() - "</>".len();
            let flow = Flow { items: vec![Item::Raw(&source[start.len()..end])], ..Flow::default() };
            return Block { name, start, flow, source, words: vec![number], key: key(name, [u64::from(number)]) };
        }
        let flow = self.flow(html, name, children);
        let mut words: Vec<u32> = flow.units.iter().flat_map(|unit| unit.words().iter().copied()).collect();
        // A stable sort is fast for concatenated sorted sequences.
        words.sort();
        let category = category(name, &flow);
        let key = match flow.units.as_slice() {
            [only] if category == TEXT => only.key(),
            units => key(category, units.iter().filter(|unit| unit.has_words()).map(Unit::key)),
        };
        Block { name, start, flow, source, words, key }
    }

    /// Ends the current line; white space alone is not a line.
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

    /// Appends the pieces of a node. `link`: the number of the link around it.
    fn pieces<'a>(&mut self, pieces: &mut Vec<Piece<'a>>, node: Node<'a>, link: Option<u32>) {
        match node {
            Node::Text(text) if self.by_sentence => self.sentences(pieces, text, link),
            Node::Text(text) => self.text(pieces, text, link),
            Node::Element(element) if is_object(element.name) => {
                let number = self.number(format!("\0{}\0{}\0{link:?}", element.name, element.content));
                pieces.push(Piece::Object { html: element.source, number });
            }
            Node::Element(element) if is_void(element.name) => pieces.push(Piece::Space(Cow::Borrowed(element.source))),
            Node::Element(element) => {
                pieces.push(Piece::Open { name: element.name, start: element.start });
                // A number, since the key of each word would otherwise contain the whole address.
                let link =
                    if element.name == "a" { Some(self.number(format!("\0a\0{}", element.content))) } else { link };
                for child in element.children {
                    self.pieces(pieces, child, link);
                }
                pieces.push(Piece::Close { name: element.name });
            }
        }
    }

    fn text<'a>(&mut self, pieces: &mut Vec<Piece<'a>>, text: &'a str, link: Option<u32>) {
        // Without references the source is the text itself.
        let plain = !text.contains('&');
        let decoded = references::decode(text);
        let mut at = 0;
        for word in decoded.split_word_bounds() {
            let html = if plain { Cow::Borrowed(&text[at..at + word.len()]) } else { Cow::Owned(escaped(word)) };
            at += word.len();
            if word.chars().all(char::is_whitespace) {
                pieces.push(Piece::Space(html));
                continue;
            }
            let key = link.map_or_else(|| word.to_owned(), |link| format!("{word}\0{link}"));
            let words = u32::from(word.chars().any(char::is_alphanumeric));
            pieces.push(Piece::Word { html, number: self.number(key), words });
        }
    }

    fn sentences<'a>(&mut self, pieces: &mut Vec<Piece<'a>>, text: &'a str, link: Option<u32>) {
        let mut rest = text;
        while !rest.is_empty() {
            let (space, after) = rest.split_at(rest.len() - rest.trim_start().len());
            if !space.is_empty() {
                pieces.push(Piece::Space(Cow::Borrowed(space)));
                rest = after;
                continue;
            }
            let mut ends = rest.match_indices(ENDS_OF_SENTENCES).map(|(at, end)| at + end.len());
            let end = ends.find(|end| *end >= MIN_SENTENCE).unwrap_or(rest.len());
            let sentence = rest[..end].trim_end();
            rest = &rest[sentence.len()..];
            let words = u32::try_from(references::decode(sentence).unicode_words().count()).unwrap_or(u32::MAX);
            let mut key = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
            if let Some(link) = link {
                key.push_str(&format!("\0{link}"));
            }
            pieces.push(Piece::Word { html: Cow::Borrowed(sentence), number: self.number(key), words });
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

/// Returns the key of a block of this category with these parts.
fn key(category: &str, parts: impl IntoIterator<Item = u64>) -> u64 {
    let mut hasher = DefaultHasher::new();
    category.hash(&mut hasher);
    parts.into_iter().for_each(|part| part.hash(&mut hasher));
    hasher.finish()
}

/// Parses well-formed HTML into a tree.
fn nodes(html: &str) -> Vec<Node<'_>> {
    struct Open<'a> {
        name: &'a str,
        from: usize,
        start: &'a str,
        content: String,
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
                let content = if name == "a" || name == "img" { content(source) } else { String::new() };
                let inline = elements::element(name).is_none_or(|element| {
                    matches!(
                        element.kind,
                        Kind::Inline | Kind::RubyText | Kind::Void | Kind::Source | Kind::Formula | Kind::FormulaPart
                    )
                });
                if is_void(name) {
                    let element =
                        Element { name, start: source, source, content, children: Vec::new(), block: !inline };
                    put(&mut open, &mut top, Node::Element(element));
                } else {
                    open.push(Open { name, from, start: source, content, children: Vec::new(), block: !inline });
                }
            }
            Token::End(_) => {
                if let Some(Open { name, from, start, content: place, children, block }) = open.pop() {
                    let source = &html[from..tokens.position()];
                    let content = if is_object(name) { content(source) } else { place };
                    let element = Element { name, start, source, content, children, block };
                    put(&mut open, &mut top, Node::Element(element));
                }
            }
            Token::Text(_) | Token::Raw { .. } => put(&mut open, &mut top, Node::Text(source)),
        }
        from = tokens.position();
    }
    top
}

/// Returns the addresses and texts of a link or object.
fn content(html: &str) -> String {
    let mut content = String::new();
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) => {
                for (name, value) in tag.attributes {
                    if matches!(&*name, "href" | "src" | "alt" | "poster") {
                        content.extend([&*value, "\0"]);
                    }
                }
            }
            Token::Text(text) | Token::Raw { text, .. } => {
                text.split_whitespace().for_each(|word| content.extend([word, "\0"]));
            }
            Token::End(_) => {}
        }
    }
    content
}

/// Escapes text as in sanitised HTML.
pub(super) fn escaped(text: &str) -> String {
    escape::text(text).replace('\u{a0}', "&nbsp;")
}

/// Returns the name and start tag of a deleted element. The id is removed, since another element may have it now; so is
/// a link within the article, since its target may be deleted, too.
pub(super) fn deleted_tag<'a>(name: &'a str, start: &'a str) -> (&'a str, Cow<'a, str>) {
    if name == "a" && start.contains(" href=\"#") {
        return ("span", Cow::Borrowed("<span>"));
    }
    // Values contain no quotation marks.
    let parts = start.split_once(" id=\"").and_then(|(before, after)| Some((before, after.split_once('"')?.1)));
    (name, parts.map_or(Cow::Borrowed(start), |(before, after)| Cow::Owned(format!("{before}{after}"))))
}

/// Returns HTML with each tag rewritten by [`deleted_tag`].
pub(super) fn deleted_html(html: &str) -> Cow<'_, str> {
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
                let (name, start) = deleted_tag(&source[1..=tag.name.len()], source);
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
