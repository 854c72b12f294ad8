//! What a demanding user stumbled over: each test is named after it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const ARROW_DOWN: char = '\u{e015}';

/// Opens a window on the feed "Grain" in a folder and the feed "Lost", whose address is gone.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let items: Vec<String> = (0..3)
        .map(|n| {
            article(
                &format!("A rather long title about barley and the harbour, number {n}"),
                "<p>Text of barley. It goes on for a sentence or two.</p>",
            )
        })
        .collect();
    server.on("/grain", Reply::ok(rss("Grain", &items)));
    server.on("/lost", Reply::status(404));
    let feeds = [("Grain", server.url("/grain")), ("Lost", server.url("/lost"))];
    scratch.import(&feeds);
    scratch.glean(&["refresh", "--all"]);
    let window = Window::open(scratch).await;
    window.find("treeitem", "Grain").await;
    (server, window)
}

#[test]
fn an_error_is_marked_after_three_failures_and_leads_to_what_to_do() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        server.on(
            "/",
            Reply::ok("<link rel=alternate type='application/rss+xml' href=/found>")
                .header("Content-Type", "text/html"),
        );
        server.on("/found", Reply::ok(rss("Found", &[article("Rye", "<p>Text of rye.</p>")])));
        assert_eq!(window.value("__e2e.all('button', 'Why Lost can’t be updated').length").await, 0);
        for _ in 0..2 {
            scratch.glean(&["refresh", "--all"]);
        }
        window.press("R").await;
        window.click("button", "1 feed needs attention").await;
        window.find("dialog", "Needs attention").await;
        for action in ["Find new address", "Edit address", "Unsubscribe", "Try now"] {
            window.find("button", action).await;
        }
        window.audit("the feeds that need attention").await;
        window.screenshot("attention").await;
        window.click("button", "Find new address").await;
        window.shows("The site now offers another feed: Found").await;
        window.find("button", "Switch").await;
        window.screenshot("attention-found").await;
        window.click("button", "Edit address").await;
        window.find("dialog", "Feed info: Lost").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn a_feed_that_glean_adds_is_shown_in_the_open_window() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        server.on("/oats", Reply::ok(rss("Oats", &[article("About oats", "<p>Text of oats.</p>")])));
        assert!(scratch.glean(&["add", &server.url("/oats")]).status.success());
        window.click("treeitem", "Oats").await;
        window.find("option", "About oats").await;
        window.close().await;
    });
}

#[test]
fn a_new_article_in_view_needs_no_button_and_is_drawn_in_its_language() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        let news = |titles: &[&str]| {
            let items: Vec<String> = titles.iter().map(|title| article(title, "<p>Text.</p>")).collect();
            rss("News", &items).replace("<link>https://example.com/</link>", "<language>zh-CN</language>")
        };
        server.on("/news", Reply::ok(news(&["骨"])));
        assert!(scratch.glean(&["add", &server.url("/news")]).status.success());
        window.click("treeitem", "News").await;
        window.click("option", "骨").await;
        window.until("its language", "document.querySelector('.row .text').lang === 'zh-cn'").await;
        server.on("/news", Reply::ok(news(&["直", "骨"])));
        window.press("R").await;
        window.find("option", "直").await;
        window.until("no button above it", "document.querySelector('.pill') === null").await;
        window.close().await;
    });
}

#[test]
fn the_sidebar_reveals_what_the_palette_opens() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        let folder = "__e2e.all('treeitem', 'Folder 0')[0]";
        window.until("an open folder", &format!("{folder}?.ariaExpanded === 'true'")).await;
        window.value(&format!("{folder}.querySelector('.chevron').click()")).await;
        window.until("a closed folder", "__e2e.all('treeitem', 'Grain').length === 0").await;
        window.palette().await;
        window.type_text("grain").await;
        window.until("the feed is the first", "__e2e.all('option', null)[0]?.textContent.includes('Grain')").await;
        window.press(ENTER).await;
        window.until("the revealed feed", "__e2e.all('treeitem', 'Grain')[0]?.ariaSelected === 'true'").await;
        // The feed stays visible in a lower sidebar; a view at the top is shown with its neighbours.
        let tree = "document.querySelector('[role=tree]').parentElement";
        window.value(&format!("{tree}.style.maxHeight = '8rem'")).await;
        window.until("the feed", &format!("{tree}.scrollTop > 0")).await;
        window.press("2").await;
        window.until("the top", &format!("{tree}.scrollTop === 0")).await;
        window.close().await;
    });
}

