//! An item while it is read, with all candidates for its date, title and body.

use crate::{
    address,
    base::{Base, MAX_COLLECTED},
    dates,
    dates::Moment,
    leftover,
    model::{Body, ContentKind, Item, Media, Person},
    services, text, thumbnail, truncated,
};
use gleaner_html::tokens::{Token, Tokens};
use std::sync::Arc;

/// The dates of an item: of each kind the last readable one, which is from the latest edit.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    pub(crate) dc: Option<Moment>,
    pub(crate) published: Option<Moment>,
    pub(crate) pub_date: Option<Moment>,
    pub(crate) created: Option<Moment>,
    /// That of an article of a journal.
    pub(crate) prism: Option<Moment>,
    pub(crate) updated: Option<Moment>,
    /// Whether an unreadable date was found.
    pub(crate) unreadable: bool,
}

impl Moments {
    /// Parses a date of the document of `base` into its slot.
    pub(crate) fn read(&mut self, slot: fn(&mut Self) -> &mut Option<Moment>, written: &str, base: &Base) {
        let moment = base.orders.parse(written);
        let slot = slot(self);
        *slot = moment.or(*slot);
        let is_missing = slot.is_none();
        self.unreadable |= is_missing && !written.trim().is_empty();
    }
}

/// The bodies of an item, of each kind the first one that displays anything, or else the first one.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// `content:encoded`, `atom:content`, `xhtml:body`: the complete content.
    pub(crate) full: Option<Body>,
    /// `yandex:full-text`, `turbo:content`: the complete content for a service, often without images.
    pub(crate) for_services: Option<Body>,
    /// `atom:summary`: the short form.
    pub(crate) summary: Option<Body>,
    /// `description`: the complete content or a summary.
    pub(crate) description: Option<Body>,
    /// iTunes, Media RSS, Dublin Core: used if there is nothing better.
    pub(crate) other: Option<Body>,
    /// `itunes:subtitle`: used if there is nothing else.
    pub(crate) subtitle: Option<Body>,
}

/// Maximum length in bytes of a first body that is replaced if it displays nothing: it is read again for each later one.
const MAX_EMPTY: usize = 1000;

pub(crate) fn keep_first(slot: &mut Option<Body>, html: String, base: Option<Arc<str>>) {
    let is_better = match slot {
        // A program wrote the latter two for a missing text.
        None => !matches!(html.trim(), "" | "null" | "undefined"),
        Some(first) => first.html.len() <= MAX_EMPTY && displays_anything(&html) && !displays_anything(&first.html),
    };
    if is_better {
        *slot = Some(Body { html, base });
    }
}

impl Bodies {
    /// Removes the bodies that display nothing, unless there are no others.
    fn remove_empty(&mut self) {
        let Self { full, for_services, summary, description, other, subtitle } = self;
        let slots = [full, for_services, summary, description, other, subtitle];
        let displays = slots.each_ref().map(|slot| slot.as_ref().is_some_and(|body| displays_anything(&body.html)));
        if displays.contains(&true) {
            slots.into_iter().zip(displays).filter(|(_, displays)| !displays).for_each(|(slot, _)| *slot = None);
        }
    }
}

/// Whether HTML displays any text or media. Reads only as far as the first of it.
fn displays_anything(html: &str) -> bool {
    let mut tokens = Tokens::new(html);
    let displays = tokens.any(|token| match token {
        Token::Start(tag) => text::is_media(&tag.name),
        Token::End(_) => false,
        Token::Text(text) => has_text(text),
        Token::Raw { of, text } => !matches!(of, "script" | "style") && has_text(text),
    });
    // To HTML an escaped CDATA section is a comment.
    displays || html.contains("<![CDATA[")
}

/// Whether HTML without tags has visible characters.
fn has_text(text: &str) -> bool {
    let mut rest = text;
    while let Some(from) = rest.find(is_visible_character).and_then(|at| rest.get(at..)) {
        // It may be a reference to white space.
        let reference = if from.starts_with('&') { text::reference(from) } else { None };
        match reference {
            Some((decoded, length)) if !is_visible_character(decoded.first) => {
                rest = from.get(length..).unwrap_or_default();
            }
            _ => return true,
        }
    }
    false
}

/// Whether plain text has visible characters.
fn is_visible(text: &str) -> bool {
    text.contains(is_visible_character)
}

fn is_visible_character(c: char) -> bool {
    let is_mark = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    !is_mark && !c.is_whitespace() && !c.is_control()
}

