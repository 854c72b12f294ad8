//! Linkding: adds bookmarks. A bookmark with the same address is updated.

use crate::{
    Article, Service, ShareError, Web,
    token::TokenService,
    web::{address, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::{Value, json};
use url::Url;

pub struct Linkding(TokenService);

impl Linkding {
    pub fn new(base: Url, token: &str) -> Self {
        Self(TokenService::new(base, "Token", token))
    }
}

impl Service for Linkding {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let response = self.0.get(web, "/api/user/profile/").await?;
            read::<serde_json::Map<String, Value>>(&response).map(drop)
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            // Tags are single words there.
            let tags: Vec<String> = article.tags.iter().map(|tag| tag.replace([' ', ','], "-")).collect();
            let body = json!({
                "url": address(article)?,
                "title": article.title,
                "description": article.summary,
                "tag_names": tags,
            });
            let response = self.0.post(web, self.0.url("/api/bookmarks/"), &body).await?;
            with("id", &response)
        }
        .boxed()
    }
}
