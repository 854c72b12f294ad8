//! What a screen reader is told, over the accessibility bus: the tree of feeds with its levels, the rows of the list by their names,
//! the article's own document, and dialogs.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Heard, Scratch, Window, article, opml, rss, run};
use gleaner_testserver::{Reply, Server};

const ESCAPE: &str = "\u{e00c}";

#[test]
fn the_window_is_read_out() {
    // Without the bus (at-spi2-core) nobody listens; `make test` installs it.
    if !gleaner_end_to_end::listen() {
        println!("not tried: there is no accessibility bus");
        return;
    }
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let text = "<h2>A part of it</h2><p>Rye <a href=\"https://example.org/\">and wheat</a>.</p><ul><li>One</li><li>Two</li></ul>";
        server.on("/feed", Reply::ok(rss("Grain", &[article("On rye", text), article("On wheat", "<p>Wheat.</p>")])));
        let list = scratch.write("list.opml", &opml(&[("Grain".to_owned(), server.url("/feed"))]));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        assert!(scratch.glean(&["refresh"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "On rye").await;
        window.reads("Rye").await;

        let heard = Heard::until("the article", |heard| heard.find("heading", "A part of it").is_some()).await;
        println!("{heard}");
        let top = heard.find("frame", "Gleaner").expect("the window has a name");
        assert!(top.depth < 3, "{top:?}");
        // The tree of feeds: items with names, levels, and whether folders are open.
        assert!(heard.named("tree").iter().any(|tree| !tree.name.is_empty()), "the tree has a name");
        let folder = heard.find("tree item", "Folder 0").expect("the folder");
        assert_eq!(folder.attribute("level"), Some("1"));
        assert!(folder.is("expanded"), "{folder:?}");
        let inner = heard.find("tree item", "Inner").expect("the folder in it");
        assert_eq!(inner.attribute("level"), Some("2"));
        let feed = heard.find("tree item", "Grain").expect("the feed");
        assert_eq!(feed.attribute("level"), Some("3"));
        assert!(feed.is("selected"), "{feed:?}");
        // The list: each row says what it is of.
        let rows = heard.named("list box");
        assert!(rows.iter().any(|list| !list.name.is_empty()), "the list has a name");
        let row = heard.find("list item", "On rye").expect("the row");
        assert!(row.is("selected") && row.name.starts_with("On rye , Grain"), "{row:?}");
        assert!(heard.find("list item", "Unread, On wheat").is_some(), "what is unread says so");
        // The article is a document of its own, with headings, links and lists.
        assert!(heard.find("heading", "On rye").is_some());
        assert!(heard.find("link", "and wheat").is_some());
        assert!(
            heard.nodes.iter().any(|node| node.role == "document" && node.name == "On rye"),
            "the article's document"
        );
        assert!(heard.find("button", "Star").is_some(), "buttons have names");
        // Nothing that can be pressed is without a name.
        let nameless: Vec<_> = heard
            .nodes
            .iter()
            .filter(|node| {
                matches!(&*node.role, "button" | "toggle button" | "link" | "tree item" | "entry" | "menu item")
            })
            .filter(|node| node.name.is_empty() && node.is("showing"))
            .collect();
        assert!(nameless.is_empty(), "{nameless:?}");

        for (key, name) in [('?', "Keyboard shortcuts"), ('a', "Add a feed")] {
            window.press(&key.to_string()).await;
            let heard = Heard::until(name, |heard| heard.find("dialog", name).is_some()).await;
            assert!(heard.nodes.iter().any(|node| node.is("focused")), "the focus is somewhere in {name}");
            window.press(ESCAPE).await;
            window.until("no dialog", "__e2e.all('dialog', null).length === 0").await;
        }
        window.close().await;
    });
}
