//! The list of articles by keyboard: sorting and headings, layouts, selections, and articles marked as read by
//! scrolling.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: char = '\u{e015}';
const LEFT: char = '\u{e012}';
const END: &str = "\u{e010}";
const HOME: &str = "\u{e011}";

const TITLES: &str = "__e2e.all('option', null).map((row) => row.querySelector('.title').textContent).join()";

/// Opens a window on two feeds: "Rye" has three articles of two days, "Barley" two longer ones of one day.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let item = |title: &str, words: usize, day: u32, hour: u32| {
        let dated = format!("<pubDate>{day:02} Nov 2024 {hour:02}:00:00 GMT</pubDate></item>");
        article(title, &format!("<p>{}</p>", "grain ".repeat(words))).replace("</item>", &dated)
    };
    let rye = [item("Rye 1", 100, 3, 12), item("Rye 2", 300, 6, 13), item("Rye 3", 200, 6, 11)];
    let barley = [item("Barley 1", 400, 3, 10), item("Barley 2", 500, 6, 12)];
    server.on("/rye", Reply::ok(rss("Rye", &rye)));
    server.on("/barley", Reply::ok(rss("Barley", &barley)));
    scratch.import(&[("Rye", server.url("/rye")), ("Barley", server.url("/barley"))]);
    let window = Window::open(scratch).await;
    window.find("option", "Rye 2").await;
    // The bundled articles are newer and not part of these tests.
    window.press("1").await;
    window.click("treeitem", "All articles").await;
    window.find("option", "Barley 1").await;
    (server, window)
}

async fn list_option(window: &Window, name: &str) {
    window.click("button", "View options").await;
    window.click("menuitemcheckbox", name).await;
}

/// Waits until the articles of the two feeds are in this order.
async fn order(window: &Window, expected: &str) {
    let grain = format!("({TITLES}).split(',').filter((title) => /^(Rye|Barley)/.test(title)).join()");
    window.until(expected, &format!("{grain} === {expected:?}")).await;
}

#[test]
fn end_and_home_reach_articles_that_are_not_loaded() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let item = |number: u32| {
            let dated = format!("<pubDate>6 Nov 2024 {:02}:{:02}:00 GMT</pubDate></item>", number / 60, number % 60);
            article(&format!("Rye {number}"), "<p>grain</p>").replace("</item>", &dated)
        };
        server.on("/rye", Reply::ok(rss("Rye", &(1..=600).rev().map(item).collect::<Vec<_>>())));
        scratch.import(&[("Rye", server.url("/rye"))]);
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Rye").await;
        window.click("option", "Rye 600").await;
        for (key, title) in [(END, "Rye 1"), (HOME, "Rye 600")] {
            window.press(key).await;
            let selected = "document.querySelector('[role=option][aria-selected=true] .title')?.textContent";
            window.until(title, &format!("{selected} === {title:?}")).await;
        }
        window.close().await;
    });
}

#[test]
fn sorting_and_headings_are_stored_for_each_list() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        order(&window, "Rye 2,Barley 2,Rye 3,Rye 1,Barley 1").await;
        list_option(&window, "Oldest first").await;
        order(&window, "Barley 1,Rye 1,Rye 3,Barley 2,Rye 2").await;
        list_option(&window, "Longest first").await;
        order(&window, "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1").await;
        list_option(&window, "Shortest first").await;
        order(&window, "Rye 1,Rye 3,Rye 2,Barley 1,Barley 2").await;
        list_option(&window, "Group by feed").await;
        order(&window, "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1").await;
        window.find("group", "Barley").await;
        window.audit("a list with headings").await;
        window.screenshot("list-feeds").await;

        // Another list is unchanged; this one is the same in a new window.
        window.click("treeitem", "Rye").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        list_option(&window, "Group by day").await;
        window.find("group", "Wednesday").await;
        window.find("group", "Sunday").await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.click("treeitem", "All articles").await;
        order(&window, "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1").await;
        window.click("treeitem", "Rye").await;
        window.find("group", "Sunday").await;
        window.close().await;
    });
}

