//! Podcasts: elements of Apple, Podcasting 2.0 (github.com/Podcastindex-org/podcast-namespace), Podlove Simple
//! Chapters and RawVoice.

use crate::{
    address,
    base::MAX_COLLECTED,
    categories,
    draft::{Draft, keep_first},
    model::{Chapter, Chapters, Feed, Funding, Media, Person, Transcript},
    modules::{Schedule, as_html, keywords},
    people, rss, text,
    tree::Element,
};
use std::sync::Arc;

/// Reads a child of an item in Apple's or Google's namespace.
pub(super) fn itunes_item(draft: &mut Draft, child: Element<'_>) {
    match &*super::name(child) {
        "title" if draft.other_title.is_none() => draft.other_title = rss::plain(child),
        "author" => people::add(&mut draft.itunes_authors, people::parse(&child.text())),
        "summary" | "description" => keep_first(&mut draft.bodies.other, as_html(child), None),
        "subtitle" => keep_first(&mut draft.bodies.subtitle, as_html(child), None),
        "link" if draft.itunes_image.is_none() => draft.itunes_image = linked_image(child),
        "image" if draft.itunes_image.is_none() => draft.itunes_image = image(child),
        "duration" if draft.duration.is_none() => draft.duration = duration(&child.text()),
        "keywords" => keywords(&mut draft.item.categories, child),
        "category" => category(&mut draft.item.categories, child),
        "season" if draft.item.season.is_none() => draft.item.season = number(child),
        "episode" if draft.item.episode.is_none() => draft.item.episode = episode(child),
        "episodetype" => draft.item.episode_type = text::line(&child.text()).map(|kind| kind.to_lowercase()),
        "explicit" => draft.item.explicit = explicit(&child.text()).or(draft.item.explicit),
        _ => {}
    }
}

/// Reads a child of a channel in Apple's or Google's namespace.
pub(super) fn itunes_feed(feed: &mut Feed, child: Element<'_>, late: &mut Schedule) {
    match &*super::name(child) {
        "author" => people::add(&mut late.authors, people::parse(&child.text())),
        "owner" => people::add(&mut late.owners, people::from_itunes_owner(child)),
        "summary" | "description" => late.description = rss::plain(child).or(late.description.take()),
        "subtitle" if late.description.is_none() => late.description = rss::plain(child),
        "image" if late.image.is_none() => late.image = image(child),
        "link" if late.image.is_none() => late.image = linked_image(child),
        "keywords" => keywords(&mut feed.categories, child),
        "category" => category(&mut feed.categories, child),
        "explicit" => feed.explicit = explicit(&child.text()).or(feed.explicit),
        _ => {}
    }
}

/// Reads a child of an item in the Podcasting 2.0 namespace.
pub(super) fn item_child(draft: &mut Draft, child: Element<'_>) {
    let address = |name: &str| child.address(name);
    match &*super::name(child) {
        "chapters" => {
            let chapters = draft.item.chapters.get_or_insert_default();
            if chapters.url.is_none() {
                chapters.url = address("url");
                chapters.mime_type = child.attribute("type").map(str::to_owned);
            }
        }
        "transcript" => {
            if let Some(url) = address("url") {
                let transcript = Transcript {
                    url,
                    mime_type: child.attribute("type").map(str::to_owned),
                    language: child.attribute("language").and_then(rss::language),
                    rel: child.attribute("rel").map(str::to_lowercase),
                };
                push_transcript(draft, transcript);
            }
        }
        "person" => people::add(&mut draft.item.contributors, person(child)),
        "season" => {
            draft.item.season = draft.item.season.or_else(|| number(child));
            draft.item.season_name = draft.item.season_name.take().or_else(|| label(child, "name"));
        }
        "episode" => {
            draft.item.episode = draft.item.episode.or_else(|| episode(child));
            draft.item.episode_display = draft.item.episode_display.take().or_else(|| label(child, "display"));
        }
        "image" | "images" if draft.itunes_image.is_none() => draft.itunes_image = image(child),
        "license" => license(&mut draft.item.license_url, &mut draft.item.rights, child),
        "alternateenclosure" => alternate_enclosure(draft, child),
        _ => {}
    }
}

/// Reads a child of a channel in the Podcasting 2.0 namespace.
pub(super) fn feed_child(feed: &mut Feed, child: Element<'_>, late: &mut Schedule) {
    match &*super::name(child) {
        "person" => people::add(&mut feed.contributors, person(child)),
        "funding" => funding(feed, child, "url"),
        "image" | "images" if late.image.is_none() => late.image = image(child),
        "license" => license(&mut feed.license_url, &mut feed.rights, child),
        "guid" if feed.id.is_none() => feed.id = child.trimmed(),
        _ => {}
    }
}

