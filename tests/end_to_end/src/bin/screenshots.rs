//! `make screenshots`: saves the window's views, light and dark, on the demonstration's feeds, as PNG files in a folder.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, VIEWS, Window, run, settled};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};
use tokio::process::{Child, Command};

/// The feed whose newest article is shown.
const FEED: &str = "The Hedgerow";
/// Sections of the settings that the user guide shows: names of the files, and words that the command palette finds them by.
const SECTIONS: [(&str, &str); 4] = [
    ("settings-accounts", "Accounts"),
    ("settings-background", "Background"),
    ("settings-backups", "Backups"),
    ("settings-offline", "Offline reading"),
];
/// The usual size of the window.
const USUAL: (u32, u32) = (1280, 820);
/// Whether all images in view are loaded. They are then painted with the next frame, and not when they are decoded later.
const ARE_DRAWN: &str = "((images) => {
    const seen = images.filter((image) => image.getBoundingClientRect().top < innerHeight);
    for (const image of seen) image.decoding = 'sync';
    return seen.every((image) => image.complete && image.naturalWidth > 0);
})";

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/screenshots".to_owned()));
    fs::create_dir_all(&folder).unwrap();
    run(async {
        let scratch = Scratch::new();
        let _demo = demo(&scratch).await;
        welcome(&folder).await;
        let window = Window::open(&scratch).await;
        window.find("treeitem", FEED).await;
        for theme in ["Light", "Dark"] {
            window.theme(theme).await;
            let keep =
                async |name: &str| keep(&window, &folder.join(format!("{name}-{}.png", theme.to_lowercase()))).await;
            size(&window, USUAL).await;
            window.click("treeitem", "All articles").await;
            window.click("treeitem", FEED).await;
            window.until("its rows", "__e2e.all('option', null).length > 2").await;
            // Its newest article has an image.
            window.press("gg").await;
            window.until("an article", "!!__e2e.frame()?.querySelector('.gl-body img')").await;
            window.script("__e2e.all('button', 'Never for this feed')[0]?.click()", vec![]).await.unwrap();
            let images = "[...__e2e.frame().images].filter((image) => !image.dataset.glSrc)";
            window.until("its images", &format!("{images}.length > 0 && {ARE_DRAWN}({images})")).await;
            keep("window").await;
            for (width, height) in [(640, 480), (1920, 1080)] {
                size(&window, (width, height)).await;
                keep(&format!("window-{width}")).await;
            }
            size(&window, USUAL).await;
            window.palette().await;
            keep("palette").await;
            window.leave().await;
            for (name, words) in VIEWS.iter().chain(&SECTIONS) {
                window.view(words).await;
                keep(name).await;
                window.leave().await;
            }
            window.click("treeitem", "All articles").await;
            for layout in ["magazine", "compact", "columns", "panes"] {
                window.press("v").await;
                window.until(layout, &format!("!!document.querySelector('.scroller.{layout}')")).await;
                if layout != "panes" {
                    let images = "[...document.querySelectorAll('[role=option] img')]";
                    window.until("its images", &format!("{ARE_DRAWN}({images})")).await;
                    keep(layout).await;
                }
            }
            window.press("/").await;
            window.press("the").await;
            window.until("what is found", "__e2e.all('option', null).length > 2").await;
            keep("search").await;
            window.press("\u{e00c}").await;
            window.press("\u{e00c}").await;
        }
        window.close().await;
    });
}

/// Starts feeds on loopback and imports them.
async fn demo(scratch: &Scratch) -> Child {
    let default = std::env::current_exe().unwrap().with_file_name("gleaner-demo");
    let list = scratch.path("demo.opml");
    let demo = Command::new(std::env::var_os("GLEANER_DEMO").map_or(default, PathBuf::from))
        .args(["--serve", "--opml"])
        .arg(&list)
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("gleaner-demo is built");
    settled("the list of feeds", || async {
        let text = fs::read_to_string(&list).unwrap_or_default();
        if text.trim_end().ends_with("</opml>") { Ok(()) } else { Err("not there".to_owned()) }
    })
    .await;
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    // Some feeds fail on purpose, which its exit status reports.
    scratch.glean(&["refresh", "--all"]);
    demo
}

/// The first start, with a separate library.
async fn welcome(folder: &Path) {
    let scratch = Scratch::new();
    let window = Window::open(&scratch).await;
    window.find("heading", "Welcome to Gleaner").await;
    size(&window, USUAL).await;
    keep(&window, &folder.join("welcome.png")).await;
    window.close().await;
}

async fn size(window: &Window, (width, height): (u32, u32)) {
    window.resize(width, height).await;
    let there = format!("Math.abs(innerWidth - {width}) < 60 && Math.abs(innerHeight - {height}) < 60");
    window.until(&format!("{width}×{height}"), &there).await;
}

async fn keep(window: &Window, path: &Path) {
    // No tooltip under the pointer, and no blinking caret.
    window.point(2.0, 2.0).await;
    window.value("void (document.documentElement.style.caretColor = 'transparent')").await;
    let (width, height, pixels) = read(&window.stable_screenshot().await);
    let bytes = small(width, height, &pixels);
    println!("{} {} kB", path.display(), bytes.len() / 1000);
    fs::write(path, bytes).unwrap();
}

/// Returns width, height and the pixels in RGB.
fn read(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut buffer).unwrap();
    let samples = info.color_type.samples();
    let pixels =
        buffer[..info.buffer_size()].chunks_exact(samples).map(|p| [p[0], p[1 % samples], p[2 % samples]]).collect();
    (info.width, info.height, pixels)
}

/// Returns a picture of 256 colours, the nearest to most pixels.
fn small(width: u32, height: u32, pixels: &[[u8; 3]]) -> Vec<u8> {
    let cell = |pixel: &[u8; 3]| pixel.map(|c| c >> 2);
    let mut cells: HashMap<[u8; 3], (u32, [u64; 3])> = HashMap::new();
    for pixel in pixels {
        let (count, sums) = cells.entry(cell(pixel)).or_default();
        *count += 1;
        for (sum, part) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(*part);
        }
    }
    let mut common: Vec<_> = cells.iter().collect();
    common.sort_by_key(|(cell, (count, _))| (std::cmp::Reverse(*count), **cell));
    let mean = |(_, (count, sums)): &(&[u8; 3], &(u32, [u64; 3]))| {
        sums.map(|sum| u8::try_from((sum + u64::from(*count) / 2) / u64::from(*count)).unwrap())
    };
    let palette: Vec<[u8; 3]> = common.iter().take(256).map(mean).collect();
    let far =
        |a: &[u8; 3], b: &[u8; 3]| -> u32 { a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum() };
    let nearest = |(cell, (count, sums)): (&[u8; 3], &(u32, [u64; 3]))| {
        let own = mean(&(cell, &(*count, *sums)));
        let (index, _) = palette.iter().enumerate().min_by_key(|(_, colour)| far(colour, &own)).unwrap();
        (*cell, u8::try_from(index).unwrap())
    };
    let indices: HashMap<[u8; 3], u8> = cells.iter().map(nearest).collect();
    let data: Vec<u8> = pixels.iter().map(|pixel| indices[&cell(pixel)]).collect();
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().unwrap().write_image_data(&data).unwrap();
    out
}
