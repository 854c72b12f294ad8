//! Properties of all articles, whatever their source.
#![allow(clippy::unwrap_used)]

use gleaner_content::{canonical_url, excerpt, first_image, plain_text, sanitise, word_count};
use proptest::prelude::*;

/// Pieces of HTML; sequences of them are documents, most of them malformed.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<a href=/x>",
    "<a href='#n'>",
    "<a name=n>",
    "</a>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "</tr>",
    "<tbody>",
    "<caption>",
    "<colgroup>",
    "<col>",
    "</tbody>",
    "<ul>",
    "<ol>",
    "<li>",
    "</li>",
    "</ul>",
    "<dl>",
    "<dt>",
    "<dd>",
    "</dl>",
    "<h1>",
    "<h2>",
    "</h1>",
    "<pre>",
    "</pre>",
    "\n",
    "\r\n",
    " ",
    "text",
    "&amp;",
    "&lt;b&gt;",
    "&#13;",
    "&#10;",
    "&nbsp;",
    "&#0;",
    "&",
    "<",
    ">",
    "\u{feff}",
    "\0",
    "<img src=a.png>",
    "<img src=a.png width=1 height=1>",
    "<img data-src=b.png src=data:image/gif;base64,R0>",
    "<picture>",
    "</picture>",
    "<source srcset='a 1x, b 2x'>",
    "<video src=v.mp4>",
    "</video>",
    "<audio>",
    "</audio>",
    "<iframe src=//f.example/>",
    "</iframe>",
    "<iframe src=https://www.youtube.com/embed/1>",
    "<object data=x.pdf>",
    "</object>",
    "<embed src=x.mp3>",
    "<svg>",
    "</svg>",
    "<svg/>",
    "<title>",
    "</title>",
    "<desc>",
    "<foreignObject>",
    "</foreignObject>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<mtext>",
    "<mrow>",
    "<mspace/>",
    "<annotation>",
    "</annotation>",
    "<annotation-xml encoding=text/html>",
    "<mglyph>",
    "<malignmark>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<noscript>",
    "</noscript>",
    "<template>",
    "</template>",
    "<select>",
    "<option>",
    "</select>",
    "<textarea>",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<form>",
    "</form>",
    "<button>",
    "</button>",
    "<input>",
    "<input type=checkbox>",
    "<img src=e.png class=emoji alt=🎉>",
    "<ruby>",
    "<rt>",
    "<rp>",
    "</ruby>",
    "<details open>",
    "<summary>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x",
    "<br>",
    "</br>",
    "<hr>",
    "<center>",
    "<font color=red>",
    "<nobr>",
    "<marquee>",
    "<applet>",
    "<body>",
    "</body>",
    "<html>",
    "<head>",
    "<frameset>",
    "<image src=c>",
    "<span style='text-align:left;color:red'>",
    "</span>",
    "<code class=lang-rust>",
    "</code>",
    "<blockquote cite=c>",
    "</blockquote>",
    "<sub>",
    "<sup>",
    "</sup>",
    "<address>",
    "<figure>",
    "<figcaption>",
    "<a href=javascript:x>",
    "<p id=n class=embed align=center>",
    "<a href=https://base.example/p#n>",
    "<u",
    "<u a='",
    "'>",
    "\">",
    "<td style=text-align:right>",
    "<th scope=row>",
];

fn html() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// Pieces of URLs, for sequences that are mostly malformed.
#[rustfmt::skip]
const URL_PIECES: &[&str] = &[
    "https://", "HTTP://", "ftp://", "mailto:", "feed:", "tag:", "//", "a.example", "BÜCHER.example", "xn--bcher-kva.example", "[::1]", "127.1", "0x7f.1", "a.example.", "user:p%40ss@", "@",
    ":80", ":443", ":8080", ":", "/", "//", "/.", "/..", "/%2e%2e", "/%2F", "/%252e", "/a%20b", "/é", "/%C3%A9", "/%E4", "/%", "/%4", "%7E", "~", ";p=1", "\\", " ", "\t", "\n", "+", "|", "^", "{}", "'", "\"", "<",
    "?", "&", "=", "a=1", "b", "b=2", "a[]=1", "utm_source=x", "UTM_Medium=y", "utm_=", "ref=x", "Ref=y", "source", "fbclid", "%75tm_source=z", "q=%26%3D%23", "q=%2b+", "#", "#!/r", "#/r?x", "#part", "#%23", "#/ é", "\0",
];

