//! Four times the article takes about four times the processor time; quadratic work would take sixteen times.

use gleaner_content::{canonical_url, excerpt, extract, first_image, language, plain_text, sanitise, word_count};
use std::hint::black_box;

/// Length of the shorter article in bytes.
const SHORT: usize = 40_000;

#[track_caller]
fn is_linear(name: &str, make: impl Fn(usize) -> String) {
    gleaner_cpu_time::assert_linear(name, SHORT, make, |html| {
        let clean = sanitise(html, Some("https://blog.example/post"));
        // Repeated formatting and absolute addresses may make it longer, but not without bound.
        assert!(clean.len() <= 64 * html.len() + 10_000, "{} bytes out of {}", clean.len(), html.len());
        let text = plain_text(html);
        black_box((
            excerpt(&text, 200),
            word_count(&text),
            language(&text),
            first_image(&clean, None),
            canonical_url(html),
        ));
    });
}

/// Pieces that are repeated; `#` is replaced by the number of the repetition.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "Netze & Boote, Hafen ", "\u{a0}é&amp;", "漢字", "สวัสดี", "ab", "a\u{301}", "\u{feff}", "\n", "\r", "\0", "&", "<", "</", "<p>x</p>", "<div>", "<b>", "<b><i>",
    "<table>", "<table><tr><td>", "<ul><li>", "<li>", "<a href=x>", "<a href=x><div>", "<font>", "<nobr>", "<b><p></b>", "<a><table><a>",
    "<b><i><u><p></b></i></u>", "<b id=#>", "<b id=#><p>", "<i title=#><div>", "<a href='/#'>x</a> ", "<img src=/#.png>", "<p id=i#>x",
    "<a href=#n# id=r#>x</a><p id=n#>y", "<a href=#lost#>x</a>", "<a href=mailto:a#@b.example>x</a>", "&amp;&lt;&notin;&x;", "&#x110000;",
    "<!--", "<!-- -->", "<!--x--!>", "<!-- --", "<![CDATA[", "]]>", "<?x ", "<a b='", "<a b=\"'", "<title>", "<title></title>", "<textarea>",
    "<script>", "<script></script>", "<script></scrip", "<style></style>", "<iframe src=//a.example/ width=9>", "<iframe src=//a.example/ width=9></iframe>",
    "<iframe src=https://www.youtube.com/embed/#></iframe>", "<object data=a.pdf>", "<object><param name=movie value=//youtu.be/#>", "<svg>", "<svg></svg>", "<svg><p>",
    "<svg><foreignObject><div>", "<svg><desc>", "<svg><svg/>", "<math>", "<math><mi>", "<mrow>", "<math><mtext><math>", "<math><annotation-xml>", "<template>",
    "<template></template>", "<template><template>", "<noscript>", "<noscript><img src=/#.png></noscript>", "<select><option>", "<ruby><rt>", "<ruby><rp></ruby>",
    "<details><summary>", "<pre>", "<pre>\n", "<h1>", "<h1></h2>", "<p><hr>", "<br>", "<dl><dt><dd>", "<form>", "<button>", "<table><caption>", "<table><colgroup><col>",
    "<table>x", "<table><tbody><tr><td></table>", "<td>", "</p>", "</b>", "</div>", "</table>", "</svg>", "<picture><source srcset=a>", "<video><source src=a>", "<video src=a></video>",
    "<frameset>", "<body a=b>", "<html a=b>", "<xmp>", "<plaintext>", "<code class=lang-a>", "<q cite=/#>", "<td style='text-align:left'>", "<img src='data:image/png;base64,AAAA'>",
];

#[test]
fn repeated_pieces_take_linear_time() {
    for piece in PIECES {
        is_linear(piece, |length| {
            (0..=length / piece.len()).map(|number| piece.replace('#', &number.to_string())).collect()
        });
    }
}

#[test]
fn links_within_the_article_take_linear_time() {
    for piece in ["<a href=#i# id=r#>x</a><p id=i#>y", "<a href='#i#'>x</a>", "<a name=i#></a><a href='#i#'>x</a>"] {
        is_linear(piece, |length| {
            (0..=length / piece.len()).map(|number| piece.replace("i#", &format!("i{number}"))).collect()
        });
    }
}

