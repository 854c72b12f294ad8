//! Rules: created, tested, applied and undone by keyboard; they apply to new articles and are named where they had an effect.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";

fn feed(titles: &[&str]) -> String {
    rss("Grain", &titles.iter().map(|title| article(title, &format!("<p>About {title}.</p>"))).collect::<Vec<_>>())
}

/// Opens a window with three articles, one of them about football.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(feed(&["Football today", "Wheat 1", "Wheat 2"])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.find("option", "Football today").await;
    (server, window)
}

/// Opens the menu of the focused rule, and chooses the item at this position.
async fn choose(window: &Window, rule: &str, down: usize) {
    window.focus_on(rule).await;
    window.press(TAB).await;
    window.focus_on("Actions for rule").await;
    window.press(ENTER).await;
    window.focus_on("Edit").await;
    window.press(&DOWN.repeat(down)).await;
    window.press(ENTER).await;
    window.until("no menu", "document.querySelector('[data-bits-floating-content-wrapper]') === null").await;
}

#[test]
fn everything_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.press("F").await;
        window.find("dialog", "Rules").await;
        window.shows("No rules yet").await;
        window.audit("no rules").await;
        window.screenshot("rules-none").await;
        window.focus_on("New rule").await;
        window.press(ENTER).await;

        window.focus_on("Articles matching this search").await;
        window.type_text("is:unred").await;
        window.shows("Did you mean unread?").await;
        window.audit("a rule that cannot be read").await;
        window.screenshot("rules-error").await;
        window.press(TAB).await;
        window.focus_on("Search for is:unread").await;
        window.press(ENTER).await;
        window.until("the corrected query", "document.activeElement.value === 'is:unread'").await;
        window.shows("10 existing articles match.").await;
        window.press_control('a').await;
        window.press("football").await;
        window.shows("1 existing article matches.").await;
        window.press(ENTER).await;
        window.shows("Choose at least one action.").await;
        window.press(&TAB.repeat(4)).await;
        window.focus_on("Hide").await;
        window.press(" ").await;
        window.shows("1 hidden").await;
        window.audit("a rule being written").await;
        window.screenshot("rules-editor").await;
        // Escape loses no input.
        window.escape().await;
        window.shows("Rule not saved").await;
        window.click("button", "Keep editing").await;
        window.focus_on("Articles matching this search").await;
        window.shows("1 hidden").await;
        // Nor does a dialog that another program opens in its place.
        assert!(scratch.start_again(&["feed:http://127.0.0.1:1/feed"]).status.success());
        window.find("dialog", "Add feed").await;
        window.shows("Rule not saved").await;
        window.click("button", "Keep editing").await;
        window.focus_on("Articles matching this search").await;
        window.shows("1 hidden").await;
        window.press(ENTER).await;
        window.shows("Rule football added").await;
        window.shows("In all feeds · Hide").await;
        window.audit("one rule").await;

        choose(&window, "football", 1).await;
        window.shows("1 article matches.").await;
        window.audit("the question whether to apply the rule").await;
        window.screenshot("rules-apply").await;
        window.press(&TAB.repeat(2)).await;
        window.focus_on("Apply to 1 article").await;
        window.press(ENTER).await;
        window.shows("football: 1 article changed").await;
        window.focus_on("football").await;
        window.escape().await;
        window.until("it is hidden", "__e2e.all('option', 'Football today').length === 0").await;
        window.press("u").await;
        window.find("option", "Football today").await;

        // New articles are hidden too.
        server.on("/feed", Reply::ok(feed(&["Football tomorrow", "Oats", "Football today", "Wheat 1", "Wheat 2"])));
        window.press("R").await;
        window.find("option", "Oats").await;
        assert_eq!(window.value("__e2e.all('option', 'Football tomorrow').length").await, 0);
        window.search("is:hidden").await;
        window.find("option", "Football tomorrow").await;
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(DOWN).await;
        window.shows("Applied by a rule").await;
        window.audit("an article that a rule has hidden").await;
        window.screenshot("rules-touched").await;
        window.click("button", "football").await;
        window.find("dialog", "Rules").await;
        window.focus_on("football").await;
        window.shows("Applied to 1 article").await;
        window.escape().await;

        window.close().await;
    });
}

