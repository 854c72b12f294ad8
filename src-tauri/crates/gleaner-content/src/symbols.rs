//! Elements that stand for a character: emoji drawn as images, and the boxes of task lists.

use crate::attributes::TagAttributes;
use gleaner_html::tokens::Tag;
use std::borrow::Cow;

/// Maximum length of an emoji, in characters: families and flags are sequences.
const MAX_EMOJI: usize = 16;

/// Width or height above which an image is not a character, in pixels.
const LARGE: u32 = 128;

/// Returns the text that an element stands for. WordPress and others replace each emoji in a feed with an image, and Markdown writes the
/// boxes of a task list as form fields.
pub(crate) fn symbol<'a>(tag: &Tag<'a>) -> Option<Cow<'a, str>> {
    match &*tag.name {
        "img" => emoji(&TagAttributes::read(tag.attributes.clone())).map(Cow::Owned),
        "input" => checkbox(&TagAttributes::read(tag.attributes.clone())).map(Cow::Borrowed),
        _ => None,
    }
}

/// Returns the emoji that an image draws, by its alternative text. Emoji of a site's own are only names and stay images.
fn emoji(given: &TagAttributes<'_>) -> Option<String> {
    let alt = given.get("alt").map(str::trim).filter(|alt| is_emoji(alt))?;
    let named = |name: &str, part: &str| given.get(name).is_some_and(|value| value.to_ascii_lowercase().contains(part));
    let is_drawn = named("class", "emoji") || named("class", "wp-smiley") || named("src", "emoji");
    let is_large =
        |name| given.get(name).and_then(|value| value.trim().parse().ok()).is_some_and(|size: u32| size > LARGE);
    (is_drawn && !is_large("width") && !is_large("height")).then(|| alt.to_owned())
}

/// Whether a text is made of emoji only.
fn is_emoji(text: &str) -> bool {
    let is_part = |c: char| {
        matches!(c, '\u{a9}' | '\u{ae}' | '\u{200d}' | '\u{203c}' | '\u{2049}' | '\u{20e3}' | '\u{fe0e}' | '\u{fe0f}')
            || matches!(c, '\u{2100}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}')
            || matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{e0020}'..='\u{e007f}')
            || matches!(c, '0'..='9' | '#' | '*')
    };
    !text.is_ascii() && text.chars().count() <= MAX_EMOJI && text.chars().all(is_part)
}

/// Returns the box of a task list. Boxes that a reader of the page can tick belong to a form, or open something.
fn checkbox(given: &TagAttributes<'_>) -> Option<&'static str> {
    let is_checkbox = given.get("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("checkbox"));
    let is_of_list = given.has("disabled") || given.get("class").is_some_and(|class| class.contains("task-list"));
    if !is_checkbox || !is_of_list || given.first(["name"]).is_some() {
        return None;
    }
    Some(if given.has("checked") { "☑" } else { "☐" })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_html::tokens::{Token, Tokens};

    fn of(html: &str) -> Option<String> {
        match Tokens::new(html).next() {
            Some(Token::Start(tag)) => symbol(&tag).map(Cow::into_owned),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn images_of_emoji_are_their_text() {
        for (html, text) in [
            (
                r#"<img src="https://s.w.org/images/core/emoji/15.0.3/72x72/1f600.png" alt="😀" class="wp-smiley">"#,
                "😀",
            ),
            (r#"<img class="emoji" draggable="false" alt="1️⃣" src="x.svg">"#, "1️⃣"),
            (r#"<img alt="👩‍👩‍👧‍👦" src="https://twemoji.example/1f469.svg">"#, "👩‍👩‍👧‍👦"),
            (r#"<img alt="🏴󠁧󠁢󠁳󠁣󠁴󠁿" class="Emoji Emoji--forText" src="x">"#, "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ] {
            assert_eq!(of(html).as_deref(), Some(text), "{html}");
        }
        for image in [
            r#"<img src="emoji/party.png" alt=":party:" class="emoji">"#,
            r#"<img src="photo.jpg" alt="❤">"#,
            r#"<img src="/emoji-hero.jpg" alt="😀😃" width="1600">"#,
            r#"<img src="emoji.png" alt="12" class="emoji">"#,
            r#"<img src="emoji.png" alt="心" class="emoji">"#,
            r#"<img src="emoji.png" alt="" class="emoji">"#,
        ] {
            assert_eq!(of(image), None, "{image}");
        }
    }

    #[test]
    fn boxes_of_task_lists_are_signs() {
        assert_eq!(of(r#"<input class="task-list-item-checkbox" disabled type="checkbox" checked>"#).unwrap(), "☑");
        assert_eq!(of(r#"<input type="CheckBox" class="task-list-item-checkbox" />"#).unwrap(), "☐");
        assert_eq!(of(r#"<input type="checkbox">"#), None);
        assert_eq!(of(r#"<input type="checkbox" id="task" disabled>"#).unwrap(), "☐");
        assert_eq!(of(r#"<input type="checkbox" id="menu">"#), None);
        assert_eq!(of(r#"<input type="checkbox" name="consent">"#), None);
        assert_eq!(of(r#"<input type="radio" checked>"#), None);
    }
}
