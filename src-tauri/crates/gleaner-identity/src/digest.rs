use gleaner_feed::Item;

/// Length of a stored digest, in bytes.
const LENGTH: usize = 16;

/// Returns the digest of a response body.
#[must_use]
pub fn short_digest(body: &[u8]) -> Vec<u8> {
    blake3::hash(body).as_bytes()[..LENGTH].to_vec()
}

/// Returns the digest of all data of an item that users see. Equal digests mean that the item did not change.
#[must_use]
pub fn digest(item: &Item) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    let mut part = |text: Option<&str>| {
        // The length separates adjacent fields, and distinguishes a missing field from an empty one.
        let length = text.map_or(u64::MAX, |text| text.len() as u64);
        hasher.update(&length.to_le_bytes());
        hasher.update(text.unwrap_or("").as_bytes());
    };
    part(item.title.as_deref());
    part(item.url.as_deref());
    part(item.content.as_ref().map(|body| body.html.as_str()));
    part(item.summary.as_ref().map(|body| body.html.as_str()));
    part(author(item).as_deref());
    for moment in [item.published, item.updated] {
        part(moment.map(|moment| moment.timestamp_millis().to_string()).as_deref());
    }
    for enclosure in &item.enclosures {
        part(Some(&enclosure.url));
    }
    hasher.finalize().as_bytes()[..LENGTH].to_vec()
}

/// Returns the names of the authors in one line, or the addresses of those without a name.
#[must_use]
pub fn author(item: &Item) -> Option<String> {
    let names: Vec<&str> =
        item.authors.iter().filter_map(|person| person.name.as_deref().or(person.email.as_deref())).collect();
    if names.is_empty() { None } else { Some(names.join(", ")) }
}
