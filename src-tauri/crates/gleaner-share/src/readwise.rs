//! Readwise Reader: adds documents by address.

use crate::{
    Article, Service, ShareError, Web,
    token::TokenService,
    web::{address, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::json;
use url::Url;

pub struct Readwise(TokenService);

impl Readwise {
    pub fn new(base: Url, token: &str) -> Self {
        Self(TokenService::new(base, "Token", token))
    }
}

impl Service for Readwise {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            // Status 204 without a body.
            let response = self.0.get(web, self.0.url("/api/v2/auth/")).await;
            match response {
                Ok(response) if response.status == 204 => Ok(()),
                Ok(_) => Err(ShareError::InvalidResponse),
                Err(error) if error.kind == gleaner_fetch::FetchErrorKind::Http(204) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let mut body = json!({
                "url": address(article)?,
                "title": article.title,
                "author": article.author,
                "summary": article.summary,
                "published_date": article.published,
                "tags": article.tags,
                "saved_using": "Gleaner",
            });
            // The API knows no empty fields.
            if let Some(fields) = body.as_object_mut() {
                fields.retain(|_, value| !value.is_null() && value != "");
            }
            let response = self.0.post(web, self.0.url("/api/v3/save/"), &body).await?;
            with("id", &response)
        }
        .boxed()
    }
}
