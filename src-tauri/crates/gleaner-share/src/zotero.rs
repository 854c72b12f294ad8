//! Zotero on this computer, by the API of its browser connectors. Saving again in the same session returns 409: the article is already
//! saved.

use crate::{
    Article, Service, ShareError, Web,
    web::{Login, below, read},
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_fetch::{FetchCause, FetchError, FetchErrorKind};
use serde_json::{Map, Value, json};
use url::Url;

pub struct Zotero {
    pub base: Url,
}

/// Zotero refuses requests without it, as browsers send them for web pages.
fn login() -> Login<'static> {
    Login::Header("X-Zotero-Connector-API-Version", "3".to_owned())
}

fn item(article: &Article) -> Value {
    let creators: Vec<Value> = article
        .author
        .iter()
        .map(|name| json!({ "creatorType": "author", "lastName": name, "fieldMode": 1 }))
        .collect();
    let tags: Vec<Value> = article.tags.iter().map(|tag| json!({ "tag": tag })).collect();
    json!({
        "id": article.id,
        "itemType": "blogPost",
        "title": article.title,
        "blogTitle": article.feed,
        "creators": creators,
        "date": article.published.as_deref().and_then(|at| at.get(..10)),
        "url": article.url,
        "abstractNote": article.summary,
        "tags": tags,
        "attachments": [],
    })
}

/// Nothing listens at the address of Zotero while it does not run.
fn reached(error: FetchError) -> ShareError {
    if *error.cause == FetchCause::ConnectionRefused { ShareError::NotRunning } else { error.into() }
}

impl Service for Zotero {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let response =
                web.json(below(&self.base, "/connector/ping"), login(), &json!({})).await.map_err(reached)?;
            read::<Map<String, Value>>(&response).map(drop)
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let body = json!({ "sessionID": article.id, "uri": article.url, "items": [item(article)] });
            match web.json(below(&self.base, "/connector/saveItems"), login(), &body).await {
                Ok(response) if response.status == 201 => Ok(()),
                Ok(_) => Err(ShareError::InvalidResponse),
                Err(error) if error.kind == FetchErrorKind::Http(409) => Ok(()),
                Err(error) => Err(reached(error)),
            }
        }
        .boxed()
    }
}
