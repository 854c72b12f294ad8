//! Decides which hosts a feed's icon may come from.

use gleaner_address::{is_private_host, is_web};
use gleaner_fetch::same_site;
use gleaner_library::WithoutIcon;
use url::Url;

/// The site of a feed.
pub(super) struct Sites {
    feed: Option<Url>,
    /// Address of the site's page as the feed names it, else the root of the feed's host.
    pub page: Option<Url>,
}

impl Sites {
    pub fn of(feed: &WithoutIcon) -> Self {
        let web = |url: &str| Url::parse(url).ok().filter(is_web);
        let address = web(&feed.url);
        let root = || address.as_ref().and_then(|url| url.join("/").ok());
        // For a feed on a private network, only its own host is contacted.
        let inside = address.as_ref().filter(|url| is_private_host(url));
        let known = |page: &Url| inside.is_none_or(|feed| feed.host() == page.host());
        let page = feed.home_url.as_deref().and_then(web).filter(known).or_else(root);
        Self { page, feed: address }
    }

    /// Whether an address belongs to the feed's own site.
    pub fn own(&self, url: &Url) -> bool {
        self.feed.iter().chain(&self.page).any(|site| same_site(site, url))
    }

    /// Returns the icon that the feed names, if it is on the feed's own site.
    pub fn named(&self, icon: Option<&str>) -> Vec<Url> {
        let url = icon.and_then(|icon| Url::parse(icon).ok());
        url.filter(|url| is_web(url) && self.own(url)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn accepts_icons_from_the_feeds_own_site_only() {
        let feed = |home: Option<&str>| WithoutIcon {
            id: 1,
            url: "https://feeds.example.net/a".to_owned(),
            home_url: home.map(str::to_owned),
            icon_url: None,
        };
        let named = |home, icon| Sites::of(&feed(home)).named(Some(icon)).len();
        assert_eq!(named(Some("https://a.example/blog/"), "https://static.a.example/i.png"), 1);
        assert_eq!(named(Some("https://a.example/blog/"), "https://feeds.example.net/i.png"), 1);
        for icon in ["https://icons.example.org/i.png", "data:image/png;base64,", "file:///i.png", "i.png"] {
            assert_eq!(named(Some("https://a.example/"), icon), 0, "{icon}");
        }
        let page = |home| Sites::of(&feed(home)).page.unwrap().to_string();
        assert_eq!(page(Some("https://a.example/blog/")), "https://a.example/blog/");
        assert_eq!(page(Some("mailto:a@a.example")), "https://feeds.example.net/");
        assert_eq!(page(None), "https://feeds.example.net/");
        let inside = WithoutIcon { url: "http://10.0.0.1/feed".to_owned(), ..feed(Some("https://a.example/")) };
        assert_eq!(Sites::of(&inside).page.unwrap().as_str(), "http://10.0.0.1/");
        let named_so = WithoutIcon { url: "http://nas.lan/feed".to_owned(), ..feed(Some("https://a.example/")) };
        assert_eq!(Sites::of(&named_so).page.unwrap().as_str(), "http://nas.lan/");
    }
}
