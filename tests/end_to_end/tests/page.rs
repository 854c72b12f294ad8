//! The page of an article: footnotes pop up, images open large, text is found, formulas are shown, and it can be copied, by keyboard
//! where possible; and no article can call the window.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ESCAPE: &str = "\u{e00c}";
const ENTER: &str = "\u{e007}";

/// Any image: the page gives its size.
const IMAGE: &[u8] = include_bytes!("../../../icons/128x128.png");

const MAP: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='2400' height='1600'><rect width='2400' height='1600' fill='teal'/></svg>";

/// The article; `HERE` is the server.
const EVERYTHING: &str = "<p>Nets are knotted<sup id=\"r1\"><a href=\"#f1\">1</a></sup> of hemp, and the ré<b>sumé</b> says so.</p>\
    <figure><img src=\"HERE/one.png\" alt=\"A net\" width=\"400\" height=\"400\"><figcaption>A net, drying.</figcaption></figure>\
    <p><a href=\"https://example.com/full\"><img src=\"HERE/two.png\" alt=\"A boat\" width=\"300\" height=\"300\"></a></p>\
    <p>Squares: \\(a^2 + b^2\\), <math><mfrac><mi>x</mi><mn>2</mn></mfrac></math>, <script type=\"math/tex\">c_1</script>.</p>\
    <table><tr><td>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa<td>bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb<td>cccccccccccccccccccccccccccccccccccccccccccc</table>\
    PARAGRAPHS<p>Another Resume, far below.</p><ol><li id=\"f1\">Hemp <em>only</em>. <a href=\"#r1\">back</a></li></ol>";

async fn page(scratch: &Scratch, html: &str) -> (Server, Window) {
    let server = Server::start().await;
    let here = server.url("");
    let long = "<p>A paragraph that goes on for a while, so that there is something to scroll through.</p>".repeat(40);
    let html = html.replace("HERE", here.trim_end_matches('/')).replace("PARAGRAPHS", &long);
    for path in ["/one.png", "/two.png"] {
        server.on(path, Reply::ok(IMAGE).header("Content-Type", "image/png"));
    }
    server.on("/map.svg", Reply::ok(MAP).header("Content-Type", "image/svg+xml"));
    server.on("/feed", Reply::ok(rss("Grain", &[article("Nets", &html)])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.click("option", "Nets").await;
    window.reads("Nets are knotted").await;
    (server, window)
}

/// Moves the focus with the Tab key to a part of the article.
async fn tab_into(window: &Window, selector: &str) {
    window.script("document.querySelector('[data-pane=article]').focus()", vec![]).await.unwrap();
    let there =
        format!("document.activeElement.tagName === 'IFRAME' && !!__e2e.frame().activeElement?.matches({selector:?})");
    for _ in 0..40 {
        window.press("\u{e004}").await;
        if window.value(&there).await == true {
            return;
        }
    }
    panic!("the Tab key does not reach {selector}");
}

const NOTES: &str = "__e2e.frame().querySelectorAll('.gl-note:popover-open').length";

#[test]
fn footnotes_pop_up_by_pointer_and_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch, EVERYTHING).await;
        // By keyboard: into the article, to the mark of the footnote.
        tab_into(&window, "button.gl-ref").await;
        window.press(ENTER).await;
        window.until("the note", &format!("{NOTES} === 1")).await;
        window
            .until(
                "its text",
                "__e2e.words(__e2e.frame().querySelector('.gl-note:popover-open').innerText).startsWith('Hemp only.')",
            )
            .await;
        window.screenshot("note").await;
        window.press(ESCAPE).await;
        window.until("no note", &format!("{NOTES} === 0")).await;
        // By pointer, to the footnote itself, and back.
        window.click_part_of_article("button.gl-ref").await;
        window.until("the note", &format!("{NOTES} === 1")).await;
        window.click_part_of_article(".gl-note:popover-open .gl-note-go").await;
        window
            .until("scrolled to the note", &format!("{NOTES} === 0 && __e2e.frame().scrollingElement.scrollTop > 300"))
            .await;
        window.scrolled("__e2e.frame().scrollingElement.scrollTop").await;
        window.click_in_article("back").await;
        window.until("scrolled back to the text", "__e2e.frame().scrollingElement.scrollTop < 300").await;
        // Escape closes it first, wherever the focus is.
        window.click_part_of_article("button.gl-ref").await;
        window.until("the note", &format!("{NOTES} === 1")).await;
        window.press(ESCAPE).await;
        window.until("no note", &format!("{NOTES} === 0")).await;
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        window.close().await;
    });
}

