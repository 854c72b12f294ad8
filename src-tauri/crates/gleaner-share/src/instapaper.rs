//! Instapaper, by its Simple API: status 201 is success, and 403 a wrong login.

use crate::{
    Article, Service, ShareError, Web,
    web::{Login, address, below},
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_fetch::Response;
use url::Url;

pub struct Instapaper {
    pub base: Url,
    pub user: String,
    pub password: String,
}

impl Instapaper {
    async fn call(&self, web: &Web, path: &str, form: &[(&str, &str)]) -> Result<Response, ShareError> {
        let login = Login::Basic(&self.user, &self.password);
        Ok(web.form(below(&self.base, path), login, form).await?)
    }
}

impl Service for Instapaper {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let response = self.call(web, "/api/authenticate", &[]).await?;
            // The body is the status, and not a page.
            let fine = response.body.as_deref().unwrap_or_default().trim_ascii() == b"200";
            if fine { Ok(()) } else { Err(ShareError::InvalidResponse) }
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let form = [("url", address(article)?), ("title", &article.title), ("selection", &article.summary)];
            let response = self.call(web, "/api/add", &form).await?;
            if response.status == 201 { Ok(()) } else { Err(ShareError::InvalidResponse) }
        }
        .boxed()
    }
}