/// Adds a donation link whose URL is in the attribute `name`.
pub(super) fn funding(feed: &mut Feed, child: Element<'_>, name: &str) {
    if let Some(url) = child.address(name)
        && feed.funding.len() < MAX_COLLECTED
        && !feed.funding.iter().any(|f| f.url == url)
    {
        feed.funding.push(Funding { url, title: text::line_of_html(&child.text()) });
    }
}

pub(super) fn push_transcript(draft: &mut Draft, transcript: Transcript) {
    let list = &mut draft.item.transcripts;
    if list.len() < MAX_COLLECTED && !list.iter().any(|t| t.url == transcript.url) {
        list.push(transcript);
    }
}

/// Reads `psc:chapters` with its chapters.
pub(super) fn simple_chapters(draft: &mut Draft, element: Element<'_>) {
    let chapters = element.children().filter(|c| c.ns() == element.ns() && c.name() == "chapter").filter_map(|c| {
        let address = |name: &str| c.address(name);
        Some(Chapter {
            start_seconds: duration(c.attribute("start")?)?,
            title: c.attribute("title").and_then(text::line_of_html),
            url: address("href"),
            image_url: address("image"),
        })
    });
    add_chapters(draft, chapters);
}

/// Adds chapters, ordered by time.
pub(super) fn add_chapters(draft: &mut Draft, chapters: impl Iterator<Item = Chapter>) {
    let mut chapters = chapters.take(MAX_COLLECTED).peekable();
    if chapters.peek().is_some() {
        let list = &mut draft.item.chapters.get_or_insert_with(Chapters::default).list;
        list.extend(chapters);
        list.sort_by(|a, b| a.start_seconds.total_cmp(&b.start_seconds));
        list.truncate(MAX_COLLECTED);
    }
}

/// Reads `podcast:person` with its role; the default is host.
fn person(element: Element<'_>) -> Option<Person> {
    let address = |name: &str| element.address(name);
    Some(Person {
        name: Some(people::name_of(&text::line_of_html(&element.text())?)?),
        email: None,
        url: address("href"),
        role: Some(element.attribute("role").map_or_else(|| "host".to_owned(), str::to_lowercase)),
        image_url: address("img"),
    })
}

/// Reads the same episode in another form: size, language or video.
fn alternate_enclosure(draft: &mut Draft, element: Element<'_>) {
    let sources = element.children().filter(|c| c.ns() == element.ns() && c.name() == "source");
    let urls = sources.filter_map(|s| s.address("uri").or_else(|| s.address("url")));
    // The same file may also be in networks such as IPFS.
    let url = urls.min_by_key(|url| !address::is_web(url));
    let mime_type = element.attribute("type").map(str::to_owned);
    let medium = mime_type.as_deref().and_then(|t| t.split('/').next());
    let medium = medium.filter(|m| matches!(*m, "audio" | "video" | "image")).map(str::to_owned);
    if let Some(url) = url {
        let media = Media {
            url,
            mime_type,
            medium,
            width: None,
            height: element.attribute("height").and_then(|h| h.parse().ok()),
            description: element.attribute("title").and_then(text::line).map(Arc::from),
        };
        draft.add_media(media);
    }
}

/// Reads `podcast:license`: a URL, or a name instead.
fn license(url: &mut Option<String>, rights: &mut Option<String>, element: Element<'_>) {
    if url.is_none() {
        *url = element.address("url");
    }
    if rights.is_none() {
        *rights = text::line_of_html(&element.text());
    }
}

fn image(element: Element<'_>) -> Option<String> {
    // Some write the attribute of XLink.
    let linked =
        || element.attributes().find(|(_, name, _)| name.eq_ignore_ascii_case("href")).map(|(.., url)| url.trim());
    let written = element.attribute("href").or_else(|| element.attribute("url")).or_else(linked).map(str::to_owned);
    // Older versions of Podcasting 2.0 had a set, the largest first.
    let written = written.or_else(|| element.attribute("srcset")?.split([',', ' ']).next().map(str::to_owned));
    let written = written.or_else(|| element.children().find(|c| c.name() == "url").and_then(|u| u.trimmed()));
    element.base().absolute(&written.or_else(|| element.trimmed())?)
}

