//! An article in a window of its own, and on paper.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';

/// Counts the answers to `open_article_window` in the page from now on.
const COUNT_OPENED: &str = "const send = window.fetch;
    window.opened = 0;
    window.fetch = async (address, ...rest) => {
      const answer = await send(address, ...rest);
      if (String(address).endsWith('/open_article_window')) window.opened += 1;
      return answer;
    }";

async fn reading(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let html = "<p>Barley grows by the harbour, <a href=\"https://example.com/out\">onward</a>.</p>\
                <p>Sign in at <a href=\"https://evil.example/\">https://bank.example/</a>.</p>\
                <pre><code class=\"language-rust\">fn main() { println!(\"barley\"); }</code></pre>\
                <p>As said before.<sup><a href=\"#fn1\" id=\"r1\">1</a></sup></p><ol><li id=\"fn1\">From the almanac. <a href=\"#r1\">↩</a></li></ol>";
    server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", html)])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.click("option", "Barley").await;
    window.reads("Barley grows").await;
    (server, window)
}

#[test]
fn an_article_has_a_window_without_scripts_and_without_the_core() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        let main = window.handle().await;
        window.press_shift(ENTER).await;
        let handles = window.windows(2).await;
        let own = handles.iter().find(|handle| **handle != main).unwrap();
        window.switch(own).await;
        window.until("the page", "document.readyState === 'complete' && !!document.body").await;
        window.shows("Barley grows by the harbour").await;
        window.shows("Grain").await;
        window.screenshot("article-window").await;
        assert_eq!(window.value("document.title").await, "Barley");
        assert_eq!(window.value("document.scripts.length").await, 0);
        assert_eq!(window.value("document.querySelectorAll('[href^=\"gleaner-act\"]').length").await, 0);
        // Neither a script in the page runs, nor does the core answer one that would.
        let injected = "(() => { const script = document.createElement('script'); script.textContent = 'window.ran = true'; \
                        document.body.append(script); return window.ran === undefined; })()";
        assert_eq!(window.value(injected).await, true);
        let asked = "return window.__TAURI_INTERNALS__ ? __TAURI_INTERNALS__.invoke('settings').then(() => 'answered', () => 'refused') : 'refused'";
        assert_eq!(window.script(asked, vec![]).await.unwrap(), "refused");
        window.audit("an article in a window of its own").await;

        finds_text(&window).await;
        zooms(&window).await;

        window.click("link", "onward").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/out"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.click("link", "https://bank.example/").await;
        window.switch(&main).await;
        window.find("dialog", "Open this link?").await;
        window.escape().await;
        assert_eq!(scratch.opened().len(), 1);

        // The same window once more. It is closed only after it was raised: raising it afterwards would open another one.
        window.script(COUNT_OPENED, vec![]).await.unwrap();
        window.press_shift(ENTER).await;
        window.until("the raised window", "window.opened === 1").await;
        window.windows(2).await;
        window.switch(own).await;
        window.press_to_close(ESCAPE).await;
        window.switch(&main).await;
        window.windows(1).await;
        window.close().await;
    });
}

/// Opens the find bar, which is GTK's, types into it, and closes it.
async fn finds_text(window: &Window) {
    const CONTROL: u32 = 0xffe3;
    const ESCAPE: u32 = 0xff1b;
    const TAB: u32 = 0xff09;
    for (text, screenshot) in [("harb", Some("article-window-find")), ("al", None)] {
        window.focus("Barley");
        window.until("the page with the focus", "document.hasFocus()").await;
        // The window takes the focus for each key, and its field may get the focus back too late for a letter: then all is typed again.
        settled(text, || async {
            window.press_in("Barley", &[CONTROL, 'f'.into()]);
            window.until("the bar with the focus", "!document.hasFocus()").await;
            for letter in text.chars() {
                window.press_in("Barley", &[letter.into()]);
            }
            let mut selected = window.value("getSelection().toString()").await;
            for _look in 0..100 {
                if selected == text {
                    return Ok(());
                }
                selected = window.value("getSelection().toString()").await;
            }
            Err(selected.to_string())
        })
        .await;
        if let Some(name) = screenshot {
            window.screenshot(name).await;
        }
        window.press_in("Barley", &[ESCAPE]);
        window.until("the page with the focus", "document.hasFocus()").await;
    }
    // The keys of the bar also work on its buttons.
    window.press_in("Barley", &[CONTROL, 'f'.into()]);
    window.until("the bar with the focus", "!document.hasFocus()").await;
    window.press_in("Barley", &[TAB]);
    window.press_in("Barley", &[ESCAPE]);
    window.until("the page with the focus", "document.hasFocus()").await;
}

