//! The feed inspector, what was read, and the sections of the settings: in the real window, by keyboard where a key reaches.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const RIGHT: &str = "\u{e014}";

/// A feed with something to forgive, and one of which nobody reads anything.
async fn serving() -> Server {
    let server = Server::start().await;
    let coast =
        rss("Coast", &[article("Harbour", "<p>The boats were in.</p>"), article("Nets", "<p>Nobody mends any.</p>")]);
    let broken = coast.replacen("<item>", "<ttl>90</ttl>\n<category>Boats & nets</category>\n<item>", 1);
    server.on("/coast", Reply::ok(broken));
    let many: Vec<String> = (0..12).map(|number| article(&format!("Noise{number}"), "<p>Nothing.</p>")).collect();
    server.on("/noise", Reply::ok(rss("Noise", &many)));
    server
}

fn subscribe(scratch: &Scratch, server: &Server) {
    for path in ["/coast", "/noise"] {
        assert!(scratch.glean(&["add", &server.url(path)]).status.success());
    }
}

#[test]
fn a_feed_is_inspected() {
    run(async {
        let (scratch, server) = (Scratch::new(), serving().await);
        subscribe(&scratch, &server);
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Coast").await;
        window.press("I").await;
        window.find("dialog", "Inspect Coast").await;
        // This much was kept of the document that came before the window was open.
        window.shows("ttl_minutes").await;
        window.shows("1 place had to be repaired").await;
        window.audit("what a feed says").await;
        window.picture("inspector-says").await;
        window.fill("Find a field", "skipDays").await;
        window.shows("not said").await;

        // From part to part by the arrow keys.
        window.click("tab", "What it says").await;
        window.press(RIGHT).await;
        window.shows("Ask for the document now").await;
        server.forget_requests();
        window.click("button", "Ask now and read it all").await;
        window.shows("2 articles in the document.").await;
        let asked = server.requests_to("/coast");
        assert_eq!(asked.len(), 1);
        assert!(asked[0].header("if-none-match").is_none());
        window.until("an article to open", "!!document.querySelector('[role=dialog] details summary')").await;
        window.value("document.querySelector('[role=dialog] details summary').focus()").await;
        window.press(ENTER).await;
        window.shows("content_html").await;
        window.audit("an article's fields").await;
        window.picture("inspector-articles").await;

        window.click("tab", "What was repaired").await;
        window.shows("A bare ampersand").await;
        let marked = "[...document.querySelectorAll('mark')].some((one) => one.textContent === '&' && one.closest('pre').textContent.includes('Boats & nets'))";
        window.until("the place is marked in its line", marked).await;
        window.audit("what was repaired").await;
        window.picture("inspector-repairs").await;

        window.click("tab", "When it posts").await;
        window.shows("Articles by week").await;
        window.audit("when a feed posts").await;
        window.picture("inspector-when").await;

        window.click("tab", "Requests").await;
        window.shows("By hand").await;
        window.audit("what was asked").await;
        window.press(ESCAPE).await;
        window.press_control(',').await;
        window.click("radio", "Dark").await;
        window.press(ESCAPE).await;
        window.click("treeitem", "Coast").await;
        window.press("I").await;
        window.shows("ttl_minutes").await;
        window.audit("what a feed says, in the dark").await;
        window.click("tab", "When it posts").await;
        window.shows("Articles by week").await;
        window.audit("when a feed posts, in the dark").await;
        window.picture("inspector-when-dark").await;
        window.press(ESCAPE).await;
        window.close().await;
    });
}

#[test]
fn what_was_read_is_told_and_something_done_about_the_rest() {
    run(async {
        let (scratch, server) = (Scratch::new(), serving().await);
        subscribe(&scratch, &server);
        let window = Window::open(&scratch).await;
        window.press("Y").await;
        window.shows("Nothing was counted yet").await;
        window.press(ESCAPE).await;
        window.click("treeitem", "Coast").await;
        window.click("option", "Harbour").await;
        window.reads("The boats were in.").await;
        // It is counted behind the reader's back.
        settled("one article that was opened", || async {
            window.press("Y").await;
            window.find("dialog", "What you read").await;
            window.find("heading", "What you could change").await;
            let told =
                window.value("document.querySelector('[role=dialog]').innerText.includes('1 article opened')").await;
            if told == true {
                return Ok(());
            }
            window.press(ESCAPE).await;
            Err("none yet".to_owned())
        })
        .await;
        window.shows("1 opened of 2 that came").await;
        window.shows("12 articles came, and you opened none.").await;
        window.audit("what was read").await;
        window.picture("statistics").await;
        window.find("group", "What to do about Noise").await;
        window.click("button", "Unsubscribe").await;
        window.until("the feed is gone", "__e2e.all('group', 'What to do about Noise').length === 0").await;
        window.click("button", "Undo").await;
        window.find("group", "What to do about Noise").await;
        window.click("button", "Mark new ones read").await;
        window.until("it is done with", "__e2e.all('group', 'What to do about Noise').length === 0").await;
        window.press(ESCAPE).await;
        window.press("F").await;
        window.shows("Mark “Noise” read").await;
        window.press(ESCAPE).await;

        // The palette finds a section of the settings.
        window.press_control('k').await;
        window.find("combobox", "An action, a feed").await;
        window.press("Backups").await;
        window.press(ENTER).await;
        window.focus_on("Backups").await;
        window.audit("a section of the settings").await;
        window.picture("settings-section").await;
        window.press(ESCAPE).await;
        window.close().await;
    });
}
