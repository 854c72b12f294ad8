//! The servers: one for each feed, each on its own loopback address if the system has several.

use crate::content::{Article, Feed, feeds};
use crate::feeds::{escape, render};
use crate::media;
use chrono::Utc;
use gleaner_testserver::{Reply, Request, Server};
use parking_lot::Mutex;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::Ipv4Addr;
use std::sync::Arc;

/// Articles published while the demonstration runs.
const NEWS: &[(&str, &str)] = &[
    (
        "The pilot boat is out",
        "<p>A coaster with timber is waiting at the outer buoy. She will be alongside within the hour.</p>",
    ),
    ("Fog warning lifted", "<p>Visibility four miles and growing. The horn may rest, and so may the neighbours.</p>"),
    ("A seal on the slipway", "<p>It has been asked to move and is considering it.</p>"),
    ("Timber coaster alongside", "<p>Nine hundred tons of spruce, smelling of another country.</p>"),
    ("Slipway free again", "<p>The seal left at its own pace. Launching resumes.</p>"),
    ("High water at 17.42", "<p>Half a metre above the table, because of the wind. Move your bicycles.</p>"),
];

/// Feeds that fail, each in a different way: path, title.
const BROKEN: &[(&str, &str)] = &[
    ("/gone/feed", "An abandoned blog"),
    ("/slow/feed", "An overloaded server"),
    ("/page/feed", "A feed replaced by a page"),
];

pub struct Site {
    servers: Vec<(Server, Arc<Mutex<Feed>>)>,
    broken: Server,
}

impl Site {
    /// Starts all servers.
    pub async fn start() -> Self {
        let mut servers = Vec::new();
        for (number, feed) in (2..).zip(feeds(Utc::now())) {
            // Linux has all of 127.0.0.0/8; on other systems the feeds share one address.
            let address =
                if cfg!(target_os = "linux") { Ipv4Addr::new(127, 0, 0, number) } else { Ipv4Addr::LOCALHOST };
            let server = Server::start_at(address).await;
            let feed = Arc::new(Mutex::new(feed));
            let (shared, base) = (Arc::clone(&feed), server.url(""));
            server.on_request("*", move |request| {
                let feed = shared.lock();
                answer(&feed, request, &|path: &str| format!("{base}{path}"))
            });
            servers.push((server, feed));
        }
        let broken = Server::start().await;
        broken.on("/gone/feed", Reply::status(410));
        // Replies to the first request, so that the window does not have to wait for it. The next one hangs.
        broken.on_each("/slow/feed", [Reply::status(503), Reply::ok("").hang_before_head()]);
        let page = "<!doctype html><title>Welcome</title><p>This site has been redesigned.";
        broken.on("/page/feed", Reply::ok(page).header("Content-Type", "text/html"));
        Self { servers, broken }
    }

    /// Publishes the next article; after the last one, starts again with the first.
    pub fn publish(&self) {
        let Some((_, feed)) = self.servers.first() else { return };
        let mut feed = feed.lock();
        let number = feed.articles.len();
        let (title, html) = NEWS[number % NEWS.len()];
        let path = format!("/{}/{}", feed.name, number + 1);
        feed.articles
            .insert(0, Article { title: title.to_owned(), published: Utc::now(), html: html.to_owned(), path });
    }

    /// Returns the list of all feeds, in nested folders.
    pub fn opml(&self) -> String {
        let mut outlines = String::new();
        let mut open: Vec<String> = Vec::new();
        for (server, feed) in &self.servers {
            let feed = feed.lock();
            let folders: Vec<String> = feed.folder.split('/').map(str::to_owned).collect();
            let common = open.iter().zip(&folders).take_while(|(a, b)| a == b).count();
            outlines += &"</outline>".repeat(open.len() - common);
            for folder in &folders[common..] {
                outlines += &format!("<outline text=\"{}\">", escape(folder));
            }
            open = folders;
            let title = escape(&feed.title);
            outlines += &format!(
                "<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{}\" htmlUrl=\"{}\"/>\n",
                server.url(&format!("/{}/feed", feed.name)),
                server.url(&format!("/{}/", feed.name)),
            );
        }
        outlines += &"</outline>".repeat(open.len());
        outlines += "<outline text=\"With errors\">";
        for (path, title) in BROKEN {
            outlines += &format!("<outline type=\"rss\" text=\"{title}\" xmlUrl=\"{}\"/>\n", self.broken.url(path));
        }
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<opml version=\"2.0\"><head><title>Gleaner's demonstration</title></head>\
             <body>\n{outlines}</outline></body></opml>\n"
        )
    }

    /// Returns a line for each site: an address from which its feed is found.
    pub fn overview(&self) -> String {
        let line = |(server, feed): &(Server, Arc<Mutex<Feed>>)| {
            let feed = feed.lock();
            format!("{}  {}", server.url(&format!("/{}/", feed.name)), feed.title)
        };
        self.servers.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the reply to a request to a site: its feed, page, an article or media.
fn answer(feed: &Feed, request: &Request, at: &dyn Fn(&str) -> String) -> Reply {
    let path = request.path();
    if path == format!("/{}/feed", feed.name) {
        let (body, kind) = render(feed, at);
        return conditional(request, body, kind);
    }
    if path == "/" || path == format!("/{}/", feed.name) {
        return page(&feed.title, feed, &format!("<p>{}</p>", escape(&feed.about)));
    }
    if path == "/icon.png" || path == "/favicon.ico" {
        return Reply::ok(media::picture(feed.name, 32, 32)).header("Content-Type", "image/png");
    }
    if let Some(name) = path.strip_suffix(".png") {
        return Reply::ok(media::picture(name, 960, 480)).header("Content-Type", "image/png");
    }
    if let Some(name) = path.strip_suffix(".wav") {
        return Reply::ok(media::sound(name)).header("Content-Type", "audio/wav");
    }
    match feed.articles.iter().find(|article| article.path == path) {
        Some(article) => page(&article.title, feed, &article.html.replace("{picture}", &at(&format!("{path}.png")))),
        None => Reply::status(404),
    }
}

fn page(title: &str, feed: &Feed, body: &str) -> Reply {
    let (title, name) = (escape(title), feed.name);
    let page = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title><link rel=\"icon\" href=\"/icon.png\">\
         <link rel=\"alternate\" type=\"{}\" title=\"{}\" href=\"/{name}/feed\"></head><body><h1>{title}</h1>{body}</body></html>",
        feed.lang,
        render(feed, &|path| path.to_owned()).1.split(';').next().unwrap_or_default(),
        escape(&feed.title),
    );
    Reply::ok(page).header("Content-Type", "text/html; charset=utf-8")
}

/// Returns the body, or 304 if the client already has it.
fn conditional(request: &Request, body: String, kind: &str) -> Reply {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let reply = if request.text("If-None-Match").as_deref() == Some(&tag) {
        Reply::status(304)
    } else {
        Reply::ok(body).header("Content-Type", kind)
    };
    reply.header("ETag", tag)
}
