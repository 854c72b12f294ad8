//! The list of articles by keyboard: its orders and headings, the ways in which it is drawn, many articles chosen at once, and what is
//! scrolled past.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: char = '\u{e015}';

const TITLES: &str = "__e2e.all('option', null).map((row) => row.querySelector('.title').textContent).join()";

/// A window that shows what two feeds say: "Rye" has three articles of two days, "Barley" two of one, and they are longer.
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
    let feeds = opml(&[("Rye".to_owned(), server.url("/rye")), ("Barley".to_owned(), server.url("/barley"))]);
    let list = scratch.write("list.opml", &feeds);
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    let window = Window::open(scratch).await;
    window.find("option", "Rye 2").await;
    // What came with Gleaner is newer than all that, and not what this is about.
    window.press("1").await;
    window.click("treeitem", "All articles").await;
    window.find("option", "Barley 1").await;
    (server, window)
}

async fn looks(window: &Window, name: &str) {
    window.click("button", "How the list is shown").await;
    window.click("menuitemcheckbox", name).await;
}

/// The titles of grain, in the order of the list.
async fn order(window: &Window, expected: &str) {
    let grain = format!("({TITLES}).split(',').filter((title) => /^(Rye|Barley)/.test(title)).join()");
    window.until(expected, &format!("{grain} === {expected:?}")).await;
}

#[test]
fn a_list_is_sorted_and_parted_as_one_wishes_and_stays_so() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        order(&window, "Rye 2,Barley 2,Rye 3,Rye 1,Barley 1").await;
        looks(&window, "Oldest first").await;
        order(&window, "Barley 1,Rye 1,Rye 3,Barley 2,Rye 2").await;
        looks(&window, "Longest first").await;
        order(&window, "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1").await;
        looks(&window, "Shortest first").await;
        order(&window, "Rye 1,Rye 3,Rye 2,Barley 1,Barley 2").await;
        looks(&window, "A heading for each feed").await;
        order(&window, "Barley 2,Barley 1,Rye 2,Rye 3,Rye 1").await;
        window.find("group", "Barley").await;
        window.audit("a list with headings").await;
        window.picture("list-feeds").await;

        // Another list is as it was; this one is so again in another window.
        window.click("treeitem", "Rye").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        looks(&window, "A heading for each day").await;
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
fn a_list_is_drawn_in_several_ways_and_the_article_alone() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        // The key goes from one to the next: panes, magazine, one line each.
        window.press("v").await;
        window.until("a magazine", "document.querySelector('.row.magazine') !== null").await;
        window.audit("a magazine").await;
        window.picture("list-magazine").await;
        window.click("option", "Rye 2").await;
        window.reads("grain grain").await;
        window.until("the article in its place", "__e2e.all('option', null).length === 0").await;
        window.press(ESCAPE).await;
        window.find("option", "Rye 2").await;
        window.press("v").await;
        window.until("one line each", "document.querySelector('.row.compact') !== null").await;
        window.audit("one line each").await;
        window.picture("list-compact").await;

        window.press("z").await;
        window.until("nothing but the article", "__e2e.all('treeitem', null).length === 0").await;
        window.until("no list", "__e2e.all('option', null).length === 0").await;
        window.audit("reading only").await;
        window.picture("reading-only").await;
        window.press("j").await;
        window.find("main", "Barley 2").await;
        window.until("still no list", "__e2e.all('option', null).length === 0").await;
        window.press(ESCAPE).await;
        window.find("option", "Barley 2").await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.until("as it was left", "document.querySelector('.row.compact') !== null").await;
        window.resize(640, 480).await;
        window.find("button", "How the list is shown").await;
        window.audit("one line each in a small window").await;
        window.close().await;
    });
}

#[test]
fn many_are_chosen_and_one_act_is_for_all_of_them() {
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
        window.picture("list-picked").await;

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
        // One step for all of them.
        window.press("u").await;
        starred(0).await;

        window.press("t").await;
        window.find("dialog", "Tags of 3 articles").await;
        window.press("bread").await;
        window.press(ENTER).await;
        window.press(ESCAPE).await;
        window.find("treeitem", "bread, 2 unread").await;
        window.press("x").await;
        window.shows("3 articles hidden").await;
        window.until("they are gone", "!__e2e.words(document.body.innerText).includes('Rye 3')").await;
        window.press("u").await;
        order(&window, "Rye 2,Rye 3,Rye 1").await;
        window.press_control('a').await;
        window.shows("3 selected").await;
        window.press(ESCAPE).await;
        window.until("none is chosen", "__e2e.all('toolbar', 'Selected articles').length === 0").await;
        window.close().await;
    });
}

#[test]
fn what_is_gone_to_by_key_stays_in_sight_when_it_is_read() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let oats: Vec<String> = (10..40).map(|number| article(&format!("Oats {number}"), "<p>Oats</p>")).collect();
        server.on("/oats", Reply::ok(rss("Oats", &oats)));
        let list = scratch.write("list.opml", &opml(&[("Oats".to_owned(), server.url("/oats"))]));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Oats").await;
        window.find("option", "Oats 10").await;
        // The row is drawn without its dot in the same turn in which the list moves, or does not.
        let sight = "(() => { const row = document.querySelector('[role=option][aria-selected=true]:not(:has(.dot))'); \
            if (!row) return null; const [box, all] = [row, row.closest('[role=listbox]')].map((one) => one.getBoundingClientRect()); \
            return [Number(row.dataset.index), box.top >= all.top && box.bottom <= all.bottom].join(); })()";
        for index in 0..20 {
            window.press("j").await;
            window.until("read, and in sight", &format!("{sight} === '{index},true'")).await;
        }
        window.close().await;
    });
}
