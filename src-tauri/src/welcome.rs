//! The bundled welcome feed: something to read before any network. It goes the way of every other feed, from its
//! second step on.

use gleaner_feed::Context;
use gleaner_library::{Incoming, Library, LibraryError, NewSubscription, Poll, now};
use gleaner_polling::{
    decide::{self, Known},
    rules::FeedRules,
};

const FEED: &[u8] = include_bytes!("../assets/welcome.xml");
const URL: &str = "gleaner:welcome";
/// Set once it was brought: whoever leaves it is not given it again.
const BROUGHT: &str = "welcome_brought";

/// Brings the welcome feed into a library that never had it.
pub async fn install(library: &Library) -> Result<(), LibraryError> {
    if library.setting(BROUGHT).await?.is_some() {
        return Ok(());
    }
    let parsed = gleaner_feed::parse(FEED, Context { content_type: Some("application/atom+xml"), base_url: None })
        .map_err(|error| LibraryError::Invalid(format!("the bundled welcome feed: {error}")))?;
    let subscription = NewSubscription { url: URL.to_owned(), local: true, ..NewSubscription::default() };
    let feed_id = match library.subscribe(&subscription).await {
        Ok(id) | Err(LibraryError::AlreadySubscribed(id)) => id,
        Err(error) => return Err(error),
    };
    let incoming = Incoming {
        poll: Poll { feed_id, ..Poll::default() },
        facts: Some(decide::facts(&parsed)),
        intents: decide::intents(decide::identities(&parsed), &Known::default(), now(), &FeedRules::default()),
        ..Incoming::default()
    };
    library.store(&[&incoming]).await?;
    library.set_setting(BROUGHT, "true").await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_welcome_feed_is_well_formed_and_has_something_to_say() {
        let parsed = gleaner_feed::parse(FEED, Context::default()).unwrap();
        assert!(parsed.well_formed, "{:?}", parsed.repairs);
        assert!(parsed.items.len() >= 5);
    }
}
