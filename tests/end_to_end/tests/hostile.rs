//! A hostile article in the window: no script runs, nothing navigates, nothing reaches the core, and the server's
//! log has only requests for images, without a referrer.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

/// Each of these would set the canary or send a request if it could. `HERE` is the server.
const PAYLOADS: &[&str] = &[
    "<script>parent.canary = 1; top.canary = 1; fetch('HERE/bad/script')</script>",
    "<script src=\"HERE/bad/script-src\"></script>",
    "<img src=\"HERE/bad/onerror-missing\" onerror=\"parent.canary = 2; new Image().src = 'HERE/bad/onerror'\">",
    "<svg onload=\"parent.canary = 3\"><image href=\"HERE/bad/svg-image\"/><use href=\"HERE/bad/svg-use#x\"/><script>parent.canary = 4</script></svg>",
    "<iframe src=\"HERE/bad/iframe\"></iframe><iframe srcdoc=\"&lt;script&gt;top.canary = 5&lt;/script&gt;\"></iframe>",
    "<object data=\"HERE/bad/object\"></object><embed src=\"HERE/bad/embed\"><applet code=\"HERE/bad/applet\"></applet>",
    "<link rel=\"stylesheet\" href=\"HERE/bad/css\"><link rel=\"prefetch\" href=\"HERE/bad/prefetch\"><link rel=\"preload\" as=\"image\" href=\"HERE/bad/preload\">",
    "<style>@import 'HERE/bad/import'; body { background: url(HERE/bad/style-url) }</style>",
    "<p style=\"background-image: url(HERE/bad/attribute-url); position: fixed; inset: 0\">covered?</p>",
    "<meta http-equiv=\"refresh\" content=\"0; url=HERE/bad/refresh\"><base href=\"HERE/bad/base/\">",
    "<form action=\"HERE/bad/form\"><input type=\"image\" src=\"HERE/bad/input\" autofocus onfocus=\"parent.canary = 6\"><button>Go</button></form>",
    "<video autoplay src=\"HERE/bad/video\" poster=\"HERE/good/poster.png\"></video><audio autoplay src=\"HERE/bad/audio\"></audio>",
    "<a href=\"javascript:parent.canary = 7\">run</a> <a ping=\"HERE/bad/ping\" href=\"HERE/bad/link\">link</a>",
    "<details open ontoggle=\"parent.canary = 8\"><summary>open</summary>there</details>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=parent.canary=9&gt;\"></table></mtext></math>",
    "<noscript><p title=\"</noscript><img src=x onerror=parent.canary=10>\"></noscript>",
    "<template><script>parent.canary = 11</script></template><img src=\"x:x\" onerror=\"parent.canary = 12\">",
    "<a href=\"HERE/bad/typed\" onmouseover=\"parent.canary = 14\" style=\"position: fixed; inset: 0; z-index: 9999\">all of it</a>",
    "<p tabindex=1 autofocus onfocus=\"parent.canary = 15\" accesskey=j>focus</p><select onfocus=\"parent.canary = 16\" autofocus><option>a</option></select>",
    "<p onpointerenter=\"parent.__TAURI_INTERNALS__.invoke('unsubscribe', { args: { feed_id: 1 } })\">core</p>",
    "<svg><animate onbegin=\"parent.canary = 17\" attributeName=x dur=1s><set attributeName=href to=\"javascript:parent.canary = 18\"/></svg>",
    "<math href=\"javascript:parent.canary = 19\"><mi xlink:href=\"javascript:parent.canary = 20\">x</mi><maction actiontype=statusline xlink:href=\"HERE/bad/action\">y</maction></math>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=parent.canary=21>\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=parent.canary=22>",
    "<a href=\"&#1;java\tscript&colon;parent.canary=23\">tab</a> <a href=\"data:text/html,<script>parent.canary=24</script>\">data</a>",
    "<picture><source srcset=\"HERE/bad/source\" onerror=\"parent.canary = 25\"></picture><track src=\"HERE/bad/track\"><source src=\"HERE/bad/media\">",
    "<portal src=\"HERE/bad/portal\"></portal><fencedframe src=\"HERE/bad/fenced\"></fencedframe><dialog open onclose=\"parent.canary = 26\">open</dialog>",
    "<p style=\"list-style: url(HERE/bad/list); border-image: url(HERE/bad/border); cursor: url(HERE/bad/cursor), auto; content: url(HERE/bad/content)\">styled</p>",
    "<body background=\"HERE/bad/background\" onload=\"parent.canary = 13\"><table background=\"HERE/bad/table\"><tr><td>cell</td></tr></table>",
];

