//! The elements that an article may contain, and where HTML allows each.

/// How an element nests among others (HTML standard, § 13.2.6, tree construction).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ends an open paragraph; end tags of inline elements have no effect outside of it.
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
    /// Inline element without content.
    Void,
    /// `source`: no content, only inside `picture`, `audio` and `video`.
    Source,
    /// `math` itself.
    Formula,
    /// A part of a formula.
    FormulaPart,
}

impl Kind {
    /// Whether end tags and implied ends of ordinary elements within it have no effect outside of it.
    pub(crate) fn is_boundary(self) -> bool {
        matches!(self, Self::Table | Self::Caption | Self::Cell)
    }

    /// Whether it is formatting inside a line.
    pub(crate) fn is_inline(self) -> bool {
        matches!(self, Self::Inline | Self::RubyText)
    }
}

/// An element that an article may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

macro_rules! elements {
    ($($kind:ident: $($name:literal)+;)+) => {
        /// Names of all elements that an article may contain.
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

/// Returns the element to write for a tag of this name; `None` if only its content is kept.
pub(crate) fn element(name: &str) -> Option<Element> {
    allowed(match name {
        "image" | "amp-img" => "img",
        "amp-video" => "video",
        "amp-audio" => "audio",
        "listing" | "xmp" | "plaintext" => "pre",
        // They separate text from its surroundings.
        "dialog" | "fieldset" | "form" | "legend" | "marquee" | "search" | "body" | "multicol" => "div",
        // Only the first cell differs: it contains the number of the row.
        "mlabeledtr" => "mtr",
        name => name,
    })
}

/// Whether an element is dropped with its content.
pub(crate) fn is_dropped_whole(name: &str) -> bool {
    matches!(name, "template" | "annotation" | "annotation-xml" | "svg")
}
