#![allow(clippy::unwrap_used)]
use super::{difference, text_difference};
use crate::sanitise;
use gleaner_html::tokens::{Token, Tokens};

mod property;

/// Writes marks as `[+inserted+]` and `[-deleted-]`, and `{+` or `{-` before the tag of a block.
fn shown(older: &str, newer: &str) -> String {
    let (older, newer) = (sanitise(older, None), sanitise(newer, None));
    let html = difference(&older, &newer).html.replace(" data-change=\"\"", "");
    let mut out = String::new();
    let (mut marks, mut tokens, mut from) = (Vec::new(), Tokens::new(&html), 0);
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        match token {
            Token::Start(tag) if &*tag.name == "ins" || &*tag.name == "del" => {
                marks.push(source.contains("gl-"));
                out += match (source.contains("gl-"), &*tag.name) {
                    (true, "ins") => "[+",
                    (true, _) => "[-",
                    _ => source,
                };
            }
            Token::End(name) if &*name == "ins" || &*name == "del" => {
                out += match (marks.pop().unwrap(), &*name) {
                    (true, "ins") => "+]",
                    (true, _) => "-]",
                    _ => source,
                };
            }
            Token::Start(_) => {
                let plain = source.replace(" class=\"gl-in\"", "").replace(" class=\"gl-out\"", "");
                out += if source.contains("gl-in") {
                    "{+"
                } else if source.contains("gl-out") {
                    "{-"
                } else {
                    ""
                };
                out += &plain;
            }
            _ => out += source,
        }
    }
    out
}

#[test]
fn marks_words_within_a_line() {
    assert_eq!(shown("<p>a b c</p>", "<p>a x c</p>"), "<p>a[- b-] [+x+] c</p>");
    assert_eq!(shown("<p>a b c</p>", "<p>a c</p>"), "<p>a[- b-] c</p>");
    assert_eq!(shown("<p>a c</p>", "<p>a b c</p>"), "<p>a [+b+] c</p>");
    assert_eq!(shown("<p>b c</p>", "<p>c</p>"), "<p>[-b -]c</p>");
    assert_eq!(shown("<p>a &amp; b &lt; c</p>", "<p>a &amp; b &gt; c</p>"), "<p>a &amp; b[- &lt;-] [+&gt;+] c</p>");
    assert_eq!(shown("plain text here", "plain words here"), "plain[- text-] [+words+] here");
}

#[test]
fn ignores_changes_of_markup_and_white_space() {
    for (older, newer) in [
        ("<p>one two</p>", "<p>one <b>two</b></p>"),
        ("<p>one   two</p>", "<p>one\n two</p>"),
        ("<p>one</p><p>two</p>", "<div><p>one</p>\n<p>two</p></div>"),
        ("<h2>one</h2>", "<h3>one</h3>"),
        ("<ul><li>a</ul>", "<ol><li>a</ol>"),
        ("<p>one</p>", "<div>one</div>"),
    ] {
        let newer = sanitise(newer, None);
        let found = difference(&sanitise(older, None), &newer);
        assert_eq!((found.html, found.changes), (newer, 0));
    }
}

#[test]
fn keeps_emphasis_around_deleted_words() {
    assert_eq!(shown("<p>a <b>b c</b> d</p>", "<p>a d</p>"), "<p>a[- <b>b c</b>-] d</p>");
    assert_eq!(shown("<p>a d</p>", "<p>a <b>b c</b> d</p>"), "<p>a <b>[+b c+]</b> d</p>");
}

#[test]
fn marks_changed_links_and_images() {
    assert_eq!(
        shown("<p>see <a href='https://a.example/'>it</a>.</p>", "<p>see <a href='https://b.example/'>it</a>.</p>"),
        "<p>see[- <a href=\"https://a.example/\" rel=\"noopener noreferrer\">it</a>-] \
         <a href=\"https://b.example/\" rel=\"noopener noreferrer\">[+it+]</a>.</p>"
    );
    let image = |name: &str| {
        format!("<p>x</p><img src='https://a.example/{name}.png' srcset='https://a.example/{name}.png 2x'>")
    };
    let found = shown(&image("one"), &image("two"));
    assert!(
        found.contains("[-<img src=\"https://a.example/one.png\"")
            && found.contains("[+<img src=\"https://a.example/two.png\""),
        "{found}"
    );
    assert_eq!(difference(&sanitise(&image("one"), None), &sanitise(&image("one"), None)).changes, 0);
}

#[test]
fn marks_whole_blocks() {
    let (one, two, three) =
        ("<p>The first of the paragraphs.</p>", "<p>Another one, with its own words.</p>", "<p>Last.</p>");
    assert_eq!(
        shown(&format!("{one}{two}{three}"), &format!("{one}{three}")),
        format!("{one}{{-<p>[-Another one, with its own words.-]</p>{three}")
    );
    assert_eq!(
        shown(&format!("{one}{three}"), &format!("{one}{two}{three}")),
        format!("{one}{{+<p>[+Another one, with its own words.+]</p>{three}")
    );
    assert_eq!(
        shown("<ul><li>a<li>b<li>c</ul>", "<ul><li>a<li>c</ul>"),
        "<ul><li>a</li>{-<li>[-b-]</li><li>c</li></ul>"
    );
}