#[test]
fn a_single_long_tag_takes_linear_time() {
    let rows =
        |row: &dyn Fn(usize) -> String, length: usize| -> String { (0..length / row(1000).len()).map(row).collect() };
    is_linear("attributes", |n| format!("<p{}>x", rows(&|i| format!(" a{i}=v{i}"), n)));
    is_linear("known attributes", |n| format!("<p{}>x", rows(&|_| " title=a id=b lang=c".into(), n)));
    is_linear("a set of pictures", |n| format!("<img src=a srcset='{}'>", rows(&|i| format!("/{i}.png {i}w, "), n)));
    is_linear("a set of commas", |n| format!("<img src=a srcset='{}'>", ",".repeat(n)));
    is_linear("a set of spaces", |n| format!("<img src=a srcset='{}'>", "a ".repeat(n / 2)));
    is_linear("sizes", |n| format!("<img src=a sizes='{}'>", "(a) 1px,".repeat(n / 8)));
    is_linear("declarations", |n| format!("<p style='{}'>x", "text-align:left;".repeat(n / 16)));
    is_linear("classes", |n| format!("<code class='{}'>x", "lang-a ".repeat(n / 7)));
    is_linear("its name", |n| format!("<{}>", "a".repeat(n)));
    is_linear("the name of an attribute", |n| format!("<p {}=x>", "a".repeat(n)));
    is_linear("an address", |n| format!("<a href='/{}'>x</a>", "a/../".repeat(n / 5)));
    is_linear("a picture", |n| format!("<img src='data:image/png;base64,{}'>", "A".repeat(n)));
}

#[test]
fn nested_elements_take_linear_time() {
    let both = |start: &str, end: &str, n: usize| {
        let count = n / (start.len() + end.len());
        start.repeat(count) + &end.repeat(count)
    };
    for (start, end) in [
        ("<b>", "</b>"),
        ("<b><i>", "</b></i>"),
        ("<a href=x>", "</a>"),
        ("<div>", "</div>"),
        ("<ul><li>", "</li></ul>"),
        ("<table><tr><td>", "</td></tr></table>"),
        ("<blockquote>", "</blockquote>"),
        ("<svg>", "</svg>"),
        ("<math><mrow>", "</mrow></math>"),
        ("<ruby>", "</ruby>"),
        ("<span>", "</p>"),
        ("<template>", "</template>"),
        ("<object>", "</object>"),
    ] {
        is_linear(start, |n| both(start, end, n));
    }
}