#[test]
fn a_dropped_text_that_is_a_link_opens_add_feed() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        server.on("/bread", Reply::ok(rss("Bread", &[article("A loaf", "<p>Of rye.</p>")])));
        let drop = |text: &str| {
            format!(
                "(() => {{ const dataTransfer = new DataTransfer(); dataTransfer.setData('text/plain', '{text}'); \
                 return ['dragover', 'drop'].map((name) => document.body.dispatchEvent(new DragEvent(name, {{ dataTransfer, bubbles: true, cancelable: true }}))).join(); }})()"
            )
        };
        // A text can be dropped, but only a link has an effect.
        assert_eq!(window.value(&drop("Some bread")).await, "false,true");
        assert_eq!(window.value(&drop(&server.url("/bread"))).await, "false,false");
        window.find("dialog", "Add feed").await;
        window.find("checkbox", "Bread").await;
        window.close().await;
    });
}

#[test]
fn a_pasted_link_opens_add_feed_and_enter_subscribes() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        server.on("/bread", Reply::ok(rss("Bread", &[article("A loaf", "<p>Of rye.</p>")])));
        let paste = format!(
            "(() => {{ const data = new DataTransfer(); data.setData('text/plain', '{}'); document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()",
            server.url("/bread")
        );
        window.value(&paste).await;
        window.find("dialog", "Add feed").await;
        window.find("checkbox", "Bread").await;
        window.value("document.querySelector('[role=dialog] input').focus()").await;
        window.press(ENTER).await;
        window.find("option", "A loaf").await;
        window.no_dialog().await;
        window.close().await;
    });
}

#[test]
fn a_title_that_begins_with_a_latin_name_has_the_direction_of_its_text() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let mixed = article("GitHub Actions: دليل للمبتدئين", "<p>نص المقال هنا مع رابط وبعض الكلمات.</p>");
        server.on("/feed", Reply::ok(rss("Words", &[mixed, article("Barley!", "<p>نص المقال هنا مع رابط.</p>")])));
        scratch.import(&[("Words", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Words").await;
        window.click("option", "GitHub Actions: دليل للمبتدئين").await;
        window.reads("نص المقال").await;
        let directions = "[...document.querySelectorAll('.row .title, .row .excerpt')].map((part) => getComputedStyle(part).direction).join()";
        assert_eq!(window.value(directions).await, "rtl,rtl,ltr,rtl");
        let title = "__e2e.frame().defaultView.getComputedStyle(__e2e.frame().querySelector('h1')).direction";
        assert_eq!(window.value(title).await, "rtl");
        window.close().await;
    });
}

#[test]
fn a_search_for_feeds_that_takes_long_is_stopped_without_closing() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        server.on("/silent", Reply::ok("").hang_before_head());
        window.press("a").await;
        window.fill("Address of a site or feed", &server.url("/silent")).await;
        window.press(ENTER).await;
        window.shows("Looking for feeds at").await;
        window.click("button", "Stop").await;
        window.find("button", "Search").await;
        window.focus_on("Address of a site or feed").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn select_all_in_a_dialog_selects_only_its_text() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.press("i").await;
        window.find("dialog", "Feed info: Grain").await;
        window.value("document.querySelector('[role=dialog] .feed-tabs button').focus()").await;
        window.press_control('a').await;
        window
            .until(
                "a selection in the dialog",
                "(() => { const s = getSelection(); return s.rangeCount === 1 && !!s.getRangeAt(0).commonAncestorContainer.parentElement?.closest('[role=dialog]'); })()",
            )
            .await;
        window.screenshot("feed-info-activity").await;
        window.click("tab", "General").await;
        window.shows("Retention").await;
        window.screenshot("feed-info-general").await;
        window.click("tab", "Source").await;
        window.shows("Feed fields").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn a_row_keeps_its_shape_when_it_is_read_and_its_menu_begins_with_the_daily_commands() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.find("option", "A rather long title").await;
        let shape = "JSON.stringify([...document.querySelectorAll('[role=option] .title, [role=option] .excerpt')].map((part) => [part.offsetTop, part.offsetHeight]))";
        let before = window.value(shape).await;
        window.press("j").await;
        window.reads("Text of barley.").await;
        window.until("a read row", "document.querySelectorAll('[role=option] .row.read').length === 1").await;
        assert_eq!(window.value(shape).await, before);
        window.value("document.querySelector('[role=listbox]').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
        window.find("menu", "Article actions").await;
        let items =
            window.value("__e2e.all('menuitem', null).slice(0, 2).map((item) => __e2e.name(item)).join('|')").await;
        assert_eq!(items, "Open in browser O|Copy link C");
        window.close().await;
    });
}

