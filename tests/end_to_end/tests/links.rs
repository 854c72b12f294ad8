//! Where links lead is told before anybody follows them, and those that deceive are asked about.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";

/// Their words, where they lead, and what the line at the pane's bottom says of them.
const LINKS: &[(&str, &str, &[&str])] = &[
    ("Plain", "https://example.org/a%20b", &["https://example.org/a%20b"]),
    ("Books", "https://xn--bcher-kva.example/", &["https://bücher.example"]),
    (
        "https://bank.example/login",
        "https://evil.example/login",
        &["https://evil.example/login", "Its words say bank.example"],
    ),
    ("Sign in", "https://bank.example@evil.example/", &["https://bank.example@evil.example", "only a user’s name"]),
    ("Fruit", "https://xn--80ak6aa92e.com/", &["https://xn--80ak6aa92e.com", "look like others"]),
    ("Turned", "https://example.org/\u{202e}gpj.exe", &["/%E2%80%AEgpj.exe"]),
    ("A file", "magnet:?xt=urn:btih:c0ffee", &["magnet:?xt=urn:btih:c0ffee", "Not opened: magnet"]),
    ("A letter", "mailto:somebody@example.org", &["mailto:somebody@example.org"]),
];

/// A window that shows an article of these links.
async fn linked(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let links: String =
        LINKS.iter().map(|(text, address, _)| format!("<p><a href=\"{address}\">{text}</a></p>")).collect();
    server.on("/feed", Reply::ok(rss("Links", &[article("Onward", &format!("{links}<p>No more of them.</p>"))])));
    let list = scratch.write("list.opml", &opml(&[("Links".to_owned(), server.url("/feed"))]));
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
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
fn the_pointer_and_the_focus_tell_where_a_link_leads() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = linked(&scratch).await;
        for (text, _, said) in LINKS {
            window.hover_in_article(text).await;
            for words in *said {
                window.shows(words).await;
            }
            assert_eq!(window.value("/\\u202e/.test(document.body.innerText)").await, false);
            window.picture(&format!("link-{}", text.split('/').next().unwrap())).await;
        }
        // Elsewhere nothing is said.
        window.point(600.0, 20.0).await;
        window.until("nothing", "!document.body.innerText.includes('mailto:')").await;
        // The Tab key goes from link to link: first those of the head.
        window.value("document.querySelector('main').focus()").await;
        for _ in 0..20 {
            window.press(TAB).await;
            if window.value("__e2e.frame().activeElement?.textContent === 'A file'").await == true {
                break;
            }
        }
        window.shows("Not opened: magnet").await;
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        window.close().await;
    });
}

#[test]
fn a_link_that_deceives_is_asked_about() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = linked(&scratch).await;
        for theme in ["Light", "Dark"] {
            window.press_control(',').await;
            window.find("dialog", "Settings").await;
            window.click("radio", theme).await;
            window.press(ESCAPE).await;
            window.until("no dialog", "__e2e.all('dialog', null).length === 0").await;
            for text in ["https://bank.example/login", "Sign in", "Fruit"] {
                window.click_in_article(text).await;
                window.find("dialog", "Does this link lead where you want to go?").await;
                window.focus_on("Stay here").await;
                window.audit("a link that deceives").await;
                window.picture(&format!("link-asked-{theme}-{}", text.split('/').next().unwrap())).await;
                window.press(ESCAPE).await;
                window.until("no dialog", "__e2e.all('dialog', null).length === 0").await;
            }
        }
        assert!(scratch.opened().is_empty(), "{:?}", scratch.opened());
        // An honest one is not asked about, and who insists gets where the other leads.
        window.click_in_article("Plain").await;
        opened(&scratch, &["https://example.org/a%20b"]).await;
        window.click_in_article("https://bank.example/login").await;
        window.click("button", "Open evil.example").await;
        opened(&scratch, &["https://example.org/a%20b", "https://evil.example/login"]).await;
        // What is no page at all is refused in words.
        window.click_in_article("A file").await;
        window.shows("This link was not opened").await;
        window.close().await;
        assert_eq!(scratch.opened().len(), 2);
    });
}
