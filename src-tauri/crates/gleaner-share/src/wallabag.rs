//! Wallabag: logs in with the user's own API client (OAuth 2, grant type `password`), and adds entries by address.

use crate::{
    Article, Service, ShareError, Target, Web,
    web::{Login, address, below, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;

pub struct Wallabag {
    base: Url,
    target: Target,
    /// Valid for an hour.
    token: Mutex<Option<String>>,
}

#[derive(Deserialize)]
struct Token {
    access_token: String,
}

impl Wallabag {
    pub fn new(base: Url, target: Target) -> Self {
        Self { base, target, token: Mutex::default() }
    }

    async fn log_in(&self, web: &Web) -> Result<String, ShareError> {
        let form = [
            ("grant_type", "password"),
            ("client_id", &self.target.client_id),
            ("client_secret", &self.target.client_secret),
            ("username", &self.target.user),
            ("password", &self.target.secret),
        ];
        let response = web.form(below(&self.base, "/oauth/v2/token"), Login::None, &form).await;
        let response = response.map_err(|error| match error.into() {
            // OAuth 2 (RFC 6749, section 5.2) answers a wrong login with 400.
            ShareError::Refused => ShareError::Login,
            error => error,
        })?;
        Ok(read::<Token>(&response)?.access_token)
    }

    async fn add(&self, web: &Web, token: &str, article: &Article) -> Result<(), ShareError> {
        // A comma separates tags.
        let tags = article.tags.iter().map(|tag| tag.replace(',', " ")).collect::<Vec<_>>().join(",");
        let mut form = vec![("url", address(article)?), ("title", &article.title), ("tags", &tags)];
        form.extend(article.author.as_deref().map(|author| ("authors", author)));
        form.extend(article.published.as_deref().map(|at| ("published_at", at)));
        let login = Login::Header("Authorization", format!("Bearer {token}"));
        let response = web.form(below(&self.base, "/api/entries.json"), login, &form).await?;
        with("id", &response)
    }
}

impl Service for Wallabag {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async { self.log_in(web).await.map(drop) }.boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let mut stored = self.token.lock().await;
            if let Some(token) = stored.as_ref() {
                match self.add(web, token, article).await {
                    // It has expired.
                    Err(ShareError::Login) => *stored = None,
                    done => return done,
                }
            }
            let token = self.log_in(web).await?;
            self.add(web, stored.insert(token), article).await
        }
        .boxed()
    }
}
