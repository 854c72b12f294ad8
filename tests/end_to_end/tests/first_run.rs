//! The first start: the welcome view, articles without a network, and adding a feed by its address.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const F1: &str = "\u{e031}";

#[test]
fn shows_bundled_articles_without_a_network() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.find("heading", "Welcome to Gleaner").await;
        window.audit("the welcome view").await;
        window.screenshot("welcome").await;
        window.press(F1).await;
        window.shows("Bring your feeds from another reader").await;
        window.leave().await;
        window.until("no dialog", "!document.querySelector('[role=dialog]')").await;
        window.click("button", "Explore first").await;
        window.until("the bundled articles", "__e2e.all('option', null).length >= 5").await;
        window.audit("the list").await;
        window.press("j").await;
        window.until("an article", "(__e2e.frame()?.body?.innerText.length ?? 0) > 200").await;
        window.audit("an article").await;
        window.screenshot("welcome-article").await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.until("no welcome view twice", "__e2e.all('option', null).length >= 5").await;
        window.close().await;
    });
}

#[test]
fn the_starter_list_is_offered_by_subject() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Start with well-known feeds").await;
        window.find("dialog", "Start with well-known feeds").await;
        window.until("subjects to choose from", "__e2e.all('checkbox', null).length >= 20").await;
        // WebKitGTK would draw white boxes in dark themes.
        for theme in ["light", "dark"] {
            window.value(&format!("(document.documentElement.dataset.theme = '{theme}')")).await;
            let [own, page] =
                ["__e2e.all('checkbox', null)[0]", "document.body"].map(|at| format!("getComputedStyle({at})"));
            let drawn = format!("{own}.appearance === 'none' && {own}.backgroundColor === {page}.backgroundColor");
            window.until(&format!("empty boxes of the theme {theme}"), &drawn).await;
            window.audit(&format!("the starter list, {theme}")).await;
        }
        window.screenshot("starter").await;
        window.close().await;
    });
}

#[test]
fn the_data_of_another_reader_on_this_computer_is_offered_and_imported() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", "<p>A grain.</p>")])));
        std::fs::create_dir(scratch.path("home/.newsboat")).unwrap();
        scratch.write("home/.newsboat/urls", &format!("{} Field\n", server.url("/feed")));
        let window = Window::open(&scratch).await;
        window.find("button", "Import from newsboat").await;
        window.audit("the welcome view with another reader").await;
        window.screenshot("welcome-installed").await;
        assert_eq!(server.requests().len(), 0);
        window.click("button", "Import from newsboat").await;
        window.find("dialog", "Import these feeds?").await;
        window.confirm_import().await;
        window.find("treeitem", "Field").await;
        window.find("treeitem", "Grain").await;
        window.find("option", "Barley").await;
        window.close().await;
    });
}

#[test]
fn feeds_of_bookmarked_sites_are_found_and_sites_without_one_are_listed() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let page =
            "<html><head><title>Grain</title><link rel=alternate type=application/rss+xml href=/feed></head></html>";
        server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
        server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", "<p>A grain.</p>")])));
        let other = Server::start().await;
        other.on("/", Reply::ok("<html><head><title>Bare</title></head></html>").header("Content-Type", "text/html"));
        std::fs::create_dir_all(scratch.path("home/config/chromium/Default")).unwrap();
        let children = [("Grain", &server), ("Bare", &other)]
            .map(|(name, server)| format!(r#"{{"type":"url","name":"{name}","url":"{}"}}"#, server.url("/")));
        let bookmarks = format!(
            r#"{{"roots":{{"bookmark_bar":{{"type":"folder","name":"Bar","children":[{}]}}}},"version":1}}"#,
            children.join(",")
        );
        scratch.write("home/config/chromium/Default/Bookmarks", &bookmarks);
        let window = Window::open(&scratch).await;
        window.click("button", "Choose from your bookmarks in Chromium").await;
        window.find("dialog", "Bookmarks in Chromium").await;
        window.until("the filter has the focus", "document.activeElement.type === 'search'").await;
        window.click("checkbox", "Grain").await;
        window.click("checkbox", "Bare").await;
        window.audit("bookmarks").await;
        window.screenshot("bookmarks").await;
        assert_eq!((server.requests().len(), other.requests().len()), (0, 0), "nothing is requested before the click");
        window.click("button", "Find the feeds of 2 sites").await;
        window.shows("No feed was found on 1 site:").await;
        window.shows("Bare").await;
        window.audit("sites without a feed").await;
        window.screenshot("bookmarks-without").await;
        window.click("button", "Done").await;
        window.no_dialog().await;
        window.find("treeitem", "Grain").await;
        window.find("option", "Barley").await;
        window.close().await;
    });
}

