//! Accounts on a server: adding with each kind of mistake, reading, synchronising, removing and restoring.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, run, settled};
use gleaner_testserver::{
    Reply, Server,
    google_reader::{Dialect, GoogleReader},
    real::{Coldsweat, feed, skip},
};

/// Waits for the result of a synchronisation in the settings; the footer has the same words for a refresh.
async fn shows_nothing_new(window: &Window) {
    let texts = "[...document.querySelectorAll('.account [role=status]')].map((one) => one.textContent.trim())";
    window.until("nothing new", &format!("{texts}.includes('No new articles')")).await;
}

async fn open_accounts(window: &Window) {
    window.view("Accounts").await;
    window.shows("What you read, star and subscribe to stays the same").await;
}

/// Adds an account without a window.
fn add_account(scratch: &Scratch, address: &str, user: &str, password: &str) {
    let file = scratch.write("password", password);
    let words = ["account", "add", address, "--user", user, "--password-file", file.to_str().unwrap()];
    let added = scratch.glean(&[&words[..], &["--password-in-library", "--name", "Mine"]].concat());
    assert!(added.status.success(), "{added:?}");
}

/// Waits until the server has this number of read articles.
async fn server_has_read(server: &GoogleReader, count: usize) {
    settled("read articles on the server", || async {
        let read = server.state().entries.values().filter(|entry| entry.read).count();
        if read == count { Ok(()) } else { Err(format!("{read} are read")) }
    })
    .await;
}

/// Waits until one article has a star on the server.
async fn server_has_starred_one(server: &GoogleReader) {
    settled("the star on the server", || async {
        let starred = server.state().entries.values().filter(|entry| entry.starred).count();
        if starred == 1 { Ok(()) } else { Err(format!("{starred} have a star")) }
    })
    .await;
}

#[test]
fn an_account_is_added_read_synchronised_removed_and_restored() {
    run(async {
        let server = GoogleReader::start(Dialect::FreshRss, 2, 3).await;
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        let welcome = scratch.stats()["unread"].clone();
        open_accounts(&window).await;
        window.screenshot("accounts-empty").await;
        window.click("button", "Add account…").await;
        // A missing field is named and focused.
        window.click("button", "Add").await;
        window.shows("Enter the address of the server.").await;
        window.until("the first empty field", "document.activeElement?.inputMode === 'url'").await;
        window.fill("Server address", &server.address()).await;
        window.fill("User name", "alice").await;
        window.fill("Password", "wrong").await;
        window.click("button", "Add").await;
        window.shows("The server rejected the user name or password.").await;
        window.audit("an account that was refused").await;
        window.screenshot("accounts-refused").await;
        // What was typed is still there; this session has no keyring, so the user decides about the password.
        window.fill("Password", "sesame").await;
        window.click("button", "Add").await;
        window.shows("No keyring is available").await;
        window.click("button", "Save in library file").await;
        window.shows("Synchronised").await;
        window.audit("an account").await;
        window.screenshot("accounts").await;
        window.until("no form", "__e2e.all('textbox', 'Server address').length === 0").await;
        window.leave().await;

        window.click("treeitem", "Feed 1").await;
        window.until("its articles", "__e2e.all('option', 'Article').length === 3").await;
        window.press("j").await;
        window.until("an article", "!!__e2e.frame()?.body").await;
        window.press("s").await;
        window.screenshot("accounts-article").await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        server_has_read(&server, 1).await;
        server_has_starred_one(&server).await;

        // Another client reads everything.
        server.state().entries.values_mut().for_each(|entry| entry.read = true);
        window.click("button", "Sync now").await;
        shows_nothing_new(&window).await;
        settled("read articles here", || async {
            let unread = scratch.stats()["unread"].clone();
            if unread == welcome { Ok(()) } else { Err(format!("{unread} are unread")) }
        })
        .await;

        window.click("button", "Remove…").await;
        window.shows("Nothing changes on the server.").await;
        window.screenshot("accounts-remove").await;
        window.click("button", "Keep its feeds and articles here").await;
        window.shows("It can be restored for a day.").await;
        window.click("button", "Restore").await;
        // The button keeps the focus, whatever it does next.
        window.focus_on("Sync now").await;
        window.click("button", "Sync now").await;
        shows_nothing_new(&window).await;
        window.focus_on("Sync now").await;
        window.leave().await;
        window.find("treeitem", "Feed 1").await;
        assert_eq!(server.state().feeds.len(), 2, "nothing changed on the server");

        // The session on the server does not keep the library open.
        window.press_control(',').await;
        window.click("button", "Back up now").await;
        window.click("button", "Restore the backup of").await;
        window.shows("is moved to").await;
        window.click("button", "Restore").await;
        window.find("dialog", "Backup restored").await;
    });
}

