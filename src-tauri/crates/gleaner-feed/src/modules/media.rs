//! Media RSS: `media:content` and `media:thumbnail` in groups, nested or alone.

use crate::{
    address,
    base::MAX_COLLECTED,
    categories,
    draft::{Draft, keep_first},
    model::{Category, Chapter, Media, Person, Transcript},
    modules::podcast,
    namespace::Ns,
    people, rss, text,
    thumbnail::{SHARP, is_avatar},
    tree::Element,
};
use std::sync::Arc;

/// Reads a child of an item, or of a group or content in it.
pub(super) fn item_child(draft: &mut Draft, element: Element<'_>) {
    match &*super::name(element) {
        "content" => {
            content(draft, element);
            // The title of an avatar is the author's name.
            if !element.attribute("url").is_some_and(is_avatar) {
                element
                    .children()
                    .filter(|c| c.ns() == Ns::Media && c.name() != "description")
                    .for_each(|c| flat(draft, c));
            }
        }
        "group" => {
            let before = draft.item.media.len();
            for child in element.children().filter(|c| c.ns() == Ns::Media) {
                match &*super::name(child) {
                    "content" => {
                        content(draft, child);
                        child.children().filter(|c| c.ns() == Ns::Media).for_each(|c| flat(draft, c));
                    }
                    // The tree limits the depth of recursion.
                    "group" => item_child(draft, child),
                    _ => flat(draft, child),
                }
            }
            // The group's description applies to each of its renditions.
            if let Some(description) = element.child(Ns::Media, "description").and_then(rss::plain) {
                let description: Arc<str> = description.into();
                for media in draft.item.media.iter_mut().skip(before).filter(|m| m.description.is_none()) {
                    if element.base().budget.take(description.len()) {
                        media.description = Some(Arc::clone(&description));
                    }
                }
            }
        }
        _ => flat(draft, element),
    }
}

/// Reads an element without relevant children.
fn flat(draft: &mut Draft, element: Element<'_>) {
    let address = |name: &str| element.address(name);
    match &*super::name(element) {
        "thumbnail" => {
            let url = address("url").or_else(|| element.trimmed().filter(|t| address::is_web(t)));
            let width = number(element, "width");
            // The first is the most important (Media RSS 1.5, `media:thumbnail`), but some feeds have it in several sizes. With times, they
            // are of different moments.
            let widths = draft.thumbnail_width.zip(width).filter(|_| element.attribute("time").is_none());
            let is_sharper = widths.is_some_and(|(first, other)| first < SHARP && first < other);
            if url.is_some() && (draft.item.thumbnail_url.is_none() || is_sharper) {
                (draft.item.thumbnail_url, draft.thumbnail_width) = (url, width);
            }
        }
        "player" => {
            if let Some(url) = address("url") {
                draft.player.get_or_insert_with(|| url.clone());
                let media = Media {
                    url,
                    width: number(element, "width"),
                    height: number(element, "height"),
                    ..Media::default()
                };
                draft.add_media(media);
            }
        }
        "title" if draft.other_title.is_none() => {
            // The name of a file is not the title of an article.
            let is_file = |title: &String| !title.contains(' ') && medium_of_file(title).is_some();
            draft.other_title = rss::plain(element).filter(|title| !is_file(title));
        }
        "description" => {
            let written = rss::html(element);
            let html = if text::looks_like_html(&written) { written } else { text::to_html(&written) };
            keep_first(&mut draft.bodies.other, html, element.xml_base());
        }
        "text" => keep_first(&mut draft.bodies.other, rss::html(element), element.xml_base()),
        "credit" => {
            let persons = people::parse(&element.text());
            let role = element.attribute("role").map(str::to_lowercase);
            if matches!(role.as_deref(), Some("author" | "writer" | "creator" | "reporter")) {
                let image = element.trimmed().filter(|t| address::is_web(t) && medium_of_file(t) == Some("image"));
                match (image.and_then(|_| element.text_address()), draft.itunes_authors.last_mut()) {
                    // DeviantArt's second author is the avatar of the first.
                    (Some(url), Some(author)) => author.image_url = author.image_url.take().or(Some(url)),
                    _ => people::add(&mut draft.itunes_authors, persons),
                }
            } else {
                // Without a role it credits the media, such as the photographer or the agency.
                let persons = persons.into_iter().map(|person| Person { role: role.clone(), ..person });
                people::add(&mut draft.item.contributors, persons);
            }
        }
        "license" => {
            let license = address("href").or_else(|| element.trimmed().filter(|t| address::is_web(t)));
            draft.item.license_url = draft.item.license_url.take().or(license);
        }
        "subtitle" => {
            if let Some(url) = address("href") {
                let transcript = Transcript {
                    url,
                    mime_type: element.attribute("type").map(str::to_owned),
                    language: element.attribute("lang").and_then(rss::language),
                    rel: Some("captions".to_owned()),
                };
                podcast::push_transcript(draft, transcript);
            }
        }
        "scenes" => {
            let scenes = element.children().filter(|c| c.ns() == Ns::Media && c.name() == "scene");
            let chapters = scenes.filter_map(|scene| {
                let child = |name: &str| scene.children().find(|c| c.name() == name);
                Some(Chapter {
                    start_seconds: podcast::duration(&child("sceneStartTime")?.text())?,
                    title: child("sceneTitle").and_then(rss::plain),
                    ..Chapter::default()
                })
            });
            podcast::add_chapters(draft, chapters);
        }
        "adult" => draft.item.explicit = podcast::explicit(&element.text()).or(draft.item.explicit),
        "rating" => {
            draft.item.explicit = match element.text().trim() {
                "adult" => Some(true),
                "nonadult" => Some(false),
                _ => draft.item.explicit,
            }
        }
        "category" => category(&mut draft.item.categories, element),
        "keywords" => {
            element.text().split(',').for_each(|term| categories::add(&mut draft.item.categories, term, None, None))
        }
        "copyright" if draft.item.rights.is_none() => draft.item.rights = rss::plain(element),
        _ => {}
    }
}