#[test]
fn a_search_is_saved_from_its_results_and_a_new_rule_shows_no_error() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.search("barley").await;
        window.shows("articles found").await;
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press_control('s').await;
        window.find("dialog", "Save search").await;
        window.escape().await;
        // The palette opens from a text field, too.
        window.press("/").await;
        window.palette().await;
        window.type_text("Rules, or mute").await;
        window.press(ENTER).await;
        window.click("button", "New rule").await;
        window.focus_on("Articles matching this search").await;
        assert_eq!(
            window.value("document.querySelectorAll('[role=dialog] .wrong, [role=dialog] .bad').length").await,
            0
        );
        window.close().await;
    });
}

#[test]
fn failed_feeds_are_listed_before_they_need_attention() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Lost").await;
        window.press("r").await;
        window.click("button", "1 feed failed").await;
        window.find("dialog", "Needs attention").await;
        window.find("heading", "Failed at the last check").await;
        window.shows("No feed needs attention at the moment.").await;
        window.find("button", "Try now").await;
        window.audit("the feeds that failed").await;
        window.screenshot("attention-failing").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn failing_feeds_are_grouped_by_cause_and_several_are_left_at_once() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        server.on("/page", Reply::ok("<html><body>No feed here.</body></html>").header("Content-Type", "text/html"));
        let at = |path: &str| server.url(path);
        let feeds = [
            ("Barley", at("/barley")),
            ("Oats", at("/oats")),
            ("Rye", at("/rye")),
            ("Page", at("/page")),
            ("Down", "http://127.0.0.1:1/feed".to_owned()),
        ];
        scratch.import(&feeds);
        for _ in 0..3 {
            scratch.glean(&["refresh", "--all"]);
        }
        let window = Window::open(&scratch).await;
        window.click("button", "5 feeds need attention").await;
        for group in ["Not found", "Not a feed", "Server unreachable"] {
            window.find("heading", group).await;
        }
        window.find("button", "Unsubscribe from 3 feeds").await;
        window.audit("the feeds that need attention, by cause").await;
        window.screenshot("attention-groups").await;
        // One feed has more commands than several.
        window.click("option", "Barley").await;
        window.find("button", "Edit address").await;
        window.press_control('a').await;
        window.find("button", "Unsubscribe from 3 feeds").await;
        window.click("option", "Barley").await;
        window.press_shift(ARROW_DOWN).await;
        window.find("button", "Unsubscribe from 2 feeds").await;
        window.screenshot("attention-selected").await;
        // The menu of a row has the commands for the selection, or for a row that is not selected.
        window.right_click_on_screen("option", "Oats").await;
        window.find("menuitem", "Unsubscribe from 2 feeds").await;
        window.until("the focus in the menu", "!!document.activeElement?.closest('[role=menu]')").await;
        // It closes the menu only.
        window.press(ESCAPE).await;
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.until("the focus in the list", "document.activeElement?.matches('[role=option]') && document.activeElement.textContent.includes('Oats')").await;
        window.right_click_on_screen("option", "Rye").await;
        window.find("menuitem", "Edit address").await;
        window.screenshot("attention-menu").await;
        window.press(ESCAPE).await;
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.click("option", "Barley").await;
        window.press_shift(ARROW_DOWN).await;
        window.click("button", "Unsubscribe from 2 feeds").await;
        window.until("one feed", "__e2e.all('option', 'Oats').length === 0").await;
        window.escape().await;
        window.click("button", "Undo").await;
        window.find("treeitem", "Oats").await;
        window.close().await;
    });
}