#[test]
fn images_open_large() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch, EVERYTHING).await;
        window.until("the image", "[...__e2e.frame().images].some((image) => image.currentSrc.endsWith('/one.png') && image.naturalWidth > 1)").await;
        window.press("Z").await;
        window.find("dialog", "Image 1 of 2").await;
        window
            .until(
                "the large image",
                "[...document.images].some((image) => image.naturalWidth > 1 && image.alt === 'A net')",
            )
            .await;
        window.shows("A net, drying.").await;
        window.audit("an enlarged image").await;
        window.screenshot("zoom").await;
        window.press("+").await;
        window.shows("125%").await;
        // The middle stays in the middle.
        window.resize(640, 480).await;
        for percent in ["150%", "200%", "300%", "400%", "600%", "800%"] {
            window.press("+").await;
            window.shows(percent).await;
        }
        window
            .until(
                "the middle of the image",
                "(() => { const stage = document.querySelector('.zoom-dialog .stage');
                    const isMiddle = (scroll, shown, whole) => scroll > 0 && Math.abs((scroll + shown / 2) / whole - 0.5) < 0.02;
                    return isMiddle(stage.scrollLeft, stage.clientWidth, stage.scrollWidth)
                        && isMiddle(stage.scrollTop, stage.clientHeight, stage.scrollHeight); })()",
            )
            .await;
        window.resize(1280, 800).await;
        window.press("\u{e014}").await;
        window.find("dialog", "Image 2 of 2").await;
        window.press("\u{e012}").await;
        window.find("dialog", "Image 1 of 2").await;
        window.escape().await;
        // By a click, and by keyboard in the article; a link around an image still opens.
        window.click_part_of_article(".gl-zoom").await;
        window.find("dialog", "Image 1 of 2").await;
        window.escape().await;
        tab_into(&window, ".gl-corner").await;
        window.press(ENTER).await;
        window.find("dialog", "Image 2 of 2").await;
        window.escape().await;
        window.click_part_of_article("a[href='https://example.com/full'] img").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/full"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.close().await;
    });
}

#[test]
fn the_size_of_a_drawing_is_its_own() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) =
            page(&scratch, "<p>Nets are knotted.</p><p><img src=\"HERE/map.svg\" alt=\"A map\"></p>").await;
        window.until("the map", "__e2e.frame().images[0].clientWidth > 100").await;
        window.press("Z").await;
        window.find("dialog", "Image").await;
        let image = "document.querySelector('.zoom-dialog img')";
        window.until("the percentage", &format!("{image}.clientWidth > 100 && document.querySelector('.zoom-dialog .percent').textContent === `${{Math.round({image}.clientWidth / 24)}}%`")).await;
        window.press("1").await;
        window.until("the whole map", &format!("{image}.clientWidth === 2400")).await;
        window.close().await;
    });
}

#[test]
fn finds_text_in_the_article() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch, EVERYTHING).await;
        window.press_control('f').await;
        window.focus_on("Find in article").await;
        window.press("resume").await;
        window.shows("1 of 2").await;
        window.until("marks", "__e2e.frame().defaultView.CSS.highlights.get('gl-found').size === 2").await;
        window.focus_on("Find in article").await;
        window.audit("finding in an article").await;
        window.screenshot("find").await;
        window.focus_on("Find in article").await;
        window.press(ENTER).await;
        window.shows("2 of 2").await;
        window.until("the second match", "__e2e.frame().scrollingElement.scrollTop > 300").await;
        window.press(ENTER).await;
        window.shows("1 of 2").await;
        window.until("the first match", "__e2e.frame().scrollingElement.scrollTop < 300").await;
        window.press("s").await;
        window.shows("No matches").await;
        window.press(ESCAPE).await;
        window.until("no bar", "__e2e.all('searchbox', 'Find in article').length === 0").await;
        window.until("no marks", "!__e2e.frame().defaultView.CSS.highlights.has('gl-found')").await;
        // The words of a search are marked in the article.
        window.search("hemp").await;
        window.until("the result", "__e2e.all('option', null).length === 1").await;
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(ENTER).await;
        window
            .until("marks of the search", "(__e2e.frame()?.defaultView.CSS.highlights.get('gl-words')?.size ?? 0) > 0")
            .await;
        window.screenshot("found-words").await;
        window.close().await;
    });
}

#[test]
fn formulas_tables_and_themes_are_shown() {
    run(async {
        let scratch = Scratch::new();
        let keys =
            format!("{EVERYTHING}<table><tr><td><kbd>Backspace</kbd><td>{}</table>", "It goes back. ".repeat(20));
        let (_server, window) = page(&scratch, &keys).await;
        window.until("formulas", "__e2e.frame().querySelectorAll('math').length === 3 && !__e2e.frame().body.innerText.includes('\\\\(')").await;
        window
            .until("a box that the keyboard reaches", "__e2e.frame().querySelector('.gl-scroll').tabIndex === 0")
            .await;
        for theme in ["Light", "Dark"] {
            window.choose_theme(theme).await;
            for (width, height) in [(1280, 820), (640, 480)] {
                window.resize(width, height).await;
                window
                    .until(
                        "a page that scrolls one way",
                        "__e2e.frame().scrollingElement.scrollWidth <= __e2e.frame().defaultView.innerWidth",
                    )
                    .await;
                let line = "__e2e.frame().querySelector('kbd').getClientRects().length === 1";
                window.until("a narrow column whose words are whole", line).await;
                window
                    .script("__e2e.frame().querySelector('math').scrollIntoView({ block: 'center' })", vec![])
                    .await
                    .unwrap();
                window.screenshot(&format!("page-{theme}-{width}")).await;
            }
        }
        window.close().await;
    });
}

