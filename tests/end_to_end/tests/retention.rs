//! Earlier versions of an article and their differences; retention and the deletion of old articles. By keyboard.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";

/// Opens a window on a feed that was refreshed once for each of these documents.
async fn opened(scratch: &Scratch, documents: &[Vec<String>]) -> (Server, Window) {
    let server = Server::start().await;
    server.on_each("/feed", documents.iter().map(|items| Reply::ok(rss("Harbour", items))).collect::<Vec<_>>());
    scratch.import(&[("Harbour", server.url("/feed"))]);
    for _ in documents {
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
    }
    let window = Window::open(scratch).await;
    (server, window)
}

fn boats(first: &str, rest: &str) -> Vec<String> {
    vec![article("Boats", &format!("<p>{first}</p><p>Nets are repaired on the quay in winter.</p>{rest}"))]
}

#[test]
fn shows_what_changed_in_an_article() {
    run(async {
        let scratch = Scratch::new();
        let documents = [
            boats("The harbour has nine boats, and all of them sail.", "<p>They sail at dawn.</p>"),
            boats("The harbour has ten boats, and all of them sail.", "<p>They sail at dawn.</p>"),
            boats("The harbour has ten boats, and most of them sail.", "<ul><li>Cod</li><li>Herring</li></ul>"),
        ];
        let (_server, window) = opened(&scratch, &documents).await;
        window.click("option", "Boats").await;
        window.reads("Herring").await;

        window.press("d").await;
        window.shows("+3 −5 words").await;
        let marked = |what: &str| {
            format!(
                "[...document.querySelector('iframe').contentDocument.querySelectorAll({what:?})].map((mark) => mark.textContent.trim()).join('|')"
            )
        };
        window.until("what came", &format!("{} === 'most|Cod|Herring'", marked("ins.gl-ins"))).await;
        window.until("what went", &format!("{} === 'all|They sail at dawn.'", marked("del.gl-del"))).await;
        window.until("the first change", &format!("{} === 'all'", marked(".gl-here"))).await;
        window.audit("what changed").await;
        window.screenshot("changes").await;
        window.shows("1 of 2").await;
        window.press(".").await;
        window.shows("2 of 2").await;
        window.press(".").await;
        window.shows("1 of 2").await;
        window.press(",").await;
        window.shows("2 of 2").await;

        // Any two versions can be compared: from the first on.
        window.click("combobox", "From").await;
        window
            .until("two versions", "__e2e.all('option', null).filter((one) => one.closest('[popover]')).length === 2")
            .await;
        window.press("\u{e015}\u{e007}").await;
        window.shows("+4 −6 words").await;
        window
            .until(
                "deletions since the first version",
                &format!("{} === 'nine|all|They sail at dawn.'", marked("del.gl-del")),
            )
            .await;

        // In a narrow window.
        window.resize(560, 800).await;
        window.audit("the comparison, narrow").await;
        window.screenshot("changes-narrow").await;
        window.resize(1280, 900).await;
        window.press("d").await;
        window.until("the current version", &format!("{} === ''", marked("ins.gl-ins, del.gl-del"))).await;
        window.reads("Herring").await;

        let output = scratch.glean(&["versions", "1", "--json"]);
        let versions: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(versions.as_array().unwrap().len(), 2);
        assert_eq!((&versions[1]["inserted"], &versions[1]["deleted"]), (&1.into(), &1.into()));
        window.close().await;
    });
}

#[test]
fn shows_the_new_text_of_the_open_article_on_request() {
    run(async {
        let scratch = Scratch::new();
        let long = "<p>They sail at dawn.</p>".repeat(120);
        let (server, window) = opened(&scratch, &[boats("The harbour has nine boats.", &long)]).await;
        window.click("treeitem", "Harbour").await;
        window.click("option", "Boats").await;
        window.reads("nine boats").await;
        let top = "__e2e.frame().scrollingElement.scrollTop";
        window.value(&format!("{top} = 300")).await;
        window.until("further down", &format!("{top} === 300")).await;

        server.on("/feed", Reply::ok(rss("Harbour", &boats("The harbour has ten boats.", &long))));
        window.press("r").await;
        window.shows("This article was updated.").await;
        window.reads("nine boats").await;
        window.value("[...document.querySelectorAll('.notice button')].find((one) => one.textContent.trim() === 'Show').click()").await;
        window.reads("ten boats").await;
        window.until("the same place", &format!("{top} === 300")).await;
        window.until("no notice", "document.querySelector('.notice') === null").await;
        window.close().await;
    });
}

#[test]
fn deletes_old_articles_and_restores_them() {
    run(async {
        let scratch = Scratch::new();
        let items: Vec<String> = (1..=12).map(|n| article(&format!("Catch {n}"), "<p>Of the day.</p>")).collect();
        let (_server, window) = opened(&scratch, &[items]).await;
        window.press("4").await;
        window.find("option", "Catch 12").await;
        let articles = async |count: i64| {
            settled("articles", || async {
                let stats = scratch.stats();
                // With the bundled articles.
                if stats["articles"] == count + 7 { Ok(()) } else { Err(stats.to_string()) }
            })
            .await;
        };
        articles(12).await;

        window.press_control(',').await;
        window.find("dialog", "Settings").await;
        window.audit("the retention settings").await;
        window.find("combobox", "Articles").await;
        window.choose("Articles", "bound").await;
        // An empty limit gives an error.
        window.click("button", "Preview…").await;
        window.shows("Set at least one limit").await;
        window.fill("Articles per feed", "5").await;
        window.press(ENTER).await;
        window.shows("Nothing to delete now").await;
        window.click("switch", "Keep unread articles").await;
        window.click("button", "Preview…").await;
        window.shows("Delete 7 articles?").await;
        window.shows("Harbour: 7 articles").await;
        window.audit("the preview of a retention policy").await;
        window.screenshot("retention").await;
        articles(12).await;
        window.tab_to("Delete").await;
        window.press(ENTER).await;
        window.shows("7 articles deleted; permanently from").await;
        articles(5).await;
        window.screenshot("retention-done").await;
        window.escape().await;
        window.press("u").await;
        articles(12).await;

        // A feed with its own retention.
        assert!(scratch.glean(&["retention", "--articles", "3", "--unread-too"]).status.success());
        articles(3).await;
        let output = scratch.glean(&["retention", "--feed", "Harbour", "--everything", "--json"]);
        let policy: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&policy["own"], &policy["articles"]), (&true.into(), &serde_json::Value::Null));
        let restored = scratch.glean(&["retention", "--restore"]);
        assert!(restored.status.success(), "{restored:?}");
        articles(12).await;
        assert!(scratch.glean(&["check"]).status.success());
        window.close().await;
    });
}
