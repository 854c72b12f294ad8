//! Rewrites elements that Readability always removes, if the page marks their content as a part of the article: notes in asides and
//! footers, the hidden panels of tabs and accordions, headings and questions that are buttons, and shadow roots, which pages write as
//! templates.

use super::{boilerplate, headings, prepare};
use gleaner_html::{
    elements::is_block,
    tokens::{Tag, Token, Tokens},
};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Words in classes of notes.
const NOTES: [&str; 14] = [
    "admonition",
    "callout",
    "caution",
    "endnotes",
    "fact-box",
    "factbox",
    "faktenbox",
    "footnote",
    "footnotes",
    "message",
    "note",
    "notes",
    "sidenote",
    "warning",
];

/// Maximum length in bytes of the HTML of a button with a question.
const MAX_QUESTION: usize = 1000;

/// Roles of notes.
const ROLES: [&str; 4] = ["note", "doc-endnotes", "doc-footnote", "doc-tip"];

/// Returns the page with notes and shadow roots in a `div`, hidden panels shown, and the words of buttons in headings as words of the heading.
pub(super) fn rewritten(html: &str) -> Cow<'_, str> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // The open elements that may be renamed, and whether they are.
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    // Whether a heading is open, and the ids of the panels that buttons in headings open.
    let (mut in_heading, mut panels) = (false, HashSet::new());
    // Whether the open heading has text, and whether that is the text of a button.
    let (mut has_text, mut in_button) = (false, false);
    // The end tags that replace that of the open button with a question, and whether the next block may be the answer.
    let (mut question, mut before_answer): (Option<&str>, bool) = (None, false);
    // The tag directly before the token, without its class, if it is a box that is named like the header of a page.
    let mut header: Option<(Range<usize>, String)> = None;
    let has_questions = has_questions(html);
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        let before = header.take();
        match token {
            Token::Start(tag) => {
                let is_answer = before_answer && is_block(&tag.name);
                before_answer &= !is_answer;
                let range = to - tag.length..to;
                if is_heading(&tag.name) {
                    (in_heading, has_text, in_button) = (true, false, false);
                }
                if in_heading && let Some(ids) = tag.attributes.get("aria-controls") {
                    panels.extend(ids.split_ascii_whitespace().map(str::to_owned));
                }
                if matches!(&*tag.name, "aside" | "footer" | "template") {
                    let is_renamed = match &*tag.name {
                        "template" => tag.attributes.get("shadowrootmode").is_some(),
                        _ => is_note(&tag),
                    };
                    if is_renamed {
                        let attributes = &html[range.start + 1 + tag.name.len()..to];
                        edits.push((range, format!("<div{attributes}")));
                    }
                    *counts.entry(tag.name.to_string()).or_default() += 1;
                    open.push((tag.name.into_owned(), is_renamed));
                } else if in_heading && !has_text && tag.name == "button" {
                    in_button = true;
                    edits.push((range, "<span>".to_owned()));
                } else if has_questions
                    && tag.name == "button"
                    && let Some((start, end)) = question_of(&tag, &html[to..])
                {
                    let ids = tag.attributes.get("aria-controls").unwrap_or_default();
                    panels.extend(ids.split_ascii_whitespace().map(str::to_owned));
                    edits.extend(before);
                    edits.push((range, start.to_owned()));
                    question = Some(end);
                } else if is_hidden(&tag) && (is_answer || is_panel(&tag, &panels)) {
                    let shown = prepare::without(&tag, |name| matches!(name, "style" | "hidden" | "aria-hidden"));
                    edits.push((range, shown));
                } else if tag.name == "div" && tag.attributes.get("class").is_some_and(|class| class.contains("header"))
                {
                    header = Some((range, prepare::without(&tag, |name| name == "class")));
                }
            }
            Token::Text(text) => {
                has_text |= !text.trim().is_empty();
                header = before.filter(|_| text.trim().is_empty());
                before_answer &= text.trim().is_empty();
            }
            Token::End(name)
                if name == "button"
                    && let Some(end) = question.take() =>
            {
                edits.push((from..to, end.to_owned()));
                before_answer = true;
            }
            Token::End(name) if in_heading && in_button && name == "button" => {
                in_button = false;
                edits.push((from..to, "</span>".to_owned()));
            }
            Token::End(name) => {
                in_heading &= !is_heading(&name);
                // Without the counts, an end tag without a start tag would search through all open elements.
                let mut is_open = counts.get(&*name).is_some_and(|count| *count > 0);
                while is_open && let Some((last, is_renamed)) = open.pop() {
                    if let Some(count) = counts.get_mut(&last) {
                        *count -= 1;
                    }
                    is_open = last != *name;
                    if is_renamed && !is_open {
                        edits.push((from..to, "</div>".to_owned()));
                    }
                }
            }
            _ => {}
        }
        from = to;
    }
    headings::replaced(html, edits.into_iter())
}

/// Whether a page has several buttons with a heading or question. A single one may open a menu or form.
fn has_questions(html: &str) -> bool {
    let mut tokens = Tokens::new(html);
    let mut count = 0;
    while count < 2
        && let Some(token) = tokens.next()
    {
        let is_question =
            |tag: &Tag<'_>| tag.name == "button" && question_of(tag, &html[tokens.position()..]).is_some();
        count += usize::from(matches!(token, Token::Start(tag) if is_question(&tag)));
    }
    count > 1
}

