//! What holds of every article, whatever its source.

use gleaner_content::{canonical_url, excerpt, first_image, plain_text, sanitise, word_count};
use proptest::prelude::*;

/// Pieces of HTML whose every sequence is a document: most of them wrong.
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

fn check(html: &str, base: Option<&str>) -> Result<(), TestCaseError> {
    let once = sanitise(html, base);
    prop_assert_eq!(&sanitise(&once, base), &once, "{:?}", html);
    for bad in ["<script", "<style", "<iframe", "<svg", "<form", "<input", "=\"javascript:", "<base"] {
        prop_assert!(!once.contains(bad), "{bad} in {once:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sanitising_twice_is_sanitising_once(html in html()) {
        check(&html, Some("https://base.example/p"))?;
        check(&html, None)?;
    }

    #[test]
    fn any_text_is_sanitised(text in "\\PC{0,80}") {
        check(&text, Some("https://base.example/p"))?;
    }

    #[test]
    fn any_markup_is_sanitised(text in "[<>/a-d =\"'&;!\\-\\[\\]\r\n\t]{0,60}") {
        check(&text, None)?;
    }

    #[test]
    fn plain_text_is_trimmed(html in html()) {
        let text = plain_text(&html);
        prop_assert!(!text.starts_with('\n') && !text.ends_with('\n'));
        prop_assert!(word_count(&text) as usize <= text.len());
        prop_assert!(first_image(&html).is_none_or(|url| url.starts_with("http")));
    }

    #[test]
    fn excerpts_keep_to_their_length(text in "\\PC{0,60}", length in 0_usize..70) {
        prop_assert!(excerpt(&text, length).chars().count() <= length);
    }

    #[test]
    fn canonical_twice_is_canonical_once(url in "(https?|ftp|HTTP|mailto|tag)://?[a-z.é]{1,9}(:[0-9]{1,3})?(/[a-zA-Z%0-9é.~/ ]{0,9}){0,3}(\\?[a-z=&%0-9#+ ]{0,20})?(#[!/a-z?]{0,6})?") {
        if let Some(once) = canonical_url(&url) {
            prop_assert_eq!(canonical_url(&once), Some(once));
        }
    }

    #[test]
    fn any_text_may_be_asked_for_its_canonical_url(url in "\\PC{0,40}") {
        if let Some(once) = canonical_url(&url) {
            prop_assert_eq!(canonical_url(&once), Some(once));
        }
    }
}
