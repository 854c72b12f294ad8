//! Linkding: adds bookmarks. A second one with the same address replaces the texts and tags of the first, so these are looked up before.

use crate::{
    Article, Service, ShareError, Web,
    token::TokenService,
    web::{address, read, with},
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_fetch::FetchErrorKind;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

/// The fields that a second bookmark replaces, and the address.
const REPLACED: [&str; 7] = ["url", "title", "description", "notes", "unread", "shared", "tag_names"];

pub struct Linkding(TokenService);

#[derive(Deserialize)]
struct Checked {
    bookmark: Option<Map<String, Value>>,
}

impl Linkding {
    pub fn new(base: Url, token: &str) -> Self {
        Self(TokenService::new(base, "Token", token))
    }

    /// Returns the bookmark that has an address.
    async fn find(&self, web: &Web, address: &str) -> Result<Option<Map<String, Value>>, ShareError> {
        let mut url = self.0.url("/api/bookmarks/check/");
        url.query_pairs_mut().append_pair("url", address);
        match self.0.get(web, url).await {
            Ok(response) => Ok(read::<Checked>(&response)?.bookmark),
            // Older versions have no such request.
            Err(error) if error.kind == FetchErrorKind::Http(404) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Adds tags to those of a bookmark. Returns whether any of them is new to it. Their case does not matter there.
fn add_tags(bookmark: &mut Map<String, Value>, tags: Vec<String>) -> bool {
    let Some(names) = bookmark.entry("tag_names").or_insert_with(|| json!([])).as_array_mut() else { return false };
    let before = names.len();
    for tag in tags {
        let is_it = |name: &Value| name.as_str().is_some_and(|name| name.to_lowercase() == tag.to_lowercase());
        if !names.iter().any(is_it) {
            names.push(tag.into());
        }
    }
    names.len() > before
}

impl Service for Linkding {
    fn check<'a>(&'a self, web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            let response = self.0.get(web, self.0.url("/api/user/profile/")).await?;
            read::<Map<String, Value>>(&response).map(drop)
        }
        .boxed()
    }

    fn save<'a>(&'a self, web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        async {
            // Tags are single words there.
            let tags: Vec<String> = article.tags.iter().map(|tag| tag.replace([' ', ','], "-")).collect();
            let url = address(article)?;
            let body = match self.find(web, url).await? {
                Some(mut bookmark) => {
                    if !add_tags(&mut bookmark, tags) {
                        return Ok(());
                    }
                    bookmark.retain(|name, value| REPLACED.contains(&name.as_str()) && !value.is_null());
                    bookmark.into()
                }
                None => json!({
                    "url": url,
                    "title": article.title,
                    "description": article.summary,
                    "tag_names": tags,
                }),
            };
            let response = self.0.post(web, self.0.url("/api/bookmarks/"), &body).await?;
            with("id", &response)
        }
        .boxed()
    }
}
