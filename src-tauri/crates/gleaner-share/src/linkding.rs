//! Linkding: adds bookmarks. A bookmark with the same address is updated.

use crate::{
    Article, Service, ShareError, Web,
    web::{Login, address, below, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::{Value, json};
use url::Url;

pub struct Linkding {
    pub base: Url,
    pub token: String,
}

impl Linkding {
    fn login(&self) -> Login<'_> {
        Login::Header("Authorization", format!("Token {}", self.token))
    }
}

impl Service for Linkding {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let answer = web.get(below(&self.base, "/api/user/profile/"), self.login()).await?;
            read::<serde_json::Map<String, Value>>(&answer).map(drop)
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
            let answer = web.json(below(&self.base, "/api/bookmarks/"), self.login(), &body).await?;
            with("id", &answer)
        }
        .boxed()
    }
}