/// Reads the image of early podcasts: `<itunes:link rel="image" type="video/jpeg" href="…">`.
fn linked_image(element: Element<'_>) -> Option<String> {
    element.attribute("rel").filter(|rel| rel.eq_ignore_ascii_case("image")).and_then(|_| image(element))
}

/// Reads a category and those within it; the tree limits the depth of recursion.
fn category(list: &mut Vec<crate::model::Category>, element: Element<'_>) {
    let term = element.attribute("text").map(str::to_owned).or_else(|| text::line(&element.own_text()));
    if let Some(term) = term {
        categories::add(list, &term, None, None);
    }
    element.children().filter(|c| super::name(*c) == "category").for_each(|child| category(list, child));
}

fn number(element: Element<'_>) -> Option<u32> {
    element.text().trim().parse().ok()
}

fn episode(element: Element<'_>) -> Option<f64> {
    element.text().trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// Returns an attribute that is shown instead of a number.
fn label(element: Element<'_>, name: &str) -> Option<String> {
    element.attribute(name).and_then(text::line)
}

/// Parses `yes`, `true` and `explicit`, or `no`, `false` and `clean`.
pub(super) fn explicit(written: &str) -> Option<bool> {
    match written.trim().to_ascii_lowercase().as_str() {
        "yes" | "true" | "explicit" | "1" => Some(true),
        "no" | "false" | "clean" | "0" => Some(false),
        _ => None,
    }
}

/// Signs in durations, and what they stand for, the double ones first.
const SIGNS: [(&str, &str); 9] =
    [("''", "s"), ("′′", "s"), ("\"", "s"), ("″", "s"), ("”", "s"), ("'", "m"), ("′", "m"), ("’", "m"), (";", ":")];

/// Parses a duration to seconds: `3723`, `62:03`, `1:02:03.5`, `01;02;03`, `1h 2m 3s`, `1h02`, `62 min`, `62'03"`, `PT1H2M3S` (ISO 8601).
pub(crate) fn duration(written: &str) -> Option<f64> {
    let mut written = written.trim().to_ascii_lowercase();
    for (sign, unit) in SIGNS {
        if written.contains(sign) {
            written = written.replace(sign, unit);
        }
    }
    let number = |part: &str| part.trim().parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0);
    if let Some(end) = written.find(|c: char| c.is_ascii_alphabetic()) {
        let (mut seconds, mut last) = (0.0, None);
        let mut rest = match written.strip_prefix('p') {
            Some(iso) => iso,
            None if end == 0 => return None,
            None => &written,
        };
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, 't' | ',' | '.'));
            if rest.is_empty() {
                return (seconds > 0.0).then_some(seconds);
            }
            let Some(unit) = rest.find(|c: char| c.is_ascii_alphabetic()) else {
                // `1h02`, `62m03`: the unit after that of the last number.
                let value = Some(rest).filter(|rest| rest.len() == 2).and_then(number)?;
                return last.filter(|last| *last > 1.0 && *last <= 3600.0).map(|last| seconds + value * last / 60.0);
            };
            let value: f64 = number(rest.get(..unit)?)?;
            rest = rest.get(unit..)?;
            let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            let length = match rest.get(..end)? {
                "d" | "dt" | "day" | "days" => 86_400.0,
                "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
                "m" | "mn" | "min" | "mins" | "minute" | "minutes" => 60.0,
                "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
                _ => return None,
            };
            seconds += value * length;
            last = Some(length);
            rest = rest.get(end..)?;
        }
    }
    let mut seconds = 0.0;
    for part in written.split(':') {
        seconds = seconds * 60.0 + number(part)?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_durations() {
        for (written, seconds) in [
            ("3723", 3723.0),
            (" 62:03 ", 3723.0),
            ("1:02:03.5", 3723.5),
            ("1h 2m 3s", 3723.0),
            ("62 min", 3720.0),
            ("1 hour, 2 minutes", 3720.0),
            ("PT1H2M3S", 3723.0),
            ("P1DT1M", 86_460.0),
            ("01;02;03", 3723.0),
            ("62'03\"", 3723.0),
            ("62' 03''", 3723.0),
            ("62′03″", 3723.0),
            ("62'", 3720.0),
            ("1h02", 3720.0),
            ("62m03", 3723.0),
        ] {
            assert_eq!(duration(written), Some(seconds), "{written}");
        }
        for written in ["", "-5", "soon", "1:x", "5 parsecs", "NaN", "1:02:", "1h2", "1s02", "1d02", ";", "'"] {
            assert_eq!(duration(written), None, "{written}");
        }
    }
}