#[test]
fn keeps_the_columns_of_table_cells() {
    assert_eq!(
        shown("<table><tr><td>x<td>5<tr><td>y<td>6</table>", "<table><tr><td>x<td>7<tr><td>y<td>6</table>"),
        "<table><tbody><tr><td>x</td><td>[-5-][+7+]</td></tr><tr><td>y</td><td>6</td></tr></tbody></table>"
    );
}

#[test]
fn marks_unrelated_text_as_deleted_and_inserted() {
    assert_eq!(
        shown("<p>alpha beta gamma</p>", "<p>one two three</p>"),
        "{-<p>[-alpha beta gamma-]</p>{+<p>[+one two three+]</p>"
    );
    // Words that are equal by chance do not split a rewritten sentence.
    let found =
        difference("we met at the old harbour in spring by noon", "they talk of the new boats under water till dusk");
    assert_eq!(found.changes, 1, "{}", found.html);
}

#[test]
fn counts_words_and_changes() {
    let found = difference("<p>a b c d e f g</p>", "<p>a x y c d e f, g</p>");
    assert_eq!((found.inserted, found.deleted, found.changes), (2, 1, 2), "{}", found.html);
    assert_eq!(found.html.matches("data-change").count(), 2);
    let title = text_difference("Rust 1.90 & <b>", "Rust 1.91 & <b>");
    assert_eq!((title.inserted, title.deleted), (1, 1));
    assert!(title.html.ends_with(" &amp; &lt;b&gt;"), "{}", title.html);
}

#[test]
fn writes_no_id_twice() {
    let (older, newer) =
        ("<p id=a>One thing that stood here.</p><p>x</p>", "<p>x</p><p id=a>Quite some other words now</p>");
    assert_eq!(shown(older, newer).matches("id=\"u-a\"").count(), 1);
}

#[test]
fn drops_the_target_of_a_deleted_link_within_the_article() {
    let note = |text: &str| format!("<p>{text}</p><p id=n>Its note.</p>");
    assert_eq!(
        shown(&note("One thing<a href=#n><b>1</b></a> or two of them"), &note("One thing or two of them")),
        "<p>One thing[-<span><b>1</b></span>-] or two of them</p><p id=\"u-n\">Its note.</p>"
    );
}

#[test]
fn compares_a_player_as_a_whole() {
    let film =
        |name: &str, text: &str| format!("<video src=https://a.example/{name}><p>{text}</p></video><p>A word.</p>");
    let found = shown(&film("one", "Not here"), &film("two", "Not here"));
    assert!(found.starts_with("{-<video") && found.contains("one") && found.contains("{+<video"), "{found}");
    let found = shown(&film("one", "Not here"), &film("one", "Not there"));
    assert_eq!(found.matches("{-<video").count(), 1, "{found}");
    let rubies = ("<p><ruby><b>x</b><rt>y</ruby></p>", "<p><ruby><b>z</b><rt>y</ruby></p>");
    assert_eq!(difference(&sanitise(rubies.0, None), &sanitise(rubies.1, None)).changes, 1);
}

#[test]
fn very_long_texts_are_compared_by_sentence() {
    let sentence = |number: usize| format!("Sentence {number} of a very long text that few ever read. ");
    let sentences = super::MAX_BY_WORD / sentence(10_000).len() / 2 + 500;
    let text = |changed: &str| {
        let of = |number| match number {
            // White space is not compared.
            9 if !changed.starts_with('S') => sentence(number).replace("very long", "very\n long"),
            700 => changed.to_owned(),
            number => sentence(number),
        };
        format!("<p>{}</p>", (0..sentences).map(of).collect::<String>())
    };
    let (older, newer) = (text(&sentence(700)), text("A &amp; B\nreplaced this sentence in the text today. "));
    let found = difference(&older, &newer);
    assert_eq!((found.inserted, found.deleted, found.changes), (9, 11, 1));
    let marked = format!(
        "<del class=\"gl-del\" data-change=\"\"> {}</del> <ins class=\"gl-ins\">A &amp; B\nreplaced this sentence in the text today.</ins> ",
        sentence(700).trim_end()
    );
    assert!(found.html.contains(&marked), "{:?}", found.html.split_once("<del").map(|(_, rest)| &rest[..300]));
    let without = found.html.replace(&marked, " A &amp; B\nreplaced this sentence in the text today. ");
    assert_eq!(without, newer);
    // Short sentences are read together.
    let dots = ".a".repeat(10_000);
    assert!(super::Reader::new(true).read(&dots).units[0].line().len() <= dots.len() / 40 + 1);
}
