//! Removes notices about cookies from a page.

use super::names;
use crate::extract::tree::{self, Tree};
use gleaner_html::tokens::Tag;
use std::{borrow::Cow, ops::Range};

/// Maximum length of a notice, in bytes.
const MAX_NOTICE: usize = 4000;
/// Length of a notice that is recognised by its text, in bytes.
const TEXT: std::ops::RangeInclusive<usize> = 60..=1500;

/// Words in classes and ids of notices. A pair is two words that follow each other.
#[rustfmt::skip]
const NAMES: [&str; 38] = [
    "axeptio", "borlabs", "cc-banner", "cc-window", "cky", "cmpbox", "cmplz", "complianz", "consent", "cookie", "cookiebanner", "cookiebar", "cookiebot",
    "cookieconsent", "cookiefirst", "cookielaw", "cookienotice", "cookies", "cookiescript", "cookieyes", "cybot", "didomi", "eupopup", "evidon", "gdpr",
    "iubenda", "klaro", "onetrust", "osano", "privacy-banner", "privacy-notice", "qc-cmp2", "sp-message", "tarteaucitron", "termly", "trustarc", "truste",
    "usercentrics",
];

/// Words that a notice contains, in lower case.
const SUBJECTS: [&str; 6] = ["cookie", "consent", "gdpr", "dsgvo", "rgpd", "privacy"];

/// Other words that notices contain, in lower case.
#[rustfmt::skip]
const DETAILS: [&str; 25] = [
    "accept", "accett", "acepta", "aceita", "agree", "akceptuj", "akzeptier", "advertis", "analy", "consent", "datenschutz", "einwillig", "godta", "hyväksy",
    "acceptera", "partner", "personal data", "personali", "privacy", "similar technolog", "third part", "toestemming", "tracking", "zustimm", "соглас",
];

/// Properties of an element that follow from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Known {
    is_named: bool,
    is_box: bool,
    is_button: bool,
    /// Whether it is an article or its title.
    is_article: bool,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let is_box =
            tag.name.contains('-') || matches!(&*tag.name, "div" | "section" | "aside" | "form" | "dialog" | "footer");
        let has_name = || {
            tag.attributes.clone().any(|(name, value)| {
                matches!(&*name, "class" | "id")
                    && value.split_ascii_whitespace().any(|name| names::has_word(name, &NAMES))
            })
        };
        Self {
            is_named: is_box && (has_name() || tag.name.contains('-') && names::has_word(&tag.name, &NAMES)),
            is_box,
            is_button: tag.name == "button" || tag.attributes.get("role").is_some_and(|role| role == "button"),
            is_article: matches!(&*tag.name, "article" | "main" | "h1"),
        }
    }
}

/// Returns the page without notices about cookies.
pub(super) fn without_notices(page: &str) -> Cow<'_, str> {
    let tree = Tree::read(page, Known::read);
    let total = tree.elements[Tree::<Known>::ROOT].text();
    // The properties of the elements inside of each element.
    let mut inside = vec![Known::default(); tree.elements.len()];
    let mut is_removed = vec![false; tree.elements.len()];
    let mut notices: Vec<Range<usize>> = Vec::new();
    // How many more bytes may be read; limited, because nested elements contain the same text.
    let mut budget = page.len() * 4;
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        for child in tree.children(at) {
            let known = tree.elements[child].known;
            inside[at].is_button |= known.is_button || inside[child].is_button;
            inside[at].is_article |= known.is_article || inside[child].is_article;
            is_removed[at] |= is_removed[child];
        }
        let range = element.range();
        if element.known.is_box
            && inside[at].is_button
            && !inside[at].is_article
            && !is_removed[at]
            && TEXT.contains(&element.text())
            && range.len() <= budget
        {
            budget -= range.len();
            if is_notice(&page[range.clone()], if element.text() * 2 >= total { 4 } else { 2 }) {
                is_removed[at] = true;
                notices.push(range);
            }
        }
    }
    let mut checked = 0;
    for (element, inside) in tree.elements.iter().zip(&inside) {
        let range = element.range();
        // Only the outermost, so that the time stays linear.
        if !element.known.is_named || element.text() > MAX_NOTICE || range.start < checked {
            continue;
        }
        checked = range.end;
        // A recipe for cookies may have the name of a notice.
        let is_most = element.text() * 2 >= total;
        if !(is_most && inside.is_article) && is_notice(&page[range.clone()], if is_most { 2 } else { 0 }) {
            notices.push(range);
        }
    }
    notices.sort_by_key(|range| range.start);
    tree::without(page, notices)
}

/// Whether a text is about cookies, with a number of other words of notices.
fn is_notice(html: &str, details: usize) -> bool {
    let text = crate::plain_text(html).to_lowercase();
    SUBJECTS.iter().any(|word| text.contains(word))
        && DETAILS.iter().filter(|word| text.contains(**word)).count() >= details
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTICE: &str = "We and our partners use cookies. If you accept them, we show you personalised advertising.";

    #[test]
    fn removes_notices_by_their_names() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(9);
        let page = |notice: &str| format!("<body>{text}<div {notice}</div></body>");
        for notice in [
            "id=cookie-law-info-bar>We use cookies.",
            "class='c x--consent'><div>Your consent</div>",
            "id=CybotCookiebotDialog>Cookies",
            "id=qc-cmp2-ui>We value your privacy",
            "id=sp_message_container_12>Your privacy",
            "class=cc_banner-wrapper>Cookies",
        ] {
            assert_eq!(without_notices(&page(notice)), format!("<body>{text}</body>"));
        }
        // A recipe.
        let page = page("class='post category-cookies'>Bake at 200 degrees.");
        assert_eq!(without_notices(&page), page);
    }

    #[test]
    fn removes_notices_next_to_short_articles() {
        let article = "<article><h1>Nets</h1><p>They are dry.</p></article>";
        let page = |of: &str| format!("<body>{article}<div id=onetrust-banner-sdk>{of}</div></body>");
        assert_eq!(without_notices(&page(NOTICE)), format!("<body>{article}</body>"));
        let recipe =
            "<body><div class=category-cookies><h2>Cookies</h2><p>Bake the cookies at 200 degrees.</p></div></body>";
        assert_eq!(without_notices(recipe), recipe);
        let inside = format!("<body><div class=cookies-accepted>{article}<p>{NOTICE}</p></div></body>");
        assert_eq!(without_notices(&inside), inside);
    }

    #[test]
    fn removes_notices_by_their_texts() {
        let text = "<p>Long enough to be read by someone, it is.</p>";
        for buttons in [
            "<button>Accept</button>",
            "<a role=button>Accept all cookies</a><a role=button>Reject what is not needed, and go on</a>",
        ] {
            let notice = format!("<div class=x><div>{NOTICE}</div><div>{buttons}</div></div>");
            let text = text.repeat(4);
            assert_eq!(without_notices(&format!("<div>{text}{notice}</div>")), format!("<div>{text}</div>"));
        }
        for kept in [
            format!("<div><p>{NOTICE}</p></div>"),
            format!("<div><h1>Laws</h1><p>{NOTICE}</p><button>Share</button></div>"),
            "<div><p>Mix flour and butter for the cookies, and bake them for ten minutes.</p><button>Print</button></div>".into(),
        ] {
            assert_eq!(without_notices(&kept), kept);
        }
    }
}
