//! Karakeep (formerly Hoarder): adds links, and tags in a second request.

use crate::{
    Article, Service, ShareError, Web,
    web::{Login, address, below, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

pub struct Karakeep {
    pub base: Url,
    pub token: String,
}

#[derive(Deserialize)]
struct Bookmark {
    id: String,
}

impl Karakeep {
    fn login(&self) -> Login<'_> {
        Login::Header("Authorization", format!("Bearer {}", self.token))
    }
}

impl Service for Karakeep {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let answer = web.get(below(&self.base, "/api/v1/users/me"), self.login()).await?;
            with("id", &answer)
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let body = json!({ "type": "link", "url": address(article)?, "title": article.title });
            let answer = web.json(below(&self.base, "/api/v1/bookmarks"), self.login(), &body).await?;
            let Bookmark { id } = read(&answer)?;
            if article.tags.is_empty() {
                return Ok(());
            }
            let tags: Vec<Value> = article.tags.iter().map(|tag| json!({ "tagName": tag })).collect();
            let mut url = below(&self.base, "/api/v1/bookmarks");
            if let Ok(mut path) = url.path_segments_mut() {
                path.push(&id).push("tags");
            }
            let answer = web.json(url, self.login(), &json!({ "tags": tags })).await?;
            with("attached", &answer)
        }
        .boxed()
    }
}
