//! What a screen reader finds on the accessibility bus: the tree of feeds with its levels, the rows of the list by their names, the
//! article's own document, and dialogs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{AccessibilityTree, Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

#[test]
fn names_and_roles_are_exposed_to_screen_readers() {
    // The bus is in at-spi2-core, which `make test` installs.
    if !gleaner_end_to_end::announce_screen_reader() {
        println!("skipped: there is no accessibility bus");
        return;
    }
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let text = "<h2>A part of it</h2><p>Rye <a href=\"https://example.org/\">and wheat</a>.</p><ul><li>One</li><li>Two</li></ul>";
        server.on("/feed", Reply::ok(rss("Grain", &[article("On rye", text), article("On wheat", "<p>Wheat.</p>")])));
        scratch.import(&[("Grain", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "On rye").await;
        window.reads("Rye").await;

        let tree = AccessibilityTree::until("the article", |tree| tree.find("heading", "A part of it").is_some()).await;
        println!("{tree}");
        let top = tree.find("frame", "Gleaner").expect("the window has a name");
        assert!(top.depth < 3, "{top:?}");
        // The tree of feeds: names, levels, and open folders.
        assert!(tree.with_role("tree").iter().any(|tree| !tree.name.is_empty()), "the tree has a name");
        let folder = tree.find("tree item", "Folder 0").expect("the folder");
        assert_eq!(folder.attribute("level"), Some("1"));
        assert!(folder.is("expanded"), "{folder:?}");
        let inner = tree.find("tree item", "Inner").expect("the folder in it");
        assert_eq!(inner.attribute("level"), Some("2"));
        let feed = tree.find("tree item", "Grain").expect("the feed");
        assert_eq!(feed.attribute("level"), Some("3"));
        assert!(feed.is("selected"), "{feed:?}");
        // The list: each row has a name.
        let rows = tree.with_role("list box");
        assert!(rows.iter().any(|list| !list.name.is_empty()), "the list has a name");
        let row = tree.find("list item", "On rye").expect("the row");
        assert!(
            row.is("selected")
                && row.name.starts_with("On rye, ")
                && !row.name.ends_with(',')
                && !row.name.contains(" ,"),
            "{row:?}"
        );
        assert!(tree.find("list item", "Unread, On wheat").is_some(), "unread articles are named as such");
        // The article is a document of its own, with headings, links and lists.
        assert!(tree.find("heading", "On rye").is_some());
        assert!(tree.find("link", "and wheat").is_some());
        assert!(
            tree.nodes.iter().any(|node| node.role == "document" && node.name == "On rye"),
            "the article's document"
        );
        assert!(tree.find("button", "Star").is_some(), "buttons have names");
        // Every control has a name.
        let nameless: Vec<_> = tree
            .nodes
            .iter()
            .filter(|node| {
                matches!(&*node.role, "button" | "toggle button" | "link" | "tree item" | "entry" | "menu item")
            })
            .filter(|node| node.name.is_empty() && node.is("showing"))
            .collect();
        assert!(nameless.is_empty(), "{nameless:?}");

        // What keys did is announced, and that a list is empty.
        for (key, said) in [
            ("s", "Star added to “On rye”"),
            ("s", "Star removed from “On rye”"),
            ("m", "“On rye” marked as unread"),
            ("3", "No starred articles"),
        ] {
            window.press(key).await;
            let announced = "[...document.querySelectorAll('#app [role=status]')].map((one) => one.textContent.trim())";
            window.until(said, &format!("{announced}.includes('{said}')")).await;
        }
        window.click("treeitem", "Grain").await;
        window.click("option", "On rye").await;
        window.reads("Rye").await;

        for (key, name) in [('?', "Keyboard shortcuts"), ('a', "Add feed"), (',', "Settings")] {
            if key == ',' {
                window.press_control(key).await;
            } else {
                window.press(&key.to_string()).await;
            }
            let tree = AccessibilityTree::until(name, |tree| tree.find("dialog", name).is_some()).await;
            // A screen reader says nothing about a focused "section", an element without a role.
            let inside = tree.nodes.iter().rfind(|node| node.is("focused")).expect("the focus is in the dialog");
            assert!(inside.role != "section" && inside.depth > 4, "{name}: {inside:?}");
            // The dialog is modal: what is behind it cannot be read.
            let tree = AccessibilityTree::until("nothing behind the dialog", |tree| {
                tree.find("heading", "A part of it").is_none()
            })
            .await;
            let landmarks = tree.with_role("landmark");
            assert!(landmarks.iter().all(|landmark| !landmark.name.is_empty()), "a dialog is no page: {landmarks:?}");
            window.escape().await;
            AccessibilityTree::until("the article", |tree| tree.find("heading", "A part of it").is_some()).await;
        }
        window.close().await;
    });
}
