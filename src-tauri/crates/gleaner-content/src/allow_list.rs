//! An ammonia policy that allows what [`crate::sanitise()`] writes and nothing else.
//!
//! The earlier steps interpret the article; this one only knows what is safe. Each alone prevents an article from running code, so that
//! each catches the mistakes of the other.

use crate::{elements, style, urls};
use ammonia::{Builder, UrlRelative};
use gleaner_address::has_web_scheme;
use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

/// Prefix of all ids in an article, so that they never equal those of the window.
pub(crate) const ID_PREFIX: &str = "u-";

/// Attributes that each element may have besides [`EVERYWHERE`].
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["href", "hreflang"]),
    ("audio", &["src", "controls", "preload", "loop"]),
    ("blockquote", &["cite"]),
    ("code", &["class"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("data", &["value"]),
    ("dd", &["class"]),
    ("del", &["cite", "datetime"]),
    ("details", &["open"]),
    ("div", &["class"]),
    ("img", &["src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding", "referrerpolicy"]),
    ("ins", &["cite", "datetime"]),
    ("li", &["value"]),
    ("math", &["display", "alttext"]),
    ("menclose", &["notation"]),
    ("mfrac", &["linethickness"]),
    ("mi", &["mathvariant"]),
    ("mn", &["mathvariant"]),
    (
        "mo",
        &["form", "fence", "separator", "stretchy", "symmetric", "largeop", "movablelimits", "accent", "mathvariant"],
    ),
    ("mover", &["accent"]),
    ("mspace", &["width", "height", "depth"]),
    ("mstyle", &["displaystyle", "scriptlevel"]),
    ("mtable", &["columnalign", "rowalign", "displaystyle"]),
    ("mtd", &["columnspan", "rowspan", "columnalign"]),
    ("mtext", &["mathvariant"]),
    ("munder", &["accentunder"]),
    ("munderover", &["accent", "accentunder"]),
    ("ol", &["start", "reversed", "type"]),
    ("p", &["class"]),
    ("pre", &["class"]),
    ("q", &["cite"]),
    ("source", &["src", "srcset", "sizes", "media", "type", "width", "height"]),
    ("span", &["class"]),
    ("td", &["colspan", "rowspan", "abbr"]),
    ("th", &["colspan", "rowspan", "abbr", "scope"]),
    ("time", &["datetime"]),
    ("video", &["src", "poster", "width", "height", "controls", "preload", "loop", "muted", "playsinline"]),
];

/// Attributes that every element may have.
pub(crate) const EVERYWHERE: [&str; 5] = ["id", "title", "lang", "dir", "style"];

/// Whether an element may have an attribute that is not in [`EVERYWHERE`].
pub(crate) fn may_have(element: &str, attribute: &str) -> bool {
    ATTRIBUTES.binary_search_by_key(&element, |(name, _)| name).is_ok_and(|at| ATTRIBUTES[at].1.contains(&attribute))
}

static POLICY: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut policy = Builder::empty();
    policy
        .tags(elements::NAMES.iter().copied().collect())
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(ATTRIBUTES.iter().map(|(name, all)| (*name, all.iter().copied().collect())).collect())
        .generic_attributes(HashSet::from(EVERYWHERE))
        .url_schemes(urls::LINK_SCHEMES.into_iter().chain(["data"]).collect())
        .url_relative(UrlRelative::Custom(Box::new(in_page)))
        .link_rel(Some("noopener noreferrer"))
        .id_prefix(Some(ID_PREFIX))
        .filter_style_properties(HashSet::from(style::PROPERTIES))
        .attribute_filter(attribute)
        .strip_comments(true);
    policy
});

/// Allows relative addresses only within the article: all others were already made absolute.
fn in_page(address: &str) -> Option<Cow<'_, str>> {
    address.starts_with('#').then_some(Cow::Borrowed(address))
}

fn attribute<'a>(element: &str, attribute: &str, value: &'a str) -> Option<Cow<'a, str>> {
    let data = value.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
    let safe = match attribute {
        "class" => is_allowed_class(value),
        "src" | "poster" if data => element == "img" && urls::image_data(value).is_some(),
        "srcset" => value.split(", ").all(is_candidate),
        _ => !data || !matches!(attribute, "href" | "cite"),
    };
    safe.then_some(Cow::Borrowed(value))
}

/// Whether this is exactly one candidate of a `srcset`, with a web address.
fn is_candidate(candidate: &str) -> bool {
    let (address, descriptor) = candidate.split_once(' ').unwrap_or((candidate, ""));
    has_web_scheme(address) && !address.ends_with(',') && !descriptor.contains([',', ' '])
}

/// Whether an article may have a class: our own, a caption, the source of a formula, or the language of code.
pub(crate) fn is_allowed_class(class: &str) -> bool {
    matches!(class, "caption" | "embed" | "tex" | "tex-block")
        || class
            .strip_prefix("language-")
            .is_some_and(|of| !of.is_empty() && of.bytes().all(|b| b.is_ascii_alphanumeric() || b"+#-_.".contains(&b)))
}

/// Returns HTML without anything that the policy does not allow.
pub(crate) fn clean(html: &str) -> String {
    POLICY.clean(html).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_sorted() {
        assert!(ATTRIBUTES.is_sorted_by_key(|(name, _)| name));
    }

    #[test]
    fn allows_every_element_of_an_article() {
        for name in elements::NAMES {
            let (before, after) = match *name {
                "caption" | "colgroup" | "thead" | "tbody" | "tfoot" => ("<table>", "</table>"),
                "col" => ("<table><colgroup>", "</colgroup></table>"),
                "tr" => ("<table><tbody>", "</tbody></table>"),
                "td" | "th" => ("<table><tbody><tr>", "</tr></tbody></table>"),
                name if elements::element(name).is_some_and(|e| e.kind == elements::Kind::FormulaPart) => {
                    ("<math>", "</math>")
                }
                _ => ("", ""),
            };
            assert!(clean(&format!("{before}<{name}>{after}")).contains(&format!("<{name}")), "{name}");
        }
    }

    #[test]
    fn removes_everything_that_runs() {
        let html = "<script>a</script><img src=x onerror=a><a href='javascript:a'>b</a><a href='data:text/html,a'>c</a>\
                    <p style='position:fixed;text-align:left'>d<iframe srcdoc=a></iframe>";
        assert_eq!(clean("<img srcset='https://a/ 1x,data:x'><img srcset='a 1x, data:x 2x'>"), "<img><img>");
        assert_eq!(
            clean(html),
            "<img><a rel=\"noopener noreferrer\">b</a><a rel=\"noopener noreferrer\">c</a><p style=\"text-align:left\">d</p>"
        );
    }
}
