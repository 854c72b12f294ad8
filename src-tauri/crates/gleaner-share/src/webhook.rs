//! A webhook: receives each article as JSON, with the fields of [`Article`] (a public contract). Any status from 200 to 204 is success.

use crate::{Article, Service, ShareError, Web, web::Login};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::json;
use url::Url;

pub struct Webhook {
    pub address: Url,
    /// A bearer token (RFC 6750), or "Basic", a space, and a user name and password with a colon between them (RFC 7617); empty: none.
    pub secret: String,
}

impl Service for Webhook {
    /// A webhook has no request that changes nothing.
    fn check<'a>(&'a self, _web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async { Ok(()) }.boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async move {
            // No token contains a space.
            let login = self.secret.strip_prefix("Basic ").and_then(|login| login.split_once(':'));
            let login = match (login, self.secret.as_str()) {
                (Some((user, password)), _) => Login::Basic(user, password),
                (None, "") => Login::None,
                (None, token) => Login::Header("Authorization", format!("Bearer {token}")),
            };
            web.json(self.address.clone(), login, &json!(article)).await?;
            Ok(())
        }
        .boxed()
    }
}