fn hostile_url() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(URL_PIECES), 0..14).prop_map(|pieces| pieces.concat())
}

fn check(html: &str, base: Option<&str>) -> Result<(), TestCaseError> {
    let once = sanitise(html, base);
    prop_assert_eq!(&sanitise(&once, base), &once, "{:?}", html);
    for bad in ["<script", "<style", "<iframe", "<svg", "<form", "<input", "<base"] {
        prop_assert!(!once.contains(bad), "{bad} in {once:?}");
    }
    // Text may contain anything, such as the source of a page. `<` and `>` delimit tags only, since they are escaped
    // in text and in attributes.
    for tag in once.split('<').skip(1).filter_map(|piece| piece.split('>').next()) {
        prop_assert!(!tag.contains("=\"javascript:"), "{tag:?} in {once:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sanitising_is_idempotent(html in html()) {
        check(&html, Some("https://base.example/p"))?;
        check(&html, None)?;
    }

    #[test]
    fn sanitises_any_text(text in "\\PC{0,80}") {
        check(&text, Some("https://base.example/p"))?;
    }

    #[test]
    fn sanitises_any_markup(text in "[<>/a-d =\"'&;!\\-\\[\\]\r\n\t]{0,60}") {
        check(&text, None)?;
    }

    #[test]
    fn plain_text_is_trimmed(html in html()) {
        let text = plain_text(&html);
        prop_assert!(!text.starts_with('\n') && !text.ends_with('\n'));
        prop_assert!(word_count(&text) as usize <= text.len());
        prop_assert!(first_image(&html, None).is_none_or(|url| url.starts_with("http")));
    }

    #[test]
    fn excerpts_have_at_most_the_given_length(text in "\\PC{0,60}", length in 0_usize..70) {
        prop_assert!(excerpt(&text, length).chars().count() <= length);
    }

    #[test]
    fn canonicalising_a_url_is_idempotent(url in "(https?|ftp|HTTP|mailto|tag)://?[a-z.é]{1,9}(:[0-9]{1,3})?(/[a-zA-Z%0-9é.~/ ]{0,9}){0,3}(\\?[a-z=&%0-9#+ ]{0,20})?(#[!/a-z?]{0,6})?") {
        if let Some(once) = canonical_url(&url) {
            prop_assert_eq!(canonical_url(&once), Some(once));
        }
    }

    #[test]
    fn canonicalising_any_combination_of_parts_is_idempotent(parts in hostile_url(), start in prop::sample::select(&["", "https://a.example/", "http://b.example?"][..])) {
        let url = format!("{start}{parts}");
        if let Some(once) = canonical_url(&url) {
            prop_assert_eq!(canonical_url(&once), Some(once.clone()), "{}", url);
            // Host, port and user are kept.
            let (before, after) = (url::Url::parse(url.trim()).unwrap(), url::Url::parse(&once).unwrap());
            prop_assert_eq!(before.host_str(), after.host_str());
            prop_assert_eq!(before.port(), after.port());
            prop_assert_eq!((before.username(), before.password()), (after.username(), after.password()));
        }
    }

    #[test]
    fn plain_text_of_sanitised_html_has_no_markup(html in html()) {
        let text = plain_text(&sanitise(&html, Some("https://base.example/p")));
        for mark in ["noopener", "no-referrer", "preload", "<p>", "</", "u-n"] {
            prop_assert!(!text.contains(mark) || html.contains(mark), "{} in {:?}", mark, text);
        }
    }

    #[test]
    fn extracts_sanitised_html_from_any_page(body in html(), head in html()) {
        let page = format!("<title>x</title>{head}<article>{}{body}</article>", "<p>One, two, three, and so on to the end of it.</p>".repeat(6));
        if let Some(found) = gleaner_content::extract(&page, "https://base.example/p") {
            check(&found.content_html, Some("https://base.example/p"))?;
            prop_assert_eq!(plain_text(&found.content_html), found.content_text);
        }
    }

    #[test]
    fn canonicalising_any_text_is_idempotent(url in "\\PC{0,40}") {
        if let Some(once) = canonical_url(&url) {
            prop_assert_eq!(canonical_url(&once), Some(once));
        }
    }
}
