//! A hostile article in the real window: no script runs, nothing navigates, nothing reaches the core, and the server's
//! log shows that no request left but those for pictures, and those without a referrer.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run};
use gleaner_testserver::{Reply, Server};

/// Each of these would set the canary or ask the server for something, if it could. `HERE` is the server.
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
    "<body background=\"HERE/bad/background\" onload=\"parent.canary = 13\"><table background=\"HERE/bad/table\"><tr><td>cell</td></tr></table>",
];

#[test]
fn nothing_runs_and_nothing_leaves_but_pictures() {
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
        let list = scratch.write("list.opml", &opml(&[("Bad".to_owned(), server.url("/feed"))]));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Bad").await;
        let address = window.value("location.href").await;
        server.forget_requests();
        window.click("treeitem", "Bad").await;
        window.click("option", "Hostile").await;
        window.reads("The end of it.").await;
        // The picture itself: until it comes near, a placeholder stands in its place, which is complete as well.
        let loaded = "[...__e2e.frame().images].some((image) => image.currentSrc.endsWith('/good/picture.png') && image.complete && image.naturalWidth > 0)";
        window.until("the picture", loaded).await;
        window.picture("hostile").await;
        // Everything that was going to happen has: another article has been opened and read since.
        window.click("option", "Calm").await;
        window.reads("Nothing here.").await;
        assert_eq!(window.value("window.canary ?? null").await, serde_json::Value::Null, "a script ran");
        assert_eq!(window.value("location.href").await, address, "the window went elsewhere");
        assert_eq!(window.count("tree").await, 1, "the window is whole");
        assert!(scratch.opened().is_empty(), "a browser was started: {:?}", scratch.opened());
        let requests = server.requests();
        assert!(requests.iter().any(|request| request.path() == "/good/picture.png"), "the picture was asked for");
        for request in requests {
            // A picture whose address looks bad is a picture all the same: what matters is that only pictures were asked for.
            let allowed = request.path().starts_with("/good/") || request.path() == "/bad/onerror-missing";
            assert!(allowed, "a request left: {} {}", request.method, request.target);
            assert_eq!(request.text("Referer"), None, "{}", request.target);
            assert_eq!(request.text("Cookie"), None, "{}", request.target);
        }
        window.close().await;
    });
}

#[test]
fn with_pictures_off_nothing_leaves_at_all() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let html = format!(
            "<p>Begin.</p><img src=\"{}\"><video poster=\"{}\"></video><p>End.</p>",
            server.url("/picture.png"),
            server.url("/poster.png")
        );
        server.on("/feed", Reply::ok(rss("Pictures", &[article("Pictured", &html)])));
        let list = scratch.write("list.opml", &opml(&[("Pictures".to_owned(), server.url("/feed"))]));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Pictures").await;
        window.press_control(',').await;
        window.click("switch", "Load pictures from the web").await;
        window.press("\u{e00c}").await;
        window.until("no dialog", "__e2e.all('dialog', null).length === 0").await;
        server.forget_requests();
        window.click("treeitem", "Pictures").await;
        window.click("option", "Pictured").await;
        window.reads("End.").await;
        window.find("button", "Show pictures").await;
        assert!(
            server.requests().is_empty(),
            "{:?}",
            server.requests().iter().map(|r| r.target.clone()).collect::<Vec<_>>()
        );
        window.click("button", "Show pictures").await;
        window.until("the picture asked for", "[...__e2e.frame().images].length > 0").await;
        settled_request(&server, "/picture.png").await;
        window.close().await;
    });
}

async fn settled_request(server: &Server, path: &str) {
    gleaner_end_to_end::settled(&format!("a request for {path}"), || async {
        if server.requests_to(path).is_empty() { Err("none".to_owned()) } else { Ok(()) }
    })
    .await;
}