/// Reads a category, whose scheme has a default (Media RSS 1.5, `media:category`).
pub(super) fn category(list: &mut Vec<Category>, element: Element<'_>) {
    let scheme = element.attribute("scheme").unwrap_or("http://search.yahoo.com/mrss/category_schema");
    if scheme == "urn:flickr:tags" {
        let text = element.text();
        let tags = text.split_whitespace().take(MAX_COLLECTED);
        tags.for_each(|tag| categories::add(list, tag, Some(scheme), None));
        return;
    }
    categories::add(list, &element.text(), Some(scheme), element.attribute("label"));
}

fn number(element: Element<'_>, name: &str) -> Option<u32> {
    element.attribute(name)?.trim_end_matches("px").parse().ok()
}

fn content(draft: &mut Draft, element: Element<'_>) {
    let player = || element.child(Ns::Media, "player")?.address("url");
    let Some(url) = element.address("url").or_else(player) else { return };
    let mime_type = element.attribute("type").map(str::to_owned);
    let (width, height) = (number(element, "width"), number(element, "height"));
    let mut medium = element.attribute("medium").map(str::to_lowercase);
    if medium.is_none() && mime_type.is_none() {
        // Something with a size and without a duration is an image.
        let has_size = width.is_some() && height.is_some() && element.attribute("duration").is_none();
        medium = medium_of_file(&url).or(has_size.then_some("image")).map(str::to_owned);
    }
    let media = Media {
        url,
        mime_type,
        medium,
        width,
        height,
        description: element.child(Ns::Media, "description").and_then(rss::plain).map(Arc::from),
    };
    if let Some(seconds) = element.attribute("duration").and_then(podcast::duration)
        && draft.duration.is_none()
    {
        draft.duration = Some(seconds);
    }
    draft.add_media(media);
}

/// Returns the medium of a file by the extension of its name, for media without a type.
fn medium_of_file(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "apng" | "avif" | "bmp" | "gif" | "heic" | "jfif" | "jpeg" | "jpg" | "jxl" | "png" | "svg" | "webp" => "image",
        "aac" | "flac" | "m4a" | "m4b" | "mp3" | "oga" | "ogg" | "opus" | "wav" => "audio",
        "swf" => "executable",
        "m3u8" | "m4v" | "mov" | "mp4" | "mpeg" | "mpg" | "ogv" | "webm" => "video",
        _ => return None,
    })
}
