//! Saving articles in a service: adding it with a wrong and the right token, one article, several, a service that fails, and removing it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

fn bookmarks(server: &Server) -> usize {
    server.requests_to("/api/bookmarks/").len()
}

async fn received(server: &Server, count: usize) {
    settled("bookmarks on the server", || async {
        let received = bookmarks(server);
        if received == count { Ok(()) } else { Err(format!("{received} were received")) }
    })
    .await;
}

#[test]
fn articles_are_saved_in_a_service_by_key_and_menu_and_wait_while_it_fails() {
    run(async {
        let server = Server::start().await;
        server.on_request("/api/user/profile/", |request| match request.text("Authorization").as_deref() {
            Some("Token sesame") => Reply::ok("{}"),
            _ => Reply::status(401),
        });
        server.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
        let items: String = (1..=3)
            .map(|n| {
                format!("<item><title>Plum {n}</title><link>https://fruit.example/{n}</link><guid>{n}</guid></item>")
            })
            .collect();
        server.on(
            "/feed.xml",
            Reply::ok(format!("<rss version=\"2.0\"><channel><title>Fruit</title>{items}</channel></rss>")),
        );
        let scratch = Scratch::new();
        scratch.glean(&["add", &server.url("/feed.xml")]);
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Fruit").await;
        window.until("its articles", "__e2e.all('option', 'Plum').length === 3").await;

        // Without a service, the key leads to the settings.
        window.press("j").await;
        window.until("an article", "!!__e2e.frame()?.body").await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press("b").await;
        window.shows("Save articles in read-later lists").await;
        window.click("button", "Add service…").await;
        window.focus_on("Service").await;
        window.screenshot("sharing-add").await;
        // Escape closes the form only, and keeps what was typed.
        window.press(ESCAPE).await;
        window.focus_on("Add service…").await;
        window.press(ENTER).await;
        window.focus_on("Service").await;
        window.fill("User name", "anna").await;
        window.press(ESCAPE).await;
        window.focus_on("Cancel").await;
        window.fill("Server address", &server.url("/")).await;
        window.press(ENTER).await;
        window.shows("Enter the ID and the secret of the client.").await;
        window.audit("a service to add").await;
        window.choose("Service", "linkding").await;
        window.fill("Token", "wrong").await;
        window.fill("Server address", server.url("/").trim_start_matches("http://")).await;
        window.press(ENTER).await;
        window.shows("If this server does not support https, enter http://127.0.0.1").await;
        window.fill("Server address", &server.url("/")).await;
        window.press(ENTER).await;
        window.shows("The service rejected the token.").await;
        window.fill("Token", "sesame").await;
        window.press(ENTER).await;
        window.shows("No keyring is available").await;
        window.click("button", "Save in library file").await;
        window.shows("Ready").await;
        window.focus_on("Add service…").await;
        window.screenshot("sharing").await;
        window.audit("a service").await;
        window.leave().await;

        window.press("b").await;
        window.shows("Article saved to Linkding").await;
        received(&server, 1).await;
        window.screenshot("sharing-saved").await;

        // Several at once, while the service fails: the first failure is enough.
        server.on("/api/bookmarks/", Reply::status(500));
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press_control('a').await;
        window.shows("3 selected").await;
        window.press("b").await;
        window.shows("3 articles will be saved to Linkding later").await;
        received(&server, 2).await;
        window.screenshot("sharing-later").await;
        window.view("Sharing").await;
        window.shows("3 articles waiting to be sent").await;
        window.screenshot("sharing-waiting").await;
        // The button keeps the focus, and leaves it to the next one when nothing is left to send.
        window.click("button", "Send now").await;
        received(&server, 3).await;
        window.until("the end of sending", "!document.querySelector('.service [aria-disabled=true]')").await;
        window.focus_on("Send now").await;
        server.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
        window.press(ENTER).await;
        window.shows("Ready").await;
        received(&server, 6).await;
        window.focus_on("Edit…").await;

        // A service that refuses the token keeps what waits until it gets a new one.
        server.on("/api/bookmarks/", Reply::status(401));
        window.leave().await;
        window.press("b").await;
        window.shows("3 articles will be saved to Linkding later").await;
        server.on_request("/api/user/profile/", |request| match request.text("Authorization").as_deref() {
            Some("Token fresh") => Reply::ok("{}"),
            _ => Reply::status(401),
        });
        server.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
        window.view("Sharing").await;
        window.click("button", "Edit…").await;
        window.focus_on("Token").await;
        window.audit("a new token").await;
        window.press(ENTER).await;
        window.shows("Enter the token.").await;
        window.fill("Token", "sesame").await;
        window.press(ENTER).await;
        window.shows("The service rejected the token.").await;
        window.screenshot("sharing-token").await;
        window.fill("Token", "fresh").await;
        window.press(ENTER).await;
        window.click("button", "Save in library file").await;
        window.focus_on("Edit…").await;
        window.shows("Ready").await;
        received(&server, 10).await;

        // If there are several services, the key lets the user choose one.
        let notes = scratch.path("notes");
        std::fs::create_dir(&notes).unwrap();
        assert!(scratch.glean(&["share", "add", "folder", notes.to_str().unwrap()]).status.success());
        window.find("group", "notes").await;
        window.leave().await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press("b").await;
        window.find("dialog", "Save to…").await;
        window.focus_on("Linkding").await;
        window.press("\u{e015}").await;
        window.focus_on("notes").await;
        window.press(ENTER).await;
        window.shows("3 articles saved to notes").await;
        assert_eq!(std::fs::read_dir(&notes).unwrap().count(), 3);

        window.view("Sharing").await;
        window.click("button", "Remove…").await;
        window.focus_on("Cancel").await;
        window.shows("Remove Linkding?").await;
        window.click("button", "Remove").await;
        window.until("no service", "__e2e.all('group', 'Linkding').length === 0").await;
    });
}