#[test]
fn a_word_is_muted_and_rules_are_reordered_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        assert!(
            scratch
                .glean(&["rules", "add", "--name", "Long ones", "--do", "tag:weekend", "words:>2000"])
                .status
                .success()
        );
        let (_server, window) = granary(&scratch).await;

        window.search("football").await;
        window.shows("1 article found").await;
        window.press(TAB).await;
        window.focus_on("Rules for this search").await;
        window.press(ENTER).await;
        window.focus_on("Make a rule from this search").await;
        window.press(DOWN).await;
        window.focus_on("Mute “football”").await;
        window.press(ENTER).await;
        window.find("dialog", "New rule").await;
        window.shows("1 hidden").await;
        window.until("the words of the search", "document.activeElement.value === 'football'").await;
        window.press(ENTER).await;
        window.shows("Rule Mute football added").await;
        window.focus_on("Mute football").await;

        let order = |names: &str| {
            format!(
                "[...document.querySelectorAll('[data-rule]')].map((one) => one.innerText.trim()).join() === {names:?}"
            )
        };
        window.until("the new one last", &order("Long ones,Mute football")).await;
        window.press_alt('\u{e013}').await;
        window.shows("Mute football is now rule 1 of 2").await;
        window.until("it is first", &order("Mute football,Long ones")).await;
        window.focus_on("Mute football").await;
        window.press(DOWN).await;
        window.focus_on("Long ones").await;
        window.until("no tooltip", "!document.querySelector('.tooltip')").await;
        window.audit("rules in another order").await;
        window.escape().await;
        // Closes messages and the search, whose field would take the key.
        window.press(&ESCAPE.repeat(5)).await;
        window.until("the former list", "__e2e.all('combobox', 'Search all articles').length === 0").await;
        window.press("u").await;
        window.press("F").await;
        window.until("the former order", &order("Long ones,Mute football")).await;
        window.escape().await;

        // Text selected in an article.
        window.click("option", "Wheat 1").await;
        window.reads("About Wheat 1.").await;
        window
            .value("__e2e.frame().getSelection().selectAllChildren(__e2e.frame().querySelector('main p:last-of-type')) ?? null")
            .await;
        window.press("F").await;
        window.find("dialog", "New rule").await;
        window.until("the selected words", "document.activeElement.value === '\"About Wheat 1.\"'").await;
        window.shows("1 hidden").await;
        window.screenshot("rules-selected").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn light_and_dark_narrow_and_wide_are_clean() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        for (name, actions, query) in [
            ("No sports", "hide,read", "football OR tennis -title:\"table tennis\""),
            ("For the weekend", "tag:weekend,keep,text", "words:>2000 lang:en"),
        ] {
            assert!(scratch.glean(&["rules", "add", "--name", name, "--do", actions, query]).status.success());
        }
        assert!(scratch.glean(&["rules", "disable", "2"]).status.success());
        for theme in ["Light", "Dark"] {
            window.choose_theme(theme).await;
            for (width, height) in [(1280, 820), (640, 480)] {
                window.resize(width, height).await;
                window.press("F").await;
                window.find("switch", "Enable rule For the weekend").await;
                window.audit(&format!("rules, {theme} at {width}×{height}")).await;
                window.screenshot(&format!("rules-{theme}-{width}")).await;
                window.click("button", "No sports").await;
                window.shows("1 existing article matches.").await;
                window.audit(&format!("a rule, {theme} at {width}×{height}")).await;
                window.screenshot(&format!("rules-editor-{theme}-{width}")).await;
                window.escape().await;
            }
            window.resize(1280, 820).await;
        }
        window.close().await;
    });
}
