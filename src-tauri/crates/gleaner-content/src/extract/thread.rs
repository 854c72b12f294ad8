//! Finds the posts of a thread in a forum. Each of them is an article to Readability, which finds only one.

use super::{container, tree::Tree};
use gleaner_html::tokens::{Tag, Token, Tokens};

/// Share of the text of the posts that Readability has to find.
const FOUND: f64 = 0.8;

/// Share of the found text that is in posts, if the page is a thread.
const OWN: f64 = 0.5;

/// Share of the found text that is in posts, if the rest is the forum's information about the authors.
const ALL: f64 = 0.95;

/// Class of phpBB's information about the author of a post.
const PHPBB: &str = "postprofile";

/// Parts of classes of elements that belong to a post or thread but are outside of the texts; and of an article with comments in XenForo.
const MORE: [&str; 3] = ["articlebody", "attach", "poll"];

/// Class of the names of authors in Flarum, without scripts.
const FLARUM: &str = "PostUser-name";

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    /// The text of a post.
    Post,
    /// The text of a question or an answer. Its title may be outside.
    Answer,
    /// The text of a post, if the forum is Flarum.
    Flarum,
    /// An element that contains no posts.
    Aside,
    /// `div.content`, the text of a post inside of an [`Outer`](Self::Outer).
    Content,
    /// `div.postbody` of phpBB, with the title and buttons of a post.
    Outer,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let attribute = |name: &str| tag.attributes.get(name).unwrap_or_default();
        let class = attribute("class");
        let has_class = |name: &str| class.split_ascii_whitespace().any(|class| class == name);
        let is_numbered = |start: &str| {
            attribute("id")
                .strip_prefix(start)
                .is_some_and(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()))
        };
        match &*tag.name {
            // XenForo.
            "article" if has_class("message-body") => Self::Post,
            "blockquote" if has_class("messageText") => Self::Post,
            // vBulletin, Simple Machines and MyBB.
            "div" | "blockquote" | "td" if is_numbered("post_message_") => Self::Post,
            "div" if has_class("inner") && is_numbered("msg_") || has_class("post_body") && is_numbered("pid_") => {
                Self::Post
            }
            // Discourse, without scripts, and Stack Exchange.
            "div" if attribute("itemprop") == "text" => Self::Answer,
            // Invision Community.
            "div" if attribute("data-role") == "commentContent" => Self::Post,
            "div" if has_class("Post-body") => Self::Flarum,
            // Questions and answers.
            "article" | "div" | "li" | "section" if has_class("question") || has_class("answer") => Self::Answer,
            "aside" | "nav" | "footer" => Self::Aside,
            "div" if has_class("postbody") => Self::Outer,
            "div" if has_class("content") => Self::Content,
            _ => Self::Other,
        }
    }
}

/// Returns the posts of a thread, if a part of them was not found.
pub(super) fn missed(page: &str, found: &str) -> Option<String> {
    let tree = Tree::read(page, Known::read);
    // Other elements may have the class of the posts, too.
    let is_flarum = page.contains(FLARUM);
    let (mut posts, mut outer, mut end, mut has_titles) = (Vec::new(), 0, 0, false);
    // The names of phpBB's posts are usual in articles, too.
    let is_phpbb = page.contains(PHPBB);
    for element in &tree.elements {
        let range = element.range();
        match element.known {
            Known::Outer => outer = range.end,
            Known::Aside => {
                end = end.max(range.end);
                continue;
            }
            Known::Post | Known::Answer if range.start >= end => {}
            Known::Flarum if range.start >= end && is_flarum => {}
            Known::Content if range.start >= end && range.end <= outer => {}
            _ => continue,
        }
        if element.known != Known::Outer && element.text() > 0 {
            end = range.end;
            has_titles |= element.known == Known::Answer || element.known == Known::Content && !is_phpbb;
            posts.push(&page[range]);
        }
    }
    if posts.len() < 2 {
        return None;
    }
    let posts: Vec<String> = posts.iter().map(|post| format!("<div>{post}</div>")).collect();
    let posts = posts.join("<hr>");
    // Otherwise they are comments on an article that was found.
    let own = container::share(found, &container::keys(&posts));
    let is_missed = own >= OWN && container::share(&posts, &container::keys(found)) < FOUND;
    let has_more = || {
        !has_titles
            && own >= ALL
            && container::letters(found).len() > container::letters(&posts).len()
            && !has_attachments(found)
    };
    (is_missed || has_more()).then_some(posts)
}