#[test]
fn only_images_are_requested_and_no_script_runs() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let here = server.url("");
        let here = here.trim_end_matches('/');
        let hostile: String = PAYLOADS.iter().map(|payload| payload.replace("HERE", here)).collect();
        let html = format!(
            "<p>Begin.</p><img src=\"{here}/good/picture.png\" width=40 height=40>{hostile}<p>The end of it.</p>"
        );
        let pixel: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
        server.on_request("*", move |request| {
            if request.path().ends_with(".png") {
                Reply::ok(pixel).header("Content-Type", "image/png")
            } else {
                Reply::status(404)
            }
        });
        let second = article("Calm", "<p>Nothing here.</p>");
        server.on("/feed", Reply::ok(rss("Bad", &[article("Hostile", &html), second])));
        scratch.import(&[("Bad", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Bad").await;
        let address = window.value("location.href").await;
        server.forget_requests();
        window.click("treeitem", "Bad").await;
        window.click("option", "Hostile").await;
        window.reads("The end of it.").await;
        // The image itself: its placeholder is complete as well.
        let loaded = "[...__e2e.frame().images].some((image) => image.currentSrc.endsWith('/good/picture.png') && image.complete && image.naturalWidth > 0)";
        window.until("the image", loaded).await;
        window.screenshot("hostile").await;
        // Another article was opened and read meanwhile, so everything that could happen has happened.
        window.click("option", "Calm").await;
        window.reads("Nothing here.").await;
        assert_eq!(window.value("window.canary ?? null").await, serde_json::Value::Null, "a script ran");
        assert_eq!(window.value("location.href").await, address, "the window was navigated");
        assert_eq!(window.count("tree").await, 1, "the window is intact");
        assert_eq!(
            window.value("Object.isFrozen(Object.prototype)").await,
            true,
            "no text of a feed becomes a prototype"
        );
        assert!(scratch.opened().is_empty(), "a browser was started: {:?}", scratch.opened());
        let requests = server.requests();
        assert!(requests.iter().any(|request| request.path() == "/good/picture.png"), "the image was requested");
        for request in requests {
            // An image with a suspicious address is still an image: only images may be requested.
            let allowed = request.path().starts_with("/good/") || request.path() == "/bad/onerror-missing";
            assert!(allowed, "not allowed: {} {}", request.method, request.target);
            assert_eq!(request.text("Referer"), None, "{}", request.target);
            assert_eq!(request.text("Cookie"), None, "{}", request.target);
        }
        window.close().await;
    });
}

#[test]
fn nothing_is_requested_with_images_off() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let html = format!(
            "<p>Begin.</p><img src=\"{}\"><video poster=\"{}\"></video><p>End.</p>",
            server.url("/picture.png"),
            server.url("/poster.png")
        );
        server.on("/feed", Reply::ok(rss("Images", &[article("Pictured", &html), article("Another", &html)])));
        scratch.import(&[("Images", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Images").await;
        window.press_control(',').await;
        window.click("switch", "Load remote images").await;
        window.escape().await;
        server.forget_requests();
        window.click("treeitem", "Images").await;
        window.click("option", "Pictured").await;
        window.reads("End.").await;
        window.find("button", "Show images").await;
        assert!(
            server.requests().is_empty(),
            "{:?}",
            server.requests().iter().map(|r| r.target.clone()).collect::<Vec<_>>()
        );
        window.click("button", "Show images").await;
        settled_request(&server, "/picture.png").await;
        // This was for one article only: the policy of the next one allows no requests.
        let policy = "__e2e.frame().querySelector('meta[http-equiv]').content";
        assert!(window.value(policy).await.as_str().unwrap().contains("img-src http: https:"));
        server.forget_requests();
        window.click("option", "Another").await;
        window.until("another article", "__e2e.frame()?.title === 'Another'").await;
        assert!(!window.value(policy).await.as_str().unwrap().contains("http"));
        window.find("button", "Show images").await;
        assert_eq!(server.requests().len(), 0);
        window.close().await;
    });
}

async fn settled_request(server: &Server, path: &str) {
    gleaner_end_to_end::settled(&format!("a request for {path}"), || async {
        if server.requests_to(path).is_empty() { Err("none".to_owned()) } else { Ok(()) }
    })
    .await;
}

