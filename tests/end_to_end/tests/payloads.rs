//! Published payloads against sanitisers in the window, each in an article: nothing runs or navigates, and only images are
//! requested. Without the payloads, which are next to the checkout, the tests do nothing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, run};
use gleaner_testserver::{Reply, Server};
use serde_json::{Value, json};
use std::path::Path;

/// Watches the window: calls of functions, and new global names.
const WATCH: &str = "window.canaries = [];
    window.canary = (...words) => void window.canaries.push(['called', ...words].join(' '));
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
      window[name] = (...words) => void window.canaries.push([name, ...words].join(' '));
    window.globals = new Set([...Object.getOwnPropertyNames(window), 'globals', 'faultsOf', 'step']);
    window.place = [location.href, document.title, history.length].join(' ');
    window.frames_ = document.querySelectorAll('iframe').length;
    // Faults of the page as WebKit has parsed it.
    window.faultsOf = (doc) => {
      const faults = [];
      const body = doc.querySelector('.gl-body');
      if (doc.URL !== 'about:srcdoc') faults.push(`the frame went to ${doc.URL}`);
      if (!body || doc.querySelectorAll('.gl-body, .gl-head').length !== 2) return [...faults, 'the page is not ours'];
      if (doc.querySelectorAll('script, link').length !== 1 || doc.querySelectorAll('base').length !== 1 || doc.querySelectorAll('meta').length !== 3)
        faults.push(`the head: ${doc.head.innerHTML}`);
      for (const one of body.querySelectorAll('script,style,link,meta,base,iframe,frame,frameset,object,embed,applet,form,input,button,textarea,select,svg,foreignObject,annotation-xml,template,portal,fencedframe,bgsound,isindex,dialog'))
        faults.push(one.outerHTML.slice(0, 200));
      for (const one of body.querySelectorAll('*')) {
        for (const { name, value } of one.attributes) {
          if (/^on|^(srcdoc|ping|formaction|background|manifest|is|slot|popover|contenteditable|autofocus|action|xmlns|attributionsrc)$/i.test(name)) faults.push(`${name}=${value}`);
          if (/^[\\s\\0-\\x1f]*(javascript|vbscript|livescript|mocha|blob|filesystem|file|about(?!:srcdoc#)|data(?!:image\\/(png|gif|jpe?g|webp|avif|svg\\+xml,%3Csvg xmlns='http:\\/\\/www\\.w3\\.org\\/2000\\/svg' width='[\\d.]+' height='[\\d.]+'\\/%3E$)))\\s*:/i.test(value) && /^(href|src|srcset|action|poster|cite|longdesc|data.*|xlink.*)$/i.test(name))
            faults.push(`${name}=${value.slice(0, 200)}`);
        }
        if (one.style?.length > 0 && /url|expression|position|behavi|import|fixed|image|content|inset|z-index/i.test(one.style.cssText)) faults.push(one.style.cssText);
      }
      for (const link of doc.links)
        if (/^(javascript|data|vbscript|blob|file|about):/.test(link.protocol) && !/^(about:srcdoc)?#/.test(link.getAttribute('href'))) faults.push(link.href.slice(0, 200));
      return faults;
    };
    window.changed = () => {
      const faults = [...window.canaries.splice(0)];
      const place = [location.href, document.title, history.length].join(' ');
      if (place !== window.place) faults.push(`the window was at ${window.place}, and is at ${place}`);
      for (const name of Object.getOwnPropertyNames(window))
        if (!window.globals.has(name) && !/^(\\d+|place|before|frames_|changed|canar.*)$/.test(name)) faults.push(`window.${name}`);
      if (document.querySelectorAll('iframe').length !== 1) faults.push('frames');
      return faults;
    };
    return true";

/// Goes through the list, article by article, for at most eight seconds, so that the driver's script limit is not reached; returns
/// the titles and the faults found. An article that is still loading at the end is waited for in the next call.
const STEP: &str = "return (async () => { const until = performance.now() + 8000;
    const title = () => { const doc = __e2e.frame(); return doc?.readyState === 'complete' ? (doc.querySelector('.gl-title')?.textContent ?? '') : ''; };
    const wait = () => new Promise((done) => setTimeout(done, 4));
    const faults = [], seen = [];
    while (performance.now() < until) {
      if (window.before === undefined) {
        window.before = title();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true, cancelable: true }));
      }
      while ((title() === window.before || title() === '') && performance.now() < until) await wait();
      const now = title();
      if (now === window.before || now === '') break;
      window.before = undefined;
      seen.push(now);
      for (const fault of [...window.faultsOf(__e2e.frame()), ...window.changed()]) faults.push(`${now}: ${fault}`);
      if (now === arguments[0]) break;
    }
    return { seen, faults }; })()";

/// Returns the payloads of a file, or none without the file.
fn payloads(name: &str, field: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/xss").join(name);
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| row[field].as_str().unwrap_or_default().to_owned()).collect()
}