/// Returns the tags that replace those of a button with a heading or question, which shows the text below: Readability removes buttons.
fn question_of(tag: &Tag<'_>, content: &str) -> Option<(&'static str, &'static str)> {
    tag.attributes.get("aria-expanded")?;
    let content = &content[..content.floor_char_boundary(MAX_QUESTION)];
    let mut text = String::new();
    for token in Tokens::new(content) {
        match token {
            Token::Start(tag) if is_heading(&tag.name) => return Some(("<div>", "</div>")),
            Token::Text(more) => text.push_str(more),
            Token::End(name) if name == "button" => {
                let is_question = text.trim_end().ends_with(['?', '？', '؟']);
                return is_question.then_some(("<p><strong>", "</strong></p>"));
            }
            _ => {}
        }
    }
    None
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether an aside or footer is a note on the text.
fn is_note(tag: &Tag<'_>) -> bool {
    let class = tag.attributes.get("class").unwrap_or_default();
    let has_word = || class.split_ascii_whitespace().any(|name| boilerplate::has_word(name, &NOTES));
    let has_role = || tag.attributes.get("role").is_some_and(|role| ROLES.contains(&&*role));
    !boilerplate::is_named(&class) && (has_role() || has_word())
}

/// Whether Readability takes an element for invisible.
fn is_hidden(tag: &Tag<'_>) -> bool {
    prepare::is_hidden(tag) || tag.attributes.get("aria-hidden").is_some_and(|value| value == "true")
}

/// Whether an element is the panel of a tab, or of a heading that opens it.
fn is_panel(tag: &Tag<'_>, panels: &HashSet<String>) -> bool {
    let role = tag.attributes.get("role").unwrap_or_default();
    role == "tabpanel"
        || role == "region" && tag.attributes.get("aria-labelledby").is_some()
        || tag.attributes.get("id").is_some_and(|id| panels.contains(&*id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_shadow_roots_are_divs() {
        for (html, expected) in [
            ("<aside class='box note'>a<aside>b</aside>c</aside>", "<div class='box note'>a<aside>b</aside>c</div>"),
            ("<aside class='msg message'>a</aside>", "<div class='msg message'>a</div>"),
            ("<aside class='article__factbox'><h3>a</h3></aside>", "<div class='article__factbox'><h3>a</h3></div>"),
            // Notices, newsletters, and the facts of wikis have this name, too.
            ("<aside class='portable-infobox'>a</aside>", "<aside class='portable-infobox'>a</aside>"),
            ("<footer role=doc-endnotes><ol></ol></footer>", "<div role=doc-endnotes><ol></ol></div>"),
            (
                "<x-y><template shadowrootmode=open><p>a</template></x-y>",
                "<x-y><div shadowrootmode=open><p>a</div></x-y>",
            ),
        ] {
            assert_eq!(rewritten(html), expected);
        }
        for html in [
            "<aside>a</aside>",
            "<aside class=notebook>a</aside>",
            "<footer class='post-footer notes'>a</footer>",
            "<template><p>a</p></template>",
        ] {
            assert_eq!(rewritten(html), html);
        }
    }

    #[test]
    fn panels_are_shown() {
        for (html, expected) in [
            ("<div role=tabpanel hidden>a</div>", "<div role=\"tabpanel\">a</div>"),
            (
                "<div role=region aria-labelledby=x style='display: none'>a</div>",
                "<div role=\"region\" aria-labelledby=\"x\">a</div>",
            ),
            (
                "<h3><button aria-controls='x y'>a</button></h3><div id=y aria-hidden=true>a</div>",
                "<h3><span>a</span></h3><div id=\"y\">a</div>",
            ),
            (
                "<button aria-expanded=false aria-controls=x>Is it <b>dry</b>? </button><svg aria-hidden=true></svg><p>a</p><div id=x hidden>a</div><button aria-expanded=false>Why?</button>",
                "<p><strong>Is it <b>dry</b>? </strong></p><svg aria-hidden=true></svg><p>a</p><div id=\"x\">a</div><p><strong>Why?</strong></p>",
            ),
            (
                "<button aria-expanded=true><h3>Nets</h3></button> <div hidden>a</div><div hidden>b</div><div><button aria-expanded=false>Why?</button></div><div hidden><p hidden>a</div>",
                "<div><h3>Nets</h3></div> <div>a</div><div hidden>b</div><div><p><strong>Why?</strong></p></div><div><p hidden>a</div>",
            ),
            (
                "<div class='faq-header' id=x> <button aria-expanded=false>Why?</button></div><div class=header><p><button aria-expanded=false>How?</button></div>",
                "<div id=\"x\"> <p><strong>Why?</strong></p></div><div class=header><p><p><strong>How?</strong></p></div>",
            ),
            // Only the next element is an answer.
            (
                "<button aria-expanded=true>Why?</button><p hidden><img src=a></p><div hidden>a</div><button aria-expanded=true>How?</button><div><form hidden>a</form></div>",
                "<p><strong>Why?</strong></p><p><img src=a></p><div hidden>a</div><p><strong>How?</strong></p><div><form hidden>a</form></div>",
            ),
        ] {
            assert_eq!(rewritten(html), expected);
        }
        for html in [
            "<div role=dialog hidden>a</div>",
            "<h3>a<button>Copy</button></h3>",
            "<h3>a</h3><button aria-controls=x>a</button><div id=x hidden>a</div>",
            "<h3>a</h3><div id=z hidden>a</div>",
            "<button aria-expanded=false>Menu</button><div hidden>a</div>",
            "<button aria-expanded=false>Looking for something?</button><div class=overlay style='display:none'><p>a</div>",
            "<button aria-expanded=false aria-controls=x>Any questions?</button><img hidden src=a><form id=x hidden>a</form>",
            "<button>Is it dry?</button><div hidden>a</div>",
        ] {
            assert_eq!(rewritten(html), html);
        }
    }
}
