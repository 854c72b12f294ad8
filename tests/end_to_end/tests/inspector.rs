//! The feed inspector, reading statistics, and the sections of the settings.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";

/// Serves a feed with errors that are repaired, and one whose articles are never opened.
async fn serving() -> Server {
    let server = Server::start().await;
    let coast =
        rss("Coast", &[article("Harbour", "<p>The boats were in.</p>"), article("Nets", "<p>No one repairs any.</p>")]);
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
        window.find("dialog", "Feed info: Coast").await;
        // The report was stored when the document was read, before the window was open.
        window.shows("ttl_minutes").await;
        window.shows("1 repair was made").await;
        window.audit("the feed tab of the inspector").await;
        window.screenshot("inspector-says").await;
        window.fill("Search fields", "skipDays").await;
        window.shows("not present").await;

        // The arrow keys move between the tabs.
        window.click("tab", "Feed fields").await;
        window.press(RIGHT).await;
        window.shows("The library stores articles").await;
        server.forget_requests();
        window.click("button", "Download now").await;
        window.shows("2 articles in the feed document.").await;
        let requests = server.requests_to("/coast");
        assert_eq!(requests.len(), 1);
        assert!(requests[0].header("if-none-match").is_none());
        window.until("an article to open", "!!document.querySelector('[role=dialog] details summary')").await;
        window.value("document.querySelector('[role=dialog] details summary').focus()").await;
        window.press(ENTER).await;
        window.shows("content_html").await;
        window.audit("an article's fields").await;
        window.screenshot("inspector-articles").await;

        window.click("tab", "Repairs").await;
        window.shows("Unescaped ampersand").await;
        let marked = "[...document.querySelectorAll('mark')].some((one) => one.textContent === '&' && one.closest('pre').textContent.includes('Boats & nets'))";
        window.until("the place is marked in its line", marked).await;
        window.audit("the repairs").await;
        window.screenshot("inspector-repairs").await;

        window.click("tab", "Posting times").await;
        window.shows("Articles by week").await;
        window.audit("the posting frequency").await;
        window.screenshot("inspector-when").await;

        window.click("tab", "Requests").await;
        window.shows("Manual").await;
        window.audit("the request log").await;
        window.escape().await;
        window.press_control(',').await;
        window.click("radio", "Dark").await;
        window.escape().await;
        window.click("treeitem", "Coast").await;
        window.press("I").await;
        window.shows("ttl_minutes").await;
        window.audit("the inspector, dark").await;
        window.click("tab", "Posting times").await;
        window.shows("Articles by week").await;
        window.audit("the posting frequency, dark").await;
        window.screenshot("inspector-when-dark").await;
        window.escape().await;
        window.close().await;
    });
}

/// Changes when the user subscribed to all feeds.
async fn subscribed_days_ago(scratch: &Scratch, days: i64) {
    let options = SqliteConnectOptions::new().filename(scratch.library().join("library.sqlite"));
    let mut library = options.connect().await.unwrap();
    let changed = sqlx::query("UPDATE feeds SET added_at = added_at - ?").bind(days * 24 * 60 * 60 * 1000);
    // The bundled feed is there, too.
    assert_eq!(changed.execute(&mut library).await.unwrap().rows_affected(), 3);
    library.close().await.unwrap();
}

#[test]
fn reading_statistics_suggest_what_to_do_with_unread_feeds() {
    run(async {
        let (scratch, server) = (Scratch::new(), serving().await);
        subscribe(&scratch, &server);
        let window = Window::open(&scratch).await;
        window.press("Y").await;
        window.shows("Nothing counted yet").await;
        window.shows("Suggestions appear two weeks after you subscribe to a feed.").await;
        window.escape().await;
        subscribed_days_ago(&scratch, 15).await;
        window.click("treeitem", "Coast").await;
        window.click("option", "Harbour").await;
        window.reads("The boats were in.").await;
        // The statistics are stored in the background.
        settled("one article that was opened", || async {
            window.press("Y").await;
            window.find("dialog", "Reading statistics").await;
            window.find("heading", "Suggestions").await;
            let opened =
                window.value("document.querySelector('[role=dialog]').innerText.includes('1 article opened')").await;
            if opened == true {
                return Ok(());
            }
            window.escape().await;
            Err("none yet".to_owned())
        })
        .await;
        window.shows("1 of 2 opened").await;
        window.shows("12 articles received, none opened.").await;
        window.audit("reading statistics").await;
        window.screenshot("statistics").await;
        window.click("button", "Actions for Noise").await;
        window.click("menuitem", "Unsubscribe").await;
        window.until("the suggestion is removed", "__e2e.all('button', 'Actions for Noise').length === 0").await;
        window.click("button", "Undo").await;
        window.click("button", "Actions for Noise").await;
        window.click("menuitem", "Mark new articles as read").await;
        window.until("the suggestion is removed", "__e2e.all('button', 'Actions for Noise').length === 0").await;
        window.escape().await;
        window.press("F").await;
        window.shows("Mark “Noise” as read").await;
        window.escape().await;

        // The command palette finds a section of the settings.
        window.press_control('k').await;
        window.type_text("Backups").await;
        window.until("the section", "(__e2e.all('option', null)[0]?.textContent ?? '').includes('Backups')").await;
        window.press(ENTER).await;
        window.focus_on("Backups").await;
        window.audit("a section of the settings").await;
        window.screenshot("settings-section").await;
        window.escape().await;
        window.close().await;
    });
}