#[test]
fn rows_fit_their_texts_after_the_text_size_was_changed() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.find("option", "A rather long title about barley and the harbour, number 0").await;
        // The lines of each title and excerpt, and the height of its row in rem.
        let shapes = "const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
            return __e2e.all('option', null).map((row) => [Math.round(row.getBoundingClientRect().height / rem * 100),
                ...[...row.querySelectorAll('.title, .excerpt')].map((text) => Math.round(text.getBoundingClientRect().height / rem / 1.25))].join()).join(' ')";
        let before = window.script(shapes, vec![]).await.unwrap();
        let size = "document.documentElement.style.fontSize";
        for key in ['+', '+', '0'] {
            let last = window.value(size).await;
            window.press_control(key).await;
            window.until("another size", &format!("{size} !== {last}")).await;
        }
        window.until("the same rows", &format!("(() => {{ {shapes} }})() === {before}")).await;
        window.close().await;
    });
}

#[test]
fn a_hidden_article_that_comes_back_is_open_again() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("2").await;
        window.click("option", "A rather long title about barley and the harbour, number 0").await;
        window.reads("Text of barley").await;
        window.press("x").await;
        window.find("main", "A rather long title about barley and the harbour, number 1").await;
        window.press("u").await;
        window.find("main", "A rather long title about barley and the harbour, number 0").await;
        let selected = "__e2e.all('option', null).filter((row) => row.ariaSelected === 'true').map((row) => __e2e.name(row)).join()";
        window.until("the article selected", &format!("{selected}.includes('number 0')")).await;
        assert_eq!(
            window
                .value(
                    "[...document.querySelectorAll('button')].filter((button) => /new/.test(button.textContent)).length"
                )
                .await,
            0
        );
        window.close().await;
    });
}

#[test]
fn articles_of_any_length_stand_at_the_same_place() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let long = "<p>Barley grows by the harbour.</p>".repeat(200);
        let items = [("Long 1", long.as_str()), ("Short", "<p>Barley.</p>"), ("Long 2", long.as_str())];
        server.on("/feed", Reply::ok(rss("Grain", &items.map(|(title, html)| article(title, html)))));
        scratch.import(&[("Grain", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        let mut places = Vec::new();
        for title in ["Long 1", "Short", "Long 2", "Short", "Long 1"] {
            window.click("option", title).await;
            window.find("main", title).await;
            window.until(title, &format!("__e2e.frame().title === {title:?}")).await;
            let width = "return [__e2e.frame().documentElement.clientWidth, __e2e.frame().querySelector('h1').getBoundingClientRect().left]";
            places.push(window.script(width, vec![]).await.unwrap());
        }
        assert!(places.windows(2).all(|two| two[0] == two[1]), "{places:?}");
        window.close().await;
    });
}

#[test]
fn a_message_leaves_the_palette_free() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.find("option", "A rather long title").await;
        for (width, height) in [(1280, 800), (640, 600), (640, 480)] {
            window.resize(width, height).await;
            window.press("A").await;
            window.shows("marked as read").await;
            window.press_control('k').await;
            let free = "(() => { const [palette, message] = [document.querySelector('.palette'), document.querySelector('.toast')]
                .map((one) => one.getBoundingClientRect());
                return message.top >= palette.bottom; })()";
            window.until("the message below the palette", &format!("__e2e.typing() && {free}")).await;
            window.screenshot(&format!("palette-message-{height}")).await;
            window.escape().await;
            window.press("u").await;
            window.until("the articles unread again", "document.querySelectorAll('.row.read').length === 0").await;
        }
        window.close().await;
    });
}
