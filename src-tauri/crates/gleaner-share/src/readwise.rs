//! Readwise Reader: adds documents by address.

use crate::{
    Article, Service, ShareError, Web,
    web::{Login, address, below, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::json;
use url::Url;

pub struct Readwise {
    pub base: Url,
    pub token: String,
}

impl Readwise {
    fn login(&self) -> Login<'_> {
        Login::Header("Authorization", format!("Token {}", self.token))
    }
}

impl Service for Readwise {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            // Status 204 without a body.
            let answer = web.get(below(&self.base, "/api/v2/auth/"), self.login()).await;
            match answer {
                Ok(answer) if answer.status == 204 => Ok(()),
                Ok(_) => Err(ShareError::InvalidResponse),
                Err(error) if error.kind == gleaner_fetch::FetchErrorKind::Http(204) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let body = json!({
                "url": address(article)?,
                "title": article.title,
                "author": article.author,
                "summary": article.summary,
                "published_date": article.published,
                "tags": article.tags,
                "saved_using": "Gleaner",
            });
            let answer = web.json(below(&self.base, "/api/v3/save/"), self.login(), &body).await?;
            with("id", &answer)
        }
        .boxed()
    }
}