#[test]
fn each_change_of_a_mark_is_explained_and_each_synchronisation_listed() {
    run(async {
        let server = GoogleReader::start(Dialect::FreshRss, 1, 3).await;
        let scratch = Scratch::new();
        add_account(&scratch, &server.address(), "alice", "sesame");
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Feed 1").await;
        window.until("its articles", "__e2e.all('option', 'Article').length === 3").await;
        window.screenshot("accounts-sidebar").await;
        window.press("j").await;
        window.until("an article", "!!__e2e.frame()?.body").await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        server_has_read(&server, 1).await;
        // Another client marks it as unread.
        server.state().entries.values_mut().for_each(|entry| entry.read = false);
        window.click("button", "Sync now").await;
        shows_nothing_new(&window).await;
        // WebDriver does not scroll to a button of which a part is visible, and clicks on its middle.
        window.value("__e2e.all('button', 'Activity')[0].scrollIntoView({ block: 'center' })").await;
        window.click("button", "Activity").await;
        window.shows("1 article changed elsewhere").await;
        window.shows("3 new articles").await;
        window.audit("the log of an account").await;
        window.screenshot("accounts-activity").await;
        window.click("button", "Options").await;
        window.choose("Synchronise", "60").await;
        window.choose("Download", "1000").await;
        settled("the options", || async {
            let text = String::from_utf8(scratch.glean(&["account", "settings", "Mine"]).stdout).unwrap();
            if text.contains("every 60 minutes") && text.contains("newest 1000") { Ok(()) } else { Err(text) }
        })
        .await;
        window.audit("the options of an account").await;
        window.screenshot("accounts-options").await;
        window.leave().await;

        window.click("button", "More actions").await;
        window.screenshot("accounts-menu").await;
        window.click("menuitem", "Why is this unread?").await;
        window.shows("Changed at Mine, by another app or on its site").await;
        window.shows("On this computer").await;
        window.shows("Sent to Mine").await;
        window.shows("Received from Mine").await;
        window.audit("the history of an article").await;
        window.screenshot("accounts-history").await;
        window.escape().await;

        // When the password changes on the server, the sidebar says so until the server accepts the login again.
        let change_password = |password: &str| {
            server.state().password = password.to_owned();
            server.state().session += 1;
        };
        let accepted = "__e2e.all('treeitem', 'Mine, 3 unread')[0]?.ariaLabel === 'Mine, 3 unread'";
        change_password("other");
        window.press("r").await;
        window.find("treeitem", "Mine, 3 unread, Enter the password again").await;
        window.screenshot("accounts-password").await;
        change_password("sesame");
        window.press("r").await;
        window.until("the login is accepted", accepted).await;
        change_password("other");
        window.press("r").await;
        window.find("treeitem", "Mine, 3 unread, Enter the password again").await;
        open_accounts(&window).await;
        window.click("button", "Change address or password…").await;
        window.fill("Password", "other").await;
        window.screenshot("accounts-address").await;
        window.click("button", "Save").await;
        window.click("button", "Save in library file").await;
        window.focus_on("Change address or password…").await;
        window.leave().await;
        window.until("the login is accepted", accepted).await;
    });
}

#[test]
fn marks_wait_here_while_the_server_is_down() {
    run(async {
        let server = GoogleReader::start(Dialect::FreshRss, 1, 3).await;
        let scratch = Scratch::new();
        add_account(&scratch, &server.address(), "alice", "sesame");
        let window = Window::open(&scratch).await;
        for endpoint in ["/token", "/edit-tag", "/subscription/list", "/tag/list", "/stream/items/ids"] {
            server.state().replies.insert(endpoint.to_owned(), Reply::status(502));
        }
        window.click("treeitem", "Feed 1").await;
        window.until("its articles", "__e2e.all('option', 'Article').length === 3").await;
        window.press("j").await;
        window.until("an article", "!!__e2e.frame()?.body").await;
        window.press("s").await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        window.shows("2 changes waiting to be sent").await;
        window.shows("502").await;
        window.audit("an account whose server is down").await;
        window.screenshot("accounts-server-down").await;
        assert!(server.state().entries.values().all(|entry| !entry.read && !entry.starred));

        server.state().replies.clear();
        window.click("button", "Sync now").await;
        server_has_read(&server, 1).await;
        server_has_starred_one(&server).await;
        window.shows("Synchronised").await;
        let error = "document.querySelector('[role=dialog]').textContent.includes('502')";
        window.until("no error", &format!("!{error}")).await;
        window.close().await;
    });
}

