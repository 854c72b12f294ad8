//! What an article may be made of, and what HTML says of each element's place.

/// How an element stands among others (the tree construction of the HTML standard, § 13.2.6, as far as it concerns
/// elements that an article may have).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ends an open paragraph, and an inline end tag does not reach through it.
    Block,
    Paragraph,
    Heading,
    Preformatted,
    ListItem,
    /// `dt` or `dd`.
    Definition,
    Table,
    Caption,
    ColumnGroup,
    Column,
    /// `thead`, `tbody`, `tfoot`.
    Section,
    Row,
    Cell,
    Inline,
    /// `rt` or `rp`.
    RubyText,
    /// A thematic break: no content, ends a paragraph.
    Rule,
    /// No content, inside a line.
    Void,
    /// `source`: no content, only inside picture, audio and video.
    Source,
    /// `math` itself.
    Formula,
    /// A part of a formula.
    FormulaPart,
}

impl Kind {
    /// The end tags and implied ends of ordinary elements do not reach out of it.
    pub(crate) fn is_boundary(self) -> bool {
        matches!(self, Self::Table | Self::Caption | Self::Cell)
    }

    /// May hang around other inline elements and end with them.
    pub(crate) fn is_inline(self) -> bool {
        matches!(self, Self::Inline | Self::RubyText)
    }
}

/// An element that an article may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

macro_rules! elements {
    ($($kind:ident: $($name:literal)+;)+) => {
        /// All names that may stand in an article.
        pub(crate) const NAMES: &[&str] = &[$($($name,)+)+];

        fn allowed(name: &str) -> Option<Element> {
            match name {
                $($($name => Some(Element { name: $name, kind: Kind::$kind }),)+)+
                _ => None,
            }
        }
    };
}

elements! {
    Block: "address" "article" "aside" "blockquote" "center" "details" "dir" "div" "dl" "figcaption" "figure" "footer" "header" "hgroup"
        "main" "menu" "nav" "ol" "section" "summary" "ul";
    Paragraph: "p";
    Heading: "h1" "h2" "h3" "h4" "h5" "h6";
    Preformatted: "pre";
    ListItem: "li";
    Definition: "dt" "dd";
    Table: "table";
    Caption: "caption";
    ColumnGroup: "colgroup";
    Column: "col";
    Section: "thead" "tbody" "tfoot";
    Row: "tr";
    Cell: "td" "th";
    Inline: "a" "abbr" "acronym" "audio" "b" "bdi" "bdo" "big" "cite" "code" "data" "del" "dfn" "em" "i" "ins" "kbd" "mark" "picture" "q"
        "ruby" "s" "samp" "small" "span" "strike" "strong" "sub" "sup" "time" "tt" "u" "var" "video";
    RubyText: "rt" "rp";
    Rule: "hr";
    Void: "br" "img" "wbr";
    Source: "source";
    Formula: "math";
    FormulaPart: "menclose" "merror" "mfrac" "mi" "mmultiscripts" "mn" "mo" "mover" "mpadded" "mphantom" "mprescripts" "mroot" "mrow" "ms"
        "mspace" "msqrt" "mstyle" "msub" "msubsup" "msup" "mtable" "mtd" "mtext" "mtr" "munder" "munderover" "none" "semantics";
}

/// The element that stands in an article for a tag of this name; `None` when only its content stays.
pub(crate) fn element(name: &str) -> Option<Element> {
    allowed(match name {
        "image" | "amp-img" => "img",
        "amp-video" => "video",
        "amp-audio" => "audio",
        "listing" | "xmp" | "plaintext" => "pre",
        // What parts a page parts the text too.
        "dialog" | "fieldset" | "form" | "legend" | "marquee" | "search" | "body" | "multicol" => "div",
        name => name,
    })
}

/// Elements that are dropped with all that is in them.
pub(crate) fn is_dropped_whole(name: &str) -> bool {
    matches!(name, "template" | "annotation" | "annotation-xml" | "svg")
}

/// HTML that, met inside SVG or MathML, says that the drawing was never closed (HTML standard, § 13.2.6.5).
pub(crate) fn ends_foreign_content(name: &str) -> bool {
    matches!(
        name,
        "b" | "big"
            | "blockquote"
            | "body"
            | "br"
            | "center"
            | "code"
            | "dd"
            | "div"
            | "dl"
            | "dt"
            | "em"
            | "embed"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "hr"
            | "i"
            | "img"
            | "li"
            | "listing"
            | "menu"
            | "meta"
            | "nobr"
            | "ol"
            | "p"
            | "pre"
            | "ruby"
            | "s"
            | "small"
            | "span"
            | "strong"
            | "strike"
            | "sub"
            | "sup"
            | "table"
            | "tt"
            | "u"
            | "ul"
            | "var"
    )
}
