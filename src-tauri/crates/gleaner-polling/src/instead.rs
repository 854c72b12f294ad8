//! What is there where a feed was: a page, and what it says of another feed, or of its domain. Pure.

use crate::parked;
use gleaner_discovery::Found;
use gleaner_feed::NotAFeed;
use gleaner_library::feed_key;
use url::Url;

/// What is there where a feed was.
pub(crate) struct Instead {
    pub(crate) error: NotAFeed,
    /// A page that offers the domain for sale.
    pub(crate) parked: bool,
    /// The feed that a page of the site names: where it is, and what it is called.
    pub(crate) offered: Option<(String, Option<String>)>,
}

impl Instead {
    /// Looks at the page that came; nothing is asked for.
    pub(crate) fn of(error: NotAFeed, body: &[u8], content_type: Option<&str>, asked: &Url, ended: &Url) -> Self {
        let is_page = matches!(&error, NotAFeed::Other { what } if what == gleaner_feed::WEB_PAGE);
        if !is_page {
            return Self { error, parked: false, offered: None };
        }
        let another = |found: &Found| feed_key(found.url.as_str()) != feed_key(asked.as_str());
        let offered = gleaner_discovery::offered(body, content_type, ended).filter(another);
        let parked =
            parked::is_parked(&gleaner_content::decode_page(body, content_type), asked, ended, offered.is_some());
        Self { error, parked, offered: offered.map(|found| (found.url.to_string(), found.title)) }
    }
}
