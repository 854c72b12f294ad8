//! A webhook: receives each article as JSON, with the fields of [`Article`] (a public contract). Any status from 200 to 204 is success.

use crate::{Article, Service, ShareError, Web, web::Login};
use futures::{FutureExt as _, future::BoxFuture};
use serde_json::json;
use url::Url;

pub struct Webhook {
    pub address: Url,
    /// With a user name the secret is a password (RFC 7617), otherwise a bearer token (RFC 6750).
    pub user: String,
    /// Empty: none.
    pub secret: String,
}

impl Service for Webhook {
    /// A webhook has no request that changes nothing.
    fn check<'a>(&'a self, _web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async { Ok(()) }.boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async move {
            let login = match (self.user.as_str(), self.secret.as_str()) {
                (_, "") => Login::None,
                ("", token) => Login::Header("Authorization", format!("Bearer {token}")),
                (user, password) => Login::Basic(user, password),
            };
            web.json(self.address.clone(), login, &json!(article)).await?;
            Ok(())
        }
        .boxed()
    }
}