#[test]
fn a_site_address_leads_to_its_feed_and_its_articles() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let page = "<html><head><title>Grain</title><link rel=alternate type=application/rss+xml title='Grain' href=/feed>\
                    <link rel=alternate type=application/rss+xml title='Comments' href=/comments></head><body>hello</body></html>";
        server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
        server.on("/comments", Reply::ok(rss("Comments on Grain", &[article("A comment", "said")])));
        server.on(
            "/feed",
            Reply::ok(rss(
                "Grain",
                &[article("Barley", "<p>Barley is a <b>grain</b>.</p>"), article("Rye", "<p>So is rye.</p>")],
            )),
        );
        let window = Window::open(&scratch).await;
        window.click("button", "Add a site or feed").await;
        window.find("dialog", "Add feed").await;
        window.audit("the empty add dialog").await;
        window.fill("Address of a site or feed", &server.url("/")).await;
        window.click("button", "Search").await;
        window.find("checkbox", "Grain").await;
        window.shows("Barley").await;
        window.audit("the add dialog with what was found").await;
        window.screenshot("add-found").await;
        // Another feed of the site: Space selects it, and Enter subscribes.
        window.value("__e2e.all('checkbox', 'Comments')[0].focus()").await;
        window.press(" ").await;
        window.find("button", "Subscribe to 2 feeds").await;
        window.screenshot("add-several").await;
        window.press(ENTER).await;
        window.until("two articles", "__e2e.all('option', null).length === 2").await;
        window.no_dialog().await;
        window.shows("Subscribed to 2 feeds").await;
        window.find("treeitem", "Comments on Grain").await;
        // One step undoes both.
        window.press_control('z').await;
        window.until("no feed", "__e2e.all('treeitem', 'Grain').length === 0").await;
        window.click("button", "Redo").await;
        window.find("treeitem", "Comments on Grain").await;
        window.click("treeitem", "Grain").await;
        window.until("two articles", "__e2e.all('option', null).length === 2").await;
        window.press("j").await;
        window.reads("Barley is a grain.").await;
        window.find("treeitem", "Grain").await;
        window.close().await;
        settled("the subscription is stored", || async {
            let stats = scratch.stats();
            if stats["feeds"] == 3 { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
    });
}

#[test]
fn an_address_without_a_feed_gives_a_clear_error_and_can_be_corrected() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let bare = Server::start().await;
        bare.on("/page", Reply::ok("<html><title>Nothing</title>no feed</html>").header("Content-Type", "text/html"));
        bare.on("/broken", Reply::status(500));
        server.on("/feed", Reply::ok(rss("Grain", &[article("Barley", "text")])));
        let window = Window::open(&scratch).await;
        window.click("button", "Add a site or feed").await;
        let unused = "http://127.0.0.1:1/".to_owned();
        for (address, words) in [
            ("not an address at all".to_owned(), "can’t contain spaces"),
            (bare.url("/page"), "No feed was found"),
            (bare.url("/broken"), "error 500"),
            (unused, "refused the connection"),
        ] {
            window.fill("Address of a site or feed", &address).await;
            window.click("button", "Search").await;
            window.shows(words).await;
            let typed = window.find("textbox", "Address of a site or feed").await.prop("value").await.unwrap();
            assert_eq!(typed.as_deref(), Some(address.as_str()), "the field keeps its text");
        }
        window.audit("the add dialog with an error").await;
        window.screenshot("add-error").await;
        window.fill("Address of a site or feed", &server.url("/feed")).await;
        window.click("button", "Search").await;
        window.find("checkbox", "Grain").await;
        window.click("button", "Subscribe").await;
        window.find("treeitem", "Grain").await;
        window.no_dialog().await;
        window.press("a").await;
        window.find("dialog", "Add feed").await;
        window.fill("Address of a site or feed", &server.url("/feed")).await;
        window.click("button", "Search").await;
        window.shows("Already subscribed").await;
        window.close().await;
    });
}
