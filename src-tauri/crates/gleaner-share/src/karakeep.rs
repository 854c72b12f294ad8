//! Karakeep (formerly Hoarder): adds links, and tags in a second request.

use crate::{
    Article, Service, ShareError, Web,
    token::TokenService,
    web::{address, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_fetch::FetchErrorKind;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

pub struct Karakeep(TokenService);

#[derive(Deserialize)]
struct Bookmark {
    id: String,
}

impl Karakeep {
    pub fn new(base: Url, token: &str) -> Self {
        Self(TokenService::new(base, "Bearer", token))
    }
}

impl Service for Karakeep {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let response = self.0.get(web, self.0.url("/api/v1/users/me")).await?;
            with("id", &response)
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let mut body = json!({ "type": "link", "url": address(article)?, "title": article.title });
            let mut response = self.0.post(web, self.0.url("/api/v1/bookmarks"), &body).await;
            // A title may have 1000 characters, in older versions only 100. Without one it takes that of the page.
            if matches!(&response, Err(error) if error.kind == FetchErrorKind::Http(400)) {
                body["title"] = Value::Null;
                response = self.0.post(web, self.0.url("/api/v1/bookmarks"), &body).await;
            }
            let response = response?;
            let Bookmark { id } = read(&response)?;
            if article.tags.is_empty() {
                return Ok(());
            }
            let tags: Vec<Value> = article.tags.iter().map(|tag| json!({ "tagName": tag })).collect();
            let mut url = self.0.url("/api/v1/bookmarks");
            if let Ok(mut path) = url.path_segments_mut() {
                path.push(&id).push("tags");
            }
            let response = self.0.post(web, url, &json!({ "tags": tags })).await?;
            with("attached", &response)
        }
        .boxed()
    }
}
