//! The window shows where links lead, and asks before it opens a suspicious one.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const TAB: &str = "\u{e004}";

/// Links: their text, their address, and what the status line says.
const LINKS: &[(&str, &str, &[&str])] = &[
    ("Plain", "https://example.org/a%20b", &["https://example.org/a%20b"]),
    ("Books", "https://xn--bcher-kva.example/", &["https://bücher.example"]),
    (
        "https://bank.example/login",
        "https://evil.example/login",
        &["https://evil.example/login", "The text says bank.example"],
    ),
    ("Sign in", "https://bank.example@evil.example/", &["https://bank.example@evil.example", "only a user name"]),
    ("Fruit", "https://xn--80ak6aa92e.com/", &["https://xn--80ak6aa92e.com", "look-alike characters"]),
    ("Turned", "https://example.org/\u{202e}gpj.exe", &["/%E2%80%AEgpj.exe"]),
    ("A letter", "mailto:somebody@example.org", &["mailto:somebody@example.org"]),
];

/// Opens a window on an article with these links.
async fn linked(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let links: String =
        LINKS.iter().map(|(text, address, _)| format!("<p><a href=\"{address}\">{text}</a></p>")).collect();
    server.on("/feed", Reply::ok(rss("Links", &[article("Onward", &format!("{links}<p>No more of them.</p>"))])));
    scratch.import(&[("Links", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Links").await;
    window.click("option", "Onward").await;
    window.reads("No more of them.").await;
    (server, window)
}

async fn opened(scratch: &Scratch, wanted: &[&str]) {
    settled("the browser", || async {
        let opened = scratch.opened();
        if opened == wanted { Ok(()) } else { Err(format!("{opened:?}")) }
    })
    .await;
}

#[test]
fn the_status_line_shows_where_a_link_leads() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = linked(&scratch).await;
        for (text, _, said) in LINKS {
            window.hover_in_article(text).await;
            for words in *said {
                window.shows(words).await;
            }
            assert_eq!(window.value("/\\u202e/.test(document.body.innerText)").await, false);
            window.screenshot(&format!("link-{}", text.split('/').next().unwrap())).await;
        }
        // Elsewhere it is empty.
        window.point(600.0, 20.0).await;
        window.until("nothing", "!document.body.innerText.includes('mailto:')").await;
        // The Tab key moves from link to link, first those of the head.
        window.value("document.querySelector('main').focus()").await;
        for _ in 0..20 {
            window.press(TAB).await;
            if window.value("__e2e.frame().activeElement?.textContent === 'A letter'").await == true {
                break;
            }
        }
        window.shows("mailto:somebody@example.org").await;
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        window.close().await;
    });
}

#[test]
fn a_suspicious_link_is_opened_after_confirmation_only() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = linked(&scratch).await;
        for theme in ["Light", "Dark"] {
            window.choose_theme(theme).await;
            for text in ["https://bank.example/login", "Sign in", "Fruit"] {
                window.click_in_article(text).await;
                window.find("dialog", "Open this link?").await;
                window.focus_on("Cancel").await;
                window.audit("a suspicious link").await;
                window.screenshot(&format!("link-question-{theme}-{}", text.split('/').next().unwrap())).await;
                window.escape().await;
            }
        }
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        // An ordinary link opens at once, and a confirmed one after the question.
        window.click_in_article("Plain").await;
        opened(&scratch, &["https://example.org/a%20b"]).await;
        window.click_in_article("https://bank.example/login").await;
        window.click("button", "Open evil.example").await;
        opened(&scratch, &["https://example.org/a%20b", "https://evil.example/login"]).await;
        window.close().await;
        assert_eq!(scratch.opened().len(), 2);
    });
}
