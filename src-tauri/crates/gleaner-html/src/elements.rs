//! Properties of HTML elements by their names in lower case, from the HTML standard.

/// Whether an element has no content and no end tag (HTML standard, § 13.1.2), obsolete ones included.
#[must_use]
#[rustfmt::skip]
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area" | "base" | "basefont" | "bgsound" | "br" | "col" | "embed" | "frame" | "hr" | "img" | "input" | "keygen" | "link" | "meta"
            | "param" | "source" | "track" | "wbr"
    )
}

/// Whether browsers show an element on lines of its own.
#[must_use]
#[rustfmt::skip]
pub fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "dd" | "details" | "dialog" | "dir" | "div" | "dl"
            | "dt" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup"
            | "hr" | "html" | "legend" | "li" | "main" | "menu" | "nav" | "ol" | "p" | "pre" | "section" | "summary" | "table" | "tbody"
            | "tfoot" | "thead" | "tr" | "ul"
    )
}

/// Whether any version of HTML has an element of this name.
#[must_use]
#[rustfmt::skip]
pub fn is_html(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr" | "acronym" | "address" | "applet" | "area" | "article" | "aside" | "audio" | "b" | "base" | "basefont" | "bdi" | "bdo"
            | "big" | "blink" | "blockquote" | "body" | "br" | "button" | "canvas" | "caption" | "center" | "cite" | "code" | "col"
            | "colgroup" | "data" | "dd" | "del" | "details" | "dfn" | "dialog" | "dir" | "div" | "dl" | "dt" | "em" | "embed" | "fieldset"
            | "figcaption" | "figure" | "font" | "footer" | "form" | "frame" | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head"
            | "header" | "hr" | "html" | "i" | "iframe" | "img" | "input" | "ins" | "kbd" | "label" | "legend" | "li" | "link" | "main"
            | "map" | "mark" | "marquee" | "math" | "menu" | "meta" | "meter" | "nav" | "nobr" | "noscript" | "object" | "ol" | "optgroup"
            | "option" | "output" | "p" | "param" | "picture" | "pre" | "progress" | "q" | "rp" | "rt" | "ruby" | "s" | "samp" | "script"
            | "section" | "select" | "small" | "source" | "span" | "strike" | "strong" | "style" | "sub" | "summary" | "sup" | "svg"
            | "table" | "tbody" | "td" | "template" | "textarea" | "tfoot" | "th" | "thead" | "time" | "title" | "tr" | "track" | "tt" | "u"
            | "ul" | "var" | "video" | "wbr"
    )
}

/// Whether a start tag ends SVG or MathML that was not closed (HTML standard, § 13.2.6.5).
#[must_use]
#[rustfmt::skip]
pub fn ends_foreign_content(name: &str) -> bool {
    matches!(
        name,
        "b" | "big" | "blockquote" | "body" | "br" | "center" | "code" | "dd" | "div" | "dl" | "dt" | "em" | "embed" | "h1" | "h2" | "h3"
            | "h4" | "h5" | "h6" | "head" | "hr" | "i" | "img" | "li" | "listing" | "menu" | "meta" | "nobr" | "ol" | "p" | "pre" | "ruby"
            | "s" | "small" | "span" | "strong" | "strike" | "sub" | "sup" | "table" | "tt" | "u" | "ul" | "var"
    )
}
