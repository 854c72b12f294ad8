//! Examines a page that was received in place of a feed: whether it names another feed, and whether its domain is for sale. Pure.

use crate::parked;
use gleaner_discovery::Found;
use gleaner_feed::NotAFeed;
use gleaner_library::feed_key;
use url::Url;

/// A response that is not a feed.
pub(crate) struct NotFeed {
    pub(crate) error: NotAFeed,
    /// Whether the page offers the domain for sale.
    pub(crate) parked: bool,
    /// Address and title of another feed that the page or notice names.
    pub(crate) offered: Option<(String, Option<String>)>,
}

impl NotFeed {
    /// Examines a response. Requests nothing.
    pub(crate) fn of(error: NotAFeed, body: &[u8], content_type: Option<&str>, requested: &Url, ended: &Url) -> Self {
        if let NotAFeed::Moved { to } = &error {
            let offered = Some((to.clone(), None)).filter(|(to, _)| feed_key(to) != feed_key(requested.as_str()));
            return Self { error, parked: false, offered };
        }
        let is_page = matches!(&error, NotAFeed::Other { kind: gleaner_feed::DocumentKind::WebPage });
        if !is_page {
            return Self { error, parked: false, offered: None };
        }
        let another = |found: &Found| feed_key(found.url.as_str()) != feed_key(requested.as_str());
        let offered = gleaner_discovery::offered(body, content_type, ended).filter(another);
        let parked =
            parked::is_parked(&gleaner_content::decode_page(body, content_type), requested, ended, offered.is_some());
        Self { error, parked, offered: offered.map(|found| (found.url.to_string(), found.title)) }
    }
}
