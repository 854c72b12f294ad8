//! Completes items with data of the feed: absolute URLs, the base of the body, fallback authors, ids.

use crate::{
    address,
    model::{Feed, Item},
    people,
};

/// Resolves the feed's own URLs against the page it belongs to, else against the feed's URL.
fn feed_addresses(feed: &mut Feed, home: &str) {
    let image = feed.image.iter_mut().flat_map(|image| [&mut image.url].into_iter().chain(&mut image.link));
    let alone = [&mut feed.feed_url, &mut feed.icon_url, &mut feed.docs_url, &mut feed.next_url, &mut feed.license_url];
    let alone = alone.into_iter().flatten().chain(feed.text_input.iter_mut().flat_map(|input| &mut input.link));
    for url in alone.chain(image).chain(&mut feed.hubs).chain(feed.funding.iter_mut().map(|funding| &mut funding.url)) {
        make_absolute(url, home);
    }
}

fn make_absolute(url: &mut String, home: &str) {
    if !address::is_absolute(url)
        && let Some(full) = address::absolute(url, Some(home))
    {
        *url = full;
    }
}

/// Completes the items of a feed.
pub(crate) fn items(items: &mut [Item], feed: &mut Feed, document: Option<&str>) {
    let absolute = |url: &Option<String>| url.clone().filter(|u| address::can_be_base(u));
    let home = absolute(&feed.home_url).or_else(|| document.map(str::to_owned));
    if let Some(home) = &home {
        feed_addresses(feed, home);
    }
    let mut fallback = feed.authors.clone();
    if fallback.is_empty() {
        people::add(&mut fallback, feed.managing_editor.as_deref().and_then(people::parse));
    }
    for item in items {
        if let Some(home) = &home {
            for url in [
                &mut item.url,
                &mut item.external_url,
                &mut item.comments_url,
                &mut item.comments_feed_url,
                &mut item.thumbnail_url,
                &mut item.license_url,
            ] {
                resolve(url, home);
            }
            let chapters = item.chapters.iter_mut().flat_map(|c| {
                c.url.iter_mut().chain(c.list.iter_mut().flat_map(|c| c.url.iter_mut().chain(&mut c.image_url)))
            });
            let files = item.enclosures.iter_mut().map(|e| &mut e.url).chain(item.media.iter_mut().map(|m| &mut m.url));
            for url in files.chain(item.transcripts.iter_mut().map(|t| &mut t.url)).chain(chapters) {
                make_absolute(url, home);
            }
        }
        let base = absolute(&item.url).or_else(|| home.clone());
        for body in [&mut item.content, &mut item.summary].into_iter().flatten() {
            if body.base.is_none() {
                body.base.clone_from(&base);
            }
        }
        if item.authors.is_empty() {
            item.authors.clone_from(&fallback);
        }
        if item.id.is_empty() {
            item.id = item.url.clone().unwrap_or_else(|| digest(item));
        }
    }
}

fn resolve(url: &mut Option<String>, home: &str) {
    if let Some(written) = url
        && !address::is_absolute(written)
    {
        *url = address::absolute(written, Some(home));
    }
}

/// Returns an id for an item without one: equal text means the same item.
fn digest(item: &Item) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [
        item.title.as_deref(),
        item.content.as_ref().map(|b| b.html.as_str()),
        item.enclosures.first().map(|e| e.url.as_str()),
    ] {
        hasher.update(part.unwrap_or("").as_bytes());
        hasher.update(&[0]);
    }
    if item.title.is_none() && item.content.is_none() {
        hasher.update(item.published.map_or(0, |p| p.timestamp()).to_le_bytes().as_slice());
    }
    format!("digest:{}", hasher.finalize().to_hex().get(..32).unwrap_or(""))
}
