//! The window in use: `gleaner-bench reading [ARTICLES [MINUTES]]` scrolls, reads and refreshes a library (of a million articles by
//! default, for ten minutes), and reports frames, keys, calls and memory. It needs what the end-to-end tests need.

use crate::{feeds, row, window};
use gleaner_end_to_end::{Scratch, Window, opml};
use gleaner_testserver::{Reply, Server};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

const FEEDS: usize = 1_000;
const SCROLLED: usize = 10_000;
const OPENED: usize = 60;
const STARTS: usize = 5;
/// Number of articles read at a person's pace, the pause after each, and a rest after all.
const READ: usize = 100;
const PAUSE: Duration = Duration::from_millis(500);
const REST: Duration = Duration::from_secs(20);
/// Number of feeds that have a new article in every response.
const LIVELY: usize = 20;

/// Counts the calls to the core by name.
const COUNT: &str = "if (!window.calls) { window.calls = []; const fetched = window.fetch;
    window.fetch = (to, ...rest) => { const name = /^(?:ipc:\\/\\/localhost|http:\\/\\/ipc\\.localhost)\\/(.*)$/.exec(String(to?.url ?? to)); if (name) window.calls.push(name[1]); return fetched(to, ...rest); }; }
    return window.calls.length";

/// Scrolls the list by some rows per frame, and records the duration of each frame.
const SCROLL: &str = "const option = document.querySelector('[role=option]'), height = option.getBoundingClientRect().height;
    let list = option; while (list && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;
    const [rows, calls] = [arguments[0], window.calls.length];
    return new Promise((done) => {
      const times = []; let last = 0, gone = 0;
      const frame = (now) => {
        if (last) times.push(now - last);
        last = now;
        if (gone >= rows || performance.now() - began > 25000) return done({ times, gone, calls: window.calls.slice(calls) });
        list.scrollTop += 8 * height; gone += 8;
        requestAnimationFrame(frame);
      };
      const began = performance.now();
      requestAnimationFrame(frame);
    })";

/// Presses the key for the next article, and records the time until it was painted.
const NEXT: &str = "const title = () => { const doc = document.querySelector('iframe')?.contentDocument; return doc?.readyState === 'complete' ? doc.querySelector('.gl-title')?.textContent : null; };
    return new Promise((done) => {
      const before = title(), began = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true, cancelable: true }));
      const look = () => {
        const now = title();
        // The frame after the next is on the screen.
        if (now && now !== before) return requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
        if (performance.now() - began > 5000) return done(null);
        setTimeout(look, 1);
      };
      look();
    })";

