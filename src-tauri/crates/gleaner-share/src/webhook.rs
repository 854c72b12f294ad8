//! A webhook: receives each article as JSON, with the fields of [`Article`] (a public contract). Any status from 200 to 204 is success.

use crate::{Article, Service, ShareError, Web, web::Login};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::json;
use url::Url;

pub struct Webhook {
    pub address: Url,
    /// Sent as a bearer token; empty: none.
    pub token: String,
}

impl Service for Webhook {
    /// A webhook has no request that changes nothing.
    fn check<'a>(&'a self, _web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async { Ok(()) }.boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async move {
            let login = match self.token.as_str() {
                "" => Login::None,
                token => Login::Header("Authorization", format!("Bearer {token}")),
            };
            web.json(self.address.clone(), login, &json!(article)).await?;
            Ok(())
        }
        .boxed()
    }
}