/// Whether the found text contains attached images or a poll, or is an article of a forum.
fn has_attachments(found: &str) -> bool {
    Tokens::new(found).any(|token| match token {
        Token::Start(tag) => tag.attributes.get("class").is_some_and(|class| {
            let class = class.to_ascii_lowercase();
            MORE.iter().any(|part| class.contains(part))
        }),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_posts_of_threads() {
        let text =
            |of: &str| format!("The {of} are dry, and they can be carried into the boats.<br>Who has seen my {of}?");
        for (start, end) in [
            (
                "<article class='message message--post'><aside>A</aside><article class='message-body js-x'>",
                "</article></article>",
            ),
            ("<td class=alt1 id=td_1><div id=post_message_12>", "</div></td>"),
            ("<div class=post><div class=inner id=msg_12>", "</div></div>"),
            ("<div class='post_body scaleimages' id=pid_12>", "</div>"),
            ("<div class=topic-body><div class=post itemprop=text>", "</div></div>"),
            ("<div class=answer><div class='s-prose js-post-body' itemprop=text>", "</div></div>"),
            ("<li class='answer accepted'>", "</li>"),
            ("<div><h3 class=PostUser-name>Sailor</h3><div class=Post-body>", "</div></div>"),
            (
                "<div class=post><div class=postbody><h3>Re: Nets</h3><div class=content>",
                "</div><div class=signature>Sailor</div></div></div>",
            ),
        ] {
            let post = |of: &str| format!("{start}{}{end}", text(of));
            let page = format!("<h1>Nets</h1><div>{}{}</div><p>Other threads</p>", post("nets"), post("ropes"));
            let missed = missed(&page, &text("nets")).map(|posts| crate::plain_text(&posts)).unwrap_or_default();
            assert!(missed.contains("my nets?") && missed.contains("my ropes?"), "{page}: {missed}");
            assert!(
                !missed.contains("Sailor") && !missed.contains("Re: Nets") && !missed.contains("Other"),
                "{missed}"
            );
            assert_eq!(super::missed(&page, &["nets", "ropes"].map(text).join("<br>")), None);
            assert_eq!(super::missed(&post("nets"), ""), None);
        }
        let comment = |of: &str| format!("<div data-role=commentContent>{}</div>", text(of));
        let article = format!("<p>{}</p>", text("boats").repeat(3));
        let page = format!("<article>{article}</article>{}{}", comment("nets"), comment("ropes"));
        assert_eq!(missed(&page, &article), None);
        assert!(missed(&page, &comment("nets")).is_some());
    }

    #[test]
    fn leaves_out_what_forums_say_about_authors() {
        let text =
            |of: &str| format!("The {of} are dry, and they can be carried into the boats. Who has seen my {of}?");
        let post = |of: &str, start: &str| format!("{start}{}</div></div>", text(of));
        let author = "<dl class=postprofile><dt>Sailor</dt><dd>Posts: 4512</dd></dl>";
        for (start, is_forum) in [
            ("<div class=postbody><h3>Nets</h3><div class=content>", true),
            ("<div><h3>Which nets?</h3><div class=answer>", false),
            ("<div><h3>Which nets?</h3><div itemprop=text>", false),
        ] {
            let posts = format!("{author}{}{author}{}", post("nets", start), post("ropes", start));
            let found = missed(&format!("<h1>Nets</h1>{posts}"), &posts);
            assert_eq!(found.is_some(), is_forum, "{start}");
            assert!(!found.unwrap_or_default().contains("Sailor"));
        }
        let start = "<div class=postbody><div class=content>";
        let posts = [post("nets", start), post("ropes", start)].join("<h3>Ropes</h3>");
        for other in [
            posts.clone(),
            format!("{author}{posts}<div class=attachbox><img src=a></div>"),
            format!("<form class=topic_poll><h2>Which nets?</h2></form>{author}{posts}"),
        ] {
            assert_eq!(missed(&other, &other), None, "{other}");
        }
        // An article that contains more than the posts.
        let posts = format!("{author}<p>{}</p>{}{}", text("boats"), post("nets", start), post("ropes", start));
        assert_eq!(missed(&posts, &posts), None);
    }

    #[test]
    fn leaves_articles_that_are_no_thread() {
        let text = "The nets are dry, and they can be carried into the boats before noon.";
        let posts =
            |start: &str, end: &str| format!("{start}{text}{end}{start}The ropes are dry as well, I think.{end}");
        let article = format!("<p>{text}</p>");
        for page in [
            posts("<div class=post_body>", "</div>"),
            posts("<div class=content>", "</div>"),
            posts("<div class=Post-body>", "</div>"),
            format!("<div class=Post-body>{text}</div><aside>{}</aside>", posts("<div class=Post-body>", "</div>")),
            format!(
                "<article class=message-body>{text}</article><nav>{}</nav>",
                posts("<article class=message-body>", "</article>")
            ),
        ] {
            assert_eq!(missed(&page, &article), None, "{page}");
        }
    }
}