/// Replaces hosts by paths of our server, whose log then shows the requests; calls that show themselves call the canary.
fn led_here(payload: &str, here: &str) -> String {
    let payload = payload.replace("https://", "http://").replace("HTTPS://", "http://").replace("HTTP://", "http://");
    let mut out = String::new();
    let mut rest = payload.as_str();
    while let Some(at) = rest.find("//") {
        let (before, after) = rest.split_at(at + 2);
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(after.len());
        let host = &after[..end];
        out.push_str(before);
        if host.contains('.') && host != "www.w3.org" && !host.starts_with("127.") {
            out.push_str(&format!("{}/{host}", here.trim_start_matches("http://")));
        } else {
            out.push_str(host);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    ["alert", "prompt", "confirm"].iter().fold(out, |out, name| out.replace(name, "top.canary"))
}

/// Starts a server that answers everything with the most harmful content, and a cookie.
async fn trap() -> Server {
    let server = Server::start().await;
    let pixel: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
    server.on_request("*", move |request| {
        let reply = match request.path().rsplit('.').next().unwrap_or_default() {
            "js" => Reply::ok("top.canary('a script')").header("Content-Type", "text/javascript"),
            "css" => Reply::ok("* { display: none; background: url(/styled) }").header("Content-Type", "text/css"),
            "svg" => Reply::ok("<svg xmlns='http://www.w3.org/2000/svg' onload='top.canary(1)'><script>top.canary(2)</script><image href='/drawn'/></svg>")
                .header("Content-Type", "image/svg+xml"),
            "html" | "htm" | "php" => Reply::ok("<script>top.canary('a page')</script>").header("Content-Type", "text/html"),
            _ => Reply::ok(pixel).header("Content-Type", "image/png"),
        };
        reply.header("Set-Cookie", "known=yes; Path=/").header("Access-Control-Allow-Origin", "*")
    });
    server
}

/// Returns a feed with these payloads, the first the newest, in JSON, which can have any text.
fn feed(title: &str, payloads: &[String], here: &str) -> String {
    let items: Vec<Value> = payloads
        .iter()
        .enumerate()
        .map(|(number, payload)| {
            let (minute, hour, day) = (59 - number % 60, 23 - number / 60 % 24, 20 - number / 1440);
            json!({
                "id": number.to_string(),
                "title": format!("P{number}"),
                "url": format!("{here}/read/{number}"),
                "content_html": format!("<p>Begin.</p>{}", led_here(payload, here)),
                "date_published": format!("2026-10-{day:02}T{hour:02}:{minute:02}:00Z"),
            })
        })
        .collect();
    json!({ "version": "https://jsonfeed.org/version/1.1", "title": title, "items": items }).to_string()
}

/// Reads them all, one after the other, with images or without.
async fn read_all(title: &str, payloads: &[String], images: bool) {
    if payloads.is_empty() {
        return;
    }
    let (scratch, server) = (Scratch::new(), trap().await);
    let here = server.url("");
    let here = here.trim_end_matches('/');
    server.on("/feed.json", Reply::ok(feed(title, payloads, here)).header("Content-Type", "application/feed+json"));
    scratch.import(&[(title, server.url("/feed.json"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(&scratch).await;
    window.find("treeitem", title).await;
    // The bundled feed is there.
    window.find("treeitem", "Welcome to Gleaner").await;
    let feeds = scratch.stats()["feeds"].clone();
    if !images {
        window.press_control(',').await;
        window.click("switch", "Load remote images").await;
        window.escape().await;
    }
    window.click("treeitem", title).await;
    window.find("option", "P0").await;
    server.forget_requests();
    assert_eq!(window.script(WATCH, vec![]).await, Ok(json!(true)));
    let (mut faults, mut seen, mut stalled) = (Vec::new(), 0, 0);
    while seen < payloads.len() {
        let last = format!("P{}", payloads.len() - 1);
        let step = window.script(STEP, vec![json!(last)]).await.unwrap();
        let titles = step["seen"].as_array().unwrap();
        faults.extend(step["faults"].as_array().unwrap().iter().map(|fault| fault.as_str().unwrap().to_owned()));
        for title in titles {
            assert_eq!(*title, format!("P{seen}"), "each key opens the next article");
            seen += 1;
        }
        stalled = if titles.is_empty() { stalled + 1 } else { 0 };
        assert!(stalled < 12, "P{seen} is not shown");
    }
    for request in server.requests() {
        let of = |name: &str| request.text(name).unwrap_or_default();
        let is_image = of("Sec-Fetch-Dest") == "image" || of("Accept").starts_with("image/");
        // The icon of a feed is not part of an article.
        if !(images && is_image && request.method == "GET" && of("Referer").is_empty() && of("Cookie").is_empty()) {
            let (dest, referrer, cookie) = (of("Sec-Fetch-Dest"), of("Referer"), of("Cookie"));
            faults.push(format!("requested {} {}: {dest} {referrer} {cookie}", request.method, request.target));
        }
    }
    assert!(scratch.opened().is_empty(), "a browser was started: {:?}", scratch.opened());
    assert_eq!(scratch.stats()["feeds"], feeds, "the number of feeds changed");
    assert!(faults.is_empty(), "{} of {title}:\n{}", faults.len(), faults[..faults.len().min(40)].join("\n"));
    // The window still works.
    window.press("?").await;
    window.find("dialog", "Keyboard shortcuts").await;
    window.close().await;
}

/// Returns the payloads; declarations of CSS are put where an article can have them.
fn leaks() -> Vec<String> {
    let mut leaks = payloads("httpleaks.jsonl", "payload");
    for leak in leaks.iter_mut().filter(|leak| !leak.contains('<')) {
        *leak = format!("<p style=\"{}\">styled</p><style>p {{ {leak} }}</style>", leak.replace('"', "&quot;"));
    }
    leaks
}

#[test]
fn payloads_of_others() {
    let mut all = payloads("payloads.jsonl", "payload");
    all.extend(payloads("reader_sanitizer_pairs.jsonl", "input"));
    run(read_all("Payloads", &all, true));
}

#[test]
fn leaks_of_others_with_images_off() {
    run(read_all("Leaks", &leaks(), false));
}

#[test]
fn leaks_of_others_with_images_on() {
    run(read_all("Leaks", &leaks(), true));
}
