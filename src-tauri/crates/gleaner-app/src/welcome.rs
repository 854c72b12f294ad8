//! The bundled welcome feed, so that there is something to read at first start. It is stored like any other feed.

use gleaner_feed::Context;
use gleaner_identity::Known;
use gleaner_library::{Incoming, Library, LibraryError, NewSubscription, now};
use gleaner_polling::{decide, rules::FeedRules};

const FEED: &[u8] = include_bytes!("../assets/welcome.xml");
const URL: &str = "gleaner:welcome";
/// Set once the feed was added, so that it does not return after the user unsubscribes.
const BROUGHT: &str = "welcome_brought";

/// Adds the welcome feed to a library that never had it.
pub(crate) async fn install(library: &Library) -> Result<(), LibraryError> {
    if library.settings().get(BROUGHT).await?.is_some() {
        return Ok(());
    }
    let parsed = gleaner_feed::parse(FEED, Context { content_type: Some("application/atom+xml"), base_url: None })
        .map_err(|error| LibraryError::Invalid(format!("the bundled welcome feed: {error}")))?;
    let subscription = NewSubscription { local: true, ..NewSubscription::new(URL) };
    let feed_id = match library.subscriptions().add(&subscription).await {
        Ok(id) | Err(LibraryError::AlreadySubscribed(id)) => id,
        Err(error) => return Err(error),
    };
    let intents = decide::intents(decide::identities(&parsed), &Known::default(), now(), &FeedRules::default());
    let incoming = Incoming { facts: Some(decide::facts(&parsed)), ..Incoming::of_items(feed_id, intents) };
    library.polls().store(&[&incoming]).await?;
    library.settings().set(BROUGHT, "true").await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_welcome_feed_is_well_formed_and_has_articles() {
        let parsed = gleaner_feed::parse(FEED, Context::default()).unwrap();
        assert!(parsed.well_formed, "{:?}", parsed.repairs);
        assert!(parsed.items.len() >= 5);
    }
}