#[test]
fn the_list_has_several_layouts_and_the_article_can_be_alone() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        // The key changes the layout: cards, magazine, compact, columns.
        window.press("v").await;
        window.until("a magazine", "document.querySelector('.row.magazine') !== null").await;
        window.audit("a magazine").await;
        window.screenshot("list-magazine").await;
        window.click("option", "Rye 2").await;
        window.reads("grain grain").await;
        window.until("the article in its place", "__e2e.all('option', null).length === 0").await;
        window.press(ESCAPE).await;
        window.find("option", "Rye 2").await;
        window.press("v").await;
        window.until("one line each", "document.querySelector('.row.compact') !== null").await;
        window.audit("one line each").await;
        window.screenshot("list-compact").await;

        window.press("z").await;
        window.until("only the article", "__e2e.all('treeitem', null).length === 0").await;
        window.until("no list", "__e2e.all('option', null).length === 0").await;
        window.audit("reading only").await;
        window.screenshot("reading-only").await;
        window.press("j").await;
        window.find("main", "Barley 2").await;
        window.until("still no list", "__e2e.all('option', null).length === 0").await;
        window.press(ESCAPE).await;
        window.find("option", "Barley 2").await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.until("the same layout as before", "document.querySelector('.row.compact') !== null").await;
        window.until("the article as before", "document.querySelector('[data-pane=article] iframe') !== null").await;
        window.resize(640, 480).await;
        window.click("button", "Back to list").await;
        window.find("button", "View options").await;
        window.audit("one line each in a small window").await;
        window.close().await;
    });
}

#[test]
fn columns_and_the_classic_arrangement_are_kept() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("vvv").await;
        window.until("columns", "document.querySelector('.row.columns') !== null").await;
        window.audit("columns beside the article").await;
        window.screenshot("list-columns").await;
        window.press("V").await;
        let above = "(([list, article]) => list.bottom <= article.top + 1 && list.width === article.width)(\
            ['list', 'article'].map((pane) => document.querySelector(`[data-pane=${pane}]`).getBoundingClientRect()))";
        window.until("the list above the article", above).await;

        // A click on a header sorts, and the keys go on as before.
        for (header, sorted) in [
            ("Title", "Barley 1,Barley 2,Rye 1,Rye 2,Rye 3"),
            ("Title", "Rye 3,Rye 2,Rye 1,Barley 2,Barley 1"),
            ("Feed", "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1"),
            ("Length", "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1"),
            ("Length", "Rye 1,Rye 3,Rye 2,Barley 1,Barley 2"),
            ("Date", "Rye 2,Barley 2,Rye 3,Rye 1,Barley 1"),
            ("Date", "Barley 1,Rye 1,Rye 3,Barley 2,Rye 2"),
        ] {
            window.click("button", header).await;
            order(&window, sorted).await;
        }
        window.click("option", "Barley 1").await;
        window.reads("grain grain").await;
        window.press(" ").await;
        window.until("further text", "__e2e.frame().scrollingElement.scrollTop > 0").await;
        window.press("j").await;
        window.find("main", "Rye 1").await;
        window.press("s").await;
        window.until("a star", "document.querySelectorAll('.row .star').length === 1").await;
        window.press_shift(DOWN).await;
        window.shows("2 selected").await;
        window.press(ESCAPE).await;

        let (feed, list) =
            ("document.querySelectorAll('.header .column')[1]", "document.querySelector('[data-pane=list]')");
        let widths = format!("[{feed}.offsetWidth, {list}.offsetHeight].join()");
        let before = window.value(&widths).await;
        for (separator, key) in [("Feed column width", LEFT), ("Article list height", DOWN)] {
            window.value(&format!("document.querySelector('[aria-label={separator:?}]').focus()")).await;
            window.press(&key.to_string()).await;
        }
        window.until("a wider column, a higher list", &format!("{widths} !== {before}")).await;
        window.audit("columns above the article").await;
        window.screenshot("list-classic").await;
        let after = window.value(&widths).await;
        window.press("z").await;
        window.until("only the article", "__e2e.all('option', null).length === 0").await;
        window.press(ESCAPE).await;
        window.find("option", "Rye 1").await;
        assert_eq!(window.value(&widths).await, after);
        window.close().await;

        let window = Window::open(&scratch).await;
        window.until("the list above the article as before", above).await;
        window.until("the same sizes", &format!("{widths} === {after}")).await;
        window.until("the article as before", "document.querySelector('[data-pane=article] iframe') !== null").await;
        window.resize(640, 480).await;
        window.click("button", "Back to list").await;
        window.find("button", "Date").await;
        window.audit("columns in a small window").await;
        window.close().await;
    });
}

