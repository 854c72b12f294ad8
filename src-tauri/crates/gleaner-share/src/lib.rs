//! Saves articles in other services: read-later lists, bookmarks, a folder of notes, a webhook. A [`Service`] is the adapter of one of
//! them; it checks a login and saves one article. The caller queues articles and retries.

mod error;
mod folder;
mod instapaper;
mod karakeep;
mod linkding;
mod mail;
mod model;
mod readwise;
mod token;
mod wallabag;
mod web;
mod webhook;
mod zotero;

pub use error::ShareError;
pub use mail::mail;
pub use model::{Article, Kind, Target, UnknownKind};
pub use web::Web;

use futures::future::BoxFuture;
use gleaner_address::is_web;
use url::Url;

/// The adapter of one service.
pub trait Service: Send + Sync {
    /// Checks the address and the login, and changes nothing.
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>>;

    /// Saves an article. Saving it again does not duplicate it, if the service allows that.
    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>>;
}

/// Returns the adapter of a service.
///
/// # Errors [`ShareError::Address`] if the address is not a web address.
pub fn service(kind: Kind, target: Target) -> Result<Box<dyn Service>, ShareError> {
    if kind == Kind::Folder {
        return Ok(Box::new(folder::Folder { path: target.address.into() }));
    }
    let base = Url::parse(&target.address).ok().filter(is_web);
    let base = base.ok_or(ShareError::Address)?;
    Ok(match kind {
        Kind::Wallabag => Box::new(wallabag::Wallabag::new(base, target)),
        Kind::Readwise => Box::new(readwise::Readwise::new(base, &target.secret)),
        Kind::Instapaper => Box::new(instapaper::Instapaper { base, user: target.user, password: target.secret }),
        Kind::Linkding => Box::new(linkding::Linkding::new(base, &target.secret)),
        Kind::Karakeep => Box::new(karakeep::Karakeep::new(base, &target.secret)),
        Kind::Zotero => Box::new(zotero::Zotero { base }),
        Kind::Webhook | Kind::Folder => Box::new(webhook::Webhook { address: base, secret: target.secret }),
    })
}