#[test]
fn copies_the_article_and_opens_it_in_the_browser() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch, EVERYTHING).await;
        window.press("M").await;
        window.shows("Article copied as Markdown").await;
        // Paste into the search field to see it.
        window.press("/").await;
        window.until("the search field", "__e2e.typing()").await;
        window.press_control('v').await;
        window.until("Markdown in the clipboard", "(document.activeElement.value ?? '').startsWith('# Nets')").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;
        window.press("O").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/read/Nets"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.close().await;
    });
}

#[test]
fn code_is_coloured_and_copied() {
    run(async {
        let scratch = Scratch::new();
        let code = "<p>Nets are knotted.</p><pre><code class=\"language-rust\">fn knot() {\n    let rope = \"hemp\"; // The best.\n}</code></pre>\
            <pre>Second</pre>PARAGRAPHS";
        let (_server, window) = page(&scratch, code).await;
        window.until("colours", "__e2e.frame().querySelector('.gl-code-keyword')?.textContent === 'fn'").await;
        window.screenshot("code").await;
        for (number, copied) in [(0, "fn knot() {"), (1, "Second")] {
            let link = format!("a[href$='/copy/{number}']");
            if number == 0 {
                window.click_part_of_article(&link).await;
            } else {
                tab_into(&window, &link).await;
                window.screenshot("copy-code").await;
                window.press(ENTER).await;
            }
            window.shows("Code copied").await;
            // Paste into the search field to see it.
            window.script("document.querySelector('[data-pane=article]').focus()", vec![]).await.unwrap();
            window.press("/").await;
            window.until("the search field", "__e2e.typing()").await;
            window.press_control('v').await;
            let pasted = format!("(document.activeElement.value ?? '').startsWith({copied:?})");
            window.until("the code in the clipboard", &pasted).await;
            window.press(ESCAPE).await;
            window.press(ESCAPE).await;
            window.until("no message", "!document.body.innerText.includes('Code copied')").await;
        }
        window.close().await;
    });
}

#[test]
fn an_article_cannot_call_the_window() {
    run(async {
        let scratch = Scratch::new();
        let forged = "<p>Nets are knotted.</p><p><a href=\"gleaner-act://undefined/zoom/0\">Forged</a> <a href=\"gleaner-act:///zoom/0\">Empty</a></p>\
            <p><a href=\"https://example.com/out\">Onward</a></p><img src=\"HERE/one.png\" alt=\"A net\" width=\"400\" height=\"400\">";
        let (_server, window) = page(&scratch, forged).await;
        // The sanitiser removes links with this scheme.
        window.until("no link", "__e2e.frame().querySelectorAll('.gl-body p a').length === 1").await;
        // Even as a link, the window does not accept it.
        window
            .script(
                "const link = __e2e.frame().querySelector('.gl-body p a'); link.setAttribute('href', 'gleaner-act://0123456789abcdef0123456789abcdef/zoom/0')",
                vec![],
            )
            .await
            .unwrap();
        window.click_in_article("Onward").await;
        window.shows("gleaner-act://0123456789abcdef0123456789abcdef/zoom/0").await;
        assert_eq!(window.count("dialog").await, 0);
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        window.close().await;
    });
}

#[test]
fn broken_images_are_text_addresses_are_links_and_wide_code_scrolls() {
    run(async {
        let scratch = Scratch::new();
        let code = "sow --in autumn; ".repeat(40);
        let html = format!(
            "<p>Nets are knotted: see https://example.com/knots.</p><p><img src=\"HERE/gone.png\" alt=\"A torn net\" width=\"300\" height=\"300\"></p>\
             <p><img src=\"HERE/one.png\" alt=\"A net\" width=\"30\" height=\"30\"></p><pre><code>{code}</code></pre>\
             <p class=\"embed\"><a href=\"https://www.dailymotion.com/\">Dailymotion</a></p>"
        );
        let (_server, window) = page(&scratch, &html).await;
        let text = "__e2e.frame().querySelector('img[alt=\"A torn net\"]')";
        window.until("its text", &format!("{text}.matches('.gl-off:not([src])') && {text}.offsetHeight < 100")).await;
        // A fine image stays, and can be enlarged; a broken one cannot.
        let fine = "__e2e.frame().querySelector('img[alt=\"A net\"]')";
        window.until("the other image", &format!("{fine}.complete && {fine}.naturalWidth > 1")).await;
        assert_eq!(window.value(&format!("{text}.closest('a') === null")).await, true);
        let link = "__e2e.frame().querySelector('a[href=\"https://example.com/knots\"]')?.textContent";
        assert_eq!(window.value(link).await, "https://example.com/knots");
        window.until("code that scrolls", "__e2e.frame().querySelector('pre').tabIndex === 0").await;
        window.audit("a page with a broken image").await;
        window.screenshot("page-broken").await;
        window.click_in_article("https://example.com/knots").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened.last().is_some_and(|last| last == "https://example.com/knots") {
                Ok(())
            } else {
                Err(format!("{opened:?}"))
            }
        })
        .await;
        window.close().await;
    });
}