/// A list of plain paragraphs and a frame with a plain page, as the best that this machine can do.
const PLAIN: &str = "const over = (selector, name) => {
      const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
      const element = document.body.appendChild(document.createElement(name));
      Object.assign(element.style, { position: 'fixed', left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
        overflow: 'auto', zIndex: 99, background: 'Canvas', border: 0 });
      return element;
    };
    let list = document.querySelector('[role=option]'); while (list && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;
    list.id = 'measured';
    const plain = over('#measured', 'div');
    for (let i = 0; i < 3000; i++) {
      const row = plain.appendChild(document.createElement('div'));
      row.style.height = '104px';
      row.appendChild(document.createElement('b')).textContent = `Article ${i} of feed 3, with a title of the usual length`;
      row.appendChild(document.createElement('p')).textContent = 'What it says, in the two lines that the list has room for. '.repeat(2);
    }
    const scrolled = await new Promise((done) => {
      const times = []; let last = 0;
      const frame = (now) => { if (last) times.push(now - last); last = now; if (times.length >= 300) return done(times); plain.scrollTop += 8 * 104; requestAnimationFrame(frame); };
      requestAnimationFrame(frame);
    });
    plain.remove();
    const paragraphs = `<p>${'What an article says at some length, word by word. '.repeat(8)}</p>`.repeat(6);
    const page = over('iframe', 'iframe'), painted = [];
    for (let i = 0; i < 40; i++) {
      const began = performance.now();
      await new Promise((done) => { page.onload = done; page.srcdoc = `<h1>Article ${i}</h1>${paragraphs}`; });
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      painted.push(performance.now() - began);
    }
    page.remove();
    return { scrolled, painted };";

fn numbers(value: &Value) -> Vec<f64> {
    let mut numbers: Vec<f64> = value.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn part(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

pub async fn measure(articles: usize, minutes: u64) {
    let scratch = Scratch::new();
    window::fill(&scratch, articles, FEEDS, 20).await;
    println!("\n{articles} articles in the window\n\n| what | figure |\n|---|---|");
    empty(&scratch).await;
    starts(&scratch).await;
    let (_servers, list) = lively().await;
    let list = scratch.write("lively.opml", &list);
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    let window = Window::open(&scratch).await;
    window.click("treeitem", "All articles").await;
    window.until("the list", "__e2e.all('option', null).length > 5").await;
    at_rest(&window).await;
    window.script(COUNT, vec![]).await.unwrap();
    scroll(&window).await;
    window.press_word("gg").await;
    keys(&window).await;
    plain(&window).await;
    memory(&window, minutes).await;
    window.close().await;
}

/// Opens an empty window in the same way as Gleaner's; `GLEANER_EMPTY` names the program.
async fn empty(scratch: &Scratch) {
    let Some(program) = std::env::var_os("GLEANER_EMPTY") else {
        return row("start of an empty Tauri window", "not measured: GLEANER_EMPTY names none");
    };
    let (mut starts, mut sizes) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let began = Instant::now();
        let window = Window::open_program(scratch, program.as_ref(), &[]).await;
        starts.push(began.elapsed().as_secs_f64());
        sizes.push(measured(&window, "empty_window"));
        window.close().await;
    }
    starts.sort_by(f64::total_cmp);
    row("memory (PSS) of an empty Tauri window, its process + WebKit's", &format!("{} MB", sizes.join(", ")));
    row(
        "start of an empty Tauri window (with the driver's session)",
        &format!("{:.2} s, median of {STARTS}", starts[STARTS / 2]),
    );
}

async fn plain(window: &Window) {
    let result = window.script(&format!("return (async () => {{ {PLAIN} }})()"), vec![]).await.unwrap();
    let (scrolled, painted) = (numbers(&result["scrolled"]), numbers(&result["painted"]));
    let missed = scrolled.iter().filter(|time| **time > 18.0).count();
    row(
        "scrolling a plain list in the same window: frames that took over 16 ms",
        &format!(
            "{missed} of {} ({:.1} %); median {:.1} ms, p99 {:.1} ms",
            scrolled.len(),
            100.0 * missed as f64 / scrolled.len() as f64,
            part(&scrolled, 0.5),
            part(&scrolled, 0.99)
        ),
    );
    row(
        "a plain page painted in the same window",
        &format!("median {:.0} ms, p95 {:.0} ms", part(&painted, 0.5), part(&painted, 0.95)),
    );
}

async fn starts(scratch: &Scratch) {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let window = Window::open(scratch).await;
        let page = began.elapsed().as_secs_f64();
        window.until("the first list", "__e2e.all('option', null).length > 5").await;
        starts.push((began.elapsed().as_secs_f64(), page));
        window.close().await;
    }
    starts.sort_by(|a, b| f64::total_cmp(&a.0, &b.0));
    let (list, page) = starts[STARTS / 2];
    row(
        "start to a page; to its list (with the driver's session)",
        &format!("{page:.2}; {list:.2} s, median of {STARTS}"),
    );
}

async fn scroll(window: &Window) {
    let result = window.script(SCROLL, vec![json!(SCROLLED)]).await.unwrap();
    let times = numbers(&result["times"]);
    // A display of 60 Hz shows a frame every 16.7 ms; a frame that takes clearly longer was late.
    let missed = times.iter().filter(|time| **time > 18.0).count();
    row(
        &format!("scrolling {} rows: frames that took over 16 ms", result["gone"]),
        &format!(
            "{missed} of {} ({:.1} %); median {:.1} ms, p99 {:.1} ms, longest {:.0} ms",
            times.len(),
            100.0 * missed as f64 / times.len() as f64,
            part(&times, 0.5),
            part(&times, 0.99),
            part(&times, 1.0)
        ),
    );
    let calls = result["calls"].as_array().unwrap();
    let lists = calls.iter().filter(|name| *name == "articles").count();
    row("calls for that; for pages of the list", &format!("{}; {lists}", calls.len()));
}

async fn keys(window: &Window) {
    let mut times = Vec::new();
    for _ in 0..OPENED {
        times.push(window.script(NEXT, vec![]).await.unwrap());
    }
    let times = numbers(&Value::Array(times));
    row(
        &format!("key to article painted, {} times", times.len()),
        &format!("median {:.0} ms, p95 {:.0} ms", part(&times, 0.5), part(&times, 0.95)),
    );
}

/// Starts feeds on loopback that have a new article in every response.
async fn lively() -> (Vec<Server>, String) {
    let (mut servers, mut named) = (Vec::new(), Vec::new());
    for feed in 0..LIVELY {
        let server = Server::start_at(std::net::Ipv4Addr::new(127, 0, 2, u8::try_from(feed).unwrap() + 1)).await;
        let count = Arc::new(AtomicUsize::new(0));
        server.on_request("/feed", move |_| {
            let times = count.fetch_add(1, Ordering::Relaxed);
            Reply::ok(feeds::document(10_000 + LIVELY * times + feed, 5)).header("Content-Type", "application/rss+xml")
        });
        named.push((format!("Lively {feed}"), server.url("/feed")));
        servers.push(server);
    }
    let list = opml(&named);
    (servers, list)
}

fn measured(window: &Window, program: &str) -> String {
    format!("{:.0} + {:.0}", window.megabytes_of(&[program]), window.megabytes_of(&["WebKit"]))
}

/// Memory with a list, and after reading some articles as people do, with a pause after each.
async fn at_rest(window: &Window) {
    let mut sizes = vec![measured(window, "gleaner")];
    for _ in 0..READ {
        window.script(NEXT, vec![]).await.unwrap();
        tokio::time::sleep(PAUSE).await;
    }
    for _ in 0..3 {
        sizes.push(measured(window, "gleaner"));
        tokio::time::sleep(REST).await;
    }
    row(
        &format!(
            "memory (PSS), Gleaner's process + WebKit's: with a list; after {READ} articles; after {REST:?} and twice that of rest"
        ),
        &format!("{} MB", sizes.join("; ")),
    );
}

async fn memory(window: &Window, minutes: u64) {
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let measure = || measured(window, "gleaner");
    let (mut sizes, mut read) = (vec![measure()], 0);
    while Instant::now() < end {
        let minute = Instant::now() + Duration::from_secs(60);
        window.press("R").await;
        while Instant::now() < minute {
            window.script(NEXT, vec![]).await.unwrap();
            read += 1;
        }
        sizes.push(measure());
    }
    row(
        &format!(
            "memory (PSS), Gleaner's process + WebKit's, minute by minute, {read} articles read and {LIVELY} feeds refreshed"
        ),
        &format!("{} MB", sizes.join(", ")),
    );
}