#[test]
fn an_action_applies_to_all_selected_articles() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Rye").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        window.press("j").await;
        window.reads("grain grain").await;
        window.click("option", "Rye 2").await;
        window.press_shift(DOWN).await;
        window.shows("2 selected").await;
        window.press_shift(DOWN).await;
        window.shows("3 selected").await;
        window.audit("chosen articles").await;
        window.screenshot("list-picked").await;

        window.press("s").await;
        let starred = |count: u64| {
            let scratch = &scratch;
            async move {
                settled(&format!("{count} with a star"), || async {
                    let there = scratch.stats()["starred"].as_u64();
                    if there == Some(count) { Ok(()) } else { Err(format!("{there:?}")) }
                })
                .await;
            }
        };
        starred(3).await;
        // One undo step for all of them.
        window.press("u").await;
        starred(0).await;
        let parts = "['.toast', '[role=toolbar][aria-label=\"Selected articles\"]']\
            .map((part) => document.querySelector(part)?.getBoundingClientRect())";
        let is_free = format!("(([toast, bar]) => toast && bar && toast.bottom <= bar.top)({parts})");
        window.until("a message that does not cover the actions", &is_free).await;

        window.press("o").await;
        settled("their pages in the browser", || async {
            let opened = scratch.opened();
            if opened.len() == 3 { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.until("they are read", "!document.querySelector('[role=option] .dot')").await;
        window.press("t").await;
        window.find("dialog", "Tags of 3 articles").await;
        window.type_text("bread").await;
        window.shows("New tag “bread”").await;
        window.press(ENTER).await;
        window.until("the tag is on them", "__e2e.all('option', 'bread')[0]?.ariaSelected === 'true'").await;
        window.escape().await;
        window.find("treeitem", "bread").await;
        window.press("x").await;
        window.shows("3 articles hidden").await;
        window.until("they are removed from the list", "!__e2e.words(document.body.innerText).includes('Rye 3')").await;
        window.press("u").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        window.press_control('a').await;
        window.shows("3 selected").await;
        window.press(ESCAPE).await;
        window.until("no selection", "__e2e.all('toolbar', 'Selected articles').length === 0").await;
        window.close().await;
    });
}

#[test]
fn a_row_is_marked_as_read_by_its_dot_and_opened_by_the_middle_button() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Rye").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        let at = "(() => { const box = __e2e.all('option', 'Rye 3')[0].querySelector('.state').getBoundingClientRect(); \
            return document.elementFromPoint(box.x + 2, box.y + box.height / 2); })()";
        window.until("the place of the dot", &format!("{at}.matches('.dot')")).await;
        window.value(&format!("void {at}.click()")).await;
        window.until("a row that is read", &format!("{at}.matches('.ring')")).await;
        window.value(&format!("void {at}.click()")).await;
        window.until("a row that is unread", &format!("{at}.matches('.dot')")).await;
        // Selected text, which the middle button pastes on Linux: outside fields, a pasted link opens "Add feed".
        let select = "(() => { const link = document.createElement('p'); link.textContent = 'https://rye.example/'; \
            link.style.webkitUserSelect = 'text'; document.body.append(link); getSelection().selectAllChildren(link); \
            addEventListener('paste', () => (document.body.dataset.pasted = '')); return getSelection().toString(); })()";
        window.until("a selected link", &format!("{select} === 'https://rye.example/'")).await;
        window.press_mouse_on_screen("option", "Rye 3", 2).await;
        window.until("a row that is read again", &format!("{at}.matches('.ring')")).await;
        settled("its page in the browser", || async {
            let opened = scratch.opened();
            if opened.len() == 1 { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.shows("Select an article to read").await;
        window.until("nothing pasted", "document.body.dataset.pasted === undefined").await;
        window.close().await;
    });
}

