//! A long use of the window: `gleaner-bench soak [MINUTES [FEEDS [PICTURE [ARTICLES]]]]` (60 minutes and 500 feeds by default; the library
//! has this number of older articles in 1,000 other feeds). Out of every 20 minutes a user reads for eight; then the window is hidden in
//! the tray, long enough to be unloaded. Measures once a minute what must not grow without bound.

use crate::{feeds, process::cpu, row, window};
use gleaner_end_to_end::{Scratch, Tray, Window};
use gleaner_testserver::{Reply, Server};
use std::{
    collections::HashMap,
    fmt::Write as _,
    fs,
    net::Ipv4Addr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

const MINUTE: Duration = Duration::from_secs(60);
/// Minutes of a cycle, and those of them in which the window is in use.
const CYCLE: u64 = 20;
const IN_USE: u64 = 8;
/// The hidden minute in which the tray refreshes the feeds.
const REFRESH: u64 = IN_USE + 2;
/// Pause of a reader after each key.
const PAUSE: Duration = Duration::from_millis(700);
const ITEMS: usize = 20;
const ROWS: &str = "!!document.querySelector('[role=option]')";
/// A feed has a new article in every third response.
const LIVELY: usize = 3;
/// Number of the feeds with the older articles, and of those articles of each that have texts.
const OLDER_FEEDS: usize = 1_000;
const OLDER_TEXTS: usize = 20;

/// Measurements after a minute: of Gleaner's own process and of WebKit's.
struct Sample {
    hidden: bool,
    own: f64,
    webkit: f64,
    files: usize,
    threads: usize,
    library: f64,
    /// Share of a core that all processes took, if they rested for the whole minute.
    at_rest: Option<f64>,
}

/// Serves feeds on loopback, each of a host of its own, that get new articles.
async fn serve(count: usize) -> (Vec<Server>, Vec<String>) {
    let (mut servers, mut urls) = (Vec::new(), Vec::new());
    for feed in 0..count {
        let [high, low] = [feed / 250, 1 + feed % 250].map(|part| u8::try_from(part).unwrap());
        let server = Server::start_at(Ipv4Addr::new(127, 2, high, low)).await;
        let requests = Arc::new(AtomicUsize::new(feed));
        server.on_request("/feed", move |_| {
            let new = requests.fetch_add(1, Ordering::Relaxed) / LIVELY;
            Reply::ok(feeds::changing(feed, new, ITEMS)).header("Content-Type", "application/rss+xml")
        });
        urls.push(server.url("/feed"));
        servers.push(server);
    }
    (servers, urls)
}

pub async fn measure(minutes: u64, count: usize, picture: Option<&Path>, older: usize) {
    let scratch = Scratch::new();
    window::fill(&scratch, older, OLDER_FEEDS.min(older), OLDER_TEXTS).await;
    let (_servers, urls) = serve(count).await;
    let list = scratch.write("list.opml", &feeds::list(&urls));
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    assert!(scratch.glean(&["refresh"]).status.success());
    let tray = Tray::start().await;
    let window = Window::open(&scratch).await;
    let (mut samples, mut pressed) = (vec![sample(&scratch, &window, false, None)], 0);
    println!(
        "\n| minute | window | Gleaner + WebKit | files | threads | library | at rest |\n|---|---|---|---|---|---|---|"
    );
    for minute in 0..minutes {
        let end = Instant::now() + MINUTE;
        let hidden = minute % CYCLE >= IN_USE;
        if minute % CYCLE == IN_USE {
            hide(&window).await;
        } else if minute > 0 && minute.is_multiple_of(CYCLE) {
            show(&window, &tray).await;
        }
        if minute % CYCLE == REFRESH {
            tray.choose("Refresh").await;
        }
        // It takes a while to become idle.
        let rests = hidden && ![IN_USE, REFRESH, REFRESH + 1].contains(&(minute % CYCLE));
        let before = rests.then(|| used(&window));
        if !hidden {
            pressed += in_use(&window, minute, end).await;
        }
        tokio::time::sleep_until(end.into()).await;
        let at_rest = before.map(|before| growth(&before, &used(&window)) / MINUTE.as_secs_f64());
        let sample = sample(&scratch, &window, hidden, at_rest);
        println!("{}", sample.line(minute + 1));
        samples.push(sample);
    }
    if minutes > 0 && (minutes - 1) % CYCLE >= IN_USE {
        show(&window, &tray).await;
    }
    row(&format!("keys pressed in {minutes} minutes, {count} feeds, {older} older articles"), &pressed.to_string());
    if let Some(picture) = picture {
        fs::write(picture, plot(&samples)).unwrap();
    }
    tray.choose("Quit").await;
    window.ended().await;
}

/// Reads, marks, searches and opens dialogs until the end of the minute. Returns how many keys it pressed for articles.
async fn in_use(window: &Window, minute: u64, end: Instant) -> usize {
    match minute % CYCLE {
        0 | 5 => window.press("R").await,
        1 => {
            window.press_control(',').await;
            window.find("dialog", "Settings").await;
            window.escape().await;
        }
        2 => {
            window.search("min").await;
            window.until("its rows", ROWS).await;
            window.escape().await;
            window.escape().await;
        }
        3 => {
            window.press("?").await;
            window.until("the shortcuts", "__e2e.all('dialog', null).length === 1").await;
            window.escape().await;
        }
        _ => {}
    }
    // The palette finds folders that the sidebar does not show.
    window.palette().await;
    let list = if minute.is_multiple_of(2) { "All articles".to_owned() } else { format!("Folder {}", minute % 20) };
    window.type_text(&list).await;
    let first = format!("(__e2e.all('option', null)[0]?.textContent ?? '').includes({list:?})");
    window.until("the list in the palette", &first).await;
    window.press("\u{e007}").await;
    window.no_dialog().await;
    window.until("its rows", ROWS).await;
    let mut pressed = 0;
    while Instant::now() + PAUSE < end {
        window.press(if pressed % 10 == 9 { "s" } else { "j" }).await;
        pressed += 1;
        tokio::time::sleep(PAUSE).await;
    }
    pressed
}

/// Closes the window, so that Gleaner stays in the tray.
async fn hide(window: &Window) {
    window.request_close();
    let question = "__e2e.all('dialog', 'Keep Gleaner running?').length > 0 || document.hidden";
    window.until("the question or the end", question).await;
    if window.is_visible() {
        window.click_on_screen("Keep running").await;
    }
    window.hidden().await;
}

/// Shows the window by a click in the tray, even if its page was unloaded.
async fn show(window: &Window, tray: &Tray) {
    tray.click().await;
    let [page] = &window.windows(1).await[..] else { panic!("one window") };
    window.switch(page).await;
    window.shown().await;
    window.until("the list", "document.readyState === 'complete' && !!document.querySelector('[role=option]')").await;
}

/// Returns the processor time of each of the window's processes, in seconds.
fn used(window: &Window) -> HashMap<u32, f64> {
    window.processes().into_iter().filter_map(|(pid, _)| Some((pid, cpu(pid)?))).collect()
}

/// Returns the time that processes took between two measurements.
fn growth(before: &HashMap<u32, f64>, after: &HashMap<u32, f64>) -> f64 {
    after.iter().map(|(pid, seconds)| seconds - before.get(pid).unwrap_or(&0.0)).sum()
}

fn sample(scratch: &Scratch, window: &Window, hidden: bool, at_rest: Option<f64>) -> Sample {
    let pids = window.processes().into_iter().map(|(pid, _)| pid);
    let (mut files, mut threads) = (0, 0);
    for pid in pids {
        let entries = |name: &str| fs::read_dir(format!("/proc/{pid}/{name}")).map_or(0, Iterator::count);
        files += entries("fd");
        threads += entries("task");
    }
    Sample {
        hidden,
        own: window.megabytes_of(&["gleaner"]),
        webkit: window.megabytes_of(&["WebKit"]),
        files,
        threads,
        library: crate::megabytes(&scratch.library()),
        at_rest,
    }
}

impl Sample {
    fn line(&self, minute: u64) -> String {
        let Self { hidden, own, webkit, files, threads, library, at_rest } = self;
        let window = if *hidden { "hidden" } else { "in use" };
        let at_rest = at_rest.map_or("–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        format!(
            "| {minute} | {window} | {own:.0} + {webkit:.0} MB | {files} | {threads} | {library:.1} MB | {at_rest} |"
        )
    }
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 60.0;
const GAP: f64 = 50.0;

/// A line of a chart: its name, colour and values.
type Line<'a> = (&'a str, &'a str, Vec<f64>);

/// Returns charts of the samples as an SVG picture; the minutes with a hidden window are grey.
fn plot(samples: &[Sample]) -> String {
    let line = |of: fn(&Sample) -> f64| samples.iter().map(of).collect::<Vec<_>>();
    let charts: [(&str, Vec<Line>); 3] = [
        (
            "Memory (PSS), MB",
            vec![
                ("Gleaner and WebKit", "#1f6feb", line(|sample| sample.own + sample.webkit)),
                ("Gleaner", "#bc4c00", line(|sample| sample.own)),
            ],
        ),
        (
            "Open files and threads",
            vec![
                ("open files", "#1f6feb", line(|sample| sample.files as f64)),
                ("threads", "#bc4c00", line(|sample| sample.threads as f64)),
            ],
        ),
        ("Library, MB", vec![("library", "#1f6feb", line(|sample| sample.library))]),
    ];
    let height = charts.len() as f64 * (HEIGHT + GAP) + 20.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"11\">\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        LEFT + WIDTH + 20.0
    );
    let step = WIDTH / (samples.len().max(2) - 1) as f64;
    for (index, (title, lines)) in charts.iter().enumerate() {
        let top = 30.0 + index as f64 * (HEIGHT + GAP);
        let most = lines.iter().flat_map(|(_, _, values)| values).fold(1.0_f64, |most, value| most.max(*value)) * 1.1;
        let y = |value: f64| top + HEIGHT * (1.0 - value / most);
        for (minute, _) in samples.iter().enumerate().skip(1).filter(|(_, sample)| sample.hidden) {
            write!(
                out,
                "<rect x=\"{:.1}\" y=\"{top}\" width=\"{step:.1}\" height=\"{HEIGHT}\" fill=\"#eee\"/>",
                LEFT + (minute - 1) as f64 * step
            )
            .unwrap();
        }
        write!(out, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{title}</text>", top - 8.0).unwrap();
        for share in [0.0, 0.5, 1.0] {
            let value = most / 1.1 * share;
            write!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value:.0}</text>\
                 <path d=\"M{LEFT} {:.1}h{WIDTH}\" stroke=\"#ccc\"/>",
                LEFT - 6.0,
                y(value) + 4.0,
                y(value)
            )
            .unwrap();
        }
        for (number, (name, color, values)) in lines.iter().enumerate() {
            let points: Vec<String> = values
                .iter()
                .enumerate()
                .map(|(minute, value)| format!("{:.1},{:.1}", LEFT + minute as f64 * step, y(*value)))
                .collect();
            writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"{color}\" text-anchor=\"end\">{name}</text>",
                points.join(" "),
                LEFT + WIDTH - 130.0 * number as f64,
                top - 8.0
            )
            .unwrap();
        }
        for minute in (0..samples.len()).step_by(CYCLE as usize) {
            write!(
                out,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{minute}</text>",
                LEFT + minute as f64 * step,
                top + HEIGHT + 14.0
            )
            .unwrap();
        }
    }
    out + "</svg>\n"
}
