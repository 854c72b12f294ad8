//! Instapaper, by its Simple API: status 201 is success, 403 a wrong login, and 400 an address that it refuses, or too many requests.

use crate::{
    Article, Service, ShareError, Web,
    error::WAIT,
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
            match self.call(web, "/api/add", &form).await {
                Ok(response) if response.status == 201 => Ok(()),
                Ok(_) => Err(ShareError::InvalidResponse),
                // If it also refuses a request without an address, there were too many requests.
                Err(ShareError::Refused) => match self.call(web, "/api/authenticate", &[]).await {
                    Ok(_) => Err(ShareError::Refused),
                    Err(ShareError::Refused) => Err(ShareError::Wait(WAIT)),
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            }
        }
        .boxed()
    }
}