#[test]
fn a_feed_is_moved_into_an_account_and_the_move_is_undone() {
    run(async {
        let server = GoogleReader::start(Dialect::FreshRss, 1, 3).await;
        let scratch = Scratch::new();
        add_account(&scratch, &server.address(), "alice", "sesame");
        let feeds = Server::start().await;
        let item = "<item><title>One</title><link>http://site.test/one</link></item>";
        feeds.on_request("*", move |_| {
            Reply::ok(format!("<rss><channel><title>Local feed</title>{item}</channel></rss>"))
        });
        let url = feeds.url("/feed.xml");
        assert!(scratch.glean(&["add", &url]).status.success());
        let has = |count: usize| {
            let (server, url) = (&server, &url);
            settled("the subscription on the server", move || async move {
                let there = server.state().feeds.values().filter(|feed| feed.url == *url).count();
                if there == count { Ok(()) } else { Err(format!("{there} subscriptions")) }
            })
        };
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Local feed").await;
        window.value("__e2e.all('treeitem', 'Local feed')[0].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
        window.click("menuitem", "Move to account…").await;
        window.shows("Articles keep their read and starred states, tags and notes.").await;
        window.audit("moving a feed to an account").await;
        window.screenshot("accounts-move").await;
        window.click("button", "Move").await;
        window.shows("1 feed moved to Mine").await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        has(1).await;
        window.shows("Synchronised").await;
        window.leave().await;
        window.screenshot("accounts-moved").await;
        window.press_control('z').await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        has(0).await;
        window.leave().await;
        // The feed may have the name that the server gave it.
        window.click("treeitem", "All articles").await;
        window.until("its article", "__e2e.all('option', 'One').length === 1").await;
    });
}

#[test]
fn two_devices_agree_through_a_real_server_that_is_down_in_between() {
    run(async {
        let feeds = Server::start().await;
        feeds.on_request("*", |request| feed(&request.target, 12));
        let outline = format!("<outline type='rss' text='Feed 1' xmlUrl='{}'/>", feeds.url("/1.xml"));
        let list = format!("<opml version='2.0'><head/><body><outline text='News'>{outline}</outline></body></opml>");
        let blocking = tokio::task::spawn_blocking(move || Coldsweat::start(&list));
        let Some(server) = blocking.await.unwrap() else { return skip("coldsweat-up.sh", "COLDSWEAT_BIN") };
        let other = Scratch::new();
        add_account(&other, &server.address(), Coldsweat::USER, Coldsweat::PASSWORD);
        let count = |scratch: &Scratch, what: &str| scratch.stats()[what].as_i64().unwrap();
        let of_other = |unread: i64, starred: i64| {
            let other = &other;
            settled("the marks on the other device", move || async move {
                assert!(other.glean(&["account", "sync"]).status.success());
                let marks = (count(other, "unread"), count(other, "starred"));
                if marks == (unread, starred) { Ok(()) } else { Err(format!("{marks:?}")) }
            })
        };
        of_other(12, 0).await;

        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        open_accounts(&window).await;
        window.click("button", "Add account…").await;
        window.fill("Server address", &server.address()).await;
        window.fill("User name", Coldsweat::USER).await;
        window.fill("Password", Coldsweat::PASSWORD).await;
        window.click("button", "Add").await;
        window.click("button", "Save in library file").await;
        window.shows("Synchronised").await;
        window.until("no form", "__e2e.all('textbox', 'Server address').length === 0").await;
        window.leave().await;
        window.click("treeitem", "Feed 1").await;
        window.until("its articles", "__e2e.all('option', 'Article').length === 12").await;

        // Read and star here.
        window.press("j").await;
        window.until("an article", "!!__e2e.frame()?.body").await;
        window.press("s").await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        of_other(11, 1).await;
        window.leave().await;

        // The server is down: everything works, and waits.
        let server = tokio::task::spawn_blocking(move || {
            server.down();
            server
        });
        let server = server.await.unwrap();
        let unread = count(&scratch, "unread");
        window.press("j").await;
        settled("the second article", || async {
            let now = count(&scratch, "unread");
            if now < unread { Ok(()) } else { Err(format!("{now} are unread")) }
        })
        .await;
        open_accounts(&window).await;
        window.click("button", "Sync now").await;
        window.shows("1 change waiting to be sent").await;
        window.screenshot("accounts-real-server-down").await;

        // It is back, and meanwhile the other device marked something, too.
        let server = tokio::task::spawn_blocking(move || {
            server.up();
            server
        });
        let server = server.await.unwrap();
        window.click("button", "Sync now").await;
        of_other(10, 1).await;
        for words in [&["rules", "add", "--name", "all", "--do", "star"][..], &["rules", "apply", "all"]] {
            let done = other.glean(words);
            assert!(done.status.success(), "{done:?}");
        }
        of_other(10, 12).await;
        window.click("button", "Sync now").await;
        settled("the stars here", || async {
            let starred = count(&scratch, "starred");
            if starred == 12 { Ok(()) } else { Err(format!("{starred} have a star")) }
        })
        .await;
        window.close().await;
        tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
    });
}