/// Number of images in one article.
const IMAGES: usize = 50_000;

/// Returns the titles and HTML of articles that are too large.
fn giants(here: &str) -> Vec<(&'static str, String)> {
    let paragraph = "<p>A paragraph of which there are far too many, with <em>some</em> <a href=\"https://example.org/\">markup</a> in it.</p>\n";
    let images: String = (0..IMAGES).map(|n| format!("<img src=\"{here}/picture/{n}.png\" alt=\"{n}\">")).collect();
    let cover = "position:fixed;position:absolute;inset:-9999px;top:-999px;left:-999px;width:99999px;height:99999px;z-index:2147483647;\
                 margin:-9999px;padding:9999px;transform:scale(99);font-size:9999px;background:red;opacity:1;display:block;float:left;outline:9999px solid red;\
                 box-shadow:0 0 0 9999px red;text-indent:-9999px;letter-spacing:999px;line-height:9999px;zoom:99";
    vec![
        ("Large", paragraph.repeat(10_000_000 / paragraph.len())),
        ("Pictured", images),
        ("Long word", format!("<p>{}</p>", "x".repeat(1_000_000))),
        ("Long line", format!("<pre>{}</pre>", "let x = 1; ".repeat(90_000))),
        (
            "Deep",
            format!(
                "{}deep{}",
                "<div><blockquote><ul><li>".repeat(20_000),
                "</li></ul></blockquote></div>".repeat(20_000)
            ),
        ),
        ("Marked", "\u{301}".repeat(200_000)),
        (
            "Covering",
            format!(
                "<div style=\"{cover}\">over</div><table width=999999 height=999999 style=\"{cover}\"><tr><td width=999999 height=99999 nowrap>{}</td></tr></table>\
                 <img src=\"{here}/picture/wide.png\" width=99999 height=99999 style=\"{cover}\"><hr size=99999 width=99999><font size=99999>large</font>\
                 <marquee width=99999 height=99999>moving</marquee><style>html,body,* {{ {cover} }}</style>",
                "wide ".repeat(9_000)
            ),
        ),
    ]
}

#[test]
fn a_huge_article_stays_in_its_pane_and_the_window_responds() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let here = server.url("");
        let giants = giants(here.trim_end_matches('/'));
        let items: Vec<String> = giants
            .iter()
            .enumerate()
            .flat_map(|(number, (title, html))| {
                let dated = |item: String, minute: usize| {
                    item.replace(
                        "</item>",
                        &format!("<pubDate>Mon, 02 Nov 2026 10:{minute:02}:00 GMT</pubDate></item>"),
                    )
                };
                [
                    dated(article(title, &format!("<p>Begin.</p>{html}")), 59 - 2 * number),
                    dated(article(&format!("Calm {number}"), &format!("<p>Calm again {number}.</p>")), 58 - 2 * number),
                ]
            })
            .collect();
        server.on("/feed", Reply::ok(rss("Giants", &items)));
        scratch.import(&[("Giants", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Giants").await;
        window.find("option", "Calm 0").await;
        let places = "JSON.stringify(['nav', '[role=listbox]', 'main'].map((part) => document.querySelector(part)?.getBoundingClientRect()))";
        let before = window.value(places).await;
        for (number, (title, _)) in giants.iter().enumerate() {
            window.press("j").await;
            let there = format!(
                "__e2e.frame()?.readyState === 'complete' && __e2e.frame().querySelector('.gl-title')?.textContent === '{title}'"
            );
            window.until(title, &there).await;
            window.screenshot(&format!("giant-{title}")).await;
            let page = "(() => { const page = __e2e.frame().scrollingElement; return page.scrollWidth <= page.clientWidth + 1; })()";
            assert_eq!(window.value(page).await, true, "{title} is wider than its pane");
            let pane = "document.elementFromPoint(20, innerHeight / 2).closest('iframe') === null";
            assert_eq!(window.value(pane).await, true, "{title} covers the sidebar");
            // The next key works.
            window.press("j").await;
            let calm = format!("!!__e2e.frame()?.body?.innerText.includes('Calm again {number}.')");
            window.until(&format!("Calm {number} after {title}"), &calm).await;
            assert_eq!(window.value(places).await, before, "{title} moved the panes");
        }
        // Images are requested when they come near, not all at once.
        let requested = server.requests().iter().filter(|request| request.path().starts_with("/picture/")).count();
        assert!(requested < IMAGES / 10, "{requested} images were requested");
        window.close().await;
    });
}