#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The fields that are final as read.
    pub(crate) item: Item,
    pub(crate) guid: Option<String>,
    pub(crate) atom_id: Option<String>,
    pub(crate) about: Option<String>,
    pub(crate) link: Option<String>,
    /// The original link replaced by FeedBurner's redirect.
    pub(crate) orig_link: Option<String>,
    pub(crate) orig_enclosure: Option<String>,
    /// `media:player`: a page that plays the media.
    pub(crate) player: Option<String>,
    /// `source:markdown`: the source of the content, used if there is nothing else.
    pub(crate) markdown: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) other_title: Option<String>,
    pub(crate) moments: Moments,
    pub(crate) bodies: Bodies,
    pub(crate) creators: Vec<Person>,
    pub(crate) authors: Vec<Person>,
    pub(crate) itunes_authors: Vec<Person>,
    pub(crate) source_authors: Vec<Person>,
    pub(crate) itunes_image: Option<String>,
    /// A thumbnail outside of Media RSS, which is often smaller than another image.
    pub(crate) thumbnail: Option<String>,
    /// Width of the thumbnail of Media RSS, in pixels.
    pub(crate) thumbnail_width: Option<u32>,
    pub(crate) duration: Option<f64>,
    pub(crate) is_atom: bool,
    /// Whether the external URL is that of a `related` link.
    pub(crate) has_related: bool,
    /// Whether the guid is explicitly a permalink; then it may be relative.
    pub(crate) is_explicit_permalink: bool,
}

/// Length in characters from which a description counts as the full article.
const FULL_DESCRIPTION: usize = 1000;
/// Maximum length of a title made from the content, in characters.
const MAX_TITLE_FROM_CONTENT: usize = 100;

impl Draft {
    /// Adds a media object unless its URL is a duplicate.
    pub(crate) fn add_media(&mut self, media: Media) {
        if self.item.media.len() < MAX_COLLECTED && !self.item.media.iter().any(|m| m.url == media.url) {
            self.item.media.push(media);
        }
    }

    /// Builds the item. [`crate::finish`] adds the fields that depend on the feed.
    pub(crate) fn finish(mut self, base: &Base) -> Item {
        self.item.url = self.url(base);
        self.set_dates(base);
        self.set_bodies();
        self.set_title();
        self.set_authors();
        self.set_enclosure();
        self.set_thumbnail();
        let mut item = self.item;
        item.id = self.guid.or(self.atom_id).or(self.about).unwrap_or_default();
        item
    }

    /// Takes the item's address: its link, else its guid, id or other name if that is an address.
    fn url(&mut self, base: &Base) -> Option<String> {
        let link = self.link.take().or_else(|| base.absolute(self.permalink()?)).or_else(|| self.orig_link.take());
        let web = |name: &Option<String>| name.clone().filter(|name| address::is_web(name));
        let other = link.or_else(|| web(&self.about)).or_else(|| web(&self.atom_id).filter(|_| self.is_atom));
        other.or_else(|| self.player.take())
    }

    /// Returns the guid if it is a permalink.
    fn permalink(&self) -> Option<&str> {
        let guid = self.guid.as_deref().filter(|_| self.item.guid_is_permalink == Some(true))?;
        // Names such as `tag:` and `urn:` are not addresses, regardless of the attribute or its default.
        let may_be = if address::is_absolute(guid) {
            guid.contains("://")
        } else {
            (self.is_explicit_permalink || guid.starts_with('/')) && !guid.contains(char::is_whitespace)
        };
        may_be.then_some(guid)
    }

    /// Selects the dates of publication and of the last update.
    fn set_dates(&mut self, base: &Base) {
        let Moments { dc, published, pub_date, created, prism, updated, unreadable } = self.moments;
        [dc, published, pub_date, created, prism, updated]
            .into_iter()
            .flatten()
            .for_each(|moment| base.orders.record(moment));
        // Dublin Core is more precise than RSS's own date, but foreign to Atom.
        let (own, other) = if self.is_atom { (published, dc) } else { (dc, published) };
        let first = dates::first([own, other, pub_date, created, prism]);
        self.item.published = first.map(|m| m.at);
        self.item.updated = updated.map(|m| m.at);
        self.item.date_uncertain = first.or(updated).map_or(unreadable, |m| m.uncertain);
    }

