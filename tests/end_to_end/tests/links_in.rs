//! Links and files from outside: the command line, a second start, files that are feeds; and what comes back after a restart.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, program, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::{fs, os::unix::fs::PermissionsExt as _};

async fn server() -> Server {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(rss("Harbour diary", &[article("Cranes", "<p>one</p>")])));
    server
}

#[test]
fn a_second_start_hands_its_arguments_to_the_open_window() {
    run(async {
        let (scratch, server) = (Scratch::new(), server().await);
        let window = Window::open(&scratch).await;
        let address = server.url("/feed");
        let again = scratch.start_again(&[&format!("feed:{address}")]);
        assert!(again.status.success(), "{again:?}");
        window.find("dialog", "Add feed").await;
        window.shows("Harbour diary").await;
        // Another one, while the dialog is open: a list in the folder of the second start.
        window.escape().await;
        scratch.write("list.opml", &opml(&[("Listed".to_owned(), address)]));
        assert!(scratch.start_again(&["list.opml"]).status.success());
        window.confirm_import().await;
        window.shows("1 feed added").await;
        window.click("button", "Done").await;
        // Some programs pass files as URLs.
        let list = format!("file://{}", scratch.path("list.opml").display());
        assert!(scratch.start_again(&[&list]).status.success());
        window.shows("1 feed already present").await;
        // Without arguments, the window is only raised.
        assert!(scratch.start_again(&[]).status.success());
        window.close().await;
    });
}

#[test]
fn an_update_of_the_running_program_offers_to_restart() {
    run(async {
        let scratch = Scratch::new();
        let folder = scratch.path("installed");
        fs::create_dir(&folder).unwrap();
        let [installed, update] = ["gleaner", "update"].map(|name| folder.join(name));
        fs::copy(program("GLEANER_WINDOW", "gleaner"), &installed).unwrap();
        let window =
            Window::open_program(&scratch, &installed, &["--library", scratch.library().to_str().unwrap()]).await;
        assert!(scratch.start_again(&[]).status.success());
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.until("no update yet", "!document.body.innerText.includes('Gleaner was updated')").await;

        // A package manager puts another file in its place.
        fs::write(&update, scratch.reporting_program()).unwrap();
        fs::set_permissions(&update, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&update, &installed).unwrap();
        assert!(scratch.start_again(&[]).status.success());
        window.shows("Gleaner was updated").await;
        // At login, the new program is started.
        let set = "void window.__TAURI_INTERNALS__.invoke('set_login_start', { args: { login_start: 'window' } })";
        window.value(set).await;
        let login = scratch.path("home/config/autostart/net.gleaner.Gleaner.desktop");
        settled("the file for the login", || async {
            let text = fs::read_to_string(&login).unwrap_or_default();
            let exec = format!("Exec=\"{}\" \"--library\" \"{}\"\n", installed.display(), scratch.library().display());
            if text.ends_with(&exec) { Ok(()) } else { Err(text) }
        })
        .await;
        window.audit("the notice of an update").await;
        window.screenshot("update-notice").await;
        window.click("button", "Menu").await;
        window.find("menuitem", "Restart to update").await;
        window.escape().await;
        window.click_on_screen("Restart").await;
        window.ended().await;
        assert_eq!(scratch.reported().await, format!("--library\n{}\n", scratch.library().display()));
        // The library is free for it.
        assert!(scratch.glean(&["check"]).status.success());
    });
}

#[test]
fn each_library_has_a_window_of_its_own() {
    run(async {
        let (one, two) = (Scratch::new(), Scratch::new());
        let (first, second) = (Window::open(&one).await, Window::open(&two).await);
        let feed = one.write("one.opml", &opml(&[("Only here".to_owned(), "http://127.0.0.1:1/a".to_owned())]));
        assert!(one.start_again(&[feed.to_str().unwrap()]).status.success());
        first.confirm_import().await;
        first.shows("1 feed added").await;
        first.click("button", "Done").await;
        assert_eq!(two.stats()["feeds"], 1, "only the bundled one");
        // Without the environment, --library names the window.
        let named = two.start_again(&["--library", one.library().to_str().unwrap(), feed.to_str().unwrap()]);
        assert!(named.status.success(), "{named:?}");
        first.shows("1 feed already present").await;
        assert_eq!(two.stats()["feeds"], 1, "only the bundled one");
        first.close().await;
        second.close().await;
    });
}

#[test]
fn a_feed_file_opens_the_dialog_with_the_feed() {
    run(async {
        let scratch = Scratch::new();
        let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Plum notes", "items": [{"id": "1", "content_text": "x", "title": "Damson"}]}"#;
        for (name, title, text) in [
            ("diary.rss", "Harbour diary", rss("Harbour diary", &[article("Cranes", "<p>one</p>")])),
            ("notes.json", "Plum notes", json.to_owned()),
        ] {
            let file = scratch.write(name, &text);
            let window = Window::open_with(&scratch, &[file.to_str().unwrap()]).await;
            window.find("dialog", "Add feed").await;
            window.shows(title).await;
            window.audit("a feed from a file").await;
            window.screenshot(&format!("file-{name}")).await;
            window.click("button", "Subscribe").await;
            window.find("treeitem", title).await;
            window.close().await;
        }
        assert_eq!(scratch.stats()["feeds"], 3, "with the bundled feed");
    });
}

#[test]
fn junk_in_a_link_or_file_gives_a_clear_message() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open_with(&scratch, &["feed:%%%"]).await;
        window.find("dialog", "Add feed").await;
        window.shows("This is not a web address.").await;
        window.screenshot("junk-link").await;
        window.escape().await;
        scratch.write("no.rss", "nothing");
        assert!(scratch.start_again(&["no.rss"]).status.success());
        window.shows("Couldn’t import this file").await;
        window.press("\u{e00c}").await;
        window.no_dialog().await;
        assert!(scratch.start_again(&["missing.atom"]).status.success());
        window.shows("Couldn’t import this file").await;
        let unknown = scratch.start_again(&["--unknown"]);
        assert_eq!(unknown.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&unknown.stderr).contains("--unknown"), "{unknown:?}");
        settled("an unchanged library", || async {
            if scratch.stats()["feeds"] == 1 { Ok(()) } else { Err(scratch.stats().to_string()) }
        })
        .await;
        window.close().await;
    });
}

#[test]
fn the_window_opens_with_the_size_that_it_had() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.resize(1010, 640).await;
        // It is stored while the window is open: a logout ends the program without a word.
        settled("the stored size", || async {
            let stored = fs::read_to_string(scratch.library().join("window.json")).unwrap_or_default();
            if stored.contains("1010.0") && stored.contains("640.0") { Ok(()) } else { Err(stored) }
        })
        .await;
        window.kill().await;
        let window = Window::open(&scratch).await;
        window.until("the size of the last window", "innerWidth === 1010 && innerHeight === 640").await;
        window.close().await;
    });
}
