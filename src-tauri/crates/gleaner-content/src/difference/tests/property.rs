//! Properties of the difference between any two texts.

use super::*;
use gleaner_html::elements::is_void;
use proptest::prelude::*;

/// Restores the newer version (without `del` and `gl-out`), or the older one.
fn side(html: &str, newer: bool) -> String {
    let (drop_mark, drop_block) =
        if newer { ("<del class=\"gl-del\"", "gl-out") } else { ("<ins class=\"gl-ins\"", "gl-in") };
    let (mut out, mut open, mut dropped) = (String::new(), Vec::new(), 0_usize);
    let (mut tokens, mut from) = (Tokens::new(html), 0);
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        match token {
            Token::Start(tag) => {
                let classes = source.split_once(" class=\"").map_or("", |(_, rest)| rest.split('"').next().unwrap());
                let drops = source.starts_with(drop_mark) || classes.split(' ').any(|class| class == drop_block);
                let mark = source.starts_with("<ins class=\"gl-ins\"") || source.starts_with("<del class=\"gl-del\"");
                let void = is_void(&tag.name);
                dropped += usize::from(drops);
                if dropped == 0 && !mark {
                    let plain = source.replace(" data-change=\"\"", "");
                    let plain = plain.replace(" class=\"gl-in\"", "").replace("class=\"gl-in ", "class=\"");
                    out += &plain.replace(" class=\"gl-out\"", "").replace("class=\"gl-out ", "class=\"");
                }
                if void {
                    assert!(!drops, "no element without an end tag is marked");
                } else {
                    open.push((drops, mark));
                }
            }
            Token::End(_) => {
                let (drops, mark) = open.pop().unwrap();
                if dropped == 0 && !mark {
                    out += source;
                }
                dropped -= usize::from(drops);
            }
            _ if dropped == 0 => out += source,
            _ => {}
        }
    }
    assert!(open.is_empty());
    out
}

/// Returns the words and images of a text, in order.
fn content(html: &str) -> String {
    let mut out = String::new();
    for token in Tokens::new(html) {
        match token {
            Token::Text(text) | Token::Raw { text, .. } => {
                out.extend(gleaner_html::references::decode(text).chars().filter(|c| !c.is_whitespace()));
            }
            Token::Start(tag) if &*tag.name == "img" => {
                out.extend(tag.attributes.filter(|(name, _)| name == "src").map(|(_, src)| format!("[{src}]")));
            }
            _ => {}
        }
    }
    out
}

/// Returns the HTML without marks.
fn unmarked(html: &str) -> String {
    let plain = html.replace(" data-change=\"\"", "");
    let classes = ["gl-in", "gl-out", "gl-ins", "gl-del"];
    classes.iter().fold(plain, |html, class| {
        html.replace(&format!(" class=\"{class}\""), "").replace(&format!("class=\"{class} "), "class=\"")
    })
}

fn check(older: &str, newer: &str) -> Result<(), TestCaseError> {
    let (older, newer) = (sanitise(older, None), sanitise(newer, None));
    let found = difference(&older, &newer);
    prop_assert_eq!(&side(&found.html, true), &newer, "{:?} to {:?}: {}", older, newer, found.html);
    prop_assert_eq!(content(&side(&found.html, false)), content(&older), "{:?} to {:?}: {}", older, newer, found.html);
    let plain = unmarked(&found.html);
    prop_assert_eq!(&sanitise(&plain, None), &plain, "sanitised: {:?} to {:?}", older, newer);
    prop_assert_eq!(found.html.matches(" data-change=\"\"").count(), found.changes as usize);
    prop_assert!(found.changes > 0 || content(&older) == content(&newer) && found.inserted + found.deleted == 0);
    let same = difference(&newer, &newer);
    prop_assert_eq!((same.html, same.changes), (newer, 0));
    Ok(())
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(
        &[
            "the",
            "harbour",
            "boats",
            "of",
            "and",
            "nets",
            "wind,",
            "sea.",
            "3.5",
            "don't",
            "é&amp;",
            "漢字",
            "สวัสดี",
            "&lt;x&gt;",
            "a&nbsp;b",
        ][..],
    )
    .prop_map(str::to_owned)
}

fn line() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        8 => word(),
        1 => word().prop_map(|word| format!("<b>{word} {word}</b>")),
        1 => (word(), 0..3_u8).prop_map(|(word, n)| format!("<a href=\"https://a.example/{n}\">see {word}</a>")),
        1 => (0..3_u8).prop_map(|n| format!("<img src=\"https://a.example/{n}.png\" alt=\"x\">")),
        1 => Just("<br>".to_owned()),
        1 => word().prop_map(|word| format!("<code>{word}</code>")),
    ];
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.join(" "))
}