    /// Selects the content and the summary.
    fn set_bodies(&mut self) {
        self.bodies.remove_empty();
        let Bodies { full, for_services, summary, description, other, subtitle } = std::mem::take(&mut self.bodies);
        let other = other.or(subtitle);
        let length = |body: &Option<Body>| body.as_ref().map_or(0, |body| body.html.len());
        let for_services = for_services.filter(|body| body.html.len() > length(&description));
        let full = full.or_else(|| Some(services::with_images_of(for_services?, description.as_ref())));
        self.item.content_kind = match (&full, &description) {
            (Some(_), _) => ContentKind::Full,
            (None, Some(d)) if d.html.len() >= FULL_DESCRIPTION => ContentKind::Full,
            (None, None) if summary.is_none() && other.is_none() => ContentKind::None,
            _ => ContentKind::Summary,
        };
        // In RSS, a summary may be an excerpt of the description.
        let (longer, shorter) = if !self.is_atom && length(&description) > length(&summary) {
            (description, summary)
        } else {
            (summary, description)
        };
        let mut bodies: Vec<Body> = [full, longer, shorter, other].into_iter().flatten().collect();
        if let Some(whole) = truncated::continuation(&bodies) {
            let whole = bodies.remove(whole);
            if whole.html.len() >= FULL_DESCRIPTION {
                self.item.content_kind = ContentKind::Full;
            }
            bodies.insert(0, whole);
        }
        let mut bodies = bodies.into_iter();
        let content = bodies.next();
        self.item.summary = bodies.find(|short| content.as_ref().is_none_or(|c| c.html.trim() != short.html.trim()));
        self.item.content = content;
        if self.item.content.is_none()
            && let Some(markdown) = self.markdown.take()
        {
            // Markdown is made to be readable as it is.
            self.item.content = Some(Body { html: text::to_html(&markdown), base: None });
            self.item.content_kind = ContentKind::Full;
        }
    }

    /// Selects the title, or makes one from the content or the description of an image.
    fn set_title(&mut self) {
        let given = [self.title.take(), self.other_title.take()].into_iter().flatten().find(|title| is_visible(title));
        let item = &mut self.item;
        item.title = given.map(|title| leftover::decoded(&title).unwrap_or(title));
        if item.title.is_none()
            && let Some(line) = [&item.content, &item.summary]
                .into_iter()
                .flatten()
                .find_map(|b| text::first_line_of_html(&b.html, MAX_TITLE_FROM_CONTENT))
        {
            item.title = Some(line);
            item.title_from_content = true;
        }

        // A post of images alone, with alternative texts.
        if item.title.is_none()
            && item.content.is_none()
            && let Some(line) = item.media.iter().find_map(|media| text::line(media.description.as_deref()?))
        {
            item.title = Some(text::shorten(&line, MAX_TITLE_FROM_CONTENT));
            item.title_from_content = true;
        }
    }

    /// Selects the authors.
    fn set_authors(&mut self) {
        let mut candidates =
            [&mut self.creators, &mut self.authors, &mut self.itunes_authors, &mut self.source_authors];
        // Many RSS feeds have only the author's email address there, and the name in a module. The author of a source is not another name.
        let own = candidates.iter().take(3);
        let named = own.map(|list| list.iter().any(|author| author.name.is_some())).position(|is_named| is_named);
        let chosen = named.or_else(|| candidates.iter().position(|list| !list.is_empty()));
        let authors = chosen.and_then(|at| candidates.get_mut(at)).map(|list| std::mem::take(*list));
        self.item.authors = authors.map(Arc::from).unwrap_or_default();
    }

    /// Completes the first enclosure with the item's data about it.
    fn set_enclosure(&mut self) {
        if let Some(enclosure) = self.item.enclosures.first_mut() {
            enclosure.duration_seconds = enclosure.duration_seconds.or(self.duration);
            if let Some(url) = self.orig_enclosure.take() {
                enclosure.url = url;
            }
        }
    }

    /// Selects the thumbnail.
    fn set_thumbnail(&mut self) {
        let item = &mut self.item;
        // A thumbnail that is not sharp, next to the image itself.
        if self.thumbnail_width.is_some_and(|width| width < thumbnail::SHARP)
            && let Some(image) = thumbnail::image(&item.media)
            && image.width.is_some_and(|width| (thumbnail::SHARP..=thumbnail::LARGE).contains(&width))
        {
            item.thumbnail_url = Some(image.url.clone());
        }
        if item.thumbnail_url.is_none() {
            let image = || thumbnail::image(&item.media).map(|image| image.url.clone());
            item.thumbnail_url = self.itunes_image.take().or_else(image).or_else(|| self.thumbnail.take());
        }
    }
}