#[test]
fn extracting_the_article_takes_linear_time() {
    let text = "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before noon.</p>";
    for (name, piece, end) in [
        ("items without ends", "<li>a", "</b>"),
        ("unknown end tags", "<p>a", "</b>"),
        ("nested boxes with names", "<div class=cookie id=teaser-#>cookies ", "</div>"),
        ("leads", "<p class=lead>The lead of an article, which is long enough to be one, number #.</p>", ""),
        ("short texts", "<p>a <a href=/#>b</a></p>", ""),
        ("sentences", "<p>The boat number # was in the harbour, and no one was about to repair a net.</p>", ""),
        ("images in boxes without scripts", "<noscript><div><img src=/#.png></noscript>", ""),
        ("unclosed elements without scripts", "<noscript><p>a", ""),
        ("headings in boxes", "<div class=heading><h2 id=share-#>Nets</h2></div><p>a</p>", ""),
        ("bars of links", "<div><a href=https://x.com/share?#>X</a><a href=mailto:?#>a</a>", "</div>"),
        ("navigation", "<nav><a href=/#>The boat number #</a>", "</nav>"),
        ("headings without sections", "<h2>Boat #</h2><form>a</form>", ""),
        ("headings of hidden sections", "<h2>Boat #</h2><div hidden>a", "</div>"),
        ("labels of links", "<p>Related boats #:</p><p><a href=/#>The boat number #</a></p>", ""),
        ("captions", "<p class=caption>The boats of the village are in the harbour number #</p>", ""),
        (
            "captions with the same start",
            "<div class=caption>The boats of the village are in the harbour since yesterday # more",
            "</div>",
        ),
        ("posts", "<div><article class=message-body>The boat number # was in the harbour</article>", "</div>"),
        ("posts in posts", "<div class=postbody><div class=content>Boat #", "</div></div>"),
        (
            "paragraphs below the title",
            "<p>The boat number # was in the harbour, and no one was about to repair it.</p>",
            "",
        ),
        ("titles in boxes", "<div><h2>Harbour</h2>a", "</div>"),
        ("sections", "<section id=share-#><h2>Share #</h2>a", "</section>"),
        ("boxes with buttons", "<div>cookies accept<button>OK</button>", "</div>"),
        ("steps with images", "<li>Step number # of a recipe<img src=/#.png>", ""),
        ("links at the end", "<div><h3>a</h3><a href=/#>The boat number #</a>", "</div>"),
        ("titles", "<article><h1>The boat #</h1><p>a", "</article>"),
        ("articles around articles", "<article><h1>Harbour</h1><article>", "</article></article>"),
        ("texts in named boxes", "<div class=postmetadata>Boat # <p>of the harbour</p>", "</div>"),
        ("linked boxes", "<div><div><h3><a href=/#>The boat number #</a></h3></div>", "</div>"),
        ("images above the text", "<figure><img src=/#.png>", ""),
        (
            "galleries",
            "<p>The boat number # was in the harbour, and no one was about.</p><figure><img src=/#.png></figure><img src=/a#.png>",
            "",
        ),
        ("notes", "<aside class=note><h3 aria-controls=p#>a</h3><div id=p# hidden>a", "</div></aside>"),
        ("notes without ends", "<div><aside class=note>a</div></b>", ""),
        ("boxes with other ends", "<div></section>", ""),
        ("figures with other ends", "<figure></span><img src=/#.png>", ""),
        (
            "requests",
            "<p>The boat number # was in the harbour, and no one was about to repair a net or a sail.</p><div><input type=email>a</div>",
            "",
        ),
        ("cells of links", "<table><tr><td><a href=/1>a</a><a href=/2>b</a><a href=/3>c</a><td>", "</table>"),
        ("sections with other ends", "<section></b>", ""),
        ("sections within what ends alone", "<b><section></b>", ""),
        ("linked data", "<script type=application/ld+json>[{\"@type\":\"Article\",\"headline\":\"#\",}]</script>", ""),
        ("formulas", "<div>The boat <script type=math/tex>#</script>", "</div>"),
        ("boxes with the image of a label", "<div class=media><p class=sr-only>a</p><img src=/#.png>", "</div>"),
        ("images without scripts", "<noscript><img src=/#.png></noscript>", ""),
        ("escaped images without scripts", "<noscript>&lt;img src=/#.png&gt;</noscript>", ""),
        ("attributes of the body", "<body a#=b>", ""),
        ("attributes of the document", "<svg><title><html a#=b></title></svg>", ""),
        ("articles", "<article><p>The boat number # was in the harbour, and no one was about.</p></article>", ""),
    ] {
        gleaner_cpu_time::assert_linear(
            name,
            SHORT,
            |length| {
                let count = length / (piece.len() + end.len());
                let pieces: String = (0..count).map(|number| piece.replace('#', &number.to_string())).collect();
                format!(
                    "<html><body><h1>Harbour</h1>{pieces}{}<div class=entry-content>{text}</div>",
                    end.repeat(count)
                )
            },
            |html| {
                black_box(extract(html, "https://blog.example/post"));
            },
        );
    }
}

#[test]
fn what_follows_paragraphs_takes_linear_time() {
    // Comments and other articles are only those after three paragraphs; comments need something to comment with.
    let text = "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before noon.</p>";
    let start = format!("<html><body><h1>Harbour</h1>{}<div><p></p>a<time></time>", text.repeat(3));
    for (piece, end) in [
        ("<div><p></p><h3>Comments</h3>", "</div>"),
        ("<p></p><h3>Comments</h3>", ""),
        ("<h3>Comments</h3><div><h3>Comments</h3>a<time></time></div>", ""),
        ("<article><a href=/#><img src=/#.png></a></article>", ""),
        ("<article><a href=/#><img src=/#.png></a>", "</article>"),
        ("<article><a href=/#><img src=/#.png></a></article><article><a href=/#><img src=/#.png></a>", "</article>"),
    ] {
        gleaner_cpu_time::assert_linear(
            piece,
            SHORT,
            |length| {
                let count = length / (piece.len() + end.len());
                let pieces: String = (0..count).map(|number| piece.replace('#', &number.to_string())).collect();
                format!("{start}{pieces}{}</div>", end.repeat(count))
            },
            |html| {
                black_box(extract(html, "https://blog.example/post"));
            },
        );
    }
}

#[test]
fn end_tags_without_start_tags_for_browsers_without_scripts_take_linear_time() {
    gleaner_cpu_time::assert_linear(
        "end tags in a noscript",
        SHORT,
        |length| format!("<noscript>{}{}</noscript>", "<p>".repeat(length / 7), "</i>".repeat(length / 7)),
        |html| {
            black_box(extract(html, "https://blog.example/post"));
        },
    );
}
