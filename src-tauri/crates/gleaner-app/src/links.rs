//! Links that leave Gleaner: only schemes that cannot run code, and only through the system's browser.

use crate::{
    App,
    error::{AppError, Result},
};
use gleaner_address::is_web;
use gleaner_content::without_tracking;
use gleaner_contract::{ArticleId, ErrorCode, Event, OpenLink, OpenSuspiciousLink, SearchSite, SetSuspiciousLinks};
use url::Url;

/// Maximum length of a text for the search box of a site, in characters.
const MAX_SEARCH: usize = 1000;
/// Schemes that a link may have. Others could start programs.
const OPENED: [&str; 3] = ["https", "http", "mailto"];

/// Opens a link that the user clicked, or asks for a confirmation first. Returns whether the main window asks. `behind`: a browser opens
/// behind the window.
pub fn follow(app: &App, url: &Url, behind: bool) -> bool {
    let suspicious = app.session().suspicious_links.contains(url);
    if suspicious {
        app.emit(Event::SuspiciousLinkClicked(url.to_string()));
    } else {
        open(app, url, behind && is_web(url));
    }
    suspicious
}

/// Opens a link that the user chose in a menu, as [`follow`] does.
pub async fn open_link(app: &App, args: OpenLink) -> Result<()> {
    match Url::parse(&args.address) {
        Ok(url) => drop(follow(app, &url, args.behind)),
        Err(_) => app.emit(Event::LinkRefused(args.address)),
    }
    Ok(())
}

/// Opens an address in the browser without its tracking parameters, or reports that it may not be opened.
pub(crate) fn open(app: &App, url: &Url, behind: bool) {
    let Some(platform) = app.platform().ok().filter(|_| OPENED.contains(&url.scheme())) else {
        app.emit(Event::LinkRefused(url.to_string()));
        return;
    };
    let url = clean(url);
    let (events, address) = (app.clone(), url.to_string());
    let failed = move || events.emit(Event::BrowserFailed(address));
    platform.open_url(url, behind, Box::new(failed));
}

/// Returns the address of a link as it is opened and copied, without tracking parameters.
pub(crate) fn shown_link(address: String) -> String {
    without_tracking(&address).into_owned()
}

fn clean(url: &Url) -> Url {
    Url::parse(&without_tracking(url.as_str())).unwrap_or_else(|_| url.clone())
}

/// Opens the web page of an article.
pub async fn open_in_browser(app: &App, args: ArticleId) -> Result<()> {
    open(app, &address(app, args.id).await?, false);
    Ok(())
}

/// Opens the web page of an article behind the window.
pub async fn open_in_background(app: &App, args: ArticleId) -> Result<()> {
    open(app, &address(app, args.id).await?, true);
    Ok(())
}

async fn address(app: &App, id: i64) -> Result<Url> {
    let item = app.core().await?.library.articles().get(id).await?;
    let url = item.url.as_deref().and_then(|url| Url::parse(url).ok());
    url.ok_or_else(|| AppError::new(ErrorCode::NotFound, "the article has no link"))
}

/// Sends a text to the search box of a feed's site.
pub async fn search_site(app: &App, args: SearchSite) -> Result<()> {
    let head = app.core().await?.library.feeds().head(args.feed_id).await?;
    let input = head.text_input.filter(|_| args.text.chars().count() <= MAX_SEARCH);
    let url = input.and_then(|input| search_address(&input.link, &input.name, args.text.trim()));
    let Some(url) = url else { return Err(AppError::new(ErrorCode::NotFound, "the feed has no search box")) };
    open(app, &url, false);
    Ok(())
}

/// Sets the suspicious links of the open article.
pub async fn set_suspicious_links(app: &App, args: SetSuspiciousLinks) -> Result<()> {
    app.session().suspicious_links.replace(&args.addresses);
    Ok(())
}

/// Opens a suspicious link that the user confirmed.
pub async fn open_suspicious_link(app: &App, args: OpenSuspiciousLink) -> Result<()> {
    let url = Url::parse(&args.address).ok().filter(|url| app.session().suspicious_links.contains(url));
    let Some(url) = url else { return Err(AppError::new(ErrorCode::NotFound, "the open article has no such link")) };
    open(app, &url, false);
    Ok(())
}

/// The address that a search box requests: its link with the text as a query parameter (RSS 2.0, `textInput`).
fn search_address(link: &str, name: &str, text: &str) -> Option<Url> {
    let mut url = Url::parse(link).ok().filter(is_web)?;
    url.query_pairs_mut().append_pair(name, text);
    Some(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_search_box_requests_its_own_site_only() {
        let to = |link: &str, text: &str| search_address(link, "q", text).map(|url| url.to_string());
        assert_eq!(
            to("https://a.example/find", "rice & wheat").as_deref(),
            Some("https://a.example/find?q=rice+%26+wheat")
        );
        assert_eq!(to("http://a.example/?in=all", "ü#").as_deref(), Some("http://a.example/?in=all&q=%C3%BC%23"));
        for link in ["javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "/find", ""] {
            assert_eq!(to(link, "x"), None, "{link}");
        }
    }

    #[test]
    fn links_are_opened_without_tracking_parameters() {
        let opened = |link: &str| clean(&Url::parse(link).unwrap()).to_string();
        assert_eq!(opened("https://a.example/x?utm_source=rss&p=%2f&ref=b#c"), "https://a.example/x?p=%2f&ref=b#c");
        assert_eq!(opened("mailto:a@b.example?subject=utm_source=1"), "mailto:a@b.example?subject=utm_source=1");
    }
}
