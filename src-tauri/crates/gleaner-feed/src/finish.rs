//! Completes items with data of the feed: absolute URLs, the base of the body, fallback authors, ids.

use crate::{
    address,
    base::Base,
    leftover,
    model::{Feed, Item, Person},
    people,
};
use std::sync::Arc;

/// Resolves the feed's URLs against the page it belongs to, or else against the feed's URL. URLs of the feed's own documents are first
/// resolved against the feed's URL.
fn feed_addresses(feed: &mut Feed, home: &Base, document: &Base) {
    let own = if document.text().is_some() { document } else { home };
    for url in [&mut feed.feed_url, &mut feed.next_url].into_iter().flatten().chain(&mut feed.hubs) {
        make_absolute(url, own);
    }
    let image = feed.image.iter_mut().flat_map(|image| [&mut image.url].into_iter().chain(&mut image.link));
    let alone = [&mut feed.icon_url, &mut feed.docs_url, &mut feed.license_url];
    let alone = alone.into_iter().flatten().chain(feed.text_input.iter_mut().flat_map(|input| &mut input.link));
    let people = feed.authors.iter_mut().chain(&mut feed.contributors).flat_map(addresses_of_person);
    for url in alone.chain(image).chain(people).chain(feed.funding.iter_mut().map(|funding| &mut funding.url)) {
        make_absolute(url, home);
    }
}

fn addresses_of_person(person: &mut Person) -> impl Iterator<Item = &mut String> {
    person.url.iter_mut().chain(&mut person.image_url)
}

fn make_absolute(url: &mut String, home: &Base) {
    if !address::is_absolute(url)
        && let Some(full) = home.absolute(url)
    {
        *url = full;
    }
}

/// Completes the items of a feed.
pub(crate) fn items(items: &mut [Item], feed: &mut Feed, document: &Base) {
    for text in [&mut feed.title, &mut feed.description].into_iter().flatten() {
        *text = leftover::decoded(text).unwrap_or_else(|| std::mem::take(text));
    }
    document.orders.correct(items, feed.language.as_deref());
    // The feed's own address is that of a file.
    let own = feed.feed_url.as_deref().filter(|_| document.text().is_none()).and_then(|url| document.at(url));
    let document = own.as_ref().unwrap_or(document);
    resolve(&mut feed.home_url, document);
    at_origin(&mut feed.home_url, document);
    let home = feed.home_url.as_deref().and_then(|url| document.at(url));
    let home = home.or_else(|| document.text().map(|_| document.clone()));
    if let Some(home) = &home {
        feed_addresses(feed, home, document);
    }
    let mut authors = feed.authors.clone();
    if authors.is_empty() {
        people::add(&mut authors, feed.managing_editor.as_deref().map(people::parse).unwrap_or_default());
    }
    let authors: Arc<[Person]> = authors.into();
    let authors_length = authors.iter().map(length).sum();
    for item in items {
        if let Some(home) = &home {
            for url in [
                &mut item.url,
                &mut item.external_url,
                &mut item.comments_url,
                &mut item.comments_feed_url,
                &mut item.thumbnail_url,
                &mut item.license_url,
                &mut item.content_src,
            ] {
                resolve(url, home);
            }
            at_origin(&mut item.url, document);
            let chapters = item.chapters.iter_mut().flat_map(|c| {
                c.url.iter_mut().chain(c.list.iter_mut().flat_map(|c| c.url.iter_mut().chain(&mut c.image_url)))
            });
            let files = item.enclosures.iter_mut().map(|e| &mut e.url).chain(item.media.iter_mut().map(|m| &mut m.url));
            let sources = item.source.iter_mut().chain(&mut item.via).flat_map(|source| &mut source.url);
            let authors = Arc::get_mut(&mut item.authors).into_iter().flatten();
            let people = authors.chain(&mut item.contributors).flat_map(addresses_of_person);
            for url in files
                .chain(sources)
                .chain(people)
                .chain(item.transcripts.iter_mut().map(|t| &mut t.url))
                .chain(chapters)
            {
                make_absolute(url, home);
            }
        }
        bases_of_bodies(item, home.as_ref().unwrap_or(document));
        let is_nameless = item.authors.iter().all(|author| author.name.is_none() && author.email.is_none());
        if is_nameless && !authors.is_empty() && document.budget.take(authors_length) {
            item.authors = Arc::clone(&authors);
        }
        if item.id.is_empty() {
            item.id = item.url.clone().unwrap_or_else(|| digest(item));
        }
    }
}

/// Sets the bases of an item's bodies: the `xml:base`, else the item's own URL, else that of the feed. In memory they are
/// shared; the library stores one for each item.
fn bases_of_bodies(item: &mut Item, home: &Base) {
    let Item { url, content, summary, .. } = item;
    let mut own = None;
    for body in [content, summary].into_iter().flatten() {
        if body.base.is_none() {
            let of_item = || url.as_deref().filter(|url| address::base(url).is_some()).map(Arc::from);
            body.base = own.get_or_insert_with(of_item).clone().or_else(|| home.text().cloned());
        }
        body.base = body.base.take().filter(|base| home.budget.take(base.len()));
    }
}

/// Returns the length of all data about a person, in bytes, with that of the person itself: a name may be a single letter.
fn length(person: &Person) -> usize {
    let Person { name, email, url, role, image_url } = person;
    [name, email, url, role, image_url].into_iter().flatten().map(String::len).sum::<usize>() + size_of::<Person>()
}

fn resolve(url: &mut Option<String>, home: &Base) {
    if let Some(written) = url
        && !address::is_absolute(written)
    {
        *url = home.absolute(written);
    }
}

/// Replaces the host of an address on the publisher's own computer, where the site was generated, with the server of the feed.
fn at_origin(url: &mut Option<String>, document: &Base) {
    let is_here = |url: &str| {
        let host = url.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#', ':']).next().unwrap_or(""));
        matches!(host, "localhost" | "127.0.0.1")
    };
    let of_web = |url: &&String| address::is_web(url) && is_here(url);
    if let Some(written) = url.as_ref().filter(of_web)
        && let Some(own) = document.text().filter(|own| address::is_web(own) && !is_here(own))
        && let (Some(mut moved), Some(own)) = (address::base(written), address::base(own))
        && moved.set_scheme(own.scheme()).is_ok()
        && moved.set_host(own.host_str()).is_ok()
        && moved.set_port(own.port()).is_ok()
    {
        *url = Some(moved.into());
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