/// Makes the page larger and restores its size.
async fn zooms(window: &Window) {
    let width = window.value("innerWidth").await;
    window.press_control('=').await;
    window.until("a larger page", &format!("innerWidth < {width}")).await;
    window.press_control('-').await;
    window.press_control('-').await;
    window.until("a smaller page", &format!("innerWidth > {width}")).await;
    window.press_control('0').await;
    window.until("the usual size", &format!("innerWidth === {width}")).await;
}

#[test]
fn a_window_has_the_size_of_the_last_one() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        let main = window.handle().await;
        window.press_shift(ENTER).await;
        window.switch(window.windows(2).await.iter().find(|handle| **handle != main).unwrap()).await;
        window.shows("Barley grows by the harbour").await;
        window.resize(640, 500).await;
        settled("the stored size", || async {
            let stored = std::fs::read_to_string(scratch.library().join("window.json")).unwrap_or_default();
            if stored.contains(r#""article":[640.0,"#) { Ok(()) } else { Err(stored) }
        })
        .await;
        window.press_to_close(ESCAPE).await;
        window.switch(&main).await;
        window.windows(1).await;
        window.press_shift(ENTER).await;
        window.switch(window.windows(2).await.iter().find(|handle| **handle != main).unwrap()).await;
        window.until("the same width", "innerWidth === 640").await;
        window.close().await;
    });
}

#[test]
fn a_window_opens_where_its_article_is_being_read() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let html: String = (1..=200).map(|n| format!("<p>Paragraph {n} of a long article.</p>")).collect();
        server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", &html)])));
        scratch.import(&[("Grain", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "Barley").await;
        window.reads("Paragraph 1 of").await;
        let page = "document.querySelector('[data-pane=article] iframe').contentDocument.scrollingElement";
        window.value(&format!("({page}.scrollTop = ({page}.scrollHeight - {page}.clientHeight) / 2, 0)")).await;
        let main = window.handle().await;
        window.press_shift(ENTER).await;
        let handles = window.windows(2).await;
        window.switch(handles.iter().find(|handle| **handle != main).unwrap()).await;
        let middle = "(([...document.querySelectorAll('p')].find((p) => p.textContent === 'Paragraph 100 of a long article.')\
                      ?.getBoundingClientRect().top ?? -1) / innerHeight)";
        window.until("the middle of the article", &format!("{middle} > 0 && {middle} < 1")).await;
        window.close().await;
    });
}

#[test]
fn what_scrolls_on_the_screen_is_whole_on_paper() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let html = "<p>Barley grows.</p><p dir=\"rtl\">ينمو الشعير.</p><pre>a line of code</pre><table><tr><td>a cell</td></tr></table>";
        server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", html)])));
        scratch.import(&[("Grain", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "Barley").await;
        window.reads("Barley grows").await;
        let main = window.handle().await;
        window.press_shift(ENTER).await;
        let handles = window.windows(2).await;
        window.switch(handles.iter().find(|handle| **handle != main).unwrap()).await;
        window.until("the page", "document.readyState === 'complete' && !!document.querySelector('.gl-scroll')").await;
        let style = |of: &str| {
            format!(
                "(({{ overflowX, backgroundImage, backgroundColor }}) => [overflowX, backgroundImage, backgroundColor].join())(getComputedStyle(document.querySelector('{of}')))"
            )
        };
        assert_ne!(window.value(&style("pre")).await, "visible,none,rgba(0, 0, 0, 0)");
        // The rules for paper, on the screen.
        let print = "for (const sheet of document.styleSheets) for (const rule of sheet.cssRules)
            if (rule.media?.mediaText === 'print') rule.media.mediaText = 'screen';";
        window.script(print, vec![]).await.unwrap();
        for of in ["pre", ".gl-scroll"] {
            assert_eq!(window.value(&style(of)).await, "visible,none,rgba(0, 0, 0, 0)", "{of}");
        }
        assert_eq!(window.value("getComputedStyle(document.body).paddingTop").await, "0px");
        // Each glyph has a character, so that the text of a PDF is whole.
        let glyphs = |of: &str, part: &str| {
            format!(
                "(({{ fontVariantLigatures, fontVariantNumeric }}) => [fontVariantLigatures, fontVariantNumeric].join())(getComputedStyle(document.querySelector('{of}'), '{part}'))"
            )
        };
        for (of, part, wanted) in [
            (".gl-title", "", "none,normal"),
            (".gl-title a", "::after", "none,normal"),
            ("td", "", "none,normal"),
            ("p[dir=rtl]", "", "normal,normal"),
        ] {
            assert_eq!(window.value(&glyphs(of, part)).await, wanted, "{of}{part}");
        }
        window.close().await;
    });
}

#[test]
fn an_article_is_printed_without_the_window_around_it() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press_control('p').await;
        settled("the system's print dialog", || async {
            if window.is_titled_on_screen("Print") { Ok(()) } else { Err("no dialog".to_owned()) }
        })
        .await;
        window.kill().await;
    });
}