#[test]
fn the_selected_article_stays_visible_when_it_is_marked_as_read() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let oats: Vec<String> = (10..40).map(|number| article(&format!("Oats {number}"), "<p>Oats</p>")).collect();
        server.on("/oats", Reply::ok(rss("Oats", &oats)));
        scratch.import(&[("Oats", server.url("/oats"))]);
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Oats").await;
        window.find("option", "Oats 10").await;
        // The dot disappears in the same update in which the list scrolls, or does not.
        let sight = "(() => { const row = document.querySelector('[role=option][aria-selected=true]:not(:has(.dot))'); \
            if (!row) return null; const [box, all] = [row, row.closest('[role=listbox]')].map((one) => one.getBoundingClientRect()); \
            return [Number(row.dataset.index), box.top >= all.top && box.bottom <= all.bottom].join(); })()";
        for index in 0..20 {
            window.press("j").await;
            window.until("read and visible", &format!("{sight} === '{index},true'")).await;
        }
        window.close().await;
    });
}

#[test]
fn rows_are_as_high_as_their_texts_at_each_width_and_density() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let long = "A long title about winter rye that was sown in autumn and is harvested in the middle of July";
        let words = "Grain is measured by volume and sold by weight. ".repeat(12);
        let items: Vec<String> = (10..40)
            .map(|number| {
                let title = if number % 2 == 0 { format!("Oats {number}") } else { format!("{number}: {long}") };
                let text = ["", "Short.", &words][number % 3];
                article(&title, &format!("<p>{text}</p>"))
            })
            .collect();
        server.on("/oats", Reply::ok(rss("Oats", &items)));
        scratch.import(&[("Oats", server.url("/oats"))]);
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Oats").await;
        window.find("option", "Oats 10").await;
        // Below the last line of each row is its padding and nothing else, and no line is missing.
        let exact = "__e2e.all('option', null).every((option) => { const row = option.querySelector('.row'); \
            const [box, meta] = [row, row.querySelector('.meta')].map((one) => one.getBoundingClientRect()); \
            const texts = [...row.querySelectorAll('.title, .excerpt')]; \
            const padding = parseFloat(getComputedStyle(row).paddingBottom); \
            return Math.abs(box.bottom - padding - meta.bottom) < 1 && \
                texts.every((text) => text.textContent !== '' && text.getBoundingClientRect().height >= 20); })";
        let heights = "new Set(__e2e.all('option', null).map((row) => row.offsetHeight)).size";
        for (density, kinds) in [("Comfortable", 4), ("Cosy", 3), ("Compact", 2)] {
            window.palette().await;
            window.type_text(&format!("Density: {density}")).await;
            window.find("option", &format!("Density: {density}")).await;
            window.press(ENTER).await;
            let set = format!("document.documentElement.dataset.density === '{}'", density.to_lowercase());
            window.until("the density", &set).await;
            for width in [640, 1024, 1280] {
                window.resize(width, 800).await;
                window.until(&format!("{density} rows at {width}"), exact).await;
            }
            window.until("different heights", &format!("{heights} >= {kinds}")).await;
            window.screenshot(&format!("list-{}", density.to_lowercase())).await;
        }
        // Nothing moves when a row is read, and scrolling to the end and back finds the same places.
        let place = "__e2e.all('option', 'Oats 14')[0].getBoundingClientRect().top";
        let before = window.value(place).await;
        window.press("j").await;
        window.until("read", "!__e2e.all('option', null)[0].querySelector('.dot')").await;
        assert_eq!(window.value(place).await, before);
        window.value("void (document.querySelector('.scroller').scrollTop = 100000)").await;
        window.until("the last row", "__e2e.all('option', 'Oats 38').length > 0").await;
        window.until("rows at the end", exact).await;
        window.value("void (document.querySelector('.scroller').scrollTop = 0)").await;
        window.until("the same place", &format!("{place} === {before}")).await;
        window.close().await;
    });
}

#[test]
fn the_menu_of_a_row_in_the_middle_of_the_window_shows_all_items() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Rye").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        window.resize(1280, 620).await;
        window.right_click_on_screen("option", "Rye 1").await;
        window.find("menuitem", "Mark all as read").await;
        let menu = "document.querySelector('[role=menu]')";
        window.until("all items", &format!("{menu}.scrollHeight <= {menu}.clientHeight")).await;
        let box_of = format!("{menu}.getBoundingClientRect()");
        assert_eq!(window.value(&format!("{box_of}.top >= 0 && {box_of}.bottom <= innerHeight")).await, true);
        window.escape().await;
        window.close().await;
    });
}