fn article() -> impl Strategy<Value = String> {
    let cell = || prop::collection::vec(line(), 1..4);
    let items = |lines: Vec<String>| lines.iter().map(|line| format!("<li>{line}</li>\n")).collect::<String>();
    let block = prop_oneof![
        6 => line().prop_map(|line| format!("<p>{line}</p>\n")),
        1 => line().prop_map(|line| format!("<h2>{line}</h2>")),
        1 => cell().prop_map(move |lines| format!("<ul>{}</ul>", items(lines))),
        1 => prop::collection::vec(cell(), 1..4).prop_map(|rows| {
            let cells = |row: Vec<String>| row.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>();
            format!("<table>{}</table>", rows.into_iter().map(|row| format!("<tr>{}</tr>", cells(row))).collect::<String>())
        }),
        1 => line().prop_map(|line| format!("<blockquote><p>{line}</p><p>{line}</p></blockquote>")),
        1 => (line(), 0..3_u8).prop_map(|(line, n)| format!("<figure id=f><img src=\"https://a.example/{n}.png\"><figcaption>{line}</figcaption></figure>")),
        1 => line().prop_map(|line| format!("<div><section><p id=s>{line}</p></section>{line}</div>")),
        1 => line().prop_map(|line| format!("<pre>\n{line}\n  {line}</pre>")),
        1 => line(),
        1 => line().prop_map(|line| format!("<ins>{line}</ins> <del>{line}</del>")),
    ];
    prop::collection::vec(block, 0..8).prop_map(|blocks| blocks.concat())
}

/// Generates an article and an edited version of it.
fn edited() -> impl Strategy<Value = (String, String)> {
    (article(), prop::collection::vec((0_usize..400, 0_usize..60, word()), 0..5)).prop_map(|(older, edits)| {
        let mut newer = older.clone();
        for (at, length, word) in edits {
            let at = newer.floor_char_boundary(at);
            let end = newer.floor_char_boundary(at + length);
            newer.replace_range(at..end.max(at), &word);
        }
        (older, newer)
    })
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<a href=https://x.example/>", "</a>", "<table>", "</table>", "<tr>", "<td>", "</td>", "</tr>",
    "<caption>", "<colgroup>", "<col>", "<thead>", "<ul>", "<ol>", "<li>", "</li>", "</ul>", "<dl>", "<dt>", "<dd>", "</dl>", "<h1>", "<h2>", "</h1>", "<pre>", "</pre>",
    "\n", " ", "text", "word", "&amp;", "&#13;", "&nbsp;", "\u{feff}", "<img src=https://x.example/a.png>", "<img src=https://x.example/b.png id=i>", "<picture>", "</picture>",
    "<source srcset='https://x.example/c'>", "<video src=https://x.example/v>", "</video>", "<audio>", "<math>", "<mi>", "</mi>", "</math>", "<ruby>", "<rt>", "</ruby>",
    "<details open>", "<summary>", "</summary>", "</details>", "<br>", "<hr>", "<ins>", "</ins>", "<del>", "</del>", "<span>", "</span>", "<blockquote>", "</blockquote>",
    "<figure>", "<figcaption>", "</figure>", "<p id=n>", "<section>", "</section>", "<code class=lang-rust>", "</code>", "<p class=embed>", "<a href=#n>",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn restores_both_versions_of_an_edited_article((older, newer) in edited()) {
        check(&older, &newer)?;
    }

    #[test]
    fn restores_both_versions_of_unrelated_articles(older in article(), newer in article()) {
        check(&older, &newer)?;
    }

    #[test]
    fn restores_both_versions_of_any_html(older in hostile(), newer in hostile()) {
        check(&older, &newer)?;
    }
}

/// Makes a piece of a text from its number.
type Shape<'a> = &'a dyn Fn(usize) -> String;

#[test]
fn takes_time_in_proportion_to_the_text() {
    let numbered = |make: Shape<'_>, length: usize| {
        let mut text = String::new();
        for number in 0.. {
            if text.len() > length {
                return sanitise(&text, None);
            }
            text += &make(number);
        }
        text
    };
    let long_link = format!("<a href=https://a.example/{}>", "a".repeat(100_000));
    let shapes: [(&str, Shape<'_>, Shape<'_>); 7] = [
        ("edited", &|n| format!("<p>The {n} boats of the harbour lie still at {}.</p>", n % 7), &|n| {
            format!("<p>The {n} ships of the harbour lie still at {}.</p>", n % 7)
        }),
        ("nothing in common", &|n| format!("<p>a{n} b{n} c{n}</p>"), &|n| format!("<p>x{n} y{n} z{n}</p>")),
        ("one line", &|n| format!("a{} b{} ", n % 11, n % 5), &|n| format!("b{} a{} ", n % 13, n % 3)),
        ("the same word", &|_| "a ".to_owned(), &|n| if n % 3 == 0 { "b ".to_owned() } else { "a ".to_owned() }),
        ("links", &|n| format!("<a href=https://a.example/{n}>x</a> "), &|n| {
            format!("<a href=https://b.example/{n}>x</a> ")
        }),
        ("words of one long link", &|n| if n == 0 { long_link.clone() } else { format!("a{} b ", n % 3) }, &|n| {
            if n == 0 { long_link.clone() } else { format!("c{} b ", n % 5) }
        }),
        ("deep", &|_| "<blockquote><ul><li>a b c ".to_owned(), &|_| "<blockquote><ul><li>a b d ".to_owned()),
    ];
    for (name, older, newer) in shapes {
        let both = |length: usize| (numbered(older, length), numbered(newer, length));
        gleaner_cpu_time::assert_linear(name, 250_000, both, |(older, newer)| {
            let found = difference(older, newer);
            assert!(found.html.len() >= newer.len());
            // A mark around each word is longer than the word.
            assert!(found.html.len() < 32 * (older.len() + newer.len()), "{name}: {}", found.html.len());
        });
    }
}
